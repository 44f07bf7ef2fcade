//! T-Q9. The bank's ace.

use crate::regulation::prelude::*;
use crate::regulation::shared::total;

pub(super) static ARTICLE: Article = Article {
    id: "T-Q9",
    title: Bi { es: "As de la banca", en: "The bank's ace" },
    gist: Bi {
        es: "El as de la banca vale 11 mientras no la haga pasar de 21.",
        en: "The bank's ace counts 11 unless that takes it over 21.",
    },
    raised: Bi {
        es: "Al cantar mal el total de la banca. Si por eso saca o deja de sacar, es T-Q8.",
        en: "When the bank's total is called wrongly. If it draws or stops for that, it is T-Q8's.",
    },
    remedy: Bi { es: "Cantar el total correcto.", en: "Call the right total." },
    settings: &["bank_ace"],
    readings: &[Reading {
        number: 26,
        words: Bi {
            es: "El valor del as se mira de nuevo con cada carta: as y cinco son 16, y con un diez más siguen siendo 16.",
            en: "The ace's value is seen anew with each card: ace and five are 16, and with a ten more are 16 still.",
        },
    }],
    cases: &[&WRONG_TOTAL],
    on: &[On::Event(Kind::Announce)],
    needs: Facts::of(&[Announcements, Hands]),
    check,
    ..Article::valuation(file!())
};

static WRONG_TOTAL: Case = Case { es: "total mal cantado: {place}", en: "wrong total called: {place}" };

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    if let Some(place @ Place::Bank) = total::wrong(context) {
        findings.raise(&WRONG_TOTAL, place);
    }
}
