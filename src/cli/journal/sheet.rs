//! A table of rows for other programs.

use std::fmt::Display;
use std::io::{self, Write};

use csv_core::WriteResult;
use sabot_journal::clock::utc;

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Text,
    Number,
    /// Milliseconds since 1970, UTC.
    Time,
}

/// Its name, and what it holds.
pub(super) type Column = (&'static str, Kind);

/// A field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Value {
    None,
    Text(String),
    Number(i64),
    Time(u64),
}

impl Value {
    pub(super) fn text(text: impl Display) -> Self {
        Self::Text(text.to_string())
    }
}

impl From<i64> for Value {
    fn from(number: i64) -> Self {
        Self::Number(number)
    }
}

impl From<u64> for Value {
    fn from(number: u64) -> Self {
        i64::try_from(number).map_or(Self::None, Self::Number)
    }
}

impl<T: Into<Self>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::None, Into::into)
    }
}

/// Columns and rows.
pub(super) struct Sheet {
    columns: &'static [Column],
    rows: Vec<Vec<Value>>,
}

impl Sheet {
    pub(super) fn new(columns: &'static [Column]) -> Self {
        Self { columns, rows: Vec::new() }
    }

    pub(super) fn push(&mut self, row: impl IntoIterator<Item = Value>) {
        let row: Vec<Value> = row.into_iter().collect();
        debug_assert_eq!(row.len(), self.columns.len(), "a row has a field for each column");
        self.rows.push(row);
    }

    /// As CSV (RFC 4180), with a first line of names.
    pub(super) fn csv(&self, out: &mut impl Write) -> io::Result<()> {
        let mut text = Csv { writer: csv_core::WriterBuilder::new().build(), out };
        text.line(self.columns.iter().map(|(name, _)| (*name).to_owned()))?;
        self.rows.iter().try_for_each(|row| text.line(row.iter().map(written)))
    }
}

fn written(value: &Value) -> String {
    match value {
        Value::None => String::new(),
        Value::Text(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        Value::Time(at) => utc(*at),
    }
}

struct Csv<'a, W> {
    writer: csv_core::Writer,
    out: &'a mut W,
}

impl<W: Write> Csv<'_, W> {
    fn line(&mut self, fields: impl Iterator<Item = String>) -> io::Result<()> {
        for (at, field) in fields.enumerate() {
            if at > 0 {
                self.put(csv_core::Writer::delimiter)?;
            }
            let mut rest = field.as_bytes();
            self.put(|writer, out| {
                let (done, read, written) = writer.field(rest, out);
                rest = rest.get(read..).unwrap_or_default();
                (done, written)
            })?;
        }
        self.put(csv_core::Writer::terminator)
    }

    /// Writes until the writer has no more.
    fn put(
        &mut self,
        mut write: impl FnMut(&mut csv_core::Writer, &mut [u8]) -> (WriteResult, usize),
    ) -> io::Result<()> {
        let mut chunk = [0; 512];
        loop {
            let (done, written) = write(&mut self.writer, &mut chunk);
            self.out.write_all(chunk.get(..written).unwrap_or_default())?;
            if done == WriteResult::InputEmpty {
                return Ok(());
            }
        }
    }
}
