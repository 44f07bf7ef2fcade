//! The page of devices and the settlement on the table's page, in a browser.

use std::sync::Arc;

use sabot_station::snapshot::FindingState;
use serde_json::json;
use tokio::task::spawn_blocking;

use super::fits::{SIZES, screen};
use super::{Served, asked, complaints, eval, samples, touch, until, with_browser};
use crate::acts::Desk;

#[test]
#[ignore = "needs chromium and chromedriver"]
fn the_page_of_devices_follows_a_device_that_goes_and_says_when_it_is_old_and_prints_whole() {
    with_browser(|driver, client| async move {
        let desk = spawn_blocking(Desk::in_play).await.unwrap();
        client.goto(&format!("http://{}/?lang=en", desk.address)).await.unwrap();
        touch(&client, "#device-shoe a").await;
        until(&client, "location.pathname === '/devices' && document.querySelector('article:target')").await;
        until(&client, "document.querySelector('#brief').textContent === 'All devices are there.'").await;
        eval(&client, "window.kept = document.querySelector('#false-alarms')").await;
        let gone = spawn_blocking(move || {
            let mut desk = desk;
            desk.shoe_goes();
            desk
        });
        let desk = gone.await.unwrap();
        until(&client, "document.querySelector('#brief').textContent === 'Not there: Shoe'").await;
        until(&client, "document.querySelector('#device-shoe .unjudged')?.textContent.includes('not wholly judged')")
            .await;
        until(&client, "window.kept.isConnected").await; // no reload
        for (width, height) in SIZES {
            screen(&driver, &client, width, height).await;
            let wide = eval(&client, "return document.documentElement.scrollWidth - innerWidth").await;
            assert!(wide.as_i64() <= Some(0), "{width}x{height}: {wide} too wide");
        }
        let media = json!({ "cmd": "Emulation.setEmulatedMedia", "params": { "media": "print" } });
        asked(&driver, &client, "goog/cdp/execute", &media.to_string()).await;
        until(&client, "getComputedStyle(document.querySelector('.top')).display === 'none'").await;
        until(&client, "[...document.querySelectorAll('article.device')].every((one) => one.checkVisibility())").await;
        let media = json!({ "cmd": "Emulation.setEmulatedMedia", "params": { "media": "" } });
        asked(&driver, &client, "goog/cdp/execute", &media.to_string()).await;
        assert_eq!(complaints(&driver, &client).await, Vec::<String>::new());
        spawn_blocking(move || drop(desk)).await.unwrap();
        until(&client, "!document.querySelector('#old').hidden").await;
    });
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn a_finding_that_becomes_a_breach_is_spoken_and_one_that_is_known_is_not_spoken_again() {
    with_browser(|_, client| async move {
        let served = Served::start("127.0.0.1:0", samples::rich_play()).await;
        client.goto(&served.url("/?lang=en")).await.unwrap();
        until(&client, "document.querySelector('#lost').hidden").await;
        assert_eq!(eval(&client, "return document.querySelector('#alert').textContent").await, "");
        let mut shown = samples::rich_play();
        shown.findings[0].state = FindingState::Breach;
        served.snapshots.send_replace(Arc::new(shown.clone()));
        until(&client, "document.querySelector('#alert').textContent.startsWith('Breach: C7 ')").await;
        eval(&client, "document.querySelector('#alert').textContent = ''").await;
        shown.felt.drawn += 1;
        served.snapshots.send_replace(Arc::new(shown.clone()));
        until(&client, &format!("document.querySelector('.tray b').textContent === '{}'", shown.felt.drawn)).await;
        assert_eq!(eval(&client, "return document.querySelector('#alert').textContent").await, "");
        served.stop().await;
    });
}

/// The rows of the settlement, as they are read.
pub(super) const ROWS: &str = r"JSON.stringify([...document.querySelectorAll('#settlement tbody tr')]
    .map((row) => [...row.cells].map((cell) => cell.innerText.replace(/\s+/g, ' ').trim()).join(' | ')))";

#[test]
#[ignore = "needs chromium and chromedriver"]
fn while_the_bank_settles_the_table_s_page_has_each_box_with_what_is_left_live_and_then_no_more() {
    with_browser(|driver, client| async move {
        let served = Served::start("127.0.0.1:0", samples::after_log(samples::C7_LOG)).await;
        client.goto(&served.url("/?lang=en")).await.unwrap();
        until(&client, "!document.querySelector('#settlement').checkVisibility()").await;
        let log = samples::settlement_log();
        let events = [
            ("", "1 wins | pay 50 | – | pay 50", "2 loses | collect 50 | – | collect 50"),
            (
                r#"{"ev":"collect","box":"2","amount":5000}"#,
                "1 wins | pay 50 | – | pay 50",
                "2 loses | collect 50 | collected 50 | ✓ done",
            ),
            (
                r#"{"ev":"pay","box":"1","amount":8000}"#,
                "1 wins | pay 50 | paid 80 | collect 30",
                "2 loses | collect 50 | collected 50 | ✓ done",
            ),
        ];
        let mut told = log;
        for (event, first, second) in events {
            if !event.is_empty() {
                told = format!("{told}{event}\n");
            }
            served.snapshots.send_replace(Arc::new(samples::after_log(&told)));
            let rows = format!("{:?}", [first, second, "3 wins | pay 50 | – | pay 50"]);
            until(&client, &format!("{ROWS} === JSON.stringify({rows})")).await;
            for (width, height) in SIZES {
                screen(&driver, &client, width, height).await;
                until(&client, "document.querySelector('#settlement').getBoundingClientRect().height > 60").await;
                let findings = "document.querySelector('#findings').getBoundingClientRect()";
                until(&client, &format!("{findings}.height > 60 && {findings}.right <= innerWidth + 1")).await;
            }
        }
        served.snapshots.send_replace(Arc::new(samples::calm_delivery()));
        until(&client, "!document.querySelector('#settlement').checkVisibility()").await;
        assert_eq!(complaints(&driver, &client).await, Vec::<String>::new());
        served.stop().await;
    });
}
