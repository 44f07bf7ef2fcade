//! The rig's tests, the same on every bench: `SABOT_BENCH` names one of `benches.d`, else it is twins. What the bench
//! has not is counted as ignored, and said.

#![allow(clippy::expect_used, reason = "a test that cannot go on fails")]
mod absence;
mod alert;
mod bought;
mod dispositions;
mod full;
mod lines;
mod noise;
mod restart;
mod sighted;

fn main() -> std::process::ExitCode {
    let files = [
        alert::all,
        dispositions::all,
        lines::all,
        absence::all,
        restart::all,
        noise::all,
        sighted::all,
        full::all,
        bought::all,
    ];
    sabot_hil_tests::run(files.into_iter().flat_map(|all| all()))
}
