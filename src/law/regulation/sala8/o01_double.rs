//! O1. Doubling.

use crate::regulation::prelude::*;
use crate::regulation::shared::double;
use crate::table::event::Face;

pub(super) static ARTICLE: Article = Article {
    id: "O1",
    title: Bi { es: "Doblar", en: "Doubling" },
    gist: Bi {
        es: "{double_on|never=No se dobla.|_=Se dobla {double_on|eleven=sólo con once en las dos primeras cartas|nine_to_eleven=sólo con 9, 10 u 11 en las dos primeras cartas|_=con las dos primeras cartas, salvo Black Jack}, por otro tanto de lo apostado y a una sola carta, que se da {double_card|down=cubierta y se descubre cuando la banca terminó|_=descubierta}.}",
        en: "{double_on|never=No hand may be doubled.|_={double_on|eleven=Only eleven in the first two cards|nine_to_eleven=Only 9, 10 or 11 in the first two cards|_=Any first two cards but a Black Jack} may be doubled, with a second stake equal to the first and for a single card, dealt face {double_card|down=down and uncovered when the bank has finished|_=up}.}",
    },
    raised: Bi {
        es: "Al poner fichas para doblar o decidir doblar {double_on|eleven=sin once en las dos primeras cartas|nine_to_eleven=sin 9, 10 u 11 en las dos primeras cartas|any=sin que sean las dos primeras cartas, o con Black Jack|_=cuando no se dobla}, después de plantarse, o por un importe distinto de la postura; al dar la carta, o al empezar el turno de la mano siguiente, sin que las fichas estén puestas{double_card|down=; y, como aviso, si la carta con que se dobla se da descubierta o se descubre antes de que la banca termine|_=}.",
        en: "When chips are put to double, or doubling is decided, {double_on|eleven=without eleven in the first two cards|nine_to_eleven=without 9, 10 or 11 in the first two cards|any=on other than the first two cards, or on a Black Jack|_=where there is no doubling}, after the hand has stood, or for another amount than the stake; when the card is dealt, or the next hand's turn begins, before the chips lie there{double_card|down=; and, as a notice, if the double's card is dealt face up or is turned up before the bank has finished|_=}.",
    },
    remedy: Bi { es: "Devolver lo puesto para doblar.", en: "Return what was put to double." },
    settings: &["double_after_split"],
    readings: &[
        Reading {
            number: 10,
            words: Bi {
                es: "{double_after_split|false=Doblar sobre una mano abierta no está previsto.|_=También la mano abierta puede doblarse.}",
                en: "{double_after_split|false=Doubling on a split hand is not provided for.|_=A split hand may be doubled too.}",
            },
        },
        Reading {
            number: 12,
            words: Bi {
                es: "Una mano doblada cuenta en juego hasta que se descubre su carta.",
                en: "A doubled hand counts as in play until its covered card is uncovered.",
            },
        },
        Reading {
            number: 24,
            words: Bi {
                es: "Las fichas van antes que la carta. Puestas después se devuelven: la mano tiene esa carta y su sola postura. Si sin ellas empieza el turno de la mano siguiente, la mano se plantó.",
                en: "Chips come before the card. Laid after it they are returned: the hand has that card and its single stake. If the next hand's turn begins without them, the hand has stood.",
            },
        },
        Reading {
            number: 27,
            words: Bi {
                es: "{double_card|down=Descubrir la carta antes de que la banca termine es un aviso: el doble vale.|_=La carta se da descubierta.}",
                en: "{double_card|down=Turning the card up before the bank has finished is a notice: the double stands.|_=The card is dealt face up.}",
            },
        },
    ],
    cases: &[&MAY_NOT_DOUBLE, &UNEQUAL_AMOUNT, &CHIPS_MISSING, &DEALT_FACE_UP, &TURNED_EARLY],
    case_severities: &[(&DEALT_FACE_UP, Severity::Notice), (&TURNED_EARLY, Severity::Notice)],
    on: double::UNPAID_ON,
    needs: Facts::of(&[Choices, Hands]),
    cases_needing: &[
        (&UNEQUAL_AMOUNT, Facts::of(&[Bets, Hands])),
        (&CHIPS_MISSING, Facts::of(&[Bets, Decisions, Hands])),
        (&DEALT_FACE_UP, Facts::of(&[Faces, Choices, Hands])),
        (&TURNED_EARLY, Facts::of(&[Turns, Choices, Hands])),
    ],
    check,
    ..Article::enforced(file!())
};

static MAY_NOT_DOUBLE: Case = Case {
    es: "el {place} no puede doblar: {double_on|eleven=no tiene once en dos cartas|nine_to_eleven=no tiene 9, 10 u 11 en dos cartas|any=sólo se dobla con las dos primeras cartas, salvo Black Jack|_=aquí no se dobla}, o ya se plantó",
    en: "{place} may not double: {double_on|eleven=it does not have eleven in two cards|nine_to_eleven=it does not have 9, 10 or 11 in two cards|any=only the first two cards are doubled, and no Black Jack|_=there is no doubling here}, or it has stood",
};

static UNEQUAL_AMOUNT: Case = Case {
    es: "lo puesto para doblar en el {place} no es igual a su apuesta",
    en: "what was put to double {place} is not equal to its stake",
};

static CHIPS_MISSING: Case = Case {
    es: "el {place} se dobló sin que las fichas estuvieran puestas: las que se pongan se devuelven",
    en: "{place} was doubled before its chips lay there: any laid later are returned",
};

static DEALT_FACE_UP: Case = Case {
    es: "la carta con que dobló el {place} se dio descubierta",
    en: "the double's card of {place} was dealt face up",
};

static TURNED_EARLY: Case = Case {
    es: "la carta con que dobló el {place} se descubrió antes de que la banca terminara",
    en: "the double's card of {place} was turned up before the bank had finished",
};

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    if double::refuse_late(&CHIPS_MISSING, context, findings) {
        return;
    }
    if let Some((id, _)) = double::refused(context) {
        double::refuse(&MAY_NOT_DOUBLE, id, context, findings);
    } else if let Some(id) = double::wrong_amount(context) {
        double::refuse(&UNEQUAL_AMOUNT, id, context, findings);
    }
    double::check_unpaid(&CHIPS_MISSING, context, findings);
    if let Some(drawn) = context.meaning.drawn.filter(|drawn| drawn.role == Role::Double && !drawn.is_down())
        && let Some(id) = drawn.hand()
        && context.settings.double.card == Face::Down
    {
        findings.raise(&DEALT_FACE_UP, Place::from(id));
    }
    if let Event::Reveal { at: Place::Hand(id), .. } = context.event
        && context.meaning.turns_up
        && context.state.pass.hand(*id).is_some_and(|hand| hand.doubled && hand.is_covered())
        && !context.state.bank_is_final()
    {
        findings.raise(&TURNED_EARLY, Place::from(*id));
    }
}
