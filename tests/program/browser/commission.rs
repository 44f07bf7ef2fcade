//! `sabot setup --browser` and what follows on its page: a table from nothing to the sheet, with a real browser and the
//! devices' firmware at real ports.

use std::fs;
use std::process::Stdio;

use fantoccini::wd::PrintConfiguration;
use fantoccini::{Client, Locator};
use sabot_wire::message::Role;
use tokio::task::block_in_place;

use super::accessible;
use super::{complaints, eval, resize, touch, until, with_browser};
use crate::commission::{Ours, begins};
use crate::process::{Process, sabot};

/// The question that comes after that number: its number, and what is asked; nothing where the trial is over.
async fn question(client: &Client, after: u64) -> Option<(u64, String)> {
    let next =
        format!("document.querySelector('#ended') || document.querySelector('.question')?.dataset.nth > {after}");
    until(client, &next).await;
    let asked = "const q = document.querySelector('.question'); return q && [Number(q.dataset.nth), \
                 q.querySelector('.lead').textContent]";
    serde_json::from_value(eval(client, asked).await).unwrap()
}

async fn fills(client: &Client, field: &str, typed: &str) {
    let input = client.find(Locator::Css(field)).await.unwrap();
    input.clear().await.unwrap();
    input.send_keys(typed).await.unwrap();
}

/// Does what is asked until something holds this, or to the end.
async fn obeys(client: &Client, table: &Ours, last: &str) -> Option<String> {
    let mut nth = 0;
    loop {
        let (asked_as, asked) = question(client, nth).await?;
        nth = asked_as;
        if asked.contains(last) {
            return Some(asked);
        }
        match block_in_place(|| table.does(&asked)) {
            Some("") => touch(client, ".question button[value=\"\"]").await,
            Some("y") => touch(client, ".question button[value=y]").await,
            Some(code) => {
                fills(client, ".question [name=more]", code).await;
                touch(client, ".question button[value=code]").await;
            }
            None => {}
        }
    }
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn a_table_from_nothing_is_set_up_and_commissioned_in_a_browser_to_the_printed_sheet() {
    with_browser(|driver, client| async move {
        let devices = Ours::attached();
        let folder = devices.folder.path().join("table");
        let args = ["setup", folder.to_str().unwrap(), "--browser", "--lang", "en"];
        let mut process = Process::start(sabot(args).stdout(Stdio::piped()));
        let mut lines = process.lines();
        let address = lines.next().unwrap();
        client.goto(&address).await.unwrap();
        for (field, typed) in [("table", "BJ-12"), ("boxes", "2"), ("listen", "127.0.0.1:0")] {
            fills(&client, &format!("[name={field}]"), typed).await;
        }
        for role in Role::ALL {
            let port = devices.folder.path().join(role.name());
            fills(&client, &format!("[name={role}]"), port.to_str().unwrap()).await;
        }
        touch(&client, "button.main").await;
        touch(&client, "#next").await;

        // one thing is left out, and one is wrong first
        let drawn = obeys(&client, &devices, "draw 6").await.unwrap();
        block_in_place(|| devices.does("draw QS and lay it on box 1 (1/20)"));
        let told =
            "[...document.querySelectorAll('#told .wrong')].some((li) => li.textContent.includes('QS was read'))";
        until(&client, told).await;
        block_in_place(|| devices.does(&drawn));
        let left = obeys(&client, &devices, "lay chips on box 2, main bet").await.unwrap();
        for (width, height) in [(320, 640), (1024, 768)] {
            resize(&client, width, height).await;
            let wide = eval(&client, "return document.documentElement.scrollWidth > innerWidth").await;
            assert_eq!(wide, false, "{width}");
        }
        fills(&client, ".question [name=more]", "its antenna comes tomorrow").await;
        touch(&client, ".question button[value=skip]").await;
        assert_eq!(obeys(&client, &devices, "no such thing").await, None);
        until(&client, "document.querySelector('#ended .wrong')?.textContent.includes('1 missing')").await;
        assert!(fs::read_to_string(folder.join("record.commission.txt")).unwrap().contains("comes tomorrow"));

        // only that is asked for again
        touch(&client, "#ended button[value=on]").await;
        until(&client, "!document.querySelector('#ended')").await;
        assert_eq!(obeys(&client, &devices, "lay chips").await.as_deref(), Some(left.as_str()));
        block_in_place(|| devices.does(&left));
        assert_eq!(obeys(&client, &devices, "no such thing").await, None);
        until(&client, "document.querySelector('#ended .good')?.textContent.includes('Now the record begins')").await;
        accessible::holds(&driver, &client, "commissioning, the end").await;
        let record = folder.join("record.jsonl");
        assert!(!record.exists(), "the record begins with `sabot run`, and not before");

        // the sheet, as it is printed
        client.goto(&format!("{address}/sheet")).await.unwrap();
        for told in ["TWIN-SHOE", "read and seen", "All that the table has was tried", "technician"] {
            until(&client, &format!("document.body.innerText.includes('{told}')")).await;
        }
        accessible::holds(&driver, &client, "the sheet of a commissioning").await;
        assert!(client.print(PrintConfiguration::default()).await.unwrap().starts_with(b"%PDF-"));
        let said = complaints(&driver, &client).await;
        // that the first page has several passwords is advice to password keepers
        assert!(said.iter().all(|line| line.contains("[DOM] Multiple forms")), "{said:?}");
        client.goto(&address).await.unwrap();
        touch(&client, "#ended button[value=close]").await;
        let told = tokio::task::spawn_blocking(move || (lines.collect::<Vec<_>>(), process.ends())).await.unwrap();
        assert!(told.1.success() && told.0.iter().any(|line| line.contains("Done. The sheet")), "{told:?}");
        let (record, replayed) = block_in_place(|| begins(&folder.join("station.toml"), &record, 5));
        assert!(!replayed.out.contains("\"out\":\"finding\"") && !record.contains("\"ev\":\"draw\""), "{record}");
    });
}
