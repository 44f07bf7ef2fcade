//! The USARTs.

use sabot_board::uart::{Received, Registers};
use stm32f4xx_hal::Listen as _;
use stm32f4xx_hal::nb;
use stm32f4xx_hal::prelude::*;
use stm32f4xx_hal::serial::{Event, Instance, Serial};

/// A USART, listening.
pub struct Usart<U: Instance>(Serial<U>);

impl<U: Instance> core::fmt::Debug for Usart<U> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Usart(..)")
    }
}

impl<U: Instance> Usart<U> {
    /// Has the line tell what it receives.
    #[must_use]
    pub fn new(mut line: Serial<U>) -> Self {
        line.listen(Event::RxNotEmpty);
        Self(line)
    }
}

impl<U: Instance> Registers for Usart<U> {
    fn receive(&mut self) -> Option<Received> {
        match self.0.read() {
            Ok(byte) => Some(Received { byte: Some(byte), failed: false }),
            Err(nb::Error::WouldBlock) => None,
            Err(nb::Error::Other(_)) => Some(Received { byte: None, failed: true }),
        }
    }

    fn has_room(&mut self) -> bool {
        self.0.is_tx_empty()
    }

    fn send(&mut self, byte: u8) {
        // it has room, so it takes the byte
        let _taken = self.0.write(byte);
    }

    /// There is no queue in the part: its register is empty, and would say so for good, whenever nothing is to be sent.
    fn ask_for_room(&mut self, ask: bool) {
        if ask {
            self.0.listen(Event::TxEmpty);
        } else {
            self.0.unlisten(Event::TxEmpty);
        }
    }

    fn is_idle(&mut self) -> bool {
        self.0.flush().is_ok()
    }
}
