//! The scanner head at the mouth of the shoe: one line of text for each thing that passes it, on a UART of its own.
//!
//! | line | meaning |
//! |---|---|
//! | `7H`, `10S`, `TS`, `AD`, `QC` | a card: rank, then suit (`S` `H` `D` `C`) |
//! | `NR` | a card passed and could not be read |
//! | `CUT` | the cut card |
//! | `LOAD 416 52` | the lid has closed over so many cards, of which so many lie behind the cut card |
//! | `JAM` | a card is stuck |
//! | `BLIND` | the head cannot see: dirt, light |
//!
//! A line ends with CR, LF or both. Nothing that passed is left out: a line that makes no sense, or that the UART has
//! damaged, is a card that could not be read.

use core::cell::RefCell;

use embedded_io::{Read, ReadReady};
use sabot_wire::message::Card;

use crate::shoe::{CardReader, Load, LoadSensor, Passed, ReaderFault};

/// Bytes of the longest line, without its end.
const LONGEST: usize = 16;
/// Bytes taken from the UART in one call: a line that never ends must not stop the shoe.
const PER_CALL: usize = 64;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Message {
    Passed(Passed),
    Load(Load),
    Fault(ReaderFault),
}

/// A scanner head on a UART. The shoe's reader and its load sensor are the same head: give it a reference to a
/// [`RefCell`] of it for both.
#[derive(Debug)]
pub struct ScannerHead<U> {
    uart: U,
    line: heapless::String<LONGEST>,
    /// The line at hand makes no sense: it is too long, or the UART has damaged it.
    damaged: bool,
    /// Understood, and not yet asked for.
    message: Option<Message>,
}

impl<U: Read + ReadReady> ScannerHead<U> {
    /// A head that has said nothing yet.
    #[must_use]
    pub const fn new(uart: U) -> Self {
        Self { uart, line: heapless::String::new(), damaged: false, message: None }
    }

    /// The next message of the head; it stays until it is taken.
    fn next_message(&mut self) -> Option<Message> {
        for _ in 0..PER_CALL {
            if self.message.is_some() {
                break;
            }
            let mut byte = [0];
            match self.uart.read_ready().and_then(|ready| if ready { self.uart.read(&mut byte) } else { Ok(0) }) {
                Ok(0) => break,
                Ok(_) => self.take(byte[0]),
                Err(_) => {
                    // the line's own end may have been lost with it: people must look
                    self.damaged = true;
                    self.message = Some(Message::Fault(ReaderFault::Unreadable));
                }
            }
        }
        self.message
    }

    fn take(&mut self, byte: u8) {
        if matches!(byte, b'\r' | b'\n') {
            if self.damaged || !self.line.is_empty() {
                let unread = Message::Passed(Passed::Card(Card::UNREAD));
                self.message = Some(if self.damaged { unread } else { parse(&self.line).unwrap_or(unread) });
            }
            self.line.clear();
            self.damaged = false;
        } else {
            let fits = byte.is_ascii_graphic() || byte == b' ';
            self.damaged |= !fits || self.line.push(char::from(byte)).is_err();
        }
    }
}

fn parse(line: &str) -> Option<Message> {
    let mut words = line.split(' ');
    let first = words.next()?;
    if first == "LOAD" {
        let load = Load { cards: words.next()?.parse().ok()?, cut_card: words.next()?.parse().ok()? };
        return (words.next().is_none() && load.cut_card <= load.cards).then_some(Message::Load(load));
    }
    if words.next().is_some() {
        return None;
    }
    Some(match first {
        "NR" => Message::Passed(Passed::Card(Card::UNREAD)),
        "CUT" => Message::Passed(Passed::CutCard),
        "JAM" => Message::Fault(ReaderFault::Stuck),
        "BLIND" => Message::Fault(ReaderFault::Unreadable),
        card => Message::Passed(Passed::Card(symbol(card)?)),
    })
}

/// A card by its symbol.
fn symbol(text: &str) -> Option<Card> {
    let (at, suit) = text.char_indices().next_back()?;
    let suit = "SHDC".find(suit)?;
    let rank = match text.get(..at)? {
        "10" => 9,
        rank if rank.len() == 1 => "A23456789TJQK".find(rank)?,
        _ => return None,
    };
    u8::try_from(suit * 13 + rank).ok().map(Card::from_code)
}

impl<U: Read + ReadReady> CardReader for &RefCell<ScannerHead<U>> {
    fn passed(&mut self) -> Result<Option<Passed>, ReaderFault> {
        let mut head = self.borrow_mut();
        match head.next_message() {
            Some(Message::Passed(passed)) => {
                head.message = None;
                Ok(Some(passed))
            }
            Some(Message::Fault(fault)) => {
                head.message = None;
                Err(fault)
            }
            Some(Message::Load(_)) | None => Ok(None),
        }
    }
}

impl<U: Read + ReadReady> LoadSensor for &RefCell<ScannerHead<U>> {
    fn loaded(&mut self) -> Option<Load> {
        let mut head = self.borrow_mut();
        let Some(Message::Load(load)) = head.next_message() else { return None };
        head.message = None;
        Some(load)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::FakeUart;

    extern crate std;
    use std::vec::Vec;

    fn heard(uart: &FakeUart, head: &RefCell<ScannerHead<FakeUart>>, bytes: &[u8]) -> Vec<Message> {
        uart.0.borrow_mut().to_device.extend(bytes);
        let (mut reader, mut load) = (head, head);
        let mut heard = Vec::new();
        while !uart.0.borrow().to_device.is_empty() || head.borrow().message.is_some() {
            heard.extend(load.loaded().map(Message::Load));
            match reader.passed() {
                Ok(passed) => heard.extend(passed.map(Message::Passed)),
                Err(fault) => heard.push(Message::Fault(fault)),
            }
        }
        heard
    }

    fn head() -> (FakeUart, RefCell<ScannerHead<FakeUart>>) {
        let uart = FakeUart::default();
        (uart.clone(), RefCell::new(ScannerHead::new(uart)))
    }

    const fn card(code: u8) -> Message {
        Message::Passed(Passed::Card(Card::from_code(code)))
    }

    #[test]
    fn every_card_has_its_symbol_and_its_own_code() {
        let ranks = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];
        let symbols = "SHDC".chars().flat_map(|suit| ranks.map(|rank| std::format!("{rank}{suit}")));
        for (code, text) in (0..).zip(symbols) {
            assert_eq!(symbol(&text), Some(Card::from_code(code)), "{text}");
        }
        assert_eq!(symbol("TH"), symbol("10H"));
    }

    #[test]
    fn lines_are_told_in_their_order_whichever_way_they_end() {
        let (uart, head) = head();
        let told = heard(&uart, &head, b"LOAD 416 52\r\nAS\rCUT\n\r\n\nJAM\r\nKC\nBLIND\r\nNR\r\n");
        let expected = [
            Message::Load(Load { cards: 416, cut_card: 52 }),
            card(0),
            Message::Passed(Passed::CutCard),
            Message::Fault(ReaderFault::Stuck),
            card(51),
            Message::Fault(ReaderFault::Unreadable),
            card(255),
        ];
        assert_eq!(told, expected);
    }

    #[test]
    fn what_makes_no_sense_is_a_card_that_could_not_be_read() {
        let senseless: [&[u8]; 11] = [
            b"7",
            b"H",
            b"17H",
            b"7X",
            b"7h",
            b"LOAD",
            b"LOAD 416",
            b"LOAD 52 416",
            b"LOAD 99999 1",
            b"7H 8H",
            b"\xFF\x00H",
        ];
        for line in senseless {
            let (uart, head) = head();
            assert_eq!(heard(&uart, &head, line), [], "not before its end");
            assert_eq!(heard(&uart, &head, b"\r"), [card(255)], "{line:?}");
            assert_eq!(heard(&uart, &head, b"7H\r"), [card(19)], "and the next is read again");
        }
        let (uart, head) = head();
        assert_eq!(heard(&uart, &head, &[b'7'; 1000]), []);
        assert_eq!(heard(&uart, &head, b"\r8S\r"), [card(255), card(7)]);
    }

    #[test]
    fn a_line_that_the_uart_has_spoilt_is_told_as_a_fault_and_as_a_card_unread() {
        let (uart, head) = head();
        assert_eq!(heard(&uart, &head, b"7"), []);
        uart.0.borrow_mut().fails = true;
        let told = heard(&uart, &head, b"H\r9D\r");
        assert_eq!(told, [Message::Fault(ReaderFault::Unreadable), card(255), card(34)]);
    }
}
