//! T-B5. Who moves the bank.

use super::moving::{self, WrongMove};
use crate::regulation::prelude::*;

pub(super) static ARTICLE: Article = Article {
    id: "T-B5",
    title: Bi { es: "Quién mueve la banca", en: "Who moves the bank" },
    gist: Bi {
        es: "El jugador que tuvo Black Jack puede tomar la banca, dejarla a quien la tiene, regalarla, venderla o devolverla al mazo.",
        en: "A player who had a Black Jack may take the bank, leave it where it is, give it away, sell it, or return it to the deck.",
    },
    raised: Bi {
        es: "Cuando mueve la banca quien no tuvo Black Jack en el pase que acaba de terminar, cuando la mueve mientras se reparte o se juega un pase, hasta su último pago, cuando ya renunció a ella u otro usó su derecho, cuando se la hace pasar por turno, y con la primera apuesta de un pase mientras la banca devuelta no se sorteó.",
        en: "When the bank is moved by somebody who had no Black Jack in the pass that has just ended, when it is moved while a pass is dealt or played, up to its last payment, when he has already left it or another has used his right, when it is passed on by turn, and at the first bet of a pass while a bank that was returned has not been drawn for.",
    },
    remedy: Bi {
        es: "La banca no se mueve: sigue donde estaba. La devuelta se sortea.",
        en: "The bank does not move: it stays where it was. One that was returned is drawn for.",
    },
    settings: &["banker"],
    readings: &[
        Reading {
            number: 2,
            words: Bi {
                es: "El derecho nace con el último pago del pase del Black Jack y dura hasta la primera carta del siguiente. Si varios lo tienen, vale el primero que lo usa; quien la deja renuncia sólo por sí.",
                en: "The right begins with the last payment of the pass of the Black Jack and lasts until the first card of the next. Where several have it, the first to use it does; who leaves the bank gives up no more than his own.",
            },
        },
        Reading {
            number: 3,
            words: Bi {
                es: "El Black Jack cobrado en pago sencillo también mueve la banca, salvo que la banca tenga otro.",
                en: "A Black Jack paid single moves the bank too, unless the bank has one as well.",
            },
        },
    ],
    cases: &[&NO_BLACKJACK, &WHILE_DEALING, &ALREADY_USED, &BY_TURN, &NOT_DRAWN_FOR],
    on: on![moving::ON, &[On::Bet(BetSpot::Main)]],
    needs: Facts::of(&[Bets, Hands]),
    cases_needing: &[(&BY_TURN, Facts::NONE)],
    check,
    ..Article::enforced(file!())
};

static NO_BLACKJACK: Case = Case {
    es: "la banca no se mueve: sin Black Jack en el pase que terminó ({place})",
    en: "the bank does not move: no Black Jack in the pass that ended ({place})",
};

static WHILE_DEALING: Case = Case {
    es: "se está jugando un pase: el jugador todavía no puede mover la banca ({place})",
    en: "a pass is being played: the player may not move the bank yet ({place})",
};

static ALREADY_USED: Case = Case {
    es: "la banca no se mueve: ya se renunció a ella u otro usó su derecho ({place})",
    en: "the bank does not move: it was already left, or another has used his right ({place})",
};

static BY_TURN: Case =
    Case { es: "la banca no pasa por turno ({place})", en: "the bank does not pass on by turn ({place})" };

static NOT_DRAWN_FOR: Case = Case {
    es: "empieza un pase sin que se sorteara la banca devuelta",
    en: "a pass begins with the bank that was returned not drawn for",
};

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    moving::check(
        &[
            (WrongMove::ByTurn, &BY_TURN),
            (WrongMove::WhileDealing, &WHILE_DEALING),
            (WrongMove::NoBlackjack, &NO_BLACKJACK),
            (WrongMove::AlreadyUsed, &ALREADY_USED),
        ],
        context,
        findings,
    );
    let state = context.state;
    if let Event::Bet { amount, .. } = context.event
        && *amount > 0
        && !state.pass.is_open()
        && state.bankers.is_returned()
    {
        findings.raise(&NOT_DRAWN_FOR, None);
    }
}
