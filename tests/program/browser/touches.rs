//! From the alarm to whatever its finding asks for: touches, counted. Each act that any finding of the handbooks asks
//! for has its touch on the finding's page, and in a browser that touch does it.

use std::collections::BTreeSet;
use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::Arc;

use fantoccini::Client;
use sabot_law::table::due::{Progress, RemedyStep};
use sabot_law::table::{Event, Remedy};
use sabot_station::acts::{Act, Acts, Asked};
use sabot_station::console::{Access, Desk as Acting};
use sabot_station::pins::Pins;
use sabot_station::second::Seconds;
use sabot_station::snapshot::{FindingState, Snapshot};
use sabot_station::staff::{Office, PinHash, entry};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::task::{block_in_place, spawn_blocking};

use super::fits::all_findings;
use super::{LIMIT, Served, complaints, eval, samples, touch, until, with_browser, with_browser_for};
use crate::acts::Desk;
use crate::processes::asked;

const PIN: &str = "402913";

/// A table's page on which one person acts who holds every office, and what he does there.
pub(super) struct Hand {
    pub(super) served: Served,
    did: UnboundedReceiver<Act>,
    pub(super) cookie: String,
    _people: tempfile::TempDir,
}

impl Hand {
    pub(super) async fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("staff.toml");
        fs::write(&file, entry("X-1", Office::ALL, &PinHash::of(PIN).unwrap(), None)).unwrap();
        let (acts, mut taking) = Acts::channel();
        let (tell, did) = unbounded_channel();
        tokio::spawn(async move {
            while let Some(asked) = taking.recv().await {
                if let Asked::Done(signed, answer) = asked {
                    let is_sign_in = signed.act == Act::SignIn;
                    let _ = answer.send(Ok(1));
                    if !is_sign_in && tell.send(signed.act).is_err() {
                        return;
                    }
                }
            }
        });
        let desk = Acting::new(Arc::new(Pins::of(file).unwrap()), Seconds::default(), acts);
        let access = Access { desk: Some(desk), ..Access::default() };
        let served = Served::serving("127.0.0.1:0", samples::empty_table(), access).await;
        let address = served.address.to_string();
        let cookie = spawn_blocking(move || signed_in(&address)).await.unwrap();
        Self { served, did, cookie, _people: folder }
    }

    /// Shows a table at a moment; the page of the finding that the alarm's first touch leads to.
    async fn shows(&self, moment: &Snapshot) -> String {
        self.shows_in(moment, "en").await
    }

    pub(super) async fn shows_in(&self, moment: &Snapshot, lang: &'static str) -> String {
        self.served.snapshots.send_replace(Arc::new(moment.clone()));
        let (address, cookie) = (self.served.address.to_string(), format!("Cookie: {}\r\n", self.cookie));
        let pages = spawn_blocking(move || {
            let table = asked(&address, &format!("/?lang={lang}"), &cookie);
            let alarm = table.split("<section class=\"alarm raised").nth(1).expect("an alarm");
            let path = alarm.split("href=\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
            asked(&address, path, &cookie)
        });
        pages.await.unwrap()
    }
}

fn signed_in(address: &str) -> String {
    let form = format!("name=X-1&pin={PIN}&next=%2F");
    let mut stream = TcpStream::connect(address).unwrap();
    write!(
        stream,
        "POST /sign-in HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nContent-Length: {}\r\n\
         Content-Type: application/x-www-form-urlencoded\r\n\r\n{form}",
        form.len()
    )
    .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let cookie = answer.lines().find_map(|line| line.strip_prefix("set-cookie: ")).expect("he is signed in");
    cookie.split(';').next().unwrap().to_owned()
}

/// What is left to be done about the finding of a moment, where it is open.
fn left(moment: &Snapshot) -> Vec<RemedyStep> {
    let steps = moment.felt.remedies.iter().filter(|open| open.finding == moment.findings[0].finding.n);
    steps.flat_map(|open| open.steps.clone()).filter(|step| step.progress == Progress::Open).collect()
}

/// Whether somebody does it by a touch: a card comes from the shoe by itself, and that a bet is void needs no deed.
const fn is_touched(remedy: &Remedy) -> bool {
    !matches!(remedy, Remedy::Serve { .. } | Remedy::VoidBet { .. })
}

/// The buttons of a step, as a selector.
fn buttons(step: &str) -> String {
    if step == "rule" { "button[value=stands]".to_owned() } else { format!("form[data-asks={step}] button") }
}

/// Whether an act is what a step asks for.
fn answers(act: &Act, step: &str) -> bool {
    let entered =
        |is_it: fn(&Event) -> bool| matches!(act, Act::Enter { events, .. } if events.last().is_some_and(is_it));
    match step {
        "rule" => matches!(act, Act::Rule { .. }),
        "authorize" => matches!(act, Act::Authorize { .. }),
        "identify" => entered(|event| matches!(event, Event::Reveal { card: Some(_), .. })),
        "burn" | "put_back" => entered(|event| matches!(event, Event::Move { .. })),
        "return_bet" => entered(|event| matches!(event, Event::Bet { .. })),
        "announce" => entered(|event| matches!(event, Event::Announce { .. })),
        "ask_consent" => entered(|event| matches!(event, Event::Consent { .. })),
        "offer" => entered(|event| matches!(event, Event::Choose { .. })),
        "collect" | "pay" => entered(|event| matches!(event, Event::Collect { .. } | Event::Pay { .. })),
        other => panic!("{other}: how is that done?"),
    }
}

#[test]
fn every_act_that_any_finding_asks_for_has_its_touch_on_the_page_to_which_the_alarm_leads() {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(async {
        let hand = Hand::start().await;
        let (mut looked, mut without) = (BTreeSet::new(), Vec::new());
        let open = |moment: &Snapshot| moment.findings[0].state == FindingState::Open;
        for moment in spawn_blocking(all_findings).await.unwrap().iter().filter(|moment| open(moment)) {
            let page = hand.shows(moment).await;
            for step in left(moment).iter().filter(|step| is_touched(&step.remedy)) {
                let name = step.remedy.name();
                let of_it =
                    if name == "rule" { "value=\"stands\"".to_owned() } else { format!("data-asks=\"{name}\"") };
                if !page.contains(&of_it) {
                    without.push(format!("{}: {:?}", moment.findings[0].finding.provision, step.remedy));
                }
                looked.insert(name);
            }
        }
        assert!(without.is_empty(), "{} have none:\n{}", without.len(), without.join("\n"));
        // so many kinds of deeds the articles know
        assert!(looked.len() >= 9, "{looked:?}");
        hand.served.stop().await;
    });
}

/// Counts what a finger does.
struct Finger<'a> {
    client: &'a Client,
    touches: usize,
}

impl Finger<'_> {
    async fn touch(&mut self, selector: &str) {
        touch(self.client, selector).await;
        self.touches += 1;
    }
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn every_kind_of_act_that_a_finding_asks_for_is_done_by_the_second_touch_from_the_alarm() {
    with_browser_for(3 * LIMIT, |driver, client| async move {
        let mut hand = Hand::start().await;
        client.goto(&hand.served.url("/?lang=en")).await.unwrap();
        let cookie = hand.cookie.clone();
        client.execute("document.cookie = `${arguments[0]}; path=/`", vec![cookie.into()]).await.unwrap();
        let mut done = BTreeSet::new();
        for moment in spawn_blocking(all_findings).await.unwrap() {
            let steps = left(&moment);
            let new = |step: &&RemedyStep| is_touched(&step.remedy) && !done.contains(step.remedy.name());
            let names: Vec<&str> = steps.iter().filter(new).map(|step| step.remedy.name()).collect();
            for name in names {
                hand.served.snapshots.send_replace(Arc::new(moment.clone()));
                client.goto(&hand.served.url("/?lang=en")).await.unwrap();
                let mut finger = Finger { client: &client, touches: 0 };
                finger.touch("#due .alarm .where > a").await;
                if name == "identify" {
                    until(&client, "document.querySelector('[name=card]')").await;
                    eval(&client, "document.querySelector('[name=card]').value = 'KH'").await;
                }
                finger.touch(&buttons(name)).await;
                let act = hand.did.recv().await.unwrap();
                assert!(answers(&act, name), "{name}: {act:?}");
                assert_eq!(finger.touches, 2, "{name}");
                done.insert(name);
            }
        }
        assert!(done.len() >= 9, "{done:?}");
        assert_eq!(complaints(&driver, &client).await, Vec::<String>::new());
        hand.served.stop().await;
    });
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn the_article_of_a_finding_is_read_after_one_touch_on_the_table_s_page_and_on_the_dealer_s_screen() {
    with_browser(|driver, client| async move {
        let desk = spawn_blocking(Desk::with_a_finding).await.unwrap();
        let is_read = "location.pathname === '/regulation/C20' && \
                       document.querySelector('article.rule#C20 p')?.getBoundingClientRect().bottom < innerHeight";
        for (page, place) in
            [("/?lang=es", "#due .alarm"), ("/?lang=en", "#findings .finding"), ("/dealer?lang=es", "#due .alarm")]
        {
            client.goto(&format!("http://{}{page}", desk.address)).await.unwrap();
            until(&client, "document.querySelector('#lost').hidden").await;
            let mut finger = Finger { client: &client, touches: 0 };
            finger.touch(&format!("{place} a.says")).await;
            until(&client, is_read).await;
            assert_eq!(finger.touches, 1);
        }
        // who has no scripts follows the same link
        let linked = block_in_place(|| asked(&desk.address, "/?lang=en", ""));
        let path = linked.split("class=\"says\" href=\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
        assert!(block_in_place(|| asked(&desk.address, path, "")).contains("<article id=\"C20\""), "{path}");
        assert_eq!(complaints(&driver, &client).await, Vec::<String>::new());
        spawn_blocking(move || drop(desk)).await.unwrap();
    });
}
