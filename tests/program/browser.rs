//! The page in a real browser: Debian's chromium through chromedriver. Plain `cargo test` counts these tests as
//! ignored; `.ci/test` installs both and runs them, or says that it skipped them.

#[path = "../../src/station/tests/console/samples.rs"]
mod samples;

mod accessible;
mod commission;
mod correct;
mod dealer;
mod devices;
mod faces;
mod fits;
mod history;
mod past;
mod pit;
mod pixels;
mod settlement;
mod setup;
mod touches;
mod watchers;

use std::io::BufRead as _;
use std::net::SocketAddr;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::acts::Desk;
use crate::dossier::Signed;
use crate::process::{Process, sabot};
use fantoccini::{Client, ClientBuilder, Locator};
use hyper_util::client::legacy::connect::HttpConnector;
use sabot_law::table::felt::Shown;
use sabot_stall_guard::{PATIENCE, Stopwatch};
use sabot_station::console;
use sabot_station::snapshot::Snapshot;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinHandle;

/// Nothing here takes so long unless it hangs.
const LIMIT: Duration = Duration::from_secs(90);

/// Chromedriver on a free port, in a process group of its own that ends with it.
struct Driver {
    child: Child,
    address: String,
    profile: tempfile::TempDir,
}

impl Driver {
    fn start() -> Self {
        let mut command = Command::new("chromedriver");
        command.arg("--port=0").stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).process_group(0);
        let mut child = command.spawn().expect("chromedriver starts (Debian: chromium-driver)");
        let out = child.stdout.take().unwrap();
        let mut driver = Self { child, address: String::new(), profile: tempfile::tempdir().unwrap() };
        let mut lines = std::io::BufReader::new(out).lines().map_while(Result::ok);
        let port = lines.find_map(|line| {
            let port = line.rsplit_once("started successfully on port ")?.1;
            port.trim_end_matches('.').parse::<u16>().ok()
        });
        driver.address = format!("127.0.0.1:{}", port.expect("chromedriver says its port"));
        std::thread::spawn(move || lines.for_each(drop));
        driver
    }

    async fn browser(&self) -> Client {
        let profile = format!("--user-data-dir={}", self.profile.path().display());
        let mut args: Vec<&str> =
            "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-dev-shm-usage \
             --disable-background-networking --disable-component-update --disable-sync --hide-scrollbars"
                .split_whitespace()
                .collect();
        args.push(&profile);
        let wanted =
            serde_json::json!({ "goog:chromeOptions": { "args": args }, "goog:loggingPrefs": { "browser": "ALL" } });
        let wanted = wanted.as_object().unwrap().clone();
        let client = ClientBuilder::new(HttpConnector::new())
            .capabilities(wanted)
            .connect(&format!("http://{}", self.address))
            .await;
        client.expect("chromedriver starts chromium (Debian: chromium, of the same version)")
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        let group = format!("-{}", self.child.id());
        let _ = Command::new("kill").args(["-KILL", "--", &group]).stderr(Stdio::null()).status();
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The page being served, its snapshots in our hand.
struct Served {
    address: SocketAddr,
    snapshots: watch::Sender<Arc<Snapshot>>,
    shutdown: watch::Sender<bool>,
    task: JoinHandle<()>,
}

impl Served {
    async fn start(address: &str, snapshot: Snapshot) -> Self {
        Self::serving(address, snapshot, console::Access::default()).await
    }

    async fn serving(address: &str, snapshot: Snapshot, access: console::Access) -> Self {
        let listener = TcpListener::bind(address).await.unwrap();
        let address = listener.local_addr().unwrap();
        let (snapshots, pictures) = watch::channel(Arc::new(snapshot));
        let (shutdown, stop) = watch::channel(false);
        Self { address, snapshots, shutdown, task: tokio::spawn(console::serve(listener, pictures, access, stop)) }
    }

    fn url(&self, rest: &str) -> String {
        format!("http://{}{rest}", self.address)
    }

    async fn stop(self) {
        self.shutdown.send_replace(true);
        self.task.await.unwrap();
    }
}

/// Runs a test with chromedriver's address and a browser, which is closed however the test ends.
fn with_browser<F: Future<Output = ()> + Send + 'static>(test: impl FnOnce(String, Client) -> F) {
    with_browser_for(LIMIT, test);
}

/// The same; a test that takes longer hangs.
fn with_browser_for<F: Future<Output = ()> + Send + 'static>(limit: Duration, test: impl FnOnce(String, Client) -> F) {
    let driver = Driver::start();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(async {
        let client = tokio::time::timeout(LIMIT, driver.browser()).await.expect("the browser starts in time");
        let test = tokio::spawn(tokio::time::timeout(limit, test(driver.address.clone(), client.clone())));
        let ended = test.await;
        let closed = tokio::time::timeout(Duration::from_secs(10), client.close()).await;
        match ended {
            Ok(in_time) => in_time.expect("the test ends in time"),
            Err(panic) => std::panic::resume_unwind(panic.into_panic()),
        }
        closed.expect("the browser closes in time").unwrap();
    });
}

async fn eval(client: &Client, script: &str) -> serde_json::Value {
    client.execute(script, vec![]).await.unwrap()
}

/// Waits until an expression is true in the page; says how long that took.
async fn until(client: &Client, expression: &str) -> Duration {
    let (begin, lasts) = (Instant::now(), Stopwatch::start());
    while eval(client, &format!("return Boolean({expression})")).await != true {
        assert!(begin.elapsed() < PATIENCE, "never true: {expression}");
        tokio::time::sleep(Duration::from_millis(30)).await;
    }
    lasts.elapsed()
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn a_finding_appears_by_itself_in_both_languages_and_a_covered_card_is_nowhere() {
    with_browser(|_, client| async move {
        let mut before = samples::rich_play();
        before.findings.remove(0);
        before.felt.bank = samples::cards("TS ##");
        before.felt.bank_total = None;
        let served = Served::start("127.0.0.1:0", before).await;
        for (lang, due, words, remedy) in [
            ("es", "quemar 1 carta de la banca", "salió descubierta", "dar carta a la banca"),
            ("en", "burn 1 card of the bank", "came uncovered", "deal a card to the bank"),
        ] {
            let mut calm = samples::rich_play();
            calm.findings.remove(0);
            calm.felt.bank = samples::cards("TS ##");
            calm.felt.bank_total = None;
            served.snapshots.send_replace(Arc::new(calm));
            client.goto(&served.url(&format!("/?lang={lang}"))).await.unwrap();
            until(&client, &format!("document.querySelector('#due .first').textContent === '{due}'")).await;
            until(&client, "document.querySelector('.alarm:not(.raised)')").await;
            eval(&client, "window.kept = document.querySelector('#box-1')").await;

            served.snapshots.send_replace(Arc::new(samples::rich_play()));
            for (place, words) in [
                ("#finding-4.open", "C7"),
                ("#finding-4.open", words),
                ("#finding-4.open", remedy),
                ("#due .alarm.raised", "C7"),
                ("#alert", words), // a screen reader is told
            ] {
                until(&client, &format!("document.querySelector('{place}')?.textContent.includes('{words}')")).await;
            }
            assert!(client.title().await.unwrap().contains("C7"));
            until(&client, "window.kept.isConnected").await; // no reload, and what did not change was left alone

            // box 2's doubled card is covered: a back without a face, and nothing in the document names one
            let back = "return document.querySelector('#box-2 .back').outerHTML";
            let back = eval(&client, back).await.as_str().unwrap().to_string();
            assert!(!back.contains("suit") && !back.contains("<b>"), "{back}");
            only_uncovered_cards(&client, &samples::rich_play()).await;
        }
        served.stop().await;
    });
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn times_are_those_of_the_table_wherever_the_tablet_is() {
    with_browser(|_, client| async move {
        // 2026-11-24T03:04:05.678Z, and no machine of ours is where it was 08:49 then
        let mut snapshot = samples::rich_play();
        snapshot.verdict = samples::blind("sabot: no se ve", "shoe: not seen", true);
        snapshot.house = "Asia/Kathmandu".parse().unwrap();
        let served = Served::start("127.0.0.1:0", snapshot).await;
        client.goto(&served.url("/?lang=es")).await.unwrap();
        until(&client, "document.querySelector('#fault time').textContent.includes('8:49:05')").await;
        let minutes = "document.querySelector('#asof').textContent.match(/:(\\d\\d):/)?.[1]";
        let there = "(new Date().getUTCMinutes() + 45) % 60";
        until(&client, &format!("Number({minutes}) === {there}")).await;
        served.stop().await;
    });
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn a_step_carried_out_is_marked_done_in_words_the_next_is_left_and_a_cleared_finding_asks_for_nothing() {
    with_browser(|_, client| async move {
        let served = Served::start("127.0.0.1:0", samples::empty_table()).await;
        let serve = r#"{"ev":"draw","card":"4S","to":"bank","face":"down"}"#;
        let burned = format!("{}{BURN}\n", samples::C7_LOG);
        let cleared = format!("{burned}{serve}\n");
        for (lang, burn, serve, done) in [
            ("es", "quemar 1 carta de la banca pagador", "dar carta a la banca pagador", "✓ hecho"),
            ("en", "burn 1 card of the bank dealer", "deal a card to the bank dealer", "✓ done"),
        ] {
            served.snapshots.send_replace(Arc::new(samples::after_log(samples::C7_LOG)));
            client.goto(&served.url(&format!("/?lang={lang}"))).await.unwrap();
            let left = format!("{:?}", [burn, serve]);
            until(&client, &format!("{LISTED} === JSON.stringify({left})")).await;
            assert_eq!(eval(&client, SHOWN_ABOVE).await, serde_json::json!([burn, serve]));

            served.snapshots.send_replace(Arc::new(samples::after_log(&burned)));
            let stands = format!("{:?}", [format!("{burn} {done}").as_str(), serve]);
            until(&client, &format!("{LISTED} === JSON.stringify({stands})")).await;
            assert_eq!(eval(&client, SHOWN_ABOVE).await, serde_json::json!([serve]));

            served.snapshots.send_replace(Arc::new(samples::after_log(&cleared)));
            until(&client, "document.querySelector('#finding-1.cleared') && !document.querySelector('.part')").await;
            until(&client, "document.querySelector('.alarm:not(.raised)')").await;
            let text = eval(&client, "return document.body.textContent").await;
            assert!(!["4 de pique", "4 of spades"].iter().any(|card| text.as_str().unwrap().contains(card)));
        }
        served.stop().await;
    });
}

/// The bank's card is burned.
const BURN: &str = r#"{"ev":"move","from":"bank","to":"burn","cards":1}"#;

/// The steps of the findings in the list, as they are read.
const LISTED: &str = r"JSON.stringify([...document.querySelectorAll('#findings .part')]
    .map((step) => step.textContent.replace(/\s+/g, ' ').trim()))";

/// Those that are seen above, beside what is due.
const SHOWN_ABOVE: &str = r"return [...document.querySelectorAll('.alarm .part')]
    .filter((step) => step.getBoundingClientRect().height > 0)
    .map((step) => step.textContent.replace(/\s+/g, ' ').trim())";

#[test]
#[ignore = "needs chromium and chromedriver"]
fn a_table_of_the_club_is_shown_with_the_player_who_banks_and_nothing_covered() {
    let folder = tempfile::tempdir().unwrap();
    let mut demo = sabot(["demo", "--regulation", "club", "--speed", "20", "--listen", "127.0.0.1:0", "--lang", "en"]);
    let mut demo = Process::start(demo.env("TMPDIR", folder.path()).stdout(Stdio::piped()));
    let mut lines = demo.lines();
    let first = lines.next().unwrap();
    let page = first.trim_start_matches("page").trim().to_owned();
    with_browser(|_, client| async move {
        client.goto(&format!("{page}?lang=en")).await.unwrap();
        until(&client, "document.querySelector('.regulation').textContent.includes('club')").await;
        until(&client, "/^P[0-9]+$/.test(document.querySelector('#bank .who')?.textContent)").await;
        until(&client, "document.querySelectorAll('#bank .card.up').length >= 2").await;
        assert_eq!(eval(&client, "return document.querySelectorAll('.card.back').length").await, 0);
        until(&client, "document.querySelector('.alarm.clear')").await;
    });
    drop(demo);
}

/// Every card the document names is one that lies uncovered, as often as it does.
async fn only_uncovered_cards(client: &Client, snapshot: &Snapshot) {
    let script = "return [...document.querySelectorAll('#felt .card')].map((card) => \
                  (card.querySelector('b')?.textContent ?? '#') + (card.className.match(/suit-(.)/)?.[1] ?? '#'))";
    let mut shown: Vec<String> = serde_json::from_value(eval(client, script).await).unwrap();
    let hands = snapshot.felt.boxes.iter().flat_map(|box_| &box_.hands).flat_map(|hand| &hand.cards);
    let mut lying: Vec<String> = hands
        .chain(&snapshot.felt.bank)
        .map(|card| match card {
            Shown::Covered => "##".into(),
            Shown::Up(card) => {
                card.to_string().replace('T', "10").replace(['S', 'H', 'D', 'C'], "")
                    + &card.to_string()[1..].to_lowercase()
            }
        })
        .collect();
    shown.sort();
    lying.sort();
    assert_eq!(shown, lying);
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn a_lost_connection_is_said_within_three_seconds_and_mended_without_a_hand() {
    with_browser(|_, client| async move {
        let served = Served::start("127.0.0.1:0", samples::calm_delivery()).await;
        let address = served.address.to_string();
        client.goto(&served.url("/?lang=es")).await.unwrap();
        until(&client, "document.querySelector('#lost').hidden").await;
        served.stop().await;
        let said = until(&client, "!document.querySelector('#lost').hidden").await;
        assert!(said < Duration::from_secs(3), "{said:?}");
        until(&client, "document.querySelector('#lost').textContent.includes('Conexión perdida')").await;

        let served = Served::start(&address, samples::rich_play()).await;
        until(&client, "document.querySelector('#lost').hidden && document.querySelector('#finding-4.open')").await;
        served.stop().await;
    });
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn a_station_that_falls_silent_is_noticed_within_three_seconds() {
    with_browser(|_, client| async move {
        let served = Served::start("127.0.0.1:0", samples::calm_delivery()).await;
        // a relay between page and station whose cable can be pulled: it stays open and carries nothing
        let (cable, pulled) = watch::channel(false);
        let relay = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/", relay.local_addr().unwrap());
        let relay = tokio::spawn(carry(relay, served.address, pulled));
        client.goto(&url).await.unwrap();
        until(&client, "document.title.includes('BJ-07')").await;
        assert_eq!(eval(&client, "return document.querySelector('#lost').hidden").await, true);
        cable.send_replace(true);
        let said = until(&client, "!document.querySelector('#lost').hidden").await;
        assert!(said < Duration::from_secs(3), "{said:?}");
        cable.send_replace(false);
        until(&client, "document.querySelector('#lost').hidden").await;
        relay.abort();
        served.stop().await;
    });
}

/// Carries bytes between whoever connects and `to`, except while the cable is pulled.
async fn carry(relay: TcpListener, to: SocketAddr, pulled: watch::Receiver<bool>) {
    loop {
        let Ok((page, _)) = relay.accept().await else { return };
        let Ok(station) = tokio::net::TcpStream::connect(to).await else { return };
        let ((from_page, to_page), (from_station, to_station)) = (page.into_split(), station.into_split());
        tokio::spawn(one_way(from_page, to_station, pulled.clone()));
        tokio::spawn(one_way(from_station, to_page, pulled.clone()));
    }
}

async fn one_way(
    mut from: tokio::net::tcp::OwnedReadHalf,
    mut to: tokio::net::tcp::OwnedWriteHalf,
    mut pulled: watch::Receiver<bool>,
) {
    let mut buffer = vec![0; 16_384];
    while let Ok(read @ 1..) = from.read(&mut buffer).await {
        if pulled.wait_for(|pulled| !pulled).await.is_err() || to.write_all(&buffer[..read]).await.is_err() {
            return;
        }
    }
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn the_page_runs_under_its_own_policy_without_a_complaint_and_fits_a_tablet() {
    with_browser(|driver, client| async move {
        let served = Served::start("127.0.0.1:0", samples::rich_play()).await;
        for (width, height) in [(1024, 768), (768, 1024)] {
            resize(&client, width, height).await;
            for lang in ["es", "en"] {
                client.goto(&served.url(&format!("/?lang={lang}"))).await.unwrap();
                until(&client, "document.querySelector('#finding-4.open')").await;
                let wide = eval(&client, "return document.documentElement.scrollWidth <= innerWidth").await;
                assert_eq!(wide, true, "{width}x{height} {lang} scrolls sideways");
                for id in ["due", "felt", "findings", "devices"] {
                    let seen =
                        format!("return document.getElementById('{id}').getBoundingClientRect().bottom <= innerHeight");
                    assert_eq!(eval(&client, &seen).await, true, "{width}x{height} {lang}: {id} is below the screen");
                }
            }
        }
        assert_eq!(complaints(&driver, &client).await, Vec::<String>::new());
        // the same question finds a breach of the policy where there is one
        eval(&client, "document.body.insertAdjacentHTML('beforeend', '<p style=\"color: red\">!</p>')").await;
        let told = complaints(&driver, &client).await;
        assert!(told.len() == 1 && told[0].contains("Content Security Policy"), "{told:?}");
        served.stop().await;
    });
}

/// Touches what a selector finds.
async fn touch(client: &Client, selector: &str) {
    until(client, &format!("document.querySelector('{selector}')")).await;
    client.find(Locator::Css(selector)).await.unwrap().click().await.unwrap();
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn a_person_signs_in_and_acts_in_two_touches_from_the_alarm_on_any_screen() {
    with_browser(|driver, client| async move {
        let desk = tokio::task::spawn_blocking(Desk::with_a_finding).await.unwrap();
        let table = format!("http://{}/?lang=en", desk.address);
        let fits = "document.documentElement.scrollWidth <= innerWidth";
        resize(&client, 500, 800).await;
        client.goto(&table).await.unwrap();
        touch(&client, "#due .alarm a").await;
        touch(&client, "a[href^=\"/sign-in\"]").await;
        until(&client, "document.querySelector('[name=pin]')").await;
        until(&client, fits).await;
        client.find(Locator::Css("[name=name]")).await.unwrap().send_keys("S-1").await.unwrap();
        client.find(Locator::Css("[name=pin]")).await.unwrap().send_keys("771204").await.unwrap();
        touch(&client, "button.main").await;
        until(&client, "location.pathname === '/findings/1' && document.querySelector('.who')").await;
        until(&client, fits).await;
        // from now on: the alarm, then the act
        client.goto(&table).await.unwrap();
        touch(&client, "#due .alarm a").await;
        touch(&client, "button[value=take]").await;
        until(&client, "document.querySelector('.attention')?.textContent === 'Taken by S-1'").await;
        client.goto(&table).await.unwrap();
        touch(&client, "#due .alarm a").await;
        touch(&client, "button[value=resume]").await;
        until(&client, "document.querySelector('.finding.cleared')").await;
        client.goto(&format!("http://{}/acts?lang=es", desk.address)).await.unwrap();
        until(&client, "document.querySelector('option[value=bank]')").await;
        until(&client, fits).await;
        assert_eq!(complaints(&driver, &client).await, Vec::<String>::new());
        tokio::task::spawn_blocking(move || drop(desk)).await.unwrap();
    });
}

/// Pairs of texts of a split box that lie over each other, or stick out of it.
const CLASHES: &str = r"
    const said = [];
    const overlap = (a, b) =>
        Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
    for (const box of document.querySelectorAll('.box:has(.hand-id)')) {
        const texts = [...box.querySelectorAll('h3, .note, .hand-id, .fan, .total, .state, .stake, .insurance')]
            .filter(text => text.getBoundingClientRect().width > 0);
        const frame = box.getBoundingClientRect();
        texts.forEach((one, at) => {
            const place = one.getBoundingClientRect();
            if (place.left < frame.left - 1 || place.right > frame.right + 1) said.push(one.className + ' sticks out of ' + box.id);
            for (const other of texts.slice(at + 1)) {
                if (overlap(place, other.getBoundingClientRect())) said.push(one.className + ' over ' + other.className);
            }
        });
    }
    return { boxes: document.querySelectorAll('.box:has(.hand-id) .note:not(:empty)').length, said };
";

#[test]
#[ignore = "needs chromium and chromedriver"]
fn in_a_split_box_no_text_lies_over_another_however_great_the_stakes() {
    with_browser(|_, client| async move {
        let served = Served::start("127.0.0.1:0", samples::worst_evening()).await;
        for (width, height) in [(1024, 768), (768, 1024), (1920, 1080), (390, 844)] {
            resize(&client, width, height).await;
            client.goto(&served.url("/?lang=en")).await.unwrap();
            until(&client, "document.querySelector('#hand-5b')").await;
            let clashes = eval(&client, CLASHES).await;
            assert_eq!(clashes["said"].as_array().unwrap().len(), 0, "{width}x{height}: {clashes}");
            assert!(clashes["boxes"].as_u64().unwrap() > 0, "no split box has a note: nothing was looked at");
        }
        served.stop().await;
    });
}

/// What the browser's console said since it was asked last.
async fn complaints(driver: &str, client: &Client) -> Vec<String> {
    let told = asked(driver, client, "se/log", r#"{"type":"browser"}"#).await;
    told["value"].as_array().unwrap().iter().map(|entry| entry["message"].to_string()).collect()
}

/// What chromedriver answers to a command of its own.
async fn asked(driver: &str, client: &Client, command: &str, body: &str) -> serde_json::Value {
    let session = client.session_id().await.unwrap().unwrap();
    let head = format!(
        "POST /session/{session}/{command} HTTP/1.1\r\nHost: {driver}\r\nConnection: close\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    let mut stream = tokio::net::TcpStream::connect(driver).await.unwrap();
    stream.write_all(format!("{head}{body}").as_bytes()).await.unwrap();
    // chromedriver leaves the connection open: the head says how much there is to read
    let mut answer = BufReader::new(stream);
    let mut length = 0;
    loop {
        let mut line = String::new();
        answer.read_line(&mut line).await.unwrap();
        match line.trim_end().to_ascii_lowercase().split_once(':') {
            Some(("content-length", bytes)) => length = bytes.trim().parse().unwrap(),
            None if line.trim_end().is_empty() => break,
            _ => {}
        }
    }
    let mut body = vec![0; length];
    answer.read_exact(&mut body).await.unwrap();
    serde_json::from_slice(&body).unwrap()
}

/// Makes the page itself so large, whatever frame the browser has.
async fn resize(client: &Client, width: u32, height: u32) {
    let frame = eval(client, "return [outerWidth - innerWidth, outerHeight - innerHeight]").await;
    // a window that is being resized may say that it is smaller than what it shows
    let with_frame = |index: usize, wanted: u32| wanted + u32::try_from(frame[index].as_i64().unwrap()).unwrap_or(0);
    client.set_window_size(with_frame(0, width), with_frame(1, height)).await.unwrap();
}

#[test]
#[ignore = "draws the page into the directory named by SABOT_SCREENSHOTS"]
fn screenshots() {
    let into = PathBuf::from(std::env::var_os("SABOT_SCREENSHOTS").expect("SABOT_SCREENSHOTS names a directory"));
    std::fs::create_dir_all(&into).unwrap();
    with_browser(|_, client| async move {
        let served = Served::start("127.0.0.1:0", samples::empty_table()).await;
        let pictures = [
            ("empty", samples::empty_table()),
            ("calm", samples::calm_delivery()),
            ("c7", samples::after_log(samples::C7_LOG)),
            ("burned", samples::after_log(&format!("{}{BURN}", samples::C7_LOG))),
            ("rich", samples::rich_play()),
            ("worst", samples::worst_evening()),
        ];
        for (width, height) in [(1024, 768), (768, 1024), (1920, 1080), (390, 844)] {
            resize(&client, width, height).await;
            for (name, snapshot) in &pictures {
                served.snapshots.send_replace(Arc::new(snapshot.clone()));
                for lang in ["es", "en"] {
                    client.goto(&served.url(&format!("/?lang={lang}"))).await.unwrap();
                    until(&client, "document.readyState === 'complete'").await;
                    let picture = client.screenshot().await.unwrap();
                    std::fs::write(into.join(format!("{name}-{lang}-{width}x{height}.png")), picture).unwrap();
                }
            }
        }
        resize(&client, 1024, 768).await;
        client.goto(&served.url("/?lang=es")).await.unwrap();
        until(&client, "document.querySelector('#lost').hidden").await;
        served.stop().await;
        until(&client, "!document.querySelector('#lost').hidden").await;
        std::fs::write(into.join("lost-es-1024x768.png"), client.screenshot().await.unwrap()).unwrap();
    });
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn a_dossier_is_drawn_from_its_file_alone() {
    let signed = Signed::new();
    let page = signed.dossier(&["1", "--lang", "en"]);
    let path = signed.0.path().join("dossier.html");
    std::fs::write(&path, page.out).unwrap();
    with_browser(|_, client| async move {
        client.goto(&format!("file://{}", path.display())).await.unwrap();
        until(&client, "document.readyState === 'complete'").await;
        assert_eq!(eval(&client, "return performance.getEntriesByType('resource').length").await, 0);
        // the step at which the bank's card came uncovered is marked, and the one after shows its successor's back
        let about = "document.querySelector('.course > .about .answer').textContent.startsWith('! C7')";
        until(&client, about).await;
        until(&client, "document.querySelectorAll('.course > li .bank .card.back').length > 0").await;
        let sizes = "return [...document.querySelectorAll('.course .card')].map((card) => card.getBoundingClientRect())
            .filter((card) => card.width < 15 || card.height < 20).length";
        assert_eq!(eval(&client, sizes).await, 0, "every card can be read");
        let apart = "const felt = document.querySelector('.course .felt').getBoundingClientRect();
            return [...document.querySelectorAll('.course > li:first-child .box')].every((box) => {
                const place = box.getBoundingClientRect();
                return place.left >= felt.left && place.right <= felt.right + 1 && place.bottom <= felt.bottom + 1;
            })";
        assert_eq!(eval(&client, apart).await, true);
        assert_eq!(eval(&client, "return document.querySelectorAll('a[download]').length").await, 2);
    });
}
