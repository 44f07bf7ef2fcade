//! Why an act of somebody is refused, in words with the way out.

use sabot_law::table::felt::Words;

/// Why nothing was done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refused {
    /// Others do that: those that are named.
    NotHis(Vec<String>),
    /// A second person has to sign it: one of those that are named.
    Second(Vec<String>),
    /// There is no such finding, or it is too old to be shown.
    NoFinding,
    /// Somebody has closed it.
    IsClosed,
    /// Its remedy is still due.
    IsDue,
    /// A note is missing, or too long.
    Note,
    /// The regulation has no such article.
    NoArticle,
    /// It is not offered any more: the table has gone on.
    NotOffered,
    /// Nobody enters such a thing.
    NoEntry,
    /// Nothing was entered last, or something has followed it.
    NothingLast,
    /// Somebody else entered it.
    NotOwn,
    /// That line cannot be corrected any more, or never could be.
    TooLate,
    /// What would change tells a covered card.
    Uncovers,
    /// It cannot be entered, for this reason.
    Said(Words),
    /// The station has stopped.
    Stopped,
}

impl Refused {
    /// In a sentence, with the way out.
    #[must_use]
    pub fn words(&self) -> Words {
        let words = |es: &str, en: &str| Words { es: es.to_owned(), en: en.to_owned() };
        match self {
            Self::NotHis(who) => Words {
                es: format!("Eso le toca a: {}.", who.join(", ")),
                en: format!("That is for: {}.", who.join(", ")),
            },
            Self::Second(who) => Words {
                es: format!("También tiene que firmar otra persona: {}.", who.join(", ")),
                en: format!("Somebody else has to sign it too: {}.", who.join(", ")),
            },
            Self::NoFinding => {
                words("Ese hallazgo no está o es demasiado viejo.", "No such finding, or it is too old.")
            }
            Self::IsClosed => words("Ese hallazgo ya está cerrado.", "That finding is closed already."),
            Self::IsDue => words(
                "Falta remediarlo: remediarlo, o que se resuelva, y después cerrarlo.",
                "Its remedy is still due: carry it out or have it ruled on, then close it.",
            ),
            Self::Note => words("Falta la nota, de hasta 200 letras.", "A note is needed, of up to 200 characters."),
            Self::NoArticle => words("El reglamento no tiene ese artículo.", "The regulation has no such article."),
            Self::NotOffered => words(
                "La mesa ya siguió: eso no está entre lo que toca. Si pasó, ingresarlo en «Otras entradas».",
                "The table has gone on: that is not offered any more. If it happened, enter it under Other entries.",
            ),
            Self::NoEntry => words("Eso no se ingresa acá.", "That is not entered here."),
            Self::NothingLast => words(
                "No hay nada para deshacer: ya pasó algo después. Lo corrige el inspector.",
                "There is nothing to take back: something has followed it. The inspector corrects it.",
            ),
            Self::TooLate => words(
                "Esa línea ya no se corrige: se corrige hasta la primera carta del pase siguiente.",
                "That line is not corrected any more: it is until the next pass's first card.",
            ),
            Self::Uncovers => words(
                "Descubriría una carta: qué cambia se ve recién al firmar.",
                "It would uncover a card: what changes shows once it is signed.",
            ),
            Self::NotOwn => words("Eso lo ingresó otra persona.", "Somebody else entered that."),
            Self::Said(words) => words.clone(),
            Self::Stopped => words("La estación se detuvo.", "The station has stopped."),
        }
    }
}
