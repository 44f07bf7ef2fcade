//! K14. Black Jack against Black Jack.

use super::payment::{self, WrongPayment};
use crate::regulation::prelude::*;
use crate::regulation::shared::bank_play;

pub(super) static ARTICLE: Article = Article {
    id: "K14",
    title: Bi { es: "Black Jack contra Black Jack", en: "Black Jack against Black Jack" },
    gist: Bi {
        es: "Si también la banca tiene Black Jack en sus dos primeras cartas hay empate y nadie gana.",
        en: "If the bank has a Black Jack in its first two cards as well it is a tie and nobody wins.",
    },
    raised: Bi {
        es: "Al pagar o retirar la apuesta de un Black Jack contra el de la banca; y, como aviso, al pagar un Black Jack antes de la segunda carta de la banca cuando ésta muestra un as o un diez.",
        en: "When the bet of a Black Jack against the bank's is paid or collected; and, as a notice, when a Black Jack is paid before the bank's second card though the bank shows an ace or a ten.",
    },
    remedy: Bi {
        es: "Deshacer el pago o la retirada: la apuesta queda del jugador.",
        en: "Undo the payment or the collection: the bet remains the player's.",
    },
    settings: &["blackjack_may_be_early", "blackjack_beats_21"],
    readings: &[Reading {
        number: 17,
        words: Bi {
            es: "Si la banca no muestra as ni diez, no puede empatarle: el Black Jack puede pagarse antes de que la banca juegue.",
            en: "A bank that shows neither ace nor ten cannot tie it: a Black Jack may be paid before the bank plays.",
        },
    }],
    cases: &[&TIE_PAID, &TIE_COLLECTED, &PAID_EARLY],
    case_severities: &[(&PAID_EARLY, Severity::Notice)],
    on: &[On::Event(Kind::Pay)],
    needs: Facts::of(&[Bets, Hands]),
    check,
    money,
    ..Article::valuation(file!())
};

static TIE_PAID: Case =
    Case { es: "se pagó al {place}, que empata con Black Jack", en: "{place} ties with a Black Jack and was paid" };

static TIE_COLLECTED: Case = Case {
    es: "se retiró la apuesta del {place}, que empata con Black Jack",
    en: "{place} ties with a Black Jack and its bet was collected",
};

static PAID_EARLY: Case = Case {
    es: "se pagó el Black Jack del {place} cuando la banca aún podía empatarle",
    en: "the Black Jack of {place} was paid while the bank could still tie it",
};

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    if let Some(id) = bank_play::blackjack_too_early(context) {
        findings.raise(&PAID_EARLY, Place::from(id));
    }
}

fn money(context: &Context<'_>, mistake: &Mistake<'_>) -> Option<&'static Case> {
    payment::case(
        &[(WrongPayment::BlackjackTiePaid, &TIE_PAID), (WrongPayment::BlackjackTieCollected, &TIE_COLLECTED)],
        context,
        mistake,
    )
}
