//! G17. Shuffle and cut.

use crate::procedure::pass::Milestone;
use crate::regulation::prelude::*;
use crate::table::Name;

pub(super) static ARTICLE: Article = Article {
    id: "G17",
    title: Bi { es: "Mezcla y corte", en: "Shuffle and cut" },
    gist: Bi {
        es: "Antes de jugar el banquero mezcla y ofrece el corte a quien le habría tocado la carta de corte en la última jugada; en su defecto, a quien está a su izquierda. La carta de corte se coloca entre las últimas y, cuando sale, obliga a mezclar de nuevo.",
        en: "Before play the banker shuffles and offers the cut to whoever would have got the cut card in the last play, or failing him to whoever sits at his left. The cut card goes among the last cards and, when it comes out, the cards must be shuffled again.",
    },
    raised: Bi {
        es: "Al ofrecer el corte a otro que a quien le corresponde; al ofrecerlo por segunda vez a otro que al de la izquierda del banquero; al cortar alguien a quien no se le ofreció; al armar el mazo sin corte; y al cerrarse las apuestas de una jugada sin haber mezclado, con la carta de corte afuera desde antes.",
        en: "When the cut is offered to another than it falls to; when it is offered a second time to another than sits at the banker's left; when somebody cuts to whom it was not offered; when the shoe is loaded without a cut; and when the bets of a play close without a shuffle though the cut card was out before.",
    },
    remedy: Bi {
        es: "No hay nada que deshacer: queda asentado y el juego sigue.",
        en: "There is nothing to undo: it is on record and play goes on.",
    },
    settings: &["cards_run_out"],
    readings: &[
        Reading {
            number: 18,
            words: Bi {
                es: "Si a nadie le habría tocado la carta de corte, si le habría tocado a la banca, o si ese jugador se levantó o pasó a ejercer de banquero, el corte se ofrece al de la izquierda del banquero: el asiento ocupado más bajo que no sea el suyo. Mientras no se sepa quién ejerce de banquero, eso no se juzga.",
                en: "Where nobody would have got the cut card, or the bank would have, or where that player has left or now banks, the cut is offered to whoever sits at the banker's left: the lowest occupied seat that is not his own. As long as nobody is known to bank this is not judged.",
            },
        },
        Reading {
            number: 19,
            words: Bi {
                es: "Quien no acepta el corte lo deja al de la izquierda del banquero; si éste tampoco lo acepta, el texto no dice más y cualquiera puede cortar.",
                en: "Who declines the cut leaves it to whoever sits at the banker's left; where he declines it too the text says no more, and anybody may cut.",
            },
        },
    ],
    cases: &[&OFFERED_TO_WRONG_PLAYER, &NOT_OFFERED_AT_LEFT, &CUT_WITHOUT_OFFER, &LOADED_WITHOUT_CUT, &NOT_SHUFFLED],
    on: &[On::Event(Kind::OfferCut), On::Event(Kind::Cut), On::Event(Kind::Load), On::Close],
    needs: Facts::NONE,
    cases_needing: &[
        (&OFFERED_TO_WRONG_PLAYER, Facts::of(&[Bets, Decisions, Hands, CutCard, Asks, Offers])),
        (&NOT_OFFERED_AT_LEFT, Facts::of(&[Bets, Decisions, Hands, CutCard, Asks, Offers])),
        (&CUT_WITHOUT_OFFER, Facts::of(&[Asks, Offers])),
        (&LOADED_WITHOUT_CUT, Facts::of(&[Shuffles])),
        (&NOT_SHUFFLED, Facts::of(&[Shuffles])),
    ],
    check,
    ..Article::enforced(file!())
};

static OFFERED_TO_WRONG_PLAYER: Case = Case {
    es: "el corte no se ofreció primero a quien le corresponde",
    en: "the cut was not first offered to the player it falls to",
};

static NOT_OFFERED_AT_LEFT: Case = Case {
    es: "rechazado el corte, no se ofreció al jugador situado a la izquierda del banquero",
    en: "the cut, once declined, was not offered to the player at the banker's left",
};

static CUT_WITHOUT_OFFER: Case = Case {
    es: "cortó un jugador a quien no se le había ofrecido el corte",
    en: "a player cut to whom the cut had not been offered",
};

static LOADED_WITHOUT_CUT: Case =
    Case { es: "se armó el mazo sin que nadie cortara", en: "the shoe was loaded without a cut" };

static NOT_SHUFFLED: Case = Case {
    es: "se empieza otra jugada sin mezclar, con la carta de corte ya afuera",
    en: "another play is begun without a shuffle, with the cut card already out",
};

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    let state = context.state;
    let case = match context.event {
        // the offer of a shuffle before the log began is not in the log
        Event::OfferCut { player } if state.supply.shuffled().is_some() => misplaced_offer(context, player),
        Event::Cut { by, .. } if state.supply.shuffled().is_some() && !state.supply.cut_offered().contains(by) => {
            Some(&CUT_WITHOUT_OFFER)
        }
        Event::Load { .. } if !state.supply.is_cut() && state.supply.has_cards() => Some(&LOADED_WITHOUT_CUT),
        _ if context.meaning.closes => {
            let is_over = state.pass.has(Milestone::BegunAfterCutCard) && state.supply.shoe_is_over();
            is_over.then_some(&NOT_SHUFFLED)
        }
        _ => None,
    };
    if let Some(case) = case {
        findings.raise(case, None);
    }
}

/// What is wrong with an offer of the cut. The first goes to one player, the second to another; an offer that puts the
/// first right is not wrong.
fn misplaced_offer(context: &Context<'_>, player: &Name) -> Option<&'static Case> {
    let state = context.state;
    let (first, left) = (state.cut_falls_to()?, state.at_bankers_left());
    match state.supply.cut_offered() {
        [] => (player != first).then_some(&OFFERED_TO_WRONG_PLAYER),
        [offered] if Some(offered) != left => {
            let puts_right = offered != first && player == first;
            (!puts_right && Some(player) != left).then_some(&NOT_OFFERED_AT_LEFT)
        }
        _ => None,
    }
}
