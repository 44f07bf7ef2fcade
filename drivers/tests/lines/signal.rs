//! The signals' drivers against models of their devices: over TCP, pseudo-terminals, and lines with seeded faults.
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use sabot_drivers::signal::model::pole::PoleModel;
use sabot_drivers::signal::model::tower::TowerModel;
use sabot_drivers::signal::pns::Pns;
use sabot_drivers::signal::pole::{BAUD, Pole, Protocol, Settings};
use sabot_drivers::signal::{
    Attention, DeviceFault, Level, Look, Session, Signal, SignalConfig, SignalContent, SignalState, spawn, spawn_over,
};
use sabot_drivers::transport::{Faults, Faulty, FaultyPlace, TcpPort};
use sabot_stall_guard::{PATIENCE, Stopwatch};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep, timeout};
use tokio_serial::{SerialPort as _, SerialStream};

const GREEN: [u8; 6] = [0, 0, 1, 0, 0, 0];
const ALARM: [u8; 6] = [2, 0, 0, 0, 0, 1];

async fn eventually(what: &str, mut is: impl FnMut() -> bool) {
    let until = Instant::now() + PATIENCE;
    while !is() {
        assert!(Instant::now() < until, "not in time: {what}");
        sleep(Duration::from_millis(5)).await;
    }
}

fn alarm() -> SignalContent {
    SignalContent::new(Level::Integrity, Attention::New, ["C7 BANCA".to_owned(), "¿Qué? ¡Acción, mañana!".to_owned()])
}

/// A tower on a port of this machine.
#[derive(Clone)]
struct Tower {
    model: Arc<Mutex<TowerModel>>,
    /// Takes requests and answers none.
    mute: Arc<Mutex<bool>>,
    address: SocketAddr,
}

impl Tower {
    async fn listen(long: bool) -> (Self, JoinHandle<()>) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let tower = Self { model: Arc::new(Mutex::new(TowerModel::new(long))), mute: Arc::default(), address };
        let task = tokio::spawn(tower.clone().accept(listener));
        (tower, task)
    }

    async fn listen_again(&self) -> JoinHandle<()> {
        let listener = TcpListener::bind(self.address).await.unwrap();
        tokio::spawn(self.clone().accept(listener))
    }

    async fn accept(self, listener: TcpListener) {
        // connections end with this task
        let mut served = tokio::task::JoinSet::new();
        loop {
            let (stream, _) = listener.accept().await.unwrap();
            served.spawn(self.clone().serve(stream));
        }
    }

    async fn serve(self, mut stream: TcpStream) {
        self.model.lock().unwrap().connected();
        let mut bytes = [0; 64];
        while let Ok(count @ 1..) = stream.read(&mut bytes).await {
            let answers = self.model.lock().unwrap().receive(&bytes[..count]);
            let mute = *self.mute.lock().unwrap();
            if !mute && stream.write_all(&answers).await.is_err() {
                return;
            }
        }
    }

    fn shows(&self) -> [u8; 6] {
        self.model.lock().unwrap().shows()
    }

    fn signal(&self) -> (Signal, watch::Sender<bool>) {
        let (stop, stopped) = watch::channel(false);
        (spawn(&SignalConfig::Pns { address: self.address, look: Look::default() }, stopped), stop)
    }
}

async fn state(signal: &Signal, wanted: impl FnMut(&SignalState) -> bool) -> SignalState {
    match timeout(PATIENCE, signal.wait_state(wanted)).await {
        Ok(Some(state)) => state,
        _ => panic!("not in time: {:?}", signal.state()),
    }
}

fn is_absent(state: &SignalState) -> bool {
    matches!(state, SignalState::Absent(why) if !why.contains("not looked for"))
}

#[tokio::test]
async fn towers_of_both_kinds_show_what_is_wanted_and_it_is_read_back() {
    for long in [false, true] {
        let (tower, _task) = Tower::listen(long).await;
        let (signal, _stop) = tower.signal();
        state(&signal, |state| *state == SignalState::Shows).await;
        eventually("green", || tower.shows() == GREEN).await;
        signal.show(alarm());
        eventually("the alarm", || tower.shows() == ALARM).await;
        signal.show(SignalContent::new(Level::Integrity, Attention::None, []));
        eventually("the buzzer is still", || tower.shows() == [2, 0, 0, 0, 0, 0]).await;
        assert_eq!((signal.counters().bad_answers, signal.counters().corrected), (0, 0));
    }
}

#[tokio::test]
async fn a_tower_that_restarts_elsewhere_set_or_stopped_is_set_right() {
    let (tower, task) = Tower::listen(false).await;
    let (signal, _stop) = tower.signal();
    signal.show(alarm());
    eventually("the alarm", || tower.shows() == ALARM).await;
    tower.model.lock().unwrap().set([0; 6]);
    eventually("the alarm again", || tower.shows() == ALARM).await;
    assert_eq!(signal.counters().corrected, 1);

    task.abort();
    let pulled = Stopwatch::start();
    state(&signal, is_absent).await;
    assert!(pulled.elapsed() < Duration::from_secs(1), "{:?}", pulled.elapsed());
    // what is newer replaces what was to be shown; nothing is shown late
    signal.show(SignalContent::default());
    tower.model.lock().unwrap().set([0; 6]);
    let _task = tower.listen_again().await;
    let plugged = Stopwatch::start();
    eventually("green", || tower.shows() == GREEN).await;
    assert!(plugged.elapsed() < Duration::from_secs(3), "{:?}", plugged.elapsed());
    state(&signal, |state| *state == SignalState::Shows).await;
    assert_eq!(signal.counters().reconnects, 1);
}

#[tokio::test]
async fn a_mute_tower_is_absent_within_a_second_and_says_why() {
    let (tower, _task) = Tower::listen(true).await;
    let (signal, _stop) = tower.signal();
    state(&signal, |state| *state == SignalState::Shows).await;
    *tower.mute.lock().unwrap() = true;
    let silent = Stopwatch::start();
    let SignalState::Absent(why) = state(&signal, is_absent).await else { panic!() };
    assert!(silent.elapsed() < Duration::from_secs(1), "{:?}", silent.elapsed());
    assert!(why.contains("no answer"), "{why}");
    *tower.mute.lock().unwrap() = false;
    signal.show(alarm());
    eventually("the alarm", || tower.shows() == ALARM).await;
}

/// Answers every request with the same.
async fn stubborn(answers: fn(u8) -> &'static [u8]) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let mut bytes = [0; 64];
            while let Ok(count @ 1..) = stream.read(&mut bytes).await {
                let command = bytes[..count].get(2).copied().unwrap_or_default();
                if stream.write_all(answers(command)).await.is_err() {
                    break;
                }
            }
        }
    });
    address
}

#[tokio::test]
async fn a_tower_that_refuses_or_does_not_do_as_it_says_is_faulty_and_another_machine_is_absent() {
    let start = async |answers: fn(u8) -> &'static [u8]| {
        let (stop, stopped) = watch::channel(false);
        let address = stubborn(answers).await;
        (spawn(&SignalConfig::Pns { address, look: Look::default() }, stopped), stop)
    };
    let (refusing, _a) = start(|command| if command == b'G' { &[0; 6] } else { &[0x15] }).await;
    let (broken, _b) = start(|command| if command == b'G' { &[1, 0, 0, 0, 0, 0] } else { &[0x06] }).await;
    let (stranger, _c) = start(|_| b"HTTP/1.1 400 Bad Request\r\n\r\n").await;
    state(&refusing, |state| *state == SignalState::Faulty(DeviceFault::Refused)).await;
    let differs = DeviceFault::Differs { told: GREEN, shows: [1, 0, 0, 0, 0, 0] };
    state(&broken, |state| *state == SignalState::Faulty(differs)).await;
    let SignalState::Absent(why) = state(&stranger, is_absent).await else { panic!() };
    assert!(why.contains("no PATLITE tower"), "{why}");
    eventually("bad answers are counted", || stranger.counters().bad_answers > 1).await;
}

/// A request is up to five pieces between zeros, and a session takes some of them: about every third session ends
/// early.
const BAD: Faults =
    Faults { flip: 3_000, lose: 2_000, noise: 2_000, cut: 8_000, double: 12_000, swap: 8_000, ..Faults::STORM };

#[tokio::test]
async fn over_a_stormy_line_a_tower_shows_every_new_picture_in_the_end() {
    let (tower, _task) = Tower::listen(false).await;
    let place = FaultyPlace::new(TcpPort::new(tower.address.to_string()), BAD, 100);
    let counts = place.counts();
    let (_stop, stopped) = watch::channel(false);
    let signal = spawn_over(place, "patlite-pns", Pns::new(Look::default()), stopped);
    let mut pictures = 0;
    while counts.damage() <= 10 {
        signal.show(alarm());
        eventually("the alarm", || tower.shows() == ALARM).await;
        signal.show(SignalContent::default());
        eventually("green", || tower.shows() == GREEN).await;
        pictures += 1;
        assert!(pictures < 1000, "the storm is too mild to prove anything");
    }
    // and a tower that a damaged request changed is set right
    eventually("green", || tower.shows() == GREEN).await;
}

/// A display on a pseudo-terminal: reads what comes until its task is aborted, which pulls the cable.
fn display(protocol: Protocol) -> (Arc<Mutex<PoleModel>>, PathBuf, JoinHandle<()>) {
    let (master, slave) = SerialStream::pair().unwrap();
    let port = PathBuf::from(slave.name().unwrap());
    let model = Arc::new(Mutex::new(PoleModel::new(protocol)));
    let task = tokio::spawn(feed(Arc::clone(&model), master, slave));
    (model, port, task)
}

/// The host's end is let go of once the host has opened it: held here, it would keep the port alive.
async fn feed(model: Arc<Mutex<PoleModel>>, mut master: SerialStream, slave: SerialStream) {
    let mut held = Some(slave);
    let mut bytes = [0; 256];
    while let Ok(count) = master.read(&mut bytes).await {
        held.take_if(|_| count > 0);
        model.lock().unwrap().receive(&bytes[..count]);
    }
}

fn rows(model: &Mutex<PoleModel>) -> [String; 2] {
    model.lock().unwrap().rows().map(|row| row.trim_end().to_owned())
}

#[tokio::test]
async fn a_display_on_a_serial_port_shows_spanish_and_a_pulled_one_is_absent_with_the_reason() {
    for protocol in [Protocol::EscPos, Protocol::Cd5220] {
        let (model, port, task) = display(protocol);
        let (_stop, stopped) = watch::channel(false);
        let config = SignalConfig::Pole { port, baud: BAUD, settings: Settings::usual(protocol) };
        let signal = spawn(&config, stopped);
        state(&signal, |state| *state == SignalState::Shows).await;
        signal.show(alarm());
        let first = ["C7 BANCA".to_owned(), "¿Qué? ¡Acción,".to_owned()];
        let second = ["mañana!".to_owned(), String::new()];
        eventually("the first part", || rows(&model) == first).await;
        eventually("what did not fit", || rows(&model) == second).await;
        eventually("the first part again", || rows(&model) == first).await;
        task.abort();
        let pulled = Stopwatch::start();
        state(&signal, is_absent).await;
        assert!(pulled.elapsed() < Duration::from_secs(1), "{:?}", pulled.elapsed());
    }
}

/// A display behind a line with faults: what it reads is damaged.
#[tokio::test]
async fn a_display_behind_a_stormy_line_is_right_again_once_the_line_is() {
    for protocol in [Protocol::EscPos, Protocol::Cd5220] {
        let storm = Faults { delay: 0, ..Faults::STORM };
        let (mut host, mut display) = (Pole::new(Settings::usual(protocol)), PoleModel::new(protocol));
        host.opened(0);
        let (mut near, far) = tokio::io::duplex(1 << 16);
        let mut line = Faulty::new(far, storm, 42);
        let damage = line.counts();
        let mut bytes = vec![0; 1 << 16];
        for step in 1..200u64 {
            host.show(&SignalContent::new(Level::Notice, Attention::None, [format!("texto {step}")]));
            let mut out = Vec::new();
            host.transmit(step * 100, &mut out).unwrap();
            near.write_all(&out).await.unwrap();
            if let Ok(Ok(count)) = timeout(Duration::from_millis(1), line.read(&mut bytes)).await {
                display.receive(&bytes[..count]);
            }
        }
        assert!(damage.damage() > 20, "{damage}");
        // the line is sound from now on
        host.show(&alarm());
        let mut out = Vec::new();
        for now in (20_000..100_000).step_by(100) {
            host.transmit(now, &mut out).unwrap();
        }
        display.receive(&out);
        let shown = display.rows().map(|row| row.trim_end().to_owned());
        let parts = [["C7 BANCA", "¿Qué? ¡Acción,"], ["mañana!", ""]];
        assert!(parts.iter().any(|part| shown == *part), "{protocol:?}: {shown:?}");
    }
}

#[tokio::test]
async fn a_signal_ends_with_the_station_and_with_its_last_handle() {
    let (tower, _task) = Tower::listen(false).await;
    let (signal, stop) = tower.signal();
    state(&signal, |state| *state == SignalState::Shows).await;
    stop.send_replace(true);
    let ended = signal.wait_state(|_| false);
    assert!(timeout(PATIENCE, ended).await.unwrap().is_none(), "the task goes on");
}
