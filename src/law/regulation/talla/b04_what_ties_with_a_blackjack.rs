//! T-B4. What ties with a Black Jack.

use super::payment::{self, WrongPayment};
use crate::regulation::prelude::*;

pub(super) static ARTICLE: Article = Article {
    id: "T-B4",
    title: Bi { es: "Qué empata con un Black Jack", en: "What ties with a Black Jack" },
    gist: Bi {
        es: "Sólo un Black Jack empata con otro: 21 puntos en más cartas pierden ante él.",
        en: "Only a Black Jack ties with another: 21 points in more cards lose to it.",
    },
    raised: Bi {
        es: "Al fin del pase, si ante el Black Jack de la banca no se retiró la apuesta de una mano de 21 (se la tuvo por empate); al retirar un Black Jack ante el 21 en más cartas de la banca; y al pagar o retirar Black Jack contra Black Jack. El de una mano abierta es de T-B9; el asegurado, de T-S10.",
        en: "At the end of the pass, if before the bank's Black Jack the stake of a hand of 21 was not collected (it was taken for a tie); when a Black Jack is collected before the bank's 21 in more cards; and when Black Jack against Black Jack is paid or collected. One on a split hand is T-B9's, an insured one T-S10's.",
    },
    remedy: Bi {
        es: "Corregir las fichas; la cuenta del fin del pase dice lo que correspondía.",
        en: "Put the chips right; the account at the end of the pass says what was owed.",
    },
    cases: &[&LOSER_TAKEN_FOR_TIE, &BLACKJACK_COLLECTED, &TIE_NOT_KEPT],
    money,
    needs: Facts::of(&[Bets, Hands]),
    ..Article::valuation(file!())
};

static LOSER_TAKEN_FOR_TIE: Case = Case {
    es: "el 21 del {place} se tuvo por empate con el Black Jack de la banca: pierde",
    en: "the 21 of {place} was taken for a tie with the bank's Black Jack: it loses",
};

static BLACKJACK_COLLECTED: Case = Case {
    es: "se retiró el Black Jack del {place}, que gana al 21 de la banca",
    en: "the Black Jack of {place} was collected, though it beats the bank's 21",
};

static TIE_NOT_KEPT: Case = Case {
    es: "Black Jack contra Black Jack en el {place}: es empate y no se mueven fichas",
    en: "Black Jack against Black Jack at {place}: it is a tie and no chips move",
};

fn money(context: &Context<'_>, mistake: &Mistake<'_>) -> Option<&'static Case> {
    payment::case(
        &[
            (WrongPayment::BlackjackCollected, &BLACKJACK_COLLECTED),
            (WrongPayment::TieNotKept, &TIE_NOT_KEPT),
            (WrongPayment::LoserTakenForTie, &LOSER_TAKEN_FOR_TIE),
        ],
        context,
        mistake,
    )
}
