//! Simulated sensors: what the firmware's traits read, and how an observation moves them.
//!
//! A step is one movement; the device is polled between two steps, so that each is seen by itself.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::convert::Infallible;
use std::rc::Rc;

use sabot_firmware::chips::{CardSighting, ChipAntenna, ReadFault, Spot};
use sabot_firmware::display::Panel;
use sabot_firmware::embedded_hal::digital::{ErrorType, InputPin, OutputPin};
use sabot_firmware::keypad::Entries;
use sabot_firmware::shoe::{CardReader, Load, LoadSensor, Passed, ReaderFault};
use sabot_firmware::shuffler::CardCounter;
use sabot_law::table::place::{MAX_BOXES, MAX_HANDS};
use sabot_wire::heapless;
use sabot_wire::message::{
    BetSpot, Chip, ChipsSaw, DISPLAY_ROWS, DeviceState, KeypadSaid, MAX_CHIPS, ShoeSaw, ShufflerSaw,
};

/// One movement of a sensor.
pub(super) type Step = Box<dyn FnOnce()>;

/// A pin: high or low, moved by the simulator or by the device.
#[derive(Debug, Clone, Default)]
pub(super) struct Pin(Rc<Cell<bool>>);

impl Pin {
    pub(super) fn high() -> Self {
        Self(Rc::new(Cell::new(true)))
    }

    pub(super) fn is(&self) -> bool {
        self.0.get()
    }

    fn put(&self, high: bool) -> Step {
        let pin = Rc::clone(&self.0);
        Box::new(move || pin.set(high))
    }
}

impl ErrorType for Pin {
    type Error = Infallible;
}

impl InputPin for Pin {
    fn is_high(&mut self) -> Result<bool, Infallible> {
        Ok(self.0.get())
    }

    fn is_low(&mut self) -> Result<bool, Infallible> {
        Ok(!self.0.get())
    }
}

impl OutputPin for Pin {
    fn set_high(&mut self) -> Result<(), Infallible> {
        self.0.set(true);
        Ok(())
    }

    fn set_low(&mut self) -> Result<(), Infallible> {
        self.0.set(false);
        Ok(())
    }
}

/// A queue that the simulator fills and a sensor empties.
#[derive(Debug)]
pub(super) struct Feed<T>(Rc<RefCell<VecDeque<T>>>);

impl<T> Clone for Feed<T> {
    fn clone(&self) -> Self {
        Self(Rc::clone(&self.0))
    }
}

impl<T> Default for Feed<T> {
    fn default() -> Self {
        Self(Rc::default())
    }
}

impl<T: 'static> Feed<T> {
    fn put(&self, thing: T) -> Step {
        let feed = self.clone();
        Box::new(move || feed.0.borrow_mut().push_back(thing))
    }

    fn take(&self) -> Option<T> {
        self.0.borrow_mut().pop_front()
    }
}

impl CardReader for Feed<Result<Passed, ReaderFault>> {
    fn passed(&mut self) -> Result<Option<Passed>, ReaderFault> {
        self.take().transpose()
    }
}

impl LoadSensor for Feed<Load> {
    fn loaded(&mut self) -> Option<Load> {
        self.take()
    }
}

impl Entries for Feed<KeypadSaid> {
    fn next(&mut self) -> Option<KeypadSaid> {
        self.take()
    }
}

/// The shoe's surroundings.
#[derive(Debug, Clone, Default)]
pub(super) struct ShoeWorld {
    pub(super) mouth: Feed<Result<Passed, ReaderFault>>,
    pub(super) bed: Feed<Load>,
    pub(super) gate_open: Pin,
    pub(super) lid_open: Pin,
    pub(super) housing_open: Pin,
    pub(super) do_not_draw: Pin,
}

impl ShoeWorld {
    pub(super) fn steps(&self, saw: ShoeSaw) -> Vec<Step> {
        match saw {
            ShoeSaw::Drawn(card) => vec![self.mouth.put(Ok(Passed::Card(card)))],
            ShoeSaw::CutCard => vec![self.mouth.put(Ok(Passed::CutCard))],
            // a card against the gate, then none
            ShoeSaw::Empty => vec![self.gate_open.put(false), self.gate_open.put(true)],
            ShoeSaw::Loaded { cards, cut_card } => {
                vec![self.gate_open.put(false), self.bed.put(Load { cards, cut_card })]
            }
        }
    }

    pub(super) fn state_steps(&self, state: DeviceState) -> Vec<Step> {
        match state {
            DeviceState::LidOpen => vec![self.lid_open.put(true)],
            DeviceState::LidClosed => vec![self.lid_open.put(false)],
            DeviceState::ReadError => vec![self.mouth.put(Err(ReaderFault::Unreadable))],
            DeviceState::Jam => vec![self.mouth.put(Err(ReaderFault::Stuck))],
            DeviceState::Tamper => vec![self.housing_open.put(true), self.housing_open.put(false)],
            DeviceState::RingFull | DeviceState::RingFree => Vec::new(), // no sensor's doing
        }
    }
}

/// The shuffler's surroundings.
#[derive(Debug, Clone)]
pub(super) struct ShufflerWorld {
    pub(super) counter: Counter,
    pub(super) door_open: Pin,
    pub(super) ready: Pin,
    pub(super) fault: Pin,
}

/// Card counter and deck selector of the simulated shuffler.
#[derive(Debug, Clone, Default)]
pub(super) struct Counter {
    cards: Rc<Cell<u16>>,
    decks: Rc<Cell<u8>>,
}

impl CardCounter for Counter {
    fn counted(&mut self) -> u16 {
        self.cards.take()
    }

    fn decks(&mut self) -> u8 {
        self.decks.get()
    }
}

impl Default for ShufflerWorld {
    fn default() -> Self {
        Self { counter: Counter::default(), door_open: Pin::default(), ready: Pin::high(), fault: Pin::default() }
    }
}

impl ShufflerWorld {
    pub(super) fn steps(&self, saw: ShufflerSaw) -> Vec<Step> {
        match saw {
            ShufflerSaw::Done { decks, cards } => {
                let Counter { cards: counted, decks: set } = self.counter.clone();
                let count: Step = Box::new(move || {
                    counted.set(cards);
                    set.set(decks);
                });
                vec![self.ready.put(false), count, self.ready.put(true)]
            }
            ShufflerSaw::DoorOpen => vec![self.door_open.put(true)],
            ShufflerSaw::DoorClosed => vec![self.door_open.put(false)],
            ShufflerSaw::Jam => vec![self.fault.put(true), self.fault.put(false)],
        }
    }
}

const SPOTS: usize = 4;
/// Antennas of the simulated felt.
pub(super) const ANTENNAS: usize = MAX_BOXES * MAX_HANDS * SPOTS;

/// The antenna under a spot.
pub(super) fn spot_index(box_no: u8, hand: u8, spot: BetSpot) -> Option<usize> {
    let box_at = usize::from(box_no).checked_sub(1).filter(|at| *at < MAX_BOXES)?;
    let hand = Some(usize::from(hand)).filter(|hand| *hand < MAX_HANDS)?;
    Some((box_at * MAX_HANDS + hand) * SPOTS + spot as usize)
}

/// Where each antenna lies; the inverse of [`spot_index`].
pub(super) fn antennas() -> [Spot; ANTENNAS] {
    const ORDER: [BetSpot; SPOTS] = [BetSpot::Main, BetSpot::Double, BetSpot::Split, BetSpot::Insurance];
    std::array::from_fn(|at| Spot {
        box_no: (at / (MAX_HANDS * SPOTS) + 1) as u8,
        hand: (at / SPOTS % MAX_HANDS) as u8,
        spot: ORDER[at % SPOTS],
    })
}

type Inventory = heapless::Vec<Chip, MAX_CHIPS>;

/// The felt over the chip reader.
#[derive(Debug, Clone)]
pub(super) struct FeltWorld {
    chips: Rc<RefCell<Vec<Inventory>>>,
    cards: Feed<CardSighting>,
}

impl Default for FeltWorld {
    fn default() -> Self {
        Self { chips: Rc::new(RefCell::new(vec![Inventory::new(); ANTENNAS])), cards: Feed::default() }
    }
}

impl FeltWorld {
    pub(super) fn steps(&self, saw: ChipsSaw) -> Vec<Step> {
        vec![match saw {
            ChipsSaw::Spot { box_no, hand, spot, chips } => {
                let felt = Rc::clone(&self.chips);
                Box::new(move || {
                    let mut felt = felt.borrow_mut();
                    if let Some(place) = spot_index(box_no, hand, spot).and_then(|at| felt.get_mut(at)) {
                        *place = chips;
                    }
                })
            }
            ChipsSaw::CardArrived { place, face } => self.cards.put(CardSighting::Arrived(place, face)),
            ChipsSaw::CardTurned { place } => self.cards.put(CardSighting::Turned(place)),
            ChipsSaw::CardsMoved { from, to, cards } => self.cards.put(CardSighting::Moved { from, to, cards }),
        }]
    }
}

impl ChipAntenna for FeltWorld {
    fn chips(&mut self, index: usize, chips: &mut Inventory) -> Result<(), ReadFault> {
        chips.clone_from(self.chips.borrow().get(index).ok_or(ReadFault)?);
        Ok(())
    }

    fn card(&mut self) -> Option<CardSighting> {
        self.cards.take()
    }
}

/// The keypad's surroundings: a hand.
pub(super) type KeypadEntries = Feed<KeypadSaid>;

impl KeypadEntries {
    pub(super) fn steps(&self, said: KeypadSaid) -> Vec<Step> {
        vec![self.put(said)]
    }
}

/// The display's panel.
#[derive(Debug, Clone)]
pub(super) struct SimulatedPanel(pub(super) Rc<RefCell<Vec<String>>>);

impl Default for SimulatedPanel {
    fn default() -> Self {
        Self(Rc::new(RefCell::new(vec![String::new(); DISPLAY_ROWS])))
    }
}

impl Panel for SimulatedPanel {
    fn line(&mut self, row: u8, text: &str) {
        if let Some(line) = self.0.borrow_mut().get_mut(usize::from(row)) {
            text.clone_into(line);
        }
    }

    fn clear(&mut self) {
        self.0.borrow_mut().iter_mut().for_each(String::clear);
    }
}
