//! What people are told to do, in both languages: a remedy as a dealer reads it.

use alloc::format;
use alloc::string::{String, ToString};

use super::answer::Lang;
use super::event::{Permit, Taken};
use super::felt::Words;
use super::{Place, Remedy};

/// A remedy as an instruction, without a capital or a full stop: `burn 1 card of the bank`.
#[must_use]
pub fn words(remedy: &Remedy) -> Words {
    Words { es: spanish(remedy), en: english(remedy) }
}

fn spanish(remedy: &Remedy) -> String {
    match *remedy {
        Remedy::Burn { place, cards: 1 } => format!("quemar 1 carta {}", of_es(place)),
        Remedy::Burn { place, cards } => format!("quemar {cards} cartas {}", of_es(place)),
        Remedy::VoidBet { hand } => format!("dejar sin efecto la apuesta del casillero {hand}"),
        Remedy::ReturnBet { hand } => format!("devolver la apuesta del casillero {hand}"),
        Remedy::Serve { to } => format!("servir 1 carta {}", to_es(to)),
        Remedy::Authorize { what } => format!("autorizar {}", permit(what, Lang::Es)),
        Remedy::Announce { what: Permit::NextCardsForBank } => "anunciar «Próximas cartas para la Banca»".into(),
        Remedy::Announce { what } => format!("anunciar {}", permit(what, Lang::Es)),
        Remedy::AskConsent { hand } => {
            format!("preguntar al apostador del casillero {hand} si acepta completar las cartas")
        }
        Remedy::Offer { hand, options: [one, other] } => {
            let (one, other) = (taken(one, Lang::Es), taken(other, Lang::Es));
            format!("ofrecer al casillero {hand}: {one} o {other}")
        }
        Remedy::Collect { hand } => format!("pagar ya al casillero {hand}"),
        Remedy::Rule => "esperar la decisión de la sala".into(),
    }
}

fn english(remedy: &Remedy) -> String {
    match *remedy {
        Remedy::Burn { place, cards: 1 } => format!("burn 1 card of {}", place_en(place)),
        Remedy::Burn { place, cards } => format!("burn {cards} cards of {}", place_en(place)),
        Remedy::VoidBet { hand } => format!("void the bet of box {hand}"),
        Remedy::ReturnBet { hand } => format!("return the bet of box {hand}"),
        Remedy::Serve { to } => format!("deal 1 card to {}", place_en(to)),
        Remedy::Authorize { what } => format!("authorize {}", permit(what, Lang::En)),
        Remedy::Announce { what: Permit::NextCardsForBank } => {
            "announce \u{201c}next cards for the bank\u{201d}".into()
        }
        Remedy::Announce { what } => format!("announce {}", permit(what, Lang::En)),
        Remedy::AskConsent { hand } => format!("ask the bettor of box {hand} whether to complete the cards"),
        Remedy::Offer { hand, options: [one, other] } => {
            let (one, other) = (taken(one, Lang::En), taken(other, Lang::En));
            format!("offer box {hand}: {one} or {other}")
        }
        Remedy::Collect { hand } => format!("pay box {hand} at once"),
        Remedy::Rule => "wait for the room's decision".into(),
    }
}

/// A place as a title: `Casillero 3b`, `Bank`.
#[must_use]
pub fn place(place: Place, lang: Lang) -> String {
    match (lang, place) {
        (Lang::Es, Place::Hand(hand)) => format!("Casillero {hand}"),
        (Lang::Es, Place::Bank) => "Banca".into(),
        (Lang::Es, Place::Burn) => "Quemadas".into(),
        (Lang::Es, Place::Discard) => "Zambullo".into(),
        (Lang::Es, Place::Shoe) => "Sabot".into(),
        (Lang::En, Place::Hand(hand)) => format!("Box {hand}"),
        (Lang::En, Place::Bank) => "Bank".into(),
        (Lang::En, Place::Burn) => "Burn tray".into(),
        (Lang::En, Place::Discard) => "Discard tray".into(),
        (Lang::En, Place::Shoe) => "Shoe".into(),
    }
}

fn of_es(place: Place) -> String {
    match place {
        Place::Hand(hand) => format!("del casillero {hand}"),
        Place::Bank => "de la banca".into(),
        Place::Burn => "de las quemadas".into(),
        Place::Discard => "del zambullo".into(),
        Place::Shoe => "del sabot".into(),
    }
}

fn to_es(place: Place) -> String {
    match place {
        Place::Hand(hand) => format!("al casillero {hand}"),
        Place::Bank => "a la banca".into(),
        Place::Burn => "a las quemadas".into(),
        Place::Discard => "al zambullo".into(),
        Place::Shoe => "al sabot".into(),
    }
}

fn place_en(place: Place) -> String {
    match place {
        Place::Hand(hand) => format!("box {hand}"),
        Place::Bank => "the bank".to_string(),
        Place::Burn => "the burn tray".to_string(),
        Place::Discard => "the discard tray".to_string(),
        Place::Shoe => "the shoe".to_string(),
    }
}

const fn permit(what: Permit, lang: Lang) -> &'static str {
    match (lang, what) {
        (Lang::Es, Permit::Shuffle) => "el mezclado",
        (Lang::Es, Permit::NextCardsForBank) => "las próximas cartas para la banca",
        (Lang::Es, Permit::DeckChange) => "el cambio de mazos",
        (Lang::En, Permit::Shuffle) => "the shuffle",
        (Lang::En, Permit::NextCardsForBank) => "the next cards for the bank",
        (Lang::En, Permit::DeckChange) => "the change of decks",
    }
}

const fn taken(option: Taken, lang: Lang) -> &'static str {
    match (lang, option) {
        (Lang::Es, Taken::Withdraw) => "retirar la apuesta",
        (Lang::Es, Taken::NextCard) => "recibir la próxima carta",
        (Lang::Es, Taken::Play) => "jugar con la banca a la vista",
        (Lang::En, Taken::Withdraw) => "withdraw the bet",
        (Lang::En, Taken::NextCard) => "take the next card",
        (Lang::En, Taken::Play) => "play against the bank as seen",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::HandId;

    #[test]
    fn a_remedy_reads_as_an_instruction_in_both_languages() {
        let burn = words(&Remedy::Burn { place: Place::Bank, cards: 1 });
        assert_eq!((burn.es.as_str(), burn.en.as_str()), ("quemar 1 carta de la banca", "burn 1 card of the bank"));
        let serve = words(&Remedy::Serve { to: HandId { box_no: 3, hand: 1 }.into() });
        assert_eq!((serve.es.as_str(), serve.en.as_str()), ("servir 1 carta al casillero 3b", "deal 1 card to box 3b"));
    }
}
