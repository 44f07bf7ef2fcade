//! C11. Not dealt on to.

use crate::regulation::prelude::*;
use crate::regulation::shared::turns;
use crate::table::event::Taken;

pub(super) static ARTICLE: Article = Article {
    id: "C11",
    title: Bi { es: "No se siguió dando carta", en: "Not dealt on to" },
    gist: Bi {
        es: "El apostador al que se dejó de dar cartas, con la banca ya definida, puede jugar contra la banca vista o retirar su apuesta; si la banca se pasó, cobra.",
        en: "A bettor who was not dealt on to, with the bank already defined, may play against the seen bank or withdraw the bet; if the bank went over, the bet is paid.",
    },
    raised: Bi {
        es: "Con la carta que define a la banca, o al empezar a retirar o pagar con la banca descubierta y definida, por cada mano sin terminar. Descubrir antes de tiempo la segunda carta es sólo C12.",
        en: "At the card that defines the bank, or when collecting or paying begins with the bank uncovered and defined, for each hand unfinished. The second card turned early is C12 alone.",
    },
    remedy: Bi {
        es: "Ofrecer jugar contra la banca vista o retirar la apuesta; si la banca se pasó, la mano cobra.",
        en: "Offer to play against the seen bank or to withdraw the bet; if the bank went over, the hand is paid.",
    },
    readings: &[
        Reading {
            number: 4,
            words: Bi {
                es: "Es la mano sin terminar cuando el total de la banca queda firme por una carta extraída, o cuando con ella firme empieza el pago.",
                en: "It is a hand still unfinished when the bank's total becomes final by a drawn card, or when settlement begins with it final.",
            },
        },
        Reading {
            number: 15,
            words: Bi {
                es: "El apostador retira sólo esa apuesta, con lo puesto para doblar; una apuesta anulada se devuelve entera.",
                en: "The bettor withdraws only that bet, what was put to double included; a void bet is returned whole.",
            },
        },
    ],
    cases: &[&LEFT_UNFINISHED, &LEFT_UNFINISHED_BANK_OVER],
    on: &[On::Card(Role::BankDraw), On::Event(Kind::Collect), On::Event(Kind::Pay)],
    needs: Facts::of(&[Turns, Decisions, Hands]),
    cases_needing: &[(&LEFT_UNFINISHED_BANK_OVER, Facts::of(&[Places, Turns, Decisions, Hands]))],
    check,
    ..Article::enforced(file!())
};

static LEFT_UNFINISHED: Case = Case {
    es: "el {place} quedó sin definir y la banca ya lo está: ofrecerle jugar con la banca vista o retirar la apuesta",
    en: "{place} was left unfinished and the bank is defined: offer play against the seen bank, or withdrawal",
};

static LEFT_UNFINISHED_BANK_OVER: Case = Case {
    es: "el {place} quedó sin definir y la banca se pasó: cobra",
    en: "{place} was left unfinished and the bank went over: it is paid",
};

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    let state = context.state;
    let Some(bank) = defined(context) else { return };
    for id in turns::unfinished(context) {
        let place = Place::from(id);
        let lacks_delivery = state.pass.hands_with(Status::Second).any(|waiting| waiting == id);
        // with a bank over 21, what C4 asks for decides of a box that has one card
        if (bank > 21 && lacks_delivery) || findings.knows_any(place) {
            continue;
        }
        if bank > 21 {
            findings.raise(&LEFT_UNFINISHED_BANK_OVER, place).part(Part::Collect(id)).effect(Effect::Done(id));
        } else {
            findings.raise(&LEFT_UNFINISHED, place).offer(id, [Taken::Play, Taken::Withdraw]);
        }
    }
}

/// What the bank adds up to, where the event makes that final or shows that it is.
fn defined(context: &Context<'_>) -> Option<u8> {
    let state = context.state;
    let bank = &state.pass.bank;
    match context.event {
        Event::Collect { spot: BetSpot::Main, .. } | Event::Pay { spot: BetSpot::Main, .. } => {
            // what another finding asks for begins no settlement
            if state.puts_right(context.event) {
                return None;
            }
            bank.total().filter(|_| state.bank_is_final())
        }
        _ => {
            let drawn = context.meaning.drawn.filter(|drawn| drawn.role == Role::BankDraw && drawn.is_seen())?;
            bank.total_with(drawn.card).filter(|_| bank.must_draw_with(drawn.card) == Some(false))
        }
    }
}
