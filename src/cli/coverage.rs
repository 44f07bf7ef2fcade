//! `sabot regulation coverage`: what a table with some equipment can judge of a regulation.

use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;

use sabot_handbook::coverage;
use sabot_law::procedure::blindness::device_names;
use sabot_law::regulation::{Coverage, Equipment, Extent, Judged, Lack, Regulation};
use sabot_law::table::answer::Lang;
use sabot_law::table::{Observes, Sight};
use sabot_station::config::Config;
use sabot_station::config::own_regulation::choose;

#[derive(Debug, Args)]
pub(crate) struct CoverageArgs {
    /// The regulation: one there is, or the TOML file of a house's own. Left out: sala-8, or that of the configuration.
    #[arg(long, value_name = "ID|FILE")]
    regulation: Option<String>,
    /// What the table sees, separated by commas: places, faces, turns, moves, bets, asks, decisions, announcements; or
    /// `nothing`. Left out: everything that its devices see.
    #[arg(long, value_name = "SIGHTS", value_parser = observes)]
    observes: Option<Observes>,
    /// The devices it has, separated by commas: shoe, chips, keypad, shuffler. Left out: all of them.
    #[arg(long, value_name = "DEVICES", value_parser = devices)]
    equipment: Option<Devices>,
    /// A table's configuration, instead of --observes: what it says that the table sees, and its regulation.
    #[arg(long, value_name = "FILE", conflicts_with = "observes")]
    config: Option<PathBuf>,
    /// Language of titles and texts.
    #[arg(long, value_name = "es|en", default_value = "es")]
    lang: Lang,
    /// As one JSON object.
    #[arg(long)]
    json: bool,
}

/// The regulation of an identifier, or of a file.
pub(crate) fn find(id: &str) -> Result<Regulation, String> {
    choose(id, Path::new("")).map(|chosen| chosen.regulation).map_err(|error| error.to_string())
}

/// Devices by name.
#[derive(Debug, Clone)]
struct Devices(Vec<&'static str>);

/// The words of a list, each as one of those known.
fn list<T>(text: &str, what: &str, known: &[&str], read: impl Fn(&str) -> Option<T>) -> Result<Vec<T>, String> {
    let words = text.split(',').map(str::trim).filter(|_| text != "nothing");
    let one = |word| read(word).ok_or_else(|| format!("no {what} `{word}`; known are {}", known.join(", ")));
    words.map(one).collect()
}

fn observes(text: &str) -> Result<Observes, String> {
    let known: Vec<&str> = Sight::ALL.iter().map(|sight| sight.word()).collect();
    list(text, "sight", &known, |word| word.parse::<Sight>().ok()).map(Observes::from_iter)
}

fn devices(text: &str) -> Result<Devices, String> {
    let known: Vec<&str> = device_names().collect();
    list(text, "device", &known, |word| device_names().find(|name| *name == word)).map(Devices)
}

/// What the command prints.
pub(crate) fn told(args: &CoverageArgs) -> Result<String, String> {
    let config = args.config.as_deref().map(Config::load).transpose().map_err(|error| error.to_string())?;
    let regulation = match (&args.regulation, &config) {
        (Some(named), _) => find(named)?,
        (None, None) => find("sala-8")?,
        (None, Some(config)) => of_table(config)?,
    };
    let sees = config.map(|config| config.header.observes).or(args.observes).unwrap_or_default();
    let mut equipment = Equipment::seeing(sees);
    if let Some(Devices(named)) = &args.equipment {
        equipment = equipment.with_devices_only(named);
    }
    if !args.json {
        return Ok(coverage::table(&regulation, equipment, args.lang));
    }
    let told = Told::of(&regulation, equipment, args.lang);
    serde_json::to_string_pretty(&told).map(|text| text + "\n").map_err(|error| error.to_string())
}

/// The regulation of a table, with the figures that it changes.
fn of_table(config: &Config) -> Result<Regulation, String> {
    let header = &config.header;
    let mut regulation = match &header.rules {
        Some(rules) => Regulation::of_house(&header.regulation, rules).map_err(|error| error.to_string())?,
        None => find(&header.regulation)?,
    };
    regulation.settings = regulation.settings.changed(&header.settings);
    Ok(regulation)
}

/// The coverage of a regulation as JSON.
#[derive(Serialize)]
struct Told<'a> {
    regulation: &'a str,
    observes: Observes,
    articles: Vec<ToldArticle>,
    totals: Totals,
}

#[derive(Serialize)]
struct ToldArticle {
    article: &'static str,
    judged: Extent,
    cases: Vec<ToldCase>,
}

#[derive(Serialize)]
struct ToldCase {
    case: String,
    judged: Judged,
    /// Each of these sets of sights would be enough.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    lacks: Vec<Vec<Sight>>,
    /// And these devices.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    lacks_devices: Vec<&'static str>,
}

#[derive(Serialize)]
struct Totals {
    articles: usize,
    wholly: usize,
    in_part: usize,
    not_at_all: usize,
    never: usize,
}

impl<'a> Told<'a> {
    fn of(regulation: &'a Regulation, equipment: Equipment, lang: Lang) -> Self {
        let all = regulation.coverage(equipment);
        let count = |wanted: Extent| all.iter().filter(|one| one.extent == wanted).count();
        let totals = Totals {
            articles: all.len(),
            wholly: count(Extent::Wholly),
            in_part: count(Extent::InPart),
            not_at_all: count(Extent::NotAtAll),
            never: count(Extent::Never),
        };
        let articles = all.iter().map(|one| told_article(regulation, equipment, one, lang)).collect();
        Self { regulation: &regulation.id, observes: equipment.observes(), articles, totals }
    }
}

fn told_article(regulation: &Regulation, equipment: Equipment, of: &Coverage, lang: Lang) -> ToldArticle {
    let case = |(case, judged): &(&'static _, Judged)| {
        let Lack { ways, devices } = match judged {
            Judged::Throughout => Lack { ways: Vec::new(), devices: Vec::new() },
            _ => equipment.lacks(of.article.needs_for(case), &regulation.settings),
        };
        ToldCase {
            case: coverage::case(regulation, case, lang),
            judged: *judged,
            lacks: ways.into_iter().filter(|way| !way.is_empty()).collect(),
            lacks_devices: devices,
        }
    };
    ToldArticle { article: of.article.id, judged: of.extent, cases: of.cases.iter().map(case).collect() }
}
