//! F2. Even payment.

use crate::regulation::prelude::*;
use crate::table::Outcome;

pub(super) static ARTICLE: Article = Article {
    id: "F2",
    title: Bi { es: "Pago simple", en: "Even payment" },
    gist: Bi {
        es: "Un total mejor que el de la banca, o la banca pasada, cobra el 100 %.",
        en: "A better total than the bank's, or a bank over 21, is paid 100 %.",
    },
    raised: Bi {
        es: "Al pagar una mano ganadora que no es Black Jack por otro importe que su postura (la doblada, por las dos).",
        en: "When a winning hand that is no Black Jack is paid anything but its stake (a doubled one, both of them).",
    },
    remedy: Bi { es: "Completar o retirar la diferencia.", en: "Make good or take back the difference." },
    cases: &[&PAID_WRONGLY],
    money,
    needs: Facts::of(&[Bets, Hands]),
    ..Article::valuation(file!())
};

static PAID_WRONGLY: Case = Case { es: "mal pago del {place}", en: "{place} was paid wrongly" };

fn money(_: &Context<'_>, mistake: &Mistake<'_>) -> Option<&'static Case> {
    // D14 tells of one that was not paid at all
    let wins = matches!(mistake.owed.outcome, Outcome::Win | Outcome::Unknown);
    (wins && mistake.spot == BetSpot::Main).then_some(&PAID_WRONGLY)
}
