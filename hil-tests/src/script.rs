//! Passes by the book, for tests whose matter is not the cards.

use sabot_wire::message::Choice;

use crate::bench::Bench;
use crate::verbs::Spot;

/// The boxes that play.
pub const BOXES: [u8; 3] = [1, 2, 3];
/// What each bets, cents.
pub const STAKE: u32 = 5_000;
/// A delivery in which every box beats the bank: 18, 19 and 20 against 17. The last card is covered.
pub const DELIVERY: [(&str, Spot); 8] = [
    ("8H", Spot::Box(1)),
    ("9C", Spot::Box(2)),
    ("TD", Spot::Box(3)),
    ("9S", Spot::Bank),
    ("TC", Spot::Box(1)),
    ("TS", Spot::Box(2)),
    ("QH", Spot::Box(3)),
    ("8D", Spot::Bank),
];

impl Bench {
    /// A new shoe, players at [`BOXES`] with [`STAKE`] each, and no more bets.
    pub fn up_to_the_delivery(&self) {
        self.open_the_shoe();
        self.seat_and_bet(&BOXES, STAKE);
        self.close_bets();
    }

    /// Cards of [`DELIVERY`], by their number, the bank's last one covered.
    pub fn deliver(&self, cards: std::ops::Range<usize>) {
        for (n, (card, spot)) in DELIVERY.iter().enumerate().take(cards.end).skip(cards.start) {
            let deal = self.deal(card);
            if n + 1 == DELIVERY.len() { deal.down().to(*spot) } else { deal.to(*spot) }
        }
    }

    /// One card of [`DELIVERY`], and nobody waits for the record.
    pub fn deliver_unwatched(&self, card: usize) {
        let (text, spot) = DELIVERY[card];
        let deal = self.deal(text);
        if card + 1 == DELIVERY.len() { deal.down().unwatched(spot) } else { deal.unwatched(spot) }
    }

    /// From the delivered cards to the end of the pass: all stand, the bank turns up, is paid out and cleared.
    pub fn play_out(&self) {
        for box_no in BOXES {
            self.decide(box_no, Choice::Stand);
        }
        self.reveal_bank();
        for box_no in BOXES {
            self.bet(box_no, 2 * STAKE);
        }
        for box_no in BOXES {
            self.clear(Spot::Box(box_no));
        }
        self.clear(Spot::Bank);
        self.end_pass();
    }

    /// What the record must hold of so many deliveries: cards and where each went.
    #[must_use]
    pub fn delivered(&self, times: usize) -> Vec<(String, Option<String>)> {
        let one = |(card, spot): &(&str, Spot)| {
            let to = match spot {
                Spot::Box(box_no) => box_no.to_string(),
                Spot::Bank => "bank".to_owned(),
            };
            ((*card).to_owned(), self.places.then_some(to))
        };
        DELIVERY.iter().cycle().take(DELIVERY.len() * times).map(one).collect()
    }
}
