//! T-S4. When insurance is offered.

use super::insurance::{self, WrongInsurance};
use crate::procedure::hand::Hand;
use crate::procedure::state::State;
use crate::regulation::prelude::*;
use crate::table::event::Question;
use crate::table::settings::Insured;

pub(super) static ARTICLE: Article = Article {
    id: "T-S4",
    title: Bi { es: "Cuándo se ofrece el seguro", en: "When insurance is offered" },
    gist: Bi {
        es: "Con un as a la vista, la banca ofrece seguro cuando todos terminaron de jugar y antes de servirse su segunda carta.",
        en: "With an ace to be seen, the bank offers insurance when all have played and before it takes its second card.",
    },
    raised: Bi {
        es: "Al poner un seguro, con el as a la vista, antes de que todos terminen, después de la segunda carta de la banca o en una mano pasada de 21 o rendida; al ofrecerlo antes de que todos terminen, después de esa carta, sin que la banca muestre un as, o a una mano pasada de 21 o rendida; y al servirse la banca esa carta sin haber preguntado a una mano en juego.",
        en: "When, with the ace to be seen, insurance is put before all have played, after the bank's second card, or on a hand that is over 21 or was surrendered; when it is offered before all have played, after that card, without an ace to be seen, or to a hand that is over 21 or was surrendered; and when the bank takes that card without a hand in play having been asked.",
    },
    remedy: Bi {
        es: "Devolver el seguro puesto fuera de término. La pregunta omitida no tiene remedio.",
        en: "Return insurance that is put out of time. A question left out has no remedy.",
    },
    settings: &["insurance_when"],
    readings: &[Reading {
        number: 8,
        words: Bi {
            es: "No hay que preguntar a quien se pasó, se rindió o cobró en pago sencillo, ni a quien ya puso su seguro.",
            en: "Who is over 21, has surrendered or was paid single need not be asked, nor who has put insurance already.",
        },
    }],
    cases: &[
        &TOO_EARLY,
        &TOO_LATE,
        &OUT_OF_PLAY,
        &OFFERED_EARLY,
        &OFFERED_LATE,
        &OFFERED_WITHOUT_ACE,
        &OFFERED_OUT_OF_PLAY,
        &NOT_OFFERED,
    ],
    on: on![insurance::ON, &[On::Card(Role::BankSecond), On::Event(Kind::Ask)]],
    needs: Facts::of(&[Bets, Hands]),
    cases_needing: &[
        (&TOO_EARLY, Facts::of(&[Bets, Decisions, Hands])),
        (&OFFERED_EARLY, Facts::of(&[Asks, Decisions, Hands])),
        (&OFFERED_LATE, Facts::of(&[Asks, Hands])),
        (&OFFERED_WITHOUT_ACE, Facts::of(&[Asks, Hands])),
        (&OFFERED_OUT_OF_PLAY, Facts::of(&[Asks, Hands])),
        (&NOT_OFFERED, Facts::of(&[Asks, Choices, Hands])),
    ],
    check,
    ..Article::enforced(file!())
};

static TOO_EARLY: Case = Case {
    es: "el seguro del {place} se puso antes de que todos terminaran de jugar",
    en: "the insurance of {place} was put before all had played",
};

static TOO_LATE: Case = Case {
    es: "el seguro del {place} se puso después de la segunda carta de la banca",
    en: "the insurance of {place} was put after the bank's second card",
};

static OUT_OF_PLAY: Case = Case {
    es: "el {place} se pasó de 21 o se rindió: no corresponde seguro",
    en: "{place} is over 21 or was surrendered: it may not be insured",
};

static OFFERED_EARLY: Case = Case {
    es: "se ofreció seguro al {place} antes de que todos terminaran de jugar",
    en: "{place} was offered insurance before all had played",
};

static OFFERED_LATE: Case = Case {
    es: "se ofreció seguro al {place} después de la segunda carta de la banca",
    en: "{place} was offered insurance after the bank's second card",
};

static OFFERED_WITHOUT_ACE: Case = Case {
    es: "se ofreció seguro al {place} y la banca no muestra un as",
    en: "{place} was offered insurance though the bank shows no ace",
};

static OFFERED_OUT_OF_PLAY: Case = Case {
    es: "se ofreció seguro al {place}, que se pasó de 21 o se rindió",
    en: "{place} was offered insurance though it is over 21 or was surrendered",
};

static NOT_OFFERED: Case = Case { es: "no se ofreció seguro al {place}", en: "{place} was not offered insurance" };

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    insurance::check(
        &[
            (WrongInsurance::TooLate, &TOO_LATE),
            (WrongInsurance::OutOfPlay, &OUT_OF_PLAY),
            (WrongInsurance::TooEarly, &TOO_EARLY),
        ],
        context,
        findings,
    );
    let state = context.state;
    if context.settings.insurance.when != Insured::AfterPlay {
        return;
    }
    if let Event::Ask { hand, about: Question::Insurance } = context.event {
        if let Some(case) = wrongly_offered(state, *hand) {
            findings.raise_once(case, Place::from(*hand));
        }
        return;
    }
    if context.meaning.drawn.is_none() || !state.pass.bank.shows_ace() {
        return;
    }
    // where choices are not observed, surrender and single pay still to be made are not seen either
    let may_be_out = |hand: &Hand| !state.observes.decisions && hand.may_have_ended();
    for (id, hand) in state.pass.live_hands().filter(|(_, hand)| !may_be_out(hand)) {
        let waits = hand.is_to_be_offered_insurance() && !hand.may_be_over();
        if waits && !findings.knows(&NOT_OFFERED, Place::from(id)) {
            findings.raise(&NOT_OFFERED, Place::from(id));
        }
    }
}

/// What is wrong with an offer of insurance to a hand that plays.
fn wrongly_offered(state: &State, id: HandId) -> Option<&'static Case> {
    let bank = &state.pass.bank;
    let hand = state.pass.hand(id).filter(|hand| !hand.void && bank.served > 0)?;
    if bank.served > 1 {
        Some(&OFFERED_LATE)
    } else if !bank.may_show_ace() {
        Some(&OFFERED_WITHOUT_ACE)
    } else if hand.is_over() || hand.surrendered {
        Some(&OFFERED_OUT_OF_PLAY)
    } else {
        (bank.shows_ace() && !state.may_insure()).then_some(&OFFERED_EARLY)
    }
}
