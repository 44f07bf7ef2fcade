//! A device of the firmware with its simulated sensors, and what of it survives a power cycle.

use sabot_firmware::FIRMWARE;
use sabot_firmware::chips::{ChipReader, Reported};
use sabot_firmware::display::{self, Display};
use sabot_firmware::keypad::Keypad;
use sabot_firmware::link::Link;
use sabot_firmware::shoe::{self, Load, Passed, ReaderFault, Shoe};
use sabot_firmware::shuffler::{self, Shuffler};
use sabot_wire::device::{Device, Identity};
use sabot_wire::message::{Image, Key, Lamp, Observation, Role, Started};
use sabot_wire::pairing::Code;
use sabot_wire::ring::Ring;

use super::sensors::{
    ANTENNAS, Counter, Feed, FeltWorld, KeypadEntries, Pin, ShoeWorld, ShufflerWorld, SimulatedPanel, Step, antennas,
};
use super::status::{RingLost, TwinStatus};
use super::uart::Uart;

/// Simulated contacts do not bounce, and simulated chips are put down at once: a script opens and closes a contact, and
/// deals after a bet, sooner than either would have come to rest.
const REST_MS: u32 = 0;

type Memory = Vec<u8>;

/// What a power cycle leaves.
#[derive(Debug)]
pub(super) struct Retained {
    ring: Memory,
    reported: Reported<ANTENNAS>,
    boots: u32,
    /// The key it was given, where it was.
    key: Option<Key>,
}

impl Retained {
    /// Of a device that never had power, with a ring of so many bytes; it was given this key, where it was paired.
    pub(super) fn of_paired(ring_bytes: usize, key: Option<Key>) -> Self {
        Self { ring: vec![0; ring_bytes], reported: Reported::nothing(), boots: 0, key }
    }
}

type TwinShoe = Shoe<Feed<Result<Passed, ReaderFault>>, Feed<Load>, Pin, Pin, Uart, Memory>;

/// The world a device sensors: it outlives the device's power.
#[derive(Debug)]
pub(super) enum World {
    Shoe(ShoeWorld),
    Shuffler(ShufflerWorld),
    Chips(FeltWorld),
    Keypad(KeypadEntries),
    Display(SimulatedPanel),
}

impl World {
    pub(super) fn of(role: Role) -> Self {
        match role {
            Role::Shoe => Self::Shoe(ShoeWorld::default()),
            Role::Shuffler => Self::Shuffler(ShufflerWorld::default()),
            Role::Chips => Self::Chips(FeltWorld::default()),
            Role::Keypad => Self::Keypad(KeypadEntries::default()),
            Role::Display => Self::Display(SimulatedPanel::default()),
        }
    }

    const fn role(&self) -> Role {
        match self {
            Self::Shoe(_) => Role::Shoe,
            Self::Shuffler(_) => Role::Shuffler,
            Self::Chips(_) => Role::Chips,
            Self::Keypad(_) => Role::Keypad,
            Self::Display(_) => Role::Display,
        }
    }

    /// How the sensors move so that the device sees this. Nothing where it has no such sensor.
    pub(super) fn steps(&self, saw: Observation) -> Vec<Step> {
        match (self, saw) {
            (Self::Shoe(world), Observation::Shoe(saw)) => world.steps(saw),
            (Self::Shoe(world), Observation::Device(state)) => world.state_steps(state),
            (Self::Shuffler(world), Observation::Shuffler(saw)) => world.steps(saw),
            (Self::Chips(world), Observation::Chips(saw)) => world.steps(saw),
            (Self::Keypad(world), Observation::Keypad(said)) => world.steps(said),
            _ => Vec::new(),
        }
    }
}

/// A device that has power.
pub(super) enum PoweredDevice {
    Shoe(TwinShoe),
    Shuffler(Shuffler<Counter, Pin, Uart, Memory>),
    Chips(Box<ChipReader<FeltWorld, Uart, Memory, ANTENNAS>>),
    Keypad(Keypad<KeypadEntries, Uart, Memory>),
    Display {
        display: Display<SimulatedPanel, Pin, Uart, Memory>,
        panel: SimulatedPanel,
        red: Pin,
        amber: Pin,
        green: Pin,
        buzzer: Pin,
    },
}

/// A number that no twin drew before.
fn fresh() -> u64 {
    use std::hash::{BuildHasher, Hasher, RandomState};
    RandomState::new().build_hasher().finish()
}

impl PoweredDevice {
    /// Gives a device power, in this world and on this UART.
    ///
    /// # Errors
    /// Never with the memory of [`Retained`]; the ring's own error otherwise.
    pub(super) fn start(
        world: &World,
        uart: Uart,
        retained: Retained,
        code: Option<Code>,
    ) -> Result<Self, sabot_wire::ring::RingTooSmall> {
        let (ring, _) = Ring::restore(retained.ring, fresh() as u32)?;
        let role = world.role();
        let serial = sabot_wire::heapless::String::try_from(serial(role)).unwrap_or_default();
        let (boots, entropy) = (retained.boots + 1, u128::from(fresh()).to_le_bytes());
        let (started, key) = (Started::Power, retained.key);
        // a program is told by its name and version: a twin has no image of its own
        let image = Image::of([&b"sabot twin"[..], role.name().as_bytes(), &FIRMWARE]);
        let identity = Identity { role, serial, firmware: FIRMWARE, image, boots, started, key, entropy };
        let device = Device::new(identity, ring).with_code(code);
        Ok(match world {
            World::Shoe(world) => {
                let world = world.clone();
                let parts = shoe::Parts {
                    reader: world.mouth,
                    load: world.bed,
                    gate_open: world.gate_open,
                    lid_open: world.lid_open,
                    housing_open: world.housing_open,
                    do_not_draw: world.do_not_draw,
                    rest_ms: REST_MS,
                };
                Self::Shoe(Shoe::new(parts, uart, device))
            }
            World::Shuffler(world) => {
                let ShufflerWorld { counter, door_open, ready, fault } = world.clone();
                let parts = shuffler::Parts { counter, door_open, ready, fault, rest_ms: REST_MS };
                Self::Shuffler(Shuffler::new(parts, uart, device))
            }
            World::Chips(felt) => {
                let reader = ChipReader::new(felt.clone(), antennas(), REST_MS, retained.reported, uart, device);
                Self::Chips(Box::new(reader))
            }
            World::Keypad(hand) => Self::Keypad(Keypad::new(hand.clone(), uart, device)),
            World::Display(panel) => {
                let (red, amber, green, buzzer) = <(Pin, Pin, Pin, Pin)>::default();
                let parts = display::Parts {
                    panel: panel.clone(),
                    red: red.clone(),
                    amber: amber.clone(),
                    green: green.clone(),
                    buzzer: buzzer.clone(),
                };
                let display = Display::new(parts, uart, device);
                Self::Display { display, panel: panel.clone(), red, amber, green, buzzer }
            }
        })
    }

    pub(super) fn poll(&mut self, now_ms: u32) {
        match self {
            Self::Shoe(shoe) => shoe.poll(now_ms),
            Self::Shuffler(shuffler) => shuffler.poll(now_ms),
            Self::Chips(chips) => chips.poll(now_ms),
            Self::Keypad(keypad) => keypad.poll(now_ms),
            Self::Display { display, .. } => display.poll(now_ms),
        }
    }

    const fn link(&self) -> &Link<Uart, Memory> {
        match self {
            Self::Shoe(shoe) => &shoe.link,
            Self::Shuffler(shuffler) => &shuffler.link,
            Self::Chips(chips) => &chips.link,
            Self::Keypad(keypad) => &keypad.link,
            Self::Display { display, .. } => &display.link,
        }
    }

    const fn link_mut(&mut self) -> &mut Link<Uart, Memory> {
        match self {
            Self::Shoe(shoe) => &mut shoe.link,
            Self::Shuffler(shuffler) => &mut shuffler.link,
            Self::Chips(chips) => &mut chips.link,
            Self::Keypad(keypad) => &mut keypad.link,
            Self::Display { display, .. } => &mut display.link,
        }
    }

    /// The key that the device was given since this was last asked.
    pub(super) const fn take_new_key(&mut self) -> Option<Key> {
        self.link_mut().take_new_key()
    }

    /// Somebody holds the pairing switch.
    pub(super) const fn allow_pairing(&mut self) {
        self.link_mut().allow_pairing(true);
    }

    /// Whether a sensor may move: what it shows has a place.
    pub(super) fn ready(&self) -> bool {
        self.link().ready()
    }

    /// Events not acknowledged.
    pub(super) fn held(&self) -> usize {
        self.link().device().ring().len() as usize
    }

    /// What its ring is as the power goes, and the ring with it.
    pub(super) fn ring_lost(&self) -> RingLost {
        let ring = self.link().device().ring();
        RingLost { epoch: ring.epoch(), acknowledged: ring.oldest() - 1, last: ring.next() - 1 }
    }

    /// Tells the board what the display shows.
    pub(super) fn show_on(&self, status: &TwinStatus) {
        let Self::Display { panel, red, amber, green, buzzer, .. } = self else { return };
        let lamp = match (red.is(), amber.is(), green.is()) {
            (true, ..) => Lamp::Red,
            (_, true, _) => Lamp::Amber,
            (.., true) => Lamp::Green,
            _ => Lamp::Off,
        };
        status.shows(&panel.0.borrow(), lamp, buzzer.is());
    }

    /// Takes the power away.
    pub(super) fn stop(self, boots: u32, key: Option<Key>) -> Retained {
        let (link, reported) = match self {
            Self::Shoe(shoe) => (shoe.link, Reported::nothing()),
            Self::Shuffler(shuffler) => (shuffler.link, Reported::nothing()),
            Self::Chips(chips) => chips.into_parts(),
            Self::Keypad(keypad) => (keypad.link, Reported::nothing()),
            Self::Display { display, .. } => (display.link, Reported::nothing()),
        };
        Retained { ring: link.into_parts().1, reported, boots, key }
    }
}

/// Serial number of the simulated device of a role.
#[must_use]
pub const fn serial(role: Role) -> &'static str {
    match role {
        Role::Shoe => "TWIN-SHOE",
        Role::Shuffler => "TWIN-SHUFFLER",
        Role::Chips => "TWIN-CHIPS",
        Role::Keypad => "TWIN-KEYPAD",
        Role::Display => "TWIN-DISPLAY",
    }
}
