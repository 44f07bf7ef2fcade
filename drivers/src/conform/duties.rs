//! What `docs/wire-protocol.md` asks of a device, in the page's order.

use std::time::Duration;

/// A small processor multiplies some tenths of a second, and may answer nothing meanwhile.
pub(crate) const SHARE_WITHIN: Duration = Duration::from_secs(2);

/// One thing that the page asks of a device and that shows on the line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Duty {
    /// Frames come at this speed.
    Line,
    /// Zeros round each frame.
    Zeros,
    /// COBS.
    Cobs,
    /// CRC-32C.
    Checksum,
    /// No frame is longer than any may be.
    Longest,
    /// Noise before a frame.
    Noise,
    /// Damaged, cut, overlong and endless frames.
    Damaged,
    /// A body counts only whole.
    WholeBody,
    /// Messages of no kind it knows.
    Unknown,
    /// What it sends is of the schema.
    Messages,
    /// Varints.
    Shortest,
    /// Version and schema.
    Version,
    /// The serial number.
    Serial,
    /// Role, serial number, firmware, start and epoch stay what they are.
    Identity,
    /// The oldest event it names.
    Oldest,
    /// Events are numbered from 1.
    Numbered,
    /// Events and answers are never dated back.
    Monotonic,
    /// Whole milliseconds.
    Milliseconds,
    /// Milliseconds since its start.
    Pace,
    /// Numbers that mean something.
    Values,
    /// Observations of its own role.
    OwnRole,
    /// The session's keys and the proof.
    Proof,
    /// The first byte of a sealed body.
    Mark,
    /// The counter of what it seals.
    Counter,
    /// Its counter does not end at 16 bits.
    LongCounter,
    /// What it seals opens.
    Opens,
    /// Zeros up to one of five lengths.
    Padding,
    /// What it may say in clear, and what sealed.
    Kinds,
    /// The host's frames that follow lost ones.
    Lost,
    /// Frames that do not open.
    Shut,
    /// Frames that came before.
    Replayed,
    /// Clear messages that must be sealed.
    ClearIgnored,
    /// Each answer is used once.
    AnswerOnce,
    /// The session's keys are drawn from both shares.
    Exchange,
    /// Each share is used once.
    ShareOnce,
    /// Nothing is said to a share without the host's proof.
    ProvedOnly,
    /// What the device runs.
    Image,
    /// Pairing of a device without a key.
    Pairs,
    /// A key that is held is kept.
    KeepsKey,
    /// The epoch is random.
    Epoch,
    /// Ring and epoch outlive a reset.
    RingKept,
    /// Starts are counted.
    Boots,
    /// The first event of a start.
    Fresh,
    /// The first hello of a start.
    FirstHello,
    /// A hello each second until opened.
    HelloEvery,
    /// A hello for any hello.
    AnyHello,
    /// What a device without a key says.
    Unpaired,
    /// Answer, then ready.
    Answers,
    /// The same challenge again.
    SameChallenge,
    /// Another share to an answer that has its session.
    OneSession,
    /// The waiting session has the other mark.
    OtherMark,
    /// A session outlives what anybody may say.
    Lives,
    /// No event while a session waits.
    Waits,
    /// One session waits.
    OneWaits,
    /// The waiting session takes the other's place.
    TakesPlace,
    /// What was to be said in a session that ends.
    Dropped,
    /// The answer to a sealed hello.
    SealedHello,
    /// Acknowledgements of another epoch.
    OtherEpoch,
    /// What is acknowledged is forgotten.
    Forgets,
    /// What was never given out is not acknowledged.
    NeverGiven,
    /// No event before it is opened.
    BeforeOpen,
    /// Each event once, in order.
    Once,
    /// Events not acknowledged, at the most.
    Window,
    /// When events are sent again.
    Resends,
    /// An event that comes again is the same.
    Same,
    /// A ping is answered at once.
    Ping,
    /// The newest event is named.
    Newest,
    /// The answer to an offer.
    Offered,
    /// The proof that it knows its code.
    CodeProof,
    /// Each offer gets a share of its own.
    ShareAnew,
    /// A share that leads to one secret.
    WeakOffer,
    /// Confirms that are not due.
    OtherConfirm,
    /// No key in the clear where there is a code.
    NotInClear,
    /// What it does with a key before it says anything.
    BeginsAnew,
    /// What it saw before it was paired.
    Emptied,
    /// The key that both ends have drawn.
    CodedKey,
    /// Who has a key pairs with nobody.
    TakesNoPart,
}

/// The section of the page, with the number of the rule where it has rules, and what it asks in short.
#[derive(Debug, Clone, Copy)]
pub struct Asked {
    /// Which duty.
    pub duty: Duty,
    /// Section, or section and rule: `5.3`.
    pub section: &'static str,
    /// What is asked.
    pub says: &'static str,
}

const fn asks(duty: Duty, section: &'static str, says: &'static str) -> Asked {
    Asked { duty, section, says }
}

/// Every duty, in the order of the page.
pub const DUTIES: [Asked; 77] = [
    asks(Duty::Line, "1", "what comes over the line is frames"),
    asks(Duty::Zeros, "2", "a zero before and a zero after each frame"),
    asks(Duty::Cobs, "2", "COBS, cut at zeros and at 254 bytes"),
    asks(Duty::Checksum, "2", "CRC-32C of the body, least significant byte first"),
    asks(Duty::Longest, "2", "no frame has more than 342 bytes between its zeros"),
    asks(Duty::Noise, "2", "noise before a frame is shed by its first zero"),
    asks(Duty::Damaged, "2", "damaged, cut and overlong frames are dropped unanswered"),
    asks(Duty::WholeBody, "2", "a body counts only when the message uses all of it"),
    asks(Duty::Unknown, "2", "a message of no known kind is dropped unanswered"),
    asks(Duty::Messages, "3", "messages are those of the schema"),
    asks(Duty::Shortest, "3", "numbers are written in their shortest form"),
    asks(Duty::Version, "3", "version 4 of the link, and its schema"),
    asks(Duty::Serial, "3", "a serial number of 1 to 16 printable ASCII characters"),
    asks(Duty::Identity, "3", "every hello says the same, in clear and sealed"),
    asks(Duty::Oldest, "3", "the oldest event it holds, or the next to come"),
    asks(Duty::Numbered, "3", "events are numbered from 1, without gaps"),
    asks(Duty::Monotonic, "3", "its clock never goes back"),
    asks(Duty::Milliseconds, "3", "its clock shows whole milliseconds, not coarser"),
    asks(Duty::Pace, "3", "its clock runs from its start at the pace of time"),
    asks(Duty::Values, "3", "numbers of cards, boxes and chips mean something"),
    asks(Duty::OwnRole, "3", "it tells what its own role sees, or of itself"),
    asks(Duty::Image, "3", "the hash of what it runs stays what it is"),
    asks(Duty::Proof, "4", "the greeting's secrets and the proof"),
    asks(Duty::Mark, "4", "the mark is 54 and the lowest bit of the answer"),
    asks(Duty::Counter, "4", "its counter begins at 1 and goes up by one a frame"),
    asks(Duty::LongCounter, "4", "its counter goes on past 65,535 within a session"),
    asks(Duty::Opens, "4", "what it seals opens with its key to the host"),
    asks(Duty::Padding, "4", "zeros up to 20, 48, 88, 184 or 317 bytes"),
    asks(Duty::Kinds, "4", "clear is what may be clear, and all else is sealed"),
    asks(Duty::Lost, "4", "a frame opens though those before it were lost"),
    asks(Duty::Shut, "4", "a frame that does not open changes nothing"),
    asks(Duty::Replayed, "4", "no frame is taken twice or after a later one"),
    asks(Duty::ClearIgnored, "4", "what must come sealed is ignored in clear"),
    asks(Duty::AnswerOnce, "4", "each challenge gets an answer never used before"),
    asks(Duty::Exchange, "4", "the session's keys are drawn from both shares"),
    asks(Duty::ShareOnce, "4", "each session has a share never used before"),
    asks(Duty::Pairs, "4", "a device without a key obeys a pairing"),
    asks(Duty::KeepsKey, "4", "a device with a key obeys none"),
    asks(Duty::Boots, "5", "it counts how often it has started"),
    asks(Duty::RingKept, "5", "ring, epoch and numbers outlive a reset"),
    asks(Duty::Epoch, "5.1", "the epoch is random, and no count of starts"),
    asks(Duty::Fresh, "5.1", "numbers go on, and the first of a start is named"),
    asks(Duty::FirstHello, "5.2", "it says hello at once when it starts"),
    asks(Duty::HelloEvery, "5.2", "a hello every 1000 ms until it is opened"),
    asks(Duty::AnyHello, "5.3", "a clear hello gets a hello, whatever it names"),
    asks(Duty::Unpaired, "5.3", "without a key a challenge gets unpaired"),
    asks(Duty::Answers, "5.3", "a challenge gets an answer, a share one and running"),
    asks(Duty::ProvedOnly, "5.3", "a share without the host's proof gets nothing"),
    asks(Duty::SameChallenge, "5.3", "the same challenge and share get the same again"),
    asks(Duty::OneSession, "5.3", "another share to the same answer gets nothing"),
    asks(Duty::OtherMark, "5.3", "a session that waits has the other mark"),
    asks(Duty::Lives, "5.3", "a session outlives a clear hello and a challenge"),
    asks(Duty::Waits, "5.3", "no event from its share on until a frame opens"),
    asks(Duty::OneWaits, "5.3", "a newer session takes the place of one that waits"),
    asks(Duty::TakesPlace, "5.3", "the first frame of it that opens ends the other"),
    asks(Duty::Dropped, "5.3", "what waits in a session that ends is said in none"),
    asks(Duty::SealedHello, "5.3", "a sealed hello gets running, then all again"),
    asks(Duty::OtherEpoch, "5.4", "an acknowledgement of another epoch does nothing"),
    asks(Duty::Forgets, "5.4", "what is acknowledged is forgotten"),
    asks(Duty::NeverGiven, "5.4", "a number never given out acknowledges nothing"),
    asks(Duty::BeforeOpen, "5.5", "no event before it is opened"),
    asks(Duty::Once, "5.5", "events come in order, each once"),
    asks(Duty::Window, "5.5", "at most 32 events are not acknowledged"),
    asks(Duty::Resends, "5.6", "sent again after 250 ms, doubling up to 2000 ms"),
    asks(Duty::Same, "5.6", "an event sent again is what it was"),
    asks(Duty::Ping, "5.7", "a ping is answered at once, also before it is opened"),
    asks(Duty::Newest, "5.7", "an answer names the ring's newest event"),
    asks(Duty::Offered, "12", "an offer gets a share, the same offer the same"),
    asks(Duty::CodeProof, "12", "it proves that it knows the code on its housing"),
    asks(Duty::ShareAnew, "12", "each offer gets a share never used before"),
    asks(Duty::WeakOffer, "12", "an offer that makes no secret gets nothing"),
    asks(Duty::OtherConfirm, "12", "a confirm that is not due, or comes again, does nothing"),
    asks(Duty::NotInClear, "12", "with a code it takes no key in the clear"),
    asks(Duty::BeginsAnew, "12", "paired: another epoch, numbers from 1, a hello first"),
    asks(Duty::Emptied, "12", "paired: nothing that it saw before is left"),
    asks(Duty::CodedKey, "12", "its key is the one that both ends have drawn"),
    asks(Duty::TakesNoPart, "12", "with a key it answers no offer"),
];

/// What the page asks and the line does not show.
pub const OUTSIDE: [(&str, &str); 9] = [
    ("3", "that what it tells is what it saw, when it saw it"),
    ("4", "that a new key is kept through a power cut before it answers"),
    ("5.1", "that no two rings have one epoch, nor two starts one answer"),
    ("5.8", "a full ring: RingFull, sensors at rest, nothing dropped"),
    ("5.9", "that a display shows what it is sent, and that nobody speaks to it"),
    ("5.10", "that sensors are read while the line is busy"),
    ("7", "a reset in the middle of writing the ring"),
    ("12", "that its code is as random as it looks, and nowhere but on its housing"),
    ("13", "that it keeps the last checkpoint it was shown, where it keeps any"),
];

impl Duty {
    /// What the page says of it.
    #[must_use]
    pub fn asked(self) -> &'static Asked {
        // every duty stands in the list, which a test holds
        DUTIES.iter().find(|asked| asked.duty == self).unwrap_or(&DUTIES[0])
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{DUTIES, Duty, OUTSIDE};

    const PAGE: &str = include_str!("../../../docs/wire-protocol.md");

    #[test]
    fn every_duty_is_asked_once_in_the_order_of_the_page() {
        let every: BTreeSet<Duty> = DUTIES.iter().map(|asked| asked.duty).collect();
        assert_eq!((every.len(), every.last()), (DUTIES.len(), Some(&Duty::TakesNoPart)));
        assert_eq!(Duty::TakesNoPart as usize + 1, DUTIES.len());
        assert!(every.iter().all(|duty| duty.asked().duty == *duty));
        let place = |section: &str| -> Vec<u32> { section.split('.').map(|part| part.parse().unwrap()).collect() };
        assert!(DUTIES.iter().map(|asked| place(asked.section)).is_sorted());
        assert!(OUTSIDE.iter().map(|outside| place(outside.0)).is_sorted());
    }

    #[test]
    fn every_section_and_rule_that_is_named_stands_in_the_page() {
        for section in DUTIES.iter().map(|asked| asked.section).chain(OUTSIDE.iter().map(|outside| outside.0)) {
            let (section, rule) = section.split_once('.').unwrap_or((section, ""));
            let (_, text) = PAGE.split_once(&format!("\n## {section}. ")).expect("a section");
            let text = text.split("\n## ").next().unwrap_or_default();
            assert!(rule.is_empty() || text.contains(&format!("\n{rule}. ")), "{section}, rule {rule}");
        }
    }
}
