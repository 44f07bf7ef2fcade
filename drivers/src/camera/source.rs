//! Where pictures come from: a camera's own device file, MJPEG over TCP or through a named pipe or file, or a folder
//! into which they are put.

use std::collections::VecDeque;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::net::{TcpStream, ToSocketAddrs as _};
use std::os::unix::fs::{FileTypeExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use sabot_camera::{BadPicture, Frame, MAX_PICTURE, Pictures};

use super::device::{DeviceError, Running, Video, Wanted};

/// A camera on the network that has not taken the connection for so long is not there.
const CONNECT_WITHIN: Duration = Duration::from_secs(1);
/// For so long is waited for bytes before it is asked whether somebody still wants them.
const WAIT: Duration = Duration::from_millis(100);
/// How often a pipe without bytes, and a folder, are looked at.
const LOOK: Duration = Duration::from_millis(4);
/// Bytes read at once.
const READ_BYTES: usize = 1 << 16;

/// Where a camera's pictures come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// MJPEG from a host and port.
    Tcp(String),
    /// A camera's device file, a named pipe or a file of MJPEG, or a folder of pictures; and what is asked of a camera.
    Path(PathBuf, Wanted),
}

/// Why no pictures come.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// It cannot be opened or read.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// Nobody is at the address.
    #[error("no address of that name")]
    NoAddress,
    /// A camera's own device file.
    #[error("{0}")]
    Device(#[from] DeviceError),
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tcp(address) => write!(f, "tcp:{address}"),
            Self::Path(path, _) => path.display().fmt(f),
        }
    }
}

impl Source {
    /// By the port that a configuration names: `tcp:HOST:PORT`, or a path. What is asked of a camera counts for a
    /// device file alone.
    #[must_use]
    pub fn of(port: &Path, wanted: Wanted) -> Self {
        match port.to_str().and_then(|port| port.rsplit_once("tcp:")) {
            Some((before, address)) if before.is_empty() || before.ends_with('/') => Self::Tcp(address.to_owned()),
            _ => Self::Path(port.to_owned(), wanted),
        }
    }

    /// Opens it; waits no longer than a second.
    ///
    /// # Errors
    /// When it is not there, or may not be read.
    pub fn open(&self) -> Result<Open, SourceError> {
        match self {
            Self::Tcp(address) => {
                let at = address.to_socket_addrs()?.next().ok_or(SourceError::NoAddress)?;
                let stream = TcpStream::connect_timeout(&at, CONNECT_WITHIN)?;
                stream.set_read_timeout(Some(WAIT))?;
                Ok(Open::stream(Box::new(stream), false))
            }
            Self::Path(path, wanted) => {
                let kind = fs::metadata(path)?.file_type();
                if kind.is_dir() {
                    return Ok(Open::Folder { folder: path.clone(), last: None, found: VecDeque::new() });
                }
                if kind.is_char_device() {
                    let device = Box::new(Video::open(path)?);
                    return Ok(Open::Device(Running::start(device, wanted)?));
                }
                let flags = non_blocking();
                let file = File::options().read(true).custom_flags(flags).open(path)?;
                Ok(Open::stream(Box::new(file), kind.is_fifo()))
            }
        }
    }
}

/// A pipe is opened though nobody writes into it yet.
const fn non_blocking() -> i32 {
    nix::fcntl::OFlag::O_NONBLOCK.bits()
}

/// Something that pictures are taken from.
pub enum Open {
    /// A camera.
    Device(Running),
    /// A stream of JPEGs.
    Stream {
        /// Their bytes.
        bytes: Box<dyn Read + Send>,
        /// They are found in here.
        pictures: Pictures,
        /// A pipe into which nobody has written yet: its end is none.
        is_waiting: bool,
    },
    /// A folder into which pictures are put, each under a name that sorts after the one before.
    Folder {
        /// Which.
        folder: PathBuf,
        /// The name of the last.
        last: Option<std::ffi::OsString>,
        /// Those that were found and not yet taken.
        found: VecDeque<PathBuf>,
    },
}

impl fmt::Debug for Open {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Device(running) => running.fmt(f),
            Self::Stream { .. } => f.write_str("Stream"),
            Self::Folder { .. } => f.write_str("Folder"),
        }
    }
}

impl Open {
    fn stream(bytes: Box<dyn Read + Send>, is_waiting: bool) -> Self {
        Self::Stream { bytes, pictures: Pictures::default(), is_waiting }
    }

    /// The next picture, or why it is none; nothing where none has come for a moment. A camera's device file is waited
    /// for until the next comes or the camera is gone.
    ///
    /// # Errors
    /// When no more will come.
    pub fn next_picture(&mut self) -> io::Result<Option<Result<Frame, BadPicture>>> {
        let file = match self {
            Self::Device(running) => return running.next_picture().map(Some),
            Self::Stream { bytes, pictures, is_waiting } => from_stream(bytes, pictures, is_waiting)?,
            Self::Folder { folder, last, found } => from_folder(folder, last, found)?,
        };
        Ok(file.map(|file| Frame::decode(&file)))
    }

    /// How a camera is run, in words; nothing of what is none.
    #[must_use]
    pub fn mode(&self) -> Option<String> {
        if let Self::Device(running) = self { Some(running.mode()) } else { None }
    }
}

fn from_stream(bytes: &mut impl Read, pictures: &mut Pictures, is_waiting: &mut bool) -> io::Result<Option<Vec<u8>>> {
    if let Some(picture) = pictures.next_picture() {
        return Ok(Some(picture));
    }
    let began = Instant::now();
    let mut some = vec![0; READ_BYTES];
    while began.elapsed() < WAIT {
        match bytes.read(&mut some) {
            Ok(0) if *is_waiting => std::thread::sleep(LOOK),
            Ok(0) => return Err(ErrorKind::UnexpectedEof.into()),
            Ok(count) => {
                *is_waiting = false;
                pictures.take(some.get(..count).unwrap_or_default());
                if let Some(picture) = pictures.next_picture() {
                    return Ok(Some(picture));
                }
            }
            Err(why) if matches!(why.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => std::thread::sleep(LOOK),
            Err(why) if why.kind() == ErrorKind::Interrupted => {}
            Err(why) => return Err(why),
        }
    }
    Ok(None)
}

fn from_folder(
    folder: &Path,
    last: &mut Option<std::ffi::OsString>,
    found: &mut VecDeque<PathBuf>,
) -> io::Result<Option<Vec<u8>>> {
    if found.is_empty() {
        let is_new = |name: &std::ffi::OsString| last.as_ref().is_none_or(|last| name > last);
        let is_picture = |name: &std::ffi::OsString| {
            let kind = Path::new(name).extension().map(std::ffi::OsStr::to_ascii_lowercase);
            kind.is_some_and(|kind| kind == "jpg" || kind == "jpeg" || kind == "png")
        };
        let names = fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.file_name()));
        let mut names = names.collect::<io::Result<Vec<_>>>()?;
        names.retain(|name| is_new(name) && is_picture(name));
        names.sort();
        if let Some(newest) = names.last() {
            *last = Some(newest.clone());
        }
        found.extend(names.into_iter().map(|name| folder.join(name)));
    }
    let Some(path) = found.pop_front() else {
        std::thread::sleep(LOOK);
        return Ok(None);
    };
    let mut bytes = Vec::new();
    File::open(path)?.take(MAX_PICTURE as u64).read_to_end(&mut bytes)?;
    Ok(Some(bytes))
}

/// The pictures of what was opened, one after the other, until it ends: for learning a deck. Damaged ones are left out.
pub fn pictures(mut open: Open) -> impl Iterator<Item = Frame> {
    std::iter::from_fn(move || {
        loop {
            match open.next_picture() {
                Ok(Some(Ok(picture))) => return Some(picture),
                Ok(Some(Err(_)) | None) => {}
                Err(_) => return None,
            }
        }
    })
}
