//! Random events, whether they make sense or not.

use proptest::prelude::*;
use sabot_law::table::event::{
    Announcement, Authority, BankChange, Choice, Face, Permit, Question, Ruling, Share, Taken,
};
use sabot_law::table::{BetSpot, Card, Event, HandId, MOST_CENTS, Moved, Place};

fn hand() -> impl Strategy<Value = HandId> {
    (1u8..=3, prop_oneof![6 => Just(0u8), 2 => Just(1u8), 1 => Just(2u8), 1 => Just(3u8)])
        .prop_map(|(box_no, hand)| HandId { box_no, hand })
}

fn place() -> impl Strategy<Value = Place> {
    prop_oneof![
        6 => hand().prop_map(Place::Hand),
        3 => Just(Place::Bank),
        1 => Just(Place::Burn),
        1 => Just(Place::Discard),
        1 => Just(Place::Shoe),
    ]
}

fn card() -> impl Strategy<Value = Card> {
    prop_oneof![20 => (0u8..52).prop_map(|index| Card::from_index(index).unwrap()), 1 => Just(Card::UNREAD)]
}

pub(crate) fn of<T: Copy + std::fmt::Debug + 'static>(all: &'static [T]) -> impl Strategy<Value = T> {
    prop::sample::select(all)
}

/// Where a card may be turned up.
fn uncovered() -> impl Strategy<Value = Place> {
    prop_oneof![1 => Just(Place::Bank), 2 => hand().prop_map(Place::Hand)]
}

/// Where something is paid or collected.
const SETTLED: &[BetSpot] = &BetSpot::SETTLED;
const SPOTS: &[BetSpot] = &[BetSpot::Main, BetSpot::Double, BetSpot::Split, BetSpot::Insurance];

fn amount() -> impl Strategy<Value = u64> {
    prop_oneof![Just(0), Just(500), Just(1000), Just(50), 0..=MOST_CENTS]
}

fn name() -> impl Strategy<Value = sabot_law::table::Name> {
    (1..5).prop_map(|n| format!("P{n}").into())
}

/// Every event there is; drawing, playing and betting more often than the rest.
pub(crate) fn event() -> impl Strategy<Value = Event> {
    let player = || prop::option::of(name());
    prop_oneof![
        2 => (1u8..4, name()).prop_map(|(seat, player)| Event::Seat { seat, player }),
        1 => (1u8..4, name()).prop_map(|(seat, player)| Event::Leave { seat, player }),
        1 => (hand(), name(), prop::option::of(0u64..3))
            .prop_map(|(hand, player, t)| Event::Request { hand, player, t }),
        2 => (of(Permit::ALL), of(Authority::ALL))
            .prop_map(|(what, role)| Event::Authorize { by: "I".into(), role, what }),
        1 => (0u32..10, 0u32..500).prop_map(|(decks, cards)| Event::Shuffle { decks, cards }),
        1 => (0u32..100).prop_map(|depth| Event::Cut { depth, by: "P1".into() }),
        1 => (0u32..500, 0u32..100).prop_map(|(cards, cut_card)| Event::Load { cards, cut_card }),
        12 => (hand(), of(SPOTS), amount(), player()).prop_map(|(hand, spot, amount, player)| Event::Bet {
            hand, spot, amount, player, chips: Vec::new()
        }),
        2 => Just(Event::CloseBets {}),
        40 => (card(), prop::option::of(place()), prop::option::of(of(Face::ALL)))
            .prop_map(|(card, to, face)| Event::Draw { card, to, face }),
        1 => Just(Event::CutCard {}),
        6 => (hand(), of(Question::ALL)).prop_map(|(hand, about)| Event::Ask { hand, about }),
        12 => (hand(), of(Choice::ALL), player()).prop_map(|(hand, choice, by)| Event::Decide { hand, choice, by }),
        2 => (hand(), of(&[1u8, 11]), player()).prop_map(|(hand, value, by)| Event::Ace { hand, value, by }),
        2 => (of(Announcement::ALL), place(), 0u32..40).prop_map(|(what, place, value)| Event::Announce {
            what, place: Some(place), value: Some(value)
        }),
        3 => (uncovered(), prop::option::of(card())).prop_map(|(at, card)| Event::Reveal { at, card }),
        6 => (place(), place(), prop::option::of(prop_oneof![
            (0usize..5).prop_map(Moved::Count), prop::collection::vec(card(), 0..4).prop_map(Moved::Cards)
        ])).prop_map(|(from, to, cards)| Event::Move { from, to, cards }),
        2 => (hand(), any::<bool>()).prop_map(|(hand, yes)| Event::Consent { hand, yes }),
        2 => (hand(), of(Taken::ALL)).prop_map(|(hand, option)| Event::Choose { hand, option }),
        3 => (hand(), amount(), of(SETTLED)).prop_map(|(hand, amount, spot)| Event::Collect { hand, amount, spot }),
        3 => (hand(), amount(), of(SETTLED)).prop_map(|(hand, amount, spot)| Event::Pay { hand, amount, spot }),
        2 => Just(Event::End {}),
        2 => (of(Ruling::ALL), prop::option::of(0u64..20)).prop_map(|(decision, finding)| Event::Rule {
            by: "R".into(), role: "room".into(), decision, finding
        }),
        1 => prop::option::of(of(&["C17", "C7", "K17", "T-S6", "G0", "Z9"])).prop_map(|provision| Event::Report {
            by: "I".into(), role: "inspector".into(), provision: provision.map(Into::into), place: None, note: "n".into()
        }),
        1 => (of(BankChange::ALL), player(), player(), prop::option::of(amount()))
            .prop_map(|(how, player, by, amount)| Event::Bank { how, player, by, amount }),
        1 => (name(), card()).prop_map(|(player, card)| Event::BankCard { player, card }),
        1 => (name(), of(Share::ALL), amount())
            .prop_map(|(player, what, amount)| Event::Share { player, what, amount }),
        1 => name().prop_map(|player| Event::OfferCut { player }),
        1 => of(&["empty", "online", "jam"]).prop_map(|status| Event::Device {
            device: "shoe".into(), status: status.into(), detail: None, complete: false
        }),
    ]
}
