//! The validator itself on a bare Cortex-M3, in QEMU: it answers a log byte for byte as on this machine.
//!
//! It wants `firmware/build images` and `qemu-system-arm`, and so is run by name: `.ci/test all` does, or
//! `cargo test -p sabot-hil-tests --test boards -- --ignored bare`.
use std::fs::{self, File};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use sabot_hil_tests::board::{IMAGES, QEMU};
use sabot_law::replay::{Replay, Stream};
use sabot_law::table::answer::Lang;
use sabot_law::table::header::FirstLine;
use sabot_law::validator::Validator;
use sabot_simulation::deviations::{Deviating, Deviation, Options};
use sabot_simulation::workload::{HOUSES, House, Settings};
use sabot_station::config::own_regulation;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
/// A run that is not over then hangs: the longest log takes some seconds.
const PATIENCE: Duration = Duration::from_secs(90);
/// Examples of each regulation that are replayed.
const EXAMPLES: usize = 15;
/// What is reserved for the stack and what must be left of it, bytes.
const STACK: usize = 80 * 1024;
const SPARE: usize = 4 * 1024;
/// What a table may need of the heap, bytes.
const HEAP: usize = 64 * 1024;

/// What a replay came to.
#[derive(Debug, PartialEq, Eq)]
struct Replayed {
    answers: String,
    errors: String,
    status: Option<i32>,
}

/// Ends with the test, whatever happens.
struct Emulator(Child);

impl Drop for Emulator {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

const fn word(lang: Lang) -> &'static str {
    match lang {
        Lang::Es => "es",
        Lang::En => "en",
    }
}

/// The board's `replay` with these words.
fn board(words: &[&str]) -> Replayed {
    let image = Path::new(IMAGES).join("replay");
    assert!(image.is_file(), "{} is not built: run firmware/build images", image.display());
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let asked: String = words.iter().map(|word| format!(",arg={word}")).collect();
    let child = Command::new(QEMU)
        .args(["-machine", "mps2-an385", "-display", "none", "-monitor", "none", "-serial", "none"])
        // a tick of the board's clock is then 40 instructions
        .args(["-icount", "shift=0,sleep=off"])
        .args(["-semihosting-config", &format!("enable=on,target=native,arg=replay{asked}"), "-kernel"])
        .arg(image)
        .stdin(Stdio::null())
        .stdout(File::create(at("out")).unwrap())
        .stderr(File::create(at("err")).unwrap())
        .spawn()
        .expect("qemu-system-arm is installed");
    let (mut emulator, end) = (Emulator(child), Instant::now() + PATIENCE);
    let status = loop {
        if let Some(status) = emulator.0.try_wait().unwrap() {
            break status;
        }
        assert!(Instant::now() < end, "it hangs: {words:?}, {:?}", fs::read_to_string(at("err")));
        std::thread::sleep(Duration::from_millis(10));
    };
    let text = |name: &str| fs::read_to_string(at(name)).unwrap();
    Replayed { answers: text("out"), errors: text("err"), status: status.code() }
}

/// `sabot replay` of the same log, on this machine.
fn host(log: &Path, lang: Lang) -> Replayed {
    let (mut stream, mut answers) = (Stream::new(Replay::new(lang, None)), Vec::new());
    let bytes = fs::read(log).unwrap();
    let ended = stream.feed(&bytes, &mut answers).and_then(|()| stream.finish(&mut answers));
    let errors = ended.as_ref().err().map(|why| format!("sabot replay: {}: {why}\n", log.display()));
    Replayed {
        answers: String::from_utf8(answers).unwrap(),
        errors: errors.unwrap_or_default(),
        status: Some(if ended.is_ok() { 0 } else { 2 }),
    }
}

/// Asserts that both say the same, and gives what they say.
fn alike(log: &Path, lang: Lang) -> Replayed {
    let here = host(log, lang);
    assert_eq!(board(&[log.to_str().unwrap(), "--lang", word(lang)]), here, "{}", log.display());
    here
}

/// Examples of the handbook, from its beginning to its end, in both languages.
fn examples(house: &str) {
    let articles = sabot_law::regulation::find(house).unwrap().articles.iter();
    let found: Vec<_> = articles.flat_map(|article| sabot_handbook::examples::cases(article).unwrap()).collect();
    let apart = found.len() / EXAMPLES;
    let (folder, mut findings) = (tempfile::tempdir().unwrap(), 0);
    for (nth, case) in found.iter().step_by(apart).enumerate() {
        let lang = if nth % 2 == 0 { Lang::Es } else { Lang::En };
        let log = folder.path().join(format!("{nth}-{}.jsonl", case.name));
        fs::write(&log, case.scenario.log()).unwrap();
        let Replayed { answers, status, .. } = alike(&log, lang);
        assert_eq!(status, Some(0), "{}", log.display());
        findings += answers.matches(r#""out":"finding""#).count();
    }
    assert!(findings >= EXAMPLES / 4, "{house}: hardly a finding, {findings}");
}

#[test]
#[ignore = "wants QEMU and the images"]
fn examples_of_sala_8() {
    examples("sala-8");
}

#[test]
#[ignore = "wants QEMU and the images"]
fn examples_of_talla() {
    examples("talla");
}

#[test]
#[ignore = "wants QEMU and the images"]
fn examples_of_club() {
    examples("club");
}

#[test]
#[ignore = "wants QEMU and the images"]
fn examples_of_croupier_6() {
    examples("croupier-6");
}

/// Ways to deviate after which every pass still ends: what is kept of one that does not grows.
const WAYS: [Deviation; 7] = [
    Deviation::AskNot,
    Deviation::Flip,
    Deviation::ExtraCard,
    Deviation::MisPay,
    Deviation::Misplace,
    Deviation::TakeAway,
    Deviation::Decide,
];

fn dealing(house: &'static House, rate: f64) -> Deviating {
    let settings = Settings { seed: 11, ..Settings::of(house) };
    Deviating::new(Options { rate, most: 1, deviations: WAYS.to_vec(), blind: 0.0, ..Options::of(settings) })
}

/// Writes a log of at least so many lines.
fn deal(mut table: Deviating, lines: usize, log: &Path) {
    let mut told = vec![serde_json::to_string(&FirstLine::of(table.header())).unwrap()];
    let (mut judge, mut pass) = (Validator::new(table.header().clone()).unwrap(), Vec::new());
    while told.len() < lines {
        table.next_pass(&mut pass, |line, event, answers| judge.step(line, event, answers));
        told.extend(pass.iter().map(|event| serde_json::to_string(event).unwrap()));
    }
    fs::write(log, told.join("\n") + "\n").unwrap();
}

/// Lines, ticks, most of the heap and most of the stack, as `--spent` tells them.
fn spent(log: &Path) -> [usize; 4] {
    let Replayed { errors, .. } = board(&[log.to_str().unwrap(), "--spent"]);
    let figures: Vec<usize> = errors.split([' ', ',']).filter_map(|word| word.parse().ok()).collect();
    figures.try_into().unwrap_or_else(|_| panic!("no figures: {errors}"))
}

#[test]
#[ignore = "wants QEMU and the images"]
fn long_logs_of_every_regulation_with_many_findings_in_bounded_memory() {
    let folder = tempfile::tempdir().unwrap();
    for house in HOUSES {
        let log = folder.path().join("long");
        deal(dealing(house, 0.7), 3_000, &log);
        let Replayed { answers, status, .. } = alike(&log, Lang::Es);
        assert_eq!(status, Some(0));
        assert!(answers.matches(r#""out":"finding""#).count() > 8, "{}", house.id);
        let [lines, ticks, heap, stack] = spent(&log);
        println!(
            "{}: {lines} lines, {} instructions a line, at most {heap} bytes of heap, {stack} of stack",
            house.id,
            ticks * 40 / lines
        );
        assert!(lines >= 3_000 && ticks > lines, "the clock ran");
        assert!(heap <= HEAP, "{}: {heap} bytes of heap", house.id);
        assert!(stack + SPARE <= STACK, "{}: {stack} bytes of stack", house.id);
    }
}

#[test]
#[ignore = "wants QEMU and the images"]
fn memory_does_not_grow_with_the_length_of_the_log() {
    let folder = tempfile::tempdir().unwrap();
    // by the book: the more passes deviate, the greater is the greatest of them
    let [short, long] = [10_000, 40_000].map(|lines| {
        let log = folder.path().join(lines.to_string());
        deal(dealing(HOUSES[0], 0.0), lines, &log);
        spent(&log)
    });
    println!("{} lines: {} bytes of heap; {} lines: {}", short[0], short[2], long[0], long[2]);
    // among four times as many passes one is longer
    assert!(long[0] >= 40_000 && long[2] <= short[2] + 4_096, "{short:?}, {long:?}");
}

#[test]
#[ignore = "wants QEMU and the images"]
fn a_houses_own_regulation_in_the_header() {
    let folder = tempfile::tempdir().unwrap();
    let own = own_regulation::load(&Path::new(ROOT).join("docs/house.toml")).unwrap();
    let rules = own.rules.unwrap();
    let base = House::named(&rules.base).unwrap();
    let log = folder.path().join("own");
    deal(dealing(base, 0.4).under(own.id, Some(rules), sabot_law::table::settings::Changes::default()), 400, &log);
    let Replayed { answers, status, .. } = alike(&log, Lang::En);
    assert_eq!(status, Some(0));
    assert!(answers.contains(r#""out":"settle""#), "{answers}");
}

#[test]
#[ignore = "wants QEMU and the images"]
fn a_log_that_cannot_be_read_is_told_in_the_same_words_with_the_line() {
    let worked = fs::read_to_string(Path::new(ROOT).join("tests/program/logs/worked-example.jsonl")).unwrap();
    let (head, tail) = worked.split_at(worked.match_indices('\n').nth(19).unwrap().0 + 1);
    let header = worked.lines().next().unwrap();
    let with = |line: &str| format!("{head}{line}\n{tail}");
    let deep = |depth: usize| with(&format!(r#"{{"ev":"no","x":{}{}}}"#, "[".repeat(depth), "]".repeat(depth)));
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    for (text, told) in [
        (String::new(), "line 1: no header"),
        ("\n\n".to_owned(), "line 2: no header"),
        (tail.to_owned(), "line 1: "),
        (worked.replace("sala-8", "sala-9"), "line 1: "),
        (with("{"), "line 21: the line ends too soon"),
        (with(r#"{"ev":"card","to":7}"#), "line 21: "),
        (with(r#"{"ev":"move","from":"7b","to":"burnt"}"#), "line 21: "),
        (with("\u{fe}\u{0}"), "line 21: "),
        (deep(3_000), "line 21: "),
        (
            format!("{header}\n{{\"ev\":\"close_bets\",\"t\":9}}\n{{\"ev\":\"close_bets\",\"t\":8}}\n"),
            "line 3: field `t`",
        ),
    ] {
        fs::write(&log, &text).unwrap();
        let Replayed { errors, status, .. } = alike(&log, Lang::Es);
        assert!(errors.contains(told) && status == Some(2), "{told}: {errors}, {status:?}");
    }
    // a line longer than what is read at a time, the last without its end, and ends of lines as Windows writes them
    let long = format!(r#"{},"x":"{}"}}"#, header.strip_suffix('}').unwrap(), "x".repeat(10_000));
    for text in [worked.trim_end().to_owned(), worked.replace('\n', "\r\n"), worked.replacen(header, &long, 1)] {
        fs::write(&log, &text).unwrap();
        let Replayed { answers, status, .. } = alike(&log, Lang::Es);
        assert!(status == Some(0) && answers.contains(r#""out":"summary""#), "{answers}");
    }
}

#[test]
#[ignore = "wants QEMU and the images"]
fn what_the_board_was_not_asked_rightly_it_says() {
    let usage = "usage: replay LOG [--lang es|en] [--spent]\n";
    for words in [&[][..], &["a", "b"], &["--lang", "fr", "a"], &["a", "--lang"], &["a", "--strict"]] {
        let told = board(words);
        assert_eq!((told.errors.as_str(), told.status), (usage, Some(2)), "{words:?}");
    }
    let told = board(&["no-such-log"]);
    assert_eq!((told.errors.as_str(), told.status), ("sabot replay: no-such-log: the host cannot open it\n", Some(2)));
}
