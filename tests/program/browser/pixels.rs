//! From a finding to pixels, with fifty who watch: the real station, a person who reports, and for each window the
//! moment at which its screen was drawn with the finding.
//!
//! SABOT_WINDOWS=50 makes all of the fifty real windows of one Chromium, each a process of its own; else one is, and
//! the others do what a browser does and draw nothing. SABOT_FINDINGS=20 takes so many findings. The figures depend on
//! the machine, so they are printed and not asserted.

use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use fantoccini::Client;
use fantoccini::wd::WindowHandle;
use tokio::sync::mpsc;
use tokio::task::spawn_blocking;
use tokio::time::sleep;

use super::watchers::{all_told, processor_time, processor_times, watches};
use super::{LIMIT, eval, until, with_browser_for};
use crate::acts::Desk;

/// Who watch.
const ALL: usize = 50;

/// Notes when each finding was drawn: at the second frame after it stood in the document the first was on its way.
const WATCH: &str = "window.drawn = {};
    const look = () => {
        for (const item of document.querySelectorAll('.finding')) {
            const n = item.dataset.n;
            if (n in window.drawn) continue;
            window.drawn[n] = 0;
            requestAnimationFrame(() => requestAnimationFrame(() => {
                window.drawn[n] = performance.timeOrigin + performance.now();
            }));
        }
    };
    look();
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true, attributes: true });";

fn given(name: &str, else_: usize) -> usize {
    std::env::var(name).map_or(else_, |text| text.parse().unwrap())
}

/// Milliseconds since 1970, as a browser tells them.
pub(super) fn now() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs_f64() * 1000.0
}

/// A window has a name of the station to itself: browsers open six connections to one name.
fn name(window: usize) -> String {
    format!("w{window}.localhost")
}

/// Opens the table's page in so many windows.
async fn windows(client: &Client, port: &str, count: usize) -> Vec<WindowHandle> {
    let mut windows = Vec::new();
    for window in 0..count {
        let handle = client.new_window(false).await.unwrap().handle;
        client.switch_to_window(handle.clone()).await.unwrap();
        client.goto(&format!("http://{}:{port}/?lang=en", name(window))).await.unwrap();
        until(client, "document.querySelector('#lost').hidden").await;
        eval(client, WATCH).await;
        windows.push(handle);
    }
    windows
}

/// Waits until a window has drawn that finding; when that was.
async fn drawn(client: &Client, window: &WindowHandle, n: usize) -> f64 {
    client.switch_to_window(window.clone()).await.unwrap();
    until(client, &format!("window.drawn[{n}] > 0")).await;
    eval(client, &format!("return window.drawn[{n}]")).await.as_f64().unwrap()
}

fn told(what: &str, times: &mut [f64]) {
    times.sort_by(f64::total_cmp);
    let at = |share: usize| times[(times.len() * share / 100).min(times.len() - 1)];
    println!("{what}: median {:.0} ms, nine of ten {:.0} ms, at most {:.0} ms", at(50), at(90), at(100));
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn from_a_finding_to_pixels_with_fifty_who_watch() {
    let (count, findings) = (given("SABOT_WINDOWS", 1).min(ALL), given("SABOT_FINDINGS", 10));
    let limit = LIMIT + Duration::from_secs(u64::try_from(3 * (count + findings)).unwrap());
    with_browser_for(limit, move |_, client| async move {
        let names: Vec<String> = (0..count).map(|window| format!("{:?}", name(window))).collect();
        let hosts = format!("hosts = [{}]", names.join(", "));
        let started = spawn_blocking(move || {
            let desk = Desk::starting(&hosts, "");
            let inspector = desk.as_one("I-4");
            (Arc::new(desk), inspector)
        });
        let (desk, inspector) = started.await.unwrap();
        let port = desk.address.rsplit(':').next().unwrap().to_owned();
        let windows = windows(&client, &port, count).await;
        let (came, mut coming) = mpsc::unbounded_channel();
        let others: Vec<_> =
            (0..ALL - count).map(|one| tokio::spawn(watches(one, desk.address.clone(), came.clone()))).collect();
        let (mut pixels, mut streams, mut last, mut spent) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for n in 1..=findings {
            // whoever asked whether it is drawn has gone
            sleep(Duration::from_secs(1)).await;
            let (reports, by) = (Arc::clone(&desk), inspector.clone());
            let posted = spawn_blocking(move || {
                let (began, before) = (now(), processor_times(reports.station.0.id()));
                let answer = reports.posts("/acts", &by, "act=report&provision=C17&place=1&note=seen");
                assert!(answer.starts_with("HTTP/1.1 303"), "{answer}");
                (began, before)
            });
            let (began, before) = posted.await.unwrap();
            let told = all_told(&mut coming, others.len(), n).await;
            spent.push(processor_time(desk.station.0.id(), &before).as_secs_f64() * 1000.0);
            last.extend(told.iter().copied().max_by(f64::total_cmp).map(|at| at - began));
            streams.extend(told.iter().map(|at| at - began));
            sleep(Duration::from_millis(500)).await;
            for window in &windows {
                pixels.push(drawn(&client, window, n).await - began);
            }
        }
        println!("{findings} findings, {count} windows of a browser and {} clients that do what it does", others.len());
        told("from the act to pixels", &mut pixels);
        if !streams.is_empty() {
            told("from the act to the last byte at a client", &mut streams);
            told("from the act to the last byte at the last of them", &mut last);
        }
        told("processor time of the station for a finding", &mut spent);
        others.iter().for_each(tokio::task::JoinHandle::abort);
        drop(desk);
    });
}
