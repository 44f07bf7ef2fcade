//! What happens between a reader and its tags: how long an inventory takes, and which tags it misses.
//!
//! The times are those of ISO 15693 with one subcarrier: 16 slots a request, by the lowest four bits of the identifiers
//! that are not told apart yet; slots in which several tags answer are asked again with those bits as a mask.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// A bit from the reader, 1 out of 4, microseconds.
const REQUEST_BIT_US: f64 = 37.76;
/// Flags, command, length of the mask and checksum.
const REQUEST_BITS: u32 = 40;
/// Start and end of a request.
const REQUEST_FRAME_US: f64 = 113.3;
/// A bit from a tag at the high data rate.
const ANSWER_BIT_US: f64 = 37.76;
/// Flags, DSFID, identifier and checksum.
const ANSWER_BITS: u32 = 96;
/// Start and end of an answer, in bits.
const ANSWER_FRAME_BITS: u32 = 8;
/// A tag waits so long before it answers.
const T1_US: f64 = 320.9;
/// The reader waits so long after an answer.
const T2_US: f64 = 309.2;
/// The mark that begins the next slot.
const MARK_US: f64 = 37.8;
const SLOTS: usize = 16;
/// At the low data rate all takes so many times as long.
const LOW_RATE: f64 = 4.0;
/// Tags over one antenna that do not detune it.
const CLEAR_STACK: u32 = 20;
/// A hand over the antenna: so many more are missed, of a thousand.
const HAND: u32 = 900;

/// How well tags are heard.
#[derive(Debug, Clone, Copy)]
pub(super) struct Air {
    /// Tags answer at the high data rate.
    pub(super) is_fast: bool,
    /// Of a thousand times that a tag is to be read, it is missed so often.
    pub(super) miss: u32,
    /// The same, more for each tag beyond twenty.
    pub(super) stack: u32,
}

impl Air {
    pub(super) const GOOD: Self = Self { is_fast: true, miss: 30, stack: 1 };

    /// Whether a tag among so many over its antenna is missed now.
    pub(super) fn misses(self, random: &mut ChaCha8Rng, tags: u32, is_under_hand: bool) -> bool {
        let detuned = self.stack * tags.saturating_sub(CLEAR_STACK) + if is_under_hand { HAND } else { 0 };
        random.random_range(0..1000) < (self.miss + detuned).min(1000)
    }

    /// How long it takes to find tags with these identifiers, milliseconds.
    pub(super) fn inventory_ms(self, uids: &[u64]) -> u64 {
        let us = search_us(uids, 0) * if self.is_fast { 1.0 } else { LOW_RATE };
        std::time::Duration::from_secs_f64(us / 1e6).as_millis().try_into().unwrap_or(u64::MAX)
    }
}

/// How long it takes at the high data rate, microseconds, among tags whose lowest bits are known.
fn search_us(uids: &[u64], known_bits: u32) -> f64 {
    let answer = T1_US + ANSWER_BIT_US * f64::from(ANSWER_BITS + ANSWER_FRAME_BITS) + T2_US;
    let silence = T1_US + ANSWER_BIT_US * f64::from(ANSWER_FRAME_BITS / 2);
    let mut us = REQUEST_FRAME_US + REQUEST_BIT_US * f64::from(REQUEST_BITS + known_bits);
    let mut slots: [Vec<u64>; SLOTS] = Default::default();
    for &uid in uids {
        if let Some(slot) = slots.get_mut((uid >> known_bits & 0xF) as usize) {
            slot.push(uid);
        }
    }
    for slot in &slots {
        us += MARK_US + if slot.is_empty() { silence } else { answer };
    }
    let unresolved = slots.iter().filter(|slot| slot.len() > 1 && known_bits < 60);
    us + unresolved.map(|slot| search_us(slot, known_bits + 4)).sum::<f64>()
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;

    /// The mean of an inventory of so many tags with identifiers at random.
    fn mean_ms(air: Air, tags: usize) -> u64 {
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let rounds = 200;
        let one = |random: &mut ChaCha8Rng| {
            let uids: Vec<u64> = (0..tags).map(|_| random.random()).collect();
            air.inventory_ms(&uids)
        };
        (0..rounds).map(|_| one(&mut random)).sum::<u64>() / rounds
    }

    #[test]
    fn twenty_tags_take_what_the_makers_figures_say() {
        let fast = mean_ms(Air::GOOD, 20);
        assert!((160..=200).contains(&fast), "{fast} ms");
        let slow = mean_ms(Air { is_fast: false, ..Air::GOOD }, 20);
        assert!((4 * fast..4 * fast + 8).contains(&slow), "{slow} ms");
        assert!(mean_ms(Air::GOOD, 0) < 15);
        let sixty = mean_ms(Air::GOOD, 60);
        assert!((3 * fast - 100..3 * fast + 100).contains(&sixty), "{sixty} ms");
    }

    #[test]
    fn stacks_and_hands_make_a_reader_deaf() {
        let mut random = ChaCha8Rng::seed_from_u64(2);
        let mut missed = |tags, hand| (0..10_000).filter(|_| Air::GOOD.misses(&mut random, tags, hand)).count();
        assert!((250..350).contains(&missed(20, false)));
        assert!((600..800).contains(&missed(60, false)));
        assert!((9_200..9_400).contains(&missed(1, true)));
    }
}
