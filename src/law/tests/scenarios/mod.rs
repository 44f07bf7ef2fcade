//! Scenario tables in the handbook's notation (`sabot_handbook::scenario`). What is expected comes from the regulation,
//! not from the validator.
mod away;
mod dealer;
mod declared;
mod due_club;
mod due_talla;
mod obeyed;
mod observed;
mod run;

use std::fs;

use sabot_handbook::scenario::{Notation, Scenario, Step};
use sabot_law::table::{Name, Rules};

const TABLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/scenarios/tables");

/// Every table's name and scenarios.
pub(crate) fn tables() -> Vec<(String, Vec<Scenario>)> {
    let mut tables: Vec<_> = fs::read_dir(TABLES)
        .unwrap()
        .map(|file| {
            let path = file.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            let scenarios = read(&name, &fs::read_to_string(&path).unwrap());
            (name, scenarios)
        })
        .collect();
    tables.sort_by(|one, other| one.0.cmp(&other.0));
    tables
}

/// The scenarios of a table, which may be of `docs/house.toml`.
pub(crate) fn read(file: &str, table: &str) -> Vec<Scenario> {
    let mut house: toml::Table = toml::from_str(include_str!("../../../../docs/house.toml")).unwrap();
    let id = Name::from(house.remove("id").unwrap().as_str().unwrap());
    let rules: Rules = house.try_into().unwrap();
    Notation { file, house: "sala-8", own: &[(id, rules)] }.read(table).unwrap_or_else(|why| panic!("{why}"))
}

/// The steps of some lines under a regulation, the header first, with limits 10 to 1000 and a stake of 50.
pub(crate) fn steps(regulation: &str, lines: &str) -> Vec<Step> {
    let table = format!("table regulation={regulation} limits=10-1000 stake=50\n== one\n{lines}\n");
    read("lines", &table).remove(0).steps
}
