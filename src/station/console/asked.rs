//! What is still asked about a finding, as touches of its own page: what may be entered, what is authorised, which card
//! it is. Where a device tells that it was done, nobody has to.

use super::forms::{Form, FormModel};
use super::ui_text::Ui;
use crate::snapshot::Snapshot;
use sabot_law::table::answer::Lang;
use sabot_law::table::due::{Progress, RemedyStep};
use sabot_law::table::event::{Announcement, Permit};
use sabot_law::table::{Event, Place, Remedy, words};

/// What a step of a remedy asks of somebody.
pub(super) struct AskedModel {
    /// The step, as the log calls it.
    pub(super) name: &'static str,
    pub(super) who: &'static str,
    pub(super) what: String,
    /// Where its touches go.
    pub(super) action: &'static str,
    /// The value of each, and its words.
    pub(super) touches: Vec<(String, String)>,
    pub(super) is_permit: bool,
    /// What has to be said beside.
    pub(super) form: Option<FormModel>,
}

/// What is still asked about the finding of that number.
pub(super) fn asked(snapshot: &Snapshot, finding: u64, lang: Lang) -> Vec<AskedModel> {
    let remedies = snapshot.felt.remedies.iter().filter(|open| open.finding == finding);
    let steps = remedies.flat_map(|open| &open.steps).filter(|step| step.progress == Progress::Open);
    steps.filter_map(|step| model(step, snapshot, lang)).collect()
}

fn model(step: &RemedyStep, snapshot: &Snapshot, lang: Lang) -> Option<AskedModel> {
    let ui = Ui::of(lang);
    let asked = AskedModel {
        name: step.remedy.name(),
        who: ui.who(step.who),
        what: words::remedy(&step.remedy).get(lang).to_owned(),
        action: "/dealer",
        touches: Vec::new(),
        is_permit: false,
        form: None,
    };
    match step.remedy {
        // whoever may rule finds the rulings on the page of every finding
        Remedy::Rule => None,
        Remedy::Authorize { what } => {
            let touches = vec![(what.word().to_owned(), permit(what, ui).to_owned())];
            Some(AskedModel { action: "/acts", touches, is_permit: true, ..asked })
        }
        Remedy::Identify { place } => {
            let at = place.to_string();
            let form = Form::named("card")?.model(&snapshot.felt, ui, |field| (field == "at").then(|| at.clone()));
            Some(AskedModel { action: "/dealer/more/card", form: Some(form), ..asked })
        }
        remedy => {
            let carries_out = |event: Option<&Event>| event.is_some_and(|event| carries_out(event, &remedy));
            let offers = snapshot.offers.iter().filter(|offer| carries_out(offer.events.last()));
            let touch = |events: &Vec<Event>, verb: &str| Some((serde_json::to_string(events).ok()?, verb.to_owned()));
            let touches: Vec<_> = offers.filter_map(|offer| touch(&offer.events, offer.verb.get(lang))).collect();
            (!touches.is_empty()).then_some(AskedModel { touches, ..asked })
        }
    }
}

const fn permit(what: Permit, ui: &Ui) -> &'static str {
    match what {
        Permit::Shuffle => ui.permit_shuffle,
        Permit::NextCardsForBank => ui.permit_next_cards,
        Permit::DeckChange => ui.permit_deck_change,
    }
}

/// Whether an event is what a step asks for. Chips and cards are matched by what is left of the step, which is what is
/// offered.
fn carries_out(event: &Event, remedy: &Remedy) -> bool {
    match (event, *remedy) {
        (Event::Move { from, to, .. }, Remedy::Burn { place, .. }) => *from == place && *to == Place::Burn,
        (Event::Move { from, to, .. }, Remedy::PutBack { place, .. }) => *from == place && *to == Place::Shoe,
        (Event::Bet { hand, spot, .. }, Remedy::ReturnBet { hand: of, spot: on }) => (*hand, *spot) == (of, on),
        (Event::Announce { what, .. }, Remedy::Announce { .. }) => *what == Announcement::NextCardsForBank,
        (Event::Consent { hand, .. }, Remedy::AskConsent { hand: of }) => *hand == of,
        (Event::Choose { hand, option }, Remedy::Offer { hand: of, options }) => {
            *hand == of && options.contains(option)
        }
        (Event::Pay { hand, amount, spot }, Remedy::Pay { hand: of, amount: due, spot: on })
        | (Event::Collect { hand, amount, spot }, Remedy::Collect { hand: of, amount: Some(due), spot: on }) => {
            (*hand, *amount, *spot) == (of, due, on)
        }
        // the bettor collects what his bet is owed
        (Event::Pay { hand, .. }, Remedy::Collect { hand: of, amount: None, .. }) => *hand == of,
        _ => false,
    }
}
