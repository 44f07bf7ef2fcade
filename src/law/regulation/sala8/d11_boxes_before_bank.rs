//! D11. Boxes before the bank.

use crate::regulation::prelude::*;

pub(super) static ARTICLE: Article = Article {
    id: "D11",
    title: Bi { es: "Primero los casilleros", en: "Boxes before the bank" },
    gist: Bi {
        es: "Se juegan todas las apuestas, y sólo entonces juega la banca.",
        en: "Every bet is played out, and only then the bank plays.",
    },
    raised: Bi {
        es: "Con una carta para la banca descubierta y debajo de {bank_stands:digits} mientras una mano está sin terminar, si esa carta no la define a la vista. Si la define, es C11; si su segunda carta sigue cubierta, C5; descubrirla antes es C12.",
        en: "At a card for a bank that is uncovered and below {bank_stands:digits} while a hand is unfinished, where that card does not define it for all to see. Where it does, it is C11; with its second card still covered, C5; uncovering that early is C12.",
    },
    remedy: Bi {
        es: "Nada: la carta es de la banca, y se sigue jugando con ella a la vista.",
        en: "Nothing: the card is the bank's, and play goes on with it seen.",
    },
    cases: &[&DREW_EARLY],
    on: &[On::Card(Role::BankDraw)],
    needs: Facts::of(&[Places, Turns, Decisions, Hands]),
    check,
    ..Article::enforced(file!())
};

static DREW_EARLY: Case = Case {
    es: "la banca sacó carta antes de que terminaran todos los casilleros",
    en: "the bank drew a card before every box had played",
};

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    let state = context.state;
    let Some(drawn) = context.meaning.drawn.filter(|drawn| drawn.role == Role::BankDraw) else { return };
    // one that makes the bank's total final for all to see is C11
    let defines = drawn.is_seen() && state.pass.bank.must_draw_with(drawn.card) != Some(true);
    if state.pass.turn().is_some() && !defines {
        findings.raise(&DREW_EARLY, Place::Bank);
    }
}
