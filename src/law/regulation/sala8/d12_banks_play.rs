//! D12. The bank's play.

use crate::procedure::hand::Hand;
use crate::regulation::prelude::*;
use crate::regulation::shared::bank_play;

pub(super) static ARTICLE: Article = Article {
    id: "D12",
    title: Bi { es: "Juego de la banca", en: "The bank's play" },
    gist: Bi {
        es: "La banca {bank_second_card|covered=descubre|_=recibe} su segunda carta, planta de {bank_stands:digits} a 21{bank_hits_soft_17|true=, salvo con 17 blando|_=}, pide por debajo de {bank_stands:digits} y, si pasa de 21, pierde con toda mano en juego.",
        en: "The bank {bank_second_card|covered=uncovers|_=takes} its second card, stands on {bank_stands:digits} to 21{bank_hits_soft_17|true=, but for a soft 17|_=}, draws below {bank_stands:digits} and, over 21, loses to every hand in play.",
    },
    raised: Bi {
        es: "Con una carta para la banca que ya tiene {bank_stands:digits} o más a la vista{bank_hits_soft_17|true= y no es 17 blando|_=}, y al retirar, pagar o terminar el pase con su segunda carta cubierta, o con la banca descubierta y debajo de {bank_stands:digits}{bank_hits_soft_17|true=, o en 17 blando,|_=} y manos en juego.",
        en: "At a card for a bank that already shows {bank_stands:digits} or more{bank_hits_soft_17|true= and no soft 17|_=}, and at collecting, paying or ending the pass with its second card covered, or with the bank uncovered and below {bank_stands:digits}{bank_hits_soft_17|true=, or at a soft 17,|_=} and hands in play.",
    },
    remedy: Bi {
        es: "La carta de más {misdealt|burn=se quema|back=vuelve al mazo|_=la decide la sala}; la que falta se sirve antes de seguir pagando.",
        en: "{misdealt|burn=The card in excess is burned|back=The card in excess goes back to the shoe|_=The room decides on the card in excess}; the one missing is served before any more is paid.",
    },
    settings: &["bank_stands", "bank_draws_against_blackjacks"],
    readings: &[Reading {
        number: 11,
        words: Bi {
            es: "{bank_draws_against_blackjacks|true=La banca pide también cuando sólo quedan Black Jack en juego; sólo C18 la exime.|_=La banca no pide cuando sólo quedan Black Jack en juego.}",
            en: "{bank_draws_against_blackjacks|true=The bank draws also when only Black Jacks are left in play; only C18 spares it.|_=The bank draws no card when only Black Jacks are left in play.}",
        },
    }],
    cases: &[&DREW_BEYOND, &LEFT_BELOW, &LEFT_COVERED],
    on: bank_play::ON,
    cases_needing: &[
        (&DREW_BEYOND, Facts::of(&[Places, Hands])),
        (&LEFT_BELOW, Facts::of(&[Bets, Hands])),
        (&LEFT_COVERED, Facts::of(&[Faces, Turns, Bets, Hands])),
    ],
    check,
    ..Article::enforced(file!())
};

static DREW_BEYOND: Case = Case {
    es: "la banca sacó carta con {bank_stands:digits} o más{bank_hits_soft_17|true= (y no 17 blando)|_=}: {misdealt|burn=se quema|back=vuelve al mazo|_=la decide la sala}",
    en: "the bank drew at {bank_stands:digits} or more{bank_hits_soft_17|true= (and no soft 17)|_=}: {misdealt|burn=the card is burned|back=the card goes back to the shoe|_=the room decides on the card}",
};

static LEFT_BELOW: Case = Case {
    es: "la banca no llegó a {bank_stands:digits}{bank_hits_soft_17|true=, o quedó en 17 blando,|_=} y quedan manos en juego: le falta carta",
    en: "the bank is below {bank_stands:digits}{bank_hits_soft_17|true=, or at a soft 17,|_=} with hands in play: a card is due to it",
};

static LEFT_COVERED: Case = Case {
    es: "se retira, se paga o termina el pase con la segunda carta de la banca cubierta y manos en juego: hay que descubrirla",
    en: "bets are settled, or the pass ends, with the bank's second card covered and hands in play: it must be uncovered",
};

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    if is_left_covered(context) && !findings.knows(&LEFT_COVERED, Place::Bank) {
        findings.raise(&LEFT_COVERED, Place::Bank);
    }
    // money moved while others play is D9
    let is_early = matches!(context.event, Event::Collect { .. } | Event::Pay { .. });
    if !is_early || !context.state.has_unfinished_hands() {
        bank_play::check(&bank_play::Cases { beyond: &DREW_BEYOND, below: &LEFT_BELOW }, context, findings);
    }
}

/// Whether a hand in play is settled, or the pass ends, with every hand finished and the bank's second card covered.
fn is_left_covered(context: &Context<'_>) -> bool {
    let state = context.state;
    let is_settled = match context.event {
        Event::Collect { hand, spot: BetSpot::Main, .. } | Event::Pay { hand, spot: BetSpot::Main, .. } => {
            state.pass.hand(*hand).is_some_and(Hand::is_live)
        }
        Event::End {} => true,
        _ => false,
    };
    let bank = &state.pass.bank;
    is_settled && bank.served == 2 && bank.is_covered() && state.pass.turn().is_none() && {
        state.somebody_is_surely_left()
    }
}
