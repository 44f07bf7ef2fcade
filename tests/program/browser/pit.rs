//! Many tables in a real browser: the order of the tiles, and what a finger or a pointer keeps in its place.

use std::sync::Arc;
use std::time::Duration;

use fantoccini::actions::{InputSource, MouseActions, PointerAction};
use fantoccini::{Client, Locator};
use sabot_station::snapshot::{Face, Snapshot};
use tokio::task::spawn_blocking;

use super::{Served, asked, complaints, eval, resize, samples, touch, until, with_browser};
use crate::pit::Pit;

fn named(name: &str, mut snapshot: Snapshot) -> Snapshot {
    name.clone_into(&mut snapshot.table);
    snapshot
}

/// The bank's second card came uncovered, and the dealer must act.
pub(super) fn uncovered() -> Snapshot {
    let mut snapshot = samples::after_log(samples::C7_LOG);
    snapshot.verdict.face = Face::Act;
    snapshot
}

/// Tables in which all is in order.
pub(super) struct Tables(Vec<(String, Served)>);

impl Tables {
    pub(super) async fn start(count: usize) -> Self {
        let mut tables = Vec::new();
        for n in 1..=count {
            let name = format!("BJ-0{n}");
            let served = Served::start("127.0.0.1:0", named(&name, samples::calm_delivery())).await;
            tables.push((name, served));
        }
        Self(tables)
    }

    pub(super) async fn pit(&self) -> Pit {
        let tables: Vec<(String, String)> =
            self.0.iter().map(|(name, served)| (name.clone(), served.url(""))).collect();
        let start = move || {
            let tables: Vec<(&str, &str)> = tables.iter().map(|(name, at)| (name.as_str(), at.as_str())).collect();
            Pit::start("listen = \"127.0.0.1:0\"", &tables)
        };
        spawn_blocking(start).await.unwrap()
    }

    /// Table `n`, from 1, stands so from now on.
    pub(super) fn shows(&self, n: usize, snapshot: Snapshot) {
        let (name, served) = &self.0[n - 1];
        served.snapshots.send_replace(Arc::new(named(name, snapshot)));
    }
}

/// The tiles stand in this order.
async fn until_order(client: &Client, names: &str) {
    let order = "[...document.querySelectorAll('.tile h2 a')].map((name) => name.textContent).join(' ')";
    until(client, &format!("{order} === '{names}'")).await;
}

async fn point_at(client: &Client, selector: &str) {
    let at = format!(
        "const at = document.querySelector('{selector}').getBoundingClientRect(); \
         return [at.left + at.width / 2, at.top + at.height / 2]"
    );
    let at = eval(client, &at).await;
    let [x, y] = [0, 1].map(|n| at[n].as_f64().unwrap());
    let to = PointerAction::MoveTo { duration: Some(Duration::from_millis(30)), x, y };
    client.perform_actions(MouseActions::new("mouse".into()).then(to)).await.unwrap();
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn the_worst_table_comes_first_and_none_changes_its_place_under_a_pointer() {
    with_browser(|driver, client| async move {
        let tables = Tables::start(3).await;
        let pit = tables.pit().await;
        client.goto(&format!("http://{}/?lang=en", pit.address)).await.unwrap();
        until(&client, "document.querySelectorAll('.tile.clear').length === 3").await;
        until_order(&client, "BJ-01 BJ-02 BJ-03").await;
        tables.shows(2, uncovered());
        until_order(&client, "BJ-02 BJ-01 BJ-03").await;
        until(&client, "document.querySelector('.tile.act .lead')?.textContent === 'dealer'").await;
        until(&client, "document.title.startsWith('⚠ BJ-02 C7')").await;
        until(&client, "document.querySelector('#alert').textContent.includes('BJ-02: Act, C7')").await;
        let largest = "const size = (one) => parseFloat(getComputedStyle(one).fontSize); \
            const lead = document.querySelector('.tile .lead'); \
            return [...document.querySelectorAll('.tile *')].every((one) => one === lead || size(one) < size(lead))";
        assert_eq!(eval(&client, largest).await, true, "who must act is in the largest letters");

        point_at(&client, "#table-0").await;
        tables.shows(3, samples::worst_evening());
        until(&client, "document.querySelector('#table-2.blind .lead')?.textContent === 'STOP'").await;
        until(&client, "!document.querySelector('#waits').hidden").await;
        until_order(&client, "BJ-02 BJ-01 BJ-03").await;
        point_at(&client, "h1").await;
        until_order(&client, "BJ-03 BJ-02 BJ-01").await;
        until(&client, "document.querySelector('#waits').hidden").await;

        // the keyboard holds them as well
        eval(&client, "document.querySelector('#table-0 a').focus()").await;
        tables.shows(3, samples::calm_delivery());
        until(&client, "document.querySelector('#table-2.clear') && !document.querySelector('#waits').hidden").await;
        until_order(&client, "BJ-03 BJ-02 BJ-01").await;
        eval(&client, "document.activeElement.blur()").await;
        until_order(&client, "BJ-02 BJ-01 BJ-03").await;

        let mut tables = tables;
        tables.0.remove(0).1.stop().await;
        until(&client, "document.querySelector('#table-0.blind.old .lead')?.textContent === 'NO CONTACT'").await;
        until_order(&client, "BJ-01 BJ-02 BJ-03").await;
        // half a second after that a touch means what it touches, and the act is one touch further
        tokio::time::sleep(Duration::from_millis(600)).await;
        touch(&client, "#table-1 a").await;
        until(&client, "location.pathname === '/findings/1' && document.querySelector('.finding.open')").await;
        assert_eq!(complaints(&driver, &client).await, Vec::<String>::new());
        spawn_blocking(move || drop(pit)).await.unwrap();
    });
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn a_part_of_the_tables_stays_a_part_while_they_change_and_says_what_it_leaves_out() {
    with_browser(|_, client| async move {
        let tables = Tables::start(3).await;
        let pit = tables.pit().await;
        client.goto(&format!("http://{}/?lang=en", pit.address)).await.unwrap();
        until_order(&client, "BJ-01 BJ-02 BJ-03").await;
        client.find(Locator::Css(".filter input[name=of]")).await.unwrap().send_keys("-02").await.unwrap();
        client.find(Locator::Css(".filter button")).await.unwrap().click().await.unwrap();
        until_order(&client, "BJ-02").await;
        until(&client, "document.querySelector('.left-out').textContent === '2 not shown'").await;
        tables.shows(1, uncovered());
        let left = "document.querySelector('.left-out.act')?.textContent";
        until(&client, &format!("{left} === '2 not shown: 1 to be acted on or not seen'")).await;
        tables.shows(2, uncovered());
        until(&client, "document.querySelector('.tile.act')").await;
        until_order(&client, "BJ-02").await;
        client.find(Locator::Css(".left-out a")).await.unwrap().click().await.unwrap();
        until_order(&client, "BJ-01 BJ-02 BJ-03").await;
    });
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn a_touch_on_tables_that_have_just_changed_places_opens_nothing_and_a_lost_pit_leads_to_the_stations() {
    with_browser(|_, client| async move {
        let tables = Tables::start(2).await;
        let pit = tables.pit().await;
        client.goto(&format!("http://{}/?lang=es", pit.address)).await.unwrap();
        until(&client, "document.querySelectorAll('.tile.clear').length === 2").await;
        // touched in the very moment in which they change places
        eval(
            &client,
            "new MutationObserver(() => document.querySelector('.tile a').click()) \
                 .observe(document.querySelector('#tables'), { childList: true }); \
             window.stays = true;",
        )
        .await;
        tables.shows(2, uncovered());
        until_order(&client, "BJ-02 BJ-01").await;
        tokio::time::sleep(Duration::from_millis(600)).await;
        assert_eq!(eval(&client, "return window.stays").await, true);
        spawn_blocking(move || drop(pit)).await.unwrap();
        until(&client, "!document.querySelector('#lost').hidden").await;
        until(&client, "document.querySelector('#lost').textContent.includes('sigue llevando a su estación')").await;
        client.find(Locator::Css("#table-0 a")).await.unwrap().click().await.unwrap();
        until(&client, "document.title.includes('BJ-01') && document.querySelector('#felt')").await;
    });
}

/// What sticks out, is cut, lies over another, or is too small for a finger.
const WRONG: &str = r"
    const wrong = [];
    if (document.documentElement.scrollWidth > innerWidth) wrong.push('the page scrolls sideways');
    const name = (one) => one.tagName + '.' + one.className + ' ' + one.textContent.trim().slice(0, 40);
    for (const tile of document.querySelectorAll('.tile')) {
        const frame = tile.getBoundingClientRect();
        if (frame.height < 44 || frame.width < 44) wrong.push(name(tile) + ' is small');
        const texts = [...tile.querySelectorAll('h2, .lead, .says, .since, .where, .text, .do, .more, .known, li')]
            .filter((text) => text.getClientRects().length > 0);
        texts.forEach((text, at) => {
            const place = text.getBoundingClientRect();
            if (place.left < frame.left || place.right > frame.right + 1 || place.bottom > frame.bottom + 1) wrong.push(name(text) + ' sticks out');
            if (text.scrollWidth > text.clientWidth + 1 && getComputedStyle(text).display !== 'inline') wrong.push(name(text) + ' is cut');
            const next = texts[at + 1]?.getBoundingClientRect();
            if (next && !text.matches('li') && next.top < place.bottom - 1) wrong.push(name(text) + ' lies over what follows');
        });
        const lead = tile.querySelector('.lead');
        const lines = lead ? lead.offsetHeight / parseFloat(getComputedStyle(lead).lineHeight) : 0;
        if (lead && lines > lead.textContent.split(' ').length + 0.1) wrong.push(name(lead) + ' is broken in a word');
        if (!tile.querySelector('a').textContent.trim()) wrong.push(name(tile) + ' has no name');
    }
    // each text on its ground; on hatching on the lighter stripe
    const channels = (colour) => colour.match(/[0-9.]+/g).map(Number);
    const light = (colour) => {
        const [red, green, blue] = channels(colour).map((part) => part / 255)
            .map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05;
    };
    const ground = (one) => {
        if (!one) return 'rgb(255, 255, 255)';
        const { backgroundColor, backgroundImage } = getComputedStyle(one);
        if (backgroundImage !== 'none') return backgroundImage.match(/rgb[^)]*\)/)[0];
        return (channels(backgroundColor)[3] ?? 1) > 0 ? backgroundColor : ground(one.parentElement);
    };
    const written = [...document.querySelectorAll('body *')].filter((one) =>
        one.getClientRects().length > 0 && [...one.childNodes].some((node) => node.nodeType === 3 && node.nodeValue.trim()));
    for (const one of written) {
        const [text, under] = [light(getComputedStyle(one).color), light(ground(one))];
        const contrast = Math.max(text, under) / Math.min(text, under);
        if (contrast < 4.5) wrong.push(name(one) + ' has a contrast of ' + contrast.toFixed(2));
    }
    return { texts: written.length, tiles: document.querySelectorAll('.tile').length, wrong };
";

#[test]
#[ignore = "needs chromium and chromedriver"]
fn the_tiles_fit_a_telephone_and_a_wall_in_both_languages_and_nothing_is_cut() {
    with_browser(|driver, client| async move {
        let tables = Tables::start(6).await;
        let pit = tables.pit().await;
        client.goto(&format!("http://{}/", pit.address)).await.unwrap();
        until(&client, "document.querySelectorAll('.tile.clear').length === 6").await;
        tables.shows(2, uncovered());
        tables.shows(3, samples::worst_evening());
        tables.shows(4, samples::rich_play());
        let mut tables = tables;
        tables.0.remove(4).1.stop().await;
        for (lang, scheme) in [("es", "dark"), ("en", "light")] {
            prefers(&driver, &client, scheme).await;
            client.goto(&format!("http://{}/?lang={lang}", pit.address)).await.unwrap();
            until(&client, "document.querySelector('#table-4.blind.old') && document.querySelector('.tile.act')").await;
            for (width, height) in [(320, 640), (500, 800), (768, 1024), (1024, 768), (1920, 1080), (3840, 2160)] {
                resize(&client, width, height).await;
                let seen = eval(&client, WRONG).await;
                assert_eq!(
                    (&seen["tiles"], &seen["wrong"]),
                    (&6.into(), &serde_json::json!([])),
                    "{lang} {width}x{height}"
                );
                screenshot(&client, &format!("pit-{lang}-{width}x{height}")).await;
            }
        }
        assert_eq!(complaints(&driver, &client).await, Vec::<String>::new());
        spawn_blocking(move || drop(pit)).await.unwrap();
    });
}

/// The browser's reader likes it dark or light.
async fn prefers(driver: &str, client: &Client, scheme: &str) {
    let features = serde_json::json!([{ "name": "prefers-color-scheme", "value": scheme }]);
    let body = serde_json::json!({ "cmd": "Emulation.setEmulatedMedia", "params": { "features": features } });
    asked(driver, client, "goog/cdp/execute", &body.to_string()).await;
    let seen = format!("return matchMedia('(prefers-color-scheme: {scheme})').matches");
    assert_eq!(eval(client, &seen).await, true);
}

/// Drawn into the directory named by `SABOT_SCREENSHOTS`, where one is.
async fn screenshot(client: &Client, name: &str) {
    let Some(into) = std::env::var_os("SABOT_SCREENSHOTS") else { return };
    let picture = client.screenshot().await.unwrap();
    std::fs::write(std::path::Path::new(&into).join(format!("{name}.png")), picture).unwrap();
}
