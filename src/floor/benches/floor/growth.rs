//! How what it costs grows with the tables, at a person's pace: a line a second of each, a pass's end after forty, one
//! player, one sink in a thread of its own, broker and database on this machine. `SECONDS` (60) is how long each count
//! is played, `PLOT` a file for a plot (SVG).

use std::fmt::Write;
use std::fs;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use sabot_floor::broker::Broker;
use sabot_floor::evening::{Dealt, Evening, Header, Played, play};
use sabot_floor::sink::{self, SinkConfig};
use sabot_floor::store::postgres::Postgres as Database;
use sabot_floor::subjects::TableId;
use sabot_journal::note::{PrivateKey, Purpose};
use tempfile::TempDir;
use tokio::sync::watch;

use crate::engines::{Nats, Postgres};

#[derive(Debug)]
struct First;

impl Header for First {
    fn line(&self, table: &str, epoch: u64) -> String {
        format!(
            r#"{{"ev":"table","v":2,"table":"{table}","regulation":"sala-8","boxes":7,"limits":{{"min":100,"max":1000}},"observes":[],"began":{epoch}}}"#
        )
    }
}

fn dealt(seconds: u64) -> Vec<Dealt> {
    let line = |second| {
        let (t, ends_pass) = (second * 1000, second % 40 == 0 || second == seconds);
        let text = if ends_pass {
            format!(r#"{{"ev":"end","t":{t}}}"#)
        } else {
            format!(r#"{{"ev":"draw","card":"8H","to":"{}","face":"up","t":{t}}}"#, second % 7 + 1)
        };
        Dealt { t, text, ends_pass }
    };
    (1..=seconds).map(line).collect()
}

/// Bytes that this process has in memory of its own.
fn memory() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let kib = status.lines().find_map(|line| line.strip_prefix("RssAnon:")?.split_whitespace().next()?.parse().ok());
    kib.unwrap_or(0_u64) * 1024
}

/// Seconds of processors that this process has taken.
fn taken() -> f64 {
    let stat = fs::read_to_string("/proc/self/stat").unwrap();
    let fields: Vec<&str> = stat.rsplit_once(')').unwrap().1.split_whitespace().collect();
    // user and system, in hundredths
    (fields[11].parse::<f64>().unwrap() + fields[12].parse::<f64>().unwrap()) / 100.0
}

/// A line of the plot: its name, its colour, and what it shows of a row.
type Series = (&'static str, &'static str, fn(&Row) -> Duration);

struct Row {
    tables: usize,
    p50: Duration,
    p99: Duration,
}

async fn evening(count: usize, seconds: u64) -> (Played, u64, f64) {
    let (nats, postgres, folder) = (Nats::start(), Postgres::start(), TempDir::new().unwrap());
    let key = PrivateKey::create(&folder.path().join("key"), "bench.example/table", Purpose::Station).unwrap();
    PrivateKey::create(&folder.path().join("sink.key"), "bench.example/sink", Purpose::Witness).unwrap();
    let text = format!("broker = \"{}\"\nkey = \"sink.key\"\n", nats.url());
    let mut config = SinkConfig::parse(&folder.path().join("sink.toml"), &text).unwrap();
    let tables: Vec<TableId> =
        (1..=count).map(|table| TableId::new("bench", "pit", &format!("T-{table:05}")).unwrap()).collect();
    config.tables = tables.iter().map(|table| (table.clone(), vec![key.public().clone()])).collect();
    let (stop, stopped) = watch::channel(false);
    let url = postgres.url();
    let (before, taken_before) = (memory(), taken());
    let sink = std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let key = PrivateKey::load(&config.key, Purpose::Witness).unwrap();
        runtime.block_on(sink::run(&config, &key, async || Database::open(&url, None).await, stopped));
    });
    tokio::time::sleep(Duration::from_secs(2)).await;
    let epoch = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis().try_into().unwrap();
    let (broker, dealt) = (Broker { url: nats.url(), ..Broker::default() }, [dealt(seconds)]);
    let evening =
        Evening { broker: &broker, tables, header: &First, dealt: &dealt, key: &key, epoch, speed: Some(1.0) };
    let played = play(&evening).await.unwrap();
    let figures = (memory().saturating_sub(before), taken() - taken_before);
    stop.send_replace(true);
    sink.join().unwrap();
    (played, figures.0, figures.1)
}

pub(crate) async fn measure(counts: &[usize]) {
    let seconds = std::env::var("SECONDS").ok().and_then(|text| text.parse().ok()).unwrap_or(60);
    println!(
        "tables,lines,lines_a_second,p50_ms,p99_ms,longest_ms,behind_ms,bytes_a_line,memory_a_table,processor_us_a_line"
    );
    let mut rows = Vec::new();
    for &tables in counts {
        let (played, memory, taken) = evening(tables, seconds).await;
        let at =
            |share: f64| played.waited[((played.waited.len() as f64 * share) as usize).min(played.waited.len() - 1)];
        let (p50, p99) = (at(0.5), at(0.99));
        println!(
            "{tables},{},{:.0},{},{},{},{},{},{},{:.1}",
            played.lines,
            played.lines as f64 / played.took.as_secs_f64(),
            p50.as_millis(),
            p99.as_millis(),
            at(1.0).as_millis(),
            played.behind.as_millis(),
            played.bytes / played.lines,
            memory / tables as u64,
            taken * 1e6 / played.lines as f64
        );
        rows.push(Row { tables, p50, p99 });
    }
    if let Ok(file) = std::env::var("PLOT") {
        fs::write(file, plot(&rows)).unwrap();
    }
}

/// Both axes by powers of ten.
fn plot(rows: &[Row]) -> String {
    let x = |tables: usize| 60.0 + (tables as f64).log10() * 120.0;
    let y = |ms: f64| 320.0 - ms.max(1.0).log10() * 60.0;
    let mut svg = String::from(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 600 380\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"600\" height=\"380\" fill=\"white\"/>\n",
    );
    for power in 0..=4 {
        let (at, tables) = (x(10_usize.pow(power)), 10_usize.pow(power));
        writeln!(svg, "<path d=\"M{at} 20V320\" stroke=\"#ddd\"/><text x=\"{at}\" y=\"338\" text-anchor=\"middle\">{tables}</text>").unwrap();
    }
    for power in 0..=5 {
        let (ms, label) = (10_f64.powi(power), 10_u32.pow(power.unsigned_abs()));
        let at = y(ms);
        writeln!(
            svg,
            "<path d=\"M60 {at}H540\" stroke=\"#ddd\"/><text x=\"54\" y=\"{at}\" text-anchor=\"end\">{label}</text>"
        )
        .unwrap();
    }
    let series: [Series; 2] = [("p50", "#0a6", |row| row.p50), ("p99", "#c30", |row| row.p99)];
    for (name, colour, of) in series {
        let points: Vec<String> =
            rows.iter().map(|row| format!("{:.0},{:.0}", x(row.tables), y(of(row).as_secs_f64() * 1e3))).collect();
        writeln!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>",
            points.join(" ")
        )
        .unwrap();
        if let Some(last) = rows.last() {
            let (at, to) = (x(last.tables) + 6.0, y(of(last).as_secs_f64() * 1e3));
            writeln!(svg, "<text x=\"{at}\" y=\"{to}\" fill=\"{colour}\">{name}</text>").unwrap();
        }
    }
    svg.push_str("<text x=\"300\" y=\"366\" text-anchor=\"middle\">tables, a line a second each</text>\n");
    svg.push_str("<text x=\"60\" y=\"14\">milliseconds until a line is signed for</text>\n</svg>\n");
    svg
}
