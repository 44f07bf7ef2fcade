//! K8. Values of the cards.

use crate::regulation::prelude::*;
use crate::regulation::shared::total;

pub(super) static ARTICLE: Article = Article {
    id: "K8",
    title: Bi { es: "Valor de las cartas", en: "Values of the cards" },
    gist: Bi {
        es: "Las figuras valen 10; el as, 1 u 11, a elección del apostador; las demás cartas, su número.",
        en: "Figures count 10; an ace 1 or 11, as the bettor prefers; every other card its number.",
    },
    raised: Bi {
        es: "Al cantar un total que no es el de las cartas. El de una mano con un as que aún puede valer 1 u 11 se canta de cualquiera de las dos maneras; el de la banca es uno solo.",
        en: "When a total is called that is not that of the cards. That of a hand with an ace that may still count 1 or 11 is called either way; the bank's is one only.",
    },
    remedy: Bi { es: "Cantar el total correcto.", en: "Call the right total." },
    settings: &["bank_ace"],
    readings: &[Reading {
        number: 8,
        words: Bi {
            es: "El as del apostador no se declara: vale siempre lo que más conviene a la mano, visto de nuevo con cada carta. El de la banca vale 11, salvo que así se pase de 21.",
            en: "A bettor's ace is not declared: it always counts what is better for the hand, seen anew with each card. The bank's counts 11, unless that takes it over 21.",
        },
    }],
    cases: &[&WRONG_TOTAL],
    on: &[On::Event(Kind::Announce)],
    needs: Facts::of(&[Announcements, Hands]),
    check,
    ..Article::valuation(file!())
};

static WRONG_TOTAL: Case = Case { es: "total mal cantado ({place})", en: "wrong total called ({place})" };

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    if let Some(place) = total::wrong(context) {
        findings.raise(&WRONG_TOTAL, place);
    }
}
