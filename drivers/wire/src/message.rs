//! What devices and host say to each other: plain data, encoded with postcard.
//!
//! A device reports **observations**, never judgements: which card left the shoe, which chips lie on a spot, which
//! key was pressed. The order of variants and fields is the wire format: `schema-v1.txt` freezes it (a test holds the
//! two against each other) and [`crate::SCHEMA`] is that text's hash, so a change here is a new protocol version or a
//! deliberate new schema. [`DeviceHello`], [`ToDevice::Hello`] and the tags that lead to them never change at all: they
//! are how two sides of different age find out.

use heapless::{String, Vec};
use serde::{Deserialize, Serialize};

/// Most chips one antenna reports at once.
pub const MAX_CHIPS: usize = 20;
/// Most cards one antenna reports at once.
pub const MAX_TAGGED_CARDS: usize = 12;
/// Characters of one line of a display, at the most.
pub const LINE_CHARS: usize = 40;
/// Bytes of one line of a display, at the most: twice its characters, enough for Spanish in UTF-8.
pub const LINE_BYTES: usize = LINE_CHARS * 2;
/// Rows of a display, at the most.
pub const DISPLAY_ROWS: usize = 8;
/// Bytes of a serial number, at the most.
pub const SERIAL_BYTES: usize = 16;

/// What a device is for. One device of each role at a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Role {
    /// The shoe: reads each card as it leaves.
    Shoe,
    /// The shuffler.
    Shuffler,
    /// The chip reader under the betting spots.
    Chips,
    /// The dealer's keypad.
    Keypad,
    /// The pit display.
    Display,
}

impl Role {
    /// Every role, in the order of the wire.
    pub const ALL: [Self; 5] = [Self::Shoe, Self::Shuffler, Self::Chips, Self::Keypad, Self::Display];

    /// As configuration files and messages to people write it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Shoe => "shoe",
            Self::Shuffler => "shuffler",
            Self::Chips => "chips",
            Self::Keypad => "keypad",
            Self::Display => "display",
        }
    }
}

impl core::fmt::Display for Role {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.name())
    }
}

/// A card as a reader saw it: 0-51 is `suit * 13 + rank` (suits S H D C; ranks A 2 … 9 T J Q K), 255 an unreadable one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct CardCode(pub u8);

impl CardCode {
    /// A card that passed the reader without being read.
    pub const UNREAD: Self = Self(255);
}

/// A place on the felt, as devices number them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Place {
    /// A hand of a betting box: box 1-7, hand 0 the first, 1 the second after a split.
    Hand {
        /// Betting box, from 1.
        box_no: u8,
        /// Hand within the box, from 0.
        hand: u8,
    },
    /// The bank's cards.
    Bank,
    /// The burn tray.
    Burn,
    /// The discard tray (zambullo).
    Discard,
    /// The shoe.
    Shoe,
}

/// Where chips lie within a box.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum BetSpot {
    /// The bet itself.
    Main,
    /// The addition when doubling.
    Double,
    /// The equal bet of a split.
    Split,
    /// Challenge or insurance.
    Insurance,
}

/// Which way a card lies, where the place has a face sensor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Face {
    /// Uncovered.
    Up,
    /// Covered.
    Down,
}

/// A chip as its antenna reads it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Chip {
    /// UID of the tag, most significant byte first.
    pub uid: u64,
    /// Value written in the tag, in the smallest unit of the currency.
    pub value: u32,
}

/// One thing a device saw.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Observation {
    /// Seen by the shoe.
    Shoe(ShoeSaw),
    /// Seen by the shuffler.
    Shuffler(ShufflerSaw),
    /// Seen by the chip reader.
    Chips(ChipsSaw),
    /// Pressed on the dealer's keypad.
    Keypad(KeypadSaid),
    /// Something about the device itself.
    Device(DeviceState),
}

/// What a shoe sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum ShoeSaw {
    /// A card passed the reader and left the shoe.
    Drawn(CardCode),
    /// The cut card came out.
    CutCard,
    /// The gate is open and nothing is left to draw.
    Empty,
    /// Cards were put in and the lid closed.
    Loaded {
        /// Cards in the shoe.
        cards: u16,
        /// Cards behind the cut card.
        cut_card: u16,
    },
}

/// What a shuffler sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum ShufflerSaw {
    /// A shuffle has finished.
    Done {
        /// Decks the machine was set to.
        decks: u8,
        /// Cards its counter counted.
        cards: u16,
    },
    /// Door opened.
    DoorOpen,
    /// Door closed and locked.
    DoorClosed,
    /// A jam stopped the machine.
    Jam,
}

/// What the antennas under the felt see, once it has stopped changing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum ChipsSaw {
    /// All chips that now lie on one spot (none: the spot is empty).
    Spot {
        /// Betting box, from 1.
        box_no: u8,
        /// Hand within the box, from 0.
        hand: u8,
        /// Spot within the box.
        spot: BetSpot,
        /// Every chip there.
        chips: Vec<Chip, MAX_CHIPS>,
    },
    /// A tagged card came to lie at a place.
    CardArrived {
        /// Where.
        place: Place,
        /// Which way it lies, where the place can tell.
        face: Option<Face>,
    },
    /// A covered card at a place was turned up.
    CardTurned {
        /// Where.
        place: Place,
    },
    /// Cards left one place for another.
    CardsMoved {
        /// Where they lay.
        from: Place,
        /// Where they lie now.
        to: Place,
        /// How many; none: all of them.
        cards: Option<u8>,
    },
}

/// What the dealer may ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Question {
    /// Insurance, or challenge.
    Insurance,
    /// Doubling.
    Double,
    /// The value of an ace.
    Ace,
    /// Splitting.
    Split,
    /// Another card.
    Card,
    /// Surrender.
    Surrender,
}

/// What a bettor may choose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Choice {
    /// Another card.
    Hit,
    /// No more cards.
    Stand,
    /// Double the stake for one card.
    Double,
    /// Open a pair.
    Split,
    /// Take insurance.
    Insure,
    /// Decline what was asked.
    Decline,
    /// Give up half.
    Surrender,
    /// Single pay at once.
    EvenMoney,
}

/// Who authorises, rules or reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Authority {
    /// The inspector of several tables.
    Inspector,
    /// The chief of the table.
    TableChief,
    /// The authorities of the room.
    Room,
}

/// What is authorised.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Permit {
    /// A shuffle.
    Shuffle,
    /// The next cards for the bank.
    NextCardsForBank,
    /// A change of decks.
    DeckChange,
}

/// What an offered bettor takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Taken {
    /// Withdraw the bet.
    Withdraw,
    /// Take the next card.
    NextCard,
    /// Play on.
    Play,
}

/// What the room decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Ruling {
    /// The bet is void.
    Void,
    /// What happened stands.
    Stands,
    /// The bet is lost.
    Lose,
    /// Play goes on.
    Resume,
}

/// How the bank changes hands, where players bank.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum BankChange {
    /// Won by the highest card.
    Drawn,
    /// Taken on a Black Jack.
    Taken,
    /// Left with who has it.
    Left,
    /// Given to another.
    Given,
    /// Sold to another.
    Sold,
    /// Returned to the deck: nobody banks.
    Returned,
    /// The player's turn.
    Turn,
}

/// What a participant gives to a common bank, or has of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Share {
    /// He advances it.
    Advance,
    /// It is his part at the end.
    Dividend,
}

/// What the dealer enters on the keypad. Players and badges are numbers; the station names them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum KeypadSaid {
    /// A player sat down.
    Seat {
        /// Seat, from 1.
        seat: u8,
        /// Player.
        player: u16,
    },
    /// A player got up.
    Leave {
        /// Seat, from 1.
        seat: u8,
        /// Player.
        player: u16,
    },
    /// A player asks for an empty box.
    Request {
        /// Betting box, from 1.
        box_no: u8,
        /// Player.
        player: u16,
    },
    /// A player's badge was read before chips were placed on a box.
    Bettor {
        /// Betting box, from 1.
        box_no: u8,
        /// Player.
        player: u16,
    },
    /// An authority's key was turned.
    Authorize {
        /// Badge.
        badge: u16,
        /// Rank.
        role: Authority,
        /// What for.
        what: Permit,
    },
    /// A bettor cut the cards.
    Cut {
        /// Cards from the top.
        depth: u16,
        /// Player.
        player: u16,
    },
    /// "No more bets".
    CloseBets,
    /// The dealer asked.
    Ask {
        /// Betting box, from 1.
        box_no: u8,
        /// Hand within the box, from 0.
        hand: u8,
        /// About what.
        about: Question,
    },
    /// A bettor decided.
    Decide {
        /// Betting box, from 1.
        box_no: u8,
        /// Hand within the box, from 0.
        hand: u8,
        /// What.
        choice: Choice,
        /// By whom, where somebody else than the bettor spoke.
        by: Option<u16>,
    },
    /// A bettor declared an ace, 1 or 11.
    Ace {
        /// Betting box, from 1.
        box_no: u8,
        /// Hand within the box, from 0.
        hand: u8,
        /// 1 or 11.
        value: u8,
    },
    /// The dealer announced a total.
    Total {
        /// Whose.
        place: Place,
        /// The total spoken.
        value: u8,
    },
    /// The dealer announced "next cards for the bank".
    NextCardsForBank,
    /// A bettor agreed (or not) to complete the delivery.
    Consent {
        /// Betting box, from 1.
        box_no: u8,
        /// Agreed.
        yes: bool,
    },
    /// A bettor took an offered option.
    Choose {
        /// Betting box, from 1.
        box_no: u8,
        /// Hand within the box, from 0.
        hand: u8,
        /// Which.
        option: Taken,
    },
    /// The room ruled.
    Rule {
        /// Badge.
        badge: u16,
        /// Rank.
        role: Authority,
        /// What it decided.
        decision: Ruling,
        /// On which finding; none: the oldest that waits for a ruling.
        finding: Option<u32>,
    },
    /// The pass is over.
    EndPass,
    /// The bank changes hands.
    Bank {
        /// How.
        how: BankChange,
        /// Who banks now; none: nobody does, or it stays.
        player: Option<u16>,
        /// By whom, where it is another.
        by: Option<u16>,
        /// The price, in the smallest unit of the currency.
        amount: Option<u64>,
    },
    /// A card was dealt to a player to draw for the bank.
    BankCard {
        /// Player.
        player: u16,
        /// The card.
        card: CardCode,
    },
    /// A participant advanced to the bank, or was given his part of it.
    Share {
        /// Player.
        player: u16,
        /// Which of the two.
        what: Share,
        /// How much, in the smallest unit of the currency.
        amount: u64,
    },
    /// The cut was offered to a player.
    OfferCut {
        /// Player.
        player: u16,
    },
}

/// What a device says of itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum DeviceState {
    /// The lid or a door is open.
    LidOpen,
    /// The lid or door is closed again.
    LidClosed,
    /// A card could not be read, or a tag did not answer.
    ReadError,
    /// Something is stuck.
    Jam,
    /// The housing was opened.
    Tamper,
    /// The ring of unacknowledged events is full: the device takes no more until the host has caught up.
    RingFull,
    /// The ring has room again.
    RingFree,
}

/// What a device says when a session begins, and whenever the host says hello.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeviceHello {
    /// Version of the link.
    pub protocol: u8,
    /// Role.
    pub role: Role,
    /// Serial number, as printed on the housing.
    pub serial: String<SERIAL_BYTES>,
    /// Firmware version, major minor patch.
    pub firmware: [u8; 3],
    /// Hash of the message schema this device was built with.
    pub schema: u32,
    /// Times the device has started.
    pub boots: u32,
    /// Number of the ring of events: it changes when the ring was lost, and sequence numbers begin again at 1.
    pub epoch: u32,
    /// Oldest event still held, or the next to come where none is held.
    pub oldest: u32,
}

/// From a device to the host.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum ToHost {
    /// An observation. Kept by the device until acknowledged.
    Event {
        /// Sequence number within the epoch, from 1, without gaps.
        seq: u32,
        /// The device's clock, milliseconds since its start.
        at_ms: u32,
        /// What was seen.
        saw: Observation,
    },
    /// Who the device is.
    Hello(DeviceHello),
    /// Answer to a ping.
    Pong(u32),
}

/// What the pit display shows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Show {
    /// One line of text.
    Line {
        /// Row, from 0.
        row: u8,
        /// Text, UTF-8.
        text: String<LINE_BYTES>,
    },
    /// The lamp.
    Lamp(Lamp),
    /// The buzzer, milliseconds; 0 silences it.
    Buzz(u16),
}

/// The lamp of the pit display.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Lamp {
    /// Dark: nothing to say.
    Off,
    /// Green: by the book.
    Green,
    /// Amber: a notice.
    Amber,
    /// Red: an irregularity or an integrity finding.
    Red,
}

/// From the host to a device.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum ToDevice {
    /// Every event up to and with `seq` of `epoch` is durable: forget it.
    Ack {
        /// Epoch of the ring.
        epoch: u32,
        /// Sequence number.
        seq: u32,
    },
    /// Say hello, then send every event you hold.
    Hello {
        /// Version of the link.
        protocol: u8,
        /// Schema hash of the host.
        schema: u32,
    },
    /// Answer with a pong.
    Ping(u32),
    /// For the display.
    Show(Show),
}
