//! A4. Turns of the bank.

use crate::regulation::prelude::*;
use crate::table::Name;
use crate::table::event::BankChange;

pub(super) static ARTICLE: Article = Article {
    id: "A4",
    title: Bi { es: "Turno de la banca", en: "Turns of the bank" },
    gist: Bi {
        es: "Todos ejercen de banquero por turno, en sentido antihorario, y se relevan cada vez que hay que mezclar; la partida acaba con la ronda.",
        en: "Everybody banks in turn, counter-clockwise, and hands over whenever the cards must be shuffled; the session ends with the round.",
    },
    raised: Bi {
        es: "Cuando la banca pasa a otro que al siguiente, a quien ya la tuvo en la partida, por otra causa que el turno, en medio de una jugada o antes de que haya que mezclar; y al cerrarse la primera jugada de un mazo nuevo con el banquero del anterior.",
        en: "When the bank passes to another than the next player, to one who has had it in the session, for any other cause than the turn, in the middle of a play or before the cards must be shuffled; and when the first play of a new shoe closes with the banker of the one before.",
    },
    remedy: Bi {
        es: "La banca va a quien corresponde. Lo que no es turno no la cambia de manos; quien la toma a destiempo ejerce, y de él se sigue contando.",
        en: "The bank goes to whose turn it is. What is no turn does not move it; who takes it out of time banks, and the round is counted on from him.",
    },
    settings: &["banker"],
    readings: &[
        Reading {
            number: 27,
            words: Bi {
                es: "El siguiente en sentido antihorario es el asiento ocupado inmediatamente inferior y, tras el más bajo, el más alto. El primer banquero puede ser cualquiera.",
                en: "The next counter-clockwise is the next lower occupied seat and, after the lowest, the highest. The first banker may be anyone.",
            },
        },
        Reading {
            number: 28,
            words: Bi {
                es: "Hay que mezclar cuando sale la carta de corte o se agota el mazo; la banca pasa entre esa jugada y la primera del mazo nuevo. Al repartirse la banca acaba la partida y con ella la ronda.",
                en: "The cards must be shuffled when the cut card comes out or the shoe runs out; the bank passes between that play and the first of the new shoe. When the bank is divided the session ends, and the round with it.",
            },
        },
    ],
    cases: &[&NOT_NEXT, &HAS_BANKED, &NOT_BY_TURN, &BEFORE_SHUFFLE, &BANKER_NOT_RELIEVED],
    on: &[On::Event(Kind::Bank), On::Close],
    needs: Facts::NONE,
    cases_needing: &[(&BEFORE_SHUFFLE, Facts::of(&[Shuffles, Shoe]))],
    check,
    ..Article::enforced(file!())
};

static NOT_NEXT: Case = Case {
    es: "la banca no pasó al siguiente en sentido antihorario",
    en: "the bank did not pass to the next player counter-clockwise",
};

static HAS_BANKED: Case = Case {
    es: "la banca pasó a quien ya la tuvo: la ronda ha terminado",
    en: "the bank passed to a player who has had it: the round is over",
};

static NOT_BY_TURN: Case = Case { es: "la banca sólo pasa por turno", en: "the bank passes by turn alone" };

static BEFORE_SHUFFLE: Case = Case {
    es: "la banca pasó en medio de una jugada o antes de que hubiera que mezclar",
    en: "the bank passed in the middle of a play, or before the cards had to be shuffled",
};

static BANKER_NOT_RELIEVED: Case = Case {
    es: "se empieza un mazo nuevo sin relevar al banquero",
    en: "a new shoe is begun without relieving the banker",
};

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    match context.event {
        Event::Bank { how: BankChange::Turn, player, .. } => {
            // a player who took the bank out of turn is the banker all the same
            if let Some(case) = player.as_ref().and_then(|player| wrong_turn(player, context)) {
                findings.raise(case, None);
            }
        }
        Event::Bank { .. } => {
            findings.raise(&NOT_BY_TURN, None).no_effect();
        }
        _ => {
            let (state, bankers) = (context.state, &context.state.bankers);
            let begins = state.supply.shoe().is_some_and(|shoe| !shoe.is_over());
            if begins && bankers.turn_is_due() && bankers.banker().is_some() {
                findings.raise(&BANKER_NOT_RELIEVED, None);
            }
        }
    }
}

fn wrong_turn(player: &Name, context: &Context<'_>) -> Option<&'static Case> {
    let (state, bankers) = (context.state, &context.state.bankers);
    let next = bankers.banker().map(|last| state.seating.banks_after(last));
    match next {
        _ if state.pass.is_dealt() => Some(&BEFORE_SHUFFLE),
        Some(_) if !bankers.turn_is_due() => Some(&BEFORE_SHUFFLE),
        _ if bankers.has_banked(player) => Some(&HAS_BANKED),
        Some(Some(next)) if next != player => Some(&NOT_NEXT),
        _ => None,
    }
}
