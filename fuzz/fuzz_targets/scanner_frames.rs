//! What card scanners send, lines and SSI packets: the same whatever the pieces, and as a reading of all at once has
//! it.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sabot_drivers::scanner::line::{self, LineFault, MAX_LINE};
use sabot_drivers::scanner::packet::{self, GAP_MS, Packet, checksum};
use sabot_fuzz::Script;

/// Every line that has ended.
fn lines(all: &[u8]) -> Vec<Result<Vec<u8>, LineFault>> {
    let mut pieces: Vec<&[u8]> = all.split(|byte| matches!(byte, b'\r' | b'\n')).collect();
    pieces.pop();
    let line = |piece: &[u8]| {
        let text = piece.trim_ascii();
        if piece.len() > MAX_LINE {
            Some(Err(LineFault::Long))
        } else if !text.iter().all(|byte| (b' '..=b'~').contains(byte)) {
            Some(Err(LineFault::Letters))
        } else {
            (!text.is_empty()).then(|| Ok(text.to_vec()))
        }
    };
    pieces.into_iter().filter_map(line).collect()
}

/// Every packet of bytes between two silences, and whether something there is none.
fn packets(mut burst: &[u8]) -> (Vec<Packet>, bool) {
    let mut found = Vec::new();
    loop {
        let woken = burst.iter().take_while(|&&byte| byte == packet::WAKE).count();
        burst = &burst[woken..];
        let Some(&length) = burst.first() else { return (found, false) };
        let length = usize::from(length);
        if length < 4 || burst.len() < length + 2 {
            return (found, true);
        }
        let (content, rest) = burst.split_at(length);
        if checksum(content).to_be_bytes() != rest[..2] {
            return (found, true);
        }
        let (opcode, source, status) = (content[1], content[2], content[3]);
        found.push(Packet { opcode, source, status, data: content[4..].to_vec() });
        burst = &rest[2..];
    }
}

fn as_lines(script: &mut Script<'_>) {
    let (mut decoder, mut all, mut found) = (line::Decoder::default(), Vec::new(), Vec::new());
    while !script.is_over() {
        let mut piece = script.bytes();
        all.extend(piece);
        while let Some(line) = decoder.next_line(0, &mut piece) {
            found.push(line);
        }
        assert!(piece.is_empty());
    }
    assert_eq!(found, lines(&all));
    let begun = all.last().is_some_and(|byte| !matches!(byte, b'\r' | b'\n'));
    assert_eq!(decoder.breaks_off_at().is_some(), begun);
    assert_eq!(decoder.give_up(line::UNENDED_MS), begun.then_some(LineFault::Unended));
    assert_eq!(decoder.breaks_off_at(), None);
}

fn as_packets(script: &mut Script<'_>) {
    let (mut decoder, mut now, mut found) = (packet::Decoder::default(), 0, Vec::new());
    let mut bursts: Vec<Vec<u8>> = vec![Vec::new()];
    while !script.is_over() {
        let (pause, piece) = (script.pause_ms(), script.bytes());
        if piece.is_empty() {
            continue;
        }
        now += pause;
        if pause >= GAP_MS {
            bursts.push(Vec::new());
        }
        bursts.last_mut().expect("there is one").extend(piece);
        decoder.settle(now);
        decoder.push(now, piece);
        while let Some(packet) = decoder.next_packet() {
            // what was taken is written as it came
            let bytes = packet.encode().expect("it came as a packet");
            assert_eq!(packets(&bytes), (vec![packet.clone()], false));
            found.push(packet);
        }
    }
    decoder.settle(now + GAP_MS);
    assert_eq!(decoder.silent_at(), None);
    let expected: Vec<_> = bursts.iter().map(|burst| packets(burst)).collect();
    assert_eq!(decoder.bad(), expected.iter().filter(|(_, bad)| *bad).count() as u64);
    assert_eq!(found, expected.into_iter().flat_map(|(packets, _)| packets).collect::<Vec<_>>());
}

fuzz_target!(|data: &[u8]| {
    let mut script = Script::new(data);
    if script.byte() & 1 == 0 { as_lines(&mut script) } else { as_packets(&mut script) }
});
