//! What a program tells the kernel, over functionfs, of the device that it is: `linux/usb/functionfs.h`. Numbers are
//! little-endian.

/// Asks for descriptors in the second form.
const DESCRIPTORS: u32 = 3;
const STRINGS: u32 = 2;
const FULL_SPEED: u32 = 1;
const HIGH_SPEED: u32 = 2;

/// Bytes of an event.
pub(super) const EVENT: usize = 12;

/// What the kernel tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Event {
    /// The host has chosen the configuration: endpoints work from now on.
    Enabled,
    /// They no longer do.
    Disabled,
    /// The host asks for something on the control endpoint.
    Asked(Setup),
    /// Nothing to be done.
    Other,
}

/// A request on the control endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Setup {
    pub(super) kind: u8,
    pub(super) request: u8,
    pub(super) value: u16,
    pub(super) length: u16,
}

impl Setup {
    /// Whether the device is to send.
    pub(super) const fn to_host(self) -> bool {
        self.kind & 0x80 != 0
    }
}

pub(super) const fn event(bytes: &[u8; EVENT]) -> Event {
    let [kind, request, value_low, value_high, _, _, length_low, length_high, what, ..] = *bytes;
    match what {
        2 => Event::Enabled,
        1 | 3 => Event::Disabled,
        4 => Event::Asked(Setup {
            kind,
            request,
            value: u16::from_le_bytes([value_low, value_high]),
            length: u16::from_le_bytes([length_low, length_high]),
        }),
        _ => Event::Other,
    }
}

/// The descriptors of one interface, `count` of them, for full and for high speed.
pub(super) fn descriptors(count: u32, full_speed: &[u8], high_speed: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    body.extend((FULL_SPEED | HIGH_SPEED).to_le_bytes());
    body.extend(count.to_le_bytes());
    body.extend(count.to_le_bytes());
    body.extend(full_speed);
    body.extend(high_speed);
    with_head(DESCRIPTORS, &body)
}

/// No strings.
pub(super) fn no_strings() -> Vec<u8> {
    with_head(STRINGS, &[0; 8])
}

/// Magic number and length of the whole before it.
fn with_head(magic: u32, body: &[u8]) -> Vec<u8> {
    let length = u32::try_from(body.len() + 8).unwrap_or(u32::MAX);
    [&magic.to_le_bytes(), &length.to_le_bytes(), body].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_and_events_are_those_of_the_kernels_header() {
        assert_eq!(no_strings(), [2, 0, 0, 0, 16, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        let told = descriptors(1, &[1, 2], &[3]);
        assert_eq!(told, [3, 0, 0, 0, 23, 0, 0, 0, 3, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 2, 3]);
        let asked = event(&[0x81, 6, 0, 0x22, 0, 0, 0x1b, 0, 4, 0, 0, 0]);
        assert_eq!(asked, Event::Asked(Setup { kind: 0x81, request: 6, value: 0x2200, length: 27 }));
        assert_eq!(event(&[0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0]), Event::Enabled);
        assert_eq!(event(&[0, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0]), Event::Disabled);
        assert_eq!(event(&[0; EVENT]), Event::Other);
    }
}
