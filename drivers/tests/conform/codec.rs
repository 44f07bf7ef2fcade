//! Numbers and COBS, as the page writes them.

pub(crate) fn varint(mut number: u32) -> Vec<u8> {
    let mut out = Vec::new();
    while number > 127 {
        out.push(number as u8 & 127 | 128);
        number >>= 7;
    }
    out.push(number as u8);
    out
}

pub(crate) fn read_varint(bytes: &mut &[u8]) -> u32 {
    let (mut number, mut shift) = (0, 0);
    while let Some((&byte, rest)) = bytes.split_first() {
        *bytes = rest;
        number |= u32::from(byte & 127) << shift;
        shift += 7;
        if byte < 128 {
            break;
        }
    }
    number
}

pub(crate) fn cobs(data: &[u8]) -> Vec<u8> {
    let (mut out, mut block) = (Vec::new(), Vec::new());
    let mut ended = false;
    for byte in data {
        ended = false;
        if *byte != 0 {
            block.push(*byte);
        }
        if *byte == 0 || block.len() == 254 {
            ended = *byte != 0;
            out.push(block.len() as u8 + 1);
            out.append(&mut block);
        }
    }
    if !ended {
        out.push(block.len() as u8 + 1);
        out.append(&mut block);
    }
    out
}

pub(crate) fn uncobs(bytes: &[u8]) -> Option<Vec<u8>> {
    let (mut out, mut rest) = (Vec::new(), bytes);
    while let Some((&code, after)) = rest.split_first() {
        let (block, next) = after.split_at_checked(usize::from(code) - 1)?;
        out.extend(block);
        if code < 255 && !next.is_empty() {
            out.push(0);
        }
        rest = next;
    }
    Some(out)
}
