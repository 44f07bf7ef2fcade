//! G5. Payment from the right.

use crate::regulation::prelude::*;
use crate::regulation::shared::money;

pub(super) static ARTICLE: Article = Article {
    id: "G5",
    title: Bi { es: "Se paga desde la derecha", en: "Payment from the right" },
    gist: Bi {
        es: "Terminada la mano de la banca, las apuestas ganadoras se pagan una por una, empezando por la derecha del banquero.",
        en: "Once the bank's hand is complete, winning bets are paid one after the other, beginning at the banker's right.",
    },
    raised: Bi {
        es: "Con la mano de la banca completa, al pagar una apuesta mientras otra más a la derecha espera su pago. Se señala una vez por apuesta saltada.",
        en: "With the bank's hand complete, when a bet is paid while another further to the right still has its payment to come. Each bet passed over is told once.",
    },
    remedy: Bi { es: "Volver a la apuesta saltada.", en: "Go back to the bet passed over." },
    settings: &["first_box"],
    readings: &[Reading {
        number: 3,
        words: Bi {
            es: "El orden es de los pagos y rige desde que la banca tiene su mano completa: un Black Jack pagado antes se pagó cuando correspondía. Un empate no espera nada, y las apuestas perdidas se retiran en cualquier orden.",
            en: "The order is that of payments and holds from when the bank's hand is complete: a Black Jack paid before was paid when it was due. A tie waits for nothing, and lost bets are collected in any order.",
        },
    }],
    cases: &[&PAID_OUT_OF_ORDER],
    on: &[On::Event(Kind::Pay)],
    needs: Facts::of(&[Bets, Hands]),
    check,
    ..Article::enforced(file!())
};

static PAID_OUT_OF_ORDER: Case = Case {
    es: "se pagó otra apuesta antes que la del {place}, que está más a la derecha",
    en: "another bet was paid before that of {place}, which lies further to the right",
};

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    if let Some(id) = money::settled_out_of_order(context, |owed| owed.net() > 0) {
        findings.raise_once(&PAID_OUT_OF_ORDER, Place::from(id));
    }
}
