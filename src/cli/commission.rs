//! `sabot commission`: a table is tried, device by device, before its record begins.

use std::io::{self, BufRead};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use sabot_law::table::answer::Lang;
use sabot_station::commission::{Asked, CommissionError, Commissioned, commission};
use sabot_station::config::{Config, ConfigError};
use tokio::sync::mpsc;

/// Commissions a table, before its record begins: finds its devices, pairs them, and has everything tried once
///
/// Guides a technician at the felt. The devices that the configuration names are looked for and asked who they are;
/// each of ours gets its key; lamps blink, a key is pressed, twenty known cards are drawn and laid on each square
/// that sees them, chips are laid on each spot. What is read is told at once, here, on the pit display and on the
/// signals; what is wrong, with the device, its setting and a way out. At the end the sheet is written beside the
/// record, as a page to be printed and as text. What the devices saw meanwhile is in no record: the next `sabot run`
/// begins a new one.
///
/// Enter says again what is asked, `skip REASON` leaves it untried (the reason goes onto the sheet), `stop` goes on
/// another day: the same command begins where it stopped. What has passed is kept by serial number; of another device
/// nothing has.
///
/// Exit status: 0 when everything has passed, 1 when something is left, 2 when the configuration has a mistake or its
/// record has begun.
///
/// Example: sabot commission --config /etc/sabot/station.toml --lang en
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct CommissionArgs {
    /// The table's configuration, TOML; docs/station.toml explains every key.
    #[arg(long, short, value_name = "FILE")]
    config: PathBuf,
    /// Language; that of the pit display where none is given.
    #[arg(long, value_name = "es|en")]
    lang: Option<Lang>,
    /// Try again what has passed before.
    #[arg(long)]
    again: bool,
}

impl CommissionArgs {
    pub(crate) const fn of(config: PathBuf, lang: Lang) -> Self {
        Self { config, lang: Some(lang), again: false }
    }
}

#[derive(Debug, thiserror::Error)]
enum NotCommissioned {
    #[error(transparent)]
    Config(#[from] ConfigError),
    #[error(transparent)]
    Commission(#[from] CommissionError),
    #[error("{0}")]
    System(#[from] io::Error),
}

/// Runs the command.
#[must_use]
pub(crate) fn run(args: &CommissionArgs) -> ExitCode {
    match commissioned(args) {
        Ok(is_all) => ExitCode::from(u8::from(!is_all)),
        Err(error) => {
            eprintln!("sabot commission: {error}");
            let is_mistake = matches!(
                error,
                NotCommissioned::Config(_)
                    | NotCommissioned::Commission(
                        CommissionError::Begun { .. } | CommissionError::Registry(_) | CommissionError::Keys(_)
                    )
            );
            ExitCode::from(if is_mistake { 2 } else { 1 })
        }
    }
}

/// Whether everything has passed.
fn commissioned(args: &CommissionArgs) -> Result<bool, NotCommissioned> {
    let config = Config::load(&args.config)?;
    super::log::to_stderr();
    let lang = args.lang.unwrap_or(config.lang);
    let (typed, lines) = mpsc::unbounded_channel();
    // not waited for at the end: it may be reading a terminal
    std::thread::spawn(move || io::stdin().lock().lines().map_while(Result::ok).try_for_each(|line| typed.send(line)));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let asked = Asked { file: args.config.clone(), lang, again: args.again, out: io::stdout(), lines };
    let done = runtime.block_on(commission(&config, asked));
    runtime.shutdown_background();
    let Commissioned { sheets: [page, text], left_out } = done?;
    let (page, text, config) = (page.display(), text.display(), args.config.display());
    match (left_out, lang) {
        (0, Lang::Es) => {
            println!("Hecho. La hoja: {page} y {text}. Ahora empieza el acta: sabot run --config {config}")
        }
        (0, Lang::En) => {
            println!("Done. The sheet: {page} and {text}. Now the record begins: sabot run --config {config}")
        }
        (_, Lang::Es) => println!("Faltan {left_out}. La hoja: {page} y {text}. La misma orden pide lo que falta"),
        (_, Lang::En) => {
            println!("{left_out} missing. The sheet: {page} and {text}. The same command asks for the rest")
        }
    }
    Ok(left_out == 0)
}
