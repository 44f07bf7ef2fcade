//! K3. Seated players.

use crate::regulation::prelude::*;
use crate::regulation::shared::bets;
use crate::table::place::MAX_BOXES;

pub(super) static ARTICLE: Article = Article {
    id: "K3",
    title: Bi { es: "Jugadores sentados", en: "Seated players" },
    gist: Bi {
        es: "La mesa admite hasta {max_seated} jugadores, todos sentados: nadie juega de pie.",
        en: "The table takes up to {max_seated} players, all of them seated: nobody plays standing.",
    },
    raised: Bi {
        es: "Cuando apuesta alguien que no está sentado, y cuando se sienta un jugador más que {max_seated}, o alguien en un asiento que la mesa no tiene.",
        en: "When somebody who is not seated bets, and when a player more than {max_seated} sits down, or somebody takes a seat that the table does not have.",
    },
    remedy: Bi {
        es: "La apuesta de quien está de pie se devuelve: no juega. Quien está de más se levanta.",
        en: "The bet of who stands is returned: it does not play. Whoever is one too many gets up.",
    },
    settings: &["max_seated"],
    readings: &[Reading {
        number: 3,
        words: Bi {
            es: "Sólo puede saberse quién está de pie desde que se informó quién se sentó; una apuesta sin nombre es de quien ocupa ese lugar.",
            en: "Who stands can be known only once it has been told who sat down; a bet without a name is that of whoever has the place.",
        },
    }],
    cases: &[&BETTOR_NOT_SEATED, &TOO_MANY_SEATED, &NO_SUCH_SEAT],
    on: &[On::Bet(BetSpot::Main), On::Event(Kind::Seat)],
    needs: Facts::NONE,
    cases_needing: &[(&BETTOR_NOT_SEATED, Facts::of(&[Bets]))],
    check,
    ..Article::enforced(file!())
};

static BETTOR_NOT_SEATED: Case = Case {
    es: "apostó en el {place} alguien que no está sentado: se devuelve",
    en: "a bet on {place} by somebody who is not seated: it is returned",
};

static TOO_MANY_SEATED: Case = Case {
    es: "se sentó un jugador más que los {max_seated} de la mesa",
    en: "a player more than the {max_seated} of the table sat down",
};

static NO_SUCH_SEAT: Case =
    Case { es: "se ocupó un asiento que la mesa no tiene", en: "a seat was taken that the table does not have" };

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    let state = context.state;
    let most = context.settings.seating.max_seated;
    match context.event {
        Event::Bet { hand, amount, player: Some(player), .. }
            if *amount > state.pass.lies_on(*hand, BetSpot::Main)
                || (*amount > 0 && is_returning(context, *hand, BetSpot::Main)) =>
        {
            let of_another = state
                .pass
                .betting_box(hand.box_no)
                .and_then(|b| b.bettor.as_ref())
                .is_some_and(|bettor| bettor != player);
            if !of_another && state.seating.is_told() && state.seating.seat_of(player).is_none() {
                bets::refuse(&BETTOR_NOT_SEATED, *hand, context, findings);
            }
        }
        Event::Seat { seat, .. } if !(1..=most.max(MAX_BOXES)).contains(&usize::from(*seat)) => {
            findings.raise(&NO_SUCH_SEAT, None);
        }
        Event::Seat { player, .. }
            if state.seating.taken().iter().filter(|(_, name)| name != player).count() >= most =>
        {
            findings.raise(&TOO_MANY_SEATED, None);
        }
        _ => {}
    }
}
