//! What has to be done about a finding, in words for people: Spanish and English.

use alloc::format;
use alloc::string::{String, ToString};

use super::answer::{Lang, Outcome, Remedy, Settle};
use super::event::{Permit, Taken};
use super::felt::Words;
use super::{BetSpot, Cents, HandId, Place};

impl Words {
    /// The words in one language.
    #[must_use]
    pub fn get(&self, lang: Lang) -> &str {
        match lang {
            Lang::Es => &self.es,
            Lang::En => &self.en,
        }
    }

    pub(crate) fn new(es: impl Into<String>, en: impl Into<String>) -> Self {
        Self { es: es.into(), en: en.into() }
    }
}

/// A place by its name: "casillero 2", "box 2"; "banca", "bank".
#[must_use]
pub fn place(place: Place) -> Words {
    match place {
        Place::Hand(hand) => Words::new(format!("casillero {hand}"), format!("box {hand}")),
        Place::Bank => Words::new("banca", "bank"),
        Place::Burn => Words::new("cartas quemadas", "burn tray"),
        Place::Discard => Words::new("zambullo", "discard tray"),
        Place::Shoe => Words::new("sabot", "shoe"),
    }
}

/// A device by its name, as a sentence begins with it or goes on: "el sabot", "the shoe".
#[must_use]
pub fn device(name: &str, lang: Lang) -> String {
    let (es, en) = match name {
        "shoe" => ("el sabot", "the shoe"),
        "chips" => ("el lector de fichas", "the chip reader"),
        "keypad" => ("el teclado", "the keypad"),
        "shuffler" => ("la mezcladora", "the shuffler"),
        other => (other, other),
    };
    Words::new(es, en).get(lang).to_string()
}

/// One part of a remedy as an instruction: "quemar 3 cartas del casillero 2", "burn 3 cards of box 2".
#[must_use]
pub fn remedy(remedy: &Remedy) -> Words {
    match *remedy {
        Remedy::Burn { place: from, cards } => {
            let (cartas, plural) = if cards == 1 { ("carta", "card") } else { ("cartas", "cards") };
            let es = format!("quemar {cards} {cartas} {}", of(from));
            Words::new(es, format!("burn {cards} {plural} of {}", the(from)))
        }
        Remedy::PutBack { place: from, cards } => {
            let (cartas, su, plural, its) = match cards {
                1 => ("carta", "su posición", "card", "its place"),
                _ => ("cartas", "sus posiciones", "cards", "their places"),
            };
            let es = format!("devolver al mazo {cards} {cartas} {}, en {su}", of(from));
            Words::new(es, format!("put {cards} {plural} of {} back into the shoe in {its}", the(from)))
        }
        Remedy::VoidBet { hand } => {
            let es = format!("dejar sin efecto la apuesta del casillero {hand}");
            Words::new(es, format!("void the bet of box {hand}"))
        }
        Remedy::ReturnBet { hand, spot } => {
            let (es, en) = match spot {
                BetSpot::Main => ("la apuesta del", "the bet of"),
                BetSpot::Double => ("lo puesto para doblar en el", "what was put to double"),
                BetSpot::Split => ("lo puesto para abrir el", "what was put to split"),
                BetSpot::Insurance => ("el seguro del", "the insurance of"),
            };
            Words::new(format!("devolver {es} casillero {hand}"), format!("return {en} box {hand}"))
        }
        Remedy::Serve { to } => Words::new(format!("dar carta {}", toward(to)), format!("deal a card to {}", the(to))),
        Remedy::Authorize { what } => {
            let what = permit(what);
            Words::new(
                format!("pedir al inspector que autorice: {}", what.es),
                format!("ask the inspector to authorise: {}", what.en),
            )
        }
        Remedy::Announce { what } => {
            let what = permit(what);
            Words::new(format!("anunciar: {}", what.es), format!("announce: {}", what.en))
        }
        Remedy::AskConsent { hand } => Words::new(
            format!("preguntar al casillero {hand} si acepta completar la entrega"),
            format!("ask box {hand} whether the delivery may be completed"),
        ),
        Remedy::Offer { hand, options } => {
            let [first, second] = options.map(taken);
            Words::new(
                format!("ofrecer al casillero {hand}: {} o {}", first.es, second.es),
                format!("offer box {hand}: {} or {}", first.en, second.en),
            )
        }
        Remedy::Collect { hand, amount: Some(amount), spot } => taken_back(hand, spot, amount),
        Remedy::Pay { hand, amount, spot } => paid(hand, spot, amount),
        Remedy::Identify { place } => {
            Words::new(format!("decir qué carta es la {}", of(place)), format!("say which card lies at {}", the(place)))
        }
        Remedy::Collect { hand, amount: None, .. } => {
            Words::new(format!("pagar ya al casillero {hand}"), format!("pay box {hand} at once"))
        }
        Remedy::Rule => Words::new("decide la autoridad de la sala", "the room decides"),
    }
}

fn taken_back(hand: HandId, spot: BetSpot, amount: Cents) -> Words {
    let Words { es, en } = money(amount);
    match spot {
        BetSpot::Insurance => Words::new(
            format!("retirar {es} del seguro del casillero {hand}"),
            format!("take {en} back from the insurance of box {hand}"),
        ),
        _ => Words::new(format!("retirar {es} del casillero {hand}"), format!("take {en} back from box {hand}")),
    }
}

fn paid(hand: HandId, spot: BetSpot, amount: Cents) -> Words {
    let Words { es, en } = money(amount);
    match spot {
        BetSpot::Insurance => Words::new(
            format!("pagar {es} por el seguro del casillero {hand}"),
            format!("pay {en} for the insurance of box {hand}"),
        ),
        _ => Words::new(format!("pagar {es} al casillero {hand}"), format!("pay {en} to box {hand}")),
    }
}

/// An amount in cents as people write it: `12.500` or `12.500,50` in Spanish, `12,500.50` in English.
#[must_use]
pub fn money(amount: Cents) -> Words {
    let written = |thousands: char, decimal: char| {
        let whole = (amount / 100).to_string();
        let mut text = String::new();
        for (at, digit) in whole.chars().enumerate() {
            if at > 0 && (whole.len() - at).is_multiple_of(3) {
                text.push(thousands);
            }
            text.push(digit);
        }
        if !amount.is_multiple_of(100) {
            text += &format!("{decimal}{:02}", amount % 100);
        }
        text
    };
    Words::new(written('.', ','), written(',', '.'))
}

/// What a bet was owed, in words.
#[must_use]
pub fn account(Settle { hand, spot, outcome, pay, lost, .. }: &Settle) -> Words {
    let (es, en) = match outcome {
        Outcome::Blackjack => ("Black Jack", "Black Jack"),
        Outcome::Win => ("gana", "wins"),
        Outcome::Lose => ("pierde", "loses"),
        Outcome::Push => ("empata", "pushes"),
        Outcome::Void => ("sin efecto", "void"),
        Outcome::Surrender => ("se rindió", "surrendered"),
        Outcome::Unknown => ("no se sabe", "not known"),
    };
    let bet = if *spot == BetSpot::Insurance { (", seguro", ", insurance") } else { ("", "") };
    let sum = |amount: &Option<Cents>, es: &str, en: &str| match amount.filter(|amount| *amount > 0) {
        Some(amount) => {
            let words = money(amount);
            (format!(", {es} {}", words.es), format!(", {en} {}", words.en))
        }
        None => Default::default(),
    };
    let (paid, kept) = (sum(pay, "se le paga", "is paid"), sum(lost, "deja", "leaves"));
    Words::new(
        format!("casillero {hand}{}: {es}{}{}", bet.0, paid.0, kept.0),
        format!("box {hand}{}: {en}{}{}", bet.1, paid.1, kept.1),
    )
}

/// The parts of a remedy, one after the other.
#[must_use]
pub fn remedies(parts: &[Remedy]) -> Words {
    let mut all = Words::new("", "");
    for part in parts {
        let words = remedy(part);
        if !all.es.is_empty() {
            all.es.push_str("; ");
            all.en.push_str("; ");
        }
        all.es.push_str(&words.es);
        all.en.push_str(&words.en);
    }
    all
}

pub(crate) fn of(place: Place) -> String {
    match place {
        Place::Hand(hand) => format!("del casillero {hand}"),
        Place::Bank => "de la banca".to_string(),
        Place::Burn => "de las quemadas".to_string(),
        Place::Discard => "del zambullo".to_string(),
        Place::Shoe => "del sabot".to_string(),
    }
}

fn toward(place: Place) -> String {
    match place {
        Place::Hand(hand) => format!("al casillero {hand}"),
        Place::Bank => "a la banca".to_string(),
        Place::Burn => "a las quemadas".to_string(),
        Place::Discard => "al zambullo".to_string(),
        Place::Shoe => "al sabot".to_string(),
    }
}

pub(crate) fn the(to: Place) -> String {
    let name = place(to).en;
    if matches!(to, Place::Hand(HandId { .. })) { name } else { format!("the {name}") }
}

fn permit(what: Permit) -> Words {
    match what {
        Permit::Shuffle => Words::new("mezclar", "shuffle"),
        Permit::NextCardsForBank => Words::new("próximas cartas para la banca", "next cards for the bank"),
        Permit::DeckChange => Words::new("cambio de mazos", "change of decks"),
    }
}

fn taken(option: Taken) -> Words {
    match option {
        Taken::Withdraw => Words::new("retirar la apuesta", "withdraw the bet"),
        Taken::NextCard => Words::new("recibir la próxima carta", "take the next card"),
        Taken::Play => Words::new("jugar contra la banca vista", "play against the bank as seen"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_instruction_names_the_place_and_the_number_in_both_languages() {
        let burn = remedy(&Remedy::Burn { place: Place::Hand(HandId::first(2)), cards: 3 });
        assert_eq!((burn.es.as_str(), burn.en.as_str()), ("quemar 3 cartas del casillero 2", "burn 3 cards of box 2"));
        let parts = [Remedy::Burn { place: Place::Bank, cards: 1 }, Remedy::Serve { to: Place::Bank }];
        let all = remedies(&parts);
        assert_eq!(all.es, "quemar 1 carta de la banca; dar carta a la banca");
        assert_eq!(all.en, "burn 1 card of the bank; deal a card to the bank");
        assert_eq!(remedies(&[]).get(Lang::Es), "");
    }

    #[test]
    fn a_split_hand_keeps_its_letter() {
        let hand = HandId { box_no: 3, hand: 1 };
        let offer = Remedy::Offer { hand, options: [Taken::Withdraw, Taken::NextCard] };
        assert_eq!(
            remedy(&offer).get(Lang::Es),
            "ofrecer al casillero 3b: retirar la apuesta o recibir la próxima carta"
        );
    }
}
