//! The dealer's screen in a real browser.

use fantoccini::{Client, Locator};

use super::{complaints, eval, resize, touch, until, with_browser};
use crate::acts::Desk;

/// Buttons that are too small for a finger, stick out, or cut their words; and how many touches are offered.
const SMALL: &str = r"
    const all = [...document.querySelectorAll('#offers button, .others a, .top button, .top .button, .waits a')];
    const wrong = all.filter((button) => {
        const at = button.getBoundingClientRect();
        const cut = button.scrollWidth > button.clientWidth + 1 || button.scrollHeight > button.clientHeight + 1;
        return at.height < 44 || at.width < 44 || at.right > innerWidth + 1 || cut;
    });
    const wide = document.documentElement.scrollWidth > innerWidth;
    const touches = document.querySelectorAll('#offers .touch').length;
    return { wide, touches, wrong: wrong.map((one) => one.textContent) };
";

/// Somebody signs in where the page leads him.
pub(super) async fn sign_in(client: &Client, name: &str, pin: &str) {
    client.find(Locator::Css("[name=name]")).await.unwrap().send_keys(name).await.unwrap();
    client.find(Locator::Css("[name=pin]")).await.unwrap().send_keys(pin).await.unwrap();
    touch(client, "button.main").await;
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn a_dealer_enters_by_touch_by_key_and_by_form_and_what_is_not_his_is_refused_in_place() {
    with_browser(|driver, client| async move {
        let desk = tokio::task::spawn_blocking(Desk::in_play).await.unwrap();
        client.goto(&format!("http://{}/dealer?lang=es", desk.address)).await.unwrap();
        until(&client, "document.querySelector('#enter fieldset').disabled").await;
        touch(&client, ".top .main").await;
        until(&client, "document.querySelector('[name=pin]')").await;
        sign_in(&client, "D-9", "318072").await;
        until(&client, "document.querySelector('.who')?.textContent === 'D-9'").await;
        let first = "document.querySelector('.touch')?.textContent";
        until(&client, &format!("{first}.includes('1') && {first}.includes('pide')")).await;
        eval(&client, "window.kept = document.querySelector('#offers')").await;
        // box 2 speaks: box 1 stands, and without a new page box 2 waits for its card
        touch(&client, ".touch:nth-child(3)").await;
        until(&client, "document.querySelector('.undo')?.textContent.includes('2 pide')").await;
        until(&client, &format!("{first}.includes('2') && {first}.includes('se planta')")).await;
        // the likely one by a key
        eval(&client, "document.dispatchEvent(new KeyboardEvent('keydown', { key: '1', bubbles: true }))").await;
        until(&client, "document.querySelector('.undo')?.textContent.includes('2 se planta')").await;
        until(&client, "window.kept.isConnected").await;
        touch(&client, ".undo").await;
        until(
            &client,
            "document.querySelector('#told:not([hidden])')?.textContent.includes('Eso le toca a: inspector')",
        )
        .await;
        for (width, height) in [(500, 800), (768, 1024), (1024, 768), (1920, 1080)] {
            resize(&client, width, height).await;
            let seen = eval(&client, SMALL).await;
            assert!(seen["touches"].as_u64().unwrap() > 1, "{seen}");
            assert_eq!((&seen["wide"], seen["wrong"].as_array().unwrap().len()), (&false.into(), 0), "{width}: {seen}");
        }
        resize(&client, 500, 800).await;
        touch(&client, ".others a").await;
        touch(&client, "a[href^=\"/dealer/more/seat\"]").await;
        until(&client, "document.querySelector('[name=seat]')").await;
        client.find(Locator::Css("[name=seat]")).await.unwrap().send_keys("7").await.unwrap();
        client.find(Locator::Css("[name=player]")).await.unwrap().send_keys("P9").await.unwrap();
        touch(&client, "button.main").await;
        until(&client, "document.querySelector('.undo')?.textContent.includes('P9 se sienta en 7')").await;
        let said = complaints(&driver, &client).await;
        assert!(said.iter().all(|said| said.contains("409")), "the refusal, and nothing else: {said:?}");
        tokio::task::spawn_blocking(move || drop(desk)).await.unwrap();
    });
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn while_something_is_not_seen_the_dealers_screen_says_so_in_the_largest_letters() {
    with_browser(|_, client| async move {
        let mut desk = tokio::task::spawn_blocking(Desk::in_play).await.unwrap();
        client.goto(&format!("http://{}/dealer?lang=en", desk.address)).await.unwrap();
        until(&client, "document.querySelector('.touch') && !document.querySelector('.stop')").await;
        let desk = tokio::task::spawn_blocking(move || {
            desk.shoe_goes();
            desk
        });
        until(&client, "document.querySelector('.stop strong')?.textContent === 'STOP'").await;
        resize(&client, 500, 800).await;
        let largest = "const size = (one) => parseFloat(getComputedStyle(one).fontSize); \
            const of = (css) => Math.max(...[...document.querySelectorAll(css)].map(size)); \
            return of('.stop strong') > of('#offers .touch *')";
        assert_eq!(eval(&client, largest).await, true);
        let desk = desk.await.unwrap();
        tokio::task::spawn_blocking(move || drop(desk)).await.unwrap();
    });
}
