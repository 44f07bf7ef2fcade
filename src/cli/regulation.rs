//! `sabot regulation`: the articles of a regulation, listed or shown one by one; a house's own, checked.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Subcommand};

use crate::coverage::{self, find};
use crate::out::say_err;
use sabot_handbook::{self as handbook, Style, examples};
use sabot_law::regulation::{Article, Regulation, fill};
use sabot_law::table::answer::Lang;
use sabot_law::table::event::{NOTES, NOTES_IN_ENGLISH};
use sabot_station::config::own_regulation::{self, Chosen};

/// Columns of a terminal the text is folded to.
const WIDTH: usize = 96;

/// Tells what a regulation says, article by article.
#[derive(Debug, Args)]
pub(crate) struct RegulationArgs {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Lists the articles: identifier and title.
    List {
        #[command(flatten)]
        which: Which,
    },
    /// Prints the numbers of the articles on the dealer's keypad, with those of ranks and notes: what a report needs.
    ///
    /// To be printed out for the table: sabot regulation keys --regulation house.toml --lang en. An article's number is
    /// its own: a hundred times its letter's place in the alphabet, and its number (C17 is 317). It stays the same in
    /// every regulation that has the article.
    Keys {
        #[command(flatten)]
        which: Which,
    },
    /// Prints the regulation's figures and readings as a TOML file.
    ///
    /// To be changed for `sabot replay --settings`, or under `[settings]` in a table's configuration.
    Settings {
        #[command(flatten)]
        which: Which,
    },
    /// Prints one article as the handbook has it, with an example: sabot regulation show C7 --lang en
    Show {
        /// The article's identifier, such as C7.
        id: String,
        #[command(flatten)]
        which: Which,
    },
    /// Prints an example as a table log, for sabot replay; without a case, tells which there are.
    ///
    /// sabot regulation example lists the examples of every article, sabot regulation example C7 those of one, and
    /// sabot regulation example C7/replaced prints that one, JSON Lines. They are written in docs/handbook.
    Example {
        /// An article, such as C7, or one of its cases, such as C7/replaced.
        #[arg(value_name = "ARTICLE[/CASE]")]
        of: Option<String>,
        /// The regulation: one there is, or the TOML file of a house's own.
        #[arg(long, value_name = "ID|FILE", default_value = "sala-8")]
        regulation: String,
    },
    /// Tells which articles a table can judge wholly, in part or not at all, and what it lacks for the rest.
    ///
    /// By what it sees: sabot regulation coverage --regulation sala-8 --observes places,faces,asks
    /// By its devices: sabot regulation coverage --equipment shoe,chips
    /// Both together: what these devices see of these sights. By a table's configuration: --config station.toml
    ///
    /// docs/table-log.md tells what each sight sees (`observes`) and what each device does (Equipment). Exit status 2
    /// for a regulation, a sight or a device that is not known.
    #[command(verbatim_doc_comment)]
    Coverage(coverage::CoverageArgs),
    /// Reads a house's own regulation and tells what it comes to, or its first mistake.
    ///
    /// docs/own-regulation.md tells how one is written. What is not wrong but may not be meant is told as a note.
    Check {
        /// The regulation's file, TOML.
        file: PathBuf,
    },
}

#[derive(Debug, Args)]
struct Which {
    /// Language of titles and texts.
    #[arg(long, value_name = "es|en", default_value = "es")]
    lang: Lang,
    /// The regulation: one there is, or the TOML file of a house's own.
    #[arg(long, value_name = "ID|FILE", default_value = "sala-8")]
    regulation: String,
}

/// Runs the command. Exit status 2 for a regulation or an article that does not exist.
#[must_use]
pub(crate) fn run(args: &RegulationArgs) -> ExitCode {
    let told = match &args.command {
        Command::List { which } => find(&which.regulation).map(|regulation| list(&regulation, which.lang)),
        Command::Keys { which } => find(&which.regulation).map(|regulation| keys(&regulation, which.lang)),
        Command::Settings { which } => find(&which.regulation).map(|regulation| settings(&regulation)),
        Command::Show { id, which } => find(&which.regulation).and_then(|found| show(&found, id, which.lang)),
        Command::Example { of, regulation } => find(regulation).and_then(|found| example(&found, of.as_deref())),
        Command::Coverage(args) => coverage::told(args),
        Command::Check { file } => {
            own_regulation::load(file).map(|chosen| checked(&chosen)).map_err(|error| error.to_string())
        }
    };
    let told = told.and_then(|text| match io::stdout().lock().write_all(text.as_bytes()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.to_string()),
        _ => Ok(()),
    });
    match told {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            say_err!("sabot regulation: {why}");
            ExitCode::from(2)
        }
    }
}

/// What a house's own rules come to.
fn checked(chosen: &Chosen) -> String {
    let (regulation, Some(rules)) = (&chosen.regulation, &chosen.rules) else { return String::new() };
    let mut text = format!("{}: {} / {}\n", regulation.id, regulation.title.es, regulation.title.en);
    let ids: Vec<&str> = regulation.articles.iter().map(|article| article.id).collect();
    text += &format!("begins with {}; {} articles: {}\n", rules.base, ids.len(), ids.join(" "));
    for name in rules.settings.names() {
        text += &format!("{name} = {}\n", regulation.settings.value(name).unwrap_or_default());
    }
    text += &format!("fingerprint {}\n", rules.fingerprint.as_deref().unwrap_or_default());
    own_regulation::notes(rules, regulation).iter().for_each(|note| text += &format!("note: {note}\n"));
    text
}

fn list(regulation: &Regulation, lang: Lang) -> String {
    let mut text = format!("{}: {}\n", regulation.id, regulation.title.get(lang));
    let width = id_width(regulation);
    for article in regulation.articles.iter() {
        text += &format!("  {:<width$} {}\n", article.id, fill(article.title.get(lang), &regulation.settings, lang));
    }
    text
}

/// How a report is entered on the keypad, and the numbers that it takes.
fn keys(regulation: &Regulation, lang: Lang) -> String {
    let (how, [rank, note, article], ranks, notes) = match lang {
        Lang::Es => (
            "Informe en el teclado: RULE credencial * rango * 5 * nota * artículo * casillero ENTER\n\
             * es NEXT. Artículo y casillero pueden faltar; sin artículo decide la sala.",
            ["rango", "nota", "artículo"],
            ["inspector", "jefe de mesa", "sala"],
            NOTES,
        ),
        Lang::En => (
            "A report on the keypad: RULE badge * rank * 5 * note * article * box ENTER\n\
             * is NEXT. Article and box may be left out; without an article the room decides.",
            ["rank", "note", "article"],
            ["inspector", "table chief", "room"],
            NOTES_IN_ENGLISH,
        ),
    };
    let mut text = format!("{}: {}\n{how}\n", regulation.id, regulation.title.get(lang));
    for (title, words) in [(rank, &ranks[..]), (note, &notes[..])] {
        text += &format!("\n{title}\n");
        (1..).zip(words).for_each(|(number, words)| text += &format!("{number:6}  {words}\n"));
    }
    text += &format!("\n{article}\n");
    let width = id_width(regulation);
    for (number, article) in regulation.keypad_numbers() {
        let title = fill(article.title.get(lang), &regulation.settings, lang);
        text += &format!("{number:6}  {:<width$} {title}\n", article.id);
    }
    text
}

/// Columns of the longest identifier.
fn id_width(regulation: &Regulation) -> usize {
    regulation.articles.iter().map(|article| article.id.len()).fold(4, usize::max)
}

fn settings(regulation: &Regulation) -> String {
    let lines = regulation.settings.list().into_iter();
    lines.map(|(name, words, value)| format!("#{words}\n{name} = {value}\n")).collect()
}

fn article(regulation: &Regulation, id: &str) -> Result<&'static Article, String> {
    regulation.article(id).ok_or_else(|| {
        let near = nearest(regulation, id).join(", ");
        format!("`{}` has no article `{id}`; nearest are {near} (`sabot regulation list`)", regulation.id)
    })
}

/// One case's log, or the names of an article's cases, or of all.
fn example(regulation: &Regulation, of: Option<&str>) -> Result<String, String> {
    if let Some((id, case)) = of.and_then(|of| of.split_once('/')) {
        let found = examples::case(article(regulation, id)?, case).map_err(|error| error.to_string())?;
        return Ok(found.scenario.log());
    }
    let articles = match of {
        Some(id) => vec![article(regulation, id)?],
        None => regulation.articles.to_vec(),
    };
    let mut names = String::new();
    for article in articles {
        for case in examples::cases(article).map_err(|error| error.to_string())? {
            names += &format!("{}/{}\n", article.id, case.name);
        }
    }
    Ok(names)
}

fn show(regulation: &Regulation, id: &str, lang: Lang) -> Result<String, String> {
    let article = article(regulation, id)?;
    handbook::article(regulation, article, lang, Style::Terminal { width: WIDTH }).map_err(|error| error.to_string())
}

/// The three articles whose identifiers are most like `id`.
fn nearest(regulation: &Regulation, id: &str) -> Vec<&'static str> {
    let id = id.to_uppercase();
    let mut all: Vec<_> = regulation.articles.iter().map(|article| article.id).collect();
    let likeness = |known: &str| strsim::jaro_winkler(&id, known);
    all.sort_by(|one, other| likeness(other).total_cmp(&likeness(one)));
    all.truncate(3);
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use sabot_law::regulation::sala8::SALA_8;

    #[test]
    fn an_unknown_article_is_answered_with_the_nearest() {
        let why = show(&SALA_8, "C77", Lang::Es).unwrap_err();
        assert!(why.contains("no article `C77`; nearest are C7, "), "{why}");
        assert!(nearest(&SALA_8, "c21").contains(&"C20"), "{:?}", nearest(&SALA_8, "c21"));
    }

    #[test]
    fn an_example_is_printed_as_a_log_and_what_there_is_is_listed() {
        let log = example(&SALA_8, Some("c7/replaced")).unwrap();
        assert!(log.starts_with(r#"{"ev":"table","v":1,"#) && log.ends_with("{\"ev\":\"end\"}\n"), "{log}");
        assert_eq!(
            example(&SALA_8, Some("C7")).unwrap(),
            "C7/compliant\nC7/replaced\nC7/not-burned\nC7/replaced-face-up\nC7/not-replaced\n"
        );
        let all = example(&SALA_8, None).unwrap();
        assert!(all.starts_with("M1/compliant\n") && all.contains("\nC7/replaced\n"), "{all}");
        let why = example(&SALA_8, Some("C7/burned")).unwrap_err();
        assert_eq!(
            why,
            "`C7` has no example `burned`; there are compliant, replaced, not-burned, replaced-face-up, not-replaced"
        );
        assert!(example(&SALA_8, Some("C77/replaced")).unwrap_err().contains("no article `C77`"));
    }

    #[test]
    fn the_settings_printed_are_read_back_and_change_nothing() {
        let changes = toml::from_str(&settings(&SALA_8)).unwrap();
        assert_eq!(SALA_8.settings.clone().changed(&changes), SALA_8.settings);
        assert!(toml::from_str::<sabot_law::table::settings::Changes>("bank_stand = 18").is_err());
    }

    #[test]
    fn the_list_has_every_article_once() {
        let text = list(&SALA_8, Lang::Es);
        assert_eq!(text.lines().count(), 1 + SALA_8.articles.len());
        assert!(text.contains("  C7   "), "{text}");
    }
}
