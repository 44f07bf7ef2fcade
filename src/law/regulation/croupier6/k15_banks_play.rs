//! K15. The bank's play.

use crate::regulation::prelude::*;
use crate::regulation::shared::bank_play;

pub(super) static ARTICLE: Article = Article {
    id: "K15",
    title: Bi { es: "Juego de la banca", en: "The bank's play" },
    gist: Bi {
        es: "El croupier pide con menos de {bank_stands:digits} y se planta con {bank_stands:digits} o más.",
        en: "The dealer draws below {bank_stands:digits} and stands on {bank_stands:digits} or more.",
    },
    raised: Bi {
        es: "Con una carta para la banca que ya tiene {bank_stands:digits} o más, y al retirar, pagar o terminar el pase con la banca debajo de {bank_stands:digits} y una mano que depende de ella.",
        en: "At a card for a bank that already has {bank_stands:digits} or more, and at collecting, paying or ending the pass with the bank below {bank_stands:digits} and a hand that depends on it.",
    },
    remedy: Bi {
        es: "{misdealt|burn=La carta de más se quema|back=La carta de más vuelve al mazo|_=De la carta de más decide la sala (`rule`)}; la que falta se sirve antes de seguir pagando.",
        en: "{misdealt|burn=The card in excess is burned|back=The card in excess goes back|_=The room decides about the card in excess (`rule`)}; the one missing is served before any more is paid.",
    },
    settings: &["bank_stands", "misdealt", "bank_hits_soft_17", "bank_draws_against_blackjacks"],
    readings: &[Reading {
        number: 13,
        words: Bi {
            es: "{bank_hits_soft_17|true=Con {bank_stands:digits} y un as que vale 11 la banca pide.|_=La banca se planta también con {bank_stands:digits} y un as que vale 11.} {bank_draws_against_blackjacks|true=Pide aunque sólo queden Black Jack en juego|_=No pide si sólo quedan Black Jack en juego}; si todas las manos se pasaron, no necesita pedir, y si pide no es falta.",
            en: "{bank_hits_soft_17|true=On {bank_stands:digits} with an ace counting 11 the bank draws.|_=The bank stands also on {bank_stands:digits} with an ace counting 11.} {bank_draws_against_blackjacks|true=It draws even if only Black Jacks are left in play|_=It does not draw if only Black Jacks are left in play}; if every hand is over 21 it need not draw, and drawing is no breach.",
        },
    }],
    cases: &[&DREW_BEYOND, &LEFT_BELOW],
    on: bank_play::ON,
    cases_needing: &[(&DREW_BEYOND, Facts::of(&[Places, Hands]))],
    check,
    ..Article::enforced(file!())
};

static DREW_BEYOND: Case = Case {
    es: "la banca sacó carta con {bank_stands:digits} o más: {misdealt|burn=se quema|back=vuelve al mazo|_=la decide la sala}",
    en: "the bank drew at {bank_stands:digits} or more: the card {misdealt|burn=is burned|back=goes back|_=is for the room to decide}",
};

static LEFT_BELOW: Case = Case {
    es: "la banca no llegó a {bank_stands:digits} y quedan manos en juego: le falta carta",
    en: "the bank is below {bank_stands:digits} with hands in play: a card is due to it",
};

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    // K14 tells of a Black Jack paid while it had to wait, K0 of a pass given up
    if bank_play::blackjack_too_early(context).is_some() || bank_play::is_given_up(context) {
        return;
    }
    bank_play::check(&bank_play::Cases { beyond: &DREW_BEYOND, below: &LEFT_BELOW }, context, findings);
}
