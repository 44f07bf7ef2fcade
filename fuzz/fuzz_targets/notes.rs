//! What a verifier is given by strangers: keys, notes, files of checkpoints and proofs. What reads is written back as
//! it was, and nobody is believed to have signed.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sabot_journal::checkpoint::{Checkpoint, Checkpoints, Next};
use sabot_journal::clock::{parse_utc, utc};
use sabot_journal::note::{Note, PublicKey, Signed};
use sabot_journal::proof::Proof;

const KEY: &str = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW";

fuzz_target!(|data: &[u8]| {
    let key: PublicKey = KEY.parse().expect("a published key");
    let mut file = Checkpoints::new(data);
    loop {
        match file.next().expect("memory can be read") {
            Next::Stated(stated) => {
                assert_eq!(Checkpoint::parse(&stated.checkpoint.to_string()), Some(stated.checkpoint));
            }
            Next::Wrong(_) => {}
            Next::Torn | Next::End => break,
        }
    }
    let (whole, unended) = file.whole();
    assert!(whole <= data.len() as u64 && (whole > 0 || !unended));
    let Ok(text) = std::str::from_utf8(data) else { return };
    if let Some(note) = Note::parse(text) {
        assert_eq!(note.to_string(), text);
        assert!(!matches!(note.signed_by(&key), Signed::Yes(_)) || text.starts_with("If you think cryptography"));
    }
    if let Ok(proof) = Proof::parse(text) {
        assert_eq!(Proof::parse(&proof.to_string()), Ok(proof.clone()));
        assert!(proof.check(b"a line", &[key]).is_err());
    }
    if let Ok(key) = text.parse::<PublicKey>() {
        assert_eq!(key.to_string().parse(), Ok(key));
    }
    if let Some(ms) = parse_utc(text) {
        assert_eq!(utc(ms), text);
    }
});
