//! `/metrics`: figures of the table and its devices for a monitoring system, in the text format of Prometheus
//! (OpenMetrics 1.0). Drawn from a snapshot, as the page is: no card, chip, badge or player is in it.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, MetricEncoder, NoLabelSet, text};
use prometheus_client::metrics::MetricType;
use prometheus_client::registry::{Registry, Unit};
use sabot_words::Times;

use crate::about;
use crate::snapshot::{ClockView, DeviceState, DeviceView, Face, FindingState, ReadRateView, Snapshot};

/// What the answer is.
pub(super) const CONTENT_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

const STATES: [(DeviceState, &str); 5] = [
    (DeviceState::Absent, "absent"),
    (DeviceState::Connecting, "connecting"),
    (DeviceState::Online, "online"),
    (DeviceState::Refused, "refused"),
    (DeviceState::Faulty, "faulty"),
];

const SEVERITIES: [&str; 3] = ["notice", "irregularity", "integrity"];

/// A figure of a device, where it has it.
enum Figure {
    /// Counts since the station started.
    Count(fn(&DeviceView) -> u64),
    /// 1 where it is so, else 0.
    Is(fn(&DeviceView) -> bool),
    /// Seconds, from milliseconds.
    Time(fn(&ClockView) -> i64),
}

/// Every figure of a device, with its name and help.
const DEVICE: [(&str, &str, Figure); 17] = [
    ("device_up", "Whether the device is in session", Figure::Is(|device| device.state == DeviceState::Online)),
    ("device_events", "Events taken from the device", Figure::Count(|device| device.figures.events)),
    ("device_frames", "Frames received, sound or not", Figure::Count(|device| device.figures.frames)),
    ("device_bad_frames", "Frames that were damaged or made no sense", Figure::Count(|device| device.bad_frames)),
    ("device_repeats", "Events that came again and were dropped", Figure::Count(|device| device.repeats)),
    ("device_unheard", "Events that came again though acknowledged", Figure::Count(|device| device.figures.unheard)),
    ("device_gaps", "Events that came before their turn", Figure::Count(|device| device.figures.gaps)),
    ("device_lost", "Times frames were missing between others", Figure::Count(|device| device.figures.lost)),
    ("device_missing", "Sealed frames that never came", Figure::Count(|device| device.figures.missing)),
    ("device_forged", "Whole frames of no such device or session", Figure::Count(|device| device.figures.forged)),
    ("device_replayed", "Frames that came once more, byte for byte", Figure::Count(|device| device.figures.replayed)),
    ("device_reconnects", "Times the device came back", Figure::Count(|device| device.figures.reconnects)),
    ("device_line_good", "Whether nothing is wrong with its line", Figure::Is(|device| device.poor.is_none())),
    ("device_full", "Whether it takes no more, or waits for the record", Figure::Is(|device| device.full.is_some())),
    ("device_clock_offset", "The station's clock less the device's", Figure::Time(|clock| clock.offset_ms)),
    ("device_clock_error", "How wrong the offset may be, either way", Figure::Time(|clock| clock.error_ms.into())),
    ("device_round_trip", "Round trip of the ping", Figure::Time(|clock| clock.round_trip_ms.into())),
];

/// A figure of a spot whose tags are read.
enum SpotFigure {
    /// Counts since the station started.
    Count(fn(&ReadRateView) -> u64),
    /// How many there are now.
    Is(fn(&ReadRateView) -> u32),
    /// Seconds, from milliseconds.
    Time(fn(&ReadRateView) -> u64),
}

/// Every figure of a spot, with its name and help.
const SPOT: [(&str, &str, SpotFigure); 4] = [
    ("spot_tags", "Tags that lie there", SpotFigure::Is(|spot| spot.tags)),
    ("spot_tag_rounds", "Times that tags lying there were to be read", SpotFigure::Count(|spot| spot.tries)),
    ("spot_tag_reads", "Times of these that they were", SpotFigure::Count(|spot| spot.reads)),
    ("spot_inventory", "How long the last inventory took", SpotFigure::Time(|spot| spot.inventory_ms)),
];

/// The figures of a snapshot.
///
/// # Errors
/// Never: writing to a text does not fail.
pub(super) fn metrics(snapshot: Arc<Snapshot>) -> Result<String, fmt::Error> {
    let table = (Cow::Borrowed("table"), Cow::Owned(snapshot.table.clone()));
    let mut registry = Registry::with_prefix_and_labels("sabot", std::iter::once(table));
    registry.register_collector(Box::new(Scrape(snapshot)));
    let mut page = String::new();
    text::encode(&mut page, &registry)?;
    Ok(page)
}

#[derive(Debug)]
struct Scrape(Arc<Snapshot>);

impl Collector for Scrape {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> fmt::Result {
        let Self(snapshot) = self;
        for (name, help, figure) in &DEVICE {
            devices(&mut encoder, name, help, figure, &snapshot.devices)?;
        }
        for (name, help, figure) in &SPOT {
            spots(&mut encoder, name, help, figure, &snapshot.devices)?;
        }
        let help = "1 for the state the device is in";
        let mut states = encoder.encode_descriptor("device_state", help, None, MetricType::Gauge)?;
        for device in &snapshot.devices {
            for (state, name) in STATES {
                let labels = [("device", device.role.as_str()), ("port", device.port.as_str()), ("state", name)];
                states.encode_family(&labels)?.encode_gauge(&i64::from(device.state == state))?;
            }
        }
        let help = "1 for what people have to know first: clear, look, act or blind";
        let mut faces = encoder.encode_descriptor("verdict", help, None, MetricType::Gauge)?;
        for face in Face::ALL {
            let is = i64::from(snapshot.verdict.face == face);
            faces.encode_family(&[("face", face.name())])?.encode_gauge(&is)?;
        }
        journal(&mut encoder, snapshot)?;
        times(&mut encoder, snapshot)?;
        shipping(&mut encoder, snapshot)?;
        let help = "1, with the version of the program, the SHA-256 of its file, and the regulation";
        let mut build = encoder.encode_descriptor("build_info", help, None, MetricType::Gauge)?;
        let program = about::program().unwrap_or_default();
        let regulation = snapshot.regulation.as_str();
        let labels = [("version", env!("CARGO_PKG_VERSION")), ("program", &program), ("regulation", regulation)];
        build.encode_family(&labels)?.encode_gauge(&1_i64)
    }
}

/// One figure that is there as it is.
fn gauge(encoder: &mut DescriptorEncoder<'_>, name: &str, help: &str, value: u64) -> fmt::Result {
    encoder
        .encode_descriptor(name, help, None, MetricType::Gauge)?
        .encode_gauge(&i64::try_from(value).unwrap_or(i64::MAX))
}

/// How far the journal is on disk, and what was found.
fn journal(encoder: &mut DescriptorEncoder<'_>, snapshot: &Snapshot) -> fmt::Result {
    let figures = &snapshot.figures;
    gauge(encoder, "journal_lines", "Lines of the journal, those not yet on disk included", snapshot.line)?;
    let queue = snapshot.line.saturating_sub(figures.written);
    gauge(encoder, "journal_queue_lines", "Lines that are not yet on disk", queue)?;
    gauge(encoder, "journal_writable", "Whether the journal can be written", u64::from(!snapshot.figures.unwritable))?;
    let open = snapshot.findings.iter().filter(|view| view.state == FindingState::Open).count();
    gauge(encoder, "findings_open", "Findings whose remedy is due", open as u64)?;
    let help = "Findings in the journal";
    let mut findings = encoder.encode_descriptor("findings", help, None, MetricType::Counter)?;
    for (severity, count) in SEVERITIES.iter().zip(figures.findings) {
        counter(&mut findings.encode_family(&[("severity", *severity)])?, count)?;
    }
    let help = "Findings in the journal, by article";
    let mut articles = encoder.encode_descriptor("findings_by_article", help, None, MetricType::Counter)?;
    for &(article, count) in &figures.by_article {
        counter(&mut articles.encode_family(&[("article", article)])?, count)?;
    }
    Ok(())
}

/// How long things took, and the machine's clock.
fn times(encoder: &mut DescriptorEncoder<'_>, snapshot: &Snapshot) -> fmt::Result {
    let figures = &snapshot.figures;
    for (name, help, times) in [
        ("sensor_to_alert", "From when a device saw what raised a finding to when it was shown", &figures.alerts),
        ("journal_sync", "How long the disk took until what was written was safe", &figures.syncs),
    ] {
        let mut family = encoder.encode_descriptor(name, help, Some(&Unit::Seconds), MetricType::Histogram)?;
        histogram(&mut family, times)?;
    }
    let help = "How long it took to ask every reader of tags once";
    let mut rounds =
        encoder.encode_descriptor("device_poll_round", help, Some(&Unit::Seconds), MetricType::Histogram)?;
    for device in &snapshot.devices {
        let Some(times) = &device.figures.rounds else { continue };
        let labels = [("device", device.role.as_str()), ("port", device.port.as_str())];
        histogram(&mut rounds.encode_family(&labels)?, times)?;
    }
    if let Some(is) = figures.synchronised {
        let help = "Whether the machine's clock is synchronised";
        let mut clock = encoder.encode_descriptor("clock_synchronised", help, None, MetricType::Gauge)?;
        clock.encode_gauge(&i64::from(is))?;
    }
    let help = "By how much a clock of the house is ahead of the machine's";
    let mut ahead = encoder.encode_descriptor("clock_ahead", help, Some(&Unit::Seconds), MetricType::Gauge)?;
    for clock in &figures.clocks {
        let Some(ms) = clock.ahead_ms else { continue };
        #[expect(clippy::cast_precision_loss, reason = "a clock is not milliseconds beyond 2^52 away")]
        ahead.encode_family(&[("clock", clock.name.as_str())])?.encode_gauge(&(ms as f64 / 1000.0))?;
    }
    Ok(())
}

/// How far the record is shipped, where it is.
fn shipping(encoder: &mut DescriptorEncoder<'_>, snapshot: &Snapshot) -> fmt::Result {
    let Some(shipping) = &snapshot.figures.shipping else { return Ok(()) };
    gauge(encoder, "uplink_connected", "Whether the broker of the floor is reached", u64::from(shipping.connected))?;
    gauge(
        encoder,
        "uplink_trouble",
        "Whether lines are refused, or not shipped",
        u64::from(shipping.trouble.is_some()),
    )?;
    gauge(encoder, "uplink_kept_lines", "Lines of the journal that a sink has signed for", shipping.kept)?;
    let help = "Lines of the journal that no sink has signed for";
    gauge(encoder, "uplink_waiting_lines", help, shipping.waiting(snapshot.line))?;
    Ok(())
}

fn devices(
    encoder: &mut DescriptorEncoder<'_>,
    name: &str,
    help: &str,
    figure: &Figure,
    devices: &[DeviceView],
) -> fmt::Result {
    let (kind, unit) = match figure {
        Figure::Count(_) => (MetricType::Counter, None),
        Figure::Is(_) => (MetricType::Gauge, None),
        Figure::Time(_) => (MetricType::Gauge, Some(Unit::Seconds)),
    };
    let mut family = encoder.encode_descriptor(name, help, unit.as_ref(), kind)?;
    for device in devices {
        let labels = [("device", device.role.as_str()), ("port", device.port.as_str())];
        match figure {
            Figure::Count(of) => counter(&mut family.encode_family(&labels)?, of(device))?,
            Figure::Is(of) => family.encode_family(&labels)?.encode_gauge(&i64::from(of(device)))?,
            Figure::Time(of) => {
                let Some(clock) = &device.figures.clock else { continue };
                let ms = of(clock);
                #[expect(clippy::cast_precision_loss, reason = "exact for a hundred thousand years of milliseconds")]
                family.encode_family(&labels)?.encode_gauge(&(ms as f64 / 1000.0))?;
            }
        }
    }
    Ok(())
}

fn spots(
    encoder: &mut DescriptorEncoder<'_>,
    name: &str,
    help: &str,
    figure: &SpotFigure,
    devices: &[DeviceView],
) -> fmt::Result {
    let (kind, unit) = match figure {
        SpotFigure::Count(_) => (MetricType::Counter, None),
        SpotFigure::Is(_) => (MetricType::Gauge, None),
        SpotFigure::Time(_) => (MetricType::Gauge, Some(Unit::Seconds)),
    };
    let mut family = encoder.encode_descriptor(name, help, unit.as_ref(), kind)?;
    for device in devices {
        for spot in &device.figures.read_rates {
            let labels = [("device", device.role.as_str()), ("box", &spot.place), ("spot", &spot.spot)];
            match figure {
                SpotFigure::Count(of) => counter(&mut family.encode_family(&labels)?, of(spot))?,
                SpotFigure::Is(of) => family.encode_family(&labels)?.encode_gauge(&i64::from(of(spot)))?,
                SpotFigure::Time(of) => {
                    let seconds = Duration::from_millis(of(spot)).as_secs_f64();
                    family.encode_family(&labels)?.encode_gauge(&seconds)?;
                }
            }
        }
    }
    Ok(())
}

fn histogram(encoder: &mut MetricEncoder<'_>, times: &Times) -> fmt::Result {
    let seconds = |us: u64| Duration::from_micros(us).as_secs_f64();
    let longer = times.count() - times.within().map(|(_, count)| count).sum::<u64>();
    let within = times.within().map(|(us, count)| (seconds(us), count));
    let buckets: Vec<(f64, u64)> = within.chain([(f64::INFINITY, longer)]).collect();
    encoder.encode_histogram::<NoLabelSet>(seconds(times.sum_us()), times.count(), &buckets, None)
}

fn counter(encoder: &mut MetricEncoder<'_>, count: u64) -> fmt::Result {
    encoder.encode_counter::<NoLabelSet, _, u64>(&count, None)
}
