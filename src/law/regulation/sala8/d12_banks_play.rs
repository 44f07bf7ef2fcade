//! D12. The bank's play.

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
        es: "Con una carta para la banca que ya tiene {bank_stands:digits} o más a la vista{bank_hits_soft_17|true= y no es 17 blando|_=}, y al retirar, pagar o terminar el pase con la banca debajo de {bank_stands:digits}{bank_hits_soft_17|true=, o en 17 blando,|_=} y manos en juego.",
        en: "At a card for a bank that already shows {bank_stands:digits} or more{bank_hits_soft_17|true= and no soft 17|_=}, and at collecting, paying or ending the pass with the bank below {bank_stands:digits}{bank_hits_soft_17|true=, or at a soft 17,|_=} and hands in play.",
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
    cases: &[&DREW_BEYOND, &LEFT_BELOW],
    on: bank_play::ON,
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

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    bank_play::check(&bank_play::Cases { beyond: &DREW_BEYOND, below: &LEFT_BELOW }, context, findings);
}
