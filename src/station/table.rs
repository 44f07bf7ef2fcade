//! What observations ask the table.

use super::sourced_event::SourcedEvent;
use sabot_law::table::{BetSpot, Card, Cents, Event, HandId, LineNo, Name, Place};

/// The table, as far as observations need it: they mean different things while stakes are settled.
pub trait Table {
    /// Whether the stake of a hand is being settled: chips taken from it are collected, chips laid to it are paid.
    fn is_settling(&self, hand: HandId) -> bool;
    /// The stake of a hand that counts, where it was split off: its chips were laid beside the hand that was split.
    fn split_off(&self, hand: HandId) -> Option<Cents>;
    /// Whether a hand plays in this pass with a bet that counts.
    fn is_in_play(&self, hand: HandId) -> bool;
    /// Whose bet a box has in this pass, where somebody has said it.
    fn bettor(&self, box_no: u8) -> Option<Name>;
    /// What was added to a hand's stake by doubling, as far as it counts.
    fn doubled(&self, hand: HandId) -> Cents;
    /// Whether a hand is insured: chips may also lie on its insurance that do not count and are to be given back.
    fn insured(&self, hand: HandId) -> bool;
    /// Where nobody sees that the bank's card is turned up: it must have been, for the bank drew after its second card,
    /// or every hand has spoken.
    fn bank_must_have_turned(&self) -> bool;
    /// Whether so much is what a hand's Black Jack is paid.
    fn is_paid_blackjack(&self, hand: HandId, amount: Cents) -> bool;
    /// The article that a number on the keypad means.
    fn article(&self, number: u16) -> Option<&'static str>;
    /// Whether a card lies covered at a place, or anywhere on the felt.
    fn is_covered(&self, at: Option<Place>) -> bool;
    /// Whether a card lies uncovered at a place that could not be read.
    fn is_unread(&self, at: Place) -> bool;
    /// What lies on a spot, as the events so far say.
    fn on_spot(&self, hand: HandId, spot: BetSpot) -> Cents;
    /// The hands that a box plays: first those that chose to double and have no chips for it, then that whose turn it
    /// is, then the others in the order of play.
    fn hands(&self, box_no: u8) -> Vec<HandId>;
    /// Whether a hand that gets a card may have stood before it, where nobody hears that, and another of its box that
    /// plays after it may have got the card.
    fn may_have_stood(&self, hand: HandId) -> bool;
    /// Whether anything would be found if this happened now; so is taken of what is not tried, in an endless pass.
    fn would_find(&self, event: &Event) -> bool;
    /// Whether something that was found would be withdrawn if this happened now, and nothing found.
    fn would_explain(&self, event: &Event) -> bool;
    /// Whether more would be found if this happened now than if the hands of a box that were split off and are not
    /// settled, as far as anything told so, had all been settled as they are owed before it; only where what is to be
    /// paid to these comes to what is to be collected of them, so that chips that lie together would lie as they do.
    fn finds_unsettled(&self, box_no: u8, event: &Event) -> bool;
    /// The most that may lie where the stakes of a box's split lie together, by what was paid to the hands that were
    /// split off and collected of them.
    fn may_lie_split(&self, box_no: u8) -> Cents;
    /// Where a card is due.
    fn card_due(&self) -> Option<Place>;
    /// How many cards like this one lie at the bank, or in all hands of a box.
    fn lying(&self, at: Place, card: Card) -> usize;
    /// A card like this one at a place, its box's other hands included: in which hand it lies, and whether covered.
    fn held(&self, at: Place, card: Card) -> Option<(Place, bool)>;
    /// The same of one hand.
    fn held_at(&self, hand: Place, card: Card) -> Option<(Place, bool)>;
    /// The place whose cards are cleared next, once cards are being cleared.
    fn to_clear(&self) -> Option<Place>;
    /// Whether cards of a place are to be burned.
    fn burns(&self, from: Place) -> bool;
    /// Nothing is left of the pass but its end.
    fn is_over(&self) -> bool;
    /// The line of the record told last.
    fn line(&self) -> LineNo;
    /// Whether who holds an office may correct the record.
    fn may_correct(&self, office: &str) -> bool;
    /// Something happened. It counts before the next question is asked.
    fn apply(&mut self, event: SourcedEvent);
}
