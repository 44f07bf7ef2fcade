//! What dealer, bettors and authorities say, and what is said of the bank.

crate::words! {
    "a question";
    /// What the dealer asks about.
    pub enum Question {
        /// Challenge or insurance.
        Insurance = "insurance",
        /// Doubling.
        Double = "double",
        /// The value of an ace.
        Ace = "ace",
        /// Opening a pair.
        Split = "split",
        /// Another card.
        Card = "card",
        /// Giving up half.
        Surrender = "surrender",
    }
}

crate::words! {
    "a choice";
    /// What a bettor chooses.
    pub enum Choice {
        /// Another card.
        Hit = "hit",
        /// No more cards.
        Stand = "stand",
        /// Double for one card.
        Double = "double",
        /// Open a pair.
        Split = "split",
        /// Take insurance.
        Insure = "insure",
        /// Decline what was asked.
        Decline = "decline",
        /// Give up half.
        Surrender = "surrender",
        /// Single pay at once.
        EvenMoney = "even_money",
    }
}

crate::words! {
    "a role";
    /// Who authorises, rules or reports.
    pub enum Authority {
        /// The inspector.
        Inspector = "inspector",
        /// The table chief.
        TableChief = "table_chief",
        /// The authorities of the room.
        Room = "room",
    }
}

crate::words! {
    "something to authorize";
    /// What an authorisation is for.
    pub enum Permit {
        /// A shuffle.
        Shuffle = "shuffle",
        /// The next cards for the bank.
        NextCardsForBank = "next_cards_for_bank",
        /// A change of decks.
        DeckChange = "deck_change",
    }
}

crate::words! {
    "an option";
    /// What an offered bettor takes.
    pub enum Taken {
        /// Withdraw the bet.
        Withdraw = "withdraw",
        /// Take the next card.
        NextCard = "next_card",
        /// Play on.
        Play = "play",
    }
}

/// What a person reports, by its number on the keypad from 1, as the record has it: the first where none is told.
pub const NOTES: [&str; 6] = [
    "visto por una persona",
    "apuestas entre jugadores",
    "un jugador tocó las cartas",
    "un jugador tocó las fichas",
    "discusión en la mesa",
    "interrupción del juego",
];

/// [`NOTES`] in English, for lists that people read.
pub const NOTES_IN_ENGLISH: [&str; NOTES.len()] = [
    "seen by a person",
    "bets between players",
    "a player touched the cards",
    "a player touched the chips",
    "an argument at the table",
    "play was interrupted",
];

/// The number on the keypad of the article with that identifier, its house before it or not: a hundred times its
/// letter's place in the alphabet, and its number. 317 is `C17`, 1901 `T-S1` and `talla/T-S1`.
#[must_use]
pub fn keypad_number(id: &str) -> Option<u16> {
    let short = id.rsplit(['/', '-']).next()?;
    let (letter, number) = short.split_at_checked(1)?;
    let letter = letter.bytes().next().filter(u8::is_ascii_alphabetic)?.to_ascii_uppercase();
    let number: u16 = number.parse().ok().filter(|number| *number < 100)?;
    Some(100 * u16::from(letter - b'@') + number)
}

crate::words! {
    "a decision";
    /// What the room decides.
    pub enum Ruling {
        /// The bet is void.
        Void = "void",
        /// What happened stands.
        Stands = "stands",
        /// The bet is lost.
        Lose = "lose",
        /// Play goes on.
        Resume = "resume",
    }
}

crate::words! {
    "a change of the bank";
    /// How the bank changes hands, where players bank.
    pub enum BankChange {
        /// Won by the highest card drawn for it.
        Drawn = "drawn",
        /// Taken by a player on his Black Jack.
        Taken = "taken",
        /// Left with the dealer by a player who might have taken it.
        Left = "left",
        /// Given by him to another.
        Given = "given",
        /// Sold by him to another.
        Sold = "sold",
        /// Returned by him to the deck: it is to be drawn for anew.
        Returned = "returned",
        /// Passed on by turn.
        Turn = "turn",
    }
}

crate::words! {
    "a share in the bank";
    /// A participant's share in a bank owned in common.
    pub enum Share {
        /// What he advances to it.
        Advance = "advance",
        /// What he gets of it at the end.
        Dividend = "dividend",
    }
}
