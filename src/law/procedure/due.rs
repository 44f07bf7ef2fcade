//! What comes next: the line dealer and inspector read, and where an unseen card must have gone.
//!
//! Nothing here names a card that may not be known.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::betting_box::Standing;
use super::duty::{Duty, Part};
use super::hand::{Hand, Owed};
use super::hand_index::Status;
use super::shoe::Shoe;
use super::state::State;
use crate::table::event::{Face, Question};
use crate::table::felt::{Felt, FeltBox, FeltHand, HandState, Phase, Shown, Words};
use crate::table::settings::{Banker, Insured};
use crate::table::words;
use crate::table::{BetSpot, Cents, HandId, Place};

/// The next thing to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Due {
    /// Part of a finding's remedy.
    Duty(Part),
    /// The decks must be shuffled.
    Shuffle,
    /// The retired cards must be shuffled to finish the pass, or the whole pack where nobody authorises it.
    Reshuffle {
        /// Only the retired ones.
        retired: bool,
    },
    /// The cut must be offered.
    OfferCut,
    /// A bettor must cut.
    Cut,
    /// The shoe must be loaded.
    Load,
    /// The bank must pass on to the next player.
    Turn,
    /// Bets are open.
    Bets,
    /// A question to a bettor.
    Ask(HandId, Question),
    /// A card.
    Card(Place, Option<bool>),
    /// A covered card must be turned up.
    Reveal(Place),
    /// A losing stake must be collected.
    Collect(HandId, BetSpot, Cents),
    /// A winning bet must be paid.
    Pay(HandId, BetSpot, Cents),
    /// Cards must be cleared to the discard tray.
    Clear(Place),
    /// The pass may end.
    End,
}

impl State {
    /// Where a card is due now; `None` where none is.
    #[must_use]
    pub fn card_due(&self) -> Option<Place> {
        let pass = &self.pass;
        if !pass.open {
            return None;
        }
        if pass.clearing {
            return None;
        }
        if pass.bank.owed > 0 {
            return Some(Place::Bank);
        }
        if !self.delivered() {
            if self.hands_with(Status::Live).is_empty() {
                return None;
            }
            let delivery = if pass.bank.served > 0 || pass.second { Status::Second } else { Status::First };
            return Some(self.hands_with(delivery).first().map_or(Place::Bank, Place::from));
        }
        if let Some(id) = self.hands_with(Status::Doubling).first()
            && self.turn().is_none_or(|turn| self.plays_before(id, turn))
        {
            return Some(id.into());
        }
        if self.settings.bank_is_covered() && pass.bank.served < 2 && !self.hands_with(Status::Live).is_empty() {
            return Some(Place::Bank);
        }
        if self.settings.play.hit_at_21
            && let Some((id, _)) = self.hands().find(|(_, hand)| hand.wants_card && self.may_draw_at_21(hand))
        {
            return Some(id.into());
        }
        if let Some((id, hand)) = self.unfinished().next() {
            let wanted = hand.wants_card
                || (hand.split && hand.count() == 1)
                || !self.observes.decisions
                || hand.is_to_be_offered_double(&self.settings);
            return wanted.then(|| id.into());
        }
        if let Some(id) = self.hands_with(Status::Second).first() {
            return Some(id.into());
        }
        if !self.settings.bank_is_covered() && pass.bank.served < 2 {
            let needed = self.bank_has_to_draw() || self.is_insured_against_bank();
            return needed.then_some(Place::Bank);
        }
        if self.observes.faces && pass.bank.is_covered() {
            // due is that it be uncovered; a card drawn instead is the bank's, whatever lies there
            return (self.bank_has_to_draw()).then_some(Place::Bank);
        }
        self.bank_draws_on().then_some(Place::Bank)
    }

    /// Where in the pass the table is.
    #[must_use]
    pub fn phase(&self) -> Phase {
        let pass = &self.pass;
        let insured = || self.is_insured_against_bank();
        match () {
            () if !pass.open => Phase::Idle,
            () if !pass.dealing => Phase::Bets,
            () if !self.delivered() && self.card_may_be_due() => Phase::Delivery,
            // where the bank plays last, what is settled too early ends neither the play nor its own
            () if pass.settling && (self.settings.bank_is_covered() || pass.clearing) => Phase::Settlement,
            () if self.turn().is_some() || !self.hands_with(Status::Second).is_empty() => Phase::Play,
            () if self.hands().all(|(_, hand)| hand.void || hand.lost || hand.is_over()) && !insured() => {
                Phase::Settlement
            }
            () if pass.bank.is_covered() => Phase::Bank,
            () if self.hands_with(Status::Live).is_empty() && !insured() => Phase::Settlement,
            () if pass.bank.served < 2 || pass.bank.must_draw() == Some(true) => Phase::Bank,
            () => Phase::Settlement,
        }
    }

    /// Somebody is left to be dealt to or played with.
    fn card_may_be_due(&self) -> bool {
        !self.hands_with(Status::Live).is_empty() || !self.hands_with(Status::First).is_empty()
    }

    /// Everything due now, the next thing first.
    #[must_use]
    pub fn due(&self, duties: &[Duty]) -> Vec<Due> {
        let mut due: Vec<Due> = duties.iter().flat_map(|duty| &duty.parts).map(|part| Due::Duty(*part)).collect();
        match self.phase() {
            Phase::Idle => due.push(self.shoe_due()),
            Phase::Bets if self.settings.reshuffles() && self.shoe.as_ref().is_some_and(Shoe::is_over) => {
                due.push(self.shoe_due());
            }
            Phase::Bets if !self.pass.closed => due.push(Due::Bets),
            Phase::Bets | Phase::Delivery => due.extend(self.delivery_due()),
            Phase::Play => due.extend(self.play_due()),
            Phase::Bank => due.extend(self.bank_due()),
            Phase::Settlement => self.settlement_due(&mut due),
        }
        if let Some(refill) = self.refill_due() {
            due.iter_mut().filter(|due| matches!(due, Due::Card(..))).for_each(|due| *due = refill);
        }
        let cards: Vec<Place> =
            due.iter().filter_map(|due| if let Due::Card(place, _) = due { Some(*place) } else { None }).collect();
        due.retain(|due| !matches!(due, Due::Duty(Part::Serve(place)) if cards.contains(place)));
        due.dedup();
        due
    }

    fn shoe_due(&self) -> Due {
        let by_turn = self.settings.delivery.banker == Banker::ByTurn;
        match (&self.shuffled, &self.shoe) {
            (Some(_), _) if !self.cut && by_turn && self.cut_offered.is_empty() => Due::OfferCut,
            (Some(_), _) if !self.cut => Due::Cut,
            (Some(_), _) => Due::Load,
            (None, Some(shoe)) if !shoe.is_over() => {
                let passes_on = by_turn && self.bankers.turn_due && self.bankers.banker.is_some();
                if passes_on { Due::Turn } else { Due::Bets }
            }
            _ if self.settings.delivery.banker == Banker::House => Due::Shuffle,
            _ => Due::Reshuffle { retired: false },
        }
    }

    /// What has to be done before the next card, where the shoe has run empty in a pass that is finished all the same.
    fn refill_due(&self) -> Option<Due> {
        let refills = self.settings.reshuffles() && self.pass.dealing;
        match self.shuffled {
            Some(_) if refills => Some(self.shoe_due()),
            None if refills && self.shoe_empty => Some(Due::Reshuffle { retired: true }),
            _ => None,
        }
    }

    fn delivery_due(&self) -> Option<Due> {
        let place = self.card_due()?;
        if let Place::Hand(id) = place
            && self.pass.bank.served > 0
            && self.observes.asks
            && self.settings.insurance.when == Insured::OwnAce
            && let Some(hand) = self.hand(id)
            && hand.begins_with_ace()
            && !hand.was_asked(Question::Insurance)
        {
            return Some(Due::Ask(id, Question::Insurance));
        }
        let covered = self.settings.bank_is_covered() && self.pass.bank.served == 1 && self.pass.bank.owed == 0;
        Some(Due::Card(place, Some(place == Place::Bank && covered)))
    }

    /// The first hand to be asked about insurance against the bank, where that is due now.
    fn to_insure(&self) -> Option<HandId> {
        let asks = self.may_insure() && self.observes.asks && self.pass.bank.shows_ace();
        let waits = |hand: &Hand| !hand.was_asked(Question::Insurance) && hand.insurance == 0;
        self.live_hands().find(|(_, hand)| asks && waits(hand)).map(|(id, _)| id)
    }

    /// Half a stake given up, or a Black Jack to be paid single, before the bank plays.
    fn ended_due(&self) -> Option<Due> {
        self.hands().filter(|(_, hand)| hand.is_closed() && hand.paid == 0 && hand.collected == 0).find_map(
            |(id, hand)| match self.owed(hand)? {
                Owed { pay: 0, lost: 0, .. } => None,
                Owed { pay: 0, lost, .. } => Some(Due::Collect(id, BetSpot::Main, lost)),
                Owed { pay, .. } => Some(Due::Pay(id, BetSpot::Main, pay)),
            },
        )
    }

    /// An insurance that the bank's second card decided, before it draws on (T-S7).
    fn insurance_due(&self) -> Option<Due> {
        let open = |hand: &Hand| hand.insurance > 0 && hand.insurance_paid == 0 && hand.insurance_collected == 0;
        let insured = self.hands().filter(|(_, hand)| self.settings.insures_against_bank() && open(hand));
        insured.filter_map(|(id, hand)| Some((id, self.insurance_owed(hand)?))).find_map(|(id, owed)| match owed {
            Owed { pay: 0, lost: 0, .. } => None,
            Owed { pay: 0, lost, .. } => Some(Due::Collect(id, BetSpot::Insurance, lost)),
            Owed { pay, .. } => Some(Due::Pay(id, BetSpot::Insurance, pay)),
        })
    }

    /// The first Black Jack to be paid before the bank plays, or plays on (G7).
    fn to_pay_at_once(&self) -> Option<Due> {
        let waits = |hand: &Hand| !hand.void && !hand.lost && hand.paid == 0 && self.is_paid_at_once(hand);
        let (id, hand) = self.hands().find(|(_, hand)| waits(hand))?;
        Some(Due::Pay(id, BetSpot::Main, self.owed(hand)?.pay))
    }

    fn play_due(&self) -> Option<Due> {
        if let Some(pay) = self.to_pay_at_once() {
            return Some(pay);
        }
        if let Some(due) = self.ended_due() {
            return Some(due);
        }
        if let Some(id) = self.to_insure() {
            return Some(Due::Ask(id, Question::Insurance));
        }
        let hidden = self.turn().and_then(|id| self.hand(id)).is_some_and(|hand| hand.is_covered() && !hand.doubled);
        if let Some(place) = self.card_due().filter(|_| !hidden) {
            let asks_first = matches!(place, Place::Hand(id) if self.hand(id).is_some_and(|hand| !hand.wants_card
                && !hand.doubled && hand.is_to_be_offered_double(&self.settings)));
            if !asks_first {
                let doubled = matches!(place, Place::Hand(id) if self.hand(id).is_some_and(Hand::waits_for_double));
                let covered = doubled && self.settings.double.card == Face::Down;
                return Some(Due::Card(place, Some(covered)));
            }
        }
        let (id, hand) = self.unfinished().next()?;
        if hand.is_covered() {
            return Some(Due::Reveal(id.into()));
        }
        let declares = self.settings.play.ace_is_declared && hand.has_early_ace() && hand.ace.is_none();
        let about = if declares && !hand.is_pair(self.settings.split.pairs) {
            Question::Ace
        } else if hand.is_to_be_offered_double(&self.settings) {
            Question::Double
        } else {
            Question::Card
        };
        Some(Due::Ask(id, about))
    }

    fn bank_due(&self) -> Option<Due> {
        if let Some(pay) = self.to_pay_at_once() {
            return Some(pay);
        }
        if let Some(id) = self.hands_with(Status::Doubling).first() {
            return Some(Due::Card(id.into(), Some(self.settings.double.card == Face::Down)));
        }
        if let Some(due) = self.ended_due() {
            return Some(due);
        }
        if let Some(id) = self.to_insure() {
            return Some(Due::Ask(id, Question::Insurance));
        }
        if self.pass.bank.is_covered() {
            return Some(Due::Reveal(Place::Bank));
        }
        if let Some(due) = self.insurance_due() {
            return Some(due);
        }
        self.card_due().map(|place| Due::Card(place, Some(false)))
    }

    fn settlement_due(&self, due: &mut Vec<Due>) {
        if let Some((id, _)) = self.hands().find(|(_, hand)| !hand.void && hand.is_covered()) {
            due.push(Due::Reveal(id.into()));
        }
        let bets = || {
            self.hands().flat_map(|(id, hand)| {
                let main = self.owed(hand).map(|owed| (id, BetSpot::Main, owed, hand.paid, hand.collected));
                let insurance = self
                    .insurance_owed(hand)
                    .map(|owed| (id, BetSpot::Insurance, owed, hand.insurance_paid, hand.insurance_collected));
                main.into_iter().chain(insurance)
            })
        };
        let owing = due.len();
        let loses = |owed: &Owed, taken| owed.lost > 0 && taken == 0;
        due.extend(bets().filter_map(|(id, spot, owed, paid, taken)| match owed {
            _ if loses(&owed, taken) => Some(Due::Collect(id, spot, owed.lost)),
            _ if owed.pay > paid => Some(Due::Pay(id, spot, owed.pay - paid)),
            _ => None,
        }));
        if self.settings.pays.losers_first {
            due[owing..].sort_by_key(|due| matches!(due, Due::Pay(..)));
        }
        if due.len() == owing {
            due.push(self.first_place_with_cards().map_or(Due::End, Due::Clear));
        }
    }

    /// The first place with cards on the felt, the bank after the boxes.
    #[must_use]
    pub fn first_place_with_cards(&self) -> Option<Place> {
        let bank = (!self.pass.bank.cards.is_empty()).then_some(Place::Bank);
        self.hands_with(Status::Cards).first().map(Place::from).or(bank)
    }
}

impl Due {
    /// In both languages.
    #[must_use]
    pub fn words(self) -> Words {
        let both = |es: &str, en: &str| Words { es: String::from(es), en: String::from(en) };
        match self {
            Self::Duty(part) => part.words(),
            Self::Shuffle => both("autorizar y mezclar los mazos", "authorise and shuffle the decks"),
            Self::Reshuffle { retired: true } => both("mezclar las cartas retiradas", "shuffle the retired cards"),
            Self::Reshuffle { retired: false } => both("mezclar todas las cartas", "shuffle all the cards"),
            Self::OfferCut => both("ofrecer el corte", "offer the cut"),
            Self::Turn => both("pasar la banca al siguiente", "pass the bank on to the next player"),
            Self::Cut => both("un apostador corta", "a bettor cuts"),
            Self::Load => both("armar el sabot", "load the shoe"),
            Self::Bets => both("apuestas abiertas", "bets are open"),
            Self::Ask(id, about) => ask_words(id, about),
            Self::Card(place, covered) => {
                let (es, en) = match covered {
                    Some(true) => (" (cubierta)", " (face down)"),
                    _ => ("", ""),
                };
                let to = if place == Place::Bank { "la" } else { "el" };
                Words {
                    es: format!("carta para {to} {}{es}", words::place(place).es),
                    en: format!("card for {}{}{en}", article_en(place), words::place(place).en),
                }
            }
            Self::Reveal(Place::Bank) => {
                both("descubrir la segunda carta de la banca", "uncover the bank's second card")
            }
            Self::Reveal(place) => Words {
                es: format!("descubrir la carta del {}", words::place(place).es),
                en: format!("uncover the card of {}", words::place(place).en),
            },
            Self::Collect(id, spot, amount) => money_words("retirar", "collect", id, spot, amount),
            Self::Pay(id, spot, amount) => money_words("pagar", "pay", id, spot, amount),
            Self::Clear(place) => {
                let of = if place == Place::Bank { "de la" } else { "del" };
                Words {
                    es: format!("levantar las cartas {of} {}", words::place(place).es),
                    en: format!("clear the cards of {}{}", article_en(place), words::place(place).en),
                }
            }
            Self::End => both("fin del pase", "end of the pass"),
        }
    }
}

const fn article_en(place: Place) -> &'static str {
    if matches!(place, Place::Hand(_)) { "" } else { "the " }
}

fn ask_words(id: HandId, about: Question) -> Words {
    let (es, en) = match about {
        Question::Insurance => ("¿asegura?", "insurance?"),
        Question::Double => ("¿dobla?", "double?"),
        Question::Ace => ("¿el as vale 1 u 11?", "ace 1 or 11?"),
        Question::Split => ("¿abre?", "split?"),
        Question::Card => ("¿carta o planta?", "card or stand?"),
        Question::Surrender => ("¿se rinde?", "surrender?"),
    };
    Words { es: format!("preguntar: {es} casillero {id}"), en: format!("ask: {en} box {id}") }
}

fn money_words(es: &str, en: &str, id: HandId, spot: BetSpot, amount: Cents) -> Words {
    let (what_es, what_en) =
        if spot == BetSpot::Insurance { ("el seguro del ", "the insurance of ") } else { ("el ", "") };
    let (units, cents) = (amount / 100, amount % 100);
    Words {
        es: format!("{es} {what_es}casillero {id}: {units},{cents:02}"),
        en: format!("{en} {what_en}box {id}: {units}.{cents:02}"),
    }
}

impl Part {
    /// In both languages.
    #[must_use]
    pub fn words(self) -> Words {
        words::remedy(&self.remedy())
    }
}

/// The felt as anyone may see it, and what is due.
#[must_use]
pub fn felt(state: &State, duties: &[Duty]) -> Felt {
    let turn = if state.delivered() { state.turn() } else { None };
    let shown =
        |held: &super::cards::Held| if held.down || held.misdealt { Shown::Covered } else { Shown::Up(held.card) };
    let boxes = state
        .boxes()
        .map(|(box_no, betting_box)| {
            let hands = (0u8..).zip(betting_box.in_play()).map(|(n, hand)| {
                let id = HandId { box_no, hand: n };
                FeltHand {
                    id,
                    cards: hand.cards.iter().map(shown).collect(),
                    total: known_total(hand),
                    state: hand_state(hand, turn == Some(id)),
                    stake: hand.at_stake(),
                    insurance: hand.insurance,
                }
            });
            let refused = betting_box.standing == Standing::Refused;
            FeltBox {
                box_no,
                seated: state.seated(box_no).cloned(),
                bettor: betting_box.bettor.clone().filter(|_| !refused),
                hands: hands.collect(),
            }
        })
        .collect();
    let bank = &state.pass.bank;
    let permitted = !bank.is_covered() && !bank.cards.is_empty();
    Felt {
        pass: state.pass_no,
        phase: state.phase(),
        boxes,
        banker: state.bankers.banker.clone(),
        bank: bank.cards.iter().map(shown).collect(),
        bank_total: bank.total().filter(|_| permitted),
        burned: state.pass.burned,
        discarded: state.discarded,
        drawn: state.shoe.as_ref().map_or(state.draws, |shoe| shoe.seen.iter().map(|&n| u64::from(n)).sum()),
        cut_card_out: state.shoe.as_ref().is_some_and(|shoe| shoe.cut_card_out),
        due: state.due(duties).into_iter().map(Due::words).collect(),
    }
}

fn known_total(hand: &Hand) -> Option<u8> {
    if hand.is_covered() || hand.cards.is_empty() { None } else { hand.total().map(|total| total.points) }
}

fn hand_state(hand: &Hand, turn: bool) -> HandState {
    let covered = hand.is_covered();
    match () {
        () if hand.void => HandState::Void,
        () if hand.surrendered => HandState::Surrendered,
        () if hand.is_over() && !covered => HandState::Over,
        () if hand.is_blackjack() && !covered => HandState::Blackjack,
        () if hand.doubled => HandState::Doubled,
        () if turn => HandState::Turn,
        () if hand.count() >= 2 && hand.is_finished() => HandState::Stood,
        () => HandState::Waiting,
    }
}

#[cfg(test)]
mod tests {
    use crate::table::line;
    use crate::validator::Validator;

    #[test]
    fn the_felt_counts_what_lies_in_the_discard_tray_until_a_new_shoe_is_loaded() {
        let header = r#"{"ev":"table","v":1,"table":"T","regulation":"sala-8","boxes":7,"limits":{"min":1,"max":9}}"#;
        let mut table = Validator::new(line::header(header.as_bytes()).unwrap()).unwrap();
        for (n, (event, discarded)) in [
            (r#"{"ev":"load","cards":416,"cut_card":52}"#, 0),
            (r#"{"ev":"bet","box":"1","amount":5,"player":"P1"}"#, 0),
            (r#"{"ev":"draw","card":"8H","to":"1"}"#, 0),
            (r#"{"ev":"draw","card":"9S","to":"bank"}"#, 0),
            (r#"{"ev":"draw","card":"TC","to":"1"}"#, 0),
            (r#"{"ev":"draw","card":"8D","to":"discard"}"#, 1),
            (r#"{"ev":"move","from":"1","to":"discard"}"#, 3),
            (r#"{"ev":"move","from":"1","to":"discard"}"#, 3),
            (r#"{"ev":"move","from":"bank","to":"burn"}"#, 3),
            (r#"{"ev":"end"}"#, 3),
            (r#"{"ev":"load","cards":416,"cut_card":52}"#, 0),
        ]
        .into_iter()
        .enumerate()
        {
            table.step(n as u64 + 2, &line::event(event.as_bytes()).unwrap(), &mut alloc::vec::Vec::new());
            assert_eq!(table.felt().discarded, discarded, "after {event}");
        }
    }
}
