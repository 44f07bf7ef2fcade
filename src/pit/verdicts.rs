//! What one station says of its table, as long as it says it.

use std::time::Duration;

use http_body_util::{BodyExt, Empty};
use hyper::body::{Buf, Bytes, Incoming};
use hyper::client::conn::http1;
use hyper::{Request, Response, StatusCode, header};
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpStream, lookup_host};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use sabot_law::table::felt::Words;
use sabot_station::config::pit::{PitTable, StationAddress};
use sabot_station::console::brief::Brief;
use sabot_web::tls::trust::Trust;

use crate::events::{Event, Events, NoEvents};
use crate::trouble::Trouble;

/// A station that says nothing for so long is asked anew.
const PATIENCE: Duration = Duration::from_secs(5);
/// A station that says more than is worth saying is heard more slowly.
const PACE: Duration = Duration::from_millis(20);
/// Bytes of the head of its answer.
const HEAD: usize = 8 * 1024;
/// Letters of anything that is shown: a note of an inspector's has 200.
const LETTERS: usize = 1000;

/// A piece of news.
#[derive(Debug)]
pub(crate) enum Said {
    /// How the table stands.
    Verdict(Box<Brief>),
    /// How it stands, and where people reach its page, where that is told.
    #[cfg(feature = "floor")]
    OnFloor(Box<Brief>, Option<StationAddress>),
    /// It stands as it did.
    Pulse,
}

/// Asks a station for something: its answer, and what carries it.
pub(crate) async fn ask(
    at: &StationAddress,
    trust: Option<&Trust>,
    path: &str,
) -> Result<(Response<Incoming>, JoinSet<()>), Trouble> {
    let StationAddress { tls, host, port } = at;
    // a name that is not found at once is waited for: giving up would leave the system looking for it
    let found = lookup_host((host.as_str(), *port)).await.map_err(|error| Trouble::not_there(&error))?;
    let found: Vec<_> = found.collect();
    let asked = async {
        let stream = TcpStream::connect(&*found).await.map_err(|error| Trouble::not_there(&error))?;
        match trust {
            Some(trust) if *tls => over(trust.connect(host, stream).await?, at, path).await,
            _ => over(stream, at, path).await,
        }
    };
    timeout(PATIENCE, asked).await.unwrap_or(Err(Trouble::Silent))
}

async fn over(
    stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
    at: &StationAddress,
    path: &str,
) -> Result<(Response<Incoming>, JoinSet<()>), Trouble> {
    let mut http = http1::Builder::new();
    http.max_buf_size(HEAD);
    let (mut sender, talk) = http.handshake(TokioIo::new(stream)).await.map_err(|error| no_http(&error))?;
    let mut connection = JoinSet::new();
    connection.spawn(async move {
        if let Err(error) = talk.await {
            tracing::debug!(%error, "a station's connection ended");
        }
    });
    let request = Request::get(path).header(header::HOST, at.authority());
    let request = request.body(Empty::<Bytes>::new()).map_err(|error| Trouble::not_understood(&error.to_string()))?;
    let answer = sender.send_request(request).await.map_err(|error| no_http(&error))?;
    match answer.status() {
        StatusCode::OK => Ok((answer, connection)),
        status => Err(Trouble::Answers(status.as_u16())),
    }
}

/// A station that is listened to.
pub(crate) struct Verdicts<'a> {
    table: &'a PitTable,
    body: Incoming,
    come: Bytes,
    events: Events,
    has_told: bool,
    /// What carries it; it ends with this.
    _connection: JoinSet<()>,
}

impl<'a> Verdicts<'a> {
    /// Asks a station.
    pub(crate) async fn of(table: &'a PitTable, trust: Option<&Trust>) -> Result<Self, Trouble> {
        let (answer, connection) = ask(&table.at, trust, "/api/v1/verdicts").await?;
        let (body, come) = (answer.into_body(), Bytes::new());
        Ok(Self { table, body, come, events: Events::default(), has_told: false, _connection: connection })
    }

    /// What it says next.
    pub(crate) async fn next(&mut self) -> Result<Said, Trouble> {
        timeout(PATIENCE, self.said()).await.unwrap_or(Err(Trouble::Silent))
    }

    async fn said(&mut self) -> Result<Said, Trouble> {
        loop {
            sleep(PACE).await;
            let event = self.event().await?;
            if let Some(said) = self.understood(&event)? {
                return Ok(said);
            }
        }
    }

    async fn event(&mut self) -> Result<Event, Trouble> {
        loop {
            while self.come.has_remaining() {
                let byte = self.come.get_u8();
                if let Some(event) = self.events.take(byte).map_err(no_events)? {
                    return Ok(event);
                }
            }
            match self.body.frame().await {
                Some(Ok(frame)) => self.come = frame.into_data().unwrap_or_default(),
                Some(Err(_)) | None => return Err(Trouble::HungUp),
            }
        }
    }

    /// What an event says; nothing where a later version says it.
    fn understood(&mut self, Event { name, data }: &Event) -> Result<Option<Said>, Trouble> {
        match name.as_str() {
            "verdict" => {
                let brief: Brief =
                    serde_json::from_str(data).map_err(|error| Trouble::not_understood(&error.to_string()))?;
                let brief = believed(brief, Some(&self.table.name))?;
                self.has_told = true;
                Ok(Some(Said::Verdict(Box::new(brief))))
            }
            "pulse" if self.has_told => Ok(Some(Said::Pulse)),
            "pulse" => Err(Trouble::not_understood("a pulse before a verdict")),
            _ => Ok(None),
        }
    }
}

/// A verdict that can be shown, and is about that table where it has to be.
pub(crate) fn believed(brief: Brief, name: Option<&str>) -> Result<Brief, Trouble> {
    if brief.table.is_empty() {
        return Err(Trouble::Starting);
    }
    if name.is_some_and(|name| brief.table != name) {
        return Err(Trouble::other_table(&brief.table));
    }
    if longest(&brief) > LETTERS {
        return Err(Trouble::not_understood(&format!("more than {LETTERS} letters")));
    }
    Ok(brief)
}

/// Letters of the longest words in it.
fn longest(brief: &Brief) -> usize {
    let alarm = brief.alarm.iter();
    let words = [&brief.says].into_iter().chain(&brief.due).chain(brief.unseen.iter().map(|unseen| &unseen.what));
    let of_alarm = alarm.clone().flat_map(|alarm| {
        [&alarm.text].into_iter().chain(&alarm.place).chain(alarm.to_do.as_ref().map(|step| &step.what))
    });
    let texts = words.chain(of_alarm).flat_map(|Words { es, en }| [es.as_str(), en]);
    let names = alarm.flat_map(|alarm| [Some(&alarm.provision), alarm.taken_by.as_ref()]).flatten();
    let since = brief.unseen.iter().filter_map(|unseen| unseen.since.as_deref());
    texts.chain(names.map(|name| name.as_str())).chain(since).map(str::len).max().unwrap_or(0)
}

fn no_http(error: &hyper::Error) -> Trouble {
    if error.is_parse() { Trouble::not_understood(&error.to_string()) } else { Trouble::HungUp }
}

fn no_events(why: NoEvents) -> Trouble {
    Trouble::not_understood(match why {
        NoEvents::Endless => "it does not end",
        NoEvents::NoText => "it is no UTF-8",
    })
}
