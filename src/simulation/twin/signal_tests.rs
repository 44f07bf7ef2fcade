use sabot_drivers::signal::pole::Settings;
use sabot_drivers::signal::{Attention, Level, Look, Signal, SignalConfig, SignalContent, SignalState, spawn};
use sabot_stall_guard::PATIENCE;
use tokio::time::timeout;

use super::*;
use crate::levers::read;

/// A simulated signal with the station's driver at it.
struct Rig {
    pull: mpsc::Sender<Lever>,
    seen: watch::Receiver<String>,
    signal: Signal,
    _stop: watch::Sender<bool>,
}

impl Rig {
    async fn tower(long: bool) -> Self {
        let twin = TowerTwin::listen(([127, 0, 0, 1], 0).into(), long).await.unwrap();
        let config = SignalConfig::Pns { address: twin.address(), look: Look::default() };
        let (pull, levers) = mpsc::channel(8);
        let (tell, seen) = watch::channel(String::new());
        tokio::spawn(twin.run(levers, tell));
        Self::with(&config, pull, seen)
    }

    fn pole(protocol: Protocol, link: &Path) -> Self {
        let twin = PoleTwin::open(protocol, link).unwrap();
        let config = SignalConfig::Pole { port: link.to_owned(), baud: 9600, settings: Settings::usual(protocol) };
        let (pull, levers) = mpsc::channel(8);
        let (tell, seen) = watch::channel(String::new());
        tokio::spawn(twin.run(levers, tell));
        Self::with(&config, pull, seen)
    }

    fn with(config: &SignalConfig, pull: mpsc::Sender<Lever>, seen: watch::Receiver<String>) -> Self {
        let (stop, stopped) = watch::channel(false);
        Self { pull, seen, signal: spawn(config, stopped), _stop: stop }
    }

    async fn pull(&self, lever: &str) {
        self.pull.send(read(TOWER_LEVERS, lever).unwrap()).await.unwrap();
    }

    async fn shows(&mut self, wanted: &str) {
        let found = timeout(PATIENCE, self.seen.wait_for(|seen| seen.contains(wanted))).await.is_ok();
        assert!(found, "`{wanted}` is not shown but: {}\n{:?}", *self.seen.borrow(), self.signal.state());
    }

    async fn state(&self, wanted: impl FnMut(&SignalState) -> bool) {
        let found = timeout(PATIENCE, self.signal.wait_state(wanted)).await;
        assert!(found.is_ok(), "{:?}", self.signal.state());
    }

    async fn absent(&self) {
        self.state(|state| matches!(state, SignalState::Absent(_))).await;
    }

    fn alarm(&self) {
        self.signal.show(SignalContent::new(Level::Irregularity, Attention::New, ["¿Qué? ¡Mañana!".to_owned()]));
    }
}

#[tokio::test]
async fn a_tower_and_all_its_levers() {
    let mut rig = Rig::tower(true).await;
    rig.shows("green").await;
    rig.alarm();
    rig.shows("red, buzzer").await;
    rig.pull("set 0 0 0 4 0 0").await;
    rig.shows("blue pattern 4").await;
    rig.shows("red, buzzer").await;
    rig.pull("restart").await;
    rig.shows("dark").await;
    rig.shows("red, buzzer").await;
    for (away, back) in [("unplug", "plug"), ("mute", "speak"), ("slow 700", "slow 0")] {
        rig.state(|state| *state == SignalState::Shows).await;
        rig.pull(away).await;
        rig.absent().await;
        rig.pull(back).await;
    }
    rig.state(|state| *state == SignalState::Shows).await;
    rig.pull("noise 7").await;
    rig.absent().await;
    rig.pull("quiet").await;
    rig.signal.show(SignalContent::default());
    rig.shows("green").await;
}

#[tokio::test]
async fn displays_and_their_levers() {
    let dir = tempfile::tempdir().unwrap();
    for protocol in [Protocol::EscPos, Protocol::Cd5220] {
        let link = dir.path().join(protocol.name());
        let mut rig = Rig::pole(protocol, &link);
        rig.alarm();
        rig.shows("|¿Qué? ¡Mañana!      |").await;
        rig.pull("restart").await;
        rig.shows("|                    |\n").await;
        // it has forgotten its letters too; all is sent again after five seconds
        rig.shows("|¿Qué? ¡Mañana!      |").await;
        rig.state(|state| *state == SignalState::Shows).await;
        rig.pull("unplug").await;
        rig.absent().await;
        rig.pull("plug").await;
        rig.state(|state| *state == SignalState::Shows).await;
        rig.pull("mute").await;
        rig.signal.show(SignalContent::new(Level::Notice, Attention::None, ["uno".to_owned()]));
        tokio::time::sleep(Duration::from_millis(100)).await;
        assert!(!rig.seen.borrow().contains("uno"), "a mute display takes nothing");
        rig.pull("slow 50").await;
        rig.pull("speak").await;
        rig.shows("|uno ").await;
    }
}

#[test]
fn levers_are_read_and_what_is_none_is_answered_with_all_there_are() {
    assert_eq!(read(POLE_LEVERS, "slow 20"), Ok(Lever::Line(LineLever::Slow(Duration::from_millis(20)))));
    assert_eq!(read(TOWER_LEVERS, "set 1 0 0 0 2 1"), Ok(Lever::Device(SetLamps([1, 0, 0, 0, 2, 1]))));
    for bad in ["", "battery", "slow", "slow x", "set 1 2 3", "set 9 0 0 0 0 0", "mute now"] {
        let why = read(TOWER_LEVERS, bad).unwrap_err().to_string();
        assert!(why.contains("noise SEED") && why.contains("set R A"), "{bad}: {why}");
    }
    for (levers, not_there) in [(POLE_LEVERS, "set 1 0 0 0 2 1"), (LR6_LEVERS, "slow 20")] {
        let why = read(levers, not_there).unwrap_err().to_string();
        assert!(why.ends_with(levers.last().unwrap().usage), "{why}");
    }
}

#[tokio::test]
async fn a_place_that_is_taken_is_named() {
    let tower = TowerTwin::listen(([127, 0, 0, 1], 0).into(), false).await.unwrap();
    let why = TowerTwin::listen(tower.address(), false).await.unwrap_err().to_string();
    assert!(why.contains(&tower.address().to_string()) && why.contains("--listen"), "{why}");
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("file");
    std::fs::write(&file, "").unwrap();
    let why = PoleTwin::open(Protocol::EscPos, &file).unwrap_err().to_string();
    assert!(why.contains("no symbolic link"), "{why}");
}
