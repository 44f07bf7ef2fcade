//! What a device tells of what it sees: that it keeps it, when it tells it again, when it forgets it.

use std::time::Duration;

use sabot_wire::message::{ToDevice, ToHost};
use sabot_wire::{DEVICE_HELLO_MS, HOST_HELLO_MS, RESEND_MAX_MS, RESEND_MS, WINDOW};
use tokio::time::Instant;

use super::duties::Duty;
use super::examiner::{Heard, Stop, wrong};
use super::handshake::{HELLO, early, unpaired};
use super::{Enter, Run, challenge, deed};
use crate::transport::Connect;

/// What only events show.
pub(crate) const OF_EVENTS: [Duty; 11] = [
    Duty::Numbered,
    Duty::Values,
    Duty::OwnRole,
    Duty::BeforeOpen,
    Duty::Once,
    Duty::Window,
    Duty::Resends,
    Duty::Same,
    Duty::Waits,
    Duty::Forgets,
    Duty::NeverGiven,
];
/// Milliseconds that are listened on after the moment at which nothing is to come.
const AFTER_MS: u64 = 250;
/// Milliseconds between two looks at the clock: no step but one divides the sums of them.
const GAPS_MS: [u64; 18] = [31, 47, 22, 58, 37, 41, 26, 53, 33, 49, 24, 61, 29, 43, 38, 57, 23, 51];
/// A clock may go wrong by one part in so many.
const PACE: u64 = 20;
/// How long an event waits before it comes again, and whether a clear hello is said meanwhile.
const WAITS_MS: [(u32, bool); 6] = [
    (RESEND_MS, false),
    (2 * RESEND_MS, false),
    (4 * RESEND_MS, false),
    (RESEND_MAX_MS, false),
    (RESEND_MAX_MS, false),
    (RESEND_MAX_MS, true),
];
/// Frames of one session that take its counter past 16 bits.
const PAST_16_BITS: u64 = 0x1_0010;

/// The first hello of a start: it came after this; and when the port was opened, where it was away.
struct First {
    after: Instant,
    opened: Option<Instant>,
}

impl<C: Connect> Run<'_, C> {
    /// The device has an event that is not acknowledged: it had one, or the person has made one.
    pub(crate) async fn sees_something(&mut self, why: &str) -> Result<bool, Stop> {
        if self.line.newest() > self.line.told.acked {
            return Ok(true);
        }
        let Some(deed) = deed(self.device()?.role) else { return Ok(false) };
        let asking = self.asks(&format!("Please {deed}: {why}."), Enter::Skips);
        while !self.gives_up(&asking) {
            let until = Instant::now() + Duration::from_millis(HOST_HELLO_MS);
            while self.line.hear(until).await?.is_some() {}
            self.pings(Duty::Ping, "a ping").await?;
            if self.line.newest() > self.line.told.acked {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The acknowledgement of what it has forgotten already opens it, and everything comes in order.
    pub(crate) async fn is_opened(&mut self) -> Result<(), Stop> {
        self.line.acknowledge(self.line.told.acked).await?;
        let due = self.line.newest().min(self.line.told.acked + WINDOW);
        let until = Instant::now() + self.line.slack;
        while self.line.told.newest < due {
            if self.line.hear(until).await?.is_none() {
                let (came, ms) = (self.line.told.newest, self.line.slack.as_millis());
                let what =
                    format!("{ms} ms after it was opened event {came} was the last to come, and {due} was named");
                return Err(wrong(Duty::Once, what));
            }
        }
        self.pings(Duty::Ping, "an acknowledgement").await?;
        let mut hellos = Vec::new();
        self.collects_hellos(Duration::from_millis(u64::from(DEVICE_HELLO_MS) + AFTER_MS), 1, &mut hellos).await?;
        if !hellos.is_empty() {
            return Err(wrong(Duty::HelloEvery, "it says hello though it was opened".to_owned()));
        }
        self.is_asked_for_all().await
    }

    /// A sealed hello: it is ready, and tells all it holds once more.
    async fn is_asked_for_all(&mut self) -> Result<(), Stop> {
        self.line.say(&HELLO).await?;
        let until = Instant::now() + self.line.slack;
        let ms = self.line.slack.as_millis();
        loop {
            match self.line.hear(until).await? {
                Some(heard) if matches!(heard.message, ToHost::Running { .. }) && heard.session == self.line.living => {
                    break;
                }
                Some(_) => {}
                None => {
                    return Err(wrong(Duty::SealedHello, format!("no Running came within {ms} ms of a sealed hello")));
                }
            }
        }
        let held = self.device()?.oldest..=self.line.told.newest;
        for due in held.take(WINDOW as usize) {
            loop {
                match self.line.hear(until).await? {
                    Some(heard) if matches!(heard.message, ToHost::Event { seq, .. } if seq == due) => break,
                    Some(_) => {}
                    None => {
                        let what = format!("event {due} did not come again within {ms} ms of a sealed hello");
                        return Err(wrong(Duty::SealedHello, what));
                    }
                }
            }
        }
        self.line.holds(Duty::SealedHello);
        Ok(())
    }

    /// Without an acknowledgement events come again, at first soon and then at length.
    pub(crate) async fn sends_again(&mut self) -> Result<(), Stop> {
        for (due_ms, hello) in WAITS_MS {
            let (oldest, due) = (self.line.told.acked + 1, Duration::from_millis(due_ms.into()));
            let mut before = self.line.told.moved_at;
            let after = if hello { ", with a clear hello meanwhile" } else { "" };
            if hello {
                self.line.trying = Some(Duty::Lives);
                self.line.send_clear(&HELLO).await?;
            }
            let gap = loop {
                let Some(heard) = self.line.hear(before + due + self.line.slack).await? else {
                    let most = (due + self.line.slack).as_millis();
                    let what = format!("event {oldest} did not come again in {most} ms, due after {due_ms} ms{after}");
                    return Err(wrong(self.line.trying.unwrap_or(Duty::Resends), what));
                };
                match heard.message {
                    ToHost::Event { seq, .. } if seq == oldest => break heard.at - before,
                    ToHost::Event { .. } => before = heard.at,
                    _ => {}
                }
            };
            if gap + early(due, self.line.slack) < due {
                let gap = gap.as_millis();
                let what = format!("event {oldest} came again after {gap} ms, due after {due_ms} ms{after}");
                return Err(wrong(Duty::Resends, what));
            }
        }
        self.line.trying = None;
        self.line.holds(Duty::Resends);
        self.is_soon_again().await
    }

    /// An acknowledgement that forgets something brings the first wait back.
    async fn is_soon_again(&mut self) -> Result<(), Stop> {
        if self.line.told.held() < 3 {
            return Ok(());
        }
        // what comes again just now
        let (last, until) = (self.line.told.newest, Instant::now() + self.line.slack);
        while let Some(heard) = self.line.hear(until).await? {
            if matches!(heard.message, ToHost::Event { seq, .. } if seq == last) {
                break;
            }
        }
        self.line.acknowledge(self.line.told.acked + 2).await?;
        let (oldest, due) = (self.line.told.acked + 1, Duration::from_millis(RESEND_MS.into()));
        let mut before = Instant::now();
        while let Some(heard) = self.line.hear(before + due + self.line.slack).await? {
            match heard.message {
                ToHost::Event { seq, .. } if seq == oldest => return Ok(()),
                ToHost::Event { .. } => before = heard.at,
                _ => {}
            }
        }
        let ms = (due + self.line.slack).as_millis();
        let what =
            format!("event {oldest} did not come again within {ms} ms of the acknowledgement of those before it");
        Err(wrong(Duty::Resends, what))
    }

    /// From a challenge on no event comes, until the host speaks in the session that lives.
    pub(crate) async fn waits_with_its_events(&mut self) -> Result<(), Stop> {
        self.is_asked_for_all().await?;
        let key = self.key.clone();
        self.line.is_told_by_strangers(challenge()?, &key).await?;
        self.tells_on("a challenge and a share without its proof").await?;
        self.is_asked_for_all().await?;
        let next = self.line.challenges(challenge()?, &key).await?.ok_or_else(unpaired)?;
        let until = Instant::now() + Duration::from_millis(3 * u64::from(RESEND_MS));
        while self.line.hear(until).await?.is_some() {}
        self.line.holds(Duty::Waits);
        self.pings(Duty::Lives, "a challenge while events wait").await?;
        self.tells_on("a challenge that nobody followed up").await?;
        self.is_closed_by_another(next).await
    }

    /// Events come on in the session that lives.
    async fn tells_on(&mut self, after: &str) -> Result<(), Stop> {
        let until = Instant::now() + Duration::from_millis(RESEND_MAX_MS.into()) + self.line.slack;
        while let Some(heard) = self.line.hear(until).await? {
            if is_event(&heard.message) {
                return Ok(());
            }
        }
        Err(wrong(Duty::Lives, format!("after {after} no event came in the session that lives")))
    }

    /// The session that waited takes the place of the one that was open: no event comes until it is opened too.
    async fn is_closed_by_another(&mut self, next: usize) -> Result<(), Stop> {
        self.line.trying = Some(Duty::TakesPlace);
        self.line.living = Some(next);
        self.pings(Duty::TakesPlace, "a ping in the session that waited").await?;
        let until = Instant::now() + Duration::from_millis(3 * u64::from(RESEND_MS));
        while self.line.hear(until).await?.is_some() {}
        self.line.trying = None;
        self.line.acknowledge(self.line.told.acked).await
    }

    /// Only what is acknowledged, sealed and by its own number, is forgotten.
    pub(crate) async fn forgets_what_is_acknowledged(&mut self) -> Result<(), Stop> {
        let (epoch, newest) = (self.device()?.epoch, self.line.told.newest);
        self.line.send_clear(&ToDevice::Ack { epoch, seq: newest }).await?;
        self.still_holds(Duty::ClearIgnored, "an acknowledgement in clear").await?;
        self.line.say(&ToDevice::Ack { epoch: epoch ^ 0x5555_0000, seq: newest }).await?;
        self.still_holds(Duty::OtherEpoch, "an acknowledgement of another epoch").await?;
        match newest.checked_add(0x1_0000) {
            Some(seq) => {
                self.line.say(&ToDevice::Ack { epoch, seq }).await?;
                self.still_holds(Duty::NeverGiven, "an acknowledgement of a number it never gave out").await?;
            }
            None => self.shows_nothing(&[Duty::NeverGiven], "its numbers are near the last there is"),
        }
        if self.line.told.held() > 1 {
            self.line.acknowledge(self.line.told.acked + 1).await?;
            self.still_holds(Duty::Forgets, "an acknowledgement of the oldest event").await?;
        }
        self.line.acknowledge(self.line.told.newest).await?;
        self.still_holds(Duty::Forgets, "an acknowledgement of all it told").await?;
        let until = Instant::now() + Duration::from_millis(u64::from(RESEND_MS) + AFTER_MS);
        while self.line.hear(until).await?.is_some() {}
        self.pings(Duty::Newest, "an acknowledgement of all it told").await
    }

    /// What it holds begins after what was acknowledged.
    async fn still_holds(&mut self, duty: Duty, after: &str) -> Result<(), Stop> {
        self.line.trying = Some(duty);
        self.is_asked_for_all().await?;
        let (oldest, due) = (self.device()?.oldest, self.line.told.acked + 1);
        if oldest != due {
            return Err(wrong(duty, format!("after {after} it holds events from {oldest} on, and not from {due}")));
        }
        self.line.trying = None;
        self.line.holds(duty);
        Ok(())
    }

    /// Its clock goes in milliseconds, at the pace of the host's.
    pub(crate) async fn keeps_time(&mut self) -> Result<(), Stop> {
        let mut step = 0;
        for gap in GAPS_MS {
            let until = Instant::now() + Duration::from_millis(gap);
            while self.line.hear(until).await?.is_some() {}
            self.pings(Duty::Ping, "a ping").await?;
            let (gone, _) = self.line.gone_ms().unwrap_or_default();
            step = common_divisor(step, gone);
        }
        let (there, here) = self.line.gone_ms().unwrap_or_default();
        let slack = u64::try_from(self.line.slack.as_millis()).unwrap_or(u64::MAX);
        if u64::from(there).abs_diff(here) > slack + here / PACE {
            return Err(wrong(Duty::Pace, format!("its clock went {there} ms in {here} ms")));
        }
        if step > 1 {
            return Err(wrong(Duty::Milliseconds, format!("its clock goes in steps of {step} ms")));
        }
        self.line.holds(Duty::Milliseconds);
        self.line.holds(Duty::Pace);
        Ok(())
    }

    /// Its own counter goes on past 16 bits, where there is time for it.
    pub(crate) async fn counts_on(&mut self) -> Result<(), Stop> {
        if !self.setup.long {
            self.shows_nothing(&[Duty::LongCounter], "it takes minutes, and was not asked for (--long)");
            return Ok(());
        }
        self.line.trying = Some(Duty::LongCounter);
        while self.line.counted() < PAST_16_BITS {
            self.pings(Duty::LongCounter, "a ping").await?;
        }
        self.line.trying = None;
        self.line.holds(Duty::LongCounter);
        Ok(())
    }

    /// Its power is taken away and given back: ring, numbers and count of starts are as they were.
    pub(crate) async fn starts_again(&mut self) -> Result<(), Stop> {
        self.line.acknowledges = false;
        let has_event = self.sees_something("it must hold an event when its power goes").await?;
        let (before, newest, acked) = (self.device()?.clone(), self.line.newest(), self.line.told.acked);
        let asking = self.asks("Please take its power away, and give it back after a second.", Enter::Skips);
        let asked_at = Instant::now();
        self.line.is_restarting = true;
        let Some(hello) = self.goes_and_comes(&asking, before.boots).await? else {
            self.line.is_restarting = false;
            let duties = [Duty::Boots, Duty::RingKept, Duty::Fresh, Duty::FirstHello];
            self.shows_nothing(&duties, "its power was not taken away");
            return Ok(());
        };
        let said = self.device()?.clone();
        let (epoch, was, oldest) = (said.epoch, before.epoch, said.oldest);
        if said.boots <= before.boots {
            let (now, was) = (said.boots, before.boots);
            return Err(wrong(Duty::Boots, format!("this is start {now}, and the one before was {was}")));
        }
        if epoch != was {
            return Err(wrong(Duty::RingKept, format!("its epoch is {epoch} after a reset, and was {was}")));
        }
        if oldest != acked + 1 {
            let due = acked + 1;
            return Err(wrong(
                Duty::RingKept,
                format!("it holds events from {oldest} on after a reset, not from {due}"),
            ));
        }
        self.line.is_restarting = false;
        self.line.forget_sessions();
        self.line.living = Some(self.is_challenged().await?);
        let fresh = self.line.told.fresh;
        if fresh <= newest {
            return Err(wrong(
                Duty::Fresh,
                format!("its first event is to be {fresh}, and {newest} is of an earlier start"),
            ));
        }
        let at_ms = Duration::from_millis(self.line.shown_ms().into());
        if at_ms > asked_at.elapsed() + self.line.slack {
            return Err(wrong(Duty::Pace, "its clock does not begin with its start".to_owned()));
        }
        self.says_hello_at_once(hello)?;
        self.line.is_waiting = false;
        self.line.acknowledge(acked).await?;
        let until = Instant::now() + self.line.slack;
        while has_event && self.line.hear(until).await?.is_none_or(|heard| !is_event(&heard.message)) {
            if Instant::now() >= until {
                return Err(wrong(Duty::RingKept, format!("event {} did not come after a reset", acked + 1)));
            }
        }
        for duty in [Duty::Boots, Duty::RingKept, Duty::Fresh] {
            self.line.holds(duty);
        }
        self.pings(Duty::Ping, "a ping").await?;
        self.line.acknowledge(self.line.told.newest).await
    }

    /// From its clock follows when it started, and so how late its first hello was, at the least.
    fn says_hello_at_once(&mut self, hello: First) -> Result<(), Stop> {
        let Some((at_ms, at)) = self.line.first_shown() else { return Ok(()) };
        let started = at.checked_sub(Duration::from_millis(at_ms.into())).unwrap_or(hello.after);
        // of what it said while the port was closed nothing is known: the next is due a second later
        let was_open = hello.opened.is_none_or(|opened| opened + self.line.slack < started);
        if !was_open {
            self.shows_nothing(&[Duty::FirstHello], "its port was away as it started");
            return Ok(());
        }
        let late = hello.after.saturating_duration_since(started);
        if late > self.line.slack {
            let what = format!("its first hello came {} ms after its start", late.as_millis());
            return Err(wrong(Duty::FirstHello, what));
        }
        self.line.holds(Duty::FirstHello);
        Ok(())
    }

    /// The first hello of a device that was away and is there again, before the person gives up. While it is away
    /// nothing is asked, so that the hello is its own, for as long as it may take to say one; then it is, so that a
    /// device is heard which says none: its clock tells how late that is.
    async fn goes_and_comes(&mut self, asking: &super::Asking, boots: u32) -> Result<Option<First>, Stop> {
        let (mut unanswered, mut opened, mut ask_at, mut asked) = (0, None, None, false);
        let own = Duration::from_millis(DEVICE_HELLO_MS.into()) + self.line.slack;
        while !self.gives_up(asking) {
            let is_away = unanswered > 2;
            let is_due = is_away && Instant::now() >= *ask_at.get_or_insert_with(|| Instant::now() + own);
            if is_due {
                (ask_at, asked) = (None, true);
            }
            match self.looks(is_away, is_due).await {
                Ok(Some(Heard { after, message: ToHost::Hello(hello), .. }))
                    if hello.boots != boots || is_away && !asked =>
                {
                    return Ok(Some(First { after, opened }));
                }
                // one that answers in the start that was here has been there all the time
                Ok(Some(heard)) if is_away || matches!(heard.message, ToHost::Clock { .. }) => {
                    (unanswered, ask_at, asked) = (0, None, false);
                }
                Ok(_) => unanswered += 1,
                Err(Stop::Over(_)) => {
                    unanswered = 3;
                    tokio::time::sleep(Duration::from_millis(HOST_HELLO_MS)).await;
                    opened = self.line.open().await.is_ok().then(Instant::now);
                    (ask_at, asked) = (None, false);
                }
                Err(other) => return Err(other),
            }
        }
        if unanswered > 2 {
            return Err(Stop::Over("its power was taken away, and it did not come back".to_owned()));
        }
        Ok(None)
    }

    /// One question while it is there, or where it is to say hello, and the answer that counts: a clock; or a hello.
    async fn looks(&mut self, is_away: bool, asks: bool) -> Result<Option<Heard>, Stop> {
        if is_away {
            self.line.is_unsound();
            if asks {
                self.line.send_clear(&HELLO).await?;
            }
        } else {
            let ping = self.line.next_ping();
            self.line.say(&ToDevice::Ping(ping)).await?;
        }
        let until = Instant::now() + Duration::from_millis(HOST_HELLO_MS);
        let mut counts = None;
        while let Some(heard) = self.line.hear(until).await? {
            match heard.message {
                ToHost::Hello(_) => return Ok(Some(heard)),
                ToHost::Clock { .. } => counts = Some(heard),
                _ => {}
            }
        }
        Ok(counts)
    }
}

const fn is_event(message: &ToHost) -> bool {
    matches!(message, ToHost::Event { .. })
}

const fn common_divisor(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { common_divisor(b, a % b) }
}
