//! What is entered on the keypad in somebody's name: where people are known, it counts once he has signed it with his
//! PIN. The record is told that it waits, that a PIN was entered, and then of the act itself; never of the PIN.

use sabot_law::table::Name;
use sabot_law::table::felt::Words;
use sabot_wire::message::{KeypadSaid, Role, Signature};
use smol_str::format_smolstr;

use super::{BadReport, EventSource, Observer, Table, device_event, entries};
use crate::pins::NotKnown;
use crate::second::{Seconds, Weighty};
use crate::staff::{Person, StaffFile};

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
    /// The people who are known; none: every badge is believed, in any office.
    people: Option<StaffFile>,
    /// Which of them a second person has to sign.
    seconds: Seconds,
    waits: Option<Waits>,
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
    /// He has signed, and a second person is asked for.
    is_signed: bool,
    until: u64,
}

impl Claims {
    /// Whether an entry needs a PIN.
    pub(super) fn asks(&self, said: &KeypadSaid) -> bool {
        self.people.is_some() && entries::claimed(said).is_some()
    }

    pub(super) fn deadline(&self) -> Option<u64> {
        self.waits.as_ref().map(|waits| waits.until)
    }

    /// Whose badge an entry claims, in an office that he holds.
    fn person(&mut self, said: &KeypadSaid) -> Result<(u16, Name), BadReport> {
        let (Some(people), Some((badge, role))) = (&mut self.people, entries::claimed(said)) else {
            return Err(BadReport::new("no se conoce a nadie", "nobody is known"));
        };
        let staff = people.now().map_err(|why| {
            tracing::error!("{why}: no badge is known until it is mended");
            BadReport::new("la lista de personas tiene una falla", "the list of people has a fault")
        })?;
        let holds = |person: &&Person| person.roles.iter().any(|office| office.word() == role.word());
        let person = staff.with_badge(badge).filter(holds);
        person.map(|person| (badge, person.name.clone())).ok_or_else(|| {
            BadReport::new(
                format!("la credencial {badge} no es de: {role}"),
                format!("badge {badge} belongs to no {role}"),
            )
        })
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

    /// Asks for the PIN of whoever an entry claims to be by.
    pub(super) fn claimed(&mut self, said: &KeypadSaid, source: EventSource, now: u64, table: &mut impl Table) {
        self.leave(table);
        match self.claims.person(said) {
            Ok((badge, by)) => {
                let office = entries::claimed(said).map_or("", |(_, role)| role.word());
                let detail = format_smolstr!("{} {by} {office}", about(said));
                self.claims.waits =
                    Some(Waits { said: said.clone(), badge, by, is_signed: false, until: now + WAITS_MS });
                self.refused = None;
                self.tell(device_event(Role::Keypad, CLAIMS, Some(detail)), Some(source), table);
            }
            Err(bad) => self.not_entered(bad, Some(source), table),
        }
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
            Ok(person) => match self.claims.person(&waits.said) {
                Ok((_, by)) if by == waits.by => self.signed_by(&person, waits, now, table),
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
        if self.claims.deadline().is_some_and(|until| until <= now) {
            self.leave(table);
        }
    }

    fn leave(&mut self, table: &mut impl Table) {
        if let Some(waits) = self.claims.waits.take() {
            self.tell(device_event(Role::Keypad, UNSIGNED, Some(waits.by)), None, table);
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
