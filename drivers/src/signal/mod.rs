//! Signals: lamps, buzzers and small displays that can be bought. They show what the station wants shown, and tell
//! nothing of the table.
//!
//! The station says all that is to be shown ([`SignalContent`]). Each signal's [`Session`] turns it into the bytes of
//! its make. One task a signal keeps it shown, however often the device comes and goes; newer content replaces older.

pub mod codepage;
mod content;
pub mod lr6;
pub mod model;
pub mod pns;
pub mod pole;
#[cfg(feature = "libusb")]
mod rusb_bus;
mod supervise;
pub mod usb;
mod usb_bus;

use std::net::SocketAddr;
use std::path::PathBuf;

use tokio::sync::watch;

use crate::transport::{Connect, SerialPort, TcpPort};
pub use content::{
    Attention, Buzzer, Level, Light, Lights, Look, NoLights, PARAGRAPH_CHARS, PARAGRAPHS, SignalContent,
};
use supervise::Supervisor;

/// A signal, as the configuration describes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SignalConfig {
    /// A PATLITE tower on the network that speaks PNS.
    Pns {
        /// Where it listens.
        address: SocketAddr,
        /// How it shows pictures.
        look: Look,
    },
    /// The PATLITE LR6-USB tower of this machine.
    Lr6 {
        /// How it shows pictures.
        look: Look,
    },
    /// A pole display on a serial port.
    Pole {
        /// Its port.
        port: PathBuf,
        /// Speed of the port, bits a second.
        baud: u32,
        /// What it speaks, and how.
        settings: pole::Settings,
    },
}

impl SignalConfig {
    /// Name of its driver, as the configuration writes it.
    #[must_use]
    pub const fn driver(&self) -> &'static str {
        match self {
            Self::Pns { .. } => "patlite-pns",
            Self::Lr6 { .. } => "patlite-lr6",
            Self::Pole { settings, .. } => settings.protocol.name(),
        }
    }

    /// Where it is, as a person would name it.
    #[must_use]
    pub fn place(&self) -> String {
        match self {
            Self::Pns { address, .. } => address.to_string(),
            Self::Lr6 { .. } => usb::PLACE.to_owned(),
            Self::Pole { port, .. } => port.display().to_string(),
        }
    }
}

/// How a signal is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SignalState {
    /// Not there; why, in words.
    Absent(String),
    /// The line is open; it has not answered yet.
    Connecting,
    /// There, and shows what it was told, as far as it can say.
    Shows,
    /// There, and reports a fault of its own, or shows something else than it was told.
    Faulty(DeviceFault),
}

/// What a signal's task has counted since it began.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SignalCounters {
    /// Answers that made no sense.
    pub bad_answers: u64,
    /// Times it showed something else than it was told, or refused it, and was told again.
    pub corrected: u64,
    /// Times it came back.
    pub reconnects: u64,
}

/// A fault of the line: the device cannot be heard.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LineFault {
    /// The other end has closed.
    #[error("the line has closed: the device or its cable is gone")]
    Closed,
    /// The system's words.
    #[error("the device or its cable is gone ({0})")]
    Io(String),
    /// It does not answer.
    #[error("no answer for {0} ms, though the line is open: check power and cable")]
    Silent(u64),
    /// It takes no bytes.
    #[error("nobody takes what is sent: the device hangs")]
    Stuck,
}

/// A fault of the protocol: what came is no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ProtocolFault {
    /// Neither an acknowledgement nor a refusal.
    #[error("it answers {0:#04x} where an acknowledgement belongs: no PATLITE tower, or a bad line")]
    NoAcknowledgement(u8),
    /// No state of a tower.
    #[error("it answers {0} bytes where its state belongs: no PATLITE tower, or a bad line")]
    NoState(usize),
    /// Bytes that nobody asked for.
    #[error("it speaks unasked: no PATLITE tower, or a bad line")]
    Unasked,
}

/// What a device reports of itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum DeviceFault {
    /// It refuses a command.
    #[error("it refuses what it is told (nak): see its own settings")]
    Refused,
    /// It shows something else than it was told.
    #[error("it shows {shows:?} where it was told {told:?} (red, amber, green, blue, white, buzzer)")]
    Differs {
        /// What it was told.
        told: [u8; 6],
        /// What it says it shows.
        shows: [u8; 6],
    },
}

/// Why a session ended.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Trouble {
    /// The line.
    #[error(transparent)]
    Line(#[from] LineFault),
    /// The protocol.
    #[error(transparent)]
    Protocol(#[from] ProtocolFault),
}

/// What a machine of one make does: pictures in, bytes out, answers in. No I/O, no clock: `now_ms` is milliseconds of
/// any clock that does not go back.
pub trait Session: Send + 'static {
    /// The line was opened anew.
    fn opened(&mut self, now_ms: u64);

    /// What is to be shown from now on.
    fn show(&mut self, picture: &SignalContent);

    /// Takes bytes of the device.
    ///
    /// # Errors
    /// What came is no answer: the line is to be opened anew.
    fn receive(&mut self, now_ms: u64, bytes: &[u8]) -> Result<(), Trouble>;

    /// Appends what is to be sent now, if anything; at most 256 bytes.
    ///
    /// # Errors
    /// The device has not answered in time: the line is to be opened anew.
    fn transmit(&mut self, now_ms: u64, out: &mut Vec<u8>) -> Result<(), Trouble>;

    /// When [`Session::transmit`] is to be asked again without anything having come.
    fn wake_at(&self) -> u64;

    /// Whether the device is known to be there, as far as its protocol lets it be known.
    fn there(&self) -> bool;

    /// What the device reports of itself.
    fn fault(&self) -> Option<DeviceFault>;

    /// Times the device was told again because it showed something else.
    fn corrected(&self) -> u64;
}

/// A handle to a signal; cheap to clone, never blocks.
#[derive(Debug, Clone)]
pub struct Signal {
    picture: watch::Sender<SignalContent>,
    state: watch::Receiver<(SignalState, SignalCounters)>,
}

impl Signal {
    /// What it is to show from now on. Kept while it is away.
    pub fn show(&self, picture: SignalContent) {
        self.picture.send_if_modified(|shown| {
            let news = *shown != picture;
            *shown = picture;
            news
        });
    }

    /// How it is.
    #[must_use]
    pub fn state(&self) -> SignalState {
        self.state.borrow().0.clone()
    }

    /// What was counted.
    #[must_use]
    pub fn counters(&self) -> SignalCounters {
        self.state.borrow().1
    }

    /// Waits for a state that `wanted` accepts, and gives it; nothing when its task has ended.
    pub async fn wait_state(&self, mut wanted: impl FnMut(&SignalState) -> bool) -> Option<SignalState> {
        let mut state = self.state.clone();
        let found = state.wait_for(|(state, _)| wanted(state)).await.ok()?;
        Some(found.0.clone())
    }
}

/// Starts the task of one signal. It ends when `shutdown` becomes true or its sender is dropped, or when nobody holds
/// the handle any more; nothing else ends it.
///
/// Must be called within a tokio runtime.
#[must_use]
pub fn spawn(config: &SignalConfig, shutdown: watch::Receiver<bool>) -> Signal {
    let name = config.driver();
    match config {
        SignalConfig::Pns { address, look } => {
            spawn_over(TcpPort::new(address.to_string()), name, pns::Pns::new(*look), shutdown)
        }
        SignalConfig::Lr6 { look } => spawn_over(usb::this_machine(), name, lr6::Lr6::new(*look), shutdown),
        SignalConfig::Pole { port, baud, settings } => {
            spawn_over(SerialPort::new(port, *baud), name, pole::Pole::new(*settings), shutdown)
        }
    }
}

/// [`spawn`], over any place and with any machine; `name` is what the log calls it.
#[must_use]
pub fn spawn_over<C: Connect, S: Session>(
    place: C,
    name: &'static str,
    session: S,
    shutdown: watch::Receiver<bool>,
) -> Signal {
    let (picture, wanted) = watch::channel(SignalContent::default());
    let absent = SignalState::Absent("not looked for yet".to_owned());
    let (told, state) = watch::channel((absent, SignalCounters::default()));
    tokio::spawn(Supervisor::new(place, name, session, wanted, told, shutdown).run());
    Signal { picture, state }
}
