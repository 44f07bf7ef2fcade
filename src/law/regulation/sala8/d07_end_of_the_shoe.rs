//! D7. End of the shoe.

use crate::procedure::pass::Milestone;
use crate::regulation::prelude::*;
use crate::table::event::{Choice, Ruling, Taken};
use crate::table::settings::{RunOut, Span};

pub(super) static ARTICLE: Article = Article {
    id: "D7",
    title: Bi { es: "Fin del sabot", en: "End of the shoe" },
    gist: Bi {
        es: "La segunda tarjeta de corte deja detrás {behind_cut_card|[40, 64]=cerca de un mazo|_=de {behind_cut_card:least} a {behind_cut_card:most} cartas} y avisa que llega el último pase. Si aun así las cartas no alcanzan para definirlo, el pase es nulo.",
        en: "The second cut card leaves {behind_cut_card|[40, 64]=about one deck|_={behind_cut_card:least} to {behind_cut_card:most} cards} behind it and announces the last pass. If the cards still do not suffice, the pass is void.",
    },
    raised: Bi {
        es: "Al armar el sabot con menos de {behind_cut_card:least} o más de {behind_cut_card:most} cartas detrás de la tarjeta; al cerrarse las apuestas de un pase que empieza con la tarjeta ya afuera; y cuando el sabot queda vacío y todavía falta una carta.",
        en: "When the shoe is loaded with fewer than {behind_cut_card:least} or more than {behind_cut_card:most} cards behind the card; when the bets close on a pass begun with the cut card already out; and when the shoe is empty while a card is still due.",
    },
    remedy: Bi {
        es: "Sólo en el último caso: anular el pase y devolver todas las posturas. Se da por cumplido en el acto.",
        en: "In the last case only: the pass is void and every bet is returned. It counts as done at once.",
    },
    settings: &["behind_cut_card", "cards_run_out"],
    readings: &[Reading {
        number: 9,
        words: Bi {
            es: "{behind_cut_card|[40, 64]=«aproximadamente un mazo»: |_=}de {behind_cut_card:least} a {behind_cut_card:most} cartas detrás de la tarjeta; las cifras son `behind_cut_card`.",
            en: "{behind_cut_card|[40, 64]=“about one deck”: |_=}{behind_cut_card:least} to {behind_cut_card:most} cards behind the card; the figures are `behind_cut_card`.",
        },
    }],
    cases: &[&CUT_CARD_MISPLACED, &PLAYED_AFTER_CUT_CARD, &CARDS_RUN_OUT],
    on: &[
        On::Event(Kind::Load),
        On::Close,
        On::Event(Kind::Device),
        On::Event(Kind::Reveal),
        On::Event(Kind::Decide),
        On::Event(Kind::Consent),
        On::Event(Kind::Choose),
        On::Event(Kind::Move),
        On::Event(Kind::Rule),
    ],
    needs: Facts::NONE,
    cases_needing: &[(&CARDS_RUN_OUT, Facts::HANDS)],
    check,
    ..Article::enforced(file!())
};

static CUT_CARD_MISPLACED: Case = Case {
    es: "la tarjeta de corte no deja detrás {behind_cut_card|[40, 64]=cerca de un mazo|_=de {behind_cut_card:least} a {behind_cut_card:most} cartas}",
    en: "the cut card does not leave {behind_cut_card|[40, 64]=about one deck|_={behind_cut_card:least} to {behind_cut_card:most} cards} behind it",
};

static PLAYED_AFTER_CUT_CARD: Case = Case {
    es: "se juega otro pase con la tarjeta de corte ya afuera",
    en: "another pass is played with the cut card already out",
};

static CARDS_RUN_OUT: Case = Case {
    es: "no quedan cartas para terminar: el pase es nulo",
    en: "no cards are left to finish with: the pass is void",
};

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    let Span(fewest, most) = context.settings.shoe.behind_cut_card;
    match context.event {
        Event::Load { cut_card, .. } if !(fewest..=most).contains(cut_card) => {
            findings.raise(&CUT_CARD_MISPLACED, None);
        }
        event if event.empties_shoe() && context.state.pass.is_closed() && is_card_due(context) => {
            void_pass(context, findings)
        }
        Event::Reveal { at: Place::Bank, .. } if context.state.supply.is_empty() && context.state.bank_draws_on() => {
            void_pass(context, findings);
        }
        Event::Decide { hand, choice: Choice::Hit | Choice::Double, by } if context.state.supply.is_empty() => {
            let pass = &context.state.pass;
            if pass.turn() == Some(*hand) && pass.may_speak(*hand, by.as_ref()) && !pass.has(Milestone::Void) {
                void_pass(context, findings);
            }
        }
        // a card that is agreed to or chosen, that the bank lost, or that the room has served again, is lacking
        Event::Consent { yes: true, .. } | Event::Choose { option: Taken::NextCard, .. }
            if context.state.supply.is_empty() && context.meaning.offered =>
        {
            void_pass(context, findings);
        }
        Event::Move { from: Place::Bank, to: Place::Discard, .. }
            if context.state.supply.is_empty() && loses_bank_cards(context) =>
        {
            void_pass(context, findings);
        }
        Event::Rule { decision: Ruling::Resume, .. }
            if context.state.supply.is_empty() && findings.serves_again(context.meaning.ruled) =>
        {
            void_pass(context, findings);
        }
        // bets laid while a new shoe is made ready are not played from the old one
        _ if context.meaning.closes
            && context.state.pass.has(Milestone::BegunAfterCutCard)
            && context.state.supply.shoe_is_over() =>
        {
            findings.raise(&PLAYED_AFTER_CUT_CARD, None);
        }
        _ => {}
    }
}

fn void_pass(context: &Context<'_>, findings: &mut Findings<'_>) {
    if context.settings.shoe.cards_run_out != RunOut::Void {
        return;
    }
    let raised = findings.raise(&CARDS_RUN_OUT, None).effect(Effect::PassVoid);
    // one whose bettor has withdrawn is void already
    for (box_no, betting_box) in context.state.pass.boxes_in() {
        if !betting_box.in_play().iter().all(|hand| hand.void) {
            raised.part(Part::Void(HandId::first(box_no)));
        }
    }
}

/// Whether cards are taken that the bank is still to have (C14).
fn loses_bank_cards(context: &Context<'_>) -> bool {
    let pass = &context.state.pass;
    let is_played = pass.is_open() && !pass.has(Milestone::Void);
    is_played && !context.meaning.clearing && context.meaning.removal.due > 0
}

/// Whether a card is still to be served. While its second card is covered the bank may stand; a bettor who is offered
/// to withdraw may do so.
fn is_card_due(context: &Context<'_>) -> bool {
    let state = context.state;
    let may_stand = state.pass.bank.is_covered() && state.pass.bank.owed == 0;
    match state.card_surely_due() {
        Some(Place::Bank) => !(may_stand && state.delivered()),
        Some(Place::Hand(id)) => context.duties.offers(id).next().is_none(),
        due => due.is_some(),
    }
}
