//! `sabot commission`: a table is tried, device by device, before its record begins.

use std::io::{self, BufRead, Write};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;

use crate::out::{say, say_err};
use clap::Args;
use sabot_law::table::answer::Lang;
use sabot_station::commission::page::on_page;
use sabot_station::commission::{Asked, CommissionError, Terminal, commission};
use sabot_station::config::{Config, ConfigError};
use sabot_station::own_page::OwnPage;
use tokio::runtime::Runtime;
use tokio::signal::unix::SignalKind;
use tokio::sync::mpsc;

use super::run::{RunError, stop_signal};

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
/// With --browser all that is asked and answered on a page, served on this machine alone, at an address that is printed
/// here. There the sheet is printed too.
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
    /// Ask on a page in a browser.
    #[arg(long)]
    browser: bool,
    /// Where that page is served: an address of this machine.
    #[arg(long, value_name = "ADDR:PORT", value_parser = this_machine, default_value = "127.0.0.1:0")]
    listen: SocketAddr,
}

/// An address of this machine.
///
/// # Errors
/// When it is another's.
pub(crate) fn this_machine(text: &str) -> Result<SocketAddr, String> {
    let address = super::address(text)?;
    let away =
        || "PINs and codes are entered there: 127.0.0.1 or [::1], and a port (0 takes any that is free)".to_owned();
    if address.ip().is_loopback() { Ok(address) } else { Err(away()) }
}

#[derive(Debug, thiserror::Error)]
enum NotCommissioned {
    #[error(transparent)]
    Config(#[from] ConfigError),
    #[error(transparent)]
    Commission(#[from] CommissionError),
    #[error(transparent)]
    Listen(#[from] RunError),
    #[error("{0}")]
    System(#[from] io::Error),
}

/// Runs the command.
#[must_use]
pub(crate) fn run(args: &CommissionArgs) -> ExitCode {
    super::log::to_stderr();
    let done = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(Into::into).and_then(
        |runtime| -> Result<_, NotCommissioned> {
            let page = if args.browser { Some(runtime.block_on(own_page(args.listen))?) } else { None };
            let done =
                commissioned(&runtime, (args.config.clone(), args.lang, args.again), (page.as_ref(), Vec::new()));
            runtime.shutdown_background();
            done
        },
    );
    told(done)
}

/// What came of it, as an exit status.
fn told(done: Result<bool, NotCommissioned>) -> ExitCode {
    match done {
        Ok(is_all) => ExitCode::from(u8::from(!is_all)),
        Err(error) => {
            say_err!("sabot commission: {error}");
            let is_mistake = matches!(
                error,
                NotCommissioned::Config(_)
                    | NotCommissioned::Commission(
                        CommissionError::Begun { .. }
                            | CommissionError::Config(_)
                            | CommissionError::Registry(_)
                            | CommissionError::Keys(_)
                    )
            );
            ExitCode::from(if is_mistake { 2 } else { 1 })
        }
    }
}

/// Goes on with a table that was just written, on the page where there is one; `before` stands above what is told
/// there.
pub(crate) fn goes_on(
    runtime: &Runtime,
    (config, lang): (PathBuf, Lang),
    (page, before): (Option<&OwnPage>, Vec<String>),
) -> ExitCode {
    told(commissioned(runtime, (config, Some(lang), false), (page, before)))
}

/// A page at an address of this machine, which is printed.
pub(crate) async fn own_page(listen: SocketAddr) -> Result<OwnPage, RunError> {
    let (listener, _) = super::run::listen(listen).await?;
    let page = OwnPage::at(listener)?;
    say!("{}", page.url()?);
    io::stdout().flush()?;
    Ok(page)
}

/// Whether everything has passed.
fn commissioned(
    runtime: &Runtime,
    (file, lang, again): (PathBuf, Option<Lang>, bool),
    (page, before): (Option<&OwnPage>, Vec<String>),
) -> Result<bool, NotCommissioned> {
    let config = Config::load(&file)?;
    let lang = lang.unwrap_or(config.lang);
    let done = match page {
        Some(page) => runtime.block_on(async {
            let stop = stop_signal(&[SignalKind::interrupt(), SignalKind::terminate()])?;
            Ok::<_, NotCommissioned>(on_page((&config, file.clone()), (lang, again), before, page, stop).await?)
        }),
        None => {
            let (typed, lines) = mpsc::unbounded_channel();
            // not waited for at the end: it may be reading a terminal
            std::thread::spawn(move || {
                io::stdin().lock().lines().map_while(Result::ok).try_for_each(|line| typed.send(line))
            });
            let teller = Terminal { out: io::stdout(), lang };
            let asked = Asked { file: file.clone(), lang, again, teller, lines };
            Ok(runtime.block_on(commission(&config, asked))?)
        }
    }?;
    say!("{}", done.words(lang, &file));
    Ok(done.left_out == 0)
}
