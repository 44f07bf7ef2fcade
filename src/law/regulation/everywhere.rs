//! What every house finds alike under its article on what no other provides for: reports, equipment that cannot be
//! trusted, unread cards, corrections and rulings without effect.

use super::article::{Article, Case, Findings, Raised};
use super::memory::{Known, Memory};
use super::prelude::*;
use crate::procedure::blindness;
use crate::procedure::duties::Duties;
use crate::procedure::state::State;
use crate::table::Name;
use crate::table::card::Card;
use crate::table::event::Ruling;

/// Any article can be reported broken by a person, who does not say how.
static REPORTED: Case =
    Case { es: "informado por una persona: {title} ({place})", en: "reported by a person: {title} ({place})" };

static DISTRUSTED_CHIPS: Case = Case {
    es: "ficha desconocida, anulada, duplicada o con otro valor: decide la sala ({place})",
    en: "a chip is unknown, cancelled, doubled or of another value: the room decides ({place})",
};

static DISTRUSTED_TAG: Case = Case {
    es: "carta desconocida, anulada o duplicada: decide la sala ({place})",
    en: "a card is unknown, cancelled or doubled: the room decides ({place})",
};

static DISTRUSTED_CARDS: Case = Case {
    es: "los últimos sabots no muestran las cartas que deben tener: contar los mazos; decide la sala",
    en: "the shoes of late do not show the cards they must hold: count the decks; the room decides",
};

static DISTRUSTED_DEVICE: Case = Case {
    es: "{device} no es el aparato que debe ser, o alguien interviene su conexión: no es confiable; decide la sala",
    en: "{device} is not the device it must be, or somebody meddles with its cable: it cannot be trusted; the room decides",
};

static TAMPERED: Case = Case {
    es: "se abrió o se forzó el gabinete de {device}: decide la sala",
    en: "the housing of {device} was opened or forced: the room decides",
};

static OPENED: Case = Case {
    es: "se abrió {device} con las cartas en uso: decide la sala",
    en: "{device} was opened with the cards in use: the room decides",
};

static WITHHELD: Case = Case {
    es: "{device} no informa lo que vio, o alguien lo retiene: decide la sala",
    en: "{device} does not tell what it saw, or somebody holds it back: the room decides",
};

static CHECKPOINT_BACK: Case = Case {
    es: "{device} vio un registro más largo que el que hay, u otro: el registro no es confiable; decide la sala",
    en: "{device} has seen a longer record than there is, or another: the record cannot be trusted; the room decides",
};

static BLIND: Case = Case {
    es: "{device} no vio todo en este pase: lo que depende de él no se juzga",
    en: "{device} has not seen all of this pass: what depends on it is not judged",
};

static BEGUN_MID_PASS: Case = Case {
    es: "el registro empieza en medio de un pase: no se juzga nada hasta que termine",
    en: "the log begins in the middle of a pass: nothing is judged until it ends",
};

static JAMMED: Case = Case { es: "{device} se atascó", en: "{device} has jammed" };

static UNREADABLE: Case = Case { es: "{device} no pudo leer", en: "{device} could not read" };

static UNREAD_CARD: Case = Case {
    es: "no se pudo leer una carta ({place}): decir cuál es",
    en: "a card could not be read ({place}): say which it is",
};

/// A correction that may not be made.
static CORRECTS_NOTHING: Case = Case {
    es: "la corrección no tiene efecto: llega tarde, quien la pide no puede hacerla o nombra lo que no puede corregirse",
    en: "the correction has no effect: it comes too late, is made by who may not, or names what cannot be corrected",
};

static MAY_NOT_RULE: Case = Case {
    es: "la decisión no tiene efecto: quien la toma no puede decidir",
    en: "the ruling has no effect: whoever makes it may not rule",
};

static NOTHING_TO_RULE_ON: Case = Case {
    es: "la decisión no tiene efecto: en este pase no hay nada que decidir con ese número",
    en: "the ruling has no effect: there is nothing of that number to decide in this pass",
};

static RULED_ALREADY: Case = Case {
    es: "la decisión no tiene efecto: eso ya se decidió",
    en: "the ruling has no effect: that has been decided already",
};

static SEVERAL_TO_RULE_ON: Case = Case {
    es: "la decisión no tiene efecto: hay varias cosas por decidir y no dice cuál",
    en: "the ruling has no effect: several things are open and it does not say which",
};

static CANNOT_BE_RULED_SO: Case = Case {
    es: "la decisión no tiene efecto: no es de las que caben en este caso",
    en: "the ruling has no effect: this cannot be decided so",
};

/// The number of the finding that a ruling decides, or why it decides none.
///
/// # Errors
/// With the case of a ruling without effect.
pub fn ruled(event: &Event, memory: &Memory, duties: &Duties, state: &State) -> Option<Result<u64, &'static Case>> {
    let Event::Rule { role, decision, finding, .. } = event else { return None };
    Some(if state.settings().remedy.may_rule.has(role) {
        reached(*decision, *finding, memory, duties, state)
    } else {
        Err(&MAY_NOT_RULE)
    })
}

/// The device of a finding that says it is blind.
pub fn blind_device(known: &Known) -> Option<Name> {
    let (device, status) = known.status.as_ref()?;
    (*status == "blind").then(|| device.clone())
}

fn reached(
    decision: Ruling,
    named: Option<u64>,
    memory: &Memory,
    duties: &Duties,
    state: &State,
) -> Result<u64, &'static Case> {
    let number = match named {
        Some(number) => number,
        None => meant(duties)?,
    };
    let known = memory.finding(number).ok_or(&NOTHING_TO_RULE_ON)?;
    match known.is_decided {
        true => Err(&RULED_ALREADY),
        false if state.may_be_ruled(decision, known.place, known.is_for_room) => Ok(number),
        false => Err(&CANNOT_BE_RULED_SO),
    }
}

/// The finding that a ruling means where it names none: the only open one whose remedy is `rule`, or, where none has
/// it, the only open one.
fn meant(duties: &Duties) -> Result<u64, &'static Case> {
    let for_room = duties.for_room();
    match if for_room.is_empty() { duties.first_two() } else { for_room }.as_slice() {
        [] => Err(&NOTHING_TO_RULE_ON),
        [only] => Ok(*only),
        _ => Err(&SEVERAL_TO_RULE_ON),
    }
}

impl Findings<'_> {
    /// Raises what every house finds alike under `article`. `unreached` says why a ruling decides nothing.
    pub fn check_everywhere(
        &mut self,
        article: &'static Article,
        context: &Context<'_>,
        named: Option<&'static Article>,
    ) {
        self.article = article;
        match context.event {
            Event::Report { provision: Some(_), place, note, .. } => self.report(named, *place, note),
            Event::Correct { .. } => {
                self.raise_unlisted(&CORRECTS_NOTHING, None).severity(Severity::Notice);
            }
            Event::Device { device, status, detail, .. } => {
                self.device(context, device, status, detail.as_ref());
                blindness::blinds(context.event).into_iter().for_each(|device| self.blind(device));
            }
            Event::Draw { card, .. } => {
                if context.state.begins_mid_pass(context.event) {
                    self.raise_unlisted(&BEGUN_MID_PASS, None).severity(Severity::Notice);
                }
                if !context.state.pass.is_dealt() {
                    context.state.blindness.devices().for_each(|device| self.blind(device));
                }
                // of a pass that is not judged nobody has to know it
                let is_judged = !context.state.pass.is_mid_pass() && !context.state.begins_mid_pass(context.event);
                if *card == Card::UNREAD && is_judged {
                    self.unread(context);
                }
            }
            _ => {}
        }
    }

    /// A ruling that decides nothing, unless an article has said so already.
    pub fn rules_nothing(&mut self, article: &'static Article, why: &'static Case) {
        if self.raised.is_empty() {
            self.article = article;
            self.raise_unlisted(why, None).severity(Severity::Notice);
        }
    }

    /// A person reported a breach of an article: it is noted. One the regulation does not have, or that provides for
    /// nothing, is the room's to decide.
    fn report(&mut self, named: Option<&'static Article>, place: Option<Place>, note: &Name) {
        let for_room = self.article;
        self.article = named.unwrap_or(for_room);
        let is_for_room = self.article == for_room;
        let raised = self.raise_unlisted(&REPORTED, place).note(note);
        if is_for_room {
            raised.part(Part::Rule);
        } else {
            raised.severity(Severity::Notice);
        }
    }

    /// A device that cannot be trusted, once while it is open, or that says it did not work.
    fn device(&mut self, context: &Context<'_>, device: &Name, status: &Name, detail: Option<&Name>) {
        let tag = match status.as_str() {
            "chip_unknown" | "chip_cancelled" | "chip_doubled" | "chip_value" => Some(&DISTRUSTED_CHIPS),
            "card_unknown" | "card_cancelled" | "card_doubled" => Some(&DISTRUSTED_TAG),
            _ => None,
        };
        if let Some(case) = tag.filter(|_| device == "chips") {
            let place: Option<Place> = detail.and_then(|detail| detail.split(' ').next()?.parse().ok());
            let raised = self.raise_unlisted(case, place).severity(Severity::Integrity).device(device, status);
            raised.part(Part::Rule);
            return;
        }
        if let ("shoe", "composition") = (device.as_str(), status.as_str()) {
            let raised = self.raise_unlisted(&DISTRUSTED_CARDS, None).severity(Severity::Integrity).part(Part::Rule);
            raised.device(device, status);
            if let Some(detail) = detail {
                raised.note(detail);
            }
            return;
        }
        let (case, severity) = match status.as_str() {
            "tamper" => (&TAMPERED, Severity::Integrity),
            "door_open" | "lid_open" if context.state.is_in_use(device) => (&OPENED, Severity::Integrity),
            "forged" | "unpaired" | "swapped" | "downgraded" => (&DISTRUSTED_DEVICE, Severity::Integrity),
            "withheld" => (&WITHHELD, Severity::Integrity),
            "checkpoint_back" => (&CHECKPOINT_BACK, Severity::Integrity),
            "jam" => (&JAMMED, Severity::Notice),
            "read_error" => (&UNREADABLE, Severity::Notice),
            _ => return,
        };
        if self.memory.of_device(device, status).is_some_and(|finding| context.duties.is_open(finding)) {
            return;
        }
        let raised = self.raise_unlisted(case, None).severity(severity).device(device, status);
        if severity == Severity::Integrity {
            raised.part(Part::Rule);
        }
    }

    /// A device that has missed something of this pass: said once.
    fn blind(&mut self, device: &'static str) {
        let (device, status) = (Name::new_static(device), Name::new_static("blind"));
        if self.memory.of_device(&device, &status).is_none() {
            self.raise_unlisted(&BLIND, None).severity(Severity::Integrity).device(&device, &status);
        }
    }

    /// A card that could not be read. Nobody may learn what one is that is burned unseen, or goes back.
    fn unread(&mut self, context: &Context<'_>) {
        if self.raised.iter().any(Raised::hides_cards) {
            return;
        }
        self.raise_unread(context.meaning.drawn.and_then(|drawn| drawn.place));
    }

    /// A card that could not be read lies there.
    pub fn raise_unread(&mut self, place: Option<Place>) {
        self.raise_unlisted(&UNREAD_CARD, place)
            .severity(Severity::Notice)
            .part(Part::Identify(place.unwrap_or(Place::Shoe)));
    }
}
