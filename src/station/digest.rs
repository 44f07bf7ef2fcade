//! SHA-256 in hexadecimal digits.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use sha2::{Digest, Sha256};

/// Bytes read at once.
const CHUNK: usize = 1 << 16;

/// Of a text.
pub(super) fn of_text(text: &str) -> String {
    hex(Sha256::new_with_prefix(text))
}

/// Of a file's contents.
pub(super) fn of_file(path: &Path) -> io::Result<String> {
    let (mut file, mut hash, mut chunk) = (File::open(path)?, Sha256::new(), vec![0; CHUNK]);
    loop {
        match file.read(&mut chunk)? {
            0 => return Ok(hex(hash)),
            read => hash.update(chunk.get(..read).unwrap_or_default()),
        }
    }
}

fn hex(hash: Sha256) -> String {
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}
