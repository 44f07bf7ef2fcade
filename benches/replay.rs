//! What holding a log against a regulation costs beside merely reading it, measured in one run.
fn main() {
    let log = std::fs::read(std::env::var("LOG").unwrap()).unwrap();
    let lines: Vec<&[u8]> = log.split(|&b| b == b'\n').filter(|l| !l.is_empty()).collect();
    for _ in 0..3 {
        let t = std::time::Instant::now();
        let events: Vec<_> = lines[1..].iter().map(|l| sabot::table::line::event(l).unwrap()).collect();
        let keep = t.elapsed();
        let t = std::time::Instant::now();
        for l in &lines[1..] {
            std::hint::black_box(sabot::table::line::event(l).unwrap());
        }
        let parse = t.elapsed();
        let mut v = sabot::validator::Validator::new(sabot::table::line::header(lines[0]).unwrap()).unwrap();
        let mut a = Vec::new();
        let mut n = 0;
        let t = std::time::Instant::now();
        for (i, e) in events.iter().enumerate() {
            v.step(i as u64 + 2, e, &mut a);
            n += a.len();
            a.clear();
        }
        let val = t.elapsed();
        println!(
            "lines {} keep {keep:?} parse {parse:?} ({} ns) validate {val:?} ({} ns) ratio {:.1} answers {n}",
            lines.len(),
            parse.as_nanos() / lines.len() as u128,
            val.as_nanos() / lines.len() as u128,
            parse.as_secs_f64() / val.as_secs_f64()
        );
    }
}
