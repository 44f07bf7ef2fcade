//! The page of all records, from a telephone to a wall.

use tokio::task::spawn_blocking;

use super::accessible;
use super::fits::{SIZES, screen};
use super::past::fits;
use super::{complaints, eval, touch, until, with_browser};
use crate::history::History;

#[test]
#[ignore = "needs chromium and chromedriver"]
fn all_records_are_searched_on_any_screen_and_a_finding_leads_to_its_line() {
    with_browser(|driver, client| async move {
        let (history, folder) = spawn_blocking(History::of_two_tables).await.unwrap();
        let pass = "/pass?table=casino/planta-1/BJ-08&epoch=1795493375000&line=5";
        for path in ["/", "/report", pass] {
            client.goto(&format!("http://{}{path}", history.address)).await.unwrap();
            for (width, height) in SIZES {
                screen(&driver, &client, width, height).await;
                until(&client, "document.readyState === 'complete'").await;
                fits(&client, path).await;
            }
            accessible::holds(&driver, &client, path).await;
        }
        client.goto(&format!("http://{}/?lang=en", history.address)).await.unwrap();
        eval(&client, "document.querySelector('input[name=article]').value = 'e1'").await;
        touch(&client, "form button").await;
        until(&client, "document.querySelectorAll('.told-findings > li').length === 1").await;
        // what was asked is asked in the other language too
        touch(&client, ".languages a").await;
        until(&client, "document.documentElement.lang === 'es' && location.search.includes('article=e1')").await;
        touch(&client, ".told-findings .from a").await;
        until(&client, "location.pathname === '/pass' && document.querySelector('#line-5:target')").await;
        assert_eq!(complaints(&driver, &client).await, Vec::<String>::new());
        spawn_blocking(move || drop((history, folder))).await.unwrap();
    });
}
