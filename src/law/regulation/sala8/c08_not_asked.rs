//! C8. Not asked to insure or double.

use crate::regulation::prelude::*;
use crate::table::event::Question;
use crate::table::settings::Insured;

pub(super) static ARTICLE: Article = Article {
    id: "C8",
    severity: Severity::Notice,
    title: Bi { es: "Sin preguntar si asegura o dobla", en: "Not asked to insure or double" },
    gist: Bi {
        es: "Si con un as de primera, o con {double_on|eleven=once|nine_to_eleven=9, 10 u 11|_=una mano que puede doblarse}, se da la carta siguiente sin preguntar si asegura o dobla, y se descubre, la carta es válida.",
        en: "If, to an ace first or {double_on|eleven=an eleven|nine_to_eleven=a 9, 10 or 11|_=a hand that may be doubled}, the next card comes without asking “insure” or “double” and is uncovered, the card is valid.",
    },
    raised: Bi {
        es: "Con la segunda carta a un as al que no se preguntó si asegura, y con la tercera a {double_on|eleven=un once al que|nine_to_eleven=un 9, 10 u 11 al que|_=quien podía doblar y a quien} no se preguntó si dobla. Es un aviso.",
        en: "At the second card to an ace not asked about insurance, and at the third to {double_on|eleven=an eleven|nine_to_eleven=a 9, 10 or 11|_=a hand that might double,} not asked about doubling. It is a notice.",
    },
    remedy: Bi { es: "Nada: descubierta la carta, es válida.", en: "Nothing: once uncovered, the card is valid." },
    readings: &[Reading {
        number: 13,
        words: Bi {
            es: "Se trata de la pregunta por el seguro antes de la segunda entrega; abiertos dos ases no hace falta preguntar.",
            en: "It concerns the question about insurance before the second delivery; after opening two aces none is needed.",
        },
    }],
    cases: &[&INSURANCE_NOT_ASKED, &DOUBLE_NOT_ASKED],
    on: &[On::Card(Role::Second), On::Card(Role::Late), On::Card(Role::Hit), On::Card(Role::Unasked)],
    needs: Facts::of(&[Asks, Hands]),
    check,
    ..Article::enforced(file!())
};

static INSURANCE_NOT_ASKED: Case = Case {
    es: "no se preguntó al {place} si aseguraba: la carta es válida",
    en: "{place} was not asked about insurance: the card is valid",
};

static DOUBLE_NOT_ASKED: Case = Case {
    es: "no se preguntó al {place} si doblaba: la carta es válida",
    en: "{place} was not asked about doubling: the card is valid",
};

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    let Some((drawn, id)) = context.meaning.drawn.and_then(|drawn| drawn.hand().map(|id| (drawn, id))) else { return };
    let Some(hand) = context.state.pass.hand(id) else { return };
    let insures_own = context.settings.insurance.when == Insured::OwnAce;
    match drawn.role {
        Role::Second | Role::Late if insures_own && hand.begins_with_ace() && !hand.was_asked(Question::Insurance) => {
            findings.raise(&INSURANCE_NOT_ASKED, Place::from(id));
        }
        Role::Hit | Role::Unasked if hand.is_to_be_offered_double(context.settings) => {
            findings.raise(&DOUBLE_NOT_ASKED, Place::from(id));
        }
        _ => {}
    }
}
