//! No text of any finding is clipped: all that the handbooks' examples raise, as each place of the pages shows them, in
//! both languages, from a telephone to a wall. A page is loaded once in each language; a script puts one finding after
//! the other in its places and measures where the letters stand.

use std::collections::BTreeSet;

use fantoccini::Client;
use sabot_handbook::examples::cases;
use sabot_law::regulation::{self, Article, house::home};
use sabot_law::table::answer::{Answer, Finding, Lang};
use sabot_law::table::line;
use sabot_law::validator::Validator;
use sabot_station::console;
use sabot_station::snapshot::{Attention, Face, FindingState, FindingView, Snapshot, Verdict};
use serde_json::{Value, json};
use tokio::task::spawn_blocking;

use super::pit::{Tables, uncovered};
use super::touches::Hand;
use super::{LIMIT, Served, asked, samples, until, with_browser, with_browser_for};
use crate::acts::Desk;

/// Telephones, tablets both ways, a screen, and a wall.
pub(super) const SIZES: [(u32, u32); 6] =
    [(320, 568), (390, 844), (768, 1024), (1024, 768), (1920, 1080), (3840, 2160)];

/// The table in the moment of each finding of an article's examples.
fn raised_in(article: &Article) -> Vec<Snapshot> {
    let mut moments = Vec::new();
    for case in cases(article).unwrap() {
        let log = case.scenario.log();
        let mut lines = log.lines().map(str::as_bytes);
        let mut table = Validator::new(line::header(lines.next().unwrap()).unwrap()).unwrap();
        for (event, n) in lines.zip(2..) {
            let mut answers = Vec::new();
            table.step(n, &line::event(event).unwrap(), &mut answers);
            let findings = answers.into_iter().filter_map(|answer| match answer {
                Answer::Finding(finding) => Some(*finding),
                _ => None,
            });
            moments.extend(findings.map(|finding| moment(finding, &table)));
        }
    }
    moments
}

fn moment(finding: Finding, table: &Validator) -> Snapshot {
    let felt = table.felt();
    let is_open = felt.remedies.iter().any(|open| open.finding == finding.n);
    let state = if is_open { FindingState::Open } else { FindingState::Noted };
    let verdict = Verdict { face: Face::Act, severity: Some(finding.severity), ..Verdict::default() };
    let attention = Attention::Taken { by: "I-4".into() };
    let rulings = table.rulings(finding.n);
    let findings = vec![FindingView { state, attention, rulings, ..FindingView::new(finding) }];
    Snapshot { felt, findings, verdict, offers: table.offers(), ..samples::empty_table() }
}

/// A moment for each text that a finding has in any house, and in it for each remedy.
pub(super) fn all_findings() -> Vec<Snapshot> {
    let (mut told, mut moments) = (BTreeSet::new(), Vec::new());
    for house in regulation::ALL {
        for article in house.articles.iter().filter(|article| home(article) == house.id) {
            for moment in raised_in(article) {
                let view = &moment.findings[0];
                if told.insert((view.finding.provision, view.es.clone(), format!("{:?}", view.finding.remedy))) {
                    moments.push(moment);
                }
            }
            let shown = told.iter().any(|(provision, ..)| *provision == article.id);
            assert!(shown || article.cases.is_empty(), "no example raises {}", article.id);
        }
    }
    moments
}

/// What stands between two marks of a page.
fn between<'a>(page: &'a str, from: &str, to: &str) -> &'a str {
    page.split_once(from).and_then(|(_, rest)| rest.split_once(to)).expect("the page has these marks").0
}

/// A finding as the pages' scripts put it in its places.
fn placed(moment: &Snapshot, lang: Lang) -> Value {
    let page = console::page(moment, lang, false).unwrap();
    let brief = console::brief::Brief::of(moment);
    let alarm = brief.alarm.unwrap();
    let place = alarm.place.as_ref().map(|place| place.get(lang));
    json!({
        "called": format!("{} {}", alarm.provision, alarm.text.get(lang)),
        "due": between(&page, "<div id=\"due\">", "</div>\n  <section id=\"felt\""),
        "settlement": between(&page, "<section id=\"settlement\"", "</section>").split_once('>').unwrap().1,
        "findings": between(&page, "<section id=\"findings\"", "</section>\n").split_once('>').unwrap().1,
        "article": alarm.provision,
        "place": place,
        "text": alarm.text.get(lang),
        "to_do": alarm.to_do.map(|step| step.what.get(lang).to_owned()),
    })
}

/// Puts each finding in its places on a page, and says which texts cannot be read there.
const MEASURE: &str = r"
    const put = new Function('finding', window.put);
    const frames = new Map();
    const frame = (element) => {
        if (!frames.has(element)) {
            const style = getComputedStyle(element), box = element.getBoundingClientRect();
            frames.set(element, { x: style.overflowX, y: style.overflowY, box, size: parseFloat(style.fontSize) });
        }
        return frames.get(element);
    };
    const clipped = (text) => {
        const range = document.createRange();
        range.selectNodeContents(text);
        const boxes = [...range.getClientRects()];
        if (boxes.length === 0) return null;
        let left = Math.min(...boxes.map((box) => box.left)), right = Math.max(...boxes.map((box) => box.right));
        let top = Math.min(...boxes.map((box) => box.top)), bottom = Math.max(...boxes.map((box) => box.bottom));
        // letters are lower than the room that their font takes
        const slack = frame(text.parentElement).size * 0.2;
        for (let at = text.parentElement; at && at !== document.body; at = at.parentElement) {
            const { x, y, box } = frame(at);
            if (x !== 'visible' && (left < box.left - 1 || right > box.right + 1)) return 'sideways by ' + name(at);
            if (y === 'auto' || y === 'scroll') ({ top, bottom } = box);
            else if (y !== 'visible' && (top < box.top - slack || bottom > box.bottom + slack)) return 'by ' + name(at);
        }
        return left < -1 || right > innerWidth + 1 ? 'by the screen' : null;
    };
    const name = (element) => element.tagName + ' ' + element.id + ' ' + element.className;
    const said = [];
    let texts = 0;
    for (const finding of window.findings) {
        frames.clear();
        for (const root of put(finding)) {
            const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
            for (let text; (text = walker.nextNode()); ) {
                if (!text.data.trim() || text.parentElement.closest('.unseen')) continue;
                texts++;
                const how = clipped(text);
                if (how) said.push(`${finding.called}: «${text.data.trim()}» ${how}`);
            }
        }
        const felt = document.getElementById('felt');
        if (felt && felt.scrollHeight > felt.clientHeight + 2) said.push(`${finding.called}: the felt has no room, ${felt.scrollHeight} of ${felt.clientHeight}`);
        if (document.documentElement.scrollWidth > innerWidth) said.push(`${finding.called}: the page is too wide`);
    }
    return { texts, said };
";

/// Gives the page a screen of that size. A window of the browser has a least width, a telephone less.
pub(super) async fn screen(driver: &str, client: &Client, width: u32, height: u32) {
    let params = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
    let body = json!({ "cmd": "Emulation.setDeviceMetricsOverride", "params": params });
    asked(driver, client, "goog/cdp/execute", &body.to_string()).await;
    until(client, &format!("innerWidth === {width} && innerHeight === {height}")).await;
}

/// Puts the findings on a page that is there, in every size. `put` is the body of a function that puts one in its
/// places and returns them.
async fn holds(driver: &str, client: &Client, page: &str, findings: &[Value], put: &str) {
    client.execute("[window.findings, window.put] = arguments", vec![findings.into(), put.into()]).await.unwrap();
    for (width, height) in SIZES {
        screen(driver, client, width, height).await;
        let measured = client.execute(MEASURE, vec![]).await.unwrap();
        let said: Vec<String> = serde_json::from_value(measured["said"].clone()).unwrap();
        assert!(measured["texts"].as_u64() > Some(3 * findings.len() as u64), "{page}: nothing was measured");
        let first: String = said.iter().take(10).flat_map(|one| [one, "\n"]).collect();
        assert!(said.is_empty(), "{page}, {width}x{height}: {} are clipped:\n{first}", said.len());
    }
}

const BOTH: &[Lang] = &[Lang::Es, Lang::En];

/// Opens a page in each language and puts all findings on it.
async fn hold(driver: &str, client: &Client, url: &str, langs: &[Lang], put: &str) {
    let moments = all_findings();
    for &lang in langs {
        let findings: Vec<Value> = moments.iter().map(|moment| placed(moment, lang)).collect();
        client.goto(&format!("{url}?lang={}", console::Ui::of(lang).code)).await.unwrap();
        until(client, "document.readyState === 'complete' && document.querySelector('.alarm, .alarm-of, article')")
            .await;
        holds(driver, client, url, &findings, put).await;
    }
}

const IN_ITS_LIST: &str = "const parts = ['due', 'settlement', 'findings'].map((id) => document.getElementById(id));
    for (const part of parts) part.innerHTML = finding[part.id];
    return parts";
const ABOVE: &str = "const due = document.getElementById('due'); due.innerHTML = finding.due; return [due]";
/// What a sheet tells of a finding is what the list tells.
const ON_ITS_SHEET: &str =
    "const sheet = document.querySelector('article.finding'), list = document.createElement('div');
    list.innerHTML = finding.findings;
    const told = list.querySelector('.finding');
    sheet.className = told.className;
    sheet.innerHTML = told.innerHTML.replace('<h3>', '<h2>').replace('</h3>', '</h2>');
    return [sheet]";
/// On the page of devices a finding is an article that is not judged for one, and a false alarm. What else stands there
/// is measured once.
const AMONG_DEVICES: &str = "const told = document.querySelector('.unjudged b');
    told.textContent = `${finding.text} ${finding.article}`;
    const alarms = document.createElement('section');
    alarms.innerHTML = `<ul class=\"told-lines\"><li><a href=\"/findings\"><b>${finding.article}</b>
        <span>${finding.place ?? ''} · 2026-11-24T03:04:05+05:45 · 1234567, 12345678</span></a></li></ul>`;
    document.querySelector('section.put')?.remove();
    alarms.className = 'put';
    document.querySelector('main').append(alarms);
    return finding === findings[0] ? [document.body] : [told.parentElement, alarms]";
const ON_A_TILE: &str = "const tile = document.querySelector('.tile'), to_do = tile.querySelector('.do');
    tile.querySelector('.article').textContent = finding.article;
    if (finding.place) tile.querySelector('.where > span').textContent = finding.place;
    tile.querySelector('.text').textContent = finding.text;
    if (finding.to_do) to_do.lastChild.data = finding.to_do;
    return [tile]";

async fn hold_on_a_table_s_page(driver: String, client: Client, lang: Lang) {
    let served = Served::start("127.0.0.1:0", samples::rich_play()).await;
    hold(&driver, &client, &served.url("/"), &[lang], IN_ITS_LIST).await;
    served.stop().await;
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn no_text_of_any_finding_is_clipped_on_a_table_s_page_in_spanish() {
    with_browser(|driver, client| hold_on_a_table_s_page(driver, client, Lang::Es));
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn no_text_of_any_finding_is_clipped_on_a_table_s_page_in_english() {
    with_browser(|driver, client| hold_on_a_table_s_page(driver, client, Lang::En));
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn no_text_of_any_finding_is_clipped_on_its_sheet() {
    with_browser(|driver, client| async move {
        let served = Served::start("127.0.0.1:0", samples::rich_play()).await;
        hold(&driver, &client, &served.url("/findings/4"), BOTH, ON_ITS_SHEET).await;
        served.stop().await;
    });
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn no_text_of_any_finding_is_clipped_on_the_page_for_surveillance_alone() {
    with_browser_for(3 * LIMIT, |driver, client| async move {
        let (desk, cookie) = spawn_blocking(Desk::with_silent_findings).await.unwrap();
        let page = format!("http://{}/silent", desk.address);
        client.goto(&page).await.unwrap();
        let cookie = cookie.trim().trim_start_matches("Cookie: ").to_owned();
        client.execute("document.cookie = `${arguments[0]}; path=/`", vec![cookie.into()]).await.unwrap();
        hold(&driver, &client, &page, BOTH, ON_ITS_SHEET).await;
        spawn_blocking(move || drop(desk)).await.unwrap();
    });
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn no_text_of_any_finding_and_none_of_the_worst_devices_is_clipped_on_their_page() {
    with_browser_for(3 * LIMIT, |driver, client| async move {
        let served = Served::start("127.0.0.1:0", samples::worst_devices()).await;
        hold(&driver, &client, &served.url("/devices"), BOTH, AMONG_DEVICES).await;
        served.stop().await;
    });
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn no_text_of_any_finding_is_clipped_on_the_dealer_s_screen() {
    with_browser(|driver, client| async move {
        let desk = spawn_blocking(Desk::with_a_finding).await.unwrap();
        hold(&driver, &client, &format!("http://{}/dealer", desk.address), BOTH, ABOVE).await;
        spawn_blocking(move || drop(desk)).await.unwrap();
    });
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn no_text_of_any_finding_is_clipped_on_a_tile_of_many_tables() {
    with_browser(|driver, client| async move {
        let tables = Tables::start(1).await;
        tables.shows(1, uncovered());
        let pit = tables.pit().await;
        hold(&driver, &client, &format!("http://{}/", pit.address), BOTH, ON_A_TILE).await;
        spawn_blocking(move || drop(pit)).await.unwrap();
    });
}

/// The whole of a finding's page as who may act has it: what is asked for, where it is done, and the links.
#[test]
#[ignore = "needs chromium and chromedriver"]
fn no_text_of_any_finding_nor_of_what_it_asks_for_is_clipped_on_its_page() {
    with_browser_for(3 * LIMIT, |driver, client| async move {
        let hand = Hand::start().await;
        let moments = spawn_blocking(all_findings).await.unwrap();
        client.goto(&hand.served.url("/")).await.unwrap();
        client.execute("document.cookie = `${arguments[0]}; path=/`", vec![hand.cookie.clone().into()]).await.unwrap();
        for lang in ["es", "en"] {
            let mut pages = Vec::new();
            for moment in moments.iter().filter(|moment| moment.findings[0].state == FindingState::Open) {
                let page = hand.shows_in(moment, lang).await;
                let (called, main) = (moment.findings[0].finding.provision, between(&page, "<main", "</main>"));
                assert!(main.contains("<button"), "{called}: nobody can act on it");
                pages.push(json!({ "called": called, "main": main.split_once('>').unwrap().1 }));
            }
            assert!(pages.len() > 50, "{}", pages.len());
            let of = hand.served.url(&format!("/findings/{}?lang={lang}", moments[0].findings[0].finding.n));
            hand.shows_in(&moments[0], lang).await;
            client.goto(&of).await.unwrap();
            until(&client, "document.readyState === 'complete' && document.querySelector('main')").await;
            let put = "const main = document.querySelector('main'); main.innerHTML = finding.main; return [main]";
            holds(&driver, &client, &of, &pages, put).await;
        }
        hand.served.stop().await;
    });
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn no_text_of_a_page_on_which_people_act_is_clipped() {
    with_browser(|driver, client| async move {
        let desk = spawn_blocking(Desk::in_play).await.unwrap();
        for path in
            ["/", "/dealer", "/findings", "/regulation", "/shift", "/shoe", "/devices", "/log", "/staff", "/acts"]
        {
            for lang in ["es", "en"] {
                client.goto(&format!("http://{}{path}?lang={lang}", desk.address)).await.unwrap();
                until(&client, "document.readyState === 'complete'").await;
                let page = json!({ "called": format!("{path} {lang}") });
                holds(&driver, &client, path, &[page], "return [document.body]").await;
            }
        }
        spawn_blocking(move || drop(desk)).await.unwrap();
    });
}
