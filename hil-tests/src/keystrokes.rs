//! Which keys a dealer presses for an entry: the other way round from `sabot_firmware::keys`.

use sabot_firmware::keys::{Function, Key};
use sabot_wire::message::{
    Amend, Authority, BankChange, Card, Choice, Face, HandId, KeypadSaid, Permit, Place, Question, Ruling, Share, Taken,
};

/// The keys of an entry, ENTER with them. `None` where the keypad has none for it.
pub(crate) fn keys(said: &KeypadSaid) -> Option<Vec<Key>> {
    let (function, fields) = fields(said)?;
    let mut keys = vec![Key::Function(function)];
    for (number, field) in fields.iter().enumerate() {
        if number > 0 {
            keys.push(Key::Next);
        }
        let digits = field.map(|value| value.to_string()).unwrap_or_default();
        keys.extend(digits.bytes().map(|digit| Key::Digit(digit - b'0')));
    }
    keys.push(Key::Enter);
    Some(keys)
}

/// How a person would say it.
pub(crate) fn words(keys: &[Key]) -> String {
    let word = |key: &Key| match key {
        Key::Digit(digit) => digit.to_string(),
        Key::Next => "NEXT".to_owned(),
        Key::Enter => "ENTER".to_owned(),
        Key::Clear => "CLEAR".to_owned(),
        Key::Function(function) => format!("{function:?}").to_uppercase(),
    };
    keys.iter().map(word).collect::<Vec<_>>().join(" ")
}

fn fields(said: &KeypadSaid) -> Option<(Function, Vec<Option<u64>>)> {
    let some = |fields: &[u64]| fields.iter().copied().map(Some).collect::<Vec<_>>();
    Some(match *said {
        KeypadSaid::Decide { box_no, hand, choice, by } => decision(box_no, hand, choice, by),
        KeypadSaid::Ask { box_no, hand, about } => {
            (Function::Ask, some(&[box_no.into(), hand.into(), question_no(about)]))
        }
        KeypadSaid::Ace { box_no, hand, value } => (Function::Ace, some(&[box_no.into(), hand.into(), value.into()])),
        KeypadSaid::Total { place: Place::Hand(HandId { box_no, hand }), value } => {
            (Function::Total, some(&[value.into(), box_no.into(), hand.into()]))
        }
        KeypadSaid::Total { place: Place::Bank, value } => (Function::Total, some(&[value.into()])),
        KeypadSaid::Total { .. } => return None,
        KeypadSaid::Choose { box_no, hand, option } => {
            let option = match option {
                Taken::Withdraw => 1,
                Taken::NextCard => 2,
                Taken::Play => 3,
            };
            (Function::Choose, some(&[box_no.into(), hand.into(), option]))
        }
        KeypadSaid::Consent { box_no, yes } => (Function::Consent, some(&[box_no.into(), yes.into()])),
        KeypadSaid::Seat { seat, player } => (Function::Player, some(&[1, seat.into(), player.into()])),
        KeypadSaid::Leave { seat, player } => (Function::Player, some(&[2, seat.into(), player.into()])),
        KeypadSaid::Request { box_no, player } => (Function::Player, some(&[3, box_no.into(), player.into()])),
        KeypadSaid::Bettor { box_no, player } => (Function::Player, some(&[4, box_no.into(), player.into()])),
        KeypadSaid::Cut { depth, player } => (Function::Cut, some(&[depth.into(), player.into()])),
        KeypadSaid::OfferCut { player } => (Function::Cut, some(&[player.into()])),
        KeypadSaid::CloseBets => (Function::Close, Vec::new()),
        KeypadSaid::EndPass => (Function::End, Vec::new()),
        KeypadSaid::NextCardsForBank => (Function::Cards, Vec::new()),
        KeypadSaid::Authorize { badge, role, what } => {
            let what = match what {
                Permit::Shuffle => 1,
                Permit::NextCardsForBank => 2,
                Permit::DeckChange => 3,
            };
            (Function::Authorize, some(&[badge.into(), role_no(role), what]))
        }
        KeypadSaid::Rule { .. } | KeypadSaid::Report { .. } | KeypadSaid::Correct { .. } => return of_office(said),
        KeypadSaid::Bank { how, player, by, amount } => {
            (Function::Bank, vec![Some(change_no(how)), player.map(u64::from), by.map(u64::from), amount])
        }
        KeypadSaid::Share { player, what, amount } => {
            let what = match what {
                Share::Advance => 8,
                Share::Dividend => 9,
            };
            (Function::Bank, some(&[what, player.into(), amount]))
        }
        KeypadSaid::BankCard { player, card } => {
            (Function::Bank, [some(&[10, player.into()]), suit_and_rank(card).to_vec()].concat())
        }
        KeypadSaid::CardIs { place, card } => (Function::Cards, of_card(1, card, &place_fields(place)?)),
        KeypadSaid::Dealt { card, to: Some(to), face } => {
            let [box_no, hand] = place_fields(to)?;
            (Function::Cards, of_card(2, card, &[box_no, hand, face.map(face_no)]))
        }
        KeypadSaid::Dealt { card, to: None, face } => (Function::Cards, of_card(3, card, &[face.map(face_no)])),
    })
}

fn of_card(what: u64, card: Card, more: &[Option<u64>]) -> Vec<Option<u64>> {
    [&[Some(what)][..], &suit_and_rank(card), more].concat()
}

fn suit_and_rank(card: Card) -> [Option<u64>; 2] {
    let code = u64::from(card.code());
    [Some(1 + code / 13), Some(1 + code % 13)]
}

fn place_fields(place: Place) -> Option<[Option<u64>; 2]> {
    match place {
        Place::Hand(HandId { box_no, hand }) => Some([Some(box_no.into()), Some(hand.into())]),
        Place::Bank => Some([None, None]),
        Place::Burn | Place::Discard | Place::Shoe => None,
    }
}

const fn face_no(face: Face) -> u64 {
    match face {
        Face::Up => 1,
        Face::Down => 2,
    }
}

/// What is decided, reported or corrected, by somebody with an office.
fn of_office(said: &KeypadSaid) -> Option<(Function, Vec<Option<u64>>)> {
    let some = |fields: &[u64]| fields.iter().copied().map(Some).collect::<Vec<_>>();
    Some(match *said {
        KeypadSaid::Rule { badge, role, decision, finding } => {
            let decision = match decision {
                Ruling::Void => 1,
                Ruling::Stands => 2,
                Ruling::Lose => 3,
                Ruling::Resume => 4,
            };
            let mut fields = some(&[badge.into(), role_no(role), decision]);
            fields.extend(finding.map(|finding| Some(finding.into())));
            (Function::Rule, fields)
        }
        KeypadSaid::Report { badge, role, note, article, box_no } => {
            let mut fields = some(&[badge.into(), role_no(role), 5, note.into()]);
            fields.extend([article.map(u64::from), box_no.map(u64::from)]);
            (Function::Rule, fields)
        }
        KeypadSaid::Correct { badge, role, line, how } => {
            let how = match how {
                Amend::Strike => 6,
                Amend::Instead => 7,
                Amend::After => 8,
            };
            (Function::Rule, some(&[badge.into(), role_no(role), how, line.into()]))
        }
        _ => return None,
    })
}

fn decision(box_no: u8, hand: u8, choice: Choice, by: Option<u16>) -> (Function, Vec<Option<u64>>) {
    let mut fields = vec![Some(box_no.into())];
    if hand > 0 || by.is_some() {
        fields.push(Some(hand.into()));
    }
    fields.extend(by.map(|by| Some(by.into())));
    match choice {
        Choice::Hit => (Function::Hit, fields),
        Choice::Stand => (Function::Stand, fields),
        Choice::Double => (Function::Double, fields),
        other => (Function::Decide, [vec![Some(choice_no(other))], fields].concat()),
    }
}

const fn choice_no(choice: Choice) -> u64 {
    match choice {
        Choice::Hit => 1,
        Choice::Stand => 2,
        Choice::Double => 3,
        Choice::Split => 4,
        Choice::Insure => 5,
        Choice::Decline => 6,
        Choice::Surrender => 7,
        Choice::EvenMoney => 8,
    }
}

const fn question_no(about: Question) -> u64 {
    match about {
        Question::Insurance => 1,
        Question::Double => 2,
        Question::Ace => 3,
        Question::Split => 4,
        Question::Card => 5,
        Question::Surrender => 6,
    }
}

const fn role_no(role: Authority) -> u64 {
    match role {
        Authority::Inspector => 1,
        Authority::TableChief => 2,
        Authority::Room => 3,
    }
}

const fn change_no(how: BankChange) -> u64 {
    match how {
        BankChange::Drawn => 1,
        BankChange::Taken => 2,
        BankChange::Left => 3,
        BankChange::Given => 4,
        BankChange::Sold => 5,
        BankChange::Returned => 6,
        BankChange::Turn => 7,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sabot_firmware::keys::{Typed, Typing};

    #[test]
    fn what_is_typed_is_understood_as_what_was_meant() {
        use KeypadSaid::{
            Ace, Ask, Authorize, Bank, BankCard, Bettor, CardIs, Choose, CloseBets, Consent, Cut, Dealt, Decide,
            EndPass, Leave, NextCardsForBank, OfferCut, Request, Rule, Seat, Share as Shares, Total,
        };
        let entries = [
            Decide { box_no: 3, hand: 0, choice: Choice::Stand, by: None },
            Decide { box_no: 3, hand: 1, choice: Choice::Hit, by: None },
            Decide { box_no: 3, hand: 0, choice: Choice::EvenMoney, by: Some(12) },
            Ask { box_no: 2, hand: 1, about: Question::Surrender },
            Ace { box_no: 2, hand: 0, value: 11 },
            Total { place: Place::Bank, value: 17 },
            Total { place: Place::Hand(HandId { box_no: 7, hand: 1 }), value: 20 },
            Choose { box_no: 2, hand: 0, option: Taken::NextCard },
            Consent { box_no: 2, yes: true },
            Consent { box_no: 2, yes: false },
            Seat { seat: 1, player: 10 },
            Leave { seat: 1, player: 10 },
            Request { box_no: 1, player: 10 },
            Bettor { box_no: 1, player: 10 },
            Cut { depth: 150, player: 1 },
            OfferCut { player: 4 },
            CloseBets,
            EndPass,
            NextCardsForBank,
            Authorize { badge: 4, role: Authority::Room, what: Permit::DeckChange },
            Rule { badge: 4, role: Authority::TableChief, decision: Ruling::Lose, finding: None },
            Rule { badge: 4, role: Authority::TableChief, decision: Ruling::Resume, finding: Some(31) },
            Bank { how: BankChange::Sold, player: Some(3), by: None, amount: Some(5_000_000) },
            Bank { how: BankChange::Turn, player: None, by: None, amount: None },
            Shares { player: 3, what: Share::Dividend, amount: 12 },
            BankCard { player: 3, card: Card::from_code(51) },
            CardIs { place: Place::Bank, card: Card::from_code(51) },
            CardIs { place: Place::Hand(HandId { box_no: 7, hand: 1 }), card: Card::from_code(0) },
            Dealt { card: Card::from_code(13), to: None, face: None },
            Dealt { card: Card::from_code(13), to: None, face: Some(Face::Up) },
            Dealt { card: Card::from_code(13), to: Some(Place::Bank), face: Some(Face::Down) },
            Dealt { card: Card::from_code(13), to: Some(Place::Hand(HandId { box_no: 7, hand: 1 })), face: None },
        ];
        for said in entries {
            let keys = keys(&said).unwrap_or_else(|| panic!("no keys for {said:?}"));
            let mut typing = Typing::new();
            let typed: Vec<Typed> = keys.iter().map(|key| typing.press(0, *key)).collect();
            assert_eq!(typed.last(), Some(&Typed::Entry(said)), "{}", words(&keys));
        }
        assert_eq!(keys(&Total { place: Place::Burn, value: 3 }), None);
    }
}
