//! O4. Challenge or insurance.

use crate::regulation::prelude::*;
use crate::table::settings::Insured;

pub(super) static ARTICLE: Article = Article {
    id: "O4",
    title: Bi { es: "Desafío o seguro", en: "Challenge or insurance" },
    gist: Bi {
        es: "Quien recibe un as como primera carta puede apostar {insurance_part:part} de su postura a que su segunda carta es un diez o figura: cobra {insurance:odds}, y si no acierta la mano sigue. Abierto un par de ases, el segundo también puede asegurarse.",
        en: "A bettor whose first card is an ace may bet {insurance_part:part} the stake that the second will be a ten-value card: it pays {insurance:odds}, and if it fails the hand goes on. After opening two aces the second may be insured too.",
    },
    raised: Bi {
        es: "Al poner el seguro sin un as como primera carta, después de la segunda carta o por {insurance_may_be_less|true=más que|_=otro importe que} {insurance_part:part} de la postura; y al pagarlo por otro importe que {insurance:times} de lo asegurado, o retirarlo cuando gana.",
        en: "When insurance is put without an ace as first card, after the second card, or for {insurance_may_be_less|true=more than|_=anything but} {insurance_part:part} the stake; and when it is paid anything but {insurance:times} its amount, or collected though it won.",
    },
    remedy: Bi { es: "Devolver el seguro; corregir el pago.", en: "Return the insurance; put the payment right." },
    settings: &["insurance", "insurance_part", "insurance_may_be_less"],
    readings: &[Reading {
        number: 13,
        words: Bi {
            es: "Abiertos dos ases, el segundo se asegura por palabra del apostador: el pagador no tiene que preguntar.",
            en: "After opening two aces the second is insured on the bettor's own word: the dealer need not ask.",
        },
    }],
    cases: &[&MAY_NOT_INSURE, &WRONG_AMOUNT, &PAID_WRONGLY],
    on: &[On::Bet(BetSpot::Insurance)],
    needs: Facts::of(&[Bets, Hands]),
    check,
    money,
    ..Article::enforced(file!())
};

static MAY_NOT_INSURE: Case = Case {
    es: "no corresponde seguro en el {place}: sólo con un as de primera, y antes de la segunda carta",
    en: "{place} may not be insured: only with an ace as first card, and before the second",
};

static WRONG_AMOUNT: Case = Case {
    es: "el seguro del {place} {insurance_may_be_less|true=pasa de|_=no es} {insurance_part:part} de su apuesta",
    en: "the insurance of {place} is {insurance_may_be_less|true=more than|_=not} {insurance_part:part} its stake",
};

static PAID_WRONGLY: Case = Case {
    es: "mal pagado o retirado el seguro del {place}",
    en: "the insurance of {place} was paid or collected wrongly",
};

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    let (state, settings) = (context.state, context.settings);
    let insurable = |id: HandId| {
        let hand = state.pass.hand(id).filter(|_| settings.insurance.when != Insured::Never);
        hand.filter(|hand| !hand.void && hand.may_begin_with_ace() && hand.count() == 1 && (!hand.split || id.hand > 0))
    };
    let Event::Bet { hand: id, spot: BetSpot::Insurance, amount, .. } = context.event else { return };
    // chips told again, or put back as they were, insure nothing more
    if [0, state.pass.lies_on(*id, BetSpot::Insurance), state.pass.counted(*id, BetSpot::Insurance)].contains(amount) {
        return;
    }
    let case = match insurable(*id) {
        None => &MAY_NOT_INSURE,
        Some(hand) if !settings.takes_insurance(*amount, settings.insurance.part.of(hand.stake)) => &WRONG_AMOUNT,
        Some(_) => return,
    };
    findings.refuse_chips(case, context, *id, BetSpot::Insurance, state.pass.counted(*id, BetSpot::Insurance));
}

fn money(_: &Context<'_>, mistake: &Mistake<'_>) -> Option<&'static Case> {
    let is_wrong = mistake.spot == BetSpot::Insurance && mistake.kind != MistakeKind::Unsettled;
    is_wrong.then_some(&PAID_WRONGLY)
}
