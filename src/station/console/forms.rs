//! Everything that people enter and nobody can foresee: a form for each event of the log, with the log's own fields.

use sabot_law::table::event::{BankChange, Choice, Face, Question, Share, Taken};
use sabot_law::table::place::MAX_HANDS;
use sabot_law::table::{BetSpot, Card, Event, Felt, HandId, Place, line};
use serde_json::{Map, Value};

use super::ui_text::Ui;

/// Most characters of a player's name.
const NAME_CHARS: usize = 24;

/// What a field holds.
#[derive(Clone, Copy)]
enum Kind {
    /// A hand of a box.
    Hand,
    /// A box, or the bank.
    Place,
    /// Where a card is dealt to: a box, the bank, the burn tray.
    Target,
    /// A player's name.
    Player,
    /// A whole number.
    Number,
    /// A card.
    Card,
    /// A card, or one that was not read.
    AnyCard,
    /// How many cards, or which.
    Cards,
    /// Yes or no.
    Yes,
    /// One of these words.
    Word(fn() -> Vec<&'static str>),
    /// Always this.
    Fixed(&'static str),
}

struct Field {
    /// As the log calls it.
    name: &'static str,
    kind: Kind,
    optional: bool,
}

const fn field(name: &'static str, kind: Kind) -> Field {
    Field { name, kind, optional: false }
}

const fn maybe(name: &'static str, kind: Kind) -> Field {
    Field { name, kind, optional: true }
}

/// A form: its name in the address, its title, its event and that one's fields.
pub(super) struct Form {
    pub(super) name: &'static str,
    title: fn(&Ui) -> &'static str,
    ev: &'static str,
    fields: &'static [Field],
}

fn words<T: 'static>(all: &'static [T], word: impl Fn(&T) -> &'static str) -> Vec<&'static str> {
    all.iter().map(word).collect()
}

const BOX: Field = field("box", Kind::Hand);
const PLAYER: Field = field("player", Kind::Player);
const AMOUNT: Field = field("amount", Kind::Number);
const SPOT: Field = maybe("spot", Kind::Word(|| words(BetSpot::ALL, |spot| spot.word())));
const CARDS: Field = maybe("cards", Kind::Cards);
const FROM: Field = field("from", Kind::Place);

/// What devices tell, and people only correct.
const TOLD: &[Form] = &[
    Form {
        name: "draw",
        title: |ui| ui.form_draw,
        ev: "draw",
        fields: &[
            field("card", Kind::AnyCard),
            maybe("to", Kind::Target),
            maybe("face", Kind::Word(|| words(Face::ALL, |face| face.word()))),
        ],
    },
    Form { name: "cut-card", title: |ui| ui.form_cut_card, ev: "cut_card", fields: &[] },
];

/// Every form that people enter by, in the order in which they are listed.
pub(super) const FORMS: &[Form] = &[
    Form {
        name: "burn",
        title: |ui| ui.form_burn,
        ev: "move",
        fields: &[FROM, field("to", Kind::Fixed("burn")), CARDS],
    },
    Form {
        name: "put-back",
        title: |ui| ui.form_put_back,
        ev: "move",
        fields: &[FROM, field("to", Kind::Fixed("shoe")), CARDS],
    },
    Form {
        name: "discard",
        title: |ui| ui.form_discard,
        ev: "move",
        fields: &[FROM, field("to", Kind::Fixed("discard")), CARDS],
    },
    Form { name: "reveal", title: |ui| ui.form_reveal, ev: "reveal", fields: &[field("at", Kind::Place)] },
    Form {
        name: "card",
        title: |ui| ui.form_card,
        ev: "reveal",
        fields: &[field("at", Kind::Place), field("card", Kind::Card)],
    },
    Form {
        name: "decide",
        title: |ui| ui.form_decide,
        ev: "decide",
        fields: &[BOX, field("choice", Kind::Word(|| words(Choice::ALL, |one| one.word()))), maybe("by", Kind::Player)],
    },
    Form {
        name: "ace",
        title: |ui| ui.form_ace,
        ev: "ace",
        fields: &[BOX, field("value", Kind::Number), maybe("by", Kind::Player)],
    },
    Form {
        name: "ask",
        title: |ui| ui.form_ask,
        ev: "ask",
        fields: &[BOX, field("about", Kind::Word(|| words(Question::ALL, |one| one.word())))],
    },
    Form { name: "consent", title: |ui| ui.form_consent, ev: "consent", fields: &[BOX, field("yes", Kind::Yes)] },
    Form {
        name: "choose",
        title: |ui| ui.form_choose,
        ev: "choose",
        fields: &[BOX, field("option", Kind::Word(|| words(Taken::ALL, |one| one.word())))],
    },
    Form {
        name: "total",
        title: |ui| ui.form_total,
        ev: "announce",
        fields: &[field("what", Kind::Fixed("total")), field("box", Kind::Place), field("value", Kind::Number)],
    },
    Form {
        name: "next-cards",
        title: |ui| ui.permit_next_cards,
        ev: "announce",
        fields: &[field("what", Kind::Fixed("next_cards_for_bank"))],
    },
    Form { name: "close-bets", title: |ui| ui.form_close_bets, ev: "close_bets", fields: &[] },
    Form { name: "end", title: |ui| ui.form_end, ev: "end", fields: &[] },
    Form { name: "bet", title: |ui| ui.stake, ev: "bet", fields: &[BOX, SPOT, AMOUNT, maybe("player", Kind::Player)] },
    Form { name: "collect", title: |ui| ui.form_collect, ev: "collect", fields: &[BOX, SPOT, AMOUNT] },
    Form { name: "pay", title: |ui| ui.form_pay, ev: "pay", fields: &[BOX, SPOT, AMOUNT] },
    Form { name: "seat", title: |ui| ui.form_seat, ev: "seat", fields: &[field("seat", Kind::Number), PLAYER] },
    Form { name: "leave", title: |ui| ui.form_leave, ev: "leave", fields: &[field("seat", Kind::Number), PLAYER] },
    Form { name: "request", title: |ui| ui.form_request, ev: "request", fields: &[BOX, PLAYER] },
    Form {
        name: "shuffle",
        title: |ui| ui.form_shuffle,
        ev: "shuffle",
        fields: &[field("decks", Kind::Number), field("cards", Kind::Number)],
    },
    Form { name: "offer-cut", title: |ui| ui.form_offer_cut, ev: "offer_cut", fields: &[PLAYER] },
    Form {
        name: "cut",
        title: |ui| ui.form_cut,
        ev: "cut",
        fields: &[field("depth", Kind::Number), field("by", Kind::Player)],
    },
    Form {
        name: "load",
        title: |ui| ui.form_load,
        ev: "load",
        fields: &[field("cards", Kind::Number), field("cut_card", Kind::Number)],
    },
    Form {
        name: "bank",
        title: |ui| ui.form_bank,
        ev: "bank",
        fields: &[
            field("how", Kind::Word(|| words(BankChange::ALL, |one| one.word()))),
            maybe("player", Kind::Player),
            maybe("by", Kind::Player),
            maybe("amount", Kind::Number),
        ],
    },
    Form {
        name: "bank-card",
        title: |ui| ui.form_bank_card,
        ev: "bank_card",
        fields: &[PLAYER, field("card", Kind::Card)],
    },
    Form {
        name: "share",
        title: |ui| ui.form_share,
        ev: "share",
        fields: &[PLAYER, field("what", Kind::Word(|| words(Share::ALL, |one| one.word()))), AMOUNT],
    },
];

/// A field as a sheet shows it.
pub(super) struct FieldModel {
    pub(super) name: &'static str,
    pub(super) label: &'static str,
    pub(super) required: bool,
    /// Choices, each with its words; none: something is typed.
    pub(super) options: Vec<(String, String)>,
    pub(super) is_number: bool,
    pub(super) is_player: bool,
    /// What it holds already.
    pub(super) value: String,
}

/// A form as a sheet shows it.
pub(super) struct FormModel {
    pub(super) name: &'static str,
    pub(super) title: &'static str,
    pub(super) fields: Vec<FieldModel>,
}

impl Form {
    pub(super) fn named(name: &str) -> Option<&'static Self> {
        FORMS.iter().find(|form| form.name == name)
    }

    /// The forms of what may be corrected.
    pub(super) fn of_corrections() -> impl Iterator<Item = &'static Self> {
        TOLD.iter().chain(FORMS)
    }

    /// A form of what may be corrected.
    pub(super) fn correcting(name: &str) -> Option<&'static Self> {
        Self::of_corrections().find(|form| form.name == name)
    }

    pub(super) fn title(&self, ui: &Ui) -> &'static str {
        (self.title)(ui)
    }

    /// The form of an event as the log writes it.
    pub(super) fn of(written: &Map<String, Value>) -> Option<&'static Self> {
        let has = |name: &str, word: &str| written.get(name).is_some_and(|value| value == word);
        let is_told = |field: &Field| match field.kind {
            Kind::Fixed(word) => has(field.name, word),
            Kind::Card | Kind::AnyCard => written.contains_key(field.name),
            _ => true,
        };
        Self::of_corrections().filter(|form| has("ev", form.ev)).find(|form| form.fields.iter().all(is_told))
    }

    /// With what its fields hold already, if anything.
    pub(super) fn model(&self, felt: &Felt, ui: &'static Ui, held: impl Fn(&str) -> Option<String>) -> FormModel {
        let shown = self.fields.iter().filter(|field| !matches!(field.kind, Kind::Fixed(_)));
        FormModel {
            name: self.name,
            title: (self.title)(ui),
            fields: shown.map(|field| field.model(felt, ui, held(field.name).unwrap_or_default())).collect(),
        }
    }

    /// The event that a form's fields tell, or what is wrong with them.
    pub(super) fn event(&self, ui: &Ui, told: impl Fn(&str) -> Option<String>) -> Result<Event, String> {
        self.event_from(Map::new(), ui, told)
    }

    /// The same, with fields of the event that no form has as they were.
    pub(super) fn event_from(
        &self,
        before: Map<String, Value>,
        ui: &Ui,
        told: impl Fn(&str) -> Option<String>,
    ) -> Result<Event, String> {
        let mut written = before;
        written.retain(|name, _| !self.fields.iter().any(|field| field.name == name));
        written.insert("ev".to_owned(), Value::from(self.ev));
        for field in self.fields {
            let text = match field.kind {
                Kind::Fixed(word) => word.to_owned(),
                _ => told(field.name).unwrap_or_default().trim().to_owned(),
            };
            // what is missing and should not be is told by the log's reader
            if text.is_empty() {
                continue;
            }
            if matches!(field.kind, Kind::Player) && text.chars().count() > NAME_CHARS {
                return Err(ui.long_name.to_owned());
            }
            written.insert(field.name.to_owned(), field.kind.value(text));
        }
        let read = line::event(Value::Object(written).to_string().as_bytes());
        read.map_err(|wrong| self.refused(&wrong.to_string(), ui))
    }
}

impl Form {
    /// Why there is no event. The log's reader says it in English: in Spanish the field that it names is told.
    fn refused(&self, said: &str, ui: &Ui) -> String {
        if ui.code == "en" {
            return said.to_owned();
        }
        let named = self.fields.iter().find(|field| said.starts_with(&format!("field `{}`", field.name)));
        named.map_or(ui.no_entry.to_owned(), |field| format!("{}: {}", ui.of_log(field.name), ui.no_entry))
    }
}

impl Kind {
    /// As the log writes it; what is no number stays a text, which the log's reader refuses.
    fn value(self, text: String) -> Value {
        match self {
            Self::Number => text.parse::<u64>().map_or(Value::from(text), Value::from),
            Self::Cards => match text.parse::<u64>() {
                Ok(count) => Value::from(count),
                Err(_) => text.split_whitespace().map(str::to_uppercase).collect(),
            },
            Self::Yes => Value::from(text == "yes"),
            _ => Value::from(text),
        }
    }
}

/// A field of the log as a form holds it.
pub(super) fn held(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Bool(yes) => if *yes { "yes" } else { "no" }.to_owned(),
        Value::Array(all) => all.iter().map(held).collect::<Vec<_>>().join(" "),
        other => other.to_string(),
    }
}

impl Field {
    fn model(&self, felt: &Felt, ui: &'static Ui, value: String) -> FieldModel {
        let as_is = |text: String| (text.clone(), text);
        let hands = || hands(felt).into_iter().map(|hand| as_is(hand.to_string()));
        let bank = || (Place::Bank.to_string(), ui.bank.to_owned());
        let cards = || (0..52).filter_map(Card::from_index).map(|card| (card.to_string(), ui.card(card)));
        let options = match self.kind {
            Kind::Hand => hands().collect(),
            Kind::Place => hands().chain([bank()]).collect(),
            Kind::Target => hands().chain([bank(), (Place::Burn.to_string(), ui.burned.to_owned())]).collect(),
            Kind::Card => cards().collect(),
            Kind::AnyCard => [(Card::UNREAD.to_string(), ui.unread.to_owned())].into_iter().chain(cards()).collect(),
            Kind::Yes => {
                [("yes", ui.yes), ("no", ui.no)].map(|(value, words)| (value.to_owned(), words.to_owned())).into()
            }
            Kind::Word(all) => all().into_iter().map(|word| (word.to_owned(), ui.of_log(word).to_owned())).collect(),
            Kind::Player | Kind::Number | Kind::Cards | Kind::Fixed(_) => Vec::new(),
        };
        FieldModel {
            name: self.name,
            label: ui.of_log(self.name),
            required: !self.optional,
            options,
            is_number: matches!(self.kind, Kind::Number),
            is_player: matches!(self.kind, Kind::Player),
            value,
        }
    }
}

/// The hands on the felt, and each box's first where it has none.
fn hands(felt: &Felt) -> Vec<HandId> {
    let of = |box_no: u8, hands: usize| (0..hands.clamp(1, MAX_HANDS) as u8).map(move |hand| HandId { box_no, hand });
    felt.boxes.iter().flat_map(|one| of(one.box_no, one.hands.len())).collect()
}
