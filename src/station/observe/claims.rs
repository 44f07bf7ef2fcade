//! What is entered on the keypad in somebody's name: where people are known, it counts once he has signed it with his
//! PIN. The record is told that it waits, that a PIN was entered, and then of the act itself; never of the PIN.

use std::sync::Arc;

use sabot_law::table::Name;
use sabot_law::table::felt::Words;
use sabot_wire::message::{KeypadSaid, Role, Signature};
use smol_str::format_smolstr;

use super::{BadReport, EventSource, Observer, Table, device_event, entries};
use crate::entries::Correcting;
use crate::pins::NotKnown;
use crate::second::{Seconds, Weighty};
use crate::staff::{Person, Staff, StaffFile};

/// How long an entry waits for its PIN, milliseconds.
const WAITS_MS: u64 = 60_000;

/// An entry waits for its PIN, as the record says it.
const CLAIMS: &str = "claims";
/// A PIN was entered.
const SIGNS: &str = "signs";
/// It was wrong.
const WRONG_PIN: &str = "wrong_pin";
/// Too many were.
const LOCKED_OUT: &str = "locked_out";
/// No PIN came, or another entry in somebody's name.
const UNSIGNED: &str = "unsigned";

/// What is entered in somebody's name.
#[derive(Debug, Default)]
pub(super) struct Claims {
    /// The people who are known.
    people: Option<StaffFile>,
    /// Where none are, nobody is believed.
    refuses_badges: bool,
    /// Which of them a second person has to sign.
    seconds: Seconds,
    waits: Option<Waits>,
    /// How long a correction that was begun waits for its event, milliseconds of the record's clock.
    corrects_until: Option<u64>,
    /// What is to be tried.
    signature: Option<Signature>,
    /// An entry whose PIN is being tried: another that is entered meanwhile is not signed with it.
    trying: Option<Waits>,
}

/// An entry that waits for its PIN.
#[derive(Debug)]
struct Waits {
    said: KeypadSaid,
    badge: u16,
    by: Name,
    office: Name,
    /// It is the event of a correction that he began.
    corrects: bool,
    /// He has signed, and a second person is asked for.
    is_signed: bool,
    until: u64,
}

impl Claims {
    /// Whether an entry needs a PIN.
    pub(super) fn asks(&self, said: &KeypadSaid) -> bool {
        self.knows_people() && entries::claimed(said).is_some()
    }

    /// Whether badges are known, and PINs asked for.
    pub(super) const fn knows_people(&self) -> bool {
        self.people.is_some()
    }

    /// Whether an entry is in somebody's name and nobody is known whose it could be.
    pub(super) fn is_of_nobody(&self, said: &KeypadSaid) -> bool {
        self.refuses_badges && entries::claimed(said).is_some()
    }

    pub(super) fn deadline(&self) -> Option<u64> {
        self.waits.as_ref().map(|waits| waits.until).into_iter().chain(self.corrects_until).min()
    }

    fn staff(&mut self) -> Result<Arc<Staff>, BadReport> {
        let people = self.people.as_mut().ok_or_else(nobody_is_known)?;
        people.now().map_err(|why| {
            tracing::error!("{why}: no badge is known until it is mended");
            BadReport::new("la lista de personas tiene una falla", "the list of people has a fault")
        })
    }

    /// Whose badge it is, in an office that he holds.
    fn person(&mut self, badge: u16, office: &str) -> Result<Name, BadReport> {
        let staff = self.staff()?;
        let person = staff.with_badge(badge).filter(|person| person.holds(office));
        person.map(|person| person.name.clone()).ok_or_else(|| {
            BadReport::new(
                format!("la credencial {badge} no es de: {office}"),
                format!("badge {badge} belongs to no {office}"),
            )
        })
    }

    /// The badge of who began a correction.
    fn badge_of(&mut self, by: &str, office: &str) -> Result<u16, BadReport> {
        let staff = self.staff()?;
        let person = staff.named(by).filter(|person| person.holds(office));
        let none = || {
            BadReport::new(format!("{by} no tiene credencial de: {office}"), format!("{by} has no badge as {office}"))
        };
        person.and_then(|person| person.badge).ok_or_else(none)
    }
}

impl Claims {
    /// Whose badge it is, as the record calls him.
    fn name_of(&mut self, badge: u16) -> Name {
        let staff = self.people.as_mut().and_then(|people| people.now().ok());
        let person = staff.as_ref().and_then(|staff| staff.with_badge(badge));
        person.map_or_else(|| format_smolstr!("badge {badge}"), |person| person.name.clone())
    }
}

/// An office that is only claimed counts for nothing.
pub(super) fn nobody_is_known() -> BadReport {
    BadReport::new("no se conoce a nadie: falta `staff`", "nobody is known: no `staff`")
}

/// What an entry in somebody's name is about, as the log calls it.
const fn about(said: &KeypadSaid) -> &'static str {
    match said {
        KeypadSaid::Authorize { .. } => "authorize",
        KeypadSaid::Rule { .. } => "rule",
        KeypadSaid::Report { .. } => "report",
        _ => "correct",
    }
}

impl Observer {
    /// Believes the keypad's badges of people who are known, once they have signed.
    pub(crate) fn with_people(mut self, people: StaffFile, seconds: Seconds) -> Self {
        self.claims.people = Some(people);
        self.claims.seconds = seconds;
        self
    }

    /// Believes no badge, as nobody is known.
    pub(crate) fn refusing_badges(mut self) -> Self {
        self.claims.refuses_badges = true;
        self
    }

    /// Asks for the PIN of whoever an entry claims to be by.
    pub(super) fn claimed(&mut self, said: &KeypadSaid, source: EventSource, now: u64, table: &mut impl Table) {
        self.leave(table);
        let Some((badge, role)) = entries::claimed(said) else { return };
        match self.claims.person(badge, role.word()) {
            Ok(by) => {
                let office = Name::new_static(role.word());
                let (said, until) = (said.clone(), now + WAITS_MS);
                self.waits(Waits { said, badge, by, office, corrects: false, is_signed: false, until }, source, table);
            }
            Err(bad) => self.not_entered(bad, Some(source), table),
        }
    }

    /// What is entered while a correction waits for its event is that event once who began it has signed it.
    pub(super) fn corrects(&mut self, said: &KeypadSaid, source: EventSource, now: u64, table: &mut impl Table) {
        self.leave(table);
        // a second entry: the first was not signed
        let Some((by, office)) = self.correcting().map(Correcting::begun_by) else {
            return self.entered(said, None, Some(source), now, table);
        };
        match self.claims.badge_of(&by, &office) {
            Ok(badge) => {
                let (said, until) = (said.clone(), now + WAITS_MS);
                self.waits(Waits { said, badge, by, office, corrects: true, is_signed: false, until }, source, table);
            }
            Err(bad) => {
                self.not_entered(bad, Some(source), table);
                self.leave_correction(table);
            }
        }
    }

    fn waits(&mut self, waits: Waits, source: EventSource, table: &mut impl Table) {
        let detail = format_smolstr!("{} {} {}", about(&waits.said), waits.by, waits.office);
        self.claims.waits = Some(waits);
        self.refused = None;
        self.tell(device_event(Role::Keypad, CLAIMS, Some(detail)), Some(source), table);
    }

    /// A correction was begun, or its event was told.
    pub(super) fn note_correction(&mut self, now: u64) {
        let waits = self.claims.knows_people() && self.correcting().is_some();
        self.claims.corrects_until = waits.then_some(now + WAITS_MS);
    }

    /// A correction whose event nobody signed is not carried out.
    fn leave_correction(&mut self, table: &mut impl Table) {
        self.claims.corrects_until = None;
        let Some((by, office)) = self.correcting().map(Correcting::begun_by) else { return };
        self.tell(entries::correction_left(&by, &office), None, table);
        self.refused =
            Some(words("la corrección no se hizo: sin firma", "the correction was not carried out: unsigned"));
    }

    /// A PIN was entered. Where nothing waits for it, it is dropped untried.
    pub(super) fn signs(&mut self, signature: Signature, source: EventSource, table: &mut impl Table) {
        let badge = signature.badge;
        let free = self.claims.trying.is_none();
        match self.claims.waits.take_if(|waits| free && (waits.badge == badge) != waits.is_signed) {
            Some(waits) => {
                let by = self.claims.name_of(badge);
                self.claims.signature = Some(signature);
                self.claims.trying = Some(waits);
                self.refused = None;
                self.tell(device_event(Role::Keypad, SIGNS, Some(by)), Some(source), table);
            }
            None => {
                let bad = BadReport::new(
                    format!("nada de la credencial {badge} espera un PIN"),
                    format!("nothing of badge {badge} waits for a PIN"),
                );
                self.not_entered(bad, Some(source), table);
            }
        }
    }

    /// The PIN that is to be tried; asked for once.
    pub(crate) const fn take_signature(&mut self) -> Option<Signature> {
        self.claims.signature.take()
    }

    /// A PIN was tried.
    pub(crate) fn signed(&mut self, badge: u16, known: Result<Person, NotKnown>, now: u64, table: &mut impl Table) {
        let Some(waits) = self.claims.trying.take() else { return };
        match known {
            // the list may have changed meanwhile
            Ok(person) => match self.claims.person(waits.badge, &waits.office) {
                Ok(by) if by == waits.by => self.signed_by(&person, waits, now, table),
                Ok(_) => self.not_entered(
                    BadReport::new("cambió la lista de personas", "the people have changed"),
                    None,
                    table,
                ),
                Err(bad) => self.not_entered(bad, None, table),
            },
            Err(NotKnown::Wrong) => {
                self.refused = Some(words("PIN equivocado", "wrong PIN"));
                let by = self.claims.name_of(badge);
                self.tell(device_event(Role::Keypad, WRONG_PIN, Some(by)), None, table);
                self.leave(table);
                self.claims.waits = Some(Waits { until: now + WAITS_MS, ..waits });
            }
            Err(NotKnown::Locked { now }) => {
                self.refused =
                    Some(words("demasiados PIN equivocados: esperar un minuto", "too many wrong PINs: wait"));
                let status = if now { LOCKED_OUT } else { UNSIGNED };
                let by = self.claims.name_of(badge);
                self.tell(device_event(Role::Keypad, status, Some(by)), None, table);
            }
            Err(NotKnown::NoStaff) => {
                self.not_entered(
                    BadReport::new("la lista de personas tiene una falla", "the list of people has a fault"),
                    None,
                    table,
                );
            }
        }
    }

    /// His PIN was right. Where a second person is needed, and has not signed, the act goes on waiting.
    fn signed_by(&mut self, person: &Person, waits: Waits, now: u64, table: &mut impl Table) {
        let second = Some(person).filter(|_| waits.is_signed);
        match self.claims.seconds.signed(Weighty::of_entry(&waits.said), &waits.by, second) {
            Ok(seconded) => {
                seconded.into_iter().for_each(|event| self.tell(event, None, table));
                self.entered(&waits.said, Some(waits.by), None, now, table);
            }
            Err(refused) => {
                self.leave(table);
                self.refused = Some(refused.words()).filter(|_| waits.is_signed);
                self.claims.waits = Some(Waits { is_signed: true, until: now + WAITS_MS, ..waits });
            }
        }
    }

    /// What has waited long enough for its PIN is left.
    pub(super) fn leave_unsigned(&mut self, now: u64, table: &mut impl Table) {
        if self.claims.waits.as_ref().is_some_and(|waits| waits.until <= now) {
            self.leave(table);
        }
        let is_due = self.claims.corrects_until.is_some_and(|until| until <= now);
        // its event was entered, and waits for the PIN
        if is_due && self.claims.waits.is_none() && self.claims.trying.is_none() {
            self.leave_correction(table);
        }
    }

    fn leave(&mut self, table: &mut impl Table) {
        if let Some(waits) = self.claims.waits.take() {
            self.tell(device_event(Role::Keypad, UNSIGNED, Some(waits.by)), None, table);
            if waits.corrects {
                self.leave_correction(table);
            }
        }
    }

    /// That a PIN is waited for, as the pit display says it.
    pub(crate) fn asks_for_pin(&self) -> Option<Words> {
        let Waits { badge, is_signed, .. } = self.claims.waits.as_ref()?;
        if *is_signed {
            return Some(words("OTRA FIRMA: AUTH credencial NEXT PIN", "SECOND PERSON: AUTH badge NEXT PIN"));
        }
        Some(words(&format!("FIRMAR: AUTH {badge} NEXT PIN ENTER"), &format!("SIGN: AUTH {badge} NEXT PIN ENTER")))
    }
}

fn words(es: &str, en: &str) -> Words {
    Words { es: es.to_owned(), en: en.to_owned() }
}
