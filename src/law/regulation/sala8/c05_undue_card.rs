//! C5. The undue card.

use crate::regulation::prelude::*;

pub(super) static ARTICLE: Article = Article {
    id: "C5",
    title: Bi { es: "Carta indebida", en: "The undue card" },
    gist: Bi {
        es: "La carta extraída en forma o tiempo indebidos se quema; nadie la reclama ni conoce su valor, salvo la que va al as o {double_on|eleven=al once|_=a quien podía doblar} cuando el pagador no preguntó.",
        en: "A card drawn in undue form or time is burned; nobody may claim it or learn its value, except the one for an ace or {double_on|eleven=an eleven|_=a hand that might double} where the dealer did not ask.",
    },
    raised: Bi {
        es: "Con toda carta que nadie debía recibir y que ningún otro artículo nombra: a quien se plantó o llegó a 21, sin que la pidiera, antes de las apuestas, durante el pago, o una segunda carta mientras otro casillero espera la primera.",
        en: "At any card that was due to nobody and that no other article names: to a hand that stood or reached 21, not asked for, before the bets, during payment, or a second card while another box waits for its first.",
    },
    remedy: Bi {
        es: "Quemarla sin mostrarla. No cuenta en ninguna mano.",
        en: "Burn it unseen. It counts in no hand.",
    },
    readings: &[
        Reading {
            number: 2,
            words: Bi {
                es: "Una segunda carta a un casillero mientras otro espera la primera es indebida.",
                en: "A second card to a box while another still waits for its first is undue.",
            },
        },
        Reading {
            number: 18,
            words: Bi {
                es: "Una carta para la banca antes de servir a algún casillero de esa entrega es indebida; por ella no se da a nadie por salteado.",
                en: "A card for the bank before any box of that delivery was served is undue; nobody is taken to be left out for it.",
            },
        },
        Reading {
            number: 26,
            words: Bi {
                es: "La carta que debió quemarse y no se quemó no cuenta en ninguna mano.",
                en: "A card that should have been burned and was not counts in no hand.",
            },
        },
    ],
    cases: &[&UNDUE_CARD, &CARD_TOO_MANY_BURNED],
    on: &[On::Card(Role::NotDue), On::Card(Role::BankEarly), On::Card(Role::Burned)],
    cases_needing: &[(&CARD_TOO_MANY_BURNED, Facts::of(&[Places]))],
    check,
    ..Article::enforced(file!())
};

static UNDUE_CARD: Case =
    Case { es: "carta indebida: quemarla sin mostrarla ({place})", en: "undue card: burn it unseen ({place})" };

static CARD_TOO_MANY_BURNED: Case =
    Case { es: "se extrajo y se quemó una carta de más", en: "a card too many was drawn, and burned" };

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    let Some(drawn) = context.meaning.drawn else { return };
    match drawn.role {
        // an early second card may have an article of its own
        Role::BankEarly if findings.names_card() => {}
        Role::NotDue | Role::BankEarly => {
            let place = drawn.place.unwrap_or(Place::Shoe);
            findings.raise(&UNDUE_CARD, drawn.place).misdealt(context, place);
        }
        Role::Burned => {
            findings.raise(&CARD_TOO_MANY_BURNED, Place::Burn).burn(Place::Burn, 1);
        }
        _ => {}
    }
}
