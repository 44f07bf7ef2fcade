//! The pages of what has happened, from a telephone to a wall, under the policy of the station.

use fantoccini::Client;
use tokio::task::spawn_blocking;

use super::fits::{SIZES, screen};
use super::{complaints, eval, touch, until, with_browser};
use crate::past::Dealt;

#[test]
#[ignore = "needs chromium and chromedriver"]
fn what_has_happened_is_read_on_any_screen_and_a_pass_is_played_back_by_touch() {
    with_browser(|driver, client| async move {
        let start = || {
            let table = Dealt::start();
            table.once("/passes/1");
            table
        };
        let table = spawn_blocking(start).await.unwrap();
        for path in ["/", "/findings", "/passes/1", "/passes/1?step=5", "/shift", "/shoe", "/regulation"] {
            client.goto(&format!("http://{}{path}", table.address)).await.unwrap();
            for (width, height) in SIZES {
                screen(&driver, &client, width, height).await;
                until(&client, "document.readyState === 'complete'").await;
                fits(&client, path).await;
            }
        }
        screen(&driver, &client, 390, 844).await;
        client.goto(&format!("http://{}/findings?lang=en", table.address)).await.unwrap();
        touch(&client, ".told-findings a[href^=\"/passes/1?\"]").await;
        until(&client, "location.pathname.startsWith('/passes/') && document.querySelector(':target')").await;
        client.goto(&format!("http://{}/passes/1?lang=en", table.address)).await.unwrap();
        touch(&client, ".step-on").await;
        until(&client, "document.querySelectorAll('.course > li').length === 1").await;
        touch(&client, ".step-on").await;
        until(&client, "location.search.includes('step=2')").await;
        assert_eq!(complaints(&driver, &client).await, Vec::<String>::new());
        spawn_blocking(move || drop(table)).await.unwrap();
    });
}

/// Nothing is wider than the screen.
async fn fits(client: &Client, page: &str) {
    let wide = "return [...document.querySelectorAll('body *')]
        .filter((one) => one.getBoundingClientRect().right > innerWidth + 1 && !one.closest('.unseen, svg'))
        .map((one) => one.tagName + ' ' + one.id + ' ' + one.className)";
    let wide: Vec<String> = serde_json::from_value(eval(client, wide).await).unwrap();
    let scrolls = eval(client, "return [document.documentElement.scrollWidth, innerWidth]").await;
    assert!(wide.is_empty() && scrolls[0].as_u64() <= scrolls[1].as_u64(), "{page}, {scrolls}: {wide:?}");
}
