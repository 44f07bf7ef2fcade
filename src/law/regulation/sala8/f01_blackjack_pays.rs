//! F1. Payment of a Black Jack.

use crate::regulation::prelude::*;
use crate::table::Outcome;

pub(super) static ARTICLE: Article = Article {
    id: "F1",
    title: Bi { es: "Pago del Black Jack", en: "Payment of a Black Jack" },
    gist: Bi {
        es: "El Black Jack del apostador, si la banca no lo tiene, cobra el {blackjack}.",
        en: "A bettor's Black Jack, unless the bank has one too, is paid {blackjack}.",
    },
    raised: Bi {
        es: "Al pagar un Black Jack ganador por otro importe que el {blackjack} de la postura. El de ases abiertos es de O3.",
        en: "When a winning Black Jack is paid anything but {blackjack} of the stake. One on split aces is O3's.",
    },
    remedy: Bi { es: "Completar o retirar la diferencia.", en: "Make good or take back the difference." },
    settings: &["blackjack"],
    cases: &[&BLACKJACK_PAID_WRONGLY],
    money,
    needs: Facts::of(&[Bets, Hands]),
    ..Article::valuation(file!())
};

static BLACKJACK_PAID_WRONGLY: Case =
    Case { es: "mal pago del Black Jack del {place}", en: "the Black Jack of {place} was paid wrongly" };

fn money(_: &Context<'_>, mistake: &Mistake<'_>) -> Option<&'static Case> {
    // D14 tells of one that was not paid at all
    let is_blackjack = mistake.owed.outcome == Outcome::Blackjack && !mistake.hand.is_split_ace();
    is_blackjack.then_some(&BLACKJACK_PAID_WRONGLY)
}
