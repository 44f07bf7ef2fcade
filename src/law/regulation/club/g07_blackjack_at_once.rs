//! G7. A Black Jack is paid at once.

use crate::regulation::prelude::*;
use crate::regulation::shared::bank_play;

pub(super) static ARTICLE: Article = Article {
    id: "G7",
    title: Bi { es: "El Black Jack se paga en el acto", en: "A Black Jack is paid at once" },
    gist: Bi {
        es: "El Black Jack de un jugador se paga en el acto, 3 a 2, salvo que la banca muestre un as o una carta de diez: entonces espera a ver si la banca también lo tiene.",
        en: "A player's Black Jack is paid at once, 3 to 2, unless the bank shows an ace or a ten-value card: then it waits to see whether the bank has one too.",
    },
    raised: Bi {
        es: "Al empezar a jugarse las manos o, si nadie juega, con la segunda carta de la banca, por cada Black Jack sin pagar que la banca ya no puede igualar. Y al pagar un Black Jack antes de la segunda carta de la banca cuando ésta muestra un as o un diez.",
        en: "When the hands begin to be played or, where nobody plays, at the bank's second card, for each unpaid Black Jack that the bank cannot match any more. And when a Black Jack is paid before the bank's second card though the bank shows an ace or a ten.",
    },
    remedy: Bi {
        es: "Pagarlo ya; lo pagado antes de tiempo se retira hasta ver la segunda carta de la banca.",
        en: "Pay it now; what was paid too early is taken back until the bank's second card is seen.",
    },
    settings: &["blackjack_at_once", "blackjack"],
    readings: &[Reading {
        number: 5,
        words: Bi {
            es: "El Black Jack que tuvo que esperar puede pagarse en cuanto la segunda carta de la banca muestra que ésta no lo tiene, sin que la banca termine su mano.",
            en: "A Black Jack that had to wait may be paid as soon as the bank's second card shows that it has none, before the bank completes its hand.",
        },
    }],
    cases: &[&NOT_PAID_AT_ONCE, &PAID_TOO_EARLY],
    on: &[On::Play, On::Card(Role::BankSecond), On::Event(Kind::Pay)],
    needs: Facts::of(&[Bets, Hands]),
    check,
    ..Article::enforced(file!())
};

static NOT_PAID_AT_ONCE: Case = Case {
    es: "el Black Jack del {place} no se pagó en el acto",
    en: "the Black Jack of {place} was not paid at once",
};

static PAID_TOO_EARLY: Case = Case {
    es: "se pagó el Black Jack del {place} cuando la banca aún podía igualarlo",
    en: "the Black Jack of {place} was paid while the bank could still match it",
};

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    if let Some(id) = bank_play::blackjack_too_early(context) {
        findings.raise(&PAID_TOO_EARLY, Place::from(id));
    }
    let state = context.state;
    if !context.settings.pays.blackjack_at_once {
        return;
    }
    // a second card that comes covered is one of the delivery: nothing could be paid before it
    let comes_after_play = !context.settings.bank_is_covered();
    let second = comes_after_play && context.meaning.drawn.is_some_and(|drawn| drawn.role == Role::BankSecond);
    if !(context.meaning.begins_play || second) || state.pass.bank.served > 1 {
        return;
    }
    for (id, hand) in state.pass.hands() {
        let waits = !hand.lost && hand.paid == 0 && hand.collected == 0;
        if waits && state.is_paid_at_once(hand) && !findings.knows(&NOT_PAID_AT_ONCE, Place::from(id)) {
            findings.raise(&NOT_PAID_AT_ONCE, Place::from(id));
        }
    }
}
