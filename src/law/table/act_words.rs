//! What somebody does, in words for people: where, and the verb that follows. "3" and "se planta".

use alloc::format;
use alloc::string::ToString;

use super::event::{Announcement, BankChange, Choice, Face, Permit, Question, Ruling, Share, Taken};
use super::felt::Words;
use super::{BetSpot, Event, LineNo, Moved, Name, Place, words};

/// Where an event happens, where at one place, and what happens there. Which card is drawn is not said.
#[must_use]
pub fn act(event: &Event) -> (Option<Place>, Words) {
    use Event::{Ace, Announce, Ask, Bet, Choose, Collect, Consent, Decide, Draw, Move, Pay, Reveal};
    match event {
        Ask { hand, about } => (Some((*hand).into()), asked(*about)),
        Decide { hand, choice, .. } => (Some((*hand).into()), chosen(*choice)),
        Ace { hand, value, .. } => {
            (Some((*hand).into()), Words::new(format!("el as vale {value}"), format!("ace counts {value}")))
        }
        Consent { hand, yes: true } => (Some((*hand).into()), Words::new("acepta completar", "agrees to completing")),
        Consent { hand, yes: false } => (Some((*hand).into()), Words::new("no acepta", "does not agree")),
        Choose { hand, option } => (Some((*hand).into()), took(*option)),
        Reveal { at, .. } => (Some(*at), Words::new("descubrir", "uncover")),
        Move { from, to, cards } => (Some(*from), taken_away(*to, cards.as_ref())),
        Collect { hand, amount, spot } => (Some((*hand).into()), money(true, *spot, *amount)),
        Pay { hand, amount, spot } => (Some((*hand).into()), money(false, *spot, *amount)),
        Bet { hand, amount, .. } => {
            let Words { es, en } = words::money(*amount);
            (Some((*hand).into()), Words::new(format!("queda apostado {es}"), format!("{en} lies there")))
        }
        Announce { what: Announcement::Total, place, value } => {
            let value = value.unwrap_or_default();
            (*place, Words::new(format!("anunciar {value}"), format!("announce {value}")))
        }
        Draw { to: Some(Place::Burn), .. } => (None, Words::new("carta quemada", "a burned card")),
        Draw { to, face: Some(Face::Down), .. } => (*to, Words::new("carta cubierta", "a covered card")),
        Draw { to, .. } => (*to, Words::new("carta", "a card")),
        other => (None, of_table(other)),
    }
}

/// An event in words: where, and what. Which card is drawn is not said.
#[must_use]
pub fn described(event: &Event) -> Words {
    let (place, Words { es, en }) = act(event);
    match place.map(words::place) {
        Some(place) => Words::new(format!("{}: {es}", place.es), format!("{}: {en}", place.en)),
        None => Words::new(es, en),
    }
}

/// What concerns no single place.
fn of_table(event: &Event) -> Words {
    match event {
        Event::CloseBets {} => Words::new("no va más", "no more bets"),
        Event::CutCard {} => Words::new("sale la carta de corte", "the cut card comes out"),
        Event::End {} => Words::new("fin del pase", "end of the pass"),
        Event::Announce { .. } => {
            Words::new("anunciar: próximas cartas para la banca", "announce: next cards for the bank")
        }
        Event::Authorize { what, .. } => match what {
            Permit::Shuffle => Words::new("autorizar: mezclar", "authorise: shuffle"),
            Permit::NextCardsForBank => {
                Words::new("autorizar: próximas cartas para la banca", "authorise: next cards for the bank")
            }
            Permit::DeckChange => Words::new("autorizar: cambio de mazos", "authorise: change of decks"),
        },
        Event::Rule { decision, finding, .. } => {
            let (es, en) = ruled(*decision);
            let of = finding.map(|n| format!(" ({n})")).unwrap_or_default();
            Words::new(format!("{es}{of}"), format!("{en}{of}"))
        }
        Event::OfferCut { player } => {
            Words::new(format!("ofrecer el corte a {player}"), format!("offer {player} the cut"))
        }
        Event::Bank { how, player, by, .. } => banked(*how, player.as_ref(), by.as_ref()),
        Event::Share { player, what, amount } => {
            let Words { es, en } = words::money(*amount);
            match what {
                Share::Advance => Words::new(format!("{player} adelanta {es}"), format!("{player} advances {en}")),
                Share::Dividend => Words::new(format!("{player} recibe {es}"), format!("{player} gets {en}")),
            }
        }
        Event::Seat { seat, player } => {
            Words::new(format!("{player} se sienta en {seat}"), format!("{player} sits at {seat}"))
        }
        Event::Leave { seat, player } => {
            Words::new(format!("{player} deja el asiento {seat}"), format!("{player} leaves seat {seat}"))
        }
        Event::Request { hand, player, .. } => {
            Words::new(format!("{player} pide el casillero {hand}"), format!("{player} asks for box {hand}"))
        }
        Event::Cut { depth, by } => Words::new(format!("{by} corta a {depth}"), format!("{by} cuts at {depth}")),
        Event::Shuffle { cards, .. } => {
            Words::new(format!("{cards} cartas mezcladas"), format!("{cards} cards shuffled"))
        }
        Event::Load { cards, .. } => Words::new(format!("sabot con {cards} cartas"), format!("shoe of {cards} cards")),
        Event::BankCard { player, card } => {
            Words::new(format!("{player} saca {card}"), format!("{player} draws {card}"))
        }
        Event::Report { provision, place, note, .. } => {
            let article = provision.as_ref().map(|id| format!(" {id}")).unwrap_or_default();
            let Words { es, en } = at(*place);
            Words::new(format!("informar{article}{es}: {note}"), format!("report{article}{en}: {note}"))
        }
        Event::Correct { line, after, event, .. } => corrected(*line, *after, event.as_deref()),
        Event::Device { device, status, detail, .. } => {
            let detail = detail.as_ref().map(|detail| format!(", {detail}")).unwrap_or_default();
            let text = format!("{device}: {status}{detail}");
            Words::new(text.clone(), text)
        }
        _ => Words::new("otra cosa", "something else"),
    }
}

/// A place in brackets, where there is one.
fn at(place: Option<Place>) -> Words {
    let Some(place) = place.map(words::place) else { return Words::new("", "") };
    Words::new(format!(" ({})", place.es), format!(" ({})", place.en))
}

fn corrected(line: Option<LineNo>, after: Option<LineNo>, event: Option<&Event>) -> Words {
    match (line, after, event.map(described)) {
        (Some(line), _, Some(Words { es, en })) => {
            Words::new(format!("en lugar de la línea {line}: {es}"), format!("instead of line {line}: {en}"))
        }
        (None, Some(after), Some(Words { es, en })) => {
            Words::new(format!("después de la línea {after}: {es}"), format!("after line {after}: {en}"))
        }
        (line, ..) => {
            let line = line.unwrap_or_default();
            Words::new(format!("la línea {line} no pasó"), format!("line {line} did not happen"))
        }
    }
}

fn asked(about: Question) -> Words {
    match about {
        Question::Insurance => Words::new("preguntar: ¿asegura?", "ask: insurance?"),
        Question::Double => Words::new("preguntar: ¿dobla?", "ask: double?"),
        Question::Ace => Words::new("preguntar: ¿el as vale 1 u 11?", "ask: ace 1 or 11?"),
        Question::Split => Words::new("preguntar: ¿abre?", "ask: split?"),
        Question::Card => Words::new("preguntar: ¿carta o planta?", "ask: card or stand?"),
        Question::Surrender => Words::new("preguntar: ¿se rinde?", "ask: surrender?"),
    }
}

fn chosen(choice: Choice) -> Words {
    match choice {
        Choice::Hit => Words::new("pide", "hits"),
        Choice::Stand => Words::new("se planta", "stands"),
        Choice::Double => Words::new("dobla", "doubles"),
        Choice::Split => Words::new("abre", "splits"),
        Choice::Insure => Words::new("asegura", "insures"),
        Choice::Decline => Words::new("dice que no", "declines"),
        Choice::Surrender => Words::new("se rinde", "surrenders"),
        Choice::EvenMoney => Words::new("cobra sencillo", "takes even money"),
    }
}

fn took(option: Taken) -> Words {
    match option {
        Taken::Withdraw => Words::new("retira la apuesta", "withdraws"),
        Taken::NextCard => Words::new("toma la próxima carta", "takes the next card"),
        Taken::Play => Words::new("juega", "plays"),
    }
}

const fn ruled(decision: Ruling) -> (&'static str, &'static str) {
    match decision {
        Ruling::Void => ("resolver: anular", "rule: void"),
        Ruling::Stands => ("resolver: queda como está", "rule: stands"),
        Ruling::Lose => ("resolver: pierde", "rule: loses"),
        Ruling::Resume => ("resolver: sigue el pase", "rule: resume"),
    }
}

fn taken_away(to: Place, cards: Option<&Moved>) -> Words {
    let count = match cards {
        Some(Moved::Count(count)) => Some(*count),
        Some(Moved::Cards(cards)) => Some(cards.len()),
        None => None,
    };
    let es = count.map_or_else(|| "todo".to_string(), |count| count.to_string());
    let en = count.map_or_else(|| "all".to_string(), |count| count.to_string());
    match to {
        Place::Burn => Words::new(format!("quemar {es}"), format!("burn {en}")),
        Place::Shoe => Words::new(format!("devolver {es} al mazo"), format!("put {en} back")),
        _ => Words::new("levantar las cartas", "clear the cards"),
    }
}

fn money(collects: bool, spot: BetSpot, amount: u64) -> Words {
    let Words { es, en } = words::money(amount);
    match (collects, spot) {
        (true, BetSpot::Insurance) => Words::new(format!("retirar seguro {es}"), format!("collect insurance {en}")),
        (true, _) => Words::new(format!("retirar {es}"), format!("collect {en}")),
        (false, BetSpot::Insurance) => Words::new(format!("pagar seguro {es}"), format!("pay insurance {en}")),
        (false, _) => Words::new(format!("pagar {es}"), format!("pay {en}")),
    }
}

fn banked(how: BankChange, player: Option<&Name>, by: Option<&Name>) -> Words {
    let name = |name: Option<&Name>| name.map(ToString::to_string).unwrap_or_default();
    let (player, by) = (name(player), name(by));
    match how {
        BankChange::Drawn => Words::new(format!("{player} saca la banca"), format!("{player} draws the bank")),
        BankChange::Taken => Words::new(format!("{player} toma la banca"), format!("{player} takes the bank")),
        BankChange::Left => Words::new(format!("{by} deja la banca"), format!("{by} leaves the bank")),
        BankChange::Given => {
            Words::new(format!("{by} da la banca a {player}"), format!("{by} gives {player} the bank"))
        }
        BankChange::Sold => {
            Words::new(format!("{by} vende la banca a {player}"), format!("{by} sells {player} the bank"))
        }
        BankChange::Returned => Words::new(format!("{by} devuelve la banca"), format!("{by} returns the bank")),
        BankChange::Turn => Words::new(format!("la banca pasa a {player}"), format!("the bank passes to {player}")),
    }
}
