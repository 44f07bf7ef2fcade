//! What the running station of a table tells of its devices.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::Path;
use std::time::Duration;

use http_body_util::{BodyExt, Empty, Limited};
use hyper::body::Bytes;
use hyper::{Request, StatusCode};
use hyper_util::rt::TokioIo;
use serde::Deserialize;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::time::{sleep, timeout};

use super::probe::Configured;
use super::{DeviceState, State};
use crate::presence::BETWEEN_LINES;
use sabot_web::tls::pinned;

/// A station on this machine or in this house answers within that.
const WITHIN: Duration = Duration::from_millis(700);
/// Until a station that is starting is asked again.
const STARTING: Duration = Duration::from_millis(50);
/// A snapshot is far smaller.
const MAX_BYTES: usize = 4 << 20;

/// What of a station's snapshot is of use here. A station of another version may tell more.
#[derive(Debug, Deserialize)]
pub(super) struct StationReport {
    table: String,
    #[serde(default)]
    devices: Vec<ReportedDevice>,
}

/// A device, as the station tells of it.
#[derive(Debug, Deserialize)]
pub(super) struct ReportedDevice {
    role: String,
    port: String,
    state: DeviceState,
    #[serde(default)]
    detail: String,
}

impl StationReport {
    /// What it tells of a device.
    pub(super) fn of(&self, one: &Configured) -> Option<&ReportedDevice> {
        // the station may have been started in another folder, and its file named otherwise
        let same = |port: &str| {
            let whole = |port: &str| std::path::absolute(port).ok();
            port == one.port || (one.serial_line().is_some() && whole(port) == whole(&one.port))
        };
        // readers on several lines are one device
        let is_there = |view: &&ReportedDevice| same(&view.port) || view.port.split(BETWEEN_LINES).any(same);
        self.devices.iter().find(|view| view.role == one.role && is_there(view))
    }
}

/// Asks the station that serves its page there; nothing when none of this table does.
pub(super) async fn fetch(
    address: SocketAddr,
    tls: Option<&Path>,
    table: &str,
    notes: &mut Vec<String>,
) -> Option<StationReport> {
    let report = timeout(WITHIN, first_report(reachable(address), tls)).await.ok()??;
    if report.table == table {
        return Some(report);
    }
    notes.push(format!("at {address} the station of another table answers: {}", report.table));
    None
}

/// The first snapshot that names a table: a station that is starting has a page before it has a snapshot.
async fn first_report(address: SocketAddr, tls: Option<&Path>) -> Option<StationReport> {
    loop {
        let stream = TcpStream::connect(address).await.ok()?;
        let report = match tls {
            None => snapshot(stream, address).await?,
            Some(folder) => snapshot(pinned::connect(folder, stream).await.ok()?, address).await?,
        };
        if !report.table.is_empty() {
            return Some(report);
        }
        sleep(STARTING).await;
    }
}

/// An address that listens on every network is reached on this machine.
fn reachable(address: SocketAddr) -> SocketAddr {
    let ip = match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    SocketAddr::new(ip, address.port())
}

/// What the station that serves its page there answers to a path; nothing where none does.
pub async fn page(address: SocketAddr, tls: Option<&Path>, path: &str) -> Option<Vec<u8>> {
    let address = reachable(address);
    let asked = async {
        let stream = TcpStream::connect(address).await.ok()?;
        match tls {
            None => get(stream, address, path).await,
            Some(folder) => get(pinned::connect(folder, stream).await.ok()?, address, path).await,
        }
    };
    timeout(WITHIN, asked).await.ok()?.map(Vec::from)
}

/// Whatever goes wrong, no station of ours answers there.
async fn snapshot(
    stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
    address: SocketAddr,
) -> Option<StationReport> {
    serde_json::from_slice(&get(stream, address, "/api/snapshot").await?).ok()
}

async fn get(
    stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
    address: SocketAddr,
    path: &str,
) -> Option<Bytes> {
    let (mut sender, connection) = hyper::client::conn::http1::handshake(TokioIo::new(stream)).await.ok()?;
    let talk = async {
        let request = Request::get(path).header(hyper::header::HOST, address.to_string());
        let answer = sender.send_request(request.body(Empty::<Bytes>::new()).ok()?).await.ok()?;
        let is_ok = answer.status() == StatusCode::OK;
        let body = Limited::new(answer.into_body(), MAX_BYTES).collect().await.ok().filter(|_| is_ok)?;
        Some(body.to_bytes())
    };
    let mut talk = std::pin::pin!(talk);
    tokio::select! {
        report = &mut talk => report,
        // what has come before the connection ended is still to be read
        _ = connection => talk.await,
    }
}

/// How the device is, what it says, what is wrong.
pub(super) fn verdict(view: &ReportedDevice) -> (State, Option<String>, Vec<String>) {
    let detail = Some(view.detail.clone()).filter(|detail| !detail.is_empty());
    match view.state {
        DeviceState::Online => (State::Fine, detail.or(Some("is told what to show".to_owned())), Vec::new()),
        DeviceState::Connecting => {
            let why = "its station has opened the port, and the device has not answered yet".to_owned();
            (State::Wrong, None, vec![detail.unwrap_or(why)])
        }
        DeviceState::Absent | DeviceState::Refused | DeviceState::Faulty => {
            (State::Wrong, None, vec![detail.unwrap_or_else(|| "its station says that it is not there".to_owned())])
        }
    }
}
