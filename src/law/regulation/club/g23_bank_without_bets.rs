//! G23. The bank with no bets in play.

use crate::regulation::prelude::*;

pub(super) static ARTICLE: Article = Article {
    id: "G23",
    title: Bi { es: "La banca sin apuestas en juego", en: "The bank with no bets in play" },
    gist: Bi {
        es: "Si no quedan apuestas en juego, el banquero no se da cartas.",
        en: "If no bets are left in play, the banker deals himself no card.",
    },
    raised: Bi {
        es: "Con una carta para la banca cuando todas las manos se pasaron, se pagaron en el acto o quedaron sin efecto, y ningún seguro espera su segunda carta.",
        en: "At a card for the bank when every hand went over 21, was paid at once or is without effect, and no insurance waits for the bank's second card.",
    },
    remedy: Bi { es: "La carta vuelve a su lugar en el mazo.", en: "The card goes back to its place in the shoe." },
    readings: &[Reading {
        number: 16,
        words: Bi {
            es: "Un seguro es una apuesta en juego: la banca toma su segunda carta para decidirlo aunque todas las manos se hayan pasado, y ninguna más.",
            en: "An insurance is a bet in play: the bank takes its second card to decide it though every hand went over, and no more.",
        },
    }],
    cases: &[&NO_BETS],
    on: &[On::Card(Role::BankIdle)],
    needs: Facts::of(&[Places, Choices, Hands]),
    check,
    ..Article::enforced(file!())
};

static NO_BETS: Case = Case {
    es: "la banca se dio carta sin apuestas en juego: vuelve al mazo",
    en: "the bank was dealt a card with no bets in play: it goes back to the shoe",
};

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    let bank = &context.state.pass.bank;
    // where bets are not seen, insurance may lie there for which the bank draws
    if !context.state.observes.bets && bank.served < 2 && bank.may_show_ace() {
        return;
    }
    findings.raise(&NO_BETS, Place::Bank).misdealt(context, Place::Bank);
}
