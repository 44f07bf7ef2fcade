//! What keeps a table from being seen or recorded takes the green from every face, on the real program: a device is
//! unplugged, a lid or a door opened, the disk fills, may only be read, or hangs. Chromium shows the table's page, the
//! dealer's screen and the page of many tables; beside them are the pit display, health, metrics and what programs are
//! told. How long each took is printed, and not asserted.

use std::fs;
use std::time::Instant;

use fantoccini::Client;
use sabot_stall_guard::PATIENCE;
use sabot_wire::message::{DeviceState, Observation, Role, ShufflerSaw};
use tokio::task::spawn_blocking;

use super::pixels::now;
use super::{eval, until, with_browser_for};
use crate::guard::Guarded;
use crate::pit::Pit;
use crate::processes::answered;

/// Something that keeps a table from being seen or recorded, or is to be looked at.
#[derive(Debug, Clone, Copy)]
enum Trouble {
    Unplugged(Role),
    Opened(Role),
    Disk(&'static str),
}

impl Trouble {
    const ALL: [Self; 9] = [
        Self::Unplugged(Role::Shoe),
        Self::Unplugged(Role::Chips),
        Self::Unplugged(Role::Keypad),
        Self::Unplugged(Role::Shuffler),
        Self::Opened(Role::Shoe),
        Self::Opened(Role::Shuffler),
        Self::Disk("full"),
        Self::Disk("readonly"),
        Self::Disk("hangs"),
    ];

    fn comes(self, guarded: &mut Guarded) {
        match self {
            Self::Unplugged(role) => guarded.table.kills(role),
            Self::Opened(Role::Shuffler) => guarded.table.sees(&Observation::Shuffler(ShufflerSaw::DoorOpen)),
            Self::Opened(_) => guarded.table.sees(&Observation::Device(DeviceState::LidOpen)),
            Self::Disk(does) => {
                guarded.disk(does);
                // a disk at which nothing is written tells nothing
                guarded.tells();
            }
        }
    }
}

/// Notes when a page stops to be green.
const WATCH: &str = "window.greenUntil = 0;
    new MutationObserver(() => {
        if (!document.querySelector('.tick, .alarm.clear, .tile.clear') && !window.greenUntil) {
            window.greenUntil = performance.timeOrigin + performance.now();
        }
    }).observe(document.body, { childList: true, subtree: true, attributes: true });";

/// Faces that are no page, and whether they are green.
fn others(guarded: &Guarded, pit: &Pit) -> [(&'static str, bool); 6] {
    let of = |path: &str| answered(&guarded.address, path);
    let shown = fs::read_to_string(guarded.table.path("display.shown")).unwrap();
    [
        ("pit display", shown.rsplit("--- lamp ").next().unwrap().starts_with("green")),
        ("verdict", of("/api/v1/verdict").contains("\"face\":\"clear\"")),
        ("snapshot", of("/api/snapshot").contains("\"face\":\"clear\"")),
        ("metrics", of("/metrics").contains("face=\"clear\"} 1")),
        ("tables", answered(&pit.address, "/api/v1/tables").contains("\"face\":\"clear\"")),
        ("pit's page", answered(&pit.address, "/").contains("class=\"tile clear\"")),
    ]
}

/// Waits until those faces are all green, or none is; how many milliseconds after `since` it was so.
fn until_others(guarded: &Guarded, pit: &Pit, is_green: bool, since: f64) -> f64 {
    let until = Instant::now() + PATIENCE;
    loop {
        let faces = others(guarded, pit);
        if faces.iter().all(|(_, green)| *green == is_green) {
            return now() - since;
        }
        assert!(Instant::now() < until, "still not {is_green}: {faces:?}: {}", guarded.table.log());
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
}

/// How long it took until no face was green: of the pages the longest, and of the others.
async fn suffers(client: &Client, trouble: Trouble) -> (f64, f64) {
    let started = spawn_blocking(|| {
        let guarded = Guarded::with_people();
        let pit = Pit::start("listen = \"127.0.0.1:0\"", &[("P", &format!("http://{}", guarded.address))]);
        until_others(&guarded, &pit, true, 0.0);
        (guarded, pit)
    });
    let (mut guarded, pit) = started.await.unwrap();
    let mut windows = Vec::new();
    for page in [format!("{}/?lang=en", guarded.address), format!("{}/dealer", guarded.address), pit.address.clone()] {
        let window = client.new_window(false).await.unwrap().handle;
        client.switch_to_window(window.clone()).await.unwrap();
        client.goto(&format!("http://{page}")).await.unwrap();
        until(client, "document.querySelector('.tick, .alarm.clear, .tile.clear')").await;
        until(client, "document.querySelector('#lost').hidden").await;
        eval(client, WATCH).await;
        windows.push(window);
    }
    let struck = spawn_blocking(move || {
        let since = now();
        trouble.comes(&mut guarded);
        let others = until_others(&guarded, &pit, false, since);
        let is_well = answered(&guarded.address, "/healthz").starts_with("HTTP/1.1 200");
        assert_eq!(is_well, matches!(trouble, Trouble::Opened(_)), "{trouble:?}: what is only to be looked at is well");
        (guarded, pit, since, others)
    });
    let (guarded, pit, since, others) = struck.await.unwrap();
    let mut pages = f64::MIN;
    for window in windows {
        client.switch_to_window(window).await.unwrap();
        until(client, "window.greenUntil > 0").await;
        pages = pages.max(eval(client, "return window.greenUntil").await.as_f64().unwrap() - since);
        client.close_window().await.unwrap();
        let left = client.windows().await.unwrap().remove(0);
        client.switch_to_window(left).await.unwrap();
    }
    spawn_blocking(move || drop((guarded, pit))).await.unwrap();
    (pages, others)
}

#[test]
#[ignore = "needs chromium, chromedriver and a C compiler"]
fn no_trouble_leaves_a_face_green_on_the_real_program() {
    with_browser_for(2 * super::LIMIT, |_, client| async move {
        for trouble in Trouble::ALL {
            let (pages, others) = suffers(&client, trouble).await;
            println!("{trouble:?}: no page was green after {pages:.0} ms, no other face after {others:.0} ms");
        }
    });
}
