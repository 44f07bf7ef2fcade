//! T-S9. Single pay of a Black Jack.

use super::insurance::{self, WrongInsurance};
use super::payment::{self, WrongPayment};
use crate::procedure::hand::Hand;
use crate::regulation::prelude::*;
use crate::table::event::Choice;

pub(super) static ARTICLE: Article = Article {
    id: "T-S9",
    title: Bi { es: "Pago sencillo del Black Jack", en: "Single pay of a Black Jack" },
    gist: Bi {
        es: "Quien tiene Black Jack ante un as de la banca puede cobrar en pago sencillo antes de la segunda carta de ésta, o poner seguro y esperarla.",
        en: "Who has a Black Jack against the bank's ace may be paid single before its second card, or put insurance and wait for that.",
    },
    raised: Bi {
        es: "Al pedir pago sencillo sin Black Jack a la vista, sin un as de la banca o después de su segunda carta; al tomarlo junto con el seguro; al pagarlo por otro importe que el de la apuesta o retirarla; y al fin del pase si quedó sin pagar.",
        en: "When single pay is asked for without a Black Jack to be seen, without an ace of the bank, or after its second card; when it is taken together with insurance; when anything but the stake is paid, or that is collected; and at the end of the pass if it was not paid.",
    },
    remedy: Bi {
        es: "El pedido no vale y la mano sigue en juego; el seguro puesto además se devuelve; completar o devolver la diferencia.",
        en: "The word does not count and the hand stays in play; insurance put besides is returned; make good or give back the difference.",
    },
    settings: &["even_money"],
    readings: &[Reading {
        number: 9,
        words: Bi {
            es: "El pago sencillo se pide en cualquier momento desde que se ve el as y hasta la segunda carta de la banca; pedido, la mano queda fuera de juego cualquiera sea esa carta.",
            en: "Single pay may be asked for at any time from when the ace is seen to the bank's second card; once asked for, the hand is out of play whatever that card is.",
        },
    }],
    cases: &[&NO_BLACKJACK, &BANK_SHOWS_NO_ACE, &WITH_INSURANCE, &SETTLED_WRONGLY, &NOT_PAID],
    on: on![&[On::Decide(Choice::EvenMoney)], insurance::ON],
    needs: Facts::of(&[Decisions, Hands]),
    cases_needing: &[
        (&WITH_INSURANCE, Facts::of(&[Decisions, Bets, Hands])),
        (&SETTLED_WRONGLY, Facts::of(&[Bets, Decisions, Hands])),
        (&NOT_PAID, Facts::of(&[Bets, Decisions, Hands])),
    ],
    check,
    money,
    ..Article::enforced(file!())
};

static NO_BLACKJACK: Case = Case {
    es: "no corresponde pago sencillo en el {place}: no tiene Black Jack",
    en: "{place} may not be paid single: it has no Black Jack",
};

static BANK_SHOWS_NO_ACE: Case = Case {
    es: "no corresponde pago sencillo en el {place}: la banca no muestra un as, o ya tiene su segunda carta",
    en: "{place} may not be paid single: the bank shows no ace, or has its second card",
};

static WITH_INSURANCE: Case = Case {
    es: "el {place} no puede tener a la vez pago sencillo y seguro",
    en: "{place} may not have single pay and insurance at once",
};

static SETTLED_WRONGLY: Case =
    Case { es: "mal saldado el pago sencillo del {place}", en: "the single pay of {place} was settled wrongly" };

static NOT_PAID: Case = Case {
    es: "el pase terminó sin hacer el pago sencillo del {place}",
    en: "the pass ended with the single pay of {place} not made",
};

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    insurance::check(&[(WrongInsurance::WithInsurance, &WITH_INSURANCE)], context, findings);
    let state = context.state;
    let Event::Decide { hand: id, choice: Choice::EvenMoney, by } = context.event else { return };
    let hand = state.pass.hand(*id);
    let decided = hand.is_some_and(|hand| hand.even_money || hand.void);
    if decided || !context.settings.pays.even_money || !state.pass.may_speak(*id, by.as_ref()) {
        return;
    }
    let bank = &state.pass.bank;
    let shows_ace = bank.served == 1 && bank.may_show_ace();
    let may_be_blackjack = |hand: &Hand| hand.is_blackjack() || (hand.count() == 2 && hand.is_unread());
    let case = match hand.filter(|hand| may_be_blackjack(hand) && !hand.split && !hand.is_covered()) {
        None => &NO_BLACKJACK,
        Some(_) if !shows_ace => &BANK_SHOWS_NO_ACE,
        Some(hand) if hand.insurance > 0 => &WITH_INSURANCE,
        Some(_) => return,
    };
    findings.raise(case, Place::from(*id)).no_effect();
}

fn money(context: &Context<'_>, mistake: &Mistake<'_>) -> Option<&'static Case> {
    payment::case(
        &[(WrongPayment::SinglePaySettledWrongly, &SETTLED_WRONGLY), (WrongPayment::SinglePayNotPaid, &NOT_PAID)],
        context,
        mistake,
    )
}
