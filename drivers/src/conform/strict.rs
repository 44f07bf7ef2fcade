//! Bytes of a device, read as strictly as the page lets it write them. The link's own decoder is lenient where the page
//! tells a receiver to be.

use std::collections::VecDeque;

use sabot_wire::frame::{CRC_BYTES, MAX_CHECKED, MAX_FRAME, crc32c, encode_body, first_message};
use sabot_wire::message::{SERIAL_BYTES, ToHost};
use sabot_wire::seal::LENGTHS;

use super::duties::Duty;

/// What is wrong, and against which duty.
pub(crate) type Fault = (Duty, String);

/// What a device wrote between two zeros.
#[derive(Debug, Clone)]
pub(crate) struct Stretch {
    pub(crate) bytes: Vec<u8>,
    /// Zeros between it and the one before it.
    pub(crate) zeros: usize,
}

/// Cuts what comes at its zeros.
#[derive(Debug, Default)]
pub(crate) struct Cutter {
    held: Vec<u8>,
    zeros: usize,
}

/// Bytes that are kept of what never ends.
const KEPT: usize = 2 * MAX_FRAME;

impl Cutter {
    /// Bytes that came since the last zero.
    pub(crate) const fn held(&self) -> usize {
        self.held.len()
    }

    pub(crate) fn take(&mut self, bytes: &[u8], out: &mut VecDeque<Stretch>) {
        for &byte in bytes {
            if byte != 0 {
                if self.held.len() < KEPT {
                    self.held.push(byte);
                }
            } else {
                if !self.held.is_empty() {
                    out.push_back(Stretch { bytes: std::mem::take(&mut self.held), zeros: self.zeros });
                    self.zeros = 0;
                }
                self.zeros += 1;
            }
        }
    }
}

/// The body of a frame.
pub(crate) fn body(bytes: &[u8]) -> Result<Vec<u8>, Fault> {
    let most = MAX_FRAME - 2;
    if bytes.len() > most {
        return Err((
            Duty::Longest,
            format!("{} bytes and more came without a zero; a frame has {most} at the most", most + 1),
        ));
    }
    let mut out = uncobs(bytes)?;
    let Some(body) = out.len().checked_sub(CRC_BYTES).filter(|body| *body > 0) else {
        return Err((
            Duty::Checksum,
            format!("a frame of {} bytes has no room for a body and its checksum", out.len()),
        ));
    };
    let told = out.split_off(body);
    let due = crc32c(&out).to_le_bytes();
    if told == due {
        return Ok(out);
    }
    let turned: Vec<u8> = due.into_iter().rev().collect();
    let hint = if told == turned { "; its bytes are in the wrong order" } else { "" };
    Err((Duty::Checksum, format!("the checksum of a body of {body} bytes does not hold{hint}")))
}

fn uncobs(bytes: &[u8]) -> Result<Vec<u8>, Fault> {
    let mut out = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    let mut after_full = false;
    while let Some((&code, after)) = rest.split_first() {
        let count = usize::from(code) - 1; // no zero is inside
        let Some((block, next)) = after.split_at_checked(count) else {
            let left = after.len();
            return Err((Duty::Cobs, format!("a block of {count} bytes is announced where {left} are left")));
        };
        if after_full && count == 0 && next.is_empty() {
            return Err((
                Duty::Cobs,
                "a last 01 is written after a full block, where nothing more is to be written".into(),
            ));
        }
        out.extend_from_slice(block);
        after_full = code == u8::MAX;
        if !after_full && !next.is_empty() {
            out.push(0);
        }
        rest = next;
    }
    Ok(out)
}

/// The message that a clear body is.
pub(crate) fn clear(body: &[u8]) -> Result<ToHost, Fault> {
    let (message, length) = message(body)?;
    match body.len() - length {
        0 => Ok(message),
        more => Err((Duty::Messages, format!("{more} bytes follow a {} in clear", name(&message)))),
    }
}

/// The message that was sealed with zeros after it.
pub(crate) fn padded(plain: &[u8]) -> Result<ToHost, Fault> {
    let (message, length) = message(plain)?;
    let due = LENGTHS.into_iter().find(|due| *due >= length).unwrap_or_default();
    if plain.len() != due {
        let (found, name) = (plain.len(), name(&message));
        return Err((
            Duty::Padding,
            format!("a {name} of {length} bytes was sealed as {found}; it must be filled up to {due}"),
        ));
    }
    match plain.iter().skip(length).find(|byte| **byte != 0) {
        None => Ok(message),
        Some(byte) => {
            Err((Duty::Padding, format!("a {} is filled up with {byte:02x}, not with zeros", name(&message))))
        }
    }
}

/// The message at the beginning of a body, and its length.
fn message(body: &[u8]) -> Result<(ToHost, usize), Fault> {
    let Some((message, length)) = first_message::<ToHost>(body) else { return Err(senseless(body)) };
    let mut again = [0; MAX_CHECKED];
    let written = encode_body(&message, &mut again).map_or(0, |end| end - CRC_BYTES);
    if again.get(..written) == body.get(..length) {
        return Ok((message, length));
    }
    Err((Duty::Shortest, format!("a {} has {length} bytes where {written} say the same", name(&message))))
}

/// What is wrong with a body that is no message: of a hello, with which field.
fn senseless(body: &[u8]) -> Fault {
    let tag = body.first().copied().unwrap_or_default();
    let is_hello = matches!(tag, 1 | 5 | 9);
    if let (true, Some(role @ 5..)) = (is_hello, body.get(2)) {
        return (Duty::Messages, format!("a hello names role {role}; there are 0 to 4"));
    }
    if let (true, Some(&length)) = (is_hello, body.get(3)) {
        let text = body.get(4..4 + usize::from(length)).unwrap_or_default();
        if usize::from(length) > SERIAL_BYTES || str::from_utf8(text).is_err() {
            return (Duty::Serial, format!("a hello gives a serial number of {length} bytes, or one that is no text"));
        }
    }
    if let Some(((0, _, _, 0, 0, code), _)) = first_message::<(u8, u32, u32, u8, u8, u8)>(body) {
        return (Duty::Values, format!("a card has the code {code}; there are 0 to 51, and 255"));
    }
    let what = match tag {
        0 => "an event whose observation is not of the schema",
        1 | 5 | 9 => "a hello or Running that ends too early, or has fields that are not of the schema",
        2..=9 => "a message that ends too early, or has fields that are not of the schema",
        _ => return (Duty::Messages, format!("a message begins with tag {tag}; there are 0 to 9")),
    };
    (Duty::Messages, format!("tag {tag}: {what}"))
}

/// What a message is called.
pub(crate) const fn name(message: &ToHost) -> &'static str {
    match message {
        ToHost::Event { .. } => "Event",
        ToHost::Hello(_) => "Hello",
        ToHost::Pong(_) => "Pong (of version 1)",
        ToHost::Answer { .. } => "Answer",
        ToHost::Unpaired => "Unpaired",
        ToHost::Ready(_) => "Ready (of version 3)",
        ToHost::Time { .. } => "Time (of version 2)",
        ToHost::Clock { .. } => "Clock",
        ToHost::Exchange { .. } => "Exchange",
        ToHost::Running { .. } => "Running",
    }
}

#[cfg(test)]
mod tests {
    use sabot_wire::frame::{MAX_FRAME, encode, encode_sealed};
    use sabot_wire::message::{DeviceHello, Key, Nonce, Role, ToHost};
    use sabot_wire::seal::{Channel, Parties};

    use super::{Duty, body, clear, padded};
    use crate::conform::Raw;

    fn framed(bytes: Vec<u8>) -> Vec<u8> {
        let mut out = [0; MAX_FRAME];
        let frame = encode(&Raw(bytes), &mut out).unwrap();
        frame[1..frame.len() - 1].to_vec()
    }

    #[test]
    fn a_frame_that_a_receiver_forgives_is_not_what_a_device_may_write() {
        let full = framed(vec![1; 250]);
        assert_eq!(full.len(), 255, "one full block");
        assert!(body(&full).is_ok());
        let (duty, found) = body(&[&full[..], &[1]].concat()).unwrap_err();
        assert_eq!((duty, found.contains("a last 01")), (Duty::Cobs, true));
        let mut longer = framed(vec![7, 0x81]);
        longer[2] = 0x41; // the checksum is another's
        assert_eq!(body(&longer).unwrap_err().0, Duty::Checksum);
        assert_eq!(body(&[9, 1]).unwrap_err().0, Duty::Cobs);
        assert_eq!(body(&[1, 1, 1, 1, 1]).unwrap_err().0, Duty::Checksum, "an empty body");
        assert_eq!(body(&[7; 343]).unwrap_err().0, Duty::Longest);
    }

    #[test]
    fn frames_over_254_bytes_are_read_wherever_their_zeros_lie() {
        for length in 245..318 {
            for zero in [0, 1, 253, 254, length - 1] {
                let mut bytes = vec![1; length];
                bytes.iter_mut().skip(zero).take(1).for_each(|byte| *byte = 0);
                assert_eq!(body(&framed(bytes.clone())), Ok(bytes), "{length}, {zero}");
            }
        }
    }

    #[test]
    fn a_number_in_a_longer_form_is_named() {
        assert_eq!(clear(&[2, 7]), Ok(ToHost::Pong(7)));
        for long in [&[2, 0x87, 0][..], &[2, 0x87, 0x80, 0], &[0x82, 0, 7]] {
            assert_eq!(clear(long).unwrap_err().0, Duty::Shortest, "{long:02x?}");
        }
        assert_eq!(clear(&[2, 7, 0]).unwrap_err().0, Duty::Messages);
    }

    #[test]
    fn hellos_of_no_device_are_named_by_their_field() {
        let hello = |serial: &str| {
            ToHost::Hello(DeviceHello {
                protocol: 3,
                role: Role::Shoe,
                serial: serial.try_into().unwrap(),
                firmware: [0, 1, 0],
                schema: 1,
                boots: 1,
                epoch: 1,
                oldest: 1,
            })
        };
        let mut out = [0; MAX_FRAME];
        let frame = encode(&hello("SH-1"), &mut out).unwrap();
        let right = body(&frame[1..frame.len() - 1]).unwrap();
        assert!(clear(&right).is_ok());
        let at = |place: usize, byte: u8| {
            let mut wrong = right.clone();
            wrong[place] = byte;
            clear(&wrong).unwrap_err().0
        };
        assert_eq!((at(2, 5), at(3, 17), at(4, 0xff)), (Duty::Messages, Duty::Serial, Duty::Serial));
    }

    #[test]
    fn what_is_sealed_is_filled_up_with_zeros_to_the_next_length() {
        let parties = Parties {
            version: sabot_wire::Version::Four,
            role: Role::Shoe,
            serial: "SH-1",
            challenge: &Nonce([1; 16]),
            answer: &Nonce([2; 16]),
        };
        let (mut device, _) = Channel::of_device(&Key::new([3; 16]), &parties);
        let (mut host, _) = Channel::of_host(&Key::new([3; 16]), &parties);
        let mut out = [0; MAX_FRAME];
        let frame = encode_sealed(&ToHost::Pong(7), &mut device, &mut out).unwrap();
        let mut sealed = body(&frame[1..frame.len() - 1]).unwrap();
        let sabot_wire::seal::Opened::Message(plain) = host.open(&mut sealed) else { panic!("it opens") };
        assert_eq!((plain.len(), padded(plain)), (20, Ok(ToHost::Pong(7))));
        for wrong in [&plain[..19], &plain[..2], &[plain, &[0; 28]].concat(), &[&plain[..19], &[1]].concat()] {
            assert_eq!(padded(wrong).unwrap_err().0, Duty::Padding, "{} bytes", wrong.len());
        }
    }
}
