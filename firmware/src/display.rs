//! The pit display: lines of text, a lamp of three colours, a buzzer.

use embedded_hal::digital::OutputPin;
use sabot_wire::device::Device;
use sabot_wire::message::{Lamp, Show};
use sabot_wire::ring::Memory;

use crate::link::{Link, Uart};

/// Milliseconds without anything to be shown after which the display says that nobody speaks to it: old text is worse
/// than none.
pub const QUIET_MS: u32 = 3000;
/// What it says then, in the first row.
pub const NO_LINK: &str = "-- sin conexión / no link --";

/// Something that shows lines of text. Takes each line at once; slow hardware keeps them and writes as it can.
pub trait Panel {
    /// Replaces a row's text. A row the panel does not have is ignored, text too long for it is cut.
    fn line(&mut self, row: u8, text: &str);
    /// Empties every row.
    fn clear(&mut self);
    /// Called every round: slow hardware writes some of what it has kept. Never takes longer than a UART's queue lasts.
    fn work(&mut self, _now_ms: u32) {}
}

/// What a display is made of; each output is active high.
#[derive(Debug)]
pub struct Parts<P, O> {
    /// The text.
    pub panel: P,
    /// Red light.
    pub red: O,
    /// Amber light.
    pub amber: O,
    /// Green light.
    pub green: O,
    /// Buzzer.
    pub buzzer: O,
}

/// A pit display.
#[derive(Debug)]
pub struct Display<P, O, U, M> {
    parts: Parts<P, O>,
    /// Since when the buzzer sounds, and how long it shall.
    buzzing: Option<(u32, u32)>,
    /// When something to be shown last came; none: the display says that nobody speaks to it. A host repeats what is to
    /// be shown every second, so other bytes on the line, noise among them, do not count.
    shown_at_ms: Option<u32>,
    /// The link to the host.
    pub link: Link<U, M>,
}

impl<P: Panel, O: OutputPin, U: Uart, M: Memory> Display<P, O, U, M> {
    /// A display that has just started: dark, silent, and saying that nobody speaks to it.
    pub fn new(parts: Parts<P, O>, uart: U, device: Device<M>) -> Self {
        let mut display = Self { parts, buzzing: None, shown_at_ms: None, link: Link::new(uart, device) };
        display.leave_alone();
        display
    }

    /// One round: line in, outputs, line out. Never blocks.
    pub fn poll(&mut self, now_ms: u32) {
        let Self { parts, buzzing, shown_at_ms, link } = self;
        link.receive(now_ms, |show| {
            if shown_at_ms.replace(now_ms).is_none() {
                parts.panel.clear();
            }
            match show {
                Show::Line { row, text } => parts.panel.line(row, &text),
                Show::Lamp(lamp) => parts.light(lamp),
                Show::Buzz(ms) => *buzzing = Some((now_ms, u32::from(ms))),
            }
        });
        if shown_at_ms.is_some_and(|at| now_ms.wrapping_sub(at) >= QUIET_MS) {
            self.leave_alone();
        }
        if let Some((since, ms)) = self.buzzing {
            let sounds = now_ms.wrapping_sub(since) < ms;
            switch(&mut self.parts.buzzer, sounds);
            self.buzzing = self.buzzing.filter(|_| sounds);
        }
        self.parts.panel.work(now_ms);
        self.link.transmit(now_ms);
    }

    fn leave_alone(&mut self) {
        self.shown_at_ms = None;
        self.parts.panel.clear();
        self.parts.panel.line(0, NO_LINK);
        self.parts.light(Lamp::Off);
        self.buzzing = None;
        switch(&mut self.parts.buzzer, false);
    }
}

impl<P, O: OutputPin> Parts<P, O> {
    fn light(&mut self, lamp: Lamp) {
        switch(&mut self.red, lamp == Lamp::Red);
        switch(&mut self.amber, lamp == Lamp::Amber);
        switch(&mut self.green, lamp == Lamp::Green);
    }
}

/// An output that cannot be switched has nobody to be reported to but the eye that sees it dark.
fn switch<O: OutputPin>(output: &mut O, on: bool) {
    let _ = output.set_state(on.into());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{FakePin, Rig, device};
    use sabot_wire::message::Role;

    extern crate std;
    use std::cell::RefCell;
    use std::rc::Rc;
    use std::string::String;

    #[derive(Clone, Default)]
    struct TextPanel(Rc<RefCell<[String; 2]>>);

    impl Panel for TextPanel {
        fn line(&mut self, row: u8, text: &str) {
            if let Some(line) = self.0.borrow_mut().get_mut(usize::from(row)) {
                *line = text.into();
            }
        }

        fn clear(&mut self) {
            *self.0.borrow_mut() = Default::default();
        }
    }

    #[test]
    fn text_lamp_and_buzzer_follow_the_host_and_silence_is_shown() {
        let mut rig = Rig::new(Role::Display);
        let (panel, red, amber, green, buzzer) = <(TextPanel, FakePin, FakePin, FakePin, FakePin)>::default();
        let parts = Parts {
            panel: panel.clone(),
            red: red.clone(),
            amber: amber.clone(),
            green: green.clone(),
            buzzer: buzzer.clone(),
        };
        let mut display = Display::new(parts, rig.uart.clone(), device(Role::Display));
        assert_eq!(panel.0.borrow()[0], NO_LINK);
        rig.show(Show::Line { row: 1, text: "due: card 2".try_into().expect("short") });
        rig.show(Show::Line { row: 7, text: "no such row".try_into().expect("short") });
        rig.show(Show::Lamp(Lamp::Red));
        rig.show(Show::Buzz(50));
        rig.run(0..20, |now| display.poll(now));
        assert_eq!(*panel.0.borrow(), ["", "due: card 2"]);
        assert_eq!([&red, &amber, &green, &buzzer].map(|pin| pin.0.get()), [true, false, false, true]);
        rig.show(Show::Lamp(Lamp::Green));
        rig.run(20..100, |now| display.poll(now));
        assert_eq!([&red, &amber, &green, &buzzer].map(|pin| pin.0.get()), [false, false, true, false]);
        display.poll(100 + QUIET_MS);
        assert_eq!(*panel.0.borrow(), [NO_LINK, ""]);
        assert!(!green.0.get());
        rig.run(5000..5020, |now| display.poll(now));
        assert_eq!(*panel.0.borrow(), ["", "due: card 2"], "the host repeats what is to be shown");
    }
}
