//! G12. Doubling.

use super::g14_split_aces;
use crate::procedure::hand::Hand;
use crate::regulation::prelude::*;
use crate::regulation::shared::double;

pub(super) static ARTICLE: Article = Article {
    id: "G12",
    title: Bi { es: "Doblar", en: "Doubling" },
    gist: Bi {
        es: "Con 9, 10 u 11 en sus dos primeras cartas el jugador puede doblar su apuesta: recibe una sola carta más. El banquero anuncia a los jugadores sus posibilidades.",
        en: "With 9, 10 or 11 in the first two cards a player may double his bet: he gets one more card only. The banker announces the choices to the players.",
    },
    raised: Bi {
        es: "Al poner fichas para doblar o decidir doblar sin 9, 10 u 11 en dos cartas, o por otro importe que lo apostado; o al dar la carta, o seguir con otra mano, sin que las fichas estén puestas. También, como aviso, al dar la tercera carta a una mano que podía doblar sin habérselo preguntado.",
        en: "When chips are put to double, or doubling is decided, without 9, 10 or 11 in two cards, or for another amount than the stake; or when the card comes, or play goes on elsewhere, before the chips lie there. Also, as a notice, at the third card of a hand that might double and was not asked.",
    },
    remedy: Bi {
        es: "Devolver lo puesto para doblar. La carta dada sin preguntar vale.",
        en: "Return what was put to double. The card dealt without asking counts.",
    },
    settings: &["double_on", "double_after_split", "double_is_offered"],
    readings: &[
        Reading {
            number: 7,
            words: Bi {
                es: "El as cuenta 1 u 11 también aquí: as y ocho suman 9, as y nueve 10. No así el as con un diez, que son 21, también en una mano dividida.",
                en: "An ace counts 1 or 11 here too: ace and eight are 9, ace and nine 10. Not so an ace with a ten, which are 21, on a split hand too.",
            },
        },
        Reading {
            number: 8,
            words: Bi {
                es: "«Doblar su apuesta» es poner otro tanto igual, ni más ni menos; en una mano dividida, lo apostado en ella.",
                en: "To “double the bet” is to put another equal stake, no more and no less; on a split hand, the stake of that hand.",
            },
        },
    ],
    cases: &[&MAY_NOT_DOUBLE, &UNEQUAL_AMOUNT, &CHIPS_MISSING, &DOUBLE_NOT_ASKED],
    on: double::UNPAID_ON,
    needs: Facts::of(&[Choices, Hands]),
    cases_needing: &[
        (&UNEQUAL_AMOUNT, Facts::of(&[Bets, Hands])),
        (&CHIPS_MISSING, Facts::of(&[Bets, Hands])),
        (&DOUBLE_NOT_ASKED, Facts::of(&[Asks, Choices, Hands])),
    ],
    check,
    ..Article::enforced(file!())
};

static MAY_NOT_DOUBLE: Case = Case {
    es: "el {place} no puede doblar: {double_on|nine_to_eleven=no tiene 9, 10 ni 11 en dos cartas|eleven=no tiene once en dos cartas|any=sólo se dobla con las dos primeras cartas, salvo Black Jack|_=aquí no se dobla}",
    en: "{place} may not double: {double_on|nine_to_eleven=it does not have 9, 10 or 11 in two cards|eleven=it does not have eleven in two cards|any=only the first two cards are doubled, and no Black Jack|_=there is no doubling here}",
};

static UNEQUAL_AMOUNT: Case = Case {
    es: "lo puesto para doblar en el {place} no es igual a su apuesta",
    en: "what was put to double {place} is not equal to its stake",
};

static CHIPS_MISSING: Case = Case {
    es: "el {place} se dobló sin que las fichas estuvieran puestas: las que se pongan se devuelven",
    en: "{place} was doubled before its chips lay there: any laid later are returned",
};

static DOUBLE_NOT_ASKED: Case = Case {
    es: "no se preguntó al {place} si doblaba: la carta vale",
    en: "{place} was not asked about doubling: the card counts",
};

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    if let Some((id, _)) = double::refused(context) {
        if !g14_split_aces::is_served_split_ace(context, id) {
            double::refuse(&MAY_NOT_DOUBLE, id, context, findings);
        }
    } else if let Some(id) = double::wrong_amount(context) {
        double::refuse(&UNEQUAL_AMOUNT, id, context, findings);
    }
    double::check_unpaid(&CHIPS_MISSING, context, findings);
    let asked_first = context.meaning.drawn.filter(|drawn| matches!(drawn.role, Role::Hit | Role::Unasked));
    let Some(id) = asked_first.and_then(|drawn| drawn.hand()) else { return };
    let unasked = |hand: &Hand| hand.is_to_be_offered_double(context.settings);
    if context.state.observes.asks && context.state.pass.hand(id).is_some_and(unasked) {
        findings.raise(&DOUBLE_NOT_ASKED, Place::from(id)).severity(Severity::Notice);
    }
}
