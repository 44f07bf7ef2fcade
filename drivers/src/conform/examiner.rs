//! The line to the device that is examined: what goes out, and what comes in, of which every frame is held against the
//! page before anybody looks at what it says.

mod clock;
mod exchange;
mod sealing;

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use sabot_wire::frame::{MAX_FRAME, encode, first_message};
use sabot_wire::host::is_serial;
use sabot_wire::message::{DeviceHello, Image, Nonce, Point, Ready, ToDevice, ToHost};
use sabot_wire::pairing::{PAIRING, Pairing};
use sabot_wire::seal::{Channel, Opened, SEALED};
use sabot_wire::{Version, WINDOW};
use serde::Serialize;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::time::{Instant, timeout, timeout_at};

use self::exchange::Turn;
use super::duties::Duty;
use super::strict::{Cutter, Fault, Stretch, body, clear, name, padded};
use super::told::{Came, Told, is_before, nonsense};
use crate::transport::Connect;

/// How often it is seen that nothing waits to be read.
const LOOK: Duration = Duration::from_millis(20);
/// Bytes that are not taken for so long: nobody reads at the other end.
const WRITE_WITHIN: Duration = Duration::from_secs(1);
/// One ping's number after the other's: neighbours differ in both halves, of 16 bits each.
const PING_STEP: u32 = 0x0123_4567;
/// The host's frames that are known again where the line gives them back.
const OWN: usize = 32;

/// Why an examination ends before its end.
#[derive(Debug)]
pub(crate) enum Stop {
    /// The device does not do what the page says.
    Wrong(Duty, String),
    /// The line has ended, or what is needed is not there.
    Over(String),
}

impl From<Fault> for Stop {
    fn from((duty, found): Fault) -> Self {
        Self::Wrong(duty, found)
    }
}

pub(crate) const fn wrong(duty: Duty, found: String) -> Stop {
    Stop::Wrong(duty, found)
}

/// A session that the device has answered a challenge for.
pub(crate) struct Session {
    challenge: Nonce,
    answer: Nonce,
    share: Point,
    channel: Channel,
    /// With the keys the other way round: what a device wrote that has mistaken them.
    turned: Channel,
    /// The host has acknowledged the ring in it.
    open: bool,
}

/// What has come.
#[derive(Debug)]
pub(crate) struct Heard {
    pub(crate) at: Instant,
    /// It came after this: a machine that was held up reads late.
    pub(crate) after: Instant,
    pub(crate) message: ToHost,
    /// The session it was sealed in.
    pub(crate) session: Option<usize>,
}

/// What may be said of a line and a device that has not been examined.
pub(crate) struct Examiner<C: Connect> {
    place: C,
    stream: Option<C::Stream>,
    /// What line and machine may add to each time of the page.
    pub(crate) slack: Duration,
    cutter: Cutter,
    stretches: VecDeque<Stretch>,
    /// Nothing waited to be read then; and before what was read last.
    empty_at: [Instant; 2],
    /// A sound frame has come since the port was opened: what is none is a mistake from here on.
    is_sound: bool,
    noise: usize,
    own: VecDeque<Vec<u8>>,
    pub(crate) sessions: Vec<Session>,
    /// The session in which the host speaks.
    pub(crate) living: Option<usize>,
    /// A sealed frame that came and does not open, before there is a session in which something was opened.
    shut: Option<Fault>,
    answers: Vec<Nonce>,
    shares: Vec<Point>,
    turns: Vec<Turn>,
    image: Option<Image>,
    /// The first event of the present start, once it was named.
    fresh: Option<u32>,
    pub(crate) hello: Option<DeviceHello>,
    /// The last hello as it came, between its zeros.
    pub(crate) hello_bytes: Vec<u8>,
    pub(crate) told: Told,
    /// The device's clock and the host's, at the first answer and at the last.
    clock: Option<[(u32, Instant); 2]>,
    newest: u32,
    pings: u32,
    /// What is being tried: blamed for what can have no other reason.
    pub(crate) trying: Option<Duty>,
    /// A session waits and nothing has been said in the living one since.
    pub(crate) is_waiting: bool,
    /// Events are acknowledged as they come.
    pub(crate) acknowledges: bool,
    /// The device is being started anew, or paired: its hello may be another one.
    pub(crate) is_restarting: bool,
    /// A share of a pairing is waited for.
    pub(crate) is_offered: bool,
    shared: Option<Pairing>,
    pub(crate) held: BTreeMap<Duty, u32>,
}

impl<C: Connect> Examiner<C> {
    pub(crate) fn new(place: C, slack: Duration) -> Self {
        Self {
            place,
            stream: None,
            slack,
            cutter: Cutter::default(),
            stretches: VecDeque::new(),
            empty_at: [Instant::now(); 2],
            is_sound: false,
            noise: 0,
            own: VecDeque::new(),
            sessions: Vec::new(),
            living: None,
            shut: None,
            answers: Vec::new(),
            shares: Vec::new(),
            turns: Vec::new(),
            image: None,
            fresh: None,
            hello: None,
            hello_bytes: Vec::new(),
            told: Told::new(1),
            clock: None,
            newest: 0,
            pings: 0,
            trying: None,
            is_waiting: false,
            acknowledges: false,
            is_restarting: false,
            is_offered: false,
            shared: None,
            held: BTreeMap::new(),
        }
    }

    /// A duty was seen to be done.
    pub(crate) fn holds(&mut self, duty: Duty) {
        *self.held.entry(duty).or_default() += 1;
    }

    /// Opens the port; what comes first may be the rest of anything.
    pub(crate) async fn open(&mut self) -> Result<(), Stop> {
        self.stream = None;
        let stream = self.place.connect().await.map_err(|error| Stop::Over(error.to_string()))?;
        (self.stream, self.is_sound) = (Some(stream), false);
        self.cutter = Cutter::default();
        self.stretches.clear();
        Ok(())
    }

    /// Sends bytes as they are, and knows them again where the line gives them back.
    pub(crate) async fn send(&mut self, bytes: &[u8]) -> Result<(), Stop> {
        for inside in bytes.split(|byte| *byte == 0).filter(|inside| !inside.is_empty()) {
            self.own.push_back(inside.to_vec());
        }
        self.own.drain(..self.own.len().saturating_sub(OWN));
        self.write(bytes).await
    }

    /// Sends what the device has sent.
    pub(crate) async fn write(&mut self, bytes: &[u8]) -> Result<(), Stop> {
        let Some(stream) = &mut self.stream else { return Err(Stop::Over("the port is closed".to_owned())) };
        match timeout(WRITE_WITHIN, async { stream.write_all(bytes).await.map(|()| stream) }).await {
            Ok(Ok(stream)) => stream.flush().await.map_err(|error| Stop::Over(format!("the line has ended: {error}"))),
            Ok(Err(error)) => Err(Stop::Over(format!("the line has ended: {error}"))),
            Err(_) => Err(Stop::Over("the port takes no bytes: nobody reads at the other end".to_owned())),
        }
    }

    pub(crate) async fn send_clear(&mut self, message: &ToDevice) -> Result<(), Stop> {
        self.send(&clear_frame(message)).await
    }

    /// Sends a message in the session that lives.
    pub(crate) async fn say(&mut self, message: &ToDevice) -> Result<(), Stop> {
        let Some(living) = self.living else { return Err(Stop::Over("no session lives".to_owned())) };
        let frame = self.seal(living, message);
        self.is_waiting = false;
        if matches!(message, ToDevice::Hello { .. }) {
            self.told.begins_again();
        }
        self.send(&frame).await
    }

    /// Acknowledges up to `seq`, which opens the session.
    pub(crate) async fn acknowledge(&mut self, seq: u32) -> Result<(), Stop> {
        let epoch = self.hello.as_ref().map_or(0, |hello| hello.epoch);
        if let Some(session) = self.living.and_then(|living| self.sessions.get_mut(living))
            && !session.open
        {
            session.open = true;
            self.told.begins_again();
        }
        self.told.acknowledge(seq);
        self.say(&ToDevice::Ack { epoch, seq }).await
    }

    /// Nothing of what was agreed on is left: the device starts anew.
    pub(crate) fn forget_sessions(&mut self) {
        self.sessions.clear();
        (self.living, self.shut, self.clock, self.is_waiting) = (None, None, None, false);
        self.fresh = None;
        self.told.named.clear();
        self.told.begins_again();
    }

    /// What comes next, until `until`.
    pub(crate) async fn hear(&mut self, until: Instant) -> Result<Option<Heard>, Stop> {
        loop {
            while let Some(stretch) = self.stretches.pop_front() {
                if let Some(heard) = self.judge(&stretch)? {
                    if self.acknowledges && matches!(heard.message, ToHost::Event { .. }) {
                        self.acknowledge(self.told.newest).await?;
                    }
                    return Ok(Some(heard));
                }
                if self.shared.is_some() {
                    return Ok(None);
                }
            }
            let Some(stream) = &mut self.stream else { return Err(Stop::Over("the port is closed".to_owned())) };
            let mut buffer = [0; 1024];
            let look = until.min(Instant::now() + LOOK);
            let read = timeout_at(look, stream.read(&mut buffer)).await;
            let [empty_at, before] = &mut self.empty_at;
            (*before, *empty_at) = (*empty_at, Instant::now());
            match read {
                Err(_) if look < until => {}
                Err(_) => return Ok(None),
                Ok(Ok(0)) => return Err(Stop::Over("the line has ended".to_owned())),
                Ok(Err(error)) => return Err(Stop::Over(format!("the line has ended: {error}"))),
                Ok(Ok(count)) => self.cutter.take(buffer.get(..count).unwrap_or_default(), &mut self.stretches),
            }
        }
    }

    /// The share of a pairing that comes until `until`.
    pub(crate) async fn hears_share(&mut self, until: Instant) -> Result<Option<Pairing>, Stop> {
        self.is_offered = true;
        while self.shared.is_none() && Instant::now() < until {
            self.hear(until).await?;
        }
        self.is_offered = false;
        Ok(self.shared.take())
    }

    /// Part of a pairing has come: a share, where one was asked for.
    fn is_paired_with(&mut self, said: &[u8]) -> Result<(), Stop> {
        let Some((said @ Pairing::Share { .. }, length)) = first_message(said).filter(|(_, used)| *used == said.len())
        else {
            return Err(wrong(Duty::Messages, "a body that begins with 56 is no Share".to_owned()));
        };
        if !self.is_offered {
            let blamed = self.trying.unwrap_or(Duty::TakesNoPart);
            return Err(wrong(blamed, format!("a Share of {length} bytes came, and no offer waits for one")));
        }
        self.shared = Some(said);
        Ok(())
    }

    /// Holds what came between two zeros against the page.
    fn judge(&mut self, stretch: &Stretch) -> Result<Option<Heard>, Stop> {
        if let Some(at) = self.own.iter().position(|own| *own == stretch.bytes) {
            self.own.remove(at); // a line with two wires gives it back
            return Ok(None);
        }
        let body = match body(&stretch.bytes) {
            Ok(body) => body,
            Err(_) if !self.is_sound => {
                self.noise += stretch.bytes.len();
                return Ok(None);
            }
            Err(fault) => return Err(fault.into()),
        };
        let is_next = std::mem::replace(&mut self.is_sound, true);
        if is_next && stretch.zeros < 2 {
            return Err(wrong(Duty::Zeros, "one zero stands between two frames; each has its own two".to_owned()));
        }
        for duty in [Duty::Line, Duty::Cobs, Duty::Checksum, Duty::Longest] {
            self.holds(duty);
        }
        if is_next {
            self.holds(Duty::Zeros);
        }
        if let Some((&PAIRING, said)) = body.split_first() {
            self.is_paired_with(said)?;
            return Ok(None);
        }
        let (message, session) = if matches!(body.first(), Some(SEALED..=0x55)) {
            let Some((message, session)) = self.opened(&body)? else { return Ok(None) };
            (message, Some(session))
        } else {
            (clear(&body)?, None)
        };
        let at = Instant::now();
        let is_clear =
            matches!(message, ToHost::Hello(_) | ToHost::Answer { .. } | ToHost::Unpaired | ToHost::Exchange { .. });
        if is_clear != session.is_none() {
            let how = if session.is_some() { "sealed" } else { "in clear" };
            return Err(wrong(Duty::Kinds, format!("{} came {how}", name(&message))));
        }
        for duty in [Duty::Messages, Duty::Shortest, Duty::Kinds] {
            self.holds(duty);
        }
        if matches!(message, ToHost::Hello(_)) {
            self.hello_bytes.clone_from(&stretch.bytes);
        }
        self.take_in(at, &message, session)?;
        let [_, after] = self.empty_at;
        Ok(Some(Heard { at, after, message, session }))
    }

    /// Opens a sealed body. None where it may be of a session that the host knows nothing of.
    fn opened(&mut self, body: &[u8]) -> Result<Option<(ToHost, usize)>, Stop> {
        for (which, session) in self.sessions.iter_mut().enumerate().rev() {
            let before = session.channel.opened();
            let mut copy = body.to_vec();
            let plain = match session.channel.open(&mut copy) {
                Opened::Failed => continue,
                Opened::Repeated => {
                    let blamed = self.trying.filter(|trying| matches!(trying, Duty::SameChallenge | Duty::LongCounter));
                    let what = format!("a counter came a second time, after {before}");
                    return Err(wrong(blamed.unwrap_or(Duty::Counter), what));
                }
                Opened::Message(plain) => plain,
            };
            let count = session.channel.opened();
            if count != before + 1 {
                let due = before + 1;
                return Err(wrong(Duty::Counter, format!("a frame has the counter {count} where {due} is due")));
            }
            let message = padded(plain)?;
            for duty in [Duty::Counter, Duty::Padding, Duty::Opens, Duty::Mark] {
                self.holds(duty);
            }
            return Ok(Some((message, which)));
        }
        let fault = self.why_shut(body);
        if let Some(blamed) = self.trying.filter(|trying| *trying == Duty::LongCounter) {
            let count = self.counted();
            return Err(wrong(blamed, format!("after the counter {count} {}", fault.1)));
        }
        if self.living.is_some() {
            return Err(fault.into());
        }
        self.shut = Some(fault);
        Ok(None)
    }

    /// Why a sealed body opens in no session.
    fn why_shut(&mut self, body: &[u8]) -> Fault {
        let mark = body.first().copied().unwrap_or_default();
        if self.sessions.iter().all(|session| session.channel.mark() != mark) {
            return (Duty::Mark, format!("a sealed frame has the mark {mark:02x}, and no session has it"));
        }
        let low = body.get(1..3).unwrap_or_default();
        if low == [0, 0] && self.sessions.iter().any(|session| session.channel.opened() == 0) {
            return (Duty::Counter, "the first frame of a session has the counter 0; it begins at 1".to_owned());
        }
        let is_turned = self.sessions.iter_mut().any(|session| {
            let mut copy = body.to_vec();
            matches!(session.turned.open(&mut copy), Opened::Message(_))
        });
        let hint = if is_turned { ": it is sealed with the key to the device" } else { "" };
        (Duty::Opens, format!("a sealed frame with the mark of its session does not open{hint}"))
    }

    /// It is in the session, and says once more who it is.
    fn is_running(&mut self, at: Instant, ready: &Ready, image: Image) -> Result<(), Stop> {
        if self.image.replace(image).is_some_and(|before| before != image) {
            let what = "the image is another than it was, and it was not flashed";
            return Err(wrong(Duty::Image, what.to_owned()));
        }
        self.holds(Duty::Image);
        self.is_hello(&ready.hello)?;
        let fresh = ready.fresh;
        if fresh == 0 {
            return Err(wrong(Duty::Fresh, "the first event of this start is named 0".to_owned()));
        }
        if let Some(before) = self.fresh.replace(fresh).filter(|before| *before != fresh) {
            let what = format!("the first event of this start was {before}, and is {fresh} now");
            return Err(wrong(Duty::Fresh, what));
        }
        self.told.fresh = fresh;
        self.shows(at, ready.at_ms)
    }

    /// What any message must keep to, whenever it comes.
    fn take_in(&mut self, at: Instant, message: &ToHost, session: Option<usize>) -> Result<(), Stop> {
        match message {
            ToHost::Hello(hello) => self.is_hello(hello),
            ToHost::Running { ready, image } => self.is_running(at, ready, *image),
            ToHost::Clock { at_ms, newest, .. } => {
                self.shows(at, *at_ms)?;
                let least = self.newest.max(self.told.newest);
                if *newest < least {
                    return Err(wrong(Duty::Newest, format!("the newest event is {newest}, and there was a {least}")));
                }
                self.newest = *newest;
                self.told.named.insert(*newest, *at_ms);
                if let Some(fresh) = self.fresh.filter(|fresh| *fresh > newest.saturating_add(1)) {
                    let what = format!("the first event of this start is to be {fresh}, and the newest is {newest}");
                    return Err(wrong(Duty::Fresh, what));
                }
                if let Some((seq, seen)) = self.told.last_seen().filter(|(_, seen)| is_before(*at_ms, *seen)) {
                    let what =
                        format!("event {seq} was seen at {seen} ms, and after it came its clock showed {at_ms} ms");
                    return Err(wrong(Duty::Monotonic, what));
                }
                Ok(())
            }
            ToHost::Event { seq, at_ms, saw } => {
                let is_open =
                    session.and_then(|session| self.sessions.get(session)).is_some_and(|session| session.open);
                if !is_open {
                    let of_closed = |trying: &Duty| matches!(trying, Duty::OtherEpoch | Duty::TakesPlace);
                    let duty = self.trying.filter(of_closed).unwrap_or(Duty::BeforeOpen);
                    return Err(wrong(duty, format!("event {seq} came in a session that was not opened")));
                }
                if self.is_waiting {
                    return Err(wrong(Duty::Waits, format!("event {seq} came after the challenge was answered")));
                }
                if let Some(hello) = &self.hello
                    && let Some(fault) = nonsense(hello.role, saw)
                {
                    return Err(fault.into());
                }
                let came = self.told.take((at, self.empty_at[1]), *seq, (*at_ms, saw.clone()), self.slack)?;
                for duty in [Duty::Numbered, Duty::Values, Duty::OwnRole, Duty::Once] {
                    self.holds(duty);
                }
                match came {
                    Came::Again => self.holds(Duty::Same),
                    Came::New if self.told.held() == WINDOW => self.holds(Duty::Window),
                    Came::New | Came::Late => {}
                }
                Ok(())
            }
            ToHost::Pong(_)
            | ToHost::Answer { .. }
            | ToHost::Unpaired
            | ToHost::Ready(_)
            | ToHost::Time { .. }
            | ToHost::Exchange { .. } => Ok(()),
        }
    }

    /// The ring that the device has begun is all that counts from here on.
    pub(crate) fn begins_anew(&mut self) {
        self.told = Told::new(1);
        (self.newest, self.fresh) = (0, None);
    }

    /// Bytes that came and are no frame.
    pub(crate) const fn noise(&self) -> usize {
        self.noise + self.cutter.held()
    }

    /// The counter of the last frame that came in the session that lives.
    pub(crate) fn counted(&self) -> u64 {
        self.living.and_then(|living| self.sessions.get(living)).map_or(0, |session| session.channel.opened())
    }

    /// What comes next may be no frame: the device has lost its power.
    pub(crate) const fn is_unsound(&mut self) {
        self.is_sound = false;
    }

    fn is_hello(&mut self, hello: &DeviceHello) -> Result<(), Stop> {
        if !is_serial(&hello.serial) {
            let what = "its serial number is empty, or has other characters than printable ASCII";
            return Err(wrong(Duty::Serial, what.to_owned()));
        }
        let is_first = self.hello.is_none();
        let before = self.hello.get_or_insert_with(|| hello.clone()).clone();
        let version = Version::NEWEST;
        if hello.protocol != version.number() {
            return Err(wrong(Duty::Version, speaks(hello)));
        }
        if hello.schema != version.schema_of(hello.role) {
            let (found, due) = (hello.schema, version.schema_of(hello.role));
            return Err(wrong(Duty::Version, format!("its schema is {found:08x}, and that of version 4 is {due:08x}")));
        }
        if hello.oldest == 0 {
            return Err(wrong(Duty::Oldest, "the oldest event is named 0; the first of an epoch is 1".to_owned()));
        }
        self.hello = Some(hello.clone());
        if is_first {
            self.told = Told::new(hello.oldest);
            return Ok(());
        }
        if self.is_restarting {
            return Ok(());
        }
        if hello.boots != before.boots {
            let blamed = self.trying.unwrap_or(Duty::Identity);
            let (now, was) = (hello.boots, before.boots);
            return Err(wrong(blamed, format!("it has started again: its start was {was} and is {now}")));
        }
        let who = |hello: &DeviceHello| (hello.role, hello.serial.clone(), hello.firmware, hello.epoch);
        if who(hello) != who(&before) {
            let what = "role, serial number, firmware or epoch are other than in the hello before";
            let blamed = self.trying.filter(|trying| *trying == Duty::OtherConfirm);
            return Err(wrong(blamed.unwrap_or(Duty::Identity), what.to_owned()));
        }
        if hello.oldest < before.oldest {
            let (now, was) = (hello.oldest, before.oldest);
            return Err(wrong(Duty::Oldest, format!("the oldest event is {now} after it was {was}")));
        }
        for duty in [Duty::Serial, Duty::Version, Duty::Identity, Duty::Oldest] {
            self.holds(duty);
        }
        Ok(())
    }

    /// The mark of a session's frames.
    pub(crate) fn mark(&self, session: usize) -> Option<u8> {
        self.sessions.get(session).map(|session| session.channel.mark())
    }

    /// Whether the session that lives was opened.
    pub(crate) fn is_open(&self) -> bool {
        self.living.and_then(|living| self.sessions.get(living)).is_some_and(|session| session.open)
    }

    /// The newest event that the device has named or told.
    pub(crate) fn newest(&self) -> u32 {
        self.newest.max(self.told.newest)
    }

    /// The number of the next ping.
    pub(crate) const fn next_ping(&mut self) -> u32 {
        self.pings += 1;
        // numbers of 32 bits, all told
        self.pings.wrapping_mul(PING_STEP)
    }
}

/// A frame of the host in clear.
pub(crate) fn clear_frame<M: Serialize>(message: &M) -> Vec<u8> {
    encode(message, &mut [0; MAX_FRAME]).unwrap_or_default().to_vec()
}

/// Of a device that speaks another version.
fn speaks(hello: &DeviceHello) -> String {
    match hello.protocol {
        2 | 3 => format!(
            "it speaks version {}, an older one, which a station still takes (section 10); this examines version 4",
            hello.protocol
        ),
        1 => "it speaks version 1, in the clear, which a station refuses".to_owned(),
        other => format!("it speaks version {other} of the link; this examines version 4"),
    }
}
