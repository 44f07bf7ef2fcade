//! Why there is no table, in the language of whoever sets it up. What the system says of a file stays as it came.

use sabot_journal::note::KeyFileError;
use sabot_law::regulation;
use sabot_law::table::answer::Lang;

use super::{Answers, FIELDS, Field, Kind, NotSetUp};
use crate::config::{ConfigError, Mistake};
use crate::staff::{BadPin, Office, StaffError};

/// What may stand for a field, in Spanish.
fn wanted(field: &Field) -> String {
    match (field.key, field.kind) {
        ("regulation", _) => {
            let known: Vec<&str> = regulation::ALL.iter().map(|house| house.id.as_ref()).collect();
            format!("uno de {}, o la ruta del archivo de la casa", known.join(", "))
        }
        ("boxes", _) => "un número de 1 a 7".to_owned(),
        ("lang", _) => "es o en".to_owned(),
        ("listen", _) => "una dirección y un puerto de esta misma máquina, como 127.0.0.1:8080; para otras máquinas \
                          hace falta un certificado (`sabot tls make`) y `tls` en la configuración"
            .to_owned(),
        (_, Kind::Limits) => "dos números enteros, la mínima y la máxima, como 50000 5000000".to_owned(),
        (_, Kind::Port) => "la ruta de un puerto, como /dev/ttyACM0, o nada; un puerto es de un solo equipo".to_owned(),
        _ => format!("unas palabras, como {}", field.default),
    }
}

impl NotSetUp {
    /// In words of that language, for whoever has given these answers.
    #[must_use]
    pub fn words(&self, answers: &Answers, lang: Lang) -> String {
        match lang {
            Lang::Es => self.es(answers).unwrap_or_else(|| self.to_string()),
            Lang::En => self.to_string(),
        }
    }

    /// In Spanish; none where only the system has something to say.
    fn es(&self, answers: &Answers) -> Option<String> {
        match self {
            Self::Config(ConfigError::Mistake(mistake)) => Some(answers.mistaken(mistake)),
            Self::Config(ConfigError::ReadHouse { path, why }) => Some(format!(
                "{}: {why}\n  = docs/own-regulation.md dice cómo se escribe un reglamento; uno que ya está se nombra \
                 por su identificador",
                path.display()
            )),
            Self::Staff(why) => staff(why),
            Self::Pin(BadPin::Digits) => Some("una clave tiene de 6 a 12 cifras".to_owned()),
            Self::Pin(BadPin::Guessed) => {
                Some("las cifras iguales o seguidas son las primeras que se adivinan: elija otras".to_owned())
            }
            Self::Pin(BadPin::NoSalt) => Some("el sistema no da números al azar".to_owned()),
            Self::Role(role) => {
                let all: Vec<&str> = Office::ALL.iter().map(|office| office.word()).collect();
                Some(format!("`{role}` no es una función: {}", all.join(", ")))
            }
            Self::Key(KeyFileError::Open(path)) => {
                Some(format!("{0}: otros pueden leer esta clave privada; chmod 600 {0}", path.display()))
            }
            Self::Key(KeyFileError::Key { path, .. } | KeyFileError::Purpose { path, .. }) => {
                Some(format!("{}: lo que hay ahí no es la clave privada de una estación", path.display()))
            }
            Self::There(path) => Some(format!(
                "{} ya está, y queda como está\n  = cámbielo a mano (docs/station.toml), o nombre otra carpeta",
                path.display()
            )),
            Self::Config(_) | Self::Key(KeyFileError::Io { .. }) | Self::File { .. } => None,
        }
    }
}

/// Names are what people answer; the rest of the file is ours.
fn staff(why: &StaffError) -> Option<String> {
    match why {
        StaffError::Read { .. } => None,
        StaffError::Mistake { .. } => Some(
            "cada nombre va una sola vez y tiene de 1 a 24 letras sin tilde, cifras, - o _, como I-4: un seudónimo"
                .to_owned(),
        ),
    }
}

impl Answers {
    /// What is wrong with an answer: the question, what was answered, and what may be.
    fn mistaken(&self, mistake: &Mistake) -> String {
        let shown = mistake.shown.trim();
        let key = shown.split([' ', '=']).next().unwrap_or_default();
        let is_of_port = |field: &&Field| {
            let answer = self.of(field);
            field.kind == Kind::Port && !answer.is_empty() && shown == format!("port = {}", super::quoted(answer))
        };
        let field = FIELDS.iter().find(|field| field.key == key).or_else(|| FIELDS.iter().find(is_of_port));
        let own = mistake.path.ends_with(super::CONFIG);
        match field.filter(|_| own) {
            Some(field) => {
                let (question, answer) = (field.words(Lang::Es), self.of(field));
                format!("{question}: no sirve «{answer}»\n{shown}\n  = hace falta {}", wanted(field))
            }
            // a file of the house's own, which `sabot regulation check` explains
            None => format!("{}:{}: esto no puede ser\n{shown}", mistake.path.display(), mistake.line),
        }
    }
}
