//! A line of the pass is corrected in a real browser.

use fantoccini::{Client, Locator};

use super::dealer::sign_in;
use super::{complaints, eval, resize, touch, until, with_browser};
use crate::acts::Desk;

/// What sticks out of the page, and what is too small for a finger.
const SHAPE: &str = r"
    const all = [...document.querySelectorAll('main a, main button, main select, main input:not([type=hidden])')];
    const wrong = all.filter((one) => {
        const at = one.getBoundingClientRect();
        return at.right > innerWidth + 1 || (one.matches('.button, button, .told-lines a') && at.height < 44);
    });
    return { wide: document.documentElement.scrollWidth > innerWidth, wrong: wrong.map((one) => one.outerHTML) };
";

async fn is_in_shape(client: &Client) {
    for (width, height) in [(500, 800), (1024, 768), (1920, 1080)] {
        resize(client, width, height).await;
        let seen = eval(client, SHAPE).await;
        assert_eq!((&seen["wide"], seen["wrong"].as_array().unwrap().len()), (&false.into(), 0), "{width}: {seen}");
    }
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn an_inspector_looks_at_what_a_correction_changes_and_signs_it() {
    with_browser(|driver, client| async move {
        let desk = tokio::task::spawn_blocking(Desk::in_play).await.unwrap();
        client.goto(&format!("http://{}/correct?lang=en", desk.address)).await.unwrap();
        touch(&client, ".top .button").await;
        until(&client, "document.querySelector('[name=pin]')").await;
        sign_in(&client, "I-4", "402913").await;
        until(&client, "document.querySelector('.told-lines li')").await;
        let text = "document.querySelector('main').textContent";
        until(&client, &format!("{text}.includes('bank: a covered card') && !{text}.includes('7 of diamonds')")).await;
        is_in_shape(&client).await;
        // box 3's second card was a nine
        let queen = Locator::XPath("//a[contains(., 'box 3: a card, Q of hearts')]");
        client.find(queen).await.unwrap().click().await.unwrap();
        until(&client, "document.querySelector('[name=card]')?.value === 'QH'").await;
        is_in_shape(&client).await;
        eval(&client, "document.querySelector('[name=card]').value = '9H'").await;
        touch(&client, "fieldset button").await;
        until(&client, "document.querySelector('.preview') && document.querySelector('[value=sign]')").await;
        is_in_shape(&client).await;
        touch(&client, "[value=sign]").await;
        until(&client, "document.querySelector('.told-lines')?.textContent.includes('box 3: a card, 9 of hearts')")
            .await;
        client.goto(&format!("http://{}/?lang=en", desk.address)).await.unwrap();
        until(&client, "document.querySelector('#felt').textContent.includes('19')").await;
        let said = complaints(&driver, &client).await;
        assert!(said.is_empty(), "{said:?}");
        tokio::task::spawn_blocking(move || drop(desk)).await.unwrap();
    });
}

/// Two touches from the alarm to the line with its form, as any act; what it changes is looked at before it is signed,
/// which is two more.
#[test]
#[ignore = "needs chromium and chromedriver"]
fn the_line_that_a_finding_is_about_is_two_touches_from_the_alarm_and_its_signature_four() {
    with_browser(|driver, client| async move {
        let desk = tokio::task::spawn_blocking(|| {
            let mut desk = Desk::in_play();
            desk.draws(r#"{"ev":"draw","card":"3S","to":"1"}"#);
            desk
        });
        let desk = desk.await.unwrap();
        client.goto(&format!("http://{}/sign-in?lang=en", desk.address)).await.unwrap();
        sign_in(&client, "I-4", "402913").await;
        until(&client, "!document.querySelector('[name=pin]')").await;
        client.goto(&format!("http://{}/?lang=en", desk.address)).await.unwrap();
        let mut touches = 0;
        for (what, then) in [
            ("#due .alarm .where > a", "document.querySelector('main a.button[href^=\"/correct/\"]')"),
            ("main a.button[href^=\"/correct/\"]", "document.querySelector('[name=card]')?.value === '3S'"),
            ("form[action*=strike] button", "document.querySelector('.preview')?.textContent.includes('withdrawn')"),
            ("[value=sign]", "document.querySelector('.told-lines') && !document.querySelector('[value=sign]')"),
        ] {
            touch(&client, what).await;
            until(&client, then).await;
            touches += 1;
        }
        assert_eq!(touches, 4);
        client.goto(&format!("http://{}/?lang=en", desk.address)).await.unwrap();
        until(&client, "!document.querySelector('#due .alarm.raised')").await;
        assert_eq!(complaints(&driver, &client).await, Vec::<String>::new());
        tokio::task::spawn_blocking(move || drop(desk)).await.unwrap();
    });
}
