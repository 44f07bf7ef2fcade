//! What articles of several houses check alike. Each house raises it under its own article, at its own severity.

pub(super) mod bank_play;
pub(super) mod bets;
pub(super) mod clearing;
pub(super) mod decks;
pub(super) mod delivery;
pub(super) mod double;
pub(super) mod money;
pub(super) mod split;
pub(super) mod total;
pub(super) mod turns;
pub(super) mod unforeseen;
pub(super) mod usual;
