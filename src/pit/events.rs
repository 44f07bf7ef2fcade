//! Server-sent events, read from bytes as they come, in bounded memory.

/// Bytes of an event, with all that stands before it: a station's largest is far smaller.
pub(crate) const MOST: usize = 32 * 1024;

/// An event.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Event {
    pub(crate) name: String,
    pub(crate) data: String,
}

/// What comes is no stream of events.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum NoEvents {
    /// An event has no end.
    Endless,
    /// It is no text.
    NoText,
}

/// The event that is coming.
#[derive(Debug, Default)]
pub(crate) struct Events {
    bytes: usize,
    line: Vec<u8>,
    name: String,
    data: Option<String>,
}

impl Events {
    /// The next byte; the event, where it ends one.
    ///
    /// # Errors
    /// When there is no event in what comes.
    pub(crate) fn take(&mut self, byte: u8) -> Result<Option<Event>, NoEvents> {
        self.bytes += 1;
        if self.bytes > MOST {
            return Err(NoEvents::Endless);
        }
        if byte != b'\n' {
            self.line.push(byte);
            return Ok(None);
        }
        let line = String::from_utf8(std::mem::take(&mut self.line)).map_err(|_| NoEvents::NoText)?;
        let line = line.strip_suffix('\r').unwrap_or(&line);
        if line.is_empty() {
            let Self { name, data, .. } = std::mem::take(self);
            return Ok(data.map(|data| Event { name, data }));
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match (field, &mut self.data) {
            ("event", _) => value.clone_into(&mut self.name),
            ("data", Some(data)) => {
                data.push('\n');
                data.push_str(value);
            }
            ("data", none) => *none = Some(value.to_owned()),
            // a comment, or what a later version tells
            _ => {}
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::{Event, Events, MOST, NoEvents};

    fn told(text: &[u8]) -> Result<Vec<(String, String)>, NoEvents> {
        let mut events = Events::default();
        let mut told = Vec::new();
        for byte in text {
            told.extend(events.take(*byte)?.map(|Event { name, data }| (name, data)));
        }
        Ok(told)
    }

    #[test]
    fn events_are_read_as_the_standard_has_them() {
        let text =
            b": a comment\n\nevent: verdict\ndata: {\"a\":\r\ndata:1}\nid: 4\n\nevent: none\n\ndata\n\ndata: cut off";
        let wanted = [("verdict", "{\"a\":\n1}"), ("", "")].map(|(name, data)| (name.to_owned(), data.to_owned()));
        assert_eq!(told(text).unwrap(), wanted);
    }

    #[test]
    fn what_never_ends_is_given_up_whether_it_is_a_line_or_many_and_what_is_no_text_too() {
        let at_most = |text: &[u8]| told(&text.iter().copied().cycle().take(MOST + 1).collect::<Vec<_>>());
        for endless in [&b"x"[..], b"data: x", b"data: x\n", b": x\n"] {
            assert_eq!(at_most(endless), Err(NoEvents::Endless), "{endless:?}");
        }
        assert_eq!(told(b"data: \xff\n\n"), Err(NoEvents::NoText));
        let long = [&b"data: "[..], &vec![b'x'; MOST - 8], b"\n\n"].concat();
        assert_eq!(told(&long.repeat(3)).unwrap().len(), 3, "each for itself");
    }
}
