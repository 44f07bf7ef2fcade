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
use sabot_law::table::{Card, Cents, Event, HandId, Place, Sight};

/// The status of a reader that is not sure of the chips on a spot.
const IN_DOUBT: &str = "in_doubt";

/// What lay at a spot.
pub(super) struct Was {
    /// The hands whose it may be, where there is more than one.
    sharing: Option<Vec<HandId>>,
    chips: Option<Vec<wire::Chip>>,
    amount: Cents,
    /// The reader was not sure of what lies there since.
    in_doubt: bool,
}

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
            TagsSaw::Stack { at, chips } => self.stack_in_turn(*at, chips, source, now, table),
            TagsSaw::InDoubt { at } => {
                let since = source.seen;
                self.tell(device_event(role, IN_DOUBT, Some(format_smolstr!("{at}"))), Some(source), table);
                self.doubts(*at);
                self.explains_advances(since, table);
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
                self.tell_waiting(now, table);
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
        let was = self.was(at, hand, table);
        self.unreadable.retain(|other| *other != Pad::Stake(at));
        self.in_doubt.retain(|other| *other != at);
        self.lying.insert(at, chips.to_vec());
        // what was read after a card had gone was taken after it; what comes may have lain there unread
        if worth(chips) < was.amount
            && let Some(cards) = self.tagged_cards.as_mut()
        {
            cards.chips_stayed_until(source.seen);
            self.tell_moves(Some(now), table);
        }
        let event = self.means((at, hand), chips, &was, since, table);
        if self.may_have_gone_in_time(&event, since, table) {
            self.miss(at.into(), table);
        }
        self.tell(event, Some(source), table);
        let found = self.chip_tracker.as_mut().map(|tracker| tracker.found((hand, at.spot), chips, now));
        for (status, detail) in found.unwrap_or_default() {
            self.note_device(Role::Chips, status, Some(detail), table);
        }
    }

    /// What lay at a spot, as far as anything told so.
    pub(super) fn was(&self, at: Stake, hand: HandId, table: &impl Table) -> Was {
        let (chips, sharing) = (self.lying.get(&at).cloned(), self.sharing(at, table));
        let amount = match &sharing {
            Some(hands) => Self::lay(chips.as_deref(), at, hands, table),
            None => table.on_spot(hand, at.spot),
        };
        Was { sharing, amount, in_doubt: self.in_doubt.contains(&at), chips }
    }

    /// What it means that these chips lie at a spot now.
    pub(super) fn means(
        &self,
        (at, hand): (Stake, HandId),
        chips: &[wire::Chip],
        was: &Was,
        since: Option<SeenAt>,
        table: &impl Table,
    ) -> Event {
        let amount = worth(chips);
        if let Some(hands) = &was.sharing {
            // what was paid there and collected since the reader was sure may have been the same chips
            let is_as_before = !was.in_doubt && was.chips.as_deref().is_none_or(|lay| lay == chips);
            return self.of_some_hand(at, hands, (was.amount, amount), is_as_before, since, table);
        }
        // a stack that was exchanged for a smaller one has come too
        let is_new = |chip: &wire::Chip| was.chips.iter().flatten().all(|other| other.uid != chip.uid);
        let came = amount > was.amount || (was.chips.is_some() && chips.iter().any(is_new));
        self.in_time(self.spot(hand, at.spot, amount, chips, table), came, since, table)
    }

    /// Whether a bet is about to be found lowered too late of which chips were last read while that was allowed: when
    /// they went nobody saw.
    fn may_have_gone_in_time(&self, event: &Event, since: Option<SeenAt>, table: &impl Table) -> bool {
        if !matches!(event, Event::Bet { .. }) || !table.would_find(event) {
            return false;
        }
        let before = self.timeline.before_later(event.clone(), since);
        before != *event && !table.would_find(&before)
    }

    /// Chips that came are told in their place, where the house lets the station do that. Those that went may have lain
    /// there longer than they were read: they are where that explains what was found, or is about to be.
    pub(super) fn in_time(&self, event: Event, came: bool, since: Option<SeenAt>, table: &impl Table) -> Event {
        let is_bet = matches!(event.sight(), Some(Sight::Bets));
        if !is_bet || !table.may_correct(timeline::STATION) {
            return event;
        }
        let placed = self.timeline.before_later(event.clone(), since);
        if matches!(event, Event::Bet { .. }) || placed == event {
            return if came { placed } else { event };
        }
        // what was paid or collected in time is not put before what it was paid or collected for
        let is_clear = !table.would_find(&placed);
        let explains = is_clear && (came || table.would_find(&event) || table.would_explain(&placed));
        if explains { placed } else { event }
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
