//! F1. Payment of a Black Jack.

use crate::regulation::prelude::*;
use crate::regulation::shared::money;
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
    on: &[On::Event(Kind::Pay)],
    check,
    ..Article::valuation(file!())
};

static BLACKJACK_PAID_WRONGLY: Case =
    Case { es: "mal pago del Black Jack del {place}", en: "the Black Jack of {place} was paid wrongly" };

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    let wrong = money::paid_wrongly(context).filter(|wrong| wrong.owed.outcome == Outcome::Blackjack);
    if let Some(wrong) = wrong.filter(|wrong| !wrong.hand.is_split_ace()) {
        findings.raise(&BLACKJACK_PAID_WRONGLY, wrong.place());
    }
}
