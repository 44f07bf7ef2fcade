//! What a registry takes over: a table of comma-separated values, as casinos' own systems export them.

use std::collections::HashMap;

use csv_core::ReadFieldResult;

use super::{Entry, Kind, State, parse_uid};
use sabot_law::table::Name;

/// A mistake in the table.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {what}")]
pub struct CsvMistake {
    /// Line, from 1.
    pub line: usize,
    /// Column, in characters from 1.
    pub column: usize,
    /// What is wrong, and what belongs there.
    pub what: String,
}

/// A field, and where it stands.
struct Field<'a> {
    text: String,
    /// As it stands there, in its quotation marks.
    raw: &'a str,
    line: usize,
    column: usize,
}

impl Field<'_> {
    fn mistake(&self, what: String) -> CsvMistake {
        CsvMistake { line: self.line, column: self.column, what }
    }

    /// Whether a field that begins with a quotation mark ends with one, and has none alone within.
    fn is_closed(&self) -> bool {
        let Some(rest) = self.raw.trim_end().strip_prefix('"') else { return true };
        rest.strip_suffix('"').is_some_and(|inner| !inner.replace("\"\"", "").contains('"'))
    }
}

/// What the first line names.
fn columns_of<K: Kind>() -> String {
    let own = K::COLUMNS.join(", ");
    format!("the first line names the columns: uid, {own} and, where wanted, state and table")
}

/// Reads a table. The first line names the columns, in any order; they are parted by commas, semicolons or tabs, and
/// may stand in quotation marks.
///
/// | column | holds |
/// |---|---|
/// | `uid` | 16 hexadecimal digits |
/// | its own | what the registry says of such a tag |
/// | `state` | `valid` or `cancelled`; empty is valid |
/// | `table` | the table it belongs to; empty is any |
///
/// # Errors
/// With the first mistake.
pub fn read<K: Kind>(text: &str) -> Result<Vec<(u64, Entry<K>)>, CsvMistake> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut records = records(text).into_iter();
    let nothing = || CsvMistake { line: 1, column: 1, what: format!("there is nothing here; {}", columns_of::<K>()) };
    let head = records.next().ok_or_else(nothing)?;
    let mut columns: HashMap<&'static str, usize> = HashMap::new();
    let known = || ["uid", "state", "table"].iter().chain(K::COLUMNS).copied();
    for (at, field) in head.iter().enumerate() {
        let name = field.text.trim().to_ascii_lowercase();
        let Some(name) = known().find(|known| *known == name) else {
            return Err(field.mistake(format!("`{}` is no column; {}", field.text, columns_of::<K>())));
        };
        if columns.insert(name, at).is_some() {
            return Err(field.mistake(format!("a second column `{name}`")));
        }
    }
    if let Some(missing) = ["uid"].iter().chain(K::COLUMNS).find(|name| !columns.contains_key(**name)) {
        return Err(head[0].mistake(format!("`{missing}` is missing; {}", columns_of::<K>())));
    }
    let mut entries = Vec::new();
    let mut seen: HashMap<u64, usize> = HashMap::new();
    for record in records {
        let (uid, entry) = entry(&record, &columns)?;
        let field = &record[columns["uid"]];
        if let Some(first) = seen.insert(uid, field.line) {
            return Err(field.mistake(format!("`uid`: the {} stands in line {first} already", K::ONE)));
        }
        entries.push((uid, entry));
    }
    Ok(entries)
}

fn entry<K: Kind>(record: &[Field<'_>], columns: &HashMap<&str, usize>) -> Result<(u64, Entry<K>), CsvMistake> {
    if let Some(open) = record.iter().find(|field| !field.is_closed()) {
        return Err(open.mistake("a quotation mark is not closed, or something follows it".to_owned()));
    }
    if record.len() != columns.len() {
        let what = format!("{} fields where the first line names {}", record.len(), columns.len());
        let last = &record[record.len() - 1];
        let end = CsvMistake { line: last.line, column: last.column + last.raw.chars().count(), what: what.clone() };
        return Err(record.get(columns.len()).map_or(end, |extra| extra.mistake(what)));
    }
    let field = |name: &str| columns.get(name).map(|&at| (record[at].text.trim(), &record[at]));
    let (text, at) = field("uid").unwrap_or(("", &record[0]));
    let uid = parse_uid(text).ok_or_else(|| at.mistake("`uid`: 16 hexadecimal digits belong here".to_owned()))?;
    let own: Vec<_> = K::COLUMNS.iter().filter_map(|name| field(name)).collect();
    let texts: Vec<&str> = own.iter().map(|(text, _)| *text).collect();
    let what =
        K::read(&texts).map_err(|(at, what)| own.get(at).map_or(&record[0], |(_, field)| field).mistake(what))?;
    let (text, at) = field("state").unwrap_or(("", &record[0]));
    let state = match text.to_ascii_lowercase().as_str() {
        "" | "valid" => State::Valid,
        "cancelled" => State::Cancelled,
        _ => return Err(at.mistake(format!("`state`: `{text}` is neither valid nor cancelled"))),
    };
    let table = field("table").map(|(text, _)| text).filter(|text| !text.is_empty()).map(Name::new);
    Ok((uid, Entry { what, state, table }))
}

/// The records of a text that have anything in them; none is empty.
///
/// Fields are read one by one: the bytes that each takes tell the column that a message names.
fn records(text: &str) -> Vec<Vec<Field<'_>>> {
    let head = text.lines().find(|line| !line.trim().is_empty()).unwrap_or("");
    let separator = [b';', b'\t'].into_iter().find(|&mark| head.contains(char::from(mark))).unwrap_or(b',');
    let mut reader = csv_core::ReaderBuilder::new().delimiter(separator).build();
    let mut unquoted = vec![0; text.len() + 1];
    let (mut records, mut record) = (Vec::new(), Vec::new());
    let (mut begin, mut end, mut length) = (0, 0, 0);
    let (mut line, mut line_start) = (1, 0);
    loop {
        let (result, read, written) = reader.read_field(&text.as_bytes()[end..], &mut unquoted[length..]);
        end += read;
        length += written;
        let is_last = match result {
            ReadFieldResult::InputEmpty => continue,
            // what is unquoted is never longer than the text
            ReadFieldResult::OutputFull | ReadFieldResult::End => return records,
            ReadFieldResult::Field { record_end } => record_end,
        };
        let whole = &text[begin..end];
        let raw = if record.is_empty() { whole.trim_start_matches(['\r', '\n']) } else { whole };
        let start = end - raw.len();
        let passed = &text[line_start..start];
        line += passed.matches('\n').count();
        line_start += passed.rfind('\n').map_or(0, |at| at + 1);
        let raw = raw.strip_suffix(char::from(separator)).unwrap_or(raw).trim_end_matches(['\r', '\n']);
        let column = text[line_start..start].chars().count() + 1;
        record.push(Field { text: String::from_utf8_lossy(&unquoted[..length]).into_owned(), raw, line, column });
        (begin, length) = (end, 0);
        if is_last {
            let record = std::mem::take(&mut record);
            if record.len() > 1 || !record[0].text.trim().is_empty() {
                records.push(record);
            }
        }
    }
}
