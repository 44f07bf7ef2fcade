//! Drivers that fail: a panic ends a session and not its supervision, which goes on for ever.
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use crate::device::{Inbox, TestDevice, draw};
use sabot_drivers::link::machine::{Frame, Machine, SessionReport};
use sabot_drivers::link::{Counters, Link, LinkReport, spawn_machine, spawn_over};
use sabot_drivers::signal::{Session, SignalContent, SignalState, Trouble};
use sabot_drivers::transport::{Connect, OpenError, memory};
use sabot_stall_guard::Stopwatch;
use sabot_wire::host::{Expect, Host};
use sabot_wire::message::{Key, Role, Show};
use tokio::io::{AsyncWriteExt, DuplexStream};
use tokio::sync::{mpsc, watch};

/// Where a session panics, as many times as it has been told to.
#[derive(Clone, Default)]
struct Mines {
    receive: Arc<AtomicU32>,
    transmit: Arc<AtomicU32>,
    closed: Arc<AtomicU32>,
}

fn step_on(mine: &AtomicU32) {
    let armed = mine.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).is_ok();
    assert!(!armed, "a fault of the driver, put here by the test");
}

/// The link's own session, with mines.
struct Mined {
    host: Host<Key>,
    mines: Mines,
}

impl Machine for Mined {
    fn opened(&mut self, now_ms: u64) {
        self.host.opened(now_ms);
    }

    fn closed(&mut self) {
        step_on(&self.mines.closed);
        self.host.closed();
    }

    fn receive(&mut self, now_ms: u64, input: &mut &[u8]) -> Option<SessionReport> {
        let said = Machine::receive(&mut self.host, now_ms, input);
        if said.is_none() {
            step_on(&self.mines.receive);
        }
        said
    }

    fn tick(&mut self, now_ms: u64) -> Option<SessionReport> {
        Machine::tick(&mut self.host, now_ms)
    }

    fn transmit<'o>(&mut self, now_ms: u64, out: &'o mut Frame) -> Option<&'o [u8]> {
        step_on(&self.mines.transmit);
        self.host.transmit(now_ms, out)
    }

    fn wake_at(&self) -> Option<u64> {
        self.host.wake_at()
    }

    fn online(&self) -> bool {
        self.host.online()
    }

    fn counters(&self) -> Counters {
        Machine::counters(&self.host)
    }

    fn durable(&mut self, epoch: u32, seq: u32) {
        self.host.durable(epoch, seq);
    }

    fn show(&mut self, show: Show) {
        self.host.show(show);
    }
}

fn mined(place: impl Connect, mines: &Mines) -> (Link, Inbox, watch::Sender<bool>) {
    let (sender, reports) = mpsc::channel(64);
    let (stop, stopped) = watch::channel(false);
    let host = Host::new(Expect { role: Role::Shoe, serial: None }, crate::device::key(), &[7; 32], None);
    let link = spawn_machine(place, Role::Shoe, Mined { host, mines: mines.clone() }, sender, stopped);
    (link, Inbox { reports }, stop)
}

#[tokio::test]
async fn a_driver_that_panics_is_started_anew_and_no_event_is_lost_or_doubled() {
    let mines = Mines::default();
    let (place, socket) = memory();
    let (link, mut inbox, _stop) = mined(place, &mines);
    let shoe = TestDevice::new(Role::Shoe, 4096);
    // a device of another driver beside it, which must not notice
    let (beside, beside_socket) = memory();
    let (sender, reports) = mpsc::channel(64);
    let (_stop_beside, stopped) = watch::channel(false);
    let _beside = spawn_over(beside, crate::device::expected(Role::Keypad), None, sender, stopped);
    let mut beside = Inbox { reports };
    TestDevice::new(Role::Keypad, 4096).run_on(beside_socket.plug(4096));
    while beside.any().await != LinkReport::CaughtUp {}
    shoe.run_on(socket.plug(4096));
    inbox.online().await;
    let mut came = 0;
    for (at, mine) in [&mines.receive, &mines.transmit, &mines.receive].into_iter().enumerate() {
        assert!((0..4).all(|n| shoe.sees(came as u8 + n)));
        if at == 2 {
            // and in closing, too
            mines.closed.store(1, Ordering::Relaxed);
        }
        mine.store(1, Ordering::Relaxed);
        let failed = Stopwatch::start();
        let mut online = false;
        while !online || came % 4 != 0 || came == at as u32 * 4 {
            match inbox.next().await {
                LinkReport::Absent(why) => {
                    assert!(why.contains("its driver has failed") || why.contains("no such port"), "{why}");
                    assert!(!why.contains("put here by the test"), "a panic's words are told to nobody: {why}");
                    if why.contains("failed") {
                        shoe.run_on(socket.plug(4096));
                    }
                }
                LinkReport::Online { .. } => online = true,
                LinkReport::Saw(seen) => {
                    came += 1;
                    assert_eq!((seen.seq, &seen.saw), (came, &Some(draw((came - 1) as u8).into())));
                    link.ack(seen.epoch, seen.seq);
                }
                LinkReport::Connecting => {}
                other => panic!("{other:?}"),
            }
        }
        assert!(failed.elapsed() < Duration::from_secs(4), "{:?}", failed.elapsed());
    }
    assert!(beside.reports.try_recv().is_err(), "the device beside it was told of something");
}

/// A place that each time ends in another way; after so many, with the device.
struct Bad {
    tries: u32,
    bad: u32,
    mines: Mines,
    shoe: Arc<TestDevice>,
    far: Vec<DuplexStream>,
}

impl Connect for Bad {
    type Stream = DuplexStream;

    async fn connect(&mut self) -> Result<DuplexStream, OpenError> {
        self.tries += 1;
        let (near, mut far) = tokio::io::duplex(4096);
        if self.tries > self.bad {
            self.shoe.run_on(far);
            return Ok(near);
        }
        match self.tries % 4 {
            0 => return Err(OpenError::Missing { place: self.place() }),
            1 => drop(far),
            2 => {
                let _ = far.write_all(&[0xA5; 600]).await;
                drop(far);
            }
            _ => {
                self.mines.transmit.store(1, Ordering::Relaxed);
                self.far.push(far);
            }
        }
        Ok(near)
    }

    fn place(&self) -> String {
        "bad".to_owned()
    }
}

#[tokio::test]
async fn supervision_goes_on_whatever_comes_and_the_device_is_there_when_it_is() {
    let (shoe, mines) = (TestDevice::new(Role::Shoe, 4096), Mines::default());
    let bad = Bad { tries: 0, bad: 18, mines: mines.clone(), shoe: Arc::clone(&shoe), far: Vec::new() };
    let (_link, mut inbox, stop) = mined(bad, &mines);
    inbox.online().await;
    assert!(shoe.sees(9));
    assert_eq!(inbox.seen().await.saw, Some(draw(9).into()));
    stop.send_replace(true);
    let mut ended = false;
    while !ended {
        ended = tokio::time::timeout(crate::device::PATIENCE, inbox.reports.recv()).await.unwrap().is_none();
    }
}

/// A signal's machine that panics.
struct MinedSignal(Arc<AtomicU32>);

impl Session for MinedSignal {
    fn opened(&mut self, _: u64) {
        step_on(&self.0);
    }
    fn show(&mut self, _: &SignalContent) {}
    fn receive(&mut self, _: u64, _: &[u8]) -> Result<(), Trouble> {
        Ok(())
    }
    fn transmit(&mut self, _: u64, _: &mut Vec<u8>) -> Result<(), Trouble> {
        Ok(())
    }
    fn wake_at(&self) -> u64 {
        u64::from(u32::MAX)
    }
    fn there(&self) -> bool {
        true
    }
    fn fault(&self) -> Option<sabot_drivers::signal::DeviceFault> {
        None
    }
    fn corrected(&self) -> u64 {
        0
    }
}

#[tokio::test]
async fn a_signal_whose_driver_panics_is_started_anew_too() {
    let mines = Arc::new(AtomicU32::new(1));
    let (place, socket) = memory();
    let _first = socket.plug(64);
    let (_stop, stopped) = watch::channel(false);
    let signal = sabot_drivers::signal::spawn_over(place, "mined", MinedSignal(mines), stopped);
    let is_failed =
        |state: &SignalState| matches!(state, SignalState::Absent(why) if why.contains("its driver has failed"));
    assert!(signal.wait_state(is_failed).await.is_some());
    let _second = socket.plug(64);
    assert!(signal.wait_state(|state| *state == SignalState::Shows).await.is_some());
}
