//! T-Q3. Turns.

use crate::regulation::prelude::*;
use crate::regulation::shared::{money, turns};

pub(super) static ARTICLE: Article = Article {
    id: "T-Q3",
    title: Bi { es: "Orden del juego", en: "Turns" },
    gist: Bi {
        es: "El jugador a la derecha del pagador juega primero; se juega, se paga y se retira en orden por la derecha, sin intercalar.",
        en: "The player at the dealer's right plays first; play, payment and collection go round from the right, without skipping.",
    },
    raised: Bi {
        es: "Con una pregunta, decisión o carta para una mano mientras una anterior no terminó (el seguro y el pago sencillo aparte); y, terminada la banca, al pagar o retirar la apuesta de una mano mientras una anterior espera lo suyo.",
        en: "At a question, decision or card for a hand while an earlier one is unfinished (insurance and single pay apart); and, with the bank final, at a payment or collection for a hand while an earlier one still waits for its own.",
    },
    remedy: Bi {
        es: "Volver al orden. El pago fuera de orden es un aviso.",
        en: "Go back to the order. A payment out of order is a notice.",
    },
    settings: &["first_box", "losers_first"],
    readings: &[Reading {
        number: 20,
        words: Bi {
            es: "Lo que se decide antes que la banca juegue (una mano pasada, una rendición, un pago sencillo) puede saldarse enseguida; el orden se mira cuando la banca terminó.",
            en: "What is decided before the bank plays (a hand over 21, a surrender, single pay) may be settled at once; the order is looked at when the bank is final.",
        },
    }],
    cases: &[&PASSED_OVER, &SETTLED_OUT_OF_ORDER],
    on: on![turns::ON, &[On::Event(Kind::Pay), On::Event(Kind::Collect)]],
    check,
    ..Article::enforced(file!())
};

static PASSED_OVER: Case = Case {
    es: "se siguió con otra mano sin que terminara el {place}",
    en: "play went on elsewhere with {place} unfinished",
};

static SETTLED_OUT_OF_ORDER: Case = Case {
    es: "se pagó o retiró otra apuesta antes que la del {place}",
    en: "another bet was paid or collected before that of {place}",
};

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    turns::check(&PASSED_OVER, context, findings);
    if let Some(place) = money::settled_out_of_order(context).map(Place::from)
        && !findings.knows(&SETTLED_OUT_OF_ORDER, place)
    {
        findings.raise(&SETTLED_OUT_OF_ORDER, place).severity(Severity::Notice);
    }
}
