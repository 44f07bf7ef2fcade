//! A7. Shares in the bank.

use crate::regulation::prelude::*;
use crate::table::event::Share;
use crate::table::{Cents, Name};

pub(super) static ARTICLE: Article = Article {
    id: "A7",
    title: Bi { es: "Participación en la banca", en: "Shares in the bank" },
    gist: Bi {
        es: "La banca es de todos a partes iguales: cada participante adelanta la misma cantidad, otra vez si queda sin fondos, y al final lo acumulado se reparte por igual.",
        en: "The bank is owned in equal shares: each participant advances the same amount, again when it is out of funds, and at the end what it holds is divided equally.",
    },
    raised: Bi {
        es: "Al adelantar otra cantidad que la primera de la partida; al adelantar de nuevo sin que la banca esté sin fondos; al cerrarse una jugada con un participante que no adelantó; al cerrarse una jugada con la banca en nada o por debajo sin que se la haya repuesto; al repartir una parte que no es la que corresponde; y al empezar otra jugada u otra partida sin nuevos adelantos, o sin haber repartido todo.",
        en: "When another amount is advanced than the session's first; when somebody advances again though the bank is not out of funds; when a play closes with a participant who has not advanced; when a play closes with the bank at nothing or below and not topped up; when a part is given that is not the due one; and when another play or session begins without new advances, or with something undivided.",
    },
    remedy: Bi {
        es: "No hay nada que deshacer: queda asentado y el juego sigue.",
        en: "There is nothing to undo: it is on record and play goes on.",
    },
    readings: &[
        Reading {
            number: 31,
            words: Bi {
                es: "La banca está sin fondos cuando no tiene nada o tiene menos que un pago que ya debe. Entonces adelantan todos; nadie lo hace dos veces por ronda, y quien llega tarde adelanta tantas veces como los demás.",
                en: "The bank is out of funds when it holds nothing, or less than a payment it owes already. Then everybody advances, nobody twice in a round, and who comes late as often as the others have.",
            },
        },
        Reading {
            number: 32,
            words: Bi {
                es: "El reparto es de lo que hay al darse la primera parte, entre los sentados; las partes pueden diferir en una unidad, en cualquier orden, y no queda nada sin repartir.",
                en: "What is divided is what the bank holds when the first part is given, among those seated; the parts may differ by one unit, in any order, and nothing stays undivided.",
            },
        },
    ],
    cases: &[
        &UNEQUAL_ADVANCE,
        &ADVANCED_AGAIN,
        &NO_ADVANCE,
        &NOT_TOPPED_UP,
        &WRONG_DIVIDEND,
        &PLAYED_AFTER_DIVISION,
        &LEFT_UNDIVIDED,
    ],
    on: &[On::Event(Kind::Share), On::Close],
    needs: Facts::of(&[Bets]),
    check,
    ..Article::valuation(file!())
};

static UNEQUAL_ADVANCE: Case = Case {
    es: "un adelanto de otra cantidad que el primero de la partida",
    en: "an advance of another amount than the session's first",
};

static ADVANCED_AGAIN: Case = Case {
    es: "un participante adelantó de nuevo sin que la banca estuviera sin fondos",
    en: "a participant advanced again though the bank was not out of funds",
};

static NO_ADVANCE: Case = Case {
    es: "la jugada empieza sin el adelanto de un participante",
    en: "the play begins without the advance of a participant",
};

static NOT_TOPPED_UP: Case = Case {
    es: "la jugada empieza con la banca sin fondos: no se la repuso",
    en: "the play begins with the bank out of funds: it was not topped up",
};

static LEFT_UNDIVIDED: Case = Case {
    es: "empieza otra partida sin que se haya repartido todo",
    en: "another session begins with something undivided",
};

static WRONG_DIVIDEND: Case =
    Case { es: "la parte repartida no es la que corresponde", en: "the part given is not the one that is due" };

static PLAYED_AFTER_DIVISION: Case = Case {
    es: "se empieza otra jugada después del reparto sin nuevos adelantos",
    en: "another play is begun after the division without new advances",
};

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    let (state, account) = (context.state, &context.state.account);
    match context.event {
        Event::Share { player, what: Share::Advance, amount } => advance(player, *amount, context, findings),
        Event::Share { player, what: Share::Dividend, amount } => {
            if account.share().is_some() && !account.is_unknown() && !state.division().is_due(player, *amount) {
                findings.raise(&WRONG_DIVIDEND, None);
            }
        }
        _ if account.share().is_none() => {}
        _ if account.is_divided() => {
            findings.raise(&PLAYED_AFTER_DIVISION, None);
        }
        _ => {
            let behind = |player: &&Name| account.is_behind(player);
            let participants = state.participants();
            for _ in participants.iter().filter(behind) {
                findings.raise(&NO_ADVANCE, None);
            }
            if account.holds() <= 0
                && !account.is_unknown()
                && !participants.iter().any(|player| account.is_behind(player))
            {
                findings.raise(&NOT_TOPPED_UP, None);
            }
        }
    }
}

fn advance(player: &Name, amount: Cents, context: &Context<'_>, findings: &mut Findings<'_>) {
    let (state, account) = (context.state, &context.state.account);
    if account.is_divided() {
        if account.share().is_some() && state.division().is_incomplete() {
            findings.raise(&LEFT_UNDIVIDED, None);
        }
        return;
    }
    if !state.may_advance(player) {
        findings.raise(&ADVANCED_AGAIN, None);
    } else if account.share().is_some_and(|first| first != amount) {
        findings.raise(&UNEQUAL_ADVANCE, None);
    }
}
