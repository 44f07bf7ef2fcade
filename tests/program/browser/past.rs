//! The pages of what has happened, from a telephone to a wall, under the policy of the station.

use fantoccini::Client;
use tokio::task::spawn_blocking;

use super::fits::{SIZES, screen};
use super::{complaints, eval, touch, until, with_browser};
use crate::acts::Desk;
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
        for path in [
            "/",
            "/findings",
            "/passes/1",
            "/passes/1?step=5",
            "/moments/12",
            "/shift",
            "/shoe",
            "/devices",
            "/log",
            "/regulation",
        ] {
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

#[test]
#[ignore = "needs chromium and chromedriver"]
fn from_the_table_one_goes_back_through_its_pass_by_touch_key_and_slider_and_comes_back_to_now() {
    with_browser(|driver, client| async move {
        let desk = spawn_blocking(Desk::in_play).await.unwrap();
        client.goto(&format!("http://{}/?lang=en", desk.address)).await.unwrap();
        touch(&client, ".go-back").await;
        until(&client, "location.pathname.startsWith('/moments/') && document.querySelector('#at')").await;
        let line = async || eval(&client, "return Number(location.pathname.split('/')[2])").await.as_u64().unwrap();
        let now = line().await;
        touch(&client, ".scrub a[rel=prev]").await;
        until(&client, &format!("location.pathname === '/moments/{}'", now - 1)).await;
        // the keys of the hand-held and of a keyboard
        let arrow = "document.body.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowLeft', bubbles: true}))";
        until(&client, "document.readyState === 'complete'").await;
        eval(&client, arrow).await;
        until(&client, &format!("location.pathname === '/moments/{}'", now - 2)).await;
        until(&client, "document.readyState === 'complete'").await;
        let slide = "const at = document.querySelector('#at'); at.value = at.min;
            at.dispatchEvent(new Event('input')); at.dispatchEvent(new Event('change'))";
        eval(&client, slide).await;
        until(&client, "document.querySelector('#at')?.value === document.querySelector('#at')?.min").await;
        until(&client, &format!("Number(location.pathname.split('/')[2]) < {}", now - 2)).await;
        // the bank's second card lies covered in some of them, and is named in none
        for back in 0..now - line().await {
            client.goto(&format!("http://{}/moments/{}?lang=en", desk.address, now - back)).await.unwrap();
            let seen = eval(&client, "return document.querySelectorAll('[data-id=bank] .card.up').length").await;
            assert!(seen.as_u64() < Some(2), "{seen} of the bank's cards, {back} back");
            let ticks = eval(&client, "return document.querySelectorAll('.tick').length").await;
            assert_eq!(ticks, 0, "what is past is never green");
        }
        touch(&client, ".not-now a").await;
        until(&client, "location.pathname === '/' && document.querySelector('#due .first')").await;
        assert_eq!(complaints(&driver, &client).await, Vec::<String>::new());
        spawn_blocking(move || drop(desk)).await.unwrap();
    });
}

/// Nothing is wider than the screen.
pub(super) async fn fits(client: &Client, page: &str) {
    let wide = "return [...document.querySelectorAll('body *')]
        .filter((one) => one.getBoundingClientRect().right > innerWidth + 1 && !one.closest('.unseen, svg'))
        .map((one) => one.tagName + ' ' + one.id + ' ' + one.className)";
    let wide: Vec<String> = serde_json::from_value(eval(client, wide).await).unwrap();
    let scrolls = eval(client, "return [document.documentElement.scrollWidth, innerWidth]").await;
    assert!(wide.is_empty() && scrolls[0].as_u64() <= scrolls[1].as_u64(), "{page}, {scrolls}: {wide:?}");
}
