//! What the targets of the card scanner share: a table of symbols, and what holds of whatever a session tells.

use std::sync::Arc;

use sabot_drivers::Saw;
use sabot_drivers::link::machine::{Machine, SessionReport};
use sabot_drivers::scanner::{Protocol, Setup, Symbols};
use sabot_wire::frame::MAX_FRAME;
use sabot_wire::message::{Card, DeviceState, Observation, ShoeSaw};

/// What cards stand in the table; they alone may be told, and those that could not be read.
pub const CARDS: u8 = 10;

/// The symbol of a card: one letter, so that a fuzzer writes it.
#[must_use]
pub fn symbol(card: u8) -> String {
    char::from(b'0' + card).to_string()
}

/// A setup with ten cards, a cut card (`C`) and a load (`L`). The kind's bits: each card has a symbol of its own, a
/// pinned serial number, something on record.
#[must_use]
pub fn setup(protocol: Protocol, kind: u8) -> Setup {
    let mut symbols = Symbols::new(kind & 1 != 0);
    let cards = (0..CARDS).map(|card| (symbol(card), ShoeSaw::Drawn(Card::from_code(card))));
    let others = [("C", ShoeSaw::CutCard), ("L", ShoeSaw::Loaded { cards: 416, cut_card: 80 })];
    for (text, means) in cards.chain(others.map(|(text, means)| (text.to_owned(), means))) {
        symbols.add(&text, means).expect("a symbol");
    }
    Setup {
        protocol,
        symbols: Arc::new(symbols),
        duplicate_ms: 400,
        no_read: Some("NR".to_owned()),
        serial: (kind & 2 != 0).then(|| "SSI-R".to_owned()),
        last: (kind & 4 != 0).then_some(ShoeSaw::Drawn(Card::from_code(0))),
    }
}

/// What a session has told.
#[derive(Debug, Default)]
pub struct Told {
    /// Its events so far; the first has number 1.
    pub events: Vec<Observation>,
    /// Those that are on disk, counted from the first.
    pub durable: u32,
    epoch: Option<u32>,
    online: bool,
}

impl Told {
    /// Hears one thing, and checks it.
    pub fn hear(&mut self, said: SessionReport) {
        match said {
            SessionReport::Online { .. } => self.online = true,
            SessionReport::Refused { .. } | SessionReport::Silent(_) => self.online = false,
            SessionReport::Forged => panic!("there is nothing to forge"),
            SessionReport::Missed(_) | SessionReport::Withheld(_) | SessionReport::Late { .. } => {
                panic!("it has no clock of its own")
            }
            SessionReport::ClockWentBack => panic!("it has no clock of its own"),
            SessionReport::Keeps(_) => panic!("it keeps nothing of a record"),
            SessionReport::Picture { .. } => panic!("it has no lens"),
            SessionReport::Advice(_) => panic!("it has no setting to be read"),
            SessionReport::CaughtUp => panic!("a scanner keeps nothing"),
            SessionReport::Saw { epoch, seq, saw, .. } => {
                assert!(self.online, "nothing is seen before it is known who sees");
                assert_eq!(seq as usize, self.events.len() + 1, "events are numbered without gaps");
                assert_eq!(*self.epoch.get_or_insert(epoch), epoch, "one life");
                let saw = saw.and_then(Saw::in_words_of_the_link).expect("a scanner makes sense");
                match saw {
                    Observation::Shoe(ShoeSaw::Drawn(card)) => {
                        assert!(card == Card::UNREAD || card.code() < CARDS, "a card of the table");
                    }
                    Observation::Shoe(ShoeSaw::CutCard | ShoeSaw::Loaded { .. }) => {}
                    Observation::Device(DeviceState::ReadError) => {}
                    _ => panic!("a scanner cannot see that"),
                }
                self.events.push(saw);
            }
        }
    }

    /// The cable is out.
    pub const fn closed(&mut self) {
        self.online = false;
    }

    /// The first so many events are on disk; says so.
    pub fn to_disk(&mut self, count: u32, session: &mut impl Machine) {
        let Some(epoch) = self.epoch else { return };
        self.durable = self.durable.max(count.min(self.events.len() as u32));
        session.durable(epoch, self.durable);
    }

    /// Whether the last thing that passed is on disk.
    #[must_use]
    pub fn all_durable(&self) -> bool {
        let last = self.events.iter().rposition(|saw| matches!(saw, Observation::Shoe(_)));
        last.is_none_or(|last| last < self.durable as usize)
    }
}

/// Bytes come.
pub fn comes(session: &mut impl Machine, told: &mut Told, now: u64, bytes: &[u8]) {
    let mut input = bytes;
    while let Some(said) = session.receive(now, &mut input) {
        told.hear(said);
    }
    assert!(input.is_empty(), "all that came is taken");
}

/// What the session does at that time without anything coming: what it sends. It then has nothing more to do now.
pub fn does(session: &mut impl Machine, told: &mut Told, now: u64) -> Vec<Vec<u8>> {
    let mut sent = Vec::new();
    loop {
        while let Some(said) = session.tick(now) {
            told.hear(said);
        }
        let mut out = [0; MAX_FRAME];
        let Some(bytes) = session.transmit(now, &mut out) else { break };
        sent.push(bytes.to_vec());
        assert!(sent.len() < 10, "it does not stop talking");
    }
    assert!(session.wake_at().is_none_or(|at| at > now), "nothing is due that was just done");
    sent
}
