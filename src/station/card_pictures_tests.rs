//! Passes of every house, each card with a picture that comes early or late: what is kept when, held against the record
//! of the same passes, whose seals say which cards are a secret after which line.

use std::collections::{BTreeMap, BTreeSet};

use axum::body::Body;
use axum::http::Request;
use http_body_util::BodyExt as _;
use hyper::service::Service as _;
use hyper_util::service::TowerToHyperService;
use sabot_law::table::{Header, Name};
use sabot_law::validator::Validator;
use sabot_simulation::workload::{HOUSES, House};

use tokio::sync::watch;

use super::*;
use crate::console::{Access, web};
use crate::dealt::dealt;
use crate::findings::Findings;
use crate::live_table::LiveTable;
use crate::record_feed::RecordFeed;
use crate::snapshot::Snapshot;

/// A station's pictures whose disk only takes note.
fn pictures() -> (CardPictures, Receiver<Order>) {
    let (orders, ordered) = channel();
    let (record, folder) = (PathBuf::new(), PathBuf::from("day"));
    let disk = Disk { orders, unwritten: Arc::default(), thread: None, record, folder };
    (CardPictures { disk: Some(disk), ..CardPictures::default() }, ordered)
}

/// The same for a whole station: what the disk is asked for, as text.
pub(crate) struct Asked(Receiver<Order>);

impl Asked {
    pub(crate) fn of_station() -> (CardPictures, Self) {
        let (pictures, ordered) = pictures();
        (pictures, Self(ordered))
    }

    pub(crate) fn take(&self) -> String {
        let told = |order| match order {
            Order::Keep(path, picture) => format!("kept {}: {:?}\n", path.display(), String::from_utf8(picture.0)),
            Order::Forget(path, pass) => format!("those of pass {pass} go from {}\n", path.display()),
        };
        self.0.try_iter().map(told).collect()
    }
}

fn origin(line: LineNo) -> Origin {
    Origin(Name::new_static("CAMERA"), 1, line as u32)
}

/// The picture of the card that a line drew.
fn picture_of(line: LineNo) -> Picture {
    Picture(format!("card of line {line}").into_bytes())
}

/// What came of a log.
#[derive(Default)]
struct Played {
    /// The line after which the picture of a card was kept, by the line that drew it; and its pass.
    kept: BTreeMap<LineNo, (LineNo, u64)>,
    /// Cards that were drawn, with their pass.
    drawn: BTreeMap<LineNo, u64>,
    /// Lines whose card lies covered as it is drawn, and the line that uncovers it, but for the end of its pass.
    covered: BTreeMap<LineNo, Option<LineNo>>,
    /// Passes in which something was found.
    found: BTreeSet<u64>,
}

/// Plays a log; pictures come so many events after their card, or before it.
fn played(header: &Header, events: &[Event], late: impl Fn(LineNo) -> i64 + Copy) -> Played {
    let mut table = LiveTable::new(Validator::new(header.clone()).unwrap(), Findings::default());
    let (mut pictures, ordered) = pictures();
    let mut all = Played::default();
    let due = |at: LineNo| {
        let drawn = (2..).zip(events).filter(|(_, event)| matches!(event, Event::Draw { .. }));
        drawn.map(|(line, _)| line).filter(move |line| *line as i64 + late(*line) == at as i64).collect::<Vec<LineNo>>()
    };
    for (line, event) in (2..).zip(events) {
        for of in due(line) {
            pictures.comes(origin(of), picture_of(of));
        }
        let judged = table.step(line, event);
        let of_card = matches!(event, Event::Draw { .. }).then(|| origin(line));
        if judged.covering.covers.is_some() {
            all.covered.insert(line, None);
        }
        if !matches!(event, Event::End {}) {
            for (of, _) in &judged.covering.uncovers {
                all.covered.entry(*of).and_modify(|at| *at = Some(line));
            }
        }
        if of_card.is_some() {
            all.drawn.insert(line, judged.pass);
        }
        all.found.extend(judged.answers.iter().filter_map(|answer| match answer {
            Answer::Finding(finding) => Some(finding.pass),
            _ => None,
        }));
        pictures.told(line, (event, of_card.as_ref()), &judged);
        pictures.durable(line);
        for order in ordered.try_iter() {
            let Order::Keep(path, picture) = order else { continue };
            let of = all.drawn.keys().find(|of| picture_of(**of) == picture).copied().unwrap();
            let pass = all.drawn[&of];
            assert_eq!(path, Path::new("day").join(format!("{pass}-{of}.jpg")));
            assert_eq!(all.kept.insert(of, (line, pass)), None, "kept once");
        }
    }
    all
}

#[test]
fn a_picture_is_kept_where_something_is_found_and_never_while_its_card_is_a_secret() {
    let (mut open, mut uncovered, mut never) = (0, 0, 0);
    for house in HOUSES {
        for seed in 0..4 {
            let (header, events) = dealt(house, seed, 6, Some(3));
            let late = |line: LineNo| [1, 0, 3, 9][(line + seed) as usize % 4];
            let Played { kept, drawn, covered, found } = played(&header, &events, late);
            for (of, (at, pass)) in &kept {
                assert!(found.contains(pass), "{}: nothing was found in pass {pass}", house.id);
                match covered.get(of) {
                    None => open += 1,
                    Some(Some(uncovers)) => {
                        assert!(at >= uncovers, "{}: line {of} was a secret until {uncovers}, not {at}", house.id);
                        uncovered += 1;
                    }
                    Some(None) => panic!("{}: the card of line {of} was never uncovered", house.id),
                }
            }
            never += covered
                .iter()
                .filter(|(of, at)| at.is_none() && drawn.get(of).is_some_and(|pass| found.contains(pass)))
                .count();
        }
    }
    assert!(open > 100 && uncovered > 5 && never > 5, "{open} open, {uncovered} uncovered, {never} never");
}

#[test]
fn every_open_card_of_a_pass_with_a_finding_that_nobody_corrected_is_kept() {
    let mut count = 0;
    for house in HOUSES {
        let (header, events) = dealt(house, 1, 6, Some(3));
        let Played { kept, covered, found, drawn } = played(&header, &events, |_| 0);
        let was_read = |of: &LineNo| !matches!(events[*of as usize - 2], Event::Draw { card: Card::UNREAD, .. });
        let open = |of: &LineNo| covered.get(of).is_none_or(Option::is_some) && was_read(of);
        let corrects = (2..).zip(&events).filter(|(_, event)| matches!(event, Event::Correct { .. }));
        let corrected: Vec<u64> =
            corrects.filter_map(|(line, _)| drawn.range(..line).next_back()).map(|(_, pass)| *pass).collect();
        let is_told = |pass: &u64| !corrected.contains(pass) && !corrected.contains(&(pass + 1));
        let whole = |(of, pass): &(&LineNo, &u64)| found.contains(pass) && is_told(pass) && open(of);
        let lost: Vec<_> = drawn.iter().filter(whole).collect();
        let lost: Vec<_> = lost.into_iter().filter(|(of, _)| !kept.contains_key(of)).collect();
        assert!(lost.is_empty(), "{}: {lost:?}", house.id);
        count += kept.len();
    }
    assert!(count > 10, "{count}");
}

#[test]
fn of_a_pass_that_was_corrected_nothing_is_kept_any_more_and_what_was_kept_goes() {
    let (mut forgotten, mut later) = (0, 0);
    for house in HOUSES {
        for seed in 0..4 {
            let (of_house, after) = corrected(house, seed);
            forgotten += of_house;
            later += after;
        }
    }
    assert!(forgotten > 3 && later > 3, "{forgotten} corrected, {later} cards after it");
}

/// Corrects each pass once a picture of it is kept; how many were corrected, and how many cards they had after that.
fn corrected(house: &'static House, seed: u64) -> (u32, u32) {
    let (header, events) = dealt(house, seed, 6, Some(3));
    let mut table = LiveTable::new(Validator::new(header).unwrap(), Findings::default());
    let (mut pictures, ordered) = pictures();
    let (mut line, mut last, mut passes, mut later) = (1, None, 0, 0);
    for event in &events {
        line += 1;
        let judged = table.step(line, event);
        let of_card = matches!(event, Event::Draw { .. }).then(|| origin(line));
        pictures.told(line, (event, of_card.as_ref()), &judged);
        if of_card.is_some() {
            pictures.comes(origin(line), picture_of(line));
            later += u32::from(last == Some(judged.pass));
        }
        pictures.durable(line);
        let orders: Vec<Order> = ordered.try_iter().collect();
        let is_kept = orders.iter().any(|order| matches!(order, Order::Keep(..)));
        if last == Some(judged.pass) {
            assert!(!is_kept, "{orders:?}");
        } else if is_kept {
            line += 1;
            let text = format!(r#"{{"ev":"correct","by":"I-4","role":"inspector","line":{}}}"#, line - 1);
            let event = sabot_law::table::line::event(text.as_bytes()).unwrap();
            let judged = table.step(line, &event);
            pictures.told(line, (&event, None), &judged);
            last = Some(judged.pass);
            let orders: Vec<Order> = ordered.try_iter().collect();
            assert!(orders.contains(&Order::Forget("day".into(), judged.pass)), "{orders:?}");
            passes += 1;
        }
    }
    (passes, later)
}

#[test]
fn a_covered_card_that_could_not_be_read_has_no_picture() {
    let mut hidden = 0;
    for house in HOUSES {
        let (header, events) = dealt(house, 2, 6, Some(3));
        let secret = played(&header, &events, |_| 0).covered;
        let unread = |(line, event): (LineNo, &Event)| match event.clone() {
            Event::Draw { to, face, .. } if secret.contains_key(&line) => Event::Draw { card: Card::UNREAD, to, face },
            event => event,
        };
        let events: Vec<Event> = (2..).zip(&events).map(unread).collect();
        let kept = played(&header, &events, |_| 0).kept;
        assert_eq!(secret.keys().find(|line| kept.contains_key(line)), None, "{}", house.id);
        hidden += secret.len();
    }
    assert!(hidden > 5, "{hidden}");
}

#[test]
fn what_is_kept_stands_whole_under_its_name_for_nobody_else_and_goes_when_it_is_old() {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("record");
    let day = pictures_of(&record, 0);
    assert_eq!(day, folder.path().join("record.pictures/1970-01-01T000000.000Z"));
    write(&day.join(name(3, 41)), &Picture(b"jpeg".to_vec())).unwrap();
    write(&day.join(name(3, 5)), &Picture(b"other".to_vec())).unwrap();
    write(&day.join(name(13, 77)), &Picture(b"third".to_vec())).unwrap();
    assert_eq!(lines(&day, 3).unwrap(), [5, 41]);
    assert_eq!(lines(&folder.path().join("nowhere"), 3).unwrap(), [0_u64; 0]);
    assert_eq!(picture(&day, 3, 41).unwrap(), b"jpeg");
    let mode = std::os::unix::fs::PermissionsExt::mode(&fs::metadata(day.join(name(3, 41))).unwrap().permissions());
    assert_eq!(mode & 0o077, 0);
    let closed = folder.path().join("record.days/1970-01-01T000000.000Z.jsonl.gz");
    assert_eq!(pictures_of(&closed, 0), day, "a closed day's are beside the record");
    let old = SystemTime::now() - 3 * DAY;
    File::options().write(true).open(day.join(name(3, 5))).unwrap().set_modified(old).unwrap();
    remove_older(day.parent().unwrap(), 2 * DAY).unwrap();
    assert_eq!((lines(&day, 3).unwrap(), lines(&day, 13).unwrap()), (vec![41], vec![77]));
    remove_older(day.parent().unwrap(), Duration::ZERO).unwrap();
    assert!(!day.exists());
}

#[test]
fn debug_shows_no_picture() {
    let (mut pictures, _ordered) = pictures();
    pictures.comes(origin(7), Picture(b"ace".to_vec()));
    let shown = format!("{pictures:?} {:?}", Order::Keep(PathBuf::new(), Picture(b"ace".to_vec())));
    assert!(!shown.contains("97, 99, 101") && !shown.contains("ace"), "{shown}");
}

#[test]
fn no_picture_is_on_the_disk_before_the_line_that_lets_it_be_there_nor_once_that_is_corrected() {
    let (mut kept, mut corrected) = (0, 0);
    for house in HOUSES {
        for seed in 0..4 {
            let (of_table, is_corrected) = kept_until_corrected(house, seed);
            kept += of_table;
            corrected += u32::from(is_corrected);
        }
    }
    assert!(kept > 20 && corrected > 3, "{kept} kept, {corrected} corrected");
}

/// Each line is a while on its way to the disk. How many pictures are kept until one that waits is corrected away, and
/// whether one was.
fn kept_until_corrected(house: &'static House, seed: u64) -> (usize, bool) {
    let (header, events) = dealt(house, seed, 6, None);
    let mut table = LiveTable::new(Validator::new(header).unwrap(), Findings::default());
    let ((mut pictures, ordered), mut kept) = (pictures(), 0);
    for (line, event) in (2..).zip(&events) {
        let judged = table.step(line, event);
        let of_card = matches!(event, Event::Draw { .. }).then(|| origin(line));
        pictures.told(line, (event, of_card.as_ref()), &judged);
        of_card.into_iter().for_each(|of_card| pictures.comes(of_card, picture_of(line)));
        pictures.durable(line - 1);
        // the table corrects passes of its own too, whose pictures go at once
        assert_eq!(count_of_kept(&ordered), 0, "line {line} is not on the disk");
        if kept > 0 && !pictures.held.is_empty() {
            let event = br#"{"ev":"correct","by":"I-4","role":"inspector","line":2}"#;
            let event = sabot_law::table::line::event(event).unwrap();
            let judged = table.step(line + 1, &event);
            pictures.told(line + 1, (&event, None), &judged);
            pictures.durable(line + 1);
            assert_eq!(count_of_kept(&ordered), 0, "what waited was corrected");
            return (kept, true);
        }
        pictures.durable(line);
        kept += count_of_kept(&ordered);
    }
    (kept, false)
}

/// Orders to keep a picture, of those that have come.
fn count_of_kept(ordered: &Receiver<Order>) -> usize {
    ordered.try_iter().filter(|order| matches!(order, Order::Keep(..))).count()
}

#[test]
fn what_waits_as_a_day_ends_is_kept_once_the_next_one_is_on_the_disk() {
    let (mut pictures, ordered) = pictures();
    let held = Held { line: 41, pass: 3, path: "day/3-40.jpg".into(), picture: picture_of(40) };
    pictures.held.push_back(held);
    pictures.begun(7);
    pictures.durable(0);
    assert_eq!(ordered.try_iter().count(), 0);
    pictures.durable(1);
    assert_eq!(ordered.try_iter().collect::<Vec<_>>(), [Order::Keep("day/3-40.jpg".into(), picture_of(40))]);
}

#[test]
fn a_disk_that_does_not_keep_up_loses_pictures_and_no_order_to_forget() {
    let (pictures, ordered) = pictures();
    let disk = pictures.disk.unwrap();
    for line in 0..UNWRITTEN as LineNo + 9 {
        disk.asks(Order::Keep("day".into(), picture_of(line)));
    }
    disk.asks(Order::Forget("day".into(), 3));
    let orders: Vec<Order> = ordered.try_iter().collect();
    assert_eq!((orders.len(), orders.last()), (UNWRITTEN + 1, Some(&Order::Forget("day".into(), 3))));
}

#[test]
fn what_is_old_goes_though_nothing_happens_at_the_table() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("day").join(name(3, 5));
    let ageing = Ageing { folder: folder.path().to_owned(), age: 2 * DAY };
    let (orders, ordered) = channel();
    let works = std::thread::spawn(move || {
        works(&ordered, &AtomicUsize::new(0), (Some(&ageing), Duration::from_millis(10)));
    });
    orders.send(Order::Keep(file.clone(), picture_of(5))).unwrap();
    wait_for("the picture", || file.exists());
    File::options().write(true).open(&file).unwrap().set_modified(SystemTime::now() - 3 * DAY).unwrap();
    wait_for("its end", || !file.exists());
    drop(orders);
    works.join().unwrap();
}

fn wait_for(what: &str, is_so: impl Fn() -> bool) {
    let began = Instant::now();
    while !is_so() {
        assert!(began.elapsed() < Duration::from_mins(1), "{what} never came");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// The first events of a log, whose pictures are kept beside a record: what is then served of each card that was drawn,
/// and whether it may be.
async fn served((header, events): (&Header, &[Event])) -> Vec<(LineNo, bool, bool)> {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("record");
    fs::write(&record, r#"{"began":0}"#.to_owned() + "\n").unwrap();
    let (orders, ordered) = channel();
    let thread = std::thread::spawn(move || works(&ordered, &AtomicUsize::new(0), (None, HOUR)));
    let disk = Disk {
        orders,
        unwritten: Arc::default(),
        thread: Some(thread),
        folder: pictures_of(&record, 0),
        record: record.clone(),
    };
    let mut pictures = CardPictures { disk: Some(disk), ..CardPictures::default() };
    let mut table = LiveTable::new(Validator::new(header.clone()).unwrap(), Findings::default());
    let (mut drawn, mut secret, mut corrected) = (Vec::new(), BTreeSet::new(), BTreeSet::new());
    for (line, event) in (2..).zip(events) {
        let judged = table.step(line, event);
        let of_card = matches!(event, Event::Draw { .. }).then(|| origin(line));
        pictures.told(line, (event, of_card.as_ref()), &judged);
        pictures.durable(line);
        of_card.into_iter().for_each(|of_card| pictures.comes(of_card, picture_of(line)));
        if let Event::Draw { card, .. } = event {
            drawn.push((line, judged.pass));
            secret.extend((judged.covering.covers.is_some() || *card == Card::UNREAD).then_some(line));
        }
        if matches!(event, Event::Correct { .. }) {
            corrected.extend([judged.pass - 1, judged.pass]);
        }
        if !matches!(event, Event::End {}) {
            judged.covering.uncovers.iter().for_each(|(of, _)| _ = secret.remove(of));
        }
    }
    pictures.close(events.len() as LineNo + 1);
    let findings: Vec<_> = table.findings.list().cloned().collect();
    let (_told, snapshots) = watch::channel(Arc::new(Snapshot { findings: findings.clone(), ..Snapshot::default() }));
    let (_running, stop) = watch::channel(false);
    let access = Access { record: Some(RecordFeed::of(&record)), ..Access::default() };
    let pages = TowerToHyperService::new(web::router(snapshots, access, stop));
    let mut all = Vec::new();
    for (line, pass) in drawn {
        let Some(view) = findings.iter().find(|view| view.finding.pass == pass) else { continue };
        let asked = Request::get(format!("/findings/{}/cards/{line}", view.finding.n)).body(Body::empty()).unwrap();
        let answer = pages.call(asked).await.unwrap();
        let is_served = answer.status().is_success();
        if is_served {
            assert_eq!(answer.into_body().collect().await.unwrap().to_bytes(), picture_of(line).0);
        }
        all.push((line, is_served, !secret.contains(&line) && !corrected.contains(&pass)));
    }
    all
}

#[tokio::test]
async fn the_page_of_a_findings_card_is_never_that_of_a_covered_burned_unread_or_corrected_one() {
    let (mut open, mut secret) = (0, 0);
    for (nth, house) in HOUSES.iter().enumerate() {
        let (header, mut events) = dealt(house, 1, 6, Some(3));
        // one card in seven is not read, and the third pass is corrected
        let unread = events.iter_mut().filter_map(|event| match event {
            Event::Draw { card, .. } => Some(card),
            _ => None,
        });
        unread.skip(nth).step_by(7).for_each(|card| *card = Card::UNREAD);
        let correct = br#"{"ev":"correct","by":"I-4","role":"inspector","line":2}"#;
        let third = events.iter().enumerate().filter(|(_, event)| matches!(event, Event::End {})).nth(2).unwrap().0;
        events.insert(third, sabot_law::table::line::event(correct).unwrap());
        for end in (1..=events.len()).step_by(events.len() / 5) {
            for (line, is_served, may_be) in served((&header, &events[..end])).await {
                assert_eq!(is_served, may_be, "{}: line {line} after {end} events", house.id);
                open += u32::from(may_be);
                secret += u32::from(!may_be);
            }
        }
    }
    assert!(open > 100 && secret > 50, "{open} open, {secret} secret");
}
