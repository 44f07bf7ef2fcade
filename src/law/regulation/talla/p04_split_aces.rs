//! T-P4. Split aces.

use super::pairs::refused;
use crate::regulation::prelude::*;
use crate::regulation::shared::split::{self, Reason};
use crate::table::event::Choice;

pub(super) static ARTICLE: Article = Article {
    id: "T-P4",
    title: Bi { es: "Ases abiertos", en: "Split aces" },
    gist: Bi {
        es: "Dos ases pueden abrirse, pero cada uno recibe una sola carta.",
        en: "Two aces may be split, but each gets one card only.",
    },
    raised: Bi {
        es: "Con una carta más para un as abierto que ya tiene la suya, y cuando pide otra{split_aces_again|true=|_=, o se abre de nuevo}.",
        en: "At a further card for a split ace that has its card, and when it asks for another{split_aces_again|true=|_=, or is split again}.",
    },
    remedy: Bi {
        es: "La carta: decide la sala (`rule`). El pedido no tiene efecto.",
        en: "The card: the room decides (`rule`). What was asked for has no effect.",
    },
    settings: &["split_aces_one_card", "split_aces_again", "max_hands"],
    readings: &[Reading {
        number: 16,
        words: Bi {
            es: "El as abierto que recibe otro as {split_aces_again|true=puede abrirse de nuevo, hasta las manos que la talla permite|_=no se abre de nuevo}.",
            en: "A split ace that gets another ace {split_aces_again|true=may be split again, up to the hands the bank allows|_=is not split again}.",
        },
    }],
    cases: &[&CARD_TOO_MANY, &ASKED_FOR_CARD],
    on: on![split::ON, &[On::Card(Role::NotDue), On::Decide(Choice::Hit)]],
    needs: Facts::of(&[Choices, Hands]),
    cases_needing: &[
        (&CARD_TOO_MANY, Facts::of(&[Places, Choices, Hands])),
        (&ASKED_FOR_CARD, Facts::of(&[Decisions, Hands])),
    ],
    check,
    ..Article::enforced(file!())
};

static CARD_TOO_MANY: Case = Case {
    es: "as abierto con una carta de más ({place}): decide la sala",
    en: "a split ace with a card too many ({place}): the room decides",
};

static ASKED_FOR_CARD: Case = Case {
    es: "el {place} es un as abierto y ya tiene su carta: no puede pedir{split_aces_again|true=|_= ni abrirse de nuevo}",
    en: "{place} is a split ace and has its card: it may not ask for another{split_aces_again|true=|_=, nor be split again}",
};

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    if let Some(refused) = refused(Reason::SplitAce, context) {
        refused.raise(&ASKED_FOR_CARD, context, findings);
    }
    let has_its_card =
        |id: HandId| context.state.pass.hand(id).is_some_and(|hand| hand.one_card_only && hand.count() >= 2);
    if let Event::Decide { hand: id, choice: Choice::Hit, .. } = context.event
        && has_its_card(*id)
    {
        findings.raise(&ASKED_FOR_CARD, Place::from(*id)).no_effect();
    }
    if let Some(id) = context.meaning.drawn.and_then(|drawn| drawn.hand())
        && has_its_card(id)
    {
        findings.raise(&CARD_TOO_MANY, Place::from(id)).leave_to_room();
    }
}
