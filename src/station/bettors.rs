//! Whose a bet is that is about to be laid: the player whose badge was read for that box, or, where there is no keypad
//! that reads badges, the only one who asked for it.

use sabot_law::table::place::MAX_BOXES;
use sabot_law::table::{Event, Name};

use super::entries;

/// Who bets on which box in this pass, as far as it was told beforehand.
#[derive(Debug, Default)]
pub(super) struct Bettors {
    read: [Option<Name>; MAX_BOXES],
    /// Boxes that were asked for, and by whom.
    asked: Vec<(u8, Name)>,
}

impl Bettors {
    /// Takes note of an event of the record.
    pub(super) fn note(&mut self, event: &Event) {
        if let Some((box_no, player)) = entries::bettor(event)
            && let Some(bettor) = box_no.parse().ok().and_then(|n: usize| self.read.get_mut(n.checked_sub(1)?))
        {
            *bettor = Some(Name::new(player));
        }
        match event {
            Event::Request { hand, player, .. } => self.asked.push((hand.box_no, player.clone())),
            Event::End {} => *self = Self::default(),
            _ => {}
        }
    }

    /// Nobody was told of.
    pub(super) fn is_as_new(&self) -> bool {
        self.asked.is_empty() && self.read.iter().all(Option::is_none)
    }

    /// Who bets on a box; `None` where several have asked for it, and who got it was not told.
    pub(super) fn of(&self, box_no: u8) -> Option<Name> {
        let read = self.read.get(usize::from(box_no).checked_sub(1)?).cloned().flatten();
        let mut asked = self.asked.iter().filter(|(asked, _)| *asked == box_no).map(|(_, player)| player);
        read.or_else(|| asked.next().filter(|first| asked.all(|other| other == *first)).cloned())
    }
}
