//! `sabot journal dossier`: all that a record tells of a finding, as one page for others.

use std::collections::BTreeMap;
use std::io::{self, BufRead};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crate::out::say_err;
use clap::Args;
use sabot_journal::clock::{VIDEO, told_ahead};
use sabot_journal::days::{beginning, pictures_of};
use sabot_journal::packed;
use sabot_law::regulation::fill;
use sabot_law::replay::Replay;
use sabot_law::table::answer::Lang;
use sabot_law::table::{Answer, Event, LineNo, words};
use sabot_law::validator::Validator;
use sabot_station::card_pictures::picture;
use sabot_station::console::RenderError;
use sabot_station::console::dossier::{self, Act, Camera, Dossier, Evidence};
use sabot_station::findings::attended;
use sabot_station::history::pass::Pictures;
use sabot_station::history::step::Step;
use sabot_station::history::{NotRead, Record, Told, happened, read};
use sabot_station::house_time::second;
use sabot_station::snapshot::{Attention, FindingState, FindingView};

use super::compare::BothAnswers;
use super::pdf::{self, NotPut};
use super::period::House;
use super::proofs::{self, NoProof};

/// How long before and after its lines a pass is looked for at the video recorder, milliseconds.
const AROUND_MS: u64 = 10_000;

/// Prints the dossier of a finding: one HTML page that needs no station and no network
///
/// It holds the finding with its article and what became of it, who acted, the pass line by line with the felt as a
/// picture wherever it has changed, what each bet was owed, and where the video recorder has it. The lines stand in it
/// as the record has them, with the proof that they are signed, so that whoever has the table's public key checks them
/// without the record: `sabot journal check-proof`. With --pdf it is a paper to be signed, with these lines attached.
/// Cards that were dealt covered or burned are not shown.
///
/// Exit status: 0 when it was printed, 1 when the record has no such finding or is not the signed one, 2 when the
/// record cannot be read or no PDF can be made.
///
/// Example: sabot journal dossier BJ-07.jsonl 12 --lang en --pdf finding-12.pdf
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct DossierArgs {
    /// The record.
    file: PathBuf,
    /// The finding's number, as `sabot journal find --json` tells it.
    finding: u64,
    #[command(flatten)]
    house: House,
    /// Language.
    #[arg(long, value_name = "es|en", default_value = "es")]
    lang: Lang,
    /// Where the video recorder shows this table, http:// or https://; {from} and {to} stand for the times, such as
    /// 2026-11-24T22:41:07Z, always universal time.
    #[arg(long, value_name = "URL", value_parser = address)]
    camera: Option<String>,
    /// By how many milliseconds the video recorder's clock is ahead of the station's; negative where it is behind.
    /// Without it, what the record says of the clock `video` goes, or else 0.
    #[arg(long, value_name = "MS", allow_negative_numbers = true, requires = "camera")]
    camera_ahead: Option<i64>,
    /// The proof leads to a checkpoint that a witness has cosigned.
    #[arg(long)]
    witnessed: bool,
    /// Write the page as PDF/A-3 to this file, not the page to standard output: by WeasyPrint, to be installed.
    #[arg(long, value_name = "FILE")]
    pdf: Option<PathBuf>,
}

fn address(text: &str) -> Result<String, &'static str> {
    let is_web = ["http://", "https://"].iter().any(|scheme| text.starts_with(scheme));
    is_web.then(|| text.to_owned()).ok_or("an address begins with http:// or https://")
}

#[derive(Debug, thiserror::Error)]
enum Stopped {
    #[error(transparent)]
    Record(#[from] NotRead),
    #[error("{}: it has no finding {finding}", file.display())]
    None { file: PathBuf, finding: u64 },
    #[error(transparent)]
    Proof(#[from] NoProof),
    #[error(transparent)]
    Page(#[from] RenderError),
    #[error(transparent)]
    Out(#[from] NotPut),
}

pub(super) fn run(args: &DossierArgs) -> ExitCode {
    let pdf = args.pdf.as_deref();
    let printed = collected(args).and_then(|dossier| {
        let page = dossier::dossier(&dossier, args.lang, pdf::style(pdf))?;
        Ok(pdf::put(&page, pdf)?)
    });
    match printed {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            say_err!("sabot journal dossier: {why}");
            ExitCode::from(if matches!(why, Stopped::Record(_) | Stopped::Out(_)) { 2 } else { 1 })
        }
    }
}

fn collected(args: &DossierArgs) -> Result<Dossier, Stopped> {
    let none = || Stopped::None { file: args.file.clone(), finding: args.finding };
    let lines = lines_about(args)?.ok_or_else(none)?;
    let mut collector = Collector::new(args, lines.clone());
    let record = Record::whole(&args.file).in_house(args.house.of(&args.file));
    let table = read(&record, Replay::new(args.lang, None), |told, validator| {
        collector.take(&told, validator);
        Ok(())
    })?;
    let Collector { finding, title, gist, regulation, at, acts, accounts, steps, times, camera_ahead, differs, .. } =
        collector;
    let text = copied(&args.file, &lines)?;
    let proof = proofs::proof(&args.file, *lines.end(), args.witnessed)?;
    let proof = proof.map(|proof| dossier::Proof { origin: proof.checkpoint.origin.clone(), text: proof.to_string() });
    let evidence = Evidence { lines: lines.into_inner(), text, proof, differs };
    let cards = cards(&args.file, &steps);
    let ahead = args.camera_ahead.or(camera_ahead).unwrap_or_default();
    let camera = args.camera.as_ref().map(|link| camera(args, link, times, ahead));
    let finding = finding.ok_or_else(none)?;
    Ok(Dossier { table, regulation, finding, at, title, gist, acts, accounts, steps, cards, camera, evidence })
}

/// The pictures of the cards that these steps drew, as far as they are kept beside the record.
fn cards(file: &Path, steps: &[Step]) -> BTreeMap<LineNo, Vec<u8>> {
    let Ok((began, _)) = beginning(file) else { return BTreeMap::new() };
    let folder = pictures_of(file, began);
    let drawn = steps.iter().flat_map(|step| step.lines.iter().map(|line| (step.picture.felt.pass, line.line)));
    drawn.filter_map(|(pass, line)| Some((line, picture(&folder, pass, line).ok()?))).collect()
}

/// The lines of the pass in which it was found: to its end, or to the last that is about it.
fn lines_about(args: &DossierArgs) -> Result<Option<RangeInclusive<LineNo>>, NotRead> {
    let (mut pass, mut first, mut found, mut last) = (0, 0, None, 0);
    read(&Record::whole(&args.file), Replay::new(args.lang, None), |told, _| {
        if told.pass != pass {
            (pass, first) = (told.pass, told.line);
        }
        let is_about = told.answers.iter().any(|answer| number(answer) == Some(args.finding));
        if is_about && found.is_none() {
            found = Some((first, pass));
        }
        let is_in_it = found.is_some_and(|(_, of)| of == pass);
        let is_end = matches!(told.event, Event::End {});
        if is_in_it && (is_about || is_end) {
            last = told.line;
        }
        Ok(())
    })?;
    Ok(found.map(|(first, _)| first..=last))
}

/// The finding that an answer is about.
const fn number(answer: &Answer) -> Option<u64> {
    match answer {
        Answer::Finding(finding) => Some(finding.n),
        Answer::Cleared { finding, .. } | Answer::Breach { finding, .. } | Answer::Withdrawn { finding, .. } => {
            Some(*finding)
        }
        Answer::Settle(_) | Answer::Summary { .. } => None,
    }
}

/// What a dossier says, while the lines of the record go by.
struct Collector<'a> {
    args: &'a DossierArgs,
    lines: RangeInclusive<LineNo>,
    finding: Option<FindingView>,
    at: String,
    title: String,
    gist: String,
    regulation: String,
    acts: Vec<Act>,
    accounts: Vec<String>,
    steps: Vec<Step>,
    /// When the first and the last of the lines were told, milliseconds since 1970.
    times: Option<(u64, u64)>,
    /// By how many milliseconds the video recorder's clock was ahead when the last of them was told.
    camera_ahead: Option<i64>,
    pictures: Pictures,
    both: BothAnswers,
    differs: bool,
}

impl<'a> Collector<'a> {
    fn new(args: &'a DossierArgs, lines: RangeInclusive<LineNo>) -> Self {
        Self {
            args,
            lines,
            finding: None,
            at: String::new(),
            title: String::new(),
            gist: String::new(),
            regulation: String::new(),
            acts: Vec::new(),
            accounts: Vec::new(),
            steps: Vec::new(),
            times: None,
            camera_ahead: None,
            pictures: Pictures::default(),
            both: BothAnswers::default(),
            differs: false,
        }
    }

    fn take(&mut self, told: &Told, validator: &Validator) {
        if told.line <= *self.lines.end() {
            self.camera_ahead = told_ahead(&told.event, VIDEO).or(self.camera_ahead);
        }
        let is_in_it = self.lines.contains(&told.line);
        let both = self.both.to(told);
        self.differs |= is_in_it && both.is_some_and(|(recorded, today)| recorded != today);
        told.answers.iter().for_each(|answer| self.answer(told, answer, validator, is_in_it));
        let attention = attended(&told.event).filter(|(of, _)| *of == self.args.finding);
        if let Some((_, attention)) = &attention {
            self.finding.iter_mut().for_each(|finding| finding.attention = attention.clone());
        }
        let by = attention.and_then(|(_, attention)| match attention {
            Attention::New => None,
            Attention::Taken { by } | Attention::Closed { by, .. } => Some(by.to_string()),
        });
        let by = by.or_else(|| actor(told).filter(|_| is_in_it || rules_on(&told.event, self.args.finding)));
        if let Some(by) = by {
            let what = happened(told, self.args.lang);
            self.acts.push(Act { at: told.second(), by, what, line: told.line });
        }
        if is_in_it {
            self.step(told, validator);
        }
    }

    fn answer(&mut self, told: &Told, answer: &Answer, validator: &Validator, is_in_it: bool) {
        let lang = self.args.lang;
        if let Answer::Settle(settle) = answer
            && is_in_it
        {
            self.accounts.push(words::account(settle).get(lang).to_owned());
        }
        if number(answer) != Some(self.args.finding) {
            return;
        }
        let became = match answer {
            Answer::Finding(finding) => {
                let (regulation, settings) = (validator.regulation(), validator.settings());
                if let Some(article) = regulation.article(finding.provision) {
                    self.title = fill(article.title.get(lang), settings, lang).into_owned();
                    self.gist = fill(article.gist.get(lang), settings, lang).into_owned();
                }
                self.regulation = regulation.title.get(lang).to_owned();
                self.at = told.second();
                self.finding = Some(FindingView::new((**finding).clone()));
                return;
            }
            Answer::Cleared { .. } => FindingState::Cleared,
            Answer::Withdrawn { .. } => FindingState::Withdrawn,
            _ => FindingState::Breach,
        };
        if let Some(finding) = &mut self.finding {
            finding.state = became;
            if let Answer::Breach { missing, .. } = answer {
                finding.missing.clone_from(missing);
            }
        }
    }

    fn step(&mut self, told: &Told, validator: &Validator) {
        self.times = Some((self.times.map_or(told.at, |(from, _)| from), told.at));
        let is_last = told.line == *self.lines.end();
        let findings: Vec<FindingView> = self.finding.iter().cloned().collect();
        self.steps.extend(self.pictures.take(told, validator, (&findings, self.args.lang), is_last));
    }
}

/// The person who acts in a line, as the record calls him.
fn actor(told: &Told) -> Option<String> {
    let by = match &told.event {
        Event::Rule { by, .. } | Event::Report { by, .. } | Event::Correct { by, .. } | Event::Authorize { by, .. } => {
            Some(by.to_string())
        }
        _ => None,
    };
    told.entered.clone().or(by)
}

fn rules_on(event: &Event, finding: u64) -> bool {
    matches!(event, Event::Rule { finding: Some(of), .. } if *of == finding)
}

/// Lines of a record as they stand, and the one before them, to which the first is chained.
fn copied(file: &Path, lines: &RangeInclusive<LineNo>) -> Result<String, NotRead> {
    let failed = |why| NotRead::File { file: file.to_path_buf(), why };
    let all = packed::whole_lines(file).map_err(failed)?.lines();
    let wanted = (1..).zip(all).skip_while(|(number, _)| number + 1 < *lines.start());
    let wanted = wanted.take_while(|(number, _)| number <= lines.end()).map(|(_, line)| Ok(line? + "\n"));
    wanted.collect::<io::Result<String>>().map_err(failed)
}

/// Where a recorder whose clock is so many milliseconds ahead shows what was told between these times.
fn camera(args: &DossierArgs, link: &str, times: Option<(u64, u64)>, ahead: i64) -> Camera {
    let (from, to) = times.unwrap_or_default();
    let shows = |at: u64| at.saturating_add_signed(ahead);
    let (from, to) = (shows(from.saturating_sub(AROUND_MS)), shows(to.saturating_add(AROUND_MS)));
    // a recorder's address has one form, whatever the house
    let link = link.replace("{from}", &second(from)).replace("{to}", &second(to));
    let house = args.house.of(&args.file);
    Camera { from: house.second(from), to: house.second(to), link }
}
