//! What an event means in the facts before it. Articles judge a context; nothing here judges.

use super::betting_box::Standing;
use super::cards::Held;
use super::duties::Duties;
use super::duty::Part;
use super::hand::Hand;
use super::hand_index::Status;
use super::pass::Milestone;
use super::removal::Removal;
use super::state::State;
use crate::table::Settings;
use crate::table::event::{Choice, Face, Question};
use crate::table::settings::{Delivery, Misdealt};
use crate::table::{Card, Event, HandId, Place};

/// What a drawn card is at the place it went to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// A box's first card.
    First,
    /// The bank's first card.
    BankFirst,
    /// A box's second card.
    Second,
    /// The bank's second card.
    BankSecond,
    /// A card for the bank beyond its first, before all have played where those come after (T-Q10).
    BankEarly,
    /// A late second card to a box passed over (C4), or one that the room has served again.
    Late,
    /// A further card to a box before play begins (C6).
    Third,
    /// The second card of a split hand.
    SplitSecond,
    /// A card the bettor asked for, or is taken to have asked for.
    Hit,
    /// A third card to an eleven that was not asked about doubling (C8).
    Unasked,
    /// The one card of a doubled hand.
    Double,
    /// The bank's again for one it lost to the discard tray (C14).
    BankAgain,
    /// The bank draws below its standing total.
    BankDraw,
    /// The bank draws though it stands (D12).
    BankBeyond,
    /// The bank draws with nobody to play with (C18).
    BankIdle,
    /// Nothing asked for it (C5).
    NotDue,
    /// To a bet that came too late: it counts for nothing, and nobody is accused for it (K7).
    Idle,
    /// Drawn straight to the burn tray.
    Burned,
}

/// A drawn card.
#[derive(Debug, Clone, Copy)]
pub struct Drawn {
    /// Which.
    pub card: Card,
    /// Where it went; `None` where that is neither seen nor due.
    pub place: Option<Place>,
    /// What it is there.
    pub role: Role,
    /// It lies covered, as seen or as prescribed.
    down: bool,
    /// Where it went is neither seen nor told, but what was due.
    pub(crate) inferred: bool,
    /// It belongs face down.
    belongs_down: bool,
}

impl Role {
    /// A card of play.
    pub(super) const fn is_play(self) -> bool {
        matches!(self, Self::Hit | Self::Unasked | Self::SplitSecond | Self::Double)
    }
}

impl Drawn {
    /// The hand it went to.
    #[must_use]
    pub fn hand(&self) -> Option<HandId> {
        match self.place {
            Some(Place::Hand(id)) => Some(id),
            _ => None,
        }
    }

    /// It is seen face up: neither covered nor burned straight from the shoe.
    #[must_use]
    pub fn is_seen(&self) -> bool {
        !self.down && self.role != Role::Burned
    }

    /// It lies covered though it belongs face up.
    #[must_use]
    pub const fn is_wrongly_down(&self) -> bool {
        self.down && !self.belongs_down
    }

    /// It lies covered, as seen or as prescribed.
    #[must_use]
    pub const fn is_down(&self) -> bool {
        self.down
    }
}

/// An event and the facts before it.
#[derive(Debug)]
pub struct Context<'a> {
    /// The facts before the event.
    pub state: &'a State,
    /// The regulation's settings.
    pub settings: &'a Settings,
    /// Duties still open.
    pub duties: &'a Duties,
    /// The event.
    pub event: &'a Event,
    /// What it means in these facts.
    pub meaning: &'a EventMeaning,
}

/// What an event means in the facts before it.
#[derive(Debug, Clone, Copy)]
#[allow(clippy::struct_excessive_bools)] // each is a question of its own
pub struct EventMeaning {
    /// The cards a `move` takes.
    pub removal: Removal,
    /// The drawn card, where the event is one.
    pub drawn: Option<Drawn>,
    /// The event closes the bets: the first of `close_bets` and the pass's first draw.
    pub closes: bool,
    /// The event is the first of play.
    pub begins_play: bool,
    /// The hand that an event of play is for.
    pub plays: Option<HandId>,
    /// Cards were being cleared before the event; looked at for a `move` only.
    pub clearing: bool,
    /// The event is a `consent` or `choose` that answers what an open duty asks or offers.
    pub offered: bool,
    /// The event draws a card that a bettor has agreed to, to complete the delivery (C4).
    pub completes: bool,
    /// The event is a `reveal` that says which card it is that could not be read.
    pub identifies: bool,
    /// The event is a `reveal` that turns covered cards up: it does not only say which card lies there uncovered.
    pub turns_up: bool,
    /// The finding that a ruling decides, as far as it reaches one.
    pub ruled: Option<u64>,
}

impl EventMeaning {
    /// Of an event that means nothing more than it says.
    const PLAIN: Self = Self {
        removal: Removal::NONE,
        drawn: None,
        closes: false,
        begins_play: false,
        plays: None,
        clearing: false,
        offered: false,
        completes: false,
        identifies: false,
        turns_up: false,
        ruled: None,
    };

    /// Reads an event in the facts before it.
    #[must_use]
    #[inline]
    pub fn read(state: &State, duties: &Duties, event: &Event) -> Self {
        let pass = &state.pass;
        let drawn = match event {
            Event::Draw { card, to, face } => {
                Some(read_draw(state, duties, *card, *to, face.filter(|_| state.observes.faces)))
            }
            _ => None,
        };
        // from a constant, and built in place: fields set one by one, or a borrow, would have it copied at every event
        let mut meaning = Self::PLAIN;
        meaning.drawn = drawn;
        // nothing is played in a void pass, whatever is said or dealt
        if pass.is_open() && !pass.has(Milestone::Void) && is_play(state, event, drawn.as_ref()) {
            meaning.plays = played_hand(event, drawn.as_ref());
            meaning.begins_play = !pass.has(Milestone::Play);
        }
        match event {
            Event::Draw { .. } | Event::CloseBets {} => {
                meaning.closes = pass.is_open() && !pass.is_closed();
                let late = drawn.filter(|drawn| drawn.role == Role::Late).and_then(|drawn| drawn.place);
                meaning.completes = late.is_some_and(|to| duties.asks_for(Part::Serve(to)));
            }
            Event::Move { from, to, cards } => {
                meaning.removal = Removal::read(state, duties, *from, *to, cards.as_ref());
                // what goes back into the shoe may come out again
                let is_cleared = pass.is_open() && *to != Place::Shoe;
                meaning.clearing = is_cleared && (pass.has(Milestone::Clearing) || state.is_clearing());
            }
            Event::Reveal { at, card } => {
                (meaning.identifies, meaning.turns_up) = read_reveal(pass.lying_at(*at), *card)
            }
            Event::Consent { .. } | Event::Choose { .. } => {
                let may_be = match event {
                    Event::Choose { hand, option } => state.may_be_offered(*hand, *option),
                    _ => false,
                };
                meaning.offered = may_be || duties.parts_awake().any(|part| answers(event, part));
            }
            _ => {}
        }
        meaning
    }

    /// A card is drawn that the bank was to be served.
    #[must_use]
    pub fn serves_bank(&self) -> bool {
        self.drawn.is_some_and(|drawn| {
            matches!(drawn.role, Role::BankFirst | Role::BankSecond | Role::BankAgain)
                && drawn.place == Some(Place::Bank)
        })
    }

    /// The bank's second card comes uncovered (C7).
    #[must_use]
    pub fn uncovers_bank_card(&self) -> bool {
        let is_banks = |role| matches!(role, Role::BankSecond | Role::BankAgain);
        self.drawn.is_some_and(|drawn| is_banks(drawn.role) && drawn.belongs_down && !drawn.down)
    }
}

/// Whether a `reveal` says which card it is that could not be read, and whether it turns covered cards up.
fn read_reveal(lying: &[Held], card: Option<Card>) -> (bool, bool) {
    let Some(card) = card.filter(|card| *card != Card::UNREAD) else { return (false, true) };
    let unread = |down: bool| lying.iter().any(|held| held.down == down && held.card == Card::UNREAD);
    let is_known = lying.iter().any(|held| held.down && held.card == card);
    let is_named = !is_known && unread(true);
    let names_lying = !is_known && !is_named && unread(false);
    (is_named || names_lying, !names_lying)
}

/// Whether a `consent` or `choose` answers what a duty asks or offers.
fn answers(event: &Event, part: &Part) -> bool {
    match (event, part) {
        (Event::Consent { hand, .. }, Part::AskConsent(asked)) => hand == asked,
        (Event::Choose { hand, option }, Part::Offer(offered, options)) => hand == offered && options.contains(option),
        _ => false,
    }
}

/// The hand that an event of play is for.
fn played_hand(event: &Event, drawn: Option<&Drawn>) -> Option<HandId> {
    match event {
        Event::Ask { hand, .. } | Event::Decide { hand, .. } | Event::Ace { hand, .. } => Some(*hand),
        _ => drawn.and_then(Drawn::hand),
    }
}

/// An ask other than about insurance, a decision other than on insurance, an ace declaration (Reading 3); where choices
/// are not seen, the card that must have been asked for.
fn is_play(state: &State, event: &Event, drawn: Option<&Drawn>) -> bool {
    let in_pass = |id: HandId| state.pass.hand(id).is_some_and(|hand| !hand.cards.is_empty());
    match event {
        Event::Ask { hand, about } => *about != Question::Insurance && in_pass(*hand),
        // single pay may be chosen as soon as the ace is seen (T-S9)
        Event::Decide { choice: Choice::EvenMoney, .. } if state.settings.insures_against_bank() => false,
        Event::Decide { hand, choice, by } => {
            !on_insurance(state, *hand, *choice) && in_pass(*hand) && state.pass.may_speak(*hand, by.as_ref())
        }
        Event::Ace { hand, by, .. } => in_pass(*hand) && state.pass.may_speak(*hand, by.as_ref()),
        _ if state.ends_delivery_unheard(event) => true,
        _ => drawn.is_some_and(|drawn| drawn.role.is_play()),
    }
}

/// A decision on insurance: taking it, or declining before anything else was asked.
#[must_use]
pub fn on_insurance(state: &State, id: HandId, choice: Choice) -> bool {
    match choice {
        Choice::Insure => true,
        Choice::Decline => state.pass.hand(id).is_none_or(|hand| {
            let insurable = if state.settings.insures_against_bank() {
                // where questions are not seen, what is declined while insurance may be had is taken to be that
                let asked = hand.was_asked(Question::Insurance) || !state.observes.asks;
                state.pass.bank.may_show_ace() && state.pass.bank.served < 2 && asked
            } else {
                hand.may_begin_with_ace()
            };
            insurable
                && ![Question::Double, Question::Ace, Question::Split, Question::Card, Question::Surrender]
                    .iter()
                    .any(|&about| hand.was_asked(about))
        }),
        _ => false,
    }
}

/// Whether everybody sees the card that an event draws, which comes after these facts: it lies neither covered nor in
/// the burn tray.
#[must_use]
pub fn shows_card(state: &State, duties: &Duties, event: &Event) -> bool {
    let Event::Draw { card, to, face } = event else { return false };
    *face != Some(Face::Down) && read_draw(state, duties, *card, *to, *face).is_seen()
}

fn read_draw(state: &State, duties: &Duties, card: Card, to: Option<Place>, face: Option<Face>) -> Drawn {
    let place = to.or_else(|| state.card_goes());
    let ends_delivery = state.ends_delivery_unheard(&Event::Draw { card, to, face });
    let role = match place {
        Some(Place::Burn) => Role::Burned,
        _ if !state.pass.is_open() => Role::NotDue,
        Some(Place::Bank) => bank_role(state, duties, ends_delivery),
        Some(Place::Hand(id)) => hand_role(state, id),
        Some(Place::Discard | Place::Shoe) | None => Role::NotDue,
    };
    // where places are not seen, one that is told all the same is a fact, and nobody is accused for it
    let is_hearsay = to.is_some() && !state.observes.places && state.pass.is_open();
    let role = if role == Role::NotDue && is_hearsay && state.card_goes().is_some() { Role::Idle } else { role };
    let bank = &state.pass.bank;
    let prescribed = match role {
        Role::BankSecond => state.settings.bank_is_covered(),
        Role::Double => state.settings.double.card == Face::Down,
        Role::BankAgain => state.settings.bank_is_covered() && !bank.uncovered && bank.is_next_covered(),
        _ => false,
    };
    let down = face.map_or(prescribed, |face| face == Face::Down);
    Drawn { card, place, role, down, inferred: to.is_none(), belongs_down: prescribed }
}

/// `is_last_unheard`: it tells that play is over ([`State::ends_delivery_unheard`]).
fn bank_role(state: &State, duties: &Duties, is_last_unheard: bool) -> Role {
    let bank = &state.pass.bank;
    if state.pass.has(Milestone::Clearing) {
        return late_bank_role(state);
    }
    // a remedy asks for it, whoever is left to play against (C7, C13, C14)
    if bank.owed > 0 {
        return Role::BankAgain;
    }
    if state.bank_card_may_lie_up() && bank.cards.len() == 2 {
        return Role::Idle;
    }
    let lacks_delivery = state.settings.bank_is_covered() && bank.served < 2;
    if lacks_delivery && duties.asks_for(Part::Serve(Place::Bank)) {
        return if bank.served == 0 { Role::BankFirst } else { Role::BankSecond };
    }
    // where bets are not seen nobody is known to play before the first card of a box
    if !state.named.bets && bank.served == 0 && !state.is_first_delivery_begun() {
        return match state.settings.delivery {
            Delivery { misdealt: Misdealt::Back, .. } => Role::BankEarly,
            Delivery { strict_rounds: true, .. } => Role::NotDue,
            // where a round may begin with it, it counts (K9)
            _ => Role::BankFirst,
        };
    }
    let is_short = state.settings.bank_is_covered() && state.delivered() && bank.served == 1;
    // a hand without claim is neither over 21 nor void: the room may still rule on it (C15)
    let unclaimed = || state.pass.hands().any(|(_, hand)| hand.lost && !hand.void);
    if state.bank_has_no_opponent() && !unclaimed() && !is_short {
        return Role::BankIdle;
    }
    match bank.served {
        0 if is_early_for_boxes(state) => return Role::BankEarly,
        // a delivery begins with the boxes (Reading 18)
        0 if state.settings.delivery.strict_rounds && !state.is_first_delivery_begun() => return Role::NotDue,
        1 if state.settings.bank_is_covered() && !state.delivered() && !state.is_second_delivery_begun() => {
            return Role::NotDue;
        }
        0 => return Role::BankFirst,
        1 if is_last_unheard => return Role::BankSecond,
        _ if !state.all_have_played() && !state.waits_for_chips_alone() => return Role::BankEarly,
        1 => return Role::BankSecond,
        _ => {}
    }
    // before its card is uncovered nothing may tell what it is
    if bank.is_covered() {
        return Role::NotDue;
    }
    if bank.must_draw() == Some(false) || !(state.bank_has_to_draw() || unclaimed()) {
        return Role::BankBeyond;
    }
    Role::BankDraw
}

/// Cards are being cleared. A bank that stopped too early for one of the hands is still owed its card; one whose own
/// cards still lie there draws too many, or needlessly, as before.
fn late_bank_role(state: &State) -> Role {
    let bank = &state.pass.bank;
    if bank.is_covered() {
        return Role::NotDue;
    }
    let lies_there = !bank.cards.is_empty();
    let is_owed = state.pass.hands().any(|(_, hand)| hand.hung_on_bank());
    match (bank.served, bank.must_draw()) {
        (1, _) if is_owed => Role::BankSecond,
        (2, Some(true)) if is_owed => Role::BankDraw,
        (2, Some(false)) if lies_there => Role::BankBeyond,
        _ if lies_there && state.bank_has_no_opponent() => Role::BankIdle,
        _ => Role::NotDue,
    }
}

/// Where misdealt cards go back, the bank's first before every box has its own is such a card.
fn is_early_for_boxes(state: &State) -> bool {
    let goes_back = state.settings.delivery.misdealt == Misdealt::Back;
    goes_back && !state.delivered() && !state.pass.hands_with(Status::First).is_empty()
}

fn hand_role(state: &State, id: HandId) -> Role {
    let Some(betting_box) = state.pass.betting_box(id.box_no) else { return Role::NotDue };
    if state.pass.is_late_bet(id) {
        return Role::Idle;
    }
    if betting_box.standing == Standing::Refused
        && id.hand == 0
        && !state.delivered()
        && betting_box.first().cards.is_empty()
    {
        return Role::First;
    }
    let counts = |hand: &&Hand| betting_box.standing == Standing::In && !hand.void && !hand.lost && !hand.is_retired();
    let Some(hand) = betting_box.in_play().get(usize::from(id.hand)).filter(counts) else { return Role::NotDue };
    let cards = hand.count();
    if state.delivered() {
        return played_role(state, id, hand);
    }
    let covered = state.settings.bank_is_covered();
    let strict = state.settings.delivery.strict_rounds;
    let goes_back = state.settings.delivery.misdealt == Misdealt::Back;
    if state.is_in_first_delivery() {
        return match cards {
            0 => Role::First,
            // where misdealt cards go back, one in place of the bank's is such a card
            1 if !strict => Role::Second,
            // where bets are not seen, others may wait for their first while one is served twice running
            1 if !state.named.bets && state.pass.last_card == Some(id.into()) => Role::NotDue,
            1 if state.pass.hands_with(Status::First).is_empty() && !goes_back => Role::Second,
            _ => Role::NotDue,
        };
    }
    match cards {
        0 if covered && !hand.dealt_next => Role::NotDue,
        0 => Role::First,
        1 => Role::Second,
        _ if covered => Role::Third,
        _ => Role::NotDue,
    }
}

/// After both deliveries.
fn played_role(state: &State, id: HandId, hand: &Hand) -> Role {
    let pass = &state.pass;
    let covered = state.settings.bank_is_covered();
    let goes_back = state.settings.delivery.misdealt == Misdealt::Back;
    if hand.served_again {
        return Role::Late;
    }
    match hand.count() {
        0 if covered && !hand.dealt_next => return Role::NotDue,
        0 => return Role::First,
        // where misdealt cards go back, one in the place of an earlier hand's is such a card
        _ if hand.waits_for_second() && goes_back && state.is_served_before(id) => return Role::NotDue,
        _ if hand.waits_for_second() => return Role::SplitSecond,
        1 if hand.as_it_is => {}
        1 if covered => return Role::Late,
        1 => return Role::Second,
        _ => {}
    }
    if hand.doubled {
        return if hand.waits_for_double() { Role::Double } else { Role::NotDue };
    }
    let misdealt = if covered && !pass.has(Milestone::Play) { Role::Third } else { Role::NotDue };
    let asked = hand.wants_card || !state.observes.decisions;
    let again = asked && state.may_draw_at_21(hand);
    if hand.is_finished() && !again {
        return if hand.stood { Role::NotDue } else { misdealt };
    }
    if hand.wants_card {
        return Role::Hit;
    }
    // where questions are not seen, nobody knows whether it was asked
    if hand.is_to_be_offered_double(&state.settings)
        && (pass.turn() == Some(id) || (pass.has(Milestone::Play) && !goes_back))
    {
        return Role::Unasked;
    }
    let may_be_opened = !state.observes.bets
        && state.settings.split.max_hands > 1
        && hand.is_pair(state.settings.split.pairs)
        && pass.turn() == Some(id);
    if !state.observes.decisions || may_be_opened {
        return Role::Hit;
    }
    misdealt
}
