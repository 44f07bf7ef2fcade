//! Every page by the rules of axe-core (WCAG 2.2 AA and good practice), light and dark, and with a keyboard alone.
//! Debian has no axe-core: PyPI gives it, into the folder of the build, and it is no part of this repository.

use std::path::PathBuf;
use std::process::Command;
use std::sync::{Arc, OnceLock};

use fantoccini::Client;
use serde_json::{Value, json};
use tokio::task::spawn_blocking;

use super::pit::{Tables, uncovered};
use super::{LIMIT, Served, asked, complaints, eval, samples, until, with_browser, with_browser_for};
use crate::acts::Desk;
use crate::dossier::Signed;
use crate::past::Dealt;

/// The package of PyPI that brings axe-core 4.12.1.
const PACKAGE: &str = "axe-playwright-python==0.1.8";

/// Pages of a table, as everybody sees them.
const BY_EVERYBODY: [&str; 9] = [
    "/?lang=es",
    "/findings?lang=en",
    "/passes/1?lang=en&step=5",
    "/moments/12?lang=es",
    "/shift?lang=en",
    "/shoe?lang=es",
    "/devices?lang=en",
    "/regulation/C7?lang=en",
    "/regulation?lang=es&q=banca",
];
/// Those that lead to signing in.
const SIGNED_OUT: [&str; 2] = ["/sign-in?lang=en", "/dealer?lang=es"];
/// Pages of whoever is signed in, at a table with a finding.
const AT_REST: [&str; 8] =
    ["/acts", "/findings/1", "/dealer/more", "/dealer/more/card", "/correct", "/devices", "/staff", "/log"];
/// The same of a table in play; `{line}` is one that may be corrected.
const IN_PLAY: [&str; 5] =
    ["/", "/dealer", "/correct/{line}", "/correct/{line}/instead", "/correct/{line}/instead/card"];
/// Pages of whoever may know what nobody at the table is told.
const UNTOLD: [&str; 3] = ["/silent?lang=es", "/silent?lang=en", "/findings/1?lang=en"];

/// Pages that other programs and parts serve, by file and route, and the file of the test that holds them.
const ELSEWHERE: [(&str, &str, &str); 7] = [
    ("pit/web.rs", "\"/\"", "accessible.rs"),
    ("pit/history.rs", "\"/\"", "history.rs"),
    ("pit/history.rs", "\"/report\"", "history.rs"),
    ("pit/history.rs", "\"/pass\"", "history.rs"),
    ("station/commission/page.rs", "&path", "commission.rs"),
    ("station/commission/page.rs", "&format!(\"{path}/sheet\")", "commission.rs"),
    ("station/setup/page.rs", "&path", "setup.rs"),
];
/// What is served and is no page.
const NO_PAGE: [&str; 9] = [
    "/events",
    "/api/",
    "/checkpoint",
    "/metrics",
    "/healthz",
    "/authority.crt",
    "/assets/",
    "{path}/events",
    "/cards/",
];
/// It leads to another page at once.
const LEADS_ON: &str = "\"/moments\"";

/// The text of axe-core.
fn axe() -> &'static str {
    static AXE: OnceLock<String> = OnceLock::new();
    AXE.get_or_init(fetched)
}

fn fetched() -> String {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(PACKAGE);
    let file = folder.join("axe_playwright_python/axe.min.js");
    if !file.exists() {
        std::fs::create_dir_all(&folder).unwrap();
        let install = ["-m", "pip", "install", "--quiet", "--no-deps", "--target", ".", PACKAGE];
        let installed = Command::new("python3").args(install).current_dir(&folder).status();
        assert!(installed.is_ok_and(|done| done.success()), "pip gives {PACKAGE} (Debian: python3-pip)");
    }
    std::fs::read_to_string(file).unwrap()
}

/// A ground that runs from one colour to another cannot be measured: it is as light, or as dark, as it gets.
const PLAIN: &str = "const sheet = new CSSStyleSheet();
    const dark = matchMedia('(prefers-color-scheme: dark)').matches;
    sheet.replaceSync(`.blind { background: #4a1030 !important }
        ${dark ? '#due .now:not(:has(.none)), .touch.due:first-child { background: #3a2d06 !important }' : ''}
        * { animation: none !important }`);
    document.adoptedStyleSheets = [sheet];";

/// What axe finds on the page, a line each. It measures no single letter or figure, as a card's index is one, and no
/// cards that lie over each other. A mark without letters, ✓, has the colour of the words beside it: they are measured.
const FOUND: &str = "const done = arguments[arguments.length - 1];
    const told = (rule) => rule.nodes.map((node) => `${rule.id}: ${node.target.join(' ')}: ${node.any.concat(node.all, node.none)
        .map((check) => check.message).join('; ')}`);
    axe.run(document, { resultTypes: ['violations', 'incomplete'] }).then((found) => done({
        passed: found.passes.length,
        told: found.violations.flatMap(told),
        unmeasured: found.incomplete.filter((rule) => rule.id === 'color-contrast').flatMap(told)
            .filter((text) => !text.includes('.corner') && !text.includes('only non-text characters')
                && !text.includes('content is too short')),
    }), (error) => done({ passed: 0, told: [String(error)], unmeasured: [] }));";

/// Elements that a keyboard reaches and that do not show it.
const UNSEEN_FOCUS: &str = "return [...document.querySelectorAll('a[href], button, input, select, [tabindex]')]
    .filter((one) => one.checkVisibility() && !one.disabled && !one.matches('fieldset:disabled *') && one.type !== 'hidden')
    .filter((one) => {
        one.focus({ focusVisible: true });
        const shows = (it) => parseFloat(getComputedStyle(it).outlineWidth) >= 2 && getComputedStyle(it).outlineStyle !== 'none';
        return document.activeElement === one && !shows(one) && !(one.closest('.tile') && shows(one.closest('.tile')));
    }).map((one) => `no focus is seen: ${one.outerHTML.slice(0, 90)}`)";

/// What paper cannot do, and a sheet that is not white.
const PRESSED: &str = "return [...document.querySelectorAll('button, input, select, nav')]
    .filter((one) => one.checkVisibility()).map((one) => `on paper: ${one.outerHTML.slice(0, 90)}`)
    .concat(getComputedStyle(document.documentElement).colorScheme === 'light' ? [] : ['on paper: the sheet is dark'])";

/// As the page is shown: on paper, or in the colours of the night or the day. Whoever goes on with the page afterwards
/// needs its buttons, which paper has not: it is shown first.
const SHOWN: [&str; 3] = ["print", "dark", "light"];

/// What is wrong with a page, shown so.
async fn wrong(client: &Client, (page, scheme): (&str, &str), axe: &str) -> Vec<String> {
    until(client, "document.readyState === 'complete'").await;
    let query = if scheme == "print" { "print".to_owned() } else { format!("(prefers-color-scheme: {scheme})") };
    until(client, &format!("matchMedia('{query}').matches")).await;
    // a page that waits for its stream says so across its head
    until(client, "document.getElementById('lost')?.hidden ?? true").await;
    eval(client, PLAIN).await;
    client.execute(axe, vec![]).await.unwrap();
    let found = client.execute_async(FOUND, vec![]).await.unwrap();
    assert!(found["passed"].as_u64() > Some(10), "{page}: axe looked at nothing: {found}");
    let by_hand = eval(client, if scheme == "print" { PRESSED } else { UNSEEN_FOCUS }).await;
    let told = [&found["told"], &found["unmeasured"], &by_hand].into_iter().flat_map(|told| told.as_array().unwrap());
    let told = told.map(|one| format!("{page}, {scheme}: {}", one.as_str().unwrap_or_default()));
    told.collect()
}

async fn shows(driver: &str, client: &Client, scheme: &str) {
    let params = match scheme {
        "print" => json!({ "media": "print" }),
        _ => json!({ "media": "", "features": [{ "name": "prefers-color-scheme", "value": scheme }] }),
    };
    let body: Value = json!({ "cmd": "Emulation.setEmulatedMedia", "params": params });
    asked(driver, client, "goog/cdp/execute", &body.to_string()).await;
}

/// What is wrong with these pages of somebody who sends this cookie.
async fn all(driver: &str, client: &Client, (address, cookie): (&str, &str), paths: &[&str], axe: &str) -> Vec<String> {
    let mut told = Vec::new();
    for scheme in SHOWN {
        shows(driver, client, scheme).await;
        for path in paths {
            client.goto(&format!("http://{address}{path}")).await.unwrap();
            if !cookie.is_empty() {
                eval(client, &format!("document.cookie = '{cookie}; path=/'")).await;
                client.goto(&format!("http://{address}{path}")).await.unwrap();
            }
            told.extend(wrong(client, (path, scheme), axe).await);
        }
    }
    told
}

fn assert_none(told: &[String]) {
    assert!(told.is_empty(), "{} things:\n{}", told.len(), told.join("\n"));
}

/// Holds the page that is shown now, as it stands.
pub(super) async fn holds(driver: &str, client: &Client, page: &str) {
    let axe = spawn_blocking(axe).await.unwrap();
    let mut told = Vec::new();
    for scheme in SHOWN {
        shows(driver, client, scheme).await;
        told.extend(wrong(client, (page, scheme), axe).await);
    }
    assert_none(&told);
}

#[test]
#[ignore = "needs chromium, chromedriver and pip"]
fn the_pages_of_a_table_are_for_everybody_by_day_and_by_night() {
    with_browser(|driver, client| async move {
        let axe = spawn_blocking(axe).await.unwrap();
        let table = spawn_blocking(|| {
            let table = Dealt::start();
            table.once("/passes/1");
            table
        });
        let table = table.await.unwrap();
        let told = all(&driver, &client, (&table.address, ""), &BY_EVERYBODY, axe).await;
        assert_none(&told);
        spawn_blocking(move || drop(table)).await.unwrap();
    });
}

#[test]
#[ignore = "needs chromium, chromedriver and pip"]
fn the_pages_of_those_who_act_are_for_everybody_by_day_and_by_night() {
    with_browser_for(4 * LIMIT, |driver, client| async move {
        let axe = spawn_blocking(axe).await.unwrap();
        let desk = spawn_blocking(Desk::with_a_finding).await.unwrap();
        let told = all(&driver, &client, (&desk.address, ""), &SIGNED_OUT, axe).await;
        assert_none(&told);
        signed_in(&driver, &client, desk, |_| AT_REST.map(str::to_owned).into()).await;
        let desk = spawn_blocking(Desk::in_play).await.unwrap();
        signed_in(&driver, &client, desk, |desk| {
            let drawn =
                desk.record().iter().rposition(|line| line["ev"] == "draw" && line["card"] != "??").unwrap() + 1;
            IN_PLAY.map(|path| path.replace("{line}", &drawn.to_string())).into()
        })
        .await;
        assert_eq!(complaints(&driver, &client).await, Vec::<String>::new());
    });
}

#[test]
#[ignore = "needs chromium, chromedriver and pip"]
fn the_page_for_surveillance_alone_is_for_everybody_by_day_and_by_night() {
    with_browser(|driver, client| async move {
        let axe = spawn_blocking(axe).await.unwrap();
        let (desk, cookie) = spawn_blocking(Desk::with_silent_findings).await.unwrap();
        let cookie = cookie.trim().trim_start_matches("Cookie: ");
        assert_none(&all(&driver, &client, (&desk.address, cookie), &UNTOLD, axe).await);
        spawn_blocking(move || drop(desk)).await.unwrap();
    });
}

/// The pages of a table as its inspector sees them.
async fn signed_in(
    driver: &str,
    client: &Client,
    desk: Desk,
    paths: impl FnOnce(&Desk) -> Vec<String> + Send + 'static,
) {
    let asked = spawn_blocking(move || {
        let (cookie, paths) = (desk.as_one("I-4"), paths(&desk));
        (desk, cookie, paths)
    });
    let (desk, cookie, paths) = asked.await.unwrap();
    let cookie = cookie.trim().trim_start_matches("Cookie: ");
    for lang in ["es", "en"] {
        let paths: Vec<String> = paths.iter().map(|path| format!("{path}?lang={lang}")).collect();
        let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
        assert_none(&all(driver, client, (&desk.address, cookie), &paths, axe()).await);
    }
    spawn_blocking(move || drop(desk)).await.unwrap();
}

#[test]
#[ignore = "needs chromium, chromedriver and pip"]
fn the_page_of_a_table_is_for_everybody_however_the_evening_goes() {
    with_browser_for(3 * LIMIT, |driver, client| async move {
        let axe = spawn_blocking(axe).await.unwrap();
        let served = Served::start("127.0.0.1:0", samples::empty_table()).await;
        let c7 = samples::after_log(samples::C7_LOG);
        let settles = samples::after_log(&samples::settlement_log());
        let evenings =
            [samples::rich_play(), samples::worst_devices(), samples::calm_delivery(), c7, settles].map(Arc::new);
        for shown in evenings {
            served.snapshots.send_replace(shown);
            let address = served.address.to_string();
            let paths = ["/?lang=es", "/?lang=en", "/devices?lang=es", "/devices?lang=en"];
            assert_none(&all(&driver, &client, (&address, ""), &paths, axe).await);
        }
        served.stop().await;
    });
}

#[test]
#[ignore = "needs chromium, chromedriver and pip"]
fn the_page_of_many_tables_is_for_everybody_by_day_and_by_night() {
    with_browser(|driver, client| async move {
        let axe = spawn_blocking(axe).await.unwrap();
        let tables = Tables::start(2).await;
        tables.shows(2, uncovered());
        let pit = tables.pit().await;
        let told = all(&driver, &client, (&pit.address, ""), &["/?lang=es", "/?lang=en"], axe).await;
        assert_none(&told);
        spawn_blocking(move || drop(pit)).await.unwrap();
    });
}

#[test]
#[ignore = "needs chromium, chromedriver and pip"]
fn every_form_of_what_people_enter_is_for_everybody() {
    with_browser_for(4 * LIMIT, |driver, client| async move {
        let axe = spawn_blocking(axe).await.unwrap();
        let (desk, cookie) = spawn_blocking(|| {
            let desk = Desk::in_play();
            let cookie = desk.as_one("I-4");
            (desk, cookie)
        })
        .await
        .unwrap();
        client.goto(&format!("http://{}/dealer/more?lang=es", desk.address)).await.unwrap();
        let cookie = cookie.trim().trim_start_matches("Cookie: ").to_owned();
        client.execute("document.cookie = `${arguments[0]}; path=/`", vec![cookie.into()]).await.unwrap();
        let forms = eval(&client, "return [...document.querySelectorAll('.forms a')].map((a) => a.href)").await;
        let forms: Vec<String> = serde_json::from_value(forms).unwrap();
        assert!(forms.len() > 20, "{forms:?}");
        shows(&driver, &client, "dark").await;
        let mut told = Vec::new();
        for form in &forms {
            client.goto(form).await.unwrap();
            told.extend(wrong(&client, (form, "dark"), axe).await);
        }
        assert_none(&told);
        spawn_blocking(move || drop(desk)).await.unwrap();
    });
}

/// What a command writes, and nobody serves.
#[test]
#[ignore = "needs chromium, chromedriver and pip"]
fn a_dossier_and_a_report_of_a_shift_are_for_everybody_by_day_and_by_night() {
    with_browser_for(4 * LIMIT, |driver, client| async move {
        let signed = spawn_blocking(Signed::new).await.unwrap();
        for lang in ["es", "en"] {
            let papers =
                [("dossier", signed.dossier(&["1", "--lang", lang])), ("report", signed.report(&["--lang", lang]))];
            for (name, paper) in papers {
                assert_eq!(paper.status, 0, "{}", paper.err);
                let file = signed.0.path().join(format!("{name}.{lang}.html"));
                std::fs::write(&file, paper.out).unwrap();
                client.goto(&format!("file://{}", file.display())).await.unwrap();
                holds(&driver, &client, &format!("{name} {lang}")).await;
            }
        }
    });
}

/// The text of every file of the product, by its path in `src`.
fn sources() -> Vec<(String, String)> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src");
    let (mut folders, mut texts) = (vec![root.clone()], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if entry.is_dir() {
                folders.push(entry);
            } else if entry.extension().is_some_and(|end| end == "rs") {
                let path = entry.strip_prefix(&root).unwrap().to_str().unwrap().to_owned();
                texts.push((path, std::fs::read_to_string(&entry).unwrap()));
            }
        }
    }
    texts
}

/// Whether a path is of a route; what stands between braces is anything.
fn is_of(path: &str, route: &str) -> bool {
    let (path, route) = (path.split('?').next().unwrap().split('/'), route.trim_matches('"').split('/'));
    path.clone().count() == route.clone().count() && path.zip(route).all(|(part, of)| part == of || of.starts_with('{'))
}

#[test]
fn every_page_that_is_served_is_one_of_those_that_axe_looks_at() {
    let held: Vec<&str> = [&BY_EVERYBODY[..], &SIGNED_OUT, &AT_REST, &IN_PLAY, &UNTOLD].concat();
    let tests = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/program/browser");
    for (file, route, test) in ELSEWHERE {
        let text = std::fs::read_to_string(tests.join(test)).unwrap();
        assert!(test == "accessible.rs" || text.contains("accessible::holds("), "{file} {route}: {test} holds nothing");
    }
    let (mut forgotten, mut pages) = (Vec::new(), 0);
    for (file, text) in sources() {
        for route in text.split(".route(").skip(1) {
            // a route that is built of a part has its own brackets
            let ends = route.match_indices([',', ')']).map(|(at, _)| at);
            let mut ends = ends.filter(|at| route[..*at].matches('(').count() == route[..*at].matches(')').count());
            let address = route[..ends.next().unwrap()].trim().to_owned();
            let handler = route.split(".route(").next().unwrap();
            let handler = handler.split(';').next().unwrap_or_default();
            let is_page = handler.contains("get(") && !NO_PAGE.iter().any(|none| address.contains(none));
            if !is_page || address == LEADS_ON {
                continue;
            }
            pages += 1;
            let is_held = match file.strip_prefix("station/console/") {
                Some(_) => held.iter().any(|path| is_of(path, &address)),
                None => ELSEWHERE.iter().any(|(of, route, _)| *of == file && *route == address),
            };
            if !is_held {
                forgotten.push(format!("{file}: {address}"));
            }
        }
    }
    assert!(pages > 20, "only {pages} pages were found");
    assert!(forgotten.is_empty(), "no test holds these to axe:\n{}", forgotten.join("\n"));
}
