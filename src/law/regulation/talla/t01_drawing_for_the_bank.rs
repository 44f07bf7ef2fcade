//! T-T1. Drawing for the bank.

use crate::regulation::prelude::*;
use crate::table::event::BankChange;

pub(super) static ARTICLE: Article = Article {
    id: "T-T1",
    title: Bi { es: "Sorteo de la banca", en: "Drawing for the bank" },
    gist: Bi {
        es: "La banca se sortea a la carta más alta: el as es la mayor, y a igual valor va corazón, diamante, trébol y pica.",
        en: "The bank goes to the highest card drawn: the ace is the highest, and of equal ranks hearts come first, then diamonds, clubs and spades.",
    },
    raised: Bi {
        es: "Al dar la banca a quien no sacó la carta más alta de las sorteadas, y al sortearla mientras alguien la tiene.",
        en: "When the bank is given to somebody who did not draw the highest card, and when it is drawn for while somebody has it.",
    },
    remedy: Bi {
        es: "Dar la banca a quien sacó la carta más alta; si alguien la tiene, la conserva.",
        en: "Give the bank to who drew the highest card; where somebody has it, he keeps it.",
    },
    settings: &["banker"],
    readings: &[Reading {
        number: 11,
        words: Bi {
            es: "Cuentan las cartas sorteadas desde la última vez que la banca cambió de manos. Con varios mazos dos cartas pueden ser iguales: cualquiera de los dos puede quedarse con la banca.",
            en: "What counts are the cards drawn since the bank last changed hands. With several decks two cards may be the same: either player may have the bank.",
        },
    }],
    cases: &[&NOT_HIGHEST_CARD, &BANK_NOT_FREE],
    on: &[On::Event(Kind::Bank)],
    needs: Facts::NONE,
    check,
    ..Article::valuation(file!())
};

static NOT_HIGHEST_CARD: Case = Case {
    es: "la banca se dio a quien no sacó la carta más alta",
    en: "the bank went to somebody who did not draw the highest card",
};

static BANK_NOT_FREE: Case =
    Case { es: "la banca se sorteó mientras alguien la tenía", en: "the bank was drawn for while somebody had it" };

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    let bankers = &context.state.bankers;
    let Event::Bank { how: BankChange::Drawn, player, .. } = context.event else { return };
    if bankers.banker().is_some() {
        findings.raise(&BANK_NOT_FREE, None).no_effect();
    } else if player.as_ref().is_some_and(|player| !bankers.drew_highest(player)) {
        findings.raise(&NOT_HIGHEST_CARD, None).no_effect();
    }
}
