//! G2. Values of the cards.

use crate::regulation::prelude::*;
use crate::regulation::shared::total;

pub(super) static ARTICLE: Article = Article {
    id: "G2",
    title: Bi { es: "Valor de los naipes", en: "Values of the cards" },
    gist: Bi {
        es: "Cada naipe vale su número, las figuras diez y el as uno u once: en la mano de un jugador, como él prefiera.",
        en: "A card counts its pips, figures ten, an ace one or eleven: in a player's hand, as he prefers.",
    },
    raised: Bi {
        es: "Cuando se canta un total que no corresponde a las cartas a la vista. Con un as que aún puede valer once se admite cualquiera de los dos totales de un jugador.",
        en: "When a total is called that the cards in sight do not add up to. Where an ace may still count eleven, either total of a player's hand will do.",
    },
    remedy: Bi { es: "Cantar el total correcto.", en: "Call the right total." },
    cases: &[&WRONG_TOTAL],
    on: &[On::Event(Kind::Announce)],
    needs: Facts::of(&[Announcements, Hands]),
    check,
    ..Article::valuation(file!())
};

static WRONG_TOTAL: Case = Case { es: "total mal cantado: {place}", en: "wrong total called: {place}" };

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    if let Some(place) = total::wrong(context) {
        findings.raise(&WRONG_TOTAL, place);
    }
}
