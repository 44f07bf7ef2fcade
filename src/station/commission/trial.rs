//! One thing after the other is tried, with the technician at the felt.

use std::path::PathBuf;
use std::time::Duration;

use sabot_drivers::saw::{Pad, Stake};
use sabot_drivers::signal::{Attention, Level, SignalContent};
use sabot_law::table::{Card, Place, words};
use sabot_wire::message::{Lamp, Role, Show};
use tokio::time::sleep;

use super::CommissionError;
use super::checks::{CARDS, Check, at_stake, cards};
use super::desk::{Desk, Teller, Typed, Wants};
use super::progress::{Outcome, Progress};
use super::watched::{Seen, Watched};

/// A lamp that is tried changes so often.
const BLINK: Duration = Duration::from_millis(500);
/// For so long devices are heard at the end, so that each knows that it may forget what it saw.
const REST: Duration = Duration::from_secs(1);

/// What comes next.
enum Heard {
    Seen(Seen),
    Typed(Typed),
    /// Nothing, for as long as a lamp takes to blink.
    Nothing,
}

/// What came of one check.
struct Came {
    passed: bool,
    told: String,
}

/// The trial of a table.
pub(super) struct Trial<'a, T> {
    desk: &'a mut Desk<T>,
    watched: Watched,
    progress: Progress,
    kept: PathBuf,
    /// What is asked now, and what answers it.
    asked: (String, Wants),
}

impl<'a, T: Teller> Trial<'a, T> {
    pub(super) const fn new(desk: &'a mut Desk<T>, watched: Watched, progress: Progress, kept: PathBuf) -> Self {
        Self { desk, watched, progress, kept, asked: (String::new(), Wants::Deed) }
    }

    /// What a device says of itself.
    pub(super) fn says(&self, role: Role) -> Option<&str> {
        self.watched.of(role).map(|(_, says)| says)
    }

    /// What came of a check, now or before.
    pub(super) fn outcome(&self, check: &Check) -> Option<&Outcome> {
        self.progress.last(&check.to_string(), &self.devices(check))
    }

    fn devices(&self, check: &Check) -> String {
        let serials = check.roles().iter().map(|role| self.watched.of(*role).map_or("", |(serial, _)| serial));
        serials.collect::<Vec<_>>().join(" ")
    }

    /// Tries everything that has not passed before.
    pub(super) async fn all(&mut self, checks: &[Check]) -> Result<(), CommissionError> {
        let mut passed = 0;
        for check in checks {
            if self.outcome(check).is_some_and(|outcome| outcome.passed) {
                passed += 1;
                continue;
            }
            let devices = self.devices(check);
            let Came { passed, told } = self.one(check).await?;
            let outcome = Outcome { check: check.to_string(), devices, passed, told, at: crate::about::now() };
            let (path, added) = (self.kept.clone(), self.progress.add(outcome));
            added.map_err(|why| CommissionError::File { path, why })?;
        }
        if passed > 0 {
            let line = self.desk.words(
                format!("{passed} de {} ya habían pasado antes (`--again` los repite)", checks.len()),
                format!("{passed} of {} had passed before (`--again` tries them again)", checks.len()),
            );
            self.desk.good(line)?;
        }
        Ok(())
    }

    async fn one(&mut self, check: &Check) -> Result<Came, CommissionError> {
        match check {
            Check::Display => self.blinks(None, self.desk.words("pantalla", "pit display")).await,
            Check::Signal(nth, name) => self.blinks(Some(*nth), name.clone()).await,
            Check::Entry => {
                let ask = self.desk.words("pulse una tecla del teclado", "press a key of the keypad");
                self.until(ask, |seen| if let Seen::Entry(key) = seen { Some(key.clone()) } else { None }).await
            }
            Check::Door => {
                let ask = self.desk.words("abra la puerta de la mezcladora", "open the door of the shuffler");
                let came = self.until(ask, |seen| matches!(seen, Seen::Door { open: true }).then(String::new)).await?;
                if !came.passed {
                    return Ok(came);
                }
                let ask = self.desk.words("ciérrela", "close it");
                let both = self.desk.words("abierta y cerrada", "open and closed");
                self.until(ask, |seen| matches!(seen, Seen::Door { open: false }).then(|| both.clone())).await
            }
            Check::Card(card, place) => self.card(*card, *place).await,
            Check::Chips(at) => self.chips(*at).await,
        }
    }

    /// Asks the technician, and at the felt.
    fn ask(&mut self, what: String, wants: Wants) -> Result<(), CommissionError> {
        self.desk.ask(what.clone(), wants)?;
        self.watched.show(Lamp::Amber, std::slice::from_ref(&what));
        self.asked = (what, wants);
        Ok(())
    }

    fn good(&mut self, what: String) -> Result<(), CommissionError> {
        self.desk.good(what.clone())?;
        self.watched.show(Lamp::Green, &[self.asked.0.clone(), what]);
        Ok(())
    }

    fn wrong(&mut self, what: String) -> Result<(), CommissionError> {
        self.desk.wrong(what.clone())?;
        self.watched.show(Lamp::Red, &[self.asked.0.clone(), what]);
        Ok(())
    }

    /// What comes next. What a device says of itself is told whatever is tried.
    async fn hear(&mut self) -> Result<Heard, CommissionError> {
        let heard = tokio::select! {
            seen = self.watched.next() => Heard::Seen(seen.ok_or(CommissionError::Left)?),
            typed = self.desk.typed() => Heard::Typed(typed?),
            () = sleep(BLINK) => Heard::Nothing,
        };
        match &heard {
            Heard::Seen(Seen::Away(role, why) | Seen::Refused(role, why, _) | Seen::Advice(role, why)) => {
                self.wrong(format!("{role}: {why}"))?;
            }
            Heard::Seen(Seen::Here(role)) => {
                let back = self.desk.words("está otra vez", "is back");
                self.good(format!("{role}: {back}"))?;
            }
            Heard::Seen(Seen::Unreadable(at, why)) => {
                let mend = self.desk.words("mire la antena y su cable", "look to the antenna and its cable");
                self.wrong(format!("chips, {at}: {why}; {mend}"))?;
            }
            Heard::Seen(Seen::Says(role, state)) => self.desk.aside(format!("{role}: {state:?}"))?,
            Heard::Typed(Typed::Again) => {
                let (what, wants) = self.asked.clone();
                self.ask(what, wants)?;
            }
            Heard::Typed(Typed::Other) => {
                let line = self.desk.words(
                    "`omitir MOTIVO` lo deja sin probar, `parar` sigue otro día, Intro repite lo que se pide",
                    "`skip REASON` leaves it untried, `stop` goes on another day, Enter says again what is asked",
                );
                self.desk.aside(line)?;
            }
            Heard::Seen(_) | Heard::Typed(_) | Heard::Nothing => {}
        }
        Ok(heard)
    }

    /// A check that is left out; nothing where no reason was given.
    fn left_out(&mut self, reason: String) -> Result<Option<Came>, CommissionError> {
        if reason.is_empty() {
            let line = self.desk.words(
                "diga por qué, como en `omitir la antena llega mañana`: el motivo va a la hoja",
                "say why, as in `skip its antenna comes tomorrow`: the reason goes onto the sheet",
            );
            self.desk.aside(line)?;
            return Ok(None);
        }
        Ok(Some(Came { passed: false, told: reason }))
    }

    /// Waits for one thing, whatever else is seen meanwhile.
    async fn until(&mut self, ask: String, wanted: impl Fn(&Seen) -> Option<String>) -> Result<Came, CommissionError> {
        self.ask(ask, Wants::Deed)?;
        loop {
            match self.hear().await? {
                Heard::Seen(seen) => {
                    if let Some(told) = wanted(&seen) {
                        self.good(told.clone())?;
                        return Ok(Came { passed: true, told });
                    }
                }
                Heard::Typed(Typed::Skip(reason)) => {
                    if let Some(came) = self.left_out(reason)? {
                        return Ok(came);
                    }
                }
                Heard::Typed(_) | Heard::Nothing => {}
            }
        }
    }

    /// A lamp changes until the technician has said whether it does.
    async fn blinks(&mut self, signal: Option<usize>, name: String) -> Result<Came, CommissionError> {
        let asked = self.desk.words(
            format!("¿cambian las luces de {name}, y se lee lo que muestra?"),
            format!("{name}: do its lights change, and can its words be read, where it has any?"),
        );
        self.ask(asked, Wants::YesOrNo)?;
        for turn in 0_usize.. {
            self.blink(signal, &name, turn);
            match self.hear().await? {
                // nothing has changed yet: that was meant for what was asked before
                Heard::Typed(Typed::Yes) if turn == 0 => {
                    let (what, wants) = self.asked.clone();
                    self.ask(what, wants)?;
                }
                Heard::Typed(Typed::Yes) => {
                    let told = self.desk.words("visto", "seen");
                    self.good(format!("{name}: {told}"))?;
                    return Ok(Came { passed: true, told });
                }
                Heard::Typed(Typed::No) => {
                    let line = self.desk.words(
                        format!(
                            "{name}: mire corriente, cable y `port` o `address`; `omitir MOTIVO` lo deja sin probar"
                        ),
                        format!("{name}: look to power, cable, and its `port` or `address`; `skip REASON` leaves it"),
                    );
                    self.desk.wrong(line)?;
                }
                Heard::Typed(Typed::Skip(reason)) => {
                    if let Some(came) = self.left_out(reason)? {
                        return Ok(came);
                    }
                }
                Heard::Seen(_) | Heard::Typed(_) | Heard::Nothing => {}
            }
        }
        Err(CommissionError::Left)
    }

    fn blink(&self, signal: Option<usize>, name: &str, turn: usize) {
        let pick = |count: usize| turn.checked_rem(count).unwrap_or_default();
        match signal {
            None => {
                const LAMPS: [Lamp; 3] = [Lamp::Red, Lamp::Amber, Lamp::Green];
                self.watched.display(Show::Lamp(LAMPS.get(pick(LAMPS.len())).copied().unwrap_or(Lamp::Off)));
            }
            Some(nth) => {
                let level = Level::ALL.get(pick(Level::ALL.len())).copied().unwrap_or_default();
                let texts = [format!("sabot: {name}"), self.asked.0.clone()];
                if let Some(signal) = self.watched.signals.get(nth) {
                    signal.show(SignalContent::new(level, Attention::None, texts));
                }
            }
        }
    }

    async fn card(&mut self, card: Card, place: Option<Place>) -> Result<Came, CommissionError> {
        let lang = self.desk.lang;
        let named = |place: Place| words::place(place).get(lang).to_owned();
        let ask = match place {
            None => self.desk.words(format!("saque {card}"), format!("draw {card}")),
            Some(at) => self.desk.words(
                format!("saque {card} y póngala en {}", named(at)),
                format!("draw {card} and lay it on {}", named(at)),
            ),
        };
        let nth = cards().take_while(|shown| *shown != card).count() + 1;
        self.ask(format!("{ask} ({nth}/{CARDS})"), Wants::Deed)?;
        let (mut is_read, mut lies) = (false, place.is_none());
        while !(is_read && lies) {
            match self.hear().await? {
                Heard::Seen(Seen::Card(read)) if read == card => {
                    is_read = true;
                    self.good(self.desk.words(format!("{card} leída"), format!("{card} read")))?;
                }
                Heard::Seen(Seen::Lies(at, seen)) if Some(at) == place && seen.is_none_or(|seen| seen == card) => {
                    lies = true;
                    let at = named(at);
                    self.good(self.desk.words(format!("{at} la ve"), format!("{at} sees it")))?;
                }
                Heard::Seen(seen) => self.not_this(card, &seen)?,
                Heard::Typed(Typed::Skip(reason)) => {
                    if let Some(came) = self.left_out(reason)? {
                        return Ok(came);
                    }
                }
                Heard::Typed(_) | Heard::Nothing => {}
            }
        }
        let told = match place {
            None => self.desk.words("leída", "read"),
            Some(_) => self.desk.words("leída y vista", "read and seen"),
        };
        Ok(Came { passed: true, told })
    }

    /// What was seen is not what was asked for: what that may mean.
    fn not_this(&mut self, card: Card, seen: &Seen) -> Result<(), CommissionError> {
        let lang = self.desk.lang;
        let named = |place: Place| words::place(place).get(lang).to_owned();
        let line = match *seen {
            Seen::Card(read) => return self.misread(card, read),
            Seen::CutCard => self.desk.words("era la carta de corte", "it was the cut card"),
            Seen::Lies(at, seen) if seen.is_none_or(|seen| seen == card) => self.desk.words(
                format!("la ve {}: póngala donde se pide, o mire los cables de las antenas y `spots`", named(at)),
                format!(
                    "{} sees it: lay it where it is asked for, or look to the antennas' wires and `spots`",
                    named(at)
                ),
            ),
            Seen::Foreign(at) => self.desk.words(
                format!("{}: `deck_registry` no tiene esa carta, o está anulada: `sabot decks import`", named(at)),
                format!("{}: `deck_registry` has no such card, or it is cancelled: `sabot decks import`", named(at)),
            ),
            Seen::Chips { at, foreign: 1.., .. } => self.desk.words(
                format!("{}: una etiqueta que no está ni en `deck_registry` ni en `chip_registry`", at_stake(at, lang)),
                format!("{}: a tag that is neither in `deck_registry` nor in `chip_registry`", at_stake(at, lang)),
            ),
            _ => return Ok(()),
        };
        self.wrong(line)
    }

    fn misread(&mut self, card: Card, read: Card) -> Result<(), CommissionError> {
        let line = if read == Card::UNREAD {
            self.desk.words(
                format!("pasó una carta que no se pudo leer: saque {card} otra vez; mire el lector y el símbolo"),
                format!("a card passed that could not be read: draw {card} again; look to the reader and the symbol"),
            )
        } else {
            self.desk.words(
                format!("se leyó {read}, no {card}: saque {card}; si lo era, mire `cards` de la configuración"),
                format!(
                    "{read} was read, not {card}: draw {card}; if it was that, look to `cards` of the configuration"
                ),
            )
        };
        self.wrong(line)
    }

    async fn chips(&mut self, at: Stake) -> Result<Came, CommissionError> {
        let lang = self.desk.lang;
        let spot = at_stake(at, lang);
        if self.watched.has_chips(at) {
            self.desk.aside(self.desk.words(
                format!("en {spot} ya hay fichas: quítelas y póngalas otra vez"),
                format!("chips lie on {spot} already: take them off and lay them again"),
            ))?;
        }
        let ask = self.desk.words(format!("ponga fichas en {spot}"), format!("lay chips on {spot}"));
        self.ask(ask, Wants::Deed)?;
        loop {
            match self.hear().await? {
                Heard::Seen(Seen::Chips { at: seen, chips, amount, foreign }) if chips > 0 => {
                    let money = words::money(amount);
                    let told = self.desk.words(
                        format!("fichas: {chips}, {}", money.get(lang)),
                        format!("chips: {chips}, {}", money.get(lang)),
                    );
                    if seen != at {
                        let other = at_stake(seen, lang);
                        self.wrong(self.desk.words(
                            format!(
                                "{other}: {told}; póngalas donde se pide, o mire los cables de las antenas y `spots`"
                            ),
                            format!(
                                "{other}: {told}; lay them where asked, or look to the antennas' wires and `spots`"
                            ),
                        ))?;
                    } else if foreign > 0 || amount == 0 {
                        self.wrong(self.desk.words(
                            format!("{told}: {foreign} no valen para `chip_registry`: `sabot chips import`"),
                            format!(
                                "{told}: of these `chip_registry` has {foreign} not, or cancelled: `sabot chips import`"
                            ),
                        ))?;
                    } else {
                        self.good(format!("{spot}: {told}"))?;
                        return Ok(Came { passed: true, told });
                    }
                }
                Heard::Typed(Typed::Skip(reason)) => {
                    if let Some(came) = self.left_out(reason)? {
                        return Ok(came);
                    }
                }
                Heard::Seen(_) | Heard::Typed(_) | Heard::Nothing => {}
            }
        }
    }

    /// Nothing is left on the felt: it would be in the record.
    pub(super) async fn clear(&mut self) -> Result<(), CommissionError> {
        let mut left: Vec<Pad> = Vec::new();
        loop {
            let now = self.watched.occupied();
            if now.is_empty() {
                return Ok(());
            }
            if now != left {
                let lang = self.desk.lang;
                let named = |pad: &Pad| match *pad {
                    Pad::Stake(stake) => at_stake(stake, lang),
                    Pad::Cards(place) => words::place(place).get(lang).to_owned(),
                };
                let places: Vec<String> = now.iter().map(named).collect();
                let places = places.join(", ");
                let ask = self.desk.words(
                    format!("quite todo del tapete; queda en: {places}"),
                    format!("take everything off the felt; it is left on: {places}"),
                );
                self.ask(ask, Wants::Must)?;
                left = now;
            }
            self.hear().await?;
        }
    }

    /// Hears the devices a little longer, and lets go of them.
    pub(super) async fn rest(&mut self) {
        self.watched.show(Lamp::Off, &[]);
        let _ = tokio::time::timeout(REST, async { while self.watched.next().await.is_some() {} }).await;
        self.watched.stop();
    }
}
