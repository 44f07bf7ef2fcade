//! A table of rows for other programs.

use std::fmt::Display;
use std::io::{self, Write};
use std::sync::Arc;

use csv_core::WriteResult;
use parquet::data_type::{ByteArray, ByteArrayType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use sabot_journal::clock::utc;

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Text,
    Number,
    /// Milliseconds since 1970, UTC.
    Time,
}

/// Its name, and what it holds.
pub(crate) type Column = (&'static str, Kind);

/// A field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Value {
    None,
    Text(String),
    Number(i64),
    Time(u64),
}

impl Value {
    pub(crate) fn text(text: impl Display) -> Self {
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
pub(crate) struct Sheet {
    columns: &'static [Column],
    rows: Vec<Vec<Value>>,
}

impl Sheet {
    pub(crate) fn new(columns: &'static [Column]) -> Self {
        Self { columns, rows: Vec::new() }
    }

    pub(crate) fn push(&mut self, row: impl IntoIterator<Item = Value>) {
        let row: Vec<Value> = row.into_iter().collect();
        debug_assert_eq!(row.len(), self.columns.len(), "a row has a field for each column");
        self.rows.push(row);
    }

    /// As CSV (RFC 4180), with a first line of names.
    pub(crate) fn csv(&self, out: &mut impl Write) -> io::Result<()> {
        let mut text = Csv { writer: csv_core::WriterBuilder::new().build(), out };
        text.line(self.columns.iter().map(|(name, _)| (*name).to_owned()))?;
        self.rows.iter().try_for_each(|row| text.line(row.iter().map(written)))
    }
}

impl Sheet {
    /// As Parquet: every column may be null, times are timestamps in milliseconds, UTC.
    pub(crate) fn parquet(&self, out: impl Write + Send) -> Result<(), ParquetError> {
        let columns = self.columns.iter().map(|(name, kind)| match kind {
            Kind::Text => format!("OPTIONAL BYTE_ARRAY {name} (STRING);"),
            Kind::Number => format!("OPTIONAL INT64 {name};"),
            Kind::Time => format!("OPTIONAL INT64 {name} (TIMESTAMP(MILLIS,true));"),
        });
        let schema = format!("message sabot {{ {} }}", columns.collect::<String>());
        let schema = Arc::new(parse_message_type(&schema)?);
        let mut file = SerializedFileWriter::new(out, schema, Arc::default())?;
        let mut group = file.next_row_group()?;
        for (at, (_, kind)) in self.columns.iter().enumerate() {
            let Some(mut column) = group.next_column()? else { break };
            let values: Vec<&Value> = self.rows.iter().filter_map(|row| row.get(at)).collect();
            let known: Vec<i16> = values.iter().map(|value| i16::from(**value != Value::None)).collect();
            if *kind == Kind::Text {
                let texts = values.iter().filter_map(|value| match value {
                    Value::Text(text) => Some(ByteArray::from(text.as_str())),
                    _ => None,
                });
                column.typed::<ByteArrayType>().write_batch(&texts.collect::<Vec<_>>(), Some(&known), None)?;
            } else {
                let numbers = values.iter().filter_map(|value| match value {
                    Value::Number(number) => Some(*number),
                    Value::Time(at) => i64::try_from(*at).ok(),
                    _ => None,
                });
                column.typed::<Int64Type>().write_batch(&numbers.collect::<Vec<_>>(), Some(&known), None)?;
            }
            column.close()?;
        }
        group.close()?;
        file.close().map(drop)
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

#[cfg(test)]
mod tests {
    use super::*;
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::Field;

    #[test]
    fn every_field_is_read_back_from_parquet_as_it_was_and_csv_quotes_what_it_must() {
        let columns: &[Column] = &[("text", Kind::Text), ("number", Kind::Number), ("at", Kind::Time)];
        let mut sheet = Sheet::new(columns);
        sheet.push([Value::text("a \"b\", ñ\nc"), Value::Number(-5), Value::Time(1_764_042_330_123)]);
        sheet.push([Value::None, Value::None, Value::None]);
        let file = tempfile::NamedTempFile::new().unwrap();
        sheet.parquet(file.reopen().unwrap()).unwrap();
        let read = SerializedFileReader::new(file.reopen().unwrap()).unwrap();
        let rows: Vec<Vec<Field>> = read
            .get_row_iter(None)
            .unwrap()
            .map(|row| row.unwrap().get_column_iter().map(|(_, field)| field.clone()).collect())
            .collect();
        let first =
            [Field::Str("a \"b\", ñ\nc".to_owned()), Field::Long(-5), Field::TimestampMillis(1_764_042_330_123)];
        assert_eq!(rows, [first.to_vec(), vec![Field::Null; 3]]);
        let mut csv = Vec::new();
        sheet.csv(&mut csv).unwrap();
        let expected = "text,number,at\n\"a \"\"b\"\", ñ\nc\",-5,2025-11-25T03:45:30.123Z\n,,\n";
        assert_eq!(String::from_utf8(csv).unwrap(), expected);
    }
}
