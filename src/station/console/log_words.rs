//! Words of the log, and names of its fields, as people choose them in a form.

use super::ui_text::Ui;

/// As the log has them, in Spanish, in English.
const LOG_WORDS: &[(&str, &str, &str)] = &[
    ("hit", "pide", "hits"),
    ("stand", "se planta", "stands"),
    ("double", "doblar", "double"),
    ("split", "abrir", "split"),
    ("insure", "asegura", "insures"),
    ("decline", "dice que no", "declines"),
    ("surrender", "rendirse", "surrender"),
    ("even_money", "cobra sencillo", "even money"),
    ("insurance", "seguro", "insurance"),
    ("ace", "as", "ace"),
    ("card", "carta", "card"),
    ("withdraw", "retira", "withdraws"),
    ("next_card", "próxima carta", "next card"),
    ("play", "juega", "plays"),
    ("main", "principal", "main bet"),
    ("drawn", "sorteada", "drawn for"),
    ("taken", "tomada", "taken"),
    ("left", "dejada", "left"),
    ("given", "dada", "given"),
    ("sold", "vendida", "sold"),
    ("returned", "devuelta", "returned"),
    ("turn", "por turno", "by turn"),
    ("advance", "adelanto", "advance"),
    ("dividend", "reparto", "dividend"),
    ("box", "casillero", "box"),
    ("at", "dónde", "where"),
    ("from", "de dónde", "from where"),
    ("face", "cómo quedó", "how it lies"),
    ("up", "descubierta", "uncovered"),
    ("down", "cubierta", "covered"),
    ("to", "adónde", "where to"),
    ("cards", "cuántas cartas, o cuáles", "how many cards, or which"),
    ("amount", "importe, en centavos", "amount, in cents"),
    ("spot", "qué apuesta", "which bet"),
    ("player", "jugador", "player"),
    ("by", "quién", "who"),
    ("seat", "asiento", "seat"),
    ("depth", "profundidad, en cartas", "depth, in cards"),
    ("decks", "mazos", "decks"),
    ("cut_card", "cartas tras la de corte", "cards behind the cut card"),
    ("about", "sobre qué", "about what"),
    ("choice", "qué elige", "choice"),
    ("value", "valor", "value"),
    ("yes", "acepta", "agrees"),
    ("option", "opción", "option"),
    ("what", "qué", "what"),
    ("how", "cómo", "how"),
];

impl Ui {
    /// A word of the log, or the name of a field of it, in this language; one that is not known stays as it is.
    pub(super) fn of_log(&self, word: &'static str) -> &'static str {
        let known = LOG_WORDS.iter().find(|(known, ..)| *known == word);
        known.map_or(word, |(_, es, en)| if self.code == "es" { es } else { en })
    }
}
