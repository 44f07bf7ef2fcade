//! G21. Completing a play.

use crate::regulation::prelude::*;

pub(super) static ARTICLE: Article = Article {
    id: "G21",
    title: Bi { es: "La jugada se completa", en: "A play is completed" },
    gist: Bi {
        es: "La jugada iniciada se completa aunque salga la carta de corte. Si las cartas no alcanzan, se mezclan las ya retiradas, se cortan, y con ellas se completa.",
        en: "A play once begun is completed though the cut card comes out. If the cards do not suffice, those already retired are shuffled and cut, and it is completed with them.",
    },
    raised: Bi {
        es: "Al mezclar en medio de una jugada sin que el mazo se haya agotado; al mezclar entonces otras cartas que las retiradas; y cuando, agotado el mazo, la jugada termina o se arma otro mazo mientras falta una carta, sin haber mezclado las retiradas.",
        en: "When cards are shuffled in the middle of a play though the shoe has not run empty; when other cards than those retired are then shuffled; and when, the shoe being empty, the play ends or another shoe is loaded with a card still due, without the retired ones having been shuffled.",
    },
    remedy: Bi {
        es: "Mezclar las cartas retiradas, ofrecer el corte y completar la jugada. Las apuestas que queden sin saldar se señalan aparte (G19).",
        en: "Shuffle the retired cards, offer the cut and complete the play. Bets left unsettled are told separately (G19).",
    },
    settings: &["cards_run_out"],
    readings: &[
        Reading {
            number: 21,
            words: Bi {
                es: "El mazo se tiene por agotado cuando el sabot lo comunica (`device`, `empty`), o salieron todas las cartas con que se armó, y mientras no salga otra. Las retiradas son las que fueron al descarte desde que se armó el mazo.",
                en: "The shoe counts as run out when it reports so (`device`, `empty`), or all the cards that it was loaded with have come out, and until another does. The retired cards are those that went to the discard tray since it was loaded.",
            },
        },
        Reading {
            number: 22,
            words: Bi {
                es: "Las cartas mezcladas para completar una jugada no sirven para otra: antes de la siguiente se mezclan todas (G17) y la banca pasa (A4).",
                en: "Cards shuffled to complete a play do not serve for another: before the next all are shuffled (G17) and the bank passes on (A4).",
            },
        },
    ],
    cases: &[&SHUFFLED_TOO_EARLY, &OTHER_CARDS_SHUFFLED, &NOT_COMPLETED],
    on: &[On::Event(Kind::Shuffle), On::Event(Kind::Load), On::Event(Kind::End)],
    needs: Facts::of(&[Shuffles]),
    cases_needing: &[
        (&OTHER_CARDS_SHUFFLED, Facts::of(&[Moves, Shuffles, Hands, Retired])),
        (&NOT_COMPLETED, Facts::HANDS),
    ],
    check,
    ..Article::enforced(file!())
};

static SHUFFLED_TOO_EARLY: Case = Case {
    es: "se mezcló en medio de una jugada sin que el mazo se hubiera agotado",
    en: "cards were shuffled in the middle of a play though the shoe was not empty",
};

static OTHER_CARDS_SHUFFLED: Case =
    Case { es: "las cartas mezcladas no son las retiradas", en: "the cards shuffled are not those retired" };

static NOT_COMPLETED: Case = Case {
    es: "la jugada no se completó: se agotó el mazo y no se mezclaron las cartas retiradas",
    en: "the play was not completed: the shoe ran out and the retired cards were not shuffled",
};

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    let state = context.state;
    let case = match context.event {
        _ if !state.pass.is_dealt() => None,
        Event::Shuffle { .. } if !state.supply.has_run_out() => Some(&SHUFFLED_TOO_EARLY),
        Event::Shuffle { cards, .. } => (state.supply.shoe().is_some()
            && u64::from(*cards) != state.supply.discarded())
        .then_some(&OTHER_CARDS_SHUFFLED),
        Event::Load { .. } if state.supply.shuffled().is_none() => {
            Some(if state.supply.has_run_out() { &NOT_COMPLETED } else { &SHUFFLED_TOO_EARLY })
        }
        Event::End {} => (state.supply.has_run_out() && state.card_due().is_some()).then_some(&NOT_COMPLETED),
        _ => None,
    };
    if let Some(case) = case.filter(|case| !findings.knows_anywhere(case)) {
        findings.raise(case, None);
    }
}
