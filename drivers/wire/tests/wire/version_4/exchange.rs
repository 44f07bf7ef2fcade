//! What version 4 adds: who learns a device's key later reads nothing that was recorded before, who does not hold it
//! costs a device nothing, and a device says what it runs.

use sabot_wire::frame::{Decoder, Got, MAX_FRAME, encode};
use sabot_wire::host::Report;
use sabot_wire::message::{Image, Nonce, Point, Role, ToDevice, ToHost};
use sabot_wire::seal::{Keys, Parties};
use sabot_wire::{CHALLENGE_MS, EXCHANGE_MS, HANDSHAKE_MS};

use super::common::VERSION;
use super::common::ends::key;
use super::common::pair::{Pair, SERIAL, cards, drawn};

fn clear(message: &ToDevice) -> Vec<u8> {
    encode(message, &mut [0; MAX_FRAME]).expect("it fits").to_vec()
}

/// The bytes of both ways until neither side has anything to say.
fn recorded(pair: &mut Pair, now: u64) -> [Vec<u8>; 2] {
    let mut both = [Vec::new(), Vec::new()];
    loop {
        let (up, down) = (pair.shoe_sends(now).line, pair.host_sends(now).line);
        if up.is_empty() && down.is_empty() {
            return both;
        }
        pair.host_gets(now, &up);
        pair.shoe_gets(now, &down);
        both[0].extend(up);
        both[1].extend(down);
    }
}

#[test]
fn who_has_recorded_a_cable_and_finds_out_the_key_reads_nothing_of_it() {
    let mut pair = Pair::new();
    pair.shoe.observe(0, &drawn(7)).expect("room");
    let [up, down] = recorded(&mut pair, 0);
    assert_eq!(pair.host.counters().events, 1);
    let (mut line, mut decoder, mut greeting) = (&up[..], Decoder::new(), None);
    while let Some(got) = decoder.next::<ToHost>(&mut line, None) {
        if let Got::Clear(ToHost::Answer { to, nonce, .. }) = got {
            let parties =
                Parties { version: VERSION, role: Role::Shoe, serial: SERIAL, challenge: &to, answer: &nonce };
            greeting = Some(Keys::of(&key(1), &parties));
        }
    }
    let greeting = greeting.expect("an answer");
    let mut sealed = 0;
    for mut channel in [greeting.host_end(), greeting.device_end()] {
        let (mut up, mut down) = (&up[..], &down[..]);
        while let Some(got) = decoder.next::<ToHost>(&mut up, Some(&mut channel)) {
            assert!(matches!(got, Got::Clear(_) | Got::Unopened), "{got:?}");
            sealed += u32::from(got == Got::Unopened);
        }
        while let Some(got) = decoder.next::<ToDevice>(&mut down, Some(&mut channel)) {
            assert!(matches!(got, Got::Clear(_) | Got::Unopened), "{got:?}");
            sealed += u32::from(got == Got::Unopened);
        }
    }
    assert!(sealed >= 6, "ready, acknowledgement and event at least, each with either key: {sealed}");
}

#[test]
fn a_device_that_has_answered_has_longer_for_the_rest_and_whoever_repeats_its_answer_gains_no_more() {
    let mut pair = Pair::new();
    let hello = pair.shoe_sends(0).line;
    pair.host_gets(0, &hello);
    let challenge = pair.host_sends(0).line;
    pair.shoe_gets(0, &challenge);
    let answer = pair.shoe_sends(HANDSHAKE_MS - 1).line;
    pair.host_gets(HANDSHAKE_MS - 1, &answer);
    assert!(pair.host.is_answered());
    pair.host_sends(HANDSHAKE_MS - 1); // a share that the line loses
    let over = HANDSHAKE_MS - 1 + EXCHANGE_MS;
    pair.host.tick(over - 1);
    pair.host_gets(over - 1, &answer);
    let again = pair.host_sends(over - 1);
    assert!(matches!(again.says[..], [.., ToDevice::Exchange { .. }]), "it goes on: {again:?}");
    pair.host.tick(over);
    assert!(!pair.host.is_answered());
    let anew = pair.host_sends(over + CHALLENGE_MS);
    assert!(matches!(anew.says[..], [ToDevice::Hello { .. }]), "it begins anew: {anew:?}");
}

#[test]
fn who_does_not_hold_the_key_has_a_device_compute_nothing_and_holds_up_nothing() {
    let mut pair = Pair::new();
    pair.talk(0);
    for n in 0..50_u8 {
        pair.shoe_gets(1, &clear(&ToDevice::Challenge(Nonce([n; 16]))));
        let [ToHost::Answer { nonce, .. }] = pair.shoe_sends(1).says[..] else { panic!("no answer") };
        for (to, proof) in [(nonce, [n; 16]), (Nonce([n; 16]), [n; 16])] {
            pair.shoe_gets(1, &clear(&ToDevice::Exchange { to, share: Point([9; 32]), proof }));
            assert_eq!(pair.shoe_sends(1).says, [], "nothing is said to a share without a proof");
        }
        pair.shoe.observe(1, &drawn(n)).expect("room");
        let event = pair.shoe_sends(1);
        assert!(matches!(event.says[..], [ToHost::Event { .. }]), "no event waits for strangers: {event:?}");
        assert_eq!(cards(&pair.host_gets(1, &event.line)), [n]);
        pair.host.durable(100, u32::from(n) + 1);
        pair.talk(1);
    }
}

#[test]
fn what_is_lost_of_an_exchange_is_said_again() {
    for lost in 0..4 {
        let mut pair = Pair::new();
        let hello = pair.shoe_sends(0).line;
        pair.host_gets(0, &hello);
        let mut frames = 0;
        let mut now = 0;
        while !pair.shoe.in_session() {
            let mut out = [0; MAX_FRAME];
            while let Some(frame) = pair.host.transmit(now, &mut out) {
                let frame = frame.to_vec();
                if frames != lost {
                    pair.shoe_gets(now, &frame);
                }
                frames += 1;
            }
            while let Some(frame) = pair.shoe.transmit(now as u32, &mut out) {
                let frame = frame.to_vec();
                if frames != lost {
                    pair.host_gets(now, &frame);
                }
                frames += 1;
            }
            now += 10;
            assert!(now <= 4 * CHALLENGE_MS, "frame {lost} was lost");
        }
        assert_eq!(pair.host.counters().forged, 0);
    }
}

#[test]
fn a_share_that_leads_to_the_same_for_everybody_begins_no_session() {
    let mut pair = Pair::new();
    let hello = pair.shoe_sends(0).line;
    pair.host_gets(0, &hello);
    let challenge = pair.host_sends(0).line;
    pair.shoe_gets(0, &challenge);
    let answer = pair.shoe_sends(0);
    let [ToHost::Answer { nonce, .. }] = answer.says[..] else { panic!("{answer:?}") };
    pair.host_gets(0, &answer.line);
    let line = encode(&ToHost::Exchange { to: nonce, share: Point([0; 32]), proof: [0; 16] }, &mut [0; MAX_FRAME])
        .expect("it fits")
        .to_vec();
    assert_eq!(pair.host_gets(0, &line), []);
    assert_eq!(pair.host.counters().ignored, 1);
    assert!(matches!(pair.talk(0).0[..], [Report::Online { .. }]), "the true one comes after it");
}

#[test]
fn no_two_sessions_of_one_start_have_a_share_in_common_and_a_device_says_what_it_runs() {
    let mut pair = Pair::new();
    let mut shares = Vec::new();
    for session in 0..5 {
        pair.host.closed();
        pair.host.opened(session);
        let mut images = Vec::new();
        for _ in 0..6 {
            let up = pair.shoe_sends(session);
            shares.extend(up.says.iter().filter_map(|said| match said {
                ToHost::Exchange { share, .. } => Some(share.0),
                _ => None,
            }));
            images.extend(pair.host_gets(session, &up.line).into_iter().filter_map(|report| match report {
                Report::Online { image, .. } => Some(image),
                _ => None,
            }));
            let down = pair.host_sends(session);
            shares.extend(down.says.iter().filter_map(|said| match said {
                ToDevice::Exchange { share, .. } => Some(share.0),
                _ => None,
            }));
            pair.shoe_gets(session, &down.line);
        }
        assert_eq!(images, [Some(Image([0x1A; 32]))]);
    }
    let said = shares.len();
    shares.sort_unstable();
    shares.dedup();
    assert_eq!((said, shares.len()), (10, 10));
}

#[test]
fn an_images_hash_is_read_as_it_is_written() {
    let image = Image::of([&b"first"[..], &b"second"[..]]);
    assert_eq!(image, Image::of([&b"firstsecond"[..]]));
    assert_eq!(Image::typed(&image.to_string()), Some(image));
    assert_eq!(Image::typed(&image.to_string().to_uppercase()), Some(image));
    for wrong in ["", "00", &image.to_string()[1..], &format!("{image}0"), &image.to_string().replace('a', "g")] {
        assert_eq!(Image::typed(wrong), None, "{wrong}");
    }
}
