//! Warnings of devices and of the record, in Spanish and English.

use sabot_drivers::{Complaint, Trouble};
use sabot_journal::RecordFault;
use sabot_wire::host::Withheld;
use sabot_wire::message::Role;

use sabot_law::table::felt::Words;

/// What is likely wrong with a line, with its figures.
pub(super) fn poor(why: &Complaint) -> Words {
    let Complaint { trouble, count, .. } = why;
    let (percent, tenth) = (why.per_mille() / 10, why.per_mille() % 10);
    let likely = match trouble {
        Trouble::Damaged => format!("el cable o su conector está fallando: {percent},{tenth} % de tramas dañadas"),
        Trouble::Lost => format!("el adaptador o su concentrador pierde datos: faltaron tramas {count} veces"),
        Trouble::Unheard => {
            format!("el hilo hacia el equipo está fallando: {count} eventos repetidos aunque confirmados")
        }
        Trouble::Reconnects => format!("un conector flojo o la alimentación inestable: se fue y volvió {count} veces"),
        Trouble::Forged => format!("algo más habla en la línea: {count} tramas que no son de este equipo"),
    };
    let when = match why.minutes() {
        0 | 1 => "en el último minuto".to_owned(),
        minutes => format!("en los últimos {minutes} minutos"),
    };
    Words { es: format!("{likely} {when}"), en: why.to_string() }
}

/// The device has no place for one more event, and accepts none.
pub(super) fn full(role: Role) -> Words {
    match role {
        Role::Shoe => words("lleno: no extraer cartas", "full: draw no card"),
        _ => words("lleno: no toma nada más", "full: takes nothing more"),
    }
}

/// The device has told as much as it may before the record is written. What it sees from now on waits in it.
pub(super) fn held_up() -> Words {
    words("espera al registro: retiene lo que ve", "waits for the record: it keeps what it sees")
}

/// What a device has said that it has, and does not tell.
pub(super) fn withheld(what: Withheld) -> Words {
    match what {
        Withheld::Events { from, to } if from == to => {
            Words { es: format!("evento {from}"), en: format!("event {from}") }
        }
        Withheld::Events { from, to } => {
            Words { es: format!("eventos {from} a {to}"), en: format!("events {from} to {to}") }
        }
        Withheld::Answers => words("sus respuestas", "its answers"),
    }
}

/// [`full`], as the pit display says it.
pub(super) fn full_at_the_table(role: Role) -> Words {
    match role {
        Role::Shoe => words("SABOT LLENO: no extraer cartas", "SHOE FULL: draw no card"),
        Role::Shuffler => words("MEZCLADORA LLENA: esperar", "SHUFFLER FULL: wait"),
        Role::Chips => words("LECTOR DE FICHAS LLENO: esperar", "CHIP READER FULL: wait"),
        Role::Keypad => words("TECLADO LLENO: esperar", "KEYPAD FULL: wait"),
        Role::Display => words("PANTALLA LLENA: esperar", "DISPLAY FULL: wait"),
    }
}

/// A device as people call it; a signal keeps its driver's name.
pub(super) fn device(role: &str) -> Words {
    match role {
        "shoe" => words("sabot", "shoe"),
        "shuffler" => words("mezcladora", "shuffler"),
        "chips" => words("lector de fichas", "chip reader"),
        "keypad" => words("teclado", "keypad"),
        "display" => words("pantalla", "display"),
        other => words(other, other),
    }
}

/// The device is away, and what it should see is not seen.
pub(super) fn unseen(role: &str) -> Words {
    match role {
        "shoe" => words("no se ven las cartas que salen", "the cards that leave it are not seen"),
        "shuffler" => words("no se ve la mezcla", "shuffling is not seen"),
        "chips" => words("no se ven las apuestas ni los pagos", "bets and payments are not seen"),
        _ => words("no se sabe lo que se marca", "what is keyed is not known"),
    }
}

/// Its lid or door is open while the cards in it are in use.
pub(super) fn open() -> Words {
    words("abierto: no se ve lo que entra ni lo que sale", "open: what goes in or out of it is not seen")
}

/// It is back, and has not seen all of this pass.
pub(super) fn missed_some() -> Words {
    words(
        "no vio todo este pase: se juzga entero desde el próximo",
        "has not seen all of this pass: judged whole from the next",
    )
}

/// Dealing has to stop, as the pit display says it.
pub(super) fn stop_at_the_table() -> Words {
    words("DETENER EL REPARTO", "STOP DEALING")
}

/// Devices that are away, as the pit display says it.
pub(super) fn unseen_at_the_table(away: &[Role]) -> Option<Words> {
    let names: Vec<Words> = away.iter().map(|role| device(role.name())).collect();
    let all = |of: fn(&Words) -> &str| names.iter().map(of).collect::<Vec<_>>().join(", ");
    let (es, en) = (all(|words| &words.es), all(|words| &words.en));
    (!names.is_empty()).then(|| Words { es: format!("NO SE VE: {es}"), en: format!("NOT SEEN: {en}") })
}

/// [`held_up`], as the pit display says it.
pub(super) fn held_up_at_the_table() -> Words {
    words("ESPERAR: el registro no da abasto", "WAIT: the record cannot keep up")
}

/// What keeps the record from growing, and the way out.
pub(super) fn record(fault: &RecordFault) -> Words {
    let es = match fault {
        RecordFault::Disk(why) => format!("el registro no se puede escribir: {why}"),
        RecordFault::Silent => "el disco no responde".to_owned(),
        RecordFault::Gone => {
            "el archivo del registro no está: lo borraron o lo movieron; reponerlo con su nombre".to_owned()
        }
        RecordFault::Replaced => "otro archivo ocupa el nombre del registro; reponer allí el archivo propio".to_owned(),
        RecordFault::Shorter { written, found } => {
            format!("cortaron el registro: quedan {found} de sus {written} bytes")
        }
        RecordFault::Longer { written, found } => {
            format!("alguien más escribe en el registro: hay {found} bytes, y la estación escribió {written}")
        }
        RecordFault::Changed { line } => {
            format!("reescribieron el registro mientras se llevaba: cambió la línea {line} o una anterior")
        }
        RecordFault::Checkpoints(_) => {
            "borraron, movieron o cambiaron el archivo de las firmas del registro; reponerlo como estaba".to_owned()
        }
        RecordFault::Event(why) => format!("un evento no se puede anotar: {why}"),
        RecordFault::NotClosed(why) => format!("la jornada no se puede cerrar: {why}"),
        RecordFault::Ended => "el registro dejó de llevarse: reiniciar la estación".to_owned(),
    };
    Words { es, en: fault.to_string() }
}

/// The record does not grow, as the pit display says it.
pub(super) fn unwritten_at_the_table() -> Words {
    words("REGISTRO: no se escribe", "RECORD: not written")
}

/// What was entered on the keypad cannot be meant, as the pit display says it.
pub(super) fn refused_at_the_table(why: &Words) -> Words {
    Words { es: format!("TECLADO: {}", why.es), en: format!("KEYPAD: {}", why.en) }
}

fn words(es: &str, en: &str) -> Words {
    Words { es: es.to_owned(), en: en.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sabot_wire::message::LINE_CHARS;

    #[test]
    fn a_poor_line_is_told_in_both_languages_with_the_same_figures() {
        for (trouble, figure) in [
            (Trouble::Damaged, ("2,1 %", "2.1 %")),
            (Trouble::Lost, ("5 veces", "5 times")),
            (Trouble::Unheard, ("5 eventos", "5 events")),
            (Trouble::Reconnects, ("5 veces", "5 times")),
            (Trouble::Forged, ("5 tramas", "5 frames")),
        ] {
            for (over_ms, when) in [(60_000, ("último minuto", "last minute")), (600_000, ("10 minutos", "10 minutes"))]
            {
                let said = poor(&Complaint { trouble, count: 5, frames: 238, over_ms });
                assert!(said.es.contains(figure.0) && said.es.ends_with(when.0), "{said:?}");
                assert!(said.en.contains(figure.1) && said.en.ends_with(when.1), "{said:?}");
            }
        }
    }

    #[test]
    fn what_the_pit_display_says_fits_in_a_row() {
        let full = Role::ALL.map(full_at_the_table);
        for words in full.into_iter().chain([held_up_at_the_table(), unwritten_at_the_table()]) {
            assert!(words.es.chars().count() <= LINE_CHARS && words.en.chars().count() <= LINE_CHARS, "{words:?}");
        }
    }
}
