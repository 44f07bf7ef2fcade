//! `sabot setup`: a table from nothing, asked for on the terminal or in a browser, to a table that is tried.

use std::io::{self, BufRead, Write};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use sabot_law::table::answer::Lang;
use sabot_station::check;
use sabot_station::inventory::{Kind as Reached, Patience, State, Survey};
use sabot_station::own_page::OwnPage;
use sabot_station::setup::{
    self, Answers, FIELDS, Field, Kind, Member, NotSetUp, Place, Written, absolute, office, page,
};
use tokio::signal::unix::SignalKind;

use super::commission;
use super::run::{RunError, stop_signal};
use super::staff::{StaffArgsError, new_pin};
use crate::out::{say, say_err};

/// Sets a table up from nothing, and has it tried
///
/// Asks for the table's name, its regulation, boxes and limits, the port of each device (those that are attached are
/// shown with numbers), and who may act on the page; each answer is held against what `sabot run` would say of it. Then
/// it writes FOLDER/station.toml, the people with hashes of their PINs, and the key that signs the record, looks
/// whether all is in order (`sabot check`), and goes on to `sabot commission`, which pairs the devices and has
/// everything tried. Enter takes what stands in brackets; `-` means that there is no such device.
///
/// With --browser the same is asked on one page, served on this machine alone, at an address that is printed here, and
/// the commissioning follows there.
///
/// PINs are shown nowhere. What is there already is left as it is: a second setup in the same folder is refused.
///
/// Exit status: that of the commissioning; 0 when it was left out; 2 when there is a table already, or nothing was
/// answered.
///
/// Example: sudo -u sabot sabot setup /var/lib/sabot
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct SetupArgs {
    /// Where the configuration goes; the folder is made where it is not there.
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
    /// Where record and keys go. Left out: the same folder.
    #[arg(long, value_name = "FOLDER")]
    records: Option<PathBuf>,
    /// Ask on a page in a browser.
    #[arg(long)]
    browser: bool,
    /// Where that page is served: an address of this machine.
    #[arg(long, value_name = "ADDR:PORT", value_parser = commission::this_machine, default_value = "127.0.0.1:0")]
    listen: SocketAddr,
    /// Language.
    #[arg(long, value_name = "es|en", default_value = "es")]
    lang: Lang,
    /// Only write the files; commission the table another day.
    #[arg(long)]
    no_commission: bool,
}

#[derive(Debug, thiserror::Error)]
enum Failed {
    #[error(transparent)]
    NotSetUp(#[from] NotSetUp),
    #[error(transparent)]
    Listen(#[from] RunError),
    #[error("nothing more was answered, and nothing was written")]
    Left,
    #[error("{0}")]
    System(#[from] io::Error),
}

/// Runs the command.
#[must_use]
pub(crate) fn run(args: &SetupArgs) -> ExitCode {
    super::log::to_stderr();
    set_up(args).unwrap_or_else(|error| {
        let error = match error {
            Failed::NotSetUp(why) => why.words(&Answers::default(), args.lang),
            other => other.to_string(),
        };
        say_err!("sabot setup: {error}");
        ExitCode::from(2)
    })
}

fn set_up(args: &SetupArgs) -> Result<ExitCode, Failed> {
    let folder = absolute(&args.folder)?;
    let records = args.records.as_deref().map(absolute).transpose()?.unwrap_or_else(|| folder.clone());
    let place = Place { folder, records };
    place.is_free()?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let ports = runtime.block_on(attached());
    let page = if args.browser { Some(runtime.block_on(commission::own_page(args.listen))?) } else { None };
    let written = match &page {
        Some(page) => runtime.block_on(in_browser(args, page, place, ports))?,
        None => on_terminal(args.lang, &place, &ports)?,
    };
    let words = |es: &str, en: &str| (if args.lang == Lang::Es { es } else { en }).to_owned();
    say!("{} {}", words("Escrito:", "Written:"), written.config.display());
    say!("{} {}", words("Clave pública del acta:", "Public key of the record:"), written.public);
    let report = runtime.block_on(check::check(&written.config, super::version::committed_ms()));
    let report = check::text(&report);
    say!("{}", report.trim_end());
    let mut status = ExitCode::SUCCESS;
    if !args.no_commission {
        let before = report.lines().map(str::to_owned).collect();
        status = commission::goes_on(&runtime, (written.config, args.lang), (page.as_ref(), before));
    }
    runtime.shutdown_background();
    Ok(status)
}

/// The serial ports that are attached and that nobody has.
async fn attached() -> Vec<String> {
    let inventory = Survey::new(None, None).look(Patience::Now).await;
    let is_free = |device: &&sabot_station::inventory::Device| {
        device.kind == Reached::Serial && device.state == State::Unused && device.holder.is_none()
    };
    inventory.devices.iter().filter(is_free).map(|device| device.port.clone()).collect()
}

async fn in_browser(args: &SetupArgs, page: &OwnPage, place: Place, ports: Vec<String>) -> Result<Written, Failed> {
    let stop = stop_signal(&[SignalKind::interrupt(), SignalKind::terminate()])?;
    page::serve(page, (place, args.lang), ports, !args.no_commission, stop).await?.ok_or(Failed::Left)
}

fn on_terminal(lang: Lang, place: &Place, ports: &[String]) -> Result<Written, Failed> {
    let words = |es, en| if lang == Lang::Es { es } else { en };
    let mut answers = Answers::default();
    let ask = |answers: &mut Answers, is_asked: fn(Kind) -> bool| -> Result<(), Failed> {
        FIELDS
            .iter()
            .filter(|field| is_asked(field.kind))
            .try_for_each(|field| answer(answers, field, (lang, place), ports))
    };
    ask(&mut answers, |kind| kind != Kind::Port)?;
    say!("{}", words("Puertos libres (- : no hay tal aparato):", "Free ports (-: no such device):"));
    ports.iter().zip(1..).for_each(|(port, nth)| say!("  {nth}  {port}"));
    ask(&mut answers, |kind| kind == Kind::Port)?;
    while !answers.has_device() {
        say!("{}", words("Una mesa tiene al menos un aparato.", "A table has one device at the least."));
        ask(&mut answers, |kind| kind == Kind::Port)?;
    }
    let people = people(lang, place)?;
    Ok(answers.write(place, &people)?)
}

/// Asks until the answer will do.
fn answer(answers: &mut Answers, field: &Field, (lang, place): (Lang, &Place), ports: &[String]) -> Result<(), Failed> {
    let default = if field.default().is_empty() { "-" } else { field.default() };
    loop {
        let typed = asked(&format!("{} [{default}]: ", field.words(lang)))?;
        let is_number = !typed.is_empty() && typed.bytes().all(|byte| byte.is_ascii_digit());
        let nth = typed.parse().ok().and_then(|nth: usize| ports.get(nth.checked_sub(1)?));
        if field.kind == Kind::Port && is_number && nth.is_none() {
            let es = "No hay puerto con ese número; escriba su ruta, como /dev/ttyACM0, o -";
            say!(
                "{}",
                if lang == Lang::Es { es } else { "No port has that number; type its path, as /dev/ttyACM0, or -" }
            );
            continue;
        }
        answers.set(field, nth.filter(|_| field.kind == Kind::Port).unwrap_or(&typed));
        match answers.check(place) {
            Ok(()) => return Ok(()),
            Err(why) => say!("{}", why.words(answers, lang)),
        }
    }
}

fn people(lang: Lang, place: &Place) -> Result<Vec<Member>, Failed> {
    let words = |es, en| if lang == Lang::Es { es } else { en };
    let mut people: Vec<Member> = Vec::new();
    loop {
        let name = asked(words(
            "Quién puede actuar en la página, seudónimo (Intro: nadie más): ",
            "Who may act on the page, a pseudonym (Enter: nobody more): ",
        ))?;
        if name.is_empty() {
            if people.is_empty() {
                say!("{}", setup::nobody(lang));
            }
            return Ok(people);
        }
        let role = asked(words("Su función: ", "His role: "))?;
        let told = |why: NotSetUp| why.words(&Answers::default(), lang);
        let no_pin = |why| match why {
            StaffArgsError::Pin(why) => told(why.into()),
            StaffArgsError::Differs => {
                words("las dos claves no son iguales", "the two PINs are not the same").to_owned()
            }
            other => other.to_string(),
        };
        let known = office(&role).map_err(told);
        match known.and_then(|office| Ok((office, new_pin(lang).map_err(no_pin)?))) {
            Ok((office, pin)) => people.push(Member { name, office, pin }),
            Err(why) => {
                say!("{why}");
                continue;
            }
        }
        if let Err(why) = place.can_have(&people) {
            people.pop();
            say!("{}", told(why));
        }
    }
}

fn asked(question: &str) -> Result<String, Failed> {
    let mut out = io::stdout().lock();
    write!(out, "{question}")?;
    out.flush()?;
    let mut line = String::new();
    if io::stdin().lock().read_line(&mut line)? == 0 {
        return Err(Failed::Left);
    }
    Ok(line.trim().to_owned())
}
