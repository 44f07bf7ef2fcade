//! The program's own log, on standard error. What is told again and again is told in part, so that nobody fills a disk
//! or hides something else by plugging in a device that says hello without end.

use std::collections::HashMap;
use std::fmt::{self, Debug};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, IsTerminal};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use tracing::callsite::Identifier;
use tracing::field::{Field, Visit};
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormatFields};
use tracing_subscriber::registry::LookupSpan;

/// So many lines of one kind are told at once.
const BURST: u32 = 100;
/// After that one in so long.
const ONE_IN: Duration = Duration::from_secs(30);
/// What is told of where it was: each device has lines of its own.
const PLACES: [&str; 5] = ["role", "port", "signal", "place", "name"];

/// What goes wrong is told; the variable `RUST_LOG` asks for more, or less.
pub(crate) fn to_stderr() {
    telling("warn");
}

/// The same of a station: that a device or signal is there again is told as well.
pub(crate) fn of_station() {
    telling("warn,sabot_drivers::link::presence=info,sabot_drivers::signal::supervise=info");
}

fn telling(what: &str) {
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new(what));
    // a second call, as tests make, changes nothing
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(io::stderr).with_target(false);
    // told where nothing can be written it would end the program: a station goes on when the disk of its log is full
    let log = log.log_internal_errors(false).with_ansi(io::stderr().is_terminal());
    let _ = log.map_event_format(InPart::of).try_init();
}

/// Lines of one kind: the line of the source, and where it was.
type Kind = (Identifier, u64);

/// How many more lines of a kind are told.
#[derive(Debug)]
struct Allowance {
    left: u32,
    counted: Instant,
    left_out: u64,
}

impl Allowance {
    fn from(now: Instant) -> Self {
        Self { left: BURST, counted: now, left_out: 0 }
    }

    /// Whether a line is told, and then how many before it were not.
    fn may(&mut self, now: Instant) -> Option<u64> {
        let more = now.saturating_duration_since(self.counted).as_secs() / ONE_IN.as_secs();
        if more > 0 {
            self.left = self.left.saturating_add(u32::try_from(more).unwrap_or(BURST)).min(BURST);
            self.counted = now;
        }
        match self.left.checked_sub(1) {
            Some(left) => {
                self.left = left;
                Some(std::mem::take(&mut self.left_out))
            }
            None => {
                self.left_out += 1;
                None
            }
        }
    }
}

/// Writes lines as another does, those that come too often in part. Who asks for `debug` or `trace` has those whole.
struct InPart<F> {
    inner: F,
    kinds: Mutex<HashMap<Kind, Allowance>>,
}

impl<F> InPart<F> {
    fn of(inner: F) -> Self {
        Self { inner, kinds: Mutex::default() }
    }

    fn may(&self, event: &Event<'_>, now: Instant) -> Option<u64> {
        if *event.metadata().level() > Level::INFO {
            return Some(0);
        }
        let mut place = Place(DefaultHasher::new());
        event.record(&mut place);
        let kind = (event.metadata().callsite(), place.0.finish());
        let mut kinds = self.kinds.lock().unwrap_or_else(PoisonError::into_inner);
        kinds.entry(kind).or_insert_with(|| Allowance::from(now)).may(now)
    }
}

/// Where an event was.
struct Place(DefaultHasher);

impl Visit for Place {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        if PLACES.contains(&field.name()) {
            format!("{value:?}").hash(&mut self.0);
        }
    }
}

impl<S, N, F> FormatEvent<S, N> for InPart<F>
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
    F: FormatEvent<S, N>,
{
    fn format_event(&self, ctx: &FmtContext<'_, S, N>, mut writer: Writer<'_>, event: &Event<'_>) -> fmt::Result {
        let Some(left_out) = self.may(event, Instant::now()) else { return Ok(()) };
        self.inner.format_event(ctx, writer.by_ref(), event)?;
        if left_out > 0 {
            writeln!(writer, "  = {left_out} lines like this one were left out before it")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::sync::Arc;

    use super::*;

    #[test]
    fn a_burst_is_told_then_one_in_thirty_seconds_with_how_many_were_left_out() {
        let began = Instant::now();
        let at = |s: u64| began + Duration::from_secs(s);
        let mut lines = Allowance::from(began);
        let told = (0..1000).filter(|_| lines.may(at(1)).is_some()).count();
        assert_eq!(told, 100);
        assert_eq!((lines.may(at(29)), lines.may(at(31)), lines.may(at(32))), (None, Some(901), None));
        // what was quiet for long has its burst again, and no more
        let told = (0..1000).filter(|_| lines.may(at(100_000)).is_some()).count();
        assert_eq!(told, 100);
    }

    #[derive(Clone, Default)]
    struct Kept(Arc<Mutex<Vec<u8>>>);

    impl Write for Kept {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn one_device_that_is_told_of_without_end_hides_no_other_and_what_is_asked_for_comes_whole() {
        let (kept, log) = (Kept::default(), tracing_subscriber::fmt());
        let of = kept.clone();
        let log =
            log.with_max_level(Level::DEBUG).with_writer(move || of.clone()).map_event_format(InPart::of).finish();
        tracing::subscriber::with_default(log, || {
            for n in 0..1000 {
                for port in ["/dev/one", "/dev/two"].iter().take(if n < 3 { 2 } else { 1 }) {
                    tracing::warn!(port, n, "device is refused");
                }
                tracing::debug!("looked");
            }
        });
        let text = String::from_utf8(kept.0.lock().unwrap().clone()).unwrap();
        let count = |what: &str| text.matches(what).count();
        assert_eq!((count("/dev/one"), count("/dev/two"), count("looked")), (100, 3, 1000));
    }
}
