//! A camera's own device file, `/dev/v4l/by-id/…`, by Video4Linux.
//!
//! The calls into the kernel are those of the library `rscam`; all else here is tested on a device that is made up.

use std::fmt;
use std::io::{self, ErrorKind};
use std::path::Path;

use rscam::{Camera, Config, IntervalInfo, ResolutionInfo};
use sabot_camera::{BadPicture, Frame};

/// Pictures that the kernel keeps for who takes them.
const BUFFERS: u32 = 4;
/// Where no size is asked for, pictures have so many pixels at the most: more take longer to read and show no more.
const PIXELS: usize = 1280 * 800;

/// How a camera sends a picture, the best first: what is not packed loses nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Format {
    /// One byte a pixel.
    Grey,
    /// Brightness and colour by turns.
    Yuyv,
    /// JPEG.
    Mjpeg,
}

const FORMATS: [(Format, &[u8; 4]); 3] = [(Format::Grey, b"GREY"), (Format::Yuyv, b"YUYV"), (Format::Mjpeg, b"MJPG")];

/// How a camera can be run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Mode {
    pub(super) format: Format,
    pub(super) size: (usize, usize),
    /// From picture to picture, as a part of a second.
    pub(super) interval: (u32, u32),
}

/// What is asked of a camera at a device file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Wanted {
    /// Width and height of its pictures, pixels: those of the deck. Left out: the fastest that it offers.
    pub size: Option<(usize, usize)>,
    /// How long a picture is exposed, microseconds. Left out: as the camera is set.
    pub exposure_us: Option<u32>,
    /// Its gain, by the camera's own numbers. Left out: as the camera is set.
    pub gain: Option<i32>,
}

/// Something of a camera that can be set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Setting {
    pub(super) name: &'static str,
    id: u32,
    /// The camera may not have it: then nothing can be wrong with it.
    pub(super) optional: bool,
}

const MANUAL: Setting = Setting { name: "exposure by hand", id: rscam::CID_EXPOSURE_AUTO, optional: false };
/// In steps of 100 microseconds.
const EXPOSURE: Setting = Setting { name: "exposure", id: rscam::CID_EXPOSURE_ABSOLUTE, optional: false };
const STEADY: Setting = Setting { name: "steady rate", id: rscam::CID_EXPOSURE_AUTO_PRIORITY, optional: true };
const GAIN: Setting = Setting { name: "gain", id: rscam::CID_GAIN, optional: false };
const BALANCE: Setting = Setting { name: "white balance", id: rscam::CID_AUTO_WHITE_BALANCE, optional: true };
const FOCUS: Setting = Setting { name: "focus", id: rscam::CID_FOCUS_AUTO, optional: true };
/// `V4L2_EXPOSURE_MANUAL`.
const BY_HAND: i32 = 1;

/// Why a camera's device file gives no pictures.
#[derive(Debug, thiserror::Error)]
pub enum DeviceError {
    /// It cannot be opened, or does not do what every camera does.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// It sends no pictures of that kind.
    #[error("it sends no GREY, YUYV or MJPEG{}; it offers: {offers}", size(*wanted))]
    NoMode {
        /// The size that was asked for.
        wanted: Option<(usize, usize)>,
        /// What it offers, in words.
        offers: String,
    },
    /// Something cannot be set.
    #[error("its {name} cannot be set: {why}; leave the key out and set it in another way")]
    Setting {
        /// What.
        name: &'static str,
        /// Why not.
        why: io::Error,
    },
}

fn size(wanted: Option<(usize, usize)>) -> String {
    wanted.map(|(width, height)| format!(" of {width} x {height} pixels, which the deck has")).unwrap_or_default()
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { format, size: (width, height), interval: (part, of) } = self;
        let name = FORMATS.iter().find(|(known, _)| known == format).map_or(&b"?"[..], |(_, name)| &name[..]);
        let rate = f64::from(*of) / f64::from((*part).max(1));
        write!(f, "{width} x {height} {}, {rate:.0} a second", String::from_utf8_lossy(name))
    }
}

/// What a device file of a camera does.
pub(super) trait Device: Send {
    fn modes(&self) -> io::Result<Vec<Mode>>;
    fn set(&mut self, setting: Setting, value: i32) -> io::Result<()>;
    fn start(&mut self, mode: Mode) -> io::Result<()>;
    /// The next picture's bytes, once there is one; fails when the camera is gone.
    fn grab(&mut self) -> io::Result<Vec<u8>>;
}

/// A camera that sends pictures.
pub struct Running {
    device: Box<dyn Device>,
    mode: Mode,
}

impl fmt::Debug for Running {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Running({})", self.mode)
    }
}

impl Running {
    /// Sets a camera and starts it.
    pub(super) fn start(mut device: Box<dyn Device>, wanted: &Wanted) -> Result<Self, DeviceError> {
        let modes = device.modes()?;
        let Some(mode) = chosen(&modes, wanted.size) else {
            let offers = modes.iter().map(Mode::to_string).collect::<Vec<_>>().join("; ");
            return Err(DeviceError::NoMode { wanted: wanted.size, offers });
        };
        for (setting, value) in settings(wanted) {
            match device.set(setting, value) {
                Err(why) if !setting.optional => return Err(DeviceError::Setting { name: setting.name, why }),
                Err(why) => tracing::debug!(setting = setting.name, %why, "the camera has no such setting"),
                Ok(()) => {}
            }
        }
        device.start(mode)?;
        let by_hand = wanted.exposure_us.is_some();
        tracing::info!(%mode, exposure_us = ?wanted.exposure_us, gain = ?wanted.gain, by_hand, "the camera is started");
        Ok(Self { device, mode })
    }

    /// The next picture.
    pub(super) fn next_picture(&mut self) -> io::Result<Result<Frame, BadPicture>> {
        self.device.grab().map(|bytes| frame(&self.mode, &bytes))
    }

    /// How it is run, in words.
    #[must_use]
    pub fn mode(&self) -> String {
        self.mode.to_string()
    }
}

/// What is set before a camera is started: what changes by itself would change between two pictures of a card.
fn settings(wanted: &Wanted) -> Vec<(Setting, i32)> {
    let mut settings = vec![(BALANCE, 0), (FOCUS, 0)];
    if let Some(us) = wanted.exposure_us {
        let steps = i32::try_from(us.div_ceil(100)).unwrap_or(i32::MAX);
        settings.extend([(MANUAL, BY_HAND), (STEADY, 0), (EXPOSURE, steps.max(1))]);
    }
    settings.extend(wanted.gain.map(|gain| (GAIN, gain)));
    settings
}

/// The fastest of the size that is asked for; of two alike the one that loses less.
fn chosen(modes: &[Mode], size: Option<(usize, usize)>) -> Option<Mode> {
    let pixels = |mode: &Mode| mode.size.0 * mode.size.1;
    let fits = |mode: &&Mode| size.map_or(pixels(mode) <= PIXELS, |size| mode.size == size);
    // a rate in pictures of a thousand seconds, for comparing
    let rate = |mode: &Mode| u64::from(mode.interval.1) * 1000 / u64::from(mode.interval.0.max(1));
    let order = |mode: &&Mode| (rate(mode), pixels(mode), std::cmp::Reverse(mode.format));
    modes.iter().filter(fits).max_by_key(order).copied()
}

/// The brightness of what was grabbed.
fn frame(mode: &Mode, bytes: &[u8]) -> Result<Frame, BadPicture> {
    let (width, height) = mode.size;
    let each = match mode.format {
        Format::Mjpeg => return Frame::decode(bytes),
        Format::Grey => 1,
        Format::Yuyv => 2,
    };
    // rows may be padded
    let row = bytes.len() / height.max(1);
    if row < width * each {
        return Err(BadPicture::Damaged(format!("{} bytes for {width} x {height} pixels", bytes.len())));
    }
    let luma = bytes.chunks_exact(row).take(height).flat_map(|row| row.iter().step_by(each).take(width).copied());
    Frame::new(width, height, luma.collect())
}

/// A device file.
pub(super) struct Video(Camera);

impl Video {
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        let path = path.to_str().ok_or_else(|| io::Error::new(ErrorKind::InvalidInput, "its name is no UTF-8"))?;
        Camera::new(path).map(Self)
    }
}

fn failed(why: rscam::Error) -> io::Error {
    match why {
        rscam::Error::Io(why) => why,
        why => io::Error::other(why.to_string()),
    }
}

impl Device for Video {
    fn modes(&self) -> io::Result<Vec<Mode>> {
        let mut modes = Vec::new();
        for offered in self.0.formats() {
            let offered = offered?.format;
            let Some((format, name)) = FORMATS.iter().find(|(_, name)| **name == offered) else { continue };
            let sizes = match self.0.resolutions(*name).map_err(failed)? {
                ResolutionInfo::Discretes(sizes) => sizes,
                ResolutionInfo::Stepwise { min, max, .. } => vec![min, max],
            };
            for (width, height) in sizes {
                let intervals = match self.0.intervals(*name, (width, height)).map_err(failed)? {
                    IntervalInfo::Discretes(intervals) => intervals,
                    IntervalInfo::Stepwise { min, .. } => vec![min],
                };
                let size = (width as usize, height as usize);
                modes.extend(intervals.into_iter().map(|interval| Mode { format: *format, size, interval }));
            }
        }
        Ok(modes)
    }

    fn set(&mut self, setting: Setting, value: i32) -> io::Result<()> {
        self.0.set_control(setting.id, &value)
    }

    fn start(&mut self, Mode { format, size: (width, height), interval }: Mode) -> io::Result<()> {
        let side = |side: usize| u32::try_from(side).unwrap_or(u32::MAX);
        let name = FORMATS.iter().find(|(known, _)| *known == format).map_or(&b"GREY"[..], |(_, name)| &name[..]);
        let resolution = (side(width), side(height));
        let config = Config { interval, resolution, format: name, nbuffers: BUFFERS, ..Config::default() };
        self.0.start(&config).map_err(failed)
    }

    fn grab(&mut self) -> io::Result<Vec<u8>> {
        self.0.capture().map(|frame| frame.to_vec())
    }
}

#[cfg(test)]
#[path = "device_tests.rs"]
mod tests;
