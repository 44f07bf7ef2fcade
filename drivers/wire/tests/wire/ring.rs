//! The ring of unacknowledged events: what it holds, and what of it survives a reset at any moment.
use proptest::prelude::*;
use sabot_wire::frame::{MAX_CHECKED, check_out};
use sabot_wire::message::{Card, Observation, ShoeSaw, ToHost};
use sabot_wire::ring::{MIN_RING, Restored, Ring, RingTooSmall};
use sabot_wire::witness::{Checkpoint, Keeps};

const BYTES: usize = MIN_RING + 37;
const HEADERS: usize = 2 * 36;
/// Bytes before the entries: two headers, three checkpoints.
const FRONT: usize = HEADERS + 3 * 64;
type Memory = [u8; BYTES];

fn checkpoint(record: u8, lines: u64, root: u8) -> Checkpoint {
    Checkpoint { record: [record; 16], lines, root: [root; 32] }
}

fn drawn(card: u8) -> Observation {
    Observation::Shoe(ShoeSaw::Drawn(Card::from_code(card)))
}

fn fresh() -> Ring<Memory> {
    Ring::restore([0; BYTES], 7).expect("large enough").0
}

/// Everything the ring holds: sequence numbers and cards.
fn held(ring: &mut Ring<Memory>) -> Vec<(u32, u8)> {
    (ring.oldest()..ring.next())
        .map(|seq| {
            let mut checked = [0; MAX_CHECKED];
            let length = ring.read(seq, &mut checked).expect("held");
            match check_out(&checked[..length]) {
                Some(ToHost::Event { seq, saw: Observation::Shoe(ShoeSaw::Drawn(card)), .. }) => (seq, card.code()),
                other => panic!("{other:?}"),
            }
        })
        .collect()
}

/// The memory as a reset would find it while `after` is being written over `before`: the entries are written first.
fn torn(before: &Memory, after: &Memory) -> Vec<Memory> {
    let changed: Vec<usize> = (HEADERS..BYTES).chain(0..HEADERS).filter(|at| before[*at] != after[*at]).collect();
    (0..=changed.len())
        .map(|done| {
            let mut memory = *before;
            changed[..done].iter().for_each(|at| memory[*at] = after[*at]);
            memory
        })
        .collect()
}

fn memory_of(ring: &Ring<Memory>) -> Memory {
    ring.memory().to_owned()
}

#[test]
fn memory_too_small_for_one_event_of_any_kind_is_refused() {
    assert_eq!(Ring::restore([0; MIN_RING - 1], 1).err(), Some(RingTooSmall(MIN_RING - 1)));
}

#[test]
fn memory_with_garbage_is_a_fresh_ring() {
    let garbage = std::array::from_fn(|n| (n * 31) as u8);
    let (ring, found) = Ring::<Memory>::restore(garbage, 9).expect("large enough");
    assert_eq!((found, ring.epoch(), ring.oldest(), ring.len()), (Restored::Fresh, 9, 1, 0));
}

#[test]
fn a_ring_survives_a_reset_with_everything_in_it() {
    let mut ring = fresh();
    for card in 0..30 {
        ring.push(1000, &drawn(card)).expect("room");
    }
    assert_eq!(ring.forget(7, 12), 12);
    let (mut ring, found) = Ring::restore(ring.into_memory(), 8).expect("large enough");
    assert_eq!((found, ring.epoch()), (Restored::Sound(18), 7));
    assert_eq!(held(&mut ring), (12..30).map(|card| (u32::from(card) + 1, card)).collect::<Vec<_>>());
}

#[test]
fn a_single_damaged_byte_in_what_is_held_is_noticed() {
    let mut ring = fresh();
    ring.push(1, &drawn(1)).expect("room");
    ring.push(2, &drawn(2)).expect("room");
    let used = ring.capacity() - ring.free();
    let sound = memory_of(&ring);
    for at in FRONT..FRONT + used {
        let mut memory = sound;
        memory[at] ^= 0x10;
        let (ring, found) = Ring::restore(memory, 8).expect("large enough");
        assert_eq!((found, ring.epoch(), ring.len()), (Restored::Damaged, 8, 0), "byte {at}");
    }
}

#[test]
fn a_foreign_epoch_or_an_unknown_number_forgets_nothing() {
    let mut ring = fresh();
    ring.push(1, &drawn(1)).expect("room");
    assert_eq!((ring.forget(8, 1), ring.forget(7, 0), ring.forget(7, 2), ring.forget(7, u32::MAX)), (0, 0, 0, 0));
    assert_eq!(held(&mut ring), [(1, 1)]);
    assert_eq!((ring.forget(7, 1), ring.is_empty(), ring.oldest()), (1, true, 2));
}

#[test]
fn of_the_last_record_and_of_the_one_before_the_longest_checkpoint_is_kept_beside_the_events() {
    let mut ring = fresh();
    ring.push(1, &drawn(1)).expect("room");
    assert_eq!(ring.keeps(), Keeps::default());
    let of = checkpoint;
    for (shown, last, before) in [
        (of(1, 0, 1), None, None),
        (of(1, 10, 1), Some(of(1, 10, 1)), None),
        (of(1, 9, 2), Some(of(1, 10, 1)), None),
        (of(1, 10, 2), Some(of(1, 10, 1)), None),
        (of(1, 11, 3), Some(of(1, 11, 3)), None),
        (of(1, 12, 3), Some(of(1, 12, 3)), None),
        // the day was closed, and the next one goes on
        (of(2, 1, 4), Some(of(2, 1, 4)), Some(of(1, 12, 3))),
        (of(2, 5, 4), Some(of(2, 5, 4)), Some(of(1, 12, 3))),
        (of(2, 4, 4), Some(of(2, 5, 4)), Some(of(1, 12, 3))),
        // it was cut off, and the other one shown meanwhile
        (of(1, 11, 3), Some(of(2, 5, 4)), Some(of(1, 12, 3))),
        (of(1, 12, 9), Some(of(2, 5, 4)), Some(of(1, 12, 3))),
        (of(2, 6, 4), Some(of(2, 6, 4)), Some(of(1, 12, 3))),
        // it goes on after all
        (of(1, 13, 5), Some(of(1, 13, 5)), Some(of(2, 6, 4))),
        (of(3, 1, 6), Some(of(3, 1, 6)), Some(of(1, 13, 5))),
    ] {
        ring.witness(&shown);
        assert_eq!(ring.keeps(), Keeps { last, before }, "{shown:?}");
        assert_eq!(held(&mut ring), [(1, 1)]);
    }
    let kept = ring.keeps();
    ring.begin_anew(9);
    let (ring, _) = Ring::restore(ring.into_memory(), 8).expect("large enough");
    assert_eq!((ring.epoch(), ring.keeps()), (9, kept), "they outlast a reset and an epoch");
}

#[test]
fn a_reset_while_a_checkpoint_is_kept_leaves_all_of_it_or_both_of_before() {
    let mut ring = fresh();
    ring.push(1, &drawn(1)).expect("room");
    for (record, lines) in [(1, 1), (1, 2), (2, 1), (2, 2), (2, 3), (3, 1), (2, 4), (4, 1)] {
        let (memory, before) = (memory_of(&ring), ring.keeps());
        ring.witness(&checkpoint(record, lines, lines as u8));
        let after = ring.keeps();
        assert_ne!(before, after);
        for torn in torn(&memory, &memory_of(&ring)) {
            let (mut found, how) = Ring::restore(torn, 8).expect("large enough");
            assert_eq!((how, held(&mut found)), (Restored::Sound(1), vec![(1, 1)]));
            assert!([before, after].contains(&found.keeps()), "{:?}", found.keeps());
        }
    }
}

#[test]
fn a_full_ring_refuses_and_keeps_what_it_has() {
    let mut ring = fresh();
    let mut count = 0u32;
    while ring.push(count, &drawn(3)).is_ok() {
        count += 1;
    }
    assert!(count > 30 && ring.len() == count);
    assert_eq!(ring.forget(7, 1), 1);
    assert_eq!(ring.push(count, &drawn(4)), Ok(count + 1));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    /// Steps: below 3 a card, else an acknowledgement of some of what is held. The memory is torn at every byte of
    /// every step: what comes back is what was there before it or after it, never a third thing.
    #[test]
    fn a_reset_in_the_middle_of_a_change_finds_the_ring_before_or_after_it(
        steps in prop::collection::vec(0u8..5, 1..120)
    ) {
        let mut ring = fresh();
        for (n, step) in steps.iter().enumerate() {
            let (before, held_before) = (memory_of(&ring), held(&mut ring));
            if *step < 3 {
                let _ = ring.push(n as u32, &drawn(n as u8));
            } else if !ring.is_empty() {
                let upto = ring.oldest() + u32::from(*step) * ring.len() / 8;
                ring.forget(7, upto);
            }
            let held_after = held(&mut ring);
            for memory in torn(&before, &memory_of(&ring)) {
                let (mut found, how) = Ring::restore(memory, 8).expect("large enough");
                prop_assert!(matches!(how, Restored::Sound(_)), "{:?}", how);
                let held = held(&mut found);
                prop_assert!(held == held_before || held == held_after);
            }
        }
    }
}
