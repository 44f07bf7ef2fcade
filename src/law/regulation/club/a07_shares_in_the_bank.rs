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
        es: "Al adelantar otra cantidad que la primera de la partida; al adelantar de nuevo sin que la banca esté sin fondos; al cerrarse una jugada con un participante que no adelantó; al pagar más de lo que hay en la banca; al repartir una parte que no es la que corresponde; y al empezar otra jugada, hecho el reparto, sin nuevos adelantos.",
        en: "When another amount is advanced than the session's first; when somebody advances again though the bank is not out of funds; when a play closes with a participant who has not advanced; when more is paid than the bank holds; when a part is given that is not the due one; and when, after the division, another play begins without new advances.",
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
                es: "El reparto es de lo que hay al darse la primera parte, entre los sentados; las unidades que no se pueden dividir van de a una a los primeros desde la derecha.",
                en: "What is divided is what the bank holds when the first part is given, among those seated; units that cannot be divided go one each to the first from the right.",
            },
        },
    ],
    cases: &[
        &UNEQUAL_ADVANCE,
        &ADVANCED_AGAIN,
        &NO_ADVANCE,
        &PAID_BEYOND_BANK,
        &WRONG_DIVIDEND,
        &PLAYED_AFTER_DIVISION,
    ],
    on: &[On::Event(Kind::Share), On::Event(Kind::Pay), On::Close],
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

static PAID_BEYOND_BANK: Case =
    Case { es: "se pagó más de lo que hay en la banca", en: "more was paid than the bank holds" };

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
            if account.share().is_some() && state.division().due_to(player) != *amount {
                findings.raise(&WRONG_DIVIDEND, None);
            }
        }
        Event::Pay { amount, .. } => {
            let is_open = account.share().is_some() && !account.is_divided();
            if is_open && i128::from(*amount) > account.holds() {
                findings.raise(&PAID_BEYOND_BANK, None);
            }
        }
        _ if !context.meaning.closes || account.share().is_none() => {}
        _ if account.is_divided() => {
            findings.raise(&PLAYED_AFTER_DIVISION, None);
        }
        _ => {
            let behind = |player: &&Name| account.is_behind(player);
            for _ in state.participants().iter().filter(behind) {
                findings.raise(&NO_ADVANCE, None);
            }
        }
    }
}

fn advance(player: &Name, amount: Cents, context: &Context<'_>, findings: &mut Findings<'_>) {
    let (state, account) = (context.state, &context.state.account);
    if account.is_divided() {
        return;
    }
    if account.share().is_some_and(|first| first != amount) {
        findings.raise(&UNEQUAL_ADVANCE, None);
    }
    if !state.may_advance(player) && !state.pass.guesses() {
        findings.raise(&ADVANCED_AGAIN, None);
    }
}
