//! Makes the page of flash that gives a device its serial number, and where wanted its key.
//!
//! ```sh
//! cargo run -p sabot-firmware --example provision -- SH-0001 sh-0001.bin [KEY]
//! ```
//!
//! KEY is 32 hexadecimal digits; without it the device waits to be paired. The page has a code, drawn here and printed:
//! it belongs on the device's housing, and nowhere else. The file holds what is secret: only its owner may read it.

use std::error::Error;
use std::io::{Read as _, Write as _};

use sabot_firmware::provision::Page;
use sabot_firmware::sabot_wire::message::{KEY_BYTES, Key};
use sabot_firmware::sabot_wire::pairing::{CODE_BYTES, Code};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(serial), Some(file)) = (arguments.next(), arguments.next()) else {
        return Err("usage: provision SERIAL FILE [KEY]".into());
    };
    let key = arguments.next().map(|text| key(&text)).transpose()?;
    let serial = serial.as_str().try_into().map_err(|_| "a serial number has 16 bytes at the most")?;
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut out = options.open(&file).map_err(|error| format!("{file}: {error}"))?;
    let mut random = [0; CODE_BYTES];
    std::fs::File::open("/dev/urandom")?.read_exact(&mut random)?;
    let code = Code::new(random);
    let digits = code.digits();
    out.write_all(&Page { serial, key, code: Some(code) }.write())?;
    let groups: Vec<String> = digits.chunks(4).map(|group| group.iter().collect()).collect();
    println!("the code on the housing: {}", groups.join("-"));
    Ok(())
}

fn key(text: &str) -> Result<Key, Box<dyn Error>> {
    let wrong = "a key has 32 hexadecimal digits";
    let digits = (0..text.len()).step_by(2).map(|at| text.get(at..at + 2).ok_or(wrong));
    let bytes = digits.map(|digits| Ok(u8::from_str_radix(digits?, 16)?)).collect::<Result<Vec<_>, Box<dyn Error>>>();
    let bytes: [u8; KEY_BYTES] = bytes?.try_into().map_err(|_| wrong)?;
    Ok(Key::new(bytes))
}
