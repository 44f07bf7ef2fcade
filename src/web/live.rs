//! Server-sent events for whoever watches: what is so at once, then what changes, and a `pulse` while nothing does,
//! with the number of what was told last.
//!
//! Who reads slowly skips what is old by then, and holds up nobody. A live page gets `picture`: JSON with `version` (of
//! the page's own files: another one means that the page must be loaded again), `title` and `parts` (HTML by the
//! region's id).

use std::collections::{BTreeMap, HashMap};
use std::convert::Infallible;
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use axum::http::{HeaderName, StatusCode, header};
use axum::response::sse::{Event, Sse};
use axum::response::{IntoResponse, Response};
use sabot_law::table::answer::Lang;
use serde::Serialize;
use tokio::sync::{Semaphore, mpsc, watch};
use tokio::time::{Instant, sleep, timeout_at};
use tokio_stream::wrappers::ReceiverStream;

/// Who watches hears something at least this often; three silent pulses are a lost connection.
pub const PULSE: Duration = Duration::from_millis(800);
/// Updates come no closer than this: faster ones are not seen, and drawing them would take time from the table.
const PACE: Duration = Duration::from_millis(40);

/// Where events go to somebody who watches; it is closed once he is gone.
pub type Page = mpsc::Sender<Result<Event, Infallible>>;

/// What was to be sent could not be drawn or written.
pub type NotSent = Box<dyn std::error::Error + Send + Sync>;

/// What a page shows to somebody who looks at it in one way.
#[derive(Debug, Default)]
pub struct Drawn {
    /// The window's title.
    pub title: String,
    /// The regions of the page that change, as HTML by the region's id.
    pub parts: BTreeMap<&'static str, String>,
}

impl Drawn {
    /// A region's HTML; empty where the page has no such region.
    #[must_use]
    pub fn part(&self, id: &str) -> &str {
        self.parts.get(id).map_or("", String::as_str)
    }
}

/// What is shown to whoever watches, until the server stops. People look at it in ways `W`: in a language, at a part.
#[derive(Debug)]
pub struct Live<T, W = Lang> {
    shown: watch::Receiver<Arc<T>>,
    pictures: Arc<Pictures<T, W>>,
    number: fn(&T) -> u64,
    /// One for each who watches.
    slots: Arc<Semaphore>,
    shutdown: watch::Receiver<bool>,
}

impl<T, W> Clone for Live<T, W> {
    fn clone(&self) -> Self {
        Self {
            shown: self.shown.clone(),
            pictures: Arc::clone(&self.pictures),
            number: self.number,
            slots: Arc::clone(&self.slots),
            shutdown: self.shutdown.clone(),
        }
    }
}

impl<T, W: Clone + Eq + Hash> Live<T, W> {
    /// What is `shown`, drawn so for people; `number` is what a pulse tells of it. `most` watch it at one time.
    pub fn new(
        shown: watch::Receiver<Arc<T>>,
        draw: Draw<T, W>,
        number: fn(&T) -> u64,
        most: usize,
        shutdown: watch::Receiver<bool>,
    ) -> Self {
        let pictures = Pictures { draw, newest: Mutex::default() };
        Self { shown, pictures: Arc::new(pictures), number, slots: Arc::new(Semaphore::new(most)), shutdown }
    }

    /// What is shown now.
    #[must_use]
    pub fn now(&self) -> Arc<T> {
        Arc::clone(&self.shown.borrow())
    }

    /// Whether nobody is left who could show anything new.
    #[must_use]
    pub fn has_ended(&self) -> bool {
        self.shown.has_changed().is_err()
    }

    /// What somebody sees now who looks at it so.
    ///
    /// # Errors
    /// When it cannot be drawn.
    pub fn drawn(&self, way: &W) -> Result<Arc<Drawn>, NotSent> {
        self.pictures.of(&self.now(), way)
    }
}

impl<T: Send + Sync + 'static, W: Clone + Eq + Hash + Send + Sync + 'static> Live<T, W> {
    /// Sends a live page its pictures, one after another; `too_many` where there is no place for one more.
    pub fn pictures(self, version: &'static str, way: W, too_many: &'static str) -> Response {
        let pictures = Arc::clone(&self.pictures);
        let newest = pictures.watched(way.clone());
        let mut on_page: Option<Arc<Drawn>> = None;
        self.news(too_many, move |shown| {
            let drawn = pictures.drawn(&newest, shown, &way)?;
            let update = serde_json::to_string(&Update::of(version, &drawn, on_page.as_deref()))?;
            on_page = Some(drawn);
            Ok(Some(Event::default().event("picture").data(update)))
        })
    }

    /// Sends what `next` makes of what is shown, each time that changes, until whoever watches goes away, the server
    /// stops or nothing is shown any more; `too_many` where there is no place for one more.
    pub fn news(
        self,
        too_many: &'static str,
        next: impl FnMut(&Arc<T>) -> Result<Option<Event>, NotSent> + Send + 'static,
    ) -> Response {
        let number = self.number;
        self.events(too_many, async move |shown, page| send(shown, number, next, &page).await)
    }

    /// Sends what `tell` tells, until it ends, whoever watches goes away or the server stops; `too_many` where there is
    /// no place for one more.
    pub fn events<F: Future<Output = ()> + Send + 'static>(
        self,
        too_many: &'static str,
        tell: impl FnOnce(watch::Receiver<Arc<T>>, Page) -> F,
    ) -> Response {
        let Self { shown, slots, shutdown, .. } = self;
        let Ok(slot) = slots.try_acquire_owned() else {
            return (StatusCode::SERVICE_UNAVAILABLE, too_many).into_response();
        };
        // room for one: a page that does not read holds back only itself, and gets the newest when it reads again
        let (page, events) = mpsc::channel(1);
        let told = tell(shown, page.clone());
        tokio::spawn(async move {
            tokio::select! {
                () = super::stopped(shutdown) => {}
                () = page.closed() => {}
                () = told => {}
            }
            drop(slot);
        });
        let unbuffered = (HeaderName::from_static("x-accel-buffering"), "no");
        ([(header::CACHE_CONTROL, "no-store"), unbuffered], Sse::new(ReceiverStream::new(events))).into_response()
    }
}

/// How something is drawn for whoever looks at it so.
pub type Draw<T, W> = fn(&T, &W) -> Result<Drawn, NotSent>;

/// What is shown, drawn once for everybody who watches it in the same way.
#[derive(Debug)]
struct Pictures<T, W> {
    draw: Draw<T, W>,
    /// Each is held by those who watch so.
    newest: Mutex<HashMap<W, Weak<Newest<T>>>>,
}

/// The newest picture, and what it is of.
type Newest<T> = Mutex<Option<(Arc<T>, Arc<Drawn>)>>;

impl<T, W: Eq + Hash> Pictures<T, W> {
    /// Where the pictures of this way are while it is watched.
    fn watched(&self, way: W) -> Arc<Newest<T>> {
        let mut all = self.newest.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(newest) = all.get(&way).and_then(Weak::upgrade) {
            return newest;
        }
        all.retain(|_, newest| newest.strong_count() > 0);
        let newest = Arc::new(Newest::default());
        all.insert(way, Arc::downgrade(&newest));
        newest
    }

    fn of(&self, shown: &Arc<T>, way: &W) -> Result<Arc<Drawn>, NotSent> {
        let all = self.newest.lock().unwrap_or_else(PoisonError::into_inner);
        let newest = all.get(way).and_then(Weak::upgrade);
        drop(all);
        match newest {
            Some(newest) => self.drawn(&newest, shown, way),
            None => Ok(Arc::new((self.draw)(shown, way)?)),
        }
    }

    fn drawn(&self, newest: &Newest<T>, shown: &Arc<T>, way: &W) -> Result<Arc<Drawn>, NotSent> {
        let mut newest = newest.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((of, drawn)) = &*newest
            && Arc::ptr_eq(of, shown)
        {
            return Ok(Arc::clone(drawn));
        }
        let drawn = Arc::new((self.draw)(shown, way)?);
        *newest = Some((Arc::clone(shown), Arc::clone(&drawn)));
        Ok(drawn)
    }
}

/// What a live page is sent when something changes: only the regions that did.
#[derive(Debug, Serialize)]
struct Update<'a> {
    version: &'a str,
    title: &'a str,
    parts: BTreeMap<&'a str, &'a str>,
}

impl<'a> Update<'a> {
    fn of(version: &'a str, drawn: &'a Drawn, shown: Option<&Drawn>) -> Self {
        let is_news = |id: &str, html: &str| shown.is_none_or(|shown| shown.part(id) != html);
        let parts = drawn.parts.iter().map(|(id, html)| (*id, html.as_str()));
        Self { version, title: &drawn.title, parts: parts.filter(|(id, html)| is_news(id, html)).collect() }
    }
}

async fn send<T>(
    mut shown: watch::Receiver<Arc<T>>,
    number: fn(&T) -> u64,
    mut next: impl FnMut(&Arc<T>) -> Result<Option<Event>, NotSent>,
    page: &Page,
) {
    let pulse = |of: &T| Event::default().event("pulse").data(number(of).to_string());
    let mut pulse_at = Instant::now();
    loop {
        let Ok(room) = page.reserve().await else { return };
        let newest = Arc::clone(&shown.borrow_and_update());
        let event = match next(&newest) {
            Ok(Some(news)) => Some(news),
            // changes that are no news put no pulse off
            Ok(None) => (pulse_at <= Instant::now()).then(|| pulse(&newest)),
            Err(error) => {
                tracing::error!(%error, "a live page gets no more");
                return;
            }
        };
        match event {
            Some(event) => {
                room.send(Ok(event));
                pulse_at = Instant::now() + PULSE;
            }
            None => drop(room),
        }
        sleep(PACE).await;
        loop {
            match timeout_at(pulse_at, shown.changed()).await {
                Ok(Ok(())) => break,
                Ok(Err(_)) => return,
                Err(_) if page.send(Ok(pulse(&newest))).await.is_err() => return,
                Err(_) => pulse_at = Instant::now() + PULSE,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Event, PULSE, send};
    use std::sync::Arc;
    use std::time::Duration;
    use tokio::sync::{mpsc, watch};
    use tokio::time::{Instant, sleep, timeout};

    #[tokio::test(start_paused = true)]
    async fn what_changes_all_the_time_and_is_no_news_puts_no_pulse_off() {
        let (told, shown) = watch::channel(Arc::new(0_u64));
        let (page, mut events) = mpsc::channel(1);
        let mut first = true;
        let news = move |_: &Arc<u64>| {
            let event = std::mem::take(&mut first).then(|| Event::default().event("verdict"));
            Ok(event)
        };
        tokio::spawn(async move { send(shown, |number| *number, news, &page).await });
        tokio::spawn(async move {
            for number in 1.. {
                sleep(Duration::from_millis(50)).await;
                told.send_replace(Arc::new(number));
            }
        });
        assert!(events.recv().await.is_some(), "what is so at once");
        for _ in 0..5 {
            let began = Instant::now();
            let pulse = timeout(Duration::from_secs(60), events.recv()).await;
            assert!(pulse.is_ok_and(|event| event.is_some()), "no pulse comes at all");
            assert!(began.elapsed() < PULSE + Duration::from_millis(200), "{:?}", began.elapsed());
        }
    }
}
