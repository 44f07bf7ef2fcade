//! G10. The bank's play.

use crate::regulation::prelude::*;
use crate::regulation::shared::bank_play;

pub(super) static ARTICLE: Article = Article {
    id: "G10",
    title: Bi { es: "Juego de la banca", en: "The bank's play" },
    gist: Bi {
        es: "Completas las manos de los jugadores, la banca toma su segunda carta; con 16 o menos pide y con {bank_stands:digits} o más se planta, también si un as cuenta 11 para llegar de {bank_stands:digits} a 21.",
        en: "When the players' hands are complete the bank takes its second card; it draws on 16 or less and stands on {bank_stands:digits} or more, also where an ace counts 11 to make {bank_stands:digits} to 21.",
    },
    raised: Bi {
        es: "Con una carta para la banca que ya tiene {bank_stands:digits} o más, y al liquidar una apuesta que depende de la banca, o terminar la jugada, con la banca por debajo de {bank_stands:digits} o sin su segunda carta.",
        en: "At a card for a bank that has {bank_stands:digits} or more, and when a bet that depends on the bank is settled, or the play ends, with the bank below {bank_stands:digits} or without its second card.",
    },
    remedy: Bi {
        es: "La carta de más vuelve a su lugar en el mazo; la que falta se sirve antes de seguir pagando.",
        en: "The card in excess goes back to its place in the shoe; the one missing is dealt before any more is paid.",
    },
    settings: &["bank_stands", "bank_hits_soft_17", "bank_ace"],
    cases: &[&DREW_BEYOND, &LEFT_BELOW],
    on: bank_play::ON,
    cases_needing: &[(&DREW_BEYOND, Facts::of(&[Places, Hands])), (&LEFT_BELOW, Facts::of(&[Bets, Hands]))],
    check,
    ..Article::enforced(file!())
};

static DREW_BEYOND: Case = Case {
    es: "la banca pidió carta con {bank_stands:digits} o más: vuelve al mazo",
    en: "the bank drew at {bank_stands:digits} or more: the card goes back to the shoe",
};

static LEFT_BELOW: Case = Case {
    es: "la banca no completó su mano y hay apuestas que dependen de ella: le falta carta",
    en: "the bank has not completed its hand and bets depend on it: a card is due to the bank",
};

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    // G7 tells of a Black Jack paid while it had to wait, G19 of a play given up
    if bank_play::blackjack_too_early(context).is_none() && !bank_play::is_given_up(context) {
        bank_play::check(&bank_play::Cases { beyond: &DREW_BEYOND, below: &LEFT_BELOW }, context, findings);
    }
}
