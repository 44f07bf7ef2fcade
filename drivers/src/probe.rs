//! Asks once what is at a place that the configuration names: opened, its driver's own first question, the answer,
//! closed. Nothing is set, taken or acknowledged. Never for a place that the configuration does not name.

use std::net::SocketAddr;
use std::time::Duration;

use sabot_wire::frame::{Decoder, Got, MAX_FRAME, encode};
use sabot_wire::host::{Expect, Host, Keyring, Refusal, Report, is_serial};
use sabot_wire::message::{DeviceHello, ToDevice, ToHost};
use sabot_wire::{HOST_HELLO_MS, PROTOCOL, SCHEMA_4};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::time::{Instant, sleep, timeout};

use crate::feig::session::Session as FeigSession;
use crate::feig::{FeigLine, Place, Setup};
use crate::link::entropy;
use crate::link::machine::{Distrust, Frame, MISSPOKEN, Machine, SessionReport};
use crate::signal::pns::Pns;
use crate::signal::usb::UsbError;
use crate::signal::{Look, Session as _, Trouble};
use crate::transport::{Connect, OpenError, SerialPort, TcpPort};

/// A device that DTR has reset, and which says hello every second, has answered by then.
pub const LINK_WITHIN: Duration = Duration::from_secs(3);
/// Readers are asked three times in that.
pub const FEIG_WITHIN: Duration = Duration::from_secs(2);
/// A tower answers within half a second, or is silent.
pub const PNS_WITHIN: Duration = Duration::from_secs(1);
/// What is due is looked at so often.
const STEP: Duration = Duration::from_millis(20);

/// What came of a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// The device says who it is. Whether it is the right one is for the caller to say.
    Hello(DeviceHello),
    /// The same, and it does not hold the key that was kept for it.
    OtherKey(DeviceHello),
    /// The same, and what of its own setting does not fit, in words.
    Advised(DeviceHello, String),
    /// It is there, as far as its protocol lets it be known.
    There,
    /// It answers as something else; in words.
    Refused(String),
    /// It answers as another of its kind than the configuration pins; in words.
    Swapped(String),
    /// Nothing came, or nothing that makes sense.
    Silent {
        /// Something came, and it made no sense.
        noise: bool,
    },
    /// The port closed in between; in words.
    Closed(String),
}

/// A question: bytes out, bytes in, milliseconds since it began.
trait Question {
    /// Writes the next frame that is due and gives its length, 0 where none is; or the answer, where it is known now.
    fn due(&mut self, now_ms: u64, out: &mut Frame) -> Result<usize, Answer>;
    /// Takes what came.
    fn heard(&mut self, now_ms: u64, input: &[u8]) -> Option<Answer>;
    /// The answer when its time is over; `noise`: something came.
    fn over(&mut self, noise: bool) -> Answer {
        Answer::Silent { noise }
    }
}

/// Asks a device that speaks the link for its hello, which it says in clear, and the right one to prove that it holds
/// the key that is kept for it. No session begins by that: it keeps what it has seen.
///
/// # Errors
/// When the place cannot be opened now.
pub async fn link<C: Connect>(
    place: C,
    expect: Expect,
    keys: impl Keyring + Send + 'static,
) -> Result<Answer, OpenError> {
    let hello = Hello { decoder: Decoder::new(), next_ms: 0, is_nameless: false };
    let host = entropy().ok().map(|entropy| Host::new(expect.clone(), keys, &entropy, None));
    probe(place, Proof { hello, expect, host, said: None }, LINK_WITHIN).await
}

/// Asks the readers of a line what they are.
///
/// # Errors
/// When the place cannot be opened now.
pub async fn feig(line: &FeigLine) -> Result<Answer, OpenError> {
    match &line.place {
        Place::Serial(port, baud) => {
            probe(SerialPort::new(port, *baud).even(), readers(&line.setup), FEIG_WITHIN).await
        }
        Place::Tcp(address) => probe(TcpPort::new(address.clone()), readers(&line.setup), FEIG_WITHIN).await,
    }
}

/// Asks a PATLITE tower on the network what it shows.
///
/// # Errors
/// When it does not take the connection.
pub async fn pns(address: SocketAddr) -> Result<Answer, OpenError> {
    probe(TcpPort::new(address.to_string()), Tower(Pns::new(Look::default())), PNS_WITHIN).await
}

/// Opens a serial port and closes it: what hangs there answers nothing, or is not to be asked.
///
/// # Errors
/// When it cannot be opened now.
pub async fn opens(mut port: impl Connect) -> Result<Answer, OpenError> {
    port.connect().await.map(|_| Answer::There)
}

/// Whether the LR6-USB of this machine is enumerated and may be opened. It is not taken from whoever has it.
///
/// Waits for the system: to be called where that may be.
///
/// # Errors
/// When this machine's USB cannot be asked, or the tower not opened.
pub fn lr6() -> Result<bool, UsbError> {
    crate::signal::usb::lr6_opens()
}

async fn probe<C: Connect>(mut place: C, mut question: impl Question, within: Duration) -> Result<Answer, OpenError> {
    let mut stream = place.connect().await?;
    let began = Instant::now();
    let mut noise = false;
    let talk = async {
        let (mut frame, mut buffer) = ([0; MAX_FRAME], [0; 1024]);
        loop {
            let now_ms = || u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
            let length = match question.due(now_ms(), &mut frame) {
                Ok(length) => length,
                Err(answer) => return answer,
            };
            if let Err(error) = stream.write_all(frame.get(..length).unwrap_or_default()).await {
                return Answer::Closed(error.to_string());
            }
            tokio::select! {
                read = stream.read(&mut buffer) => match read {
                    Ok(0) => return Answer::Closed("it has closed".to_owned()),
                    Ok(count) => {
                        noise = true;
                        if let Some(answer) = question.heard(now_ms(), buffer.get(..count).unwrap_or_default()) {
                            return answer;
                        }
                    }
                    Err(error) => return Answer::Closed(error.to_string()),
                },
                () = sleep(STEP) => {}
            }
        }
    };
    let answer = timeout(within, talk).await;
    Ok(answer.unwrap_or_else(|_| question.over(noise)))
}

/// The link's question.
struct Hello {
    decoder: Decoder,
    next_ms: u64,
    /// A hello gave a serial number that is none.
    is_nameless: bool,
}

impl Question for Hello {
    fn due(&mut self, now_ms: u64, out: &mut Frame) -> Result<usize, Answer> {
        if now_ms < self.next_ms {
            return Ok(0);
        }
        self.next_ms = now_ms + HOST_HELLO_MS;
        Ok(encode(&ToDevice::Hello { protocol: PROTOCOL, schema: SCHEMA_4 }, out).map_or(0, <[u8]>::len))
    }

    fn heard(&mut self, _: u64, mut input: &[u8]) -> Option<Answer> {
        while let Some(got) = self.decoder.next::<ToHost>(&mut input, None) {
            // what is sealed is not for who only asks
            if let Got::Clear(ToHost::Hello(hello)) = got {
                if is_serial(&hello.serial) {
                    return Some(Answer::Hello(hello));
                }
                self.is_nameless = true;
            }
        }
        None
    }
}

/// What the right device is asked then: the beginning of a session, up to its proof.
struct Proof<K> {
    hello: Hello,
    expect: Expect,
    host: Option<Host<K>>,
    /// The device that has said hello.
    said: Option<DeviceHello>,
}

impl<K: Keyring> Question for Proof<K> {
    fn due(&mut self, now_ms: u64, out: &mut Frame) -> Result<usize, Answer> {
        let (Some(said), Some(host)) = (&self.said, &mut self.host) else { return self.hello.due(now_ms, out) };
        // one that speaks an older version proves it by what it seals
        if host.is_answered() || host.online() {
            return Err(Answer::Hello(said.clone()));
        }
        host.tick(now_ms);
        Ok(host.transmit(now_ms, out).map_or(0, <[u8]>::len))
    }

    fn heard(&mut self, now_ms: u64, mut input: &[u8]) -> Option<Answer> {
        if let (Some(said), Some(host)) = (&self.said, &mut self.host) {
            return match host.receive(now_ms, &mut input)? {
                Report::Refused(Refusal::Key { .. }) => Some(Answer::OtherKey(said.clone())),
                // what else may be wrong with it, its caller sees in what it said
                Report::Refused(_) => Some(Answer::Hello(said.clone())),
                _ => None,
            };
        }
        let answer = self.hello.heard(now_ms, input)?;
        let (Answer::Hello(said), Some(host)) = (&answer, &mut self.host) else { return Some(answer) };
        if self.expect.version(said).is_err() {
            return Some(answer);
        }
        self.said = Some(said.clone());
        host.opened(now_ms);
        None
    }

    fn over(&mut self, noise: bool) -> Answer {
        match self.said.take() {
            Some(said) => Answer::Hello(said),
            None if self.hello.is_nameless => Answer::Refused(Refusal::Name.to_string()),
            None if self.hello.decoder.spoke() => Answer::Refused(MISSPOKEN.to_owned()),
            None => Answer::Silent { noise },
        }
    }
}

/// The readers' question. Nothing else is sent before all of them have answered it.
struct Readers(FeigSession);

fn readers(setup: &Setup) -> Readers {
    let mut session = FeigSession::new(setup.clone());
    session.opened(0);
    Readers(session)
}

impl Question for Readers {
    fn due(&mut self, now_ms: u64, out: &mut Frame) -> Result<usize, Answer> {
        match self.0.tick(now_ms).and_then(answered) {
            Some(answer) => Err(answer),
            None => Ok(self.0.transmit(now_ms, out).map_or(0, <[u8]>::len)),
        }
    }

    fn heard(&mut self, now_ms: u64, mut input: &[u8]) -> Option<Answer> {
        let answer = self.0.receive(now_ms, &mut input).and_then(answered)?;
        let mut advice = Vec::new();
        while let Some(SessionReport::Advice(what)) = self.0.tick(now_ms) {
            advice.push(what);
        }
        Some(match answer {
            Answer::Hello(hello) if !advice.is_empty() => Answer::Advised(hello, advice.join("; ")),
            answer => answer,
        })
    }
}

fn answered(said: SessionReport) -> Option<Answer> {
    match said {
        SessionReport::Online { hello, .. } => Some(Answer::Hello(hello)),
        SessionReport::Refused { why, distrust: Some(Distrust::Swapped) } => Some(Answer::Swapped(why)),
        SessionReport::Refused { why, .. } => Some(Answer::Refused(why)),
        SessionReport::Saw { .. }
        | SessionReport::CaughtUp
        | SessionReport::Silent(_)
        | SessionReport::Forged
        | SessionReport::Advice(_)
        | SessionReport::Missed(_)
        | SessionReport::Withheld(_)
        | SessionReport::Late { .. }
        | SessionReport::ClockWentBack
        | SessionReport::Picture { .. }
        | SessionReport::Keeps(_) => None,
    }
}

/// The tower's question: what it shows.
struct Tower(Pns);

impl Question for Tower {
    fn due(&mut self, now_ms: u64, out: &mut Frame) -> Result<usize, Answer> {
        let mut bytes = Vec::new();
        self.0.transmit(now_ms, &mut bytes).map_err(refused)?;
        // what it would be told next is not for a question
        if self.0.there() {
            return Err(Answer::There);
        }
        let Some(room) = out.get_mut(..bytes.len()) else { return Ok(0) };
        room.copy_from_slice(&bytes);
        Ok(bytes.len())
    }

    fn heard(&mut self, now_ms: u64, input: &[u8]) -> Option<Answer> {
        match self.0.receive(now_ms, input) {
            Ok(()) => self.0.there().then_some(Answer::There),
            Err(trouble) => Some(refused(trouble)),
        }
    }
}

fn refused(trouble: Trouble) -> Answer {
    Answer::Refused(trouble.to_string())
}

#[cfg(test)]
#[path = "probe_tests.rs"]
mod tests;
