//! C3. Late bets.

use crate::procedure::betting_box::Standing;
use crate::regulation::prelude::*;

pub(super) static ARTICLE: Article = Article {
    id: "C3",
    title: Bi { es: "Apuestas tardías", en: "Late bets" },
    gist: Bi {
        es: "No se admite ninguna apuesta una vez extraída la primera carta.",
        en: "No bet is taken once the first card has been drawn.",
    },
    raised: Bi {
        es: "Con fichas en un casillero vacío después de la primera carta del pase, también en el que quedó vacío al retirarse o anularse su apuesta.",
        en: "At chips on an empty box after the first card of the pass, also on one emptied because its bet was withdrawn or void.",
    },
    remedy: Bi { es: "Devolverlas: no juegan.", en: "Return them: they do not play." },
    readings: &[Reading {
        number: 28,
        words: Bi {
            es: "La apuesta tardía que queda en el paño es nula en la cuenta del pase.",
            en: "A late bet left lying is void in the pass's account.",
        },
    }],
    cases: &[&LATE_BET],
    on: &[On::Bet(BetSpot::Main)],
    needs: Facts::of(&[Bets]),
    check,
    ..Article::enforced(file!())
};

static LATE_BET: Case = Case {
    es: "apuesta en el {place} después de la primera carta: se devuelve",
    en: "a bet on {place} after the first card: it is returned",
};

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    let Event::Bet { hand, spot: BetSpot::Main, amount, .. } = context.event else { return };
    let pass = &context.state.pass;
    // the spot of a bet that was withdrawn or is void is as empty as one that nobody bet on, or of a hand that is none
    let is_free = pass.betting_box(hand.box_no).is_some_and(|b| b.standing != Standing::In)
        || pass.hand(*hand).is_none_or(|hand| hand.void);
    if pass.is_dealt() && *amount > 0 && is_free && pass.lies_on(*hand, BetSpot::Main) == 0 {
        findings.raise(&LATE_BET, Place::from(*hand)).give_back(*hand, BetSpot::Main, 0).no_effect();
    }
}
