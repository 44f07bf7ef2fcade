use std::sync::{Arc, Mutex};

use super::*;

/// A camera that is made up: what it offers, what it cannot set, what it sends; and what was asked of it.
#[derive(Default)]
struct MadeUp {
    modes: Vec<Mode>,
    lacks: Vec<&'static str>,
    sends: Vec<Vec<u8>>,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Device for MadeUp {
    fn modes(&self) -> io::Result<Vec<Mode>> {
        Ok(self.modes.clone())
    }

    fn set(&mut self, setting: Setting, value: i32) -> io::Result<()> {
        if self.lacks.contains(&setting.name) {
            return Err(ErrorKind::InvalidInput.into());
        }
        self.asked.lock().unwrap().push(format!("{} {value}", setting.name));
        Ok(())
    }

    fn start(&mut self, mode: Mode) -> io::Result<()> {
        self.asked.lock().unwrap().push(format!("start {mode}"));
        Ok(())
    }

    fn grab(&mut self) -> io::Result<Vec<u8>> {
        // ENODEV, as the kernel says when the cable is pulled
        if self.sends.is_empty() { Err(io::Error::from_raw_os_error(19)) } else { Ok(self.sends.remove(0)) }
    }
}

const fn mode(format: Format, size: (usize, usize), rate: u32) -> Mode {
    Mode { format, size, interval: (1, rate) }
}

const OFFERED: [Mode; 6] = [
    mode(Format::Yuyv, (640, 400), 30),
    mode(Format::Mjpeg, (640, 400), 120),
    mode(Format::Mjpeg, (1280, 800), 100),
    mode(Format::Mjpeg, (1920, 1200), 240),
    mode(Format::Grey, (320, 240), 120),
    mode(Format::Mjpeg, (320, 240), 120),
];

fn started(camera: MadeUp, wanted: Wanted) -> (Result<Running, String>, Vec<String>) {
    let asked = camera.asked.clone();
    let running = Running::start(Box::new(camera), &wanted).map_err(|why| why.to_string());
    let asked = asked.lock().unwrap().clone();
    (running, asked)
}

fn offering(modes: &[Mode]) -> MadeUp {
    MadeUp { modes: modes.to_vec(), ..MadeUp::default() }
}

#[test]
fn the_fastest_of_the_decks_size_is_taken_and_of_two_the_one_that_loses_less() {
    for (size, takes) in [
        (Some((640, 400)), OFFERED[1]),
        (Some((320, 240)), OFFERED[4]),
        (Some((1920, 1200)), OFFERED[3]),
        (None, OFFERED[1]),
    ] {
        assert_eq!(chosen(&OFFERED, size), Some(takes), "{size:?}");
    }
    let (running, _) = started(offering(&OFFERED), Wanted { size: Some((640, 480)), ..Wanted::default() });
    let why = running.unwrap_err();
    assert!(why.contains("640 x 480") && why.contains("640 x 400 MJPG, 120 a second"), "{why}");
}

#[test]
fn what_is_asked_for_is_set_before_the_first_picture_and_what_cannot_be_set_is_told() {
    let wanted = Wanted { size: Some((640, 400)), exposure_us: Some(950), gain: Some(16) };
    let (running, asked) = started(offering(&OFFERED), wanted);
    assert_eq!(running.unwrap().mode(), "640 x 400 MJPG, 120 a second");
    let set = ["white balance 0", "focus 0", "exposure by hand 1", "steady rate 0", "exposure 10", "gain 16"];
    let start = "start 640 x 400 MJPG, 120 a second";
    assert_eq!(asked, [&set[..], &[start]].concat());
    let without = |lacks| MadeUp { lacks, ..offering(&OFFERED) };
    let (running, asked) = started(without(vec!["exposure"]), wanted);
    assert!(running.unwrap_err().contains("its exposure cannot be set"));
    assert!(!asked.contains(&start.to_owned()), "{asked:?}");
    let (running, asked) = started(without(vec!["focus", "white balance", "exposure", "gain"]), Wanted::default());
    assert!(running.is_ok() && asked.len() == 1, "what nobody asks for is left alone: {asked:?}");
}

#[test]
fn each_format_gives_the_picture_and_a_camera_that_is_gone_is_an_error() {
    let luma: Vec<u8> = (0..32_u8).map(|n| n * 7).collect();
    let picture = Frame::new(8, 4, luma.clone()).unwrap();
    let padded: Vec<u8> = luma.chunks(8).flat_map(|row| [row, &[99; 3]].concat()).collect();
    let yuyv: Vec<u8> = luma.iter().flat_map(|luma| [*luma, 128]).collect();
    for (format, bytes) in [(Format::Grey, luma.clone()), (Format::Grey, padded), (Format::Yuyv, yuyv)] {
        let sends = vec![bytes, luma[..20].to_vec()];
        let camera = MadeUp { sends, ..offering(&[mode(format, (8, 4), 100)]) };
        let mut running = started(camera, Wanted::default()).0.unwrap();
        assert_eq!(running.next_picture().unwrap(), Ok(picture.clone()));
        assert!(matches!(running.next_picture().unwrap(), Err(BadPicture::Damaged(_))), "a picture that was cut off");
        assert!(running.next_picture().is_err());
    }
    let jpeg = picture.jpeg(95).unwrap();
    let camera = MadeUp { sends: vec![jpeg.clone()], ..offering(&[mode(Format::Mjpeg, (8, 4), 100)]) };
    assert_eq!(started(camera, Wanted::default()).0.unwrap().next_picture().unwrap(), Frame::decode(&jpeg));
}

#[test]
fn a_file_that_is_no_camera_is_refused() {
    assert!(Video::open(Path::new("/dev/video-nowhere")).is_err());
    // it is a device, and answers no question of a camera's
    let null = Video::open(Path::new("/dev/null")).unwrap();
    assert!(null.modes().map_or(true, |modes| modes.is_empty()));
}
