//! T-Q1. Bets before cards.

use crate::procedure::betting_box::Standing;
use crate::regulation::prelude::*;
use crate::regulation::shared::bets;

pub(super) static ARTICLE: Article = Article {
    id: "T-Q1",
    title: Bi { es: "Apuestas antes que cartas", en: "Bets before cards" },
    gist: Bi { es: "Los jugadores apuestan antes de recibir cartas.", en: "Players bet before they get cards." },
    raised: Bi {
        es: "Con una carta sacada sin ninguna apuesta en la mesa, y con fichas en un casillero vacío cuando la banca ya tiene su primera carta.",
        en: "At a card drawn with no bet on the table, and at chips on an empty box once the bank has its first card.",
    },
    remedy: Bi {
        es: "La carta: decide la sala (`rule`). Las fichas: devolverlas, no juegan.",
        en: "The card: the room decides (`rule`). The chips: return them, they do not play.",
    },
    readings: &[Reading {
        number: 17,
        words: Bi {
            es: "Hasta la primera carta de la banca, quien olvidó apostar puede hacerlo por una ficha (T-Q4); después, nadie.",
            en: "Until the bank's first card who forgot to bet may still do so with one chip (T-Q4); after it nobody may.",
        },
    }],
    cases: &[&DRAWN_WITHOUT_BETS, &LATE_BET],
    on: &[On::Event(Kind::Draw), On::Bet(BetSpot::Main)],
    needs: Facts::of(&[Bets]),
    check,
    ..Article::enforced(file!())
};

static DRAWN_WITHOUT_BETS: Case = Case {
    es: "carta sacada sin apuestas en la mesa ({place}): decide la sala",
    en: "a card drawn with no bet on the table ({place}): the room decides",
};

static LATE_BET: Case = Case {
    es: "apuesta en el {place} con la primera entrega terminada: se devuelve",
    en: "a bet on {place} with the first delivery over: it is returned",
};

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    let state = context.state;
    if let Some(drawn) = context.meaning.drawn {
        let no_bet = state.pass.boxes().all(|(_, betting_box)| betting_box.standing == Standing::None);
        if no_bet {
            findings.raise(&DRAWN_WITHOUT_BETS, drawn.place).leave_to_room();
        }
    } else if let Some((id, bets::Late::New)) = bets::change(context)
        && state.pass.is_dealt()
        && !state.takes_forgotten_bet()
    {
        findings.raise(&LATE_BET, Place::from(id)).give_back(id, BetSpot::Main, 0).no_effect();
    }
}
