//! What is read by tags: chips on their spots, cards at their places.

use sabot_drivers::TagsSaw;
use sabot_drivers::saw::{Pad, Stake};
use sabot_wire::message::{self as wire, Observation, Role, ShoeSaw};
use smol_str::format_smolstr;

use super::{Observer, Table};
use crate::entries::{self, BadReport};
use crate::sourced_event::{EventSource, device_event};
use crate::tagged_cards::{LEFT, LIES};
use crate::timeline;
use sabot_journal::SeenAt;
use sabot_law::table::{Card, Cents, Event, Place, Sight};

/// The status of a reader that is not sure of the chips on a spot.
const IN_DOUBT: &str = "in_doubt";

impl Observer {
    /// A bought reader saw tags.
    pub fn tags(&mut self, saw: &TagsSaw, source: EventSource, now: u64, table: &mut impl Table) {
        let role = seen_by(saw);
        if !matches!(saw, TagsSaw::Card { .. } | TagsSaw::Passed { .. }) {
            self.give_way_to(role, source.seen, now, table);
        }
        match saw {
            TagsSaw::Passed { tag } => self.passed(*tag, source, now, table),
            TagsSaw::Card { at, tag, lies } => self.tagged_card(*at, *tag, *lies, source, now, table),
            TagsSaw::Stack { at, chips } => self.stack(*at, chips, source.seen, source, now, table),
            TagsSaw::InDoubt { at } => {
                self.tell(device_event(role, IN_DOUBT, Some(format_smolstr!("{at}"))), Some(source), table);
                self.in_doubt.push(*at);
            }
            TagsSaw::Readable { at } => {
                self.unreadable.retain(|other| *other != Pad::Cards(*at));
                let event = device_event(role, "read_again", Some(format_smolstr!("{at}")));
                self.tell(event, Some(source), table);
            }
            TagsSaw::Unreadable { at, why } => {
                let event = device_event(role, "read_error", Some(format_smolstr!("{at}: {why}")));
                self.tell(event, Some(source), table);
                self.in_doubt.retain(|other| Pad::Stake(*other) != *at);
                self.unreadable.retain(|other| other != at);
                self.unreadable.push(*at);
                self.miss(*at, table);
            }
        }
        self.tell_moves(Some(now), table);
    }

    /// A card has passed the antenna of the shoe, or what is shown to it in place of words.
    fn passed(&mut self, tag: u64, source: EventSource, now: u64, table: &mut impl Table) {
        let (saw, wrong) =
            self.tagged_cards.as_mut().map_or((ShoeSaw::Drawn(Card::UNREAD), None), |cards| cards.passed(tag));
        self.take(Role::Shoe, &Observation::Shoe(saw), source, now, table);
        if let Some(event) = wrong {
            self.tell(event, None, table);
        }
    }

    /// An antenna saw a card by its tag.
    fn tagged_card(&mut self, at: Place, tag: u64, lies: bool, source: EventSource, now: u64, table: &mut impl Table) {
        let status = if lies { LIES } else { LEFT };
        self.tell(device_event(Role::Chips, status, Some(format_smolstr!("{at}"))), Some(source), table);
        let found = self.tagged_cards.as_mut().map(|cards| cards.saw(at, tag, lies, now, table));
        found.into_iter().flatten().for_each(|event| self.tell(event, None, table));
        self.tell_pairs(now, table);
    }

    /// All chips that now lie on a spot; `since` when, where the reader needs its time to be sure.
    pub(super) fn stack(
        &mut self,
        at: Stake,
        chips: &[wire::Chip],
        since: Option<SeenAt>,
        source: EventSource,
        now: u64,
        table: &mut impl Table,
    ) {
        let hand = match entries::hand(at.box_no, at.hand, self.header.boxes) {
            Ok(hand) => hand,
            Err(bad) => return self.bad_report(Role::Chips, &bad, source, table),
        };
        let lies_twice = |(nth, chip): (usize, &wire::Chip)| chips.iter().take(nth).any(|other| other.uid == chip.uid);
        if chips.iter().enumerate().any(lies_twice) {
            let bad = BadReport::new(
                format!("una ficha dos veces en {hand}: no puede ser"),
                format!("one chip twice at {hand}: it cannot be"),
            );
            self.bad_report(Role::Chips, &bad, source, table);
            self.unreadable.retain(|other| *other != Pad::Stake(at));
            return self.unreadable.push(Pad::Stake(at)); // until it is told as it can be
        }
        self.unreadable.retain(|other| *other != Pad::Stake(at));
        let was_in_doubt = self.in_doubt.contains(&at);
        self.in_doubt.retain(|other| *other != at);
        let amount = worth(chips);
        // what was read after a card had gone was taken after it; what comes may have lain there unread
        let lay = self.lying.insert(at, chips.to_vec());
        let sharing = self.sharing(at, table);
        let before = match &sharing {
            Some(hands) => Self::lay(lay.as_deref(), at, hands, table),
            None => table.on_spot(hand, at.spot),
        };
        if amount < before
            && let Some(cards) = self.tagged_cards.as_mut()
        {
            cards.chips_stayed_until(source.seen);
            self.tell_moves(Some(now), table);
        }
        // a stack that was exchanged for a smaller one has come too
        let is_new = |chip: &wire::Chip| lay.iter().flatten().all(|other| other.uid != chip.uid);
        let came = amount > before || (lay.is_some() && chips.iter().any(is_new));
        let event = match sharing {
            Some(hands) => {
                // what was paid there and collected since the reader was sure may have been the same chips
                let is_as_before = !was_in_doubt && lay.is_none_or(|lay| lay == chips);
                self.of_some_hand(at, &hands, (before, amount), is_as_before, since, table)
            }
            None => {
                let event = self.spot(hand, at.spot, amount, chips, table);
                self.in_time(event, came, since, table)
            }
        };
        self.tell(event, Some(source), table);
        let found = self.chip_tracker.as_mut().map(|tracker| tracker.found((hand, at.spot), chips, now));
        for (status, detail) in found.unwrap_or_default() {
            self.note_device(Role::Chips, status, Some(detail), table);
        }
    }

    /// Chips that came are told in their place, where the house lets the station do that.
    pub(super) fn in_time(&self, event: Event, came: bool, since: Option<SeenAt>, table: &impl Table) -> Event {
        let is_bet = matches!(event.sight(), Some(Sight::Bets));
        if came && is_bet && table.may_correct(timeline::STATION) {
            return self.timeline.before_later(event, since);
        }
        event
    }
}

/// The device whose antenna it is.
const fn seen_by(saw: &TagsSaw) -> Role {
    match saw {
        TagsSaw::Passed { .. }
        | TagsSaw::Readable { at: Place::Shoe }
        | TagsSaw::Unreadable { at: Pad::Cards(Place::Shoe), .. } => Role::Shoe,
        _ => Role::Chips,
    }
}

/// What lay there was not seen: nothing that hangs on chips is judged in this pass.
pub(super) fn missed(at: Pad) -> Event {
    device_event(Role::Chips, "events_missed", Some(format_smolstr!("{at}")))
}

/// What chips are worth together.
pub(super) fn worth(chips: &[wire::Chip]) -> Cents {
    chips.iter().map(|chip| Cents::from(chip.value)).sum()
}
