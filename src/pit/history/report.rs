//! What happened in a time, at one table, in a pit or in the house, in figures and bars.

use std::collections::BTreeMap;

use sabot_floor::store::search::{By, Counted, QUARTER_MS, Wanted};
use sabot_law::table::Severity;
use sabot_law::table::answer::Lang;
use sabot_station::console::Ui;
use sabot_station::house_time::HouseTime;
use sabot_station::report::{Report, Row, Section};
use sabot_station::snapshot::FindingState;
use serde_json::Value;

use super::records::{NotTold, Records};

/// Most rows of a section, the greatest first.
const ROWS: usize = 100;

fn row(what: String, told: String, value: u64) -> Row {
    // no evening has so many that a bar would be another one
    Row { what, told, value: value as f64 }
}

/// The greatest first.
fn greatest(mut rows: Vec<Row>) -> Vec<Row> {
    rows.sort_by(|a, b| b.value.total_cmp(&a.value));
    rows.truncate(ROWS);
    rows
}

/// How many there were in each hour of the house.
fn by_hour(quarters: &[Counted], house: &HouseTime, of: fn(&Counted) -> u64) -> Vec<Row> {
    let mut hours = BTreeMap::<u64, u64>::new();
    for counted in quarters {
        let at = counted.what.parse::<u64>().unwrap_or_default().saturating_mul(QUARTER_MS);
        *hours.entry(house.hour_began(at)).or_default() += of(counted);
    }
    hours.into_iter().map(|(at, count)| row(house.hour(at), count.to_string(), count)).collect()
}

pub(super) async fn of(records: &Records, wanted: &Wanted, house: &HouseTime, lang: Lang) -> Result<Report, NotTold> {
    let ui = Ui::of(lang);
    let say = |es: &str, en: &str| if lang == Lang::Es { es } else { en }.to_owned();
    let quarters = records.counted(wanted, By::Quarter).await?;
    let tables = records.counted(wanted, By::Table).await?;
    let sum = |of: fn(&Counted) -> u64| quarters.iter().map(of).sum::<u64>();
    let (passes, findings, money) = (sum(|of| of.passes), sum(|of| of.findings), sum(|of| of.money));
    let per_thousand =
        if passes == 0 { "–".to_owned() } else { format!("{:.1}", findings as f64 * 1e3 / passes as f64) };
    let figures = [
        (say("Mesas", "Tables"), tables.len().to_string()),
        (say("Pases", "Passes"), passes.to_string()),
        (say("Hallazgos", "Findings"), findings.to_string()),
        (say("Hallazgos cada mil pases", "Findings in a thousand passes"), per_thousand),
        (say("Dinero mal pagado o retirado", "Money paid or collected wrongly"), ui.money(money)),
    ];
    let found = |counted: Vec<Counted>, name: &dyn Fn(&str) -> String| {
        let of = counted.into_iter().filter(|of| of.findings > 0);
        of.map(|of| row(name(&of.what), of.findings.to_string(), of.findings)).collect::<Vec<_>>()
    };
    let at = |of: Vec<Counted>| {
        let told = |of: &Counted| format!("{} / {}", of.findings, of.passes);
        greatest(of.into_iter().map(|of| row(of.what.clone(), told(&of), of.findings)).collect())
    };
    let severity = |word: &str| {
        let of = serde_json::from_value::<Severity>(Value::String(word.to_owned()));
        of.map_or_else(|_| word.to_owned(), |of| ui.severity(of).to_owned())
    };
    let became = |word: &str| {
        let noted = || say("anotado o abierto", "noted or open");
        FindingState::named(word).map_or_else(noted, |of| ui.finding_state(of).to_owned())
    };
    let (articles, severities) =
        (records.counted(wanted, By::Article).await?, records.counted(wanted, By::Severity).await?);
    let (pits, states) = (records.counted(wanted, By::Pit).await?, records.counted(wanted, By::Became).await?);
    let times = |at: u64, never: &str| if (1..u64::MAX).contains(&at) { house.second(at) } else { never.to_owned() };
    Ok(Report {
        title: String::new(),
        about: vec![format!("{} – {}", times(wanted.from, "…"), times(wanted.to, "…"))],
        sections: vec![
            Section::told(
                say("En cifras", "In figures"),
                figures.into_iter().map(|(what, told)| row(what, told, 0)).collect(),
            ),
            Section::bars(say("Hallazgos por hora", "Findings by hour"), by_hour(&quarters, house, |of| of.findings)),
            Section::bars(say("Pases por hora", "Passes by hour"), by_hour(&quarters, house, |of| of.passes)),
            Section::bars(
                say("Hallazgos por artículo", "Findings by article"),
                greatest(found(articles, &str::to_owned)),
            ),
            Section::bars(say("Hallazgos por gravedad", "Findings by gravity"), found(severities, &severity)),
            Section::bars(say("Cómo quedaron los hallazgos", "How findings stand"), found(states, &became)),
            Section::bars(say("Por planta: hallazgos / pases", "By pit: findings / passes"), at(pits)),
            Section::bars(say("Por mesa: hallazgos / pases", "By table: findings / passes"), at(tables)),
        ],
        none: say("Ninguno.", "None."),
    })
}
