//! Why a table is not seen from here, in words.

use sabot_law::table::felt::Words;
use sabot_web::tls::trust::Untrusted;

/// Why a station is not heard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Trouble {
    /// It was not asked yet.
    NotAsked,
    /// It says nothing.
    Silent,
    /// Nobody is there, as the system says it.
    NotThere(String),
    /// Its certificate is signed by somebody else.
    OtherAuthority,
    /// Its certificate is for another name.
    OtherName,
    /// Its certificate is too old or too new.
    BadTime,
    /// It answers with this status, and not with its verdict.
    Answers(u16),
    /// It has no table yet.
    Starting,
    /// It is the station of another table.
    OtherTable(String),
    /// What it says is no verdict, and where it is none.
    NotUnderstood(String),
    /// It hung up.
    HungUp,
    /// The broker by which it would be heard is not reached.
    #[cfg(feature = "floor")]
    NoBroker,
    /// The broker lets nobody be heard.
    #[cfg(feature = "floor")]
    BrokerRefuses,
    /// The broker tells of more tables than are shown.
    #[cfg(feature = "floor")]
    TooMany(usize),
}

/// Letters of what a station or the system says that are shown.
const SHOWN: usize = 120;

/// As much of it as is shown.
fn short(text: &str) -> String {
    text.chars().filter(|letter| !letter.is_control()).take(SHOWN).collect()
}

impl Trouble {
    pub(crate) fn not_there(error: &std::io::Error) -> Self {
        Self::NotThere(short(&error.to_string()))
    }

    pub(crate) fn other_table(name: &str) -> Self {
        Self::OtherTable(short(name))
    }

    pub(crate) fn not_understood(why: &str) -> Self {
        Self::NotUnderstood(short(why))
    }

    pub(crate) fn words(&self) -> Words {
        let (es, en) = match self {
            Self::NotAsked => ("todavía no se le preguntó".into(), "it was not asked yet".into()),
            Self::Silent => ("la estación no dice nada".into(), "the station says nothing".into()),
            Self::NotThere(why) => {
                (format!("no se llega a la estación: {why}"), format!("the station is not reached: {why}"))
            }
            Self::OtherAuthority => (
                "el certificado no es de la autoridad de la casa: no se le cree".into(),
                "its certificate is not signed by the house's authority: it is not believed".into(),
            ),
            Self::OtherName => (
                "el certificado es de otro nombre: no se le cree".into(),
                "its certificate is for another name: it is not believed".into(),
            ),
            Self::BadTime => (
                "el certificado está vencido o todavía no vale: renovarlo, y ver el reloj".into(),
                "its certificate is too old or not good yet: renew it, and see to the clock".into(),
            ),
            Self::Answers(status) => (
                format!("la estación responde {status} y no su veredicto: ver la dirección y su versión"),
                format!("the station answers {status} and not its verdict: see to its address and its version"),
            ),
            Self::Starting => ("la estación está arrancando".into(), "the station is starting".into()),
            Self::OtherTable(name) => (
                format!("ahí responde la estación de otra mesa: {name}"),
                format!("the station of another table answers there: {name}"),
            ),
            Self::NotUnderstood(why) => (
                format!("lo que dice la estación no se entiende: {why}"),
                format!("what the station says is not understood: {why}"),
            ),
            #[cfg(feature = "floor")]
            Self::NoBroker => ("no se llega al intermediario".into(), "the broker is not reached".into()),
            #[cfg(feature = "floor")]
            Self::BrokerRefuses => (
                "el intermediario no deja oír las mesas: ver sus permisos".into(),
                "the broker does not let the tables be heard: see to its permissions".into(),
            ),
            #[cfg(feature = "floor")]
            Self::TooMany(most) => (
                format!("hay más de {most} mesas: las demás no se muestran"),
                format!("there are more than {most} tables: the others are not shown"),
            ),
            Self::HungUp => ("la estación cortó".into(), "the station hung up".into()),
        };
        Words { es, en }
    }
}

impl From<Untrusted> for Trouble {
    fn from(why: Untrusted) -> Self {
        match why {
            Untrusted::Authority => Self::OtherAuthority,
            Untrusted::Name => Self::OtherName,
            Untrusted::Time => Self::BadTime,
            Untrusted::Failed(error) => Self::not_there(&error),
        }
    }
}
