//! D14. The comparison.

use super::o04_challenge;
use crate::procedure::settlement::is_done;
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
        es: "Al pagar una mano que pierde o empata, al retirar una que gana o empata, y al fin del pase por cada mano sin saldar. El empate queda saldado sin mover fichas.",
        en: "When a hand is paid that loses or ties, when one is collected that wins or ties, and at the end of the pass for each hand not settled. A tie is settled without moving chips.",
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
    cases: &[&PAID_WITHOUT_WINNING, &COLLECTED_WITHOUT_LOSING, &NOT_SETTLED],
    on: &[On::Event(Kind::Pay), On::Event(Kind::Collect), On::Event(Kind::End)],
    check,
    ..Article::valuation(file!())
};

static PAID_WITHOUT_WINNING: Case =
    Case { es: "se pagó el {place}, que no gana", en: "{place} was paid though it does not win" };

static COLLECTED_WITHOUT_LOSING: Case = Case {
    es: "se retiró la apuesta del {place}, que no pierde",
    en: "the stake of {place} was collected though it does not lose",
};

static NOT_SETTLED: Case =
    Case { es: "el pase terminó sin saldar el {place}", en: "the pass ended with {place} not settled" };

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    let state = context.state;
    if state.pass.guesses() {
        return;
    }
    match context.event {
        Event::Pay { hand, spot, .. } if *spot != BetSpot::Insurance => {
            let outcome = context.meaning.owed.map(|owed| owed.outcome);
            if matches!(outcome, Some(Outcome::Lose | Outcome::Push)) {
                findings.raise_once(&PAID_WITHOUT_WINNING, Place::from(*hand));
            }
        }
        Event::Collect { hand, spot, .. } if *spot != BetSpot::Insurance => {
            let outcome = context.meaning.owed.map(|owed| owed.outcome);
            if matches!(outcome, Some(Outcome::Win | Outcome::Blackjack | Outcome::Push)) {
                findings.raise_once(&COLLECTED_WITHOUT_LOSING, Place::from(*hand));
            }
        }
        Event::End {} => {
            for (id, hand) in state.pass.hands() {
                let place = Place::from(id);
                // a surrendered hand is not compared with the bank
                let compared = state.owed_as_it_lies(hand).filter(|owed| owed.outcome != Outcome::Surrender);
                let main = compared.is_some_and(|owed| !is_done(owed, hand.paid, hand.collected));
                let insurance = hand.insurance > 0
                    && state
                        .insurance_owed(hand)
                        .is_some_and(|owed| !is_done(owed, hand.insurance_paid, hand.insurance_collected));
                if (main && !findings.knows_any(place))
                    || (insurance && !findings.knows_article(&o04_challenge::ARTICLE, place))
                {
                    findings.raise(&NOT_SETTLED, place);
                }
            }
        }
        _ => {}
    }
}
