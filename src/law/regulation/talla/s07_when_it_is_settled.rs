//! T-S7. When insurance is settled.

use crate::regulation::prelude::*;

pub(super) static ARTICLE: Article = Article {
    id: "T-S7",
    title: Bi { es: "Cuándo se salda el seguro", en: "When insurance is settled" },
    gist: Bi {
        es: "El seguro se salda cuando la banca se sirve su segunda carta, antes de seguir su juego.",
        en: "Insurance is settled when the bank takes its second card, before it plays on.",
    },
    raised: Bi {
        es: "Al pagar o retirar un seguro antes de esa carta, y con la tercera carta de la banca por cada seguro sin saldar.",
        en: "When insurance is paid or collected before that card, and at the bank's third card for each insurance not settled.",
    },
    remedy: Bi { es: "Saldar el seguro por lo que resultó.", en: "Settle the insurance by how it came out." },
    cases: &[&SETTLED_EARLY, &NOT_SETTLED_IN_TIME],
    on: &[On::Event(Kind::Pay), On::Event(Kind::Collect), On::Card(Role::BankDraw)],
    needs: Facts::of(&[Bets, Hands]),
    check,
    ..Article::enforced(file!())
};

static SETTLED_EARLY: Case = Case {
    es: "el seguro del {place} se saldó antes de la segunda carta de la banca",
    en: "the insurance of {place} was settled before the bank's second card",
};

static NOT_SETTLED_IN_TIME: Case = Case {
    es: "la banca siguió su juego sin saldar el seguro del {place}",
    en: "the bank played on with the insurance of {place} not settled",
};

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    let state = context.state;
    let bank = &state.pass.bank;
    match context.event {
        Event::Pay { hand: id, spot: BetSpot::Insurance, .. }
        | Event::Collect { hand: id, spot: BetSpot::Insurance, .. } => {
            let insured = state.pass.hand(*id).is_some_and(|hand| hand.insurance > 0);
            if insured && bank.served < 2 && !findings.knows(&SETTLED_EARLY, Place::from(*id)) {
                findings.raise(&SETTLED_EARLY, Place::from(*id));
            }
        }
        Event::Draw { .. } if bank.cards.tally().count == 2 => {
            for (id, hand) in state.pass.hands() {
                let open = !hand.is_touched(BetSpot::Insurance);
                if open && state.insurance_owed(hand).known().is_some_and(|owed| owed.net() != 0) {
                    findings.raise(&NOT_SETTLED_IN_TIME, Place::from(id));
                }
            }
        }
        _ => {}
    }
}
