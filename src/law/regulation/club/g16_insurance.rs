//! G16. Insurance.

use crate::procedure::hand::Hand;
use crate::procedure::pass::Milestone;
use crate::regulation::prelude::*;
use crate::table::event::Question;

pub(super) static ARTICLE: Article = Article {
    id: "G16",
    title: Bi { es: "Seguro", en: "Insurance" },
    gist: Bi {
        es: "Si la primera carta de la banca es un as, los jugadores pueden asegurarse contra su Black Jack con hasta la mitad de su apuesta original, antes de que se den más cartas. Si la banca lo obtiene, el seguro se paga 2 a 1; si no, se pierde. La apuesta original sigue su curso.",
        en: "Where the bank's first card is an ace, players may insure against its Black Jack for up to half their original bet, before further cards are dealt. If the bank gets it, insurance is paid 2 to 1; if not, it is lost. The original bet goes its own way.",
    },
    raised: Bi {
        es: "Al poner u ofrecer un seguro sin un as como primera carta de la banca; al ponerlo después de la primera carta de juego o por más de la mitad de la apuesta; al liquidarlo antes de la segunda carta de la banca o mal, y al terminar la jugada sin haberlo liquidado.",
        en: "When insurance is put, or offered, without an ace as the bank's first card; when it is put after the first card of play or for more than half the bet; when it is settled before the bank's second card, or wrongly, and when the play ends with it not settled.",
    },
    remedy: Bi {
        es: "Devolver el seguro que no corresponde; corregir lo pagado o retirado.",
        en: "Return insurance that may not be; put right what was paid or collected.",
    },
    settings: &["insurance_when", "insurance_part", "insurance_may_be_less", "insurance"],
    readings: &[
        Reading {
            number: 12,
            words: Bi {
                es: "Lo que cierra el seguro es la primera carta de juego que se da, no la primera pregunta ni la primera decisión.",
                en: "What closes insurance is the first card of play dealt, not the first question or decision.",
            },
        },
        Reading {
            number: 13,
            words: Bi {
                es: "La apuesta original es la de antes de dividir o doblar; se asegura en el casillero, no en cada mano dividida.",
                en: "The original bet is that before splitting or doubling; the box is insured, not each of its split hands.",
            },
        },
        Reading {
            number: 14,
            words: Bi {
                es: "«En su turno» es la segunda carta de la banca: decide el seguro, que puede liquidarse desde entonces.",
                en: "“In its turn” is the bank's second card: it decides insurance, which may be settled from then on.",
            },
        },
    ],
    cases: &[
        &NO_ACE,
        &OFFERED,
        &LATE,
        &WRONG_STAKE,
        &SETTLED_EARLY,
        &LOSER_PAID,
        &WRONG_AMOUNT,
        &WINNER_COLLECTED,
        &NOT_SETTLED,
    ],
    on: &[
        On::Bet(BetSpot::Insurance),
        On::Event(Kind::Ask),
        On::Event(Kind::Pay),
        On::Event(Kind::Collect),
        On::Event(Kind::End),
    ],
    needs: Facts::of(&[Bets, Hands]),
    cases_needing: &[(&OFFERED, Facts::of(&[Asks, Hands]))],
    check,
    money,
    ..Article::enforced(file!())
};

static NO_ACE: Case = Case {
    es: "no corresponde seguro en el {place}: la primera carta de la banca no es un as",
    en: "{place} may not be insured: the bank's first card is no ace",
};

static OFFERED: Case = Case {
    es: "se ofreció seguro al {place} y la primera carta de la banca no es un as",
    en: "{place} was offered insurance though the bank's first card is no ace",
};

static LATE: Case = Case {
    es: "seguro tardío en el {place}: ya se dieron cartas de juego",
    en: "insurance on {place} is late: cards of play have been dealt",
};

static WRONG_STAKE: Case = Case {
    es: "el seguro del {place} {insurance_may_be_less|true=pasa de|_=no es} {insurance_part:part} de su apuesta",
    en: "the insurance of {place} is {insurance_may_be_less|true=more than|_=not} {insurance_part:part} its bet",
};

static SETTLED_EARLY: Case = Case {
    es: "se liquidó el seguro del {place} antes de la segunda carta de la banca",
    en: "the insurance of {place} was settled before the bank's second card",
};

static LOSER_PAID: Case =
    Case { es: "se pagó el seguro del {place}, que perdía", en: "the insurance of {place} was paid though it lost" };

static WRONG_AMOUNT: Case = Case {
    es: "el seguro del {place} no se liquidó por su importe",
    en: "the insurance of {place} was settled for another amount",
};

static WINNER_COLLECTED: Case = Case {
    es: "se retiró el seguro del {place}, que ganaba",
    en: "the insurance of {place} was collected though it won",
};

static NOT_SETTLED: Case = Case {
    es: "la jugada terminó sin liquidar el seguro del {place}",
    en: "the play ended with the insurance of {place} not settled",
};

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    if let Some((id, case)) = refused(context) {
        let back = context.state.pass.counted(id, BetSpot::Insurance);
        findings.refuse_chips(case, context, id, BetSpot::Insurance, back);
    }
    let bank = &context.state.pass.bank;
    if let Event::Ask { hand, about: Question::Insurance } = context.event
        && context.settings.insures_against_bank()
        && bank.served == 1
        && !bank.may_show_ace()
        && context.state.pass.hand(*hand).is_some_and(|hand| !hand.void)
    {
        findings.raise_once(&OFFERED, Place::from(*hand));
    }
    if !bank.cards.tally().is_unread() {
        undecided(context, findings);
    }
}

/// Insurance put where or when it may not be, and why.
fn refused(context: &Context<'_>) -> Option<(HandId, &'static Case)> {
    let Event::Bet { hand: id, spot: BetSpot::Insurance, amount, .. } = context.event else { return None };
    let state = context.state;
    let is_back = state.pass.counts(*id, BetSpot::Insurance, *amount);
    if *amount == 0 || is_back || *amount == state.pass.lies_on(*id, BetSpot::Insurance) {
        return None;
    }
    let bank = &state.pass.bank;
    let original = if id.hand == 0 { state.pass.hand(*id).filter(|hand| !hand.void) } else { None };
    let most = original.map_or(0, |hand| context.settings.insurance.part.of(hand.stake));
    if !bank.may_show_ace() {
        Some((*id, &NO_ACE))
    } else if state.pass.has(Milestone::CardOfPlay) || bank.served > 1 {
        // one that is lowered then is changed (G18)
        (*amount > state.pass.counted(*id, BetSpot::Insurance)).then_some((*id, &LATE))
    } else if !context.settings.takes_insurance(*amount, most) {
        Some((*id, &WRONG_STAKE))
    } else {
        None
    }
}

/// Insurances settled before the bank's second card decides them, or left because it never came.
fn undecided(context: &Context<'_>, findings: &mut Findings<'_>) {
    let pass = &context.state.pass;
    let is_open = |hand: &Hand| hand.insurance > 0 && hand.insurance_won.is_none() && !hand.void;
    match context.event {
        Event::Pay { hand, spot: BetSpot::Insurance, .. } | Event::Collect { hand, spot: BetSpot::Insurance, .. }
            if pass.hand(*hand).is_some_and(is_open) =>
        {
            findings.raise_once(&SETTLED_EARLY, Place::from(*hand));
        }
        Event::End {} => {
            let left = |hand: &Hand| is_open(hand) && !hand.is_touched(BetSpot::Insurance);
            for (id, _) in pass.hands().filter(|(_, hand)| left(hand)) {
                findings.raise(&NOT_SETTLED, Place::from(id));
            }
        }
        _ => {}
    }
}

fn money(_: &Context<'_>, mistake: &Mistake<'_>) -> Option<&'static Case> {
    let case = match mistake.kind {
        MistakeKind::NothingOwed => &LOSER_PAID,
        MistakeKind::WrongPayment | MistakeKind::WrongCollection => &WRONG_AMOUNT,
        MistakeKind::NothingLost => &WINNER_COLLECTED,
        MistakeKind::Unsettled => &NOT_SETTLED,
    };
    (mistake.spot == BetSpot::Insurance).then_some(case)
}
