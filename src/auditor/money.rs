//! What each bet is owed.

use crate::facts::View;
use crate::facts::house::Account;
use crate::log::Place;

/// A part of an amount, as settings write it: `"3:2"`.
pub fn part(view: &View, setting: &str, amount: u64) -> u64 {
    let (numerator, denominator) = view.house.ratio(setting);
    amount.saturating_mul(numerator) / denominator
}

/// What a hand's Black Jack is paid.
pub fn blackjack(view: &View, hand: Place, stake: u64) -> u64 {
    let setting = match view.pair_opened(hand) {
        Some(1) => "split_ace_blackjack",
        Some(_) => "split_ten_blackjack",
        None => "blackjack",
    };
    part(view, setting, stake)
}

/// A part of a stake in whole chips, rounded up.
pub fn chips_of(view: &View, stake: u64, (part, whole): (u64, u64)) -> u64 {
    let chip = view.house.figure("chip").max(1);
    stake.saturating_mul(part).div_ceil(whole).div_ceil(chip).saturating_mul(chip).min(stake)
}

/// Whether an amount insures what may be insured with `most`: less is for houses that take less.
pub fn takes_insurance(view: &View, amount: u64, most: u64) -> bool {
    amount == most || amount < most && view.house.yes("insurance_may_be_less")
}

/// The article by which half a stake is collected: another house's where the regulation takes it from there.
pub fn halved_by(view: &View, stake: u64, own: &'static str) -> &'static str {
    let is_even = chips_of(view, stake, (1, 2)) * 2 == stake;
    let provision = if is_even { "T-R2" } else { "T-R3" };
    if own == "T-R2" || view.house.has(provision) { provision } else { own }
}

/// The account of a hand that was given up: half its stake, or all of it where that is late against a Black Jack.
pub fn given_up(view: &View, hand: Place, stake: u64, by: &'static str, at_end: bool) -> Option<Account> {
    view.surrendered(hand)?;
    let by = halved_by(view, stake, by);
    let is_late = view.house.is("surrender", "late");
    if is_late && !at_end && !view.bank_is_final() && view.playing().iter().copied().any(|hand| view.is_at_stake(hand))
    {
        return Some(Account::new("unknown", stake, 0, by));
    }
    let half = Account { lost: chips_of(view, stake, (1, 2)), ..Account::new("surrender", stake, 0, by) };
    (!is_late || !view.is_blackjack(Place::Bank)).then_some(half)
}

/// Every hand with a bet to account for, refused ones that were left lying included, box by box.
pub fn accounted(view: &View) -> Vec<Place> {
    let mut hands = view.hands().to_vec();
    hands.extend(view.boxes().filter(|place| !view.hands().contains(place) && view.chips(*place, "main") > 0));
    hands.sort();
    hands
}

/// The account of a spot as the history stands; none where nothing was bet on it. `end` turns what is covered.
pub fn account(view: &View, hand: Place, spot: &str, at_end: bool) -> Option<Account> {
    (view.house.plan.account)(view, hand, spot, at_end)
}

/// What a spot is owed by now, if that is decided: a hand over 21 at once, others once the bank is.
pub fn owed(view: &View, hand: Place, spot: &str) -> Option<Account> {
    let is_decided = spot == "insurance"
        || view.whole_stake(hand) == 0
        || view.is_over(hand)
        || view.is_void(hand)
        || view.has_no_claim(hand)
        || view.surrendered(hand).is_some()
        || view.took_even_money(hand).is_some()
        || view.bank_is_final();
    account(view, hand, spot, false).filter(|account| is_decided && account.outcome != "unknown")
}

/// The most that a hand may be owed of which, or of whose bank, a card could not be read.
pub fn most(view: &View, hand: Place) -> u64 {
    let unread: Vec<usize> = view.dealt(hand).iter().copied().filter(|draw| view.card(*draw).is_none()).collect();
    let stake = view.whole_stake(hand);
    let any = || if view.may_be_blackjack(hand) { blackjack(view, hand, stake) } else { stake };
    // with the rest known, the best of all ranks
    let pays = |draw, rank| view.with_rank(draw, rank, |view| owed(view, hand, "main").map(|account| account.pay));
    let best = |draw| (1..=13).map(|rank| pays(draw, rank)).try_fold(0, |most, pay| Some(pay?.max(most)));
    match unread[..] {
        [draw] if !view.is_covered(draw) => best(draw).unwrap_or_else(any),
        _ => any(),
    }
}

/// An insurance against the bank's Black Jack, which its second card settles.
pub fn against_blackjack(view: &View, hand: Place, at_end: bool, by: &'static str) -> Option<Account> {
    let stake = view.on_spot(hand, "insurance");
    if stake == 0 {
        return None;
    }
    if view.is_void(hand) {
        return Some(Account::new("void", stake, 0, by));
    }
    let bank = view.dealt(Place::Bank);
    let known = bank.iter().take(2).map(|draw| view.card(*draw)).collect::<Option<Vec<_>>>();
    let is_open = at_end || !bank.iter().take(2).any(|draw| view.is_covered(*draw));
    let Some([first, second]) = known.as_deref().filter(|_| is_open) else {
        return Some(Account::new("unknown", stake, 0, by));
    };
    let is_won = first.rank == 1 && second.pips() == 10;
    let pay = part(view, "insurance", stake);
    Some(if is_won { Account::new("win", stake, pay, by) } else { Account::new("lose", stake, 0, by) })
}

/// The account of chips that lie where no bet counts.
pub fn refused(view: &View, hand: Place, by: &'static str) -> Option<Account> {
    let left = view.chips(hand, "main");
    (left > 0 && view.opened_from(hand).is_none()).then(|| Account::new("void", left, 0, by))
}
