//! `sabot setup --browser`, filled in with a real browser.

use fantoccini::Locator;

use super::accessible;
use super::{complaints, eval, resize, touch, until, with_browser};
use crate::process::{run, sabot};
use crate::setup::in_browser;

#[test]
#[ignore = "needs chromium and chromedriver"]
fn a_table_is_set_up_in_a_browser_and_what_will_not_do_is_told_beside_what_was_typed() {
    with_browser(|driver, client| async move {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join("table");
        let (mut process, lines, address) = in_browser(&folder);
        client.goto(&address).await.unwrap();
        for (width, height) in [(320, 640), (1024, 768)] {
            resize(&client, width, height).await;
            let wide = eval(&client, "return document.documentElement.scrollWidth > innerWidth").await;
            assert_eq!(wide, false, "{width}");
        }
        let shown = eval(&client, "return document.querySelector('[name=pin0]').type").await;
        assert_eq!(shown, "password");
        accessible::holds(&driver, &client, "setup").await;
        for (field, typed) in
            [("table", "BJ-12"), ("boxes", "9"), ("shoe", "/dev/nowhere"), ("name0", "I-4"), ("pin0", "739154")]
        {
            let input = client.find(Locator::Css(&format!("[name={field}]"))).await.unwrap();
            input.clear().await.unwrap();
            input.send_keys(typed).await.unwrap();
        }
        eval(&client, "document.querySelector('[name=role0]').value = 'inspector'").await;
        touch(&client, "button.main").await;
        until(&client, "document.querySelector('#refused')?.textContent.includes('boxes = 9')").await;
        until(&client, "document.querySelector('[name=table]').value === 'BJ-12'").await;
        accessible::holds(&driver, &client, "setup, an answer is refused").await;
        until(&client, "document.querySelector('[name=pin0]').value === ''").await;
        for (field, typed) in [("boxes", "6"), ("pin0", "739154")] {
            let input = client.find(Locator::Css(&format!("[name={field}]"))).await.unwrap();
            input.clear().await.unwrap();
            input.send_keys(typed).await.unwrap();
        }
        touch(&client, "button.main").await;
        until(&client, "document.querySelector('#written')?.textContent.endsWith('station.toml')").await;
        accessible::holds(&driver, &client, "setup, the table is written").await;
        let said = complaints(&driver, &client).await;
        // that it has several passwords is advice to password keepers
        assert!(said.iter().all(|line| line.contains("[DOM] Multiple forms")), "{said:?}");
        let told = tokio::task::spawn_blocking(move || (lines.count(), process.ends())).await.unwrap();
        assert!(told.0 > 3 && told.1.success());
        let checked = run(&mut sabot(["check", folder.join("station.toml").to_str().unwrap()]));
        assert!(checked.out.contains("BJ-12"), "{checked:?}");
    });
}
