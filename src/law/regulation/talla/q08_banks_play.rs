//! T-Q8. The bank's play.

use crate::regulation::prelude::*;
use crate::regulation::shared::bank_play;

pub(super) static ARTICLE: Article = Article {
    id: "T-Q8",
    title: Bi { es: "Juego de la banca", en: "The bank's play" },
    gist: Bi {
        es: "La banca pide con 16 y se planta en {bank_stands:digits}, también con as y seis, tengan lo que tengan los jugadores.",
        en: "The bank draws on 16 and stands on {bank_stands:digits}, on ace and six too, whatever the players have.",
    },
    raised: Bi {
        es: "Con una carta para la banca que ya tiene {bank_stands:digits} o más; y al saldar una apuesta contra ella, con la banca debajo de {bank_stands:digits} o sin su segunda carta; y al fin del pase con la banca debajo de {bank_stands:digits}. Sin su segunda carta al fin del pase es T0.",
        en: "At a card for the bank when it has {bank_stands:digits} or more; when a bet against it is settled with the bank below {bank_stands:digits} or without its second card; and when the pass ends with the bank below {bank_stands:digits}. Without its second card at the end it is T0's.",
    },
    remedy: Bi {
        es: "La carta de más se quema; la que falta se da.",
        en: "The card too many is burned; the one missing is dealt.",
    },
    settings: &["bank_stands", "bank_hits_soft_17", "bank_draws_against_blackjacks", "misdealt"],
    readings: &[Reading {
        number: 25,
        words: Bi {
            es: "La banca saca también cuando sólo quedan Black Jacks; si no queda nadie en juego puede no sacar, y si saca no es falta.",
            en: "The bank draws also when only Black Jacks are left; with nobody left in play it need not, and if it does that is no breach.",
        },
    }],
    cases: &[&DREW_BEYOND, &LEFT_BELOW],
    on: bank_play::ON,
    cases_needing: &[(&DREW_BEYOND, Facts::of(&[Places, Hands])), (&LEFT_BELOW, Facts::of(&[Bets, Hands]))],
    check,
    ..Article::enforced(file!())
};

static DREW_BEYOND: Case = Case {
    es: "la banca sacó carta con {bank_stands:digits} o más: se quema",
    en: "the bank drew at {bank_stands:digits} or more: the card is burned",
};

static LEFT_BELOW: Case = Case {
    es: "la banca no completó su juego: falta una carta",
    en: "the bank has not finished its play: a card is due",
};

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    let settles = matches!(context.event, Event::Pay { .. } | Event::Collect { .. });
    // where choices are not observed, neither are surrender and single pay, settled before the bank's second card
    let may_be_early = !context.state.observes.decisions && context.state.pass.bank.served < 2;
    // at the end it is the room's to say what a bank without its two cards is worth (T0)
    let is_rooms = matches!(context.event, Event::End {}) && context.state.pass.bank.cards.tally().count < 2;
    if !(is_rooms || settles && may_be_early) {
        bank_play::check(&bank_play::Cases { beyond: &DREW_BEYOND, below: &LEFT_BELOW }, context, findings);
    }
}
