//! The sheet of a table that was tried: for the house's file, signed by hand.

use std::fmt::Write as _;
use std::path::Path;

use sabot_law::table::answer::Lang;

use super::checks::Check;
use super::desk::Teller;
use super::trial::Trial;
use crate::config::Config;
use crate::report::{Report, Row, Section};

/// The sheet, and how many things on it have not passed.
pub(super) fn of<T: Teller>(
    config: &Config,
    file: &Path,
    lang: Lang,
    checks: &[Check],
    trial: &Trial<'_, T>,
) -> (Report, usize) {
    let word = |es: &str, en: &str| if lang == Lang::Es { es.to_owned() } else { en.to_owned() };
    let devices = config.devices.iter().map(|device| {
        let says = trial.says(device.role).unwrap_or_default();
        row(device.role.name().to_owned(), format!("{}, {}: {says}", device.driver_name(), device.place()))
    });
    let signals = config.signals.iter().map(|signal| row(signal.driver().to_owned(), signal.place()));
    let (mut shown, mut cards, mut chips, mut missing) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for check in checks {
        let rows = match check {
            Check::Card(..) => &mut cards,
            Check::Chips(_) => &mut chips,
            Check::Display | Check::Signal(..) | Check::Entry | Check::Door => &mut shown,
        };
        let title = check.title(lang);
        match trial.outcome(check) {
            Some(outcome) if outcome.passed => rows.push(row(title, format!("{} · {}", outcome.told, outcome.at))),
            Some(outcome) => missing.push(row(title, outcome.told.clone())),
            None => missing.push(row(title, String::new())),
        }
    }
    let left_out = missing.len();
    let name = &config.header.table;
    let verdict = if left_out == 0 {
        word("Todo lo que tiene la mesa fue probado.", "All that the table has was tried, and passed.")
    } else {
        word(
            &format!("NO está puesta en servicio: faltan {left_out}."),
            &format!("NOT commissioned: {left_out} missing."),
        )
    };
    let about = vec![
        verdict,
        crate::about::now(),
        format!("{}: {}", word("reglamento", "regulation"), config.header.regulation),
        format!("{} · SHA-256 {}", file.display(), config.digest),
        format!("sabot {}", env!("CARGO_PKG_VERSION")),
    ];
    let line = "_".repeat(40);
    let signed = [word("técnico", "technician"), word("inspector", "inspector"), word("fecha", "date")];
    let sections = vec![
        Section::told(word("Aparatos", "Devices"), devices.chain(signals).collect()),
        Section::told(word("Falta", "Missing"), missing),
        Section::told(word("Luces, teclas y puertas", "Lamps, keys and doors"), shown),
        Section::told(word("Cartas", "Cards"), cards),
        Section::told(word("Fichas", "Chips"), chips),
        Section::told(word("Firmas", "Signatures"), signed.map(|who| row(who, line.clone())).into()),
    ];
    let title = word(&format!("Puesta en servicio de la mesa {name}"), &format!("Commissioning of table {name}"));
    (Report { title, about, sections, none: word("nada", "nothing") }, left_out)
}

const fn row(what: String, told: String) -> Row {
    Row { what, told, value: 0.0 }
}

/// The same without a browser.
pub(super) fn text(report: &Report) -> String {
    let mut text = format!("{}\n{}\n", report.title, "=".repeat(report.title.chars().count()));
    for line in &report.about {
        let _ = writeln!(text, "{line}");
    }
    for Section { title, rows, .. } in &report.sections {
        let _ = writeln!(text, "\n{title}\n{}", "-".repeat(title.chars().count()));
        if rows.is_empty() {
            let _ = writeln!(text, "{}", report.none);
        }
        let width = rows.iter().map(|row| row.what.chars().count()).max().unwrap_or(0);
        for Row { what, told, .. } in rows {
            let _ = writeln!(text, "{what:width$}  {told}");
        }
    }
    text
}
