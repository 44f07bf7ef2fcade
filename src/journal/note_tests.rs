//! Against what others published, and against what an attacker would try.

use tempfile::TempDir;

use super::*;

/// The example of the package that the format comes from.
const KEY: &str = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW";
const NOTE: &str = "If you think cryptography is the answer to your problem,\n\
    then you don't know what your problem is.\n\
    \n\
    \u{2014} PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n";

fn key(name: &str, purpose: Purpose) -> PrivateKey {
    PrivateKey::from_seed(name, purpose, &[7; SEED]).unwrap()
}

#[test]
fn a_published_note_is_read_verified_and_written_as_it_was() {
    let key: PublicKey = KEY.parse().unwrap();
    let note = Note::parse(NOTE).unwrap();
    assert_eq!((key.to_string(), note.to_string()), (KEY.to_owned(), NOTE.to_owned()));
    assert_eq!(note.signed_by(&key), Signed::Yes(None));
    let changed = Note::parse(&NOTE.replace("answer", "Answer")).unwrap();
    assert_eq!(changed.signed_by(&key), Signed::Forged);
}

#[test]
fn a_key_with_a_changed_character_is_refused() {
    for (from, to, why) in [
        ("Peter", "Pater", KeyError::Number),
        ("c74f", "c74e", KeyError::Number),
        ("ARpc", "ARpd", KeyError::Number),
        ("ARpc", "CRpc", KeyError::Kind),
        ("10TW", "10T!", KeyError::Form),
        ("10TW", "", KeyError::Form),
        ("+c74f20a3", "", KeyError::Form),
        ("PeterNeumann", "Peter Neumann", KeyError::Name),
    ] {
        assert_eq!(KEY.replace(from, to).parse::<PublicKey>(), Err(why), "{from} -> {to}");
    }
}

#[test]
fn a_witness_signs_the_time_with_the_text() {
    let station = key("casino.example/BJ-07", Purpose::Station);
    let witness = key("stick-1", Purpose::Witness);
    let text = "a text\n".to_owned();
    let mut note = Note { signatures: vec![station.sign(&text, 0)], text };
    assert_eq!(note.signed_by(witness.public()), Signed::No);
    note.signatures.push(witness.sign(&note.text, 1_764_000_000));
    assert_eq!(note.signed_by(witness.public()), Signed::Yes(Some(1_764_000_000)));
    assert_eq!(note.signed_by(station.public()), Signed::Yes(None));
    // another time, and a bad signature beside a good one
    let Some(last) = note.signatures.last().cloned() else { panic!() };
    let mut earlier = last.clone();
    earlier.bytes[7] ^= 1;
    for signatures in [vec![earlier.clone()], vec![last.clone(), earlier.clone()], vec![earlier, last]] {
        assert_eq!(Note { signatures, ..note.clone() }.signed_by(witness.public()), Signed::Forged);
    }
    assert_eq!(Note::parse(&note.to_string()), Some(note));
}

#[test]
fn what_is_no_note_is_not_read() {
    for wrong in
        ["", "\n\n", "text\n\n", "text\n\nno dash x\n", "te\txt\n\n\u{2014} a AAAAAAAA\n", &NOTE[..NOTE.len() - 1]]
    {
        assert_eq!(Note::parse(wrong), None, "{wrong:?}");
    }
}

#[test]
fn a_private_key_is_its_owners_alone_and_never_shown() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("key");
    let made = PrivateKey::create(&path, "casino.example/BJ-07", Purpose::Station).unwrap();
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    let seed = Base64::encode_string(made.key.as_bytes());
    assert!(!format!("{made:?}").contains(&seed[..20]));
    let read = PrivateKey::load(&path, Purpose::Station).unwrap();
    assert_eq!((read.public(), read.key.as_bytes()), (made.public(), made.key.as_bytes()));
    assert!(matches!(PrivateKey::load(&path, Purpose::Witness), Err(KeyFileError::Purpose { .. })));
    assert_eq!(PrivateKey::load_any(&path).unwrap().public(), made.public());
    let again = PrivateKey::create(&path, "casino.example/BJ-07", Purpose::Station);
    assert!(matches!(again, Err(KeyFileError::Io { .. })), "a key is never written over");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    let open = PrivateKey::load(&path, Purpose::Station).unwrap_err().to_string();
    assert!(open.contains("chmod 600"), "{open}");
}

#[test]
fn two_keys_are_two_keys() {
    let folder = TempDir::new().unwrap();
    let make = |file: &str| PrivateKey::create(&folder.path().join(file), "a", Purpose::Witness).unwrap();
    assert_ne!(make("1").public(), make("2").public());
}
