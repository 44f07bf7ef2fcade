//! The station's side of one port: the driver, and what it tells.

use std::path::PathBuf;
use std::time::Duration;

use sabot_drivers::Saw;
use sabot_drivers::link::{Link, LinkConfig, LinkReport};
use sabot_hil_tests::PATIENCE;
use sabot_hil_tests::board::Board;
use sabot_wire::message::{DeviceHello, Image, Key, Observation, Role, Show, Started};
use sabot_wire::witness::Checkpoint;
use tokio::runtime::Runtime;
use tokio::sync::{mpsc, watch};

/// The key that the station and its boards share.
pub(crate) fn key() -> Key {
    Key::new(*b"a key for tests!")
}

/// A board with that serial number, paired with the station.
pub(crate) fn board(role: Role, serial: &str) -> Board {
    Board::start(role, serial, Some(key()))
}

/// The driver of a board's port. What it tells is acknowledged at once, as if it were on disk.
pub(crate) struct Host {
    runtime: Runtime,
    reports: mpsc::Receiver<(Role, LinkReport)>,
    link: Link,
    /// Sequence numbers of each epoch must follow on each other.
    last: Option<(u32, u32)>,
    /// What the device of the last session runs.
    pub(crate) image: Option<Image>,
    _stop: watch::Sender<bool>,
}

impl Host {
    /// The driver opens the board's port. It has the key of [`board`].
    pub(crate) fn open(board: &Board) -> Self {
        Self::at(board.role(), board.port())
    }

    /// The same for whatever speaks for that role at that port.
    pub(crate) fn at(role: Role, port: PathBuf) -> Self {
        Self::with_key(role, port, key())
    }

    /// The same with another key.
    pub(crate) fn with_key(role: Role, port: PathBuf, key: Key) -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let (told, reports) = mpsc::channel(64);
        let (stop, stopped) = watch::channel(false);
        let config = LinkConfig { role, port, baud: 115_200, serial: None, image: None };
        let link = {
            let _inside = runtime.enter();
            sabot_drivers::link::spawn(config, key, None, told, stopped)
        };
        Self { runtime, reports, link, last: None, image: None, _stop: stop }
    }

    /// What the driver tells next within that time. That a board has told what it kept is nothing that it saw.
    fn told(&mut self, within: Duration) -> Option<LinkReport> {
        let reports = &mut self.reports;
        self.runtime.block_on(async {
            tokio::time::timeout(within, async {
                loop {
                    match reports.recv().await.expect("the driver has ended") {
                        (_, LinkReport::CaughtUp) => {}
                        (_, report) => return report,
                    }
                }
            })
            .await
            .ok()
        })
    }

    fn next(&mut self) -> LinkReport {
        self.told(PATIENCE).expect("the driver says nothing")
    }

    /// Waits until the device is in session.
    pub(crate) fn online(&mut self) -> (DeviceHello, Started) {
        loop {
            match self.next() {
                LinkReport::Online { hello, started, image, .. } => {
                    self.image = image;
                    return (hello, started);
                }
                LinkReport::Absent(_) | LinkReport::Connecting => {}
                other => panic!("not in session: {other:?}"),
            }
        }
    }

    /// What the display is to show.
    pub(crate) fn show(&self, show: Show) {
        self.link.show(show);
    }

    /// The checkpoint that the device keeps, once it was shown this one.
    pub(crate) fn keeps(&mut self, shown: Option<Checkpoint>) -> Option<Checkpoint> {
        if shown.is_some() {
            self.link.witness(shown);
            self.expect_nothing(Duration::from_millis(200));
        }
        self.link.witness(None);
        match self.next() {
            LinkReport::Keeps(kept) => kept.last,
            other => panic!("not what it keeps: {other:?}"),
        }
    }

    /// The next observation, in the same session. Each comes once, in its place.
    pub(crate) fn saw(&mut self) -> Observation {
        loop {
            match self.next() {
                LinkReport::Saw(seen) => {
                    let expected = match self.last {
                        Some((epoch, seq)) if epoch == seen.epoch => seq + 1,
                        _ => 1,
                    };
                    assert_eq!(seen.seq, expected, "nothing lost, nothing doubled");
                    self.last = Some((seen.epoch, seen.seq));
                    self.link.ack(seen.epoch, seen.seq);
                    return seen.saw.and_then(Saw::in_words_of_the_link).expect("a board makes sense");
                }
                LinkReport::Absent(_) | LinkReport::Connecting => {}
                other => panic!("instead of an event: {other:?}"),
            }
        }
    }

    /// Waits for these, in this order and nothing between.
    pub(crate) fn expect(&mut self, expected: impl IntoIterator<Item = Observation>) {
        for expected in expected {
            assert_eq!(self.saw(), expected);
        }
    }

    /// Nothing is told for a while.
    pub(crate) fn expect_nothing(&mut self, during: Duration) {
        let told = self.told(during);
        assert!(told.is_none(), "{told:?}");
    }
}
