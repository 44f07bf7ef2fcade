//! A record as an auditor reads it: lines that hold together up to where anything else stands, and not beyond.
#![no_main]

use std::ops::ControlFlow;

use libfuzzer_sys::fuzz_target;
use sabot_fuzz::Script;
use sabot_journal::{Chain, verify};

fuzz_target!(|data: &[u8]| {
    let mut script = Script::new(data);
    let (mut file, mut chain) = (Vec::new(), Chain::default());
    let (mut sound, mut whole) = (0, true);
    while !script.is_over() {
        if script.byte().is_multiple_of(8) {
            whole = false;
            file.extend(script.bytes());
        } else {
            let text: Vec<u8> = script.bytes().iter().filter(|&&byte| byte != b'\n').copied().collect();
            let line = [b"{", text.as_slice(), b"}"].concat();
            chain = chain.append(&line, &mut file);
            sound += u64::from(whole);
        }
    }
    let mut told = 0;
    let verified = verify(file.as_slice(), |number, _| {
        told += 1;
        assert_eq!(number, told);
        ControlFlow::Continue(())
    })
    .expect("nothing is wrong with the file itself");
    assert!(verified.lines >= sound && verified.lines == told);
    assert!(!whole || (verified.fault.is_none() && verified.torn == 0 && verified.bytes == file.len() as u64));
    assert!(verified.fault.is_some() || verified.bytes + verified.torn == file.len() as u64);
});
