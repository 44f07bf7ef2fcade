//! The thread of a twin: the main loop of a board, with a port for its UART and levers for its cable and power.

use std::collections::VecDeque;
use std::io::{self, Read};
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel, sync_channel};
use std::time::Instant;

use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use sabot_firmware::LASTING_RING;
use sabot_wire::message::{Key, Observation, Role};
use sabot_wire::pairing::Code;

use super::TwinError;
use super::port::{Port, Socket, ThreadWaker};
use super::powered_device::{PoweredDevice, Retained, World};
use super::sensors::Step;
use super::status::TwinStatus;
use super::uart::Uart;

/// Longest time between two polls of a device, milliseconds: its timers are checked that often.
const TICK_MS: u8 = 10;
/// Time between two looks at a port that no host has open, milliseconds.
const LOOK_MS: u8 = 2;
/// Movements of sensors between two looks at the port.
const STEPS: usize = 16;

/// What the simulator tells a twin.
#[derive(Debug)]
pub(super) enum Command {
    Saw(Box<Observation>),
    Unplug,
    Plug,
    Restart,
    /// The same, of a board whose memory goes with the power.
    LoseMemory,
    /// The same, of one that comes back with a ring of so many bytes.
    HasRing(usize),
    AllowPairing,
    Stop,
}

/// The other end of a twin's thread.
#[derive(Debug)]
pub(super) struct Levers {
    commands: Sender<Command>,
    waker: Arc<ThreadWaker>,
}

impl Levers {
    /// Hands a command over and wakes the thread. A twin that has ended has nothing left to move.
    pub(super) fn pull(&self, command: Command) {
        if self.commands.send(command).is_ok() {
            self.waker.wake_thread();
        }
    }
}

/// Starts the thread; it is plugged in when this returns.
pub(super) fn spawn(
    role: Role,
    socket: Socket,
    known: (Option<Key>, Option<Code>),
    status: Arc<TwinStatus>,
) -> Result<(Levers, std::thread::JoinHandle<()>), TwinError> {
    let failed = |source| TwinError::Thread { role, source };
    let (commands, inbox) = channel();
    let (waker, rings) = ThreadWaker::new().map_err(failed)?;
    let (started, is_started) = sync_channel(1);
    // the sensors are shared within the thread only, so they are made there
    let thread_waker = Arc::clone(&waker);
    let main = move || match Running::start((role, socket), known, inbox, (thread_waker, rings), status) {
        Ok(mut running) => {
            let _ = started.send(Ok(()));
            running.run();
        }
        Err(error) => drop(started.send(Err(error))),
    };
    let thread = std::thread::Builder::new().name(format!("twin-{role}")).spawn(main).map_err(failed)?;
    match is_started.recv() {
        Ok(Ok(())) => Ok((Levers { commands, waker }, thread)),
        Ok(Err(error)) => Err(error),
        Err(_) => Err(failed(io::Error::other("it ended before it began"))),
    }
}

/// A sensor's next movements; the last one of an observation completes it.
struct Movement {
    step: Step,
    completes: bool,
}

struct Running {
    role: Role,
    socket: Socket,
    commands: Receiver<Command>,
    waker: Arc<ThreadWaker>,
    /// Readable when a command has come.
    rings: UnixStream,
    status: Arc<TwinStatus>,
    world: World,
    uart: Uart,
    /// `None` only in the middle of a power cycle.
    device: Option<PoweredDevice>,
    /// The key of the device, kept without power.
    key: Option<Key>,
    /// The code on its housing, where there is one.
    code: Option<Code>,
    boots: u32,
    ring_bytes: usize,
    started: Instant,
    port: Option<Port>,
    movements: VecDeque<Movement>,
}

impl Running {
    fn start(
        (role, socket): (Role, Socket),
        (key, code): (Option<Key>, Option<Code>),
        commands: Receiver<Command>,
        (waker, rings): (Arc<ThreadWaker>, UnixStream),
        status: Arc<TwinStatus>,
    ) -> Result<Self, TwinError> {
        let port = socket.plug(role, &waker)?;
        let mut running = Self {
            role,
            socket,
            commands,
            waker,
            rings,
            status,
            world: World::of(role),
            uart: Uart::default(),
            device: None,
            key,
            code,
            boots: 0,
            ring_bytes: LASTING_RING,
            started: Instant::now(),
            port: Some(port),
            movements: VecDeque::new(),
        };
        running.power(Retained::of_paired(running.ring_bytes, running.key.clone()));
        running.work(); // what a display shows from the start is there when the caller looks
        Ok(running)
    }

    fn power_without_memory(&mut self) {
        self.boots = 0;
        self.power(Retained::of_paired(self.ring_bytes, self.key.clone()));
    }

    fn power(&mut self, retained: Retained) {
        self.uart.lose();
        self.started = Instant::now();
        self.boots += 1;
        self.device = PoweredDevice::start(&self.world, self.uart.clone(), retained, self.code.clone()).ok();
    }

    fn run(&mut self) {
        loop {
            if !self.take_commands() {
                return;
            }
            self.read_port();
            self.work();
            self.write_port();
            if !self.pressed() {
                self.wait();
            }
        }
    }

    /// Takes every command that has come; false when it is time to stop.
    fn take_commands(&mut self) -> bool {
        loop {
            match self.commands.try_recv() {
                Ok(Command::Stop) | Err(TryRecvError::Disconnected) => return false,
                Ok(command) => self.obey(command),
                Err(TryRecvError::Empty) => return true,
            }
        }
    }

    fn obey(&mut self, command: Command) {
        match command {
            Command::Saw(saw) => {
                let mut steps = self.world.steps(*saw);
                let last = steps.pop().unwrap_or_else(|| Box::new(|| {}));
                self.movements.extend(steps.into_iter().map(|step| Movement { step, completes: false }));
                self.movements.push_back(Movement { step: last, completes: true });
            }
            Command::Unplug => {
                self.port = None;
                self.uart.lose();
            }
            Command::Plug => {
                if self.port.is_none() {
                    self.port = match self.socket.plug(self.role, &self.waker) {
                        Ok(port) => Some(port),
                        Err(error) => {
                            tracing::error!(role = %self.role, %error, "the twin's cable cannot be plugged in");
                            None
                        }
                    };
                }
            }
            Command::Restart => {
                let key = self.key.clone();
                let retained = match self.device.take() {
                    Some(device) => device.stop(self.boots, key),
                    None => Retained::of_paired(self.ring_bytes, key),
                };
                self.power(retained);
            }
            Command::LoseMemory => {
                if let Some(ring) = self.device.take().map(|device| device.ring_lost()) {
                    self.status.loses(self.role, ring);
                }
                self.power_without_memory();
            }
            Command::HasRing(bytes) => {
                self.ring_bytes = bytes;
                self.power_without_memory();
            }
            Command::AllowPairing => self.device.iter_mut().for_each(PoweredDevice::allow_pairing),
            Command::Stop => {}
        }
    }

    /// Whether there is work that waits for no event.
    fn pressed(&self) -> bool {
        let ready = self.device.as_ref().is_some_and(PoweredDevice::ready);
        (ready && !self.movements.is_empty()) || !self.uart.is_read()
    }

    fn read_port(&mut self) {
        let uart = &self.uart;
        match self.port.as_mut().map(|port| port.read(|bytes| uart.arrived(bytes))) {
            Some(Ok(true)) => {}
            Some(Ok(false)) | None => self.uart.lose(),
            Some(Err(error)) => self.port_failed(&error),
        }
    }

    fn port_failed(&mut self, error: &io::Error) {
        tracing::error!(role = %self.role, %error, "the twin's port has failed; it is unplugged");
        self.port = None;
        self.uart.lose();
    }

    /// Polls the device: once, and after each of the next movements.
    fn work(&mut self) {
        let Some(device) = &mut self.device else { return };
        let now_ms = || self.started.elapsed().as_millis() as u32;
        device.poll(now_ms());
        let mut seen = 0;
        for _ in 0..STEPS {
            if !device.ready() {
                break;
            }
            let Some(Movement { step, completes }) = self.movements.pop_front() else { break };
            step();
            device.poll(now_ms());
            seen += usize::from(completes);
        }
        if let Some(key) = device.take_new_key() {
            self.key = Some(key);
        }
        device.show_on(&self.status);
        if let World::Shoe(world) = &self.world {
            self.status.lights_do_not_draw(world.do_not_draw.is());
        }
        self.status.progress(self.role, device.held(), seen);
    }

    fn write_port(&mut self) {
        let Some(port) = &mut self.port else { return self.uart.lose() };
        if let Err(error) = self.uart.drain(|bytes| port.write(bytes)) {
            self.port_failed(&error);
        }
    }

    /// Waits for the port, for a command, or for the clock.
    fn wait(&mut self) {
        let port = self.port.as_ref().and_then(Port::waits);
        let pause = if self.port.as_ref().is_some_and(Port::is_unheard) { LOOK_MS } else { TICK_MS };
        let wanted = if self.uart.wants_to_send() { PollFlags::POLLIN | PollFlags::POLLOUT } else { PollFlags::POLLIN };
        let woken = PollFd::new(self.rings.as_fd(), PollFlags::POLLIN);
        // an interrupted or failed wait is a short one
        let _ = match port {
            Some(port) => poll(&mut [woken, PollFd::new(port, wanted)], PollTimeout::from(pause)),
            None => poll(&mut [woken], PollTimeout::from(pause)),
        };
        let mut rings = [0; 64];
        while self.rings.read(&mut rings).is_ok_and(|count| count == rings.len()) {}
    }
}
