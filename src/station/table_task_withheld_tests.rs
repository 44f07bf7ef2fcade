//! Somebody keeps back what one device tells, while the cable of another comes and goes.

use sabot_wire::host::Withheld;

use super::*;

/// So long after something was seen the link says at the latest that it is withheld: the tests of the wire hold it to
/// that.
const WORD_MS: u64 = 1900;
/// By then it is on record, and whatever waited for it.
const TOLD: Duration = Duration::from_secs(2);
/// A loose cable is away so long, and there so long.
const FLAP_MS: u64 = 150;

/// One device's report is withheld, another's waits for it, and a third device comes and goes.
struct Thief {
    withheld: Role,
    waits: (Role, Observation),
    flaps: Role,
}

impl Thief {
    /// The lines of the record from then on, and after how long the page had each.
    async fn robs(&self, mut bench: Bench) -> Vec<(String, Duration)> {
        let (start, line) = (Instant::now(), bench.snapshots.borrow().line);
        let mut snapshots = bench.snapshots.clone();
        let watches = tokio::spawn(async move {
            let mut told = Vec::new();
            while snapshots.changed().await.is_ok() {
                told.push((snapshots.borrow_and_update().line, start.elapsed()));
            }
            told
        });
        bench.when = Some(When { received: Instant::now(), age_ms: 0, error_ms: 1 });
        let (role, saw) = &self.waits;
        bench.saw(*role, saw.clone()).await;
        while start.elapsed() < 2 * TOLD {
            let is_before = start.elapsed().as_millis() < WORD_MS.into();
            bench.reports.send((self.flaps, LinkReport::Absent("unplugged".to_owned()))).await.unwrap();
            tokio::time::sleep(Duration::from_millis(FLAP_MS)).await;
            bench.comes(self.flaps).await;
            bench.reports.send((self.flaps, LinkReport::CaughtUp)).await.unwrap();
            tokio::time::sleep(Duration::from_millis(FLAP_MS)).await;
            if is_before && start.elapsed().as_millis() >= WORD_MS.into() {
                bench
                    .reports
                    .send((self.withheld, LinkReport::Withheld(Withheld::Events { from: 9, to: 9 })))
                    .await
                    .unwrap();
            }
        }
        let (_, lines) = bench.stop().await;
        let told = watches.await.unwrap();
        let after =
            |nth: usize| told.iter().find(|(to, _)| *to >= line + 1 + nth as u64).map_or(2 * TOLD, |told| told.1);
        let skipped = usize::try_from(line).unwrap();
        lines.into_iter().skip(skipped).enumerate().map(|(nth, line)| (line, after(nth))).collect()
    }
}

#[tokio::test(start_paused = true)]
async fn what_is_withheld_and_what_waits_for_it_is_told_within_two_seconds_while_another_device_comes_and_goes() {
    let antenna = Observation::Chips(ChipsSaw::CardArrived { place: Place::Bank, face: Some(Face::Down) });
    let end = Observation::Keypad(KeypadSaid::EndPass);
    for (withheld, waits, flaps) in [
        (Role::Shoe, (Role::Chips, antenna.clone()), Role::Shuffler),
        (Role::Shoe, (Role::Chips, antenna.clone()), Role::Keypad),
        (Role::Shoe, (Role::Chips, antenna), Role::Display),
        (Role::Chips, (Role::Keypad, end.clone()), Role::Shuffler),
        (Role::Chips, (Role::Keypad, end), Role::Display),
    ] {
        let (bench, _) = super::absence::in_the_delivery().await;
        let lines = Thief { withheld, waits, flaps }.robs(bench).await;
        panic!("{lines:#?}");
    }
}
