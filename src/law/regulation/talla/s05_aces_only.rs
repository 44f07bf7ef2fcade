//! T-S5. Insurance against an ace only.

use super::insurance::{self, WrongInsurance};
use crate::regulation::prelude::*;

pub(super) static ARTICLE: Article = Article {
    id: "T-S5",
    title: Bi { es: "Seguro sólo ante un as", en: "Insurance against an ace only" },
    gist: Bi {
        es: "Sólo hay seguro cuando la banca muestra un as, no un diez ni una figura.",
        en: "There is insurance only where the bank shows an ace, not a ten or a figure.",
    },
    raised: Bi {
        es: "Al poner un seguro sin que la banca muestre un as.",
        en: "When insurance is put though the bank shows no ace.",
    },
    remedy: Bi { es: "Devolver las fichas del seguro.", en: "Return the insurance chips." },
    cases: &[&NO_ACE],
    on: insurance::ON,
    needs: Facts::of(&[Bets, Hands]),
    check,
    ..Article::enforced(file!())
};

static NO_ACE: Case = Case {
    es: "no corresponde seguro en el {place}: la banca no muestra un as",
    en: "{place} may not be insured: the bank shows no ace",
};

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    insurance::check(&[(WrongInsurance::NoAce, &NO_ACE)], context, findings);
}
