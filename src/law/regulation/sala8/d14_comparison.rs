//! D14. The comparison.

use crate::regulation::prelude::*;
use crate::table::Outcome;

pub(super) static ARTICLE: Article = Article {
    id: "D14",
    title: Bi { es: "Comparación de puntajes", en: "The comparison" },
    gist: Bi {
        es: "Black Jack gana a 21; de 21 para abajo gana el mayor; a igualdad, empate. La banca pasada pierde con toda mano en juego.",
        en: "Black Jack beats 21; from 21 down the higher wins; equal is a tie. A bank over 21 loses to every hand in play.",
    },
    raised: Bi {
        es: "Al pagar una mano que pierde o empata, al retirar una que gana o empata, cuando la sala decide otra cosa que lo ya pagado o retirado, y al fin del pase por cada mano sin saldar. El empate queda saldado sin mover fichas.",
        en: "When a hand is paid that loses or ties, when one is collected that wins or ties, when the room decides otherwise than was paid or collected, and at the end of the pass for each hand not settled. A tie is settled without moving chips.",
    },
    remedy: Bi {
        es: "Corregir las fichas; la cuenta del fin del pase dice lo que correspondía.",
        en: "Put the chips right; the account at the end of the pass says what was owed.",
    },
    readings: &[Reading {
        number: 20,
        words: Bi {
            es: "Al fin del pase cuenta lo pagado menos lo retirado de cada mano: un importe mal dado que se corrige salda su hallazgo, y corregir de más no es otro.",
            en: "At the end what counts is the sum paid less the sum collected for a hand: a wrong amount put right clears its finding, and putting it right by too much is no other.",
        },
    }],
    cases: &[&PAID_WITHOUT_WINNING, &COLLECTED_WITHOUT_LOSING, &RULED_OTHERWISE, &NOT_SETTLED],
    money,
    needs: Facts::of(&[Bets, Hands]),
    ..Article::valuation(file!())
};

static PAID_WITHOUT_WINNING: Case =
    Case { es: "se pagó al {place}, que no gana", en: "{place} was paid though it does not win" };

static COLLECTED_WITHOUT_LOSING: Case = Case {
    es: "se retiró la apuesta del {place}, que no pierde",
    en: "the stake of {place} was collected though it does not lose",
};

static RULED_OTHERWISE: Case = Case {
    es: "lo pagado o retirado en el {place} no es lo que decidió la sala",
    en: "what was paid to {place} or collected there is not what the room decided",
};

static NOT_SETTLED: Case =
    Case { es: "el pase terminó sin saldar el {place}", en: "the pass ended with {place} not settled" };

fn money(context: &Context<'_>, mistake: &Mistake<'_>) -> Option<&'static Case> {
    match (mistake.kind, mistake.owed.outcome) {
        // a surrendered hand is not compared with the bank
        (_, Outcome::Surrender) => None,
        (MistakeKind::Unsettled, _) => Some(&NOT_SETTLED),
        _ if mistake.spot == BetSpot::Insurance => None,
        (MistakeKind::NothingOwed, _) => Some(&PAID_WITHOUT_WINNING),
        // what the room decides on it is done: its difference is due, and nothing is left to decide
        (MistakeKind::NothingLost, Outcome::Void) | (MistakeKind::WrongCollection, _) if is_ruled(context) => {
            Some(&RULED_OTHERWISE)
        }
        (MistakeKind::NothingLost, Outcome::Void) => None,
        (MistakeKind::NothingLost, _) => Some(&COLLECTED_WITHOUT_LOSING),
        (MistakeKind::WrongPayment | MistakeKind::WrongCollection, _) => None,
    }
}

/// Whether it is a ruling that tells what the bet is owed.
const fn is_ruled(context: &Context<'_>) -> bool {
    matches!(context.event, Event::Rule { .. })
}
