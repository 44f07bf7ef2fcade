//! G5. Payment from the right.

use crate::regulation::prelude::*;
use crate::regulation::shared::money;

pub(super) static ARTICLE: Article = Article {
    id: "G5",
    severity: Severity::Notice,
    title: Bi { es: "Se paga desde la derecha", en: "Payment from the right" },
    gist: Bi {
        es: "Terminada la mano de la banca, las apuestas se liquidan una por una, empezando por la derecha del banquero.",
        en: "Once the bank's hand is complete, bets are settled one after the other, beginning at the banker's right.",
    },
    raised: Bi {
        es: "Con la mano de la banca completa, al pagar o retirar una apuesta mientras otra más a la derecha espera su pago o su retirada. Se avisa una vez por apuesta saltada.",
        en: "With the bank's hand complete, when a bet is paid or collected while another further to the right still has its payment or collection to come. Each bet passed over is told once.",
    },
    remedy: Bi { es: "Volver a la apuesta saltada.", en: "Go back to the bet passed over." },
    settings: &["first_box"],
    readings: &[Reading {
        number: 3,
        words: Bi {
            es: "El orden rige desde que la banca tiene su mano completa: lo que se liquida antes (un Black Jack, una mano pasada) se liquida cuando corresponde. Un empate no espera nada.",
            en: "The order holds from when the bank's hand is complete: what is settled before (a Black Jack, a hand over 21) is settled when it is due. A tie waits for nothing.",
        },
    }],
    cases: &[&SETTLED_OUT_OF_ORDER],
    on: &[On::Event(Kind::Pay), On::Event(Kind::Collect)],
    needs: Facts::of(&[Bets, Hands]),
    check,
    ..Article::enforced(file!())
};

static SETTLED_OUT_OF_ORDER: Case = Case {
    es: "se liquidó otra apuesta antes que la del {place}, que está más a la derecha",
    en: "another bet was settled before that of {place}, which lies further to the right",
};

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    if let Some(id) = money::settled_out_of_order(context) {
        findings.raise_once(&SETTLED_OUT_OF_ORDER, Place::from(id));
    }
}
