//! The registry's chips as a table of comma-separated values, as casinos' own systems export them.

use std::collections::HashMap;

use super::{ChipState, Entry, parse_uid};
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

/// A field, where it begins, and whether it was quoted to the end.
struct Field {
    text: String,
    column: usize,
    sound: bool,
}

const COLUMNS: &str = "the first line names the columns: uid, value and, where wanted, state and table";

/// Reads chips. The first line names the columns, in any order; they are parted by commas, semicolons or tabs, and may
/// stand in quotation marks.
///
/// | column | holds |
/// |---|---|
/// | `uid` | 16 hexadecimal digits |
/// | `value` | a whole number of the currency's smallest unit |
/// | `state` | `valid` or `cancelled`; empty is valid |
/// | `table` | the table it belongs to; empty is any |
///
/// # Errors
/// With the first mistake.
pub fn read(text: &str) -> Result<Vec<(u64, Entry)>, CsvMistake> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let mistake = |line, column, what: String| CsvMistake { line, column, what };
    let (nth, head) = lines.next().ok_or_else(|| mistake(1, 1, format!("there is nothing here; {COLUMNS}")))?;
    let separator = [';', '\t'].into_iter().find(|&mark| head.contains(mark)).unwrap_or(',');
    let mut columns: HashMap<&'static str, usize> = HashMap::new();
    for (at, field) in fields(head, separator).into_iter().enumerate() {
        let name = field.text.trim().to_ascii_lowercase();
        let Some(name) = ["uid", "value", "state", "table"].into_iter().find(|known| *known == name) else {
            return Err(mistake(nth + 1, field.column, format!("`{}` is no column; {COLUMNS}", field.text)));
        };
        if columns.insert(name, at).is_some() {
            return Err(mistake(nth + 1, field.column, format!("a second column `{name}`")));
        }
    }
    if !columns.contains_key("uid") || !columns.contains_key("value") {
        return Err(mistake(nth + 1, 1, format!("`uid` or `value` is missing; {COLUMNS}")));
    }
    let mut chips = Vec::new();
    let mut seen: HashMap<u64, usize> = HashMap::new();
    for (nth, line) in lines {
        let (uid, entry, column) =
            chip(line, separator, &columns).map_err(|(column, what)| mistake(nth + 1, column, what))?;
        if let Some(first) = seen.insert(uid, nth + 1) {
            return Err(mistake(nth + 1, column, format!("`uid`: the chip stands in line {first} already")));
        }
        chips.push((uid, entry));
    }
    Ok(chips)
}

fn chip(line: &str, separator: char, columns: &HashMap<&str, usize>) -> Result<(u64, Entry, usize), (usize, String)> {
    let fields = fields(line, separator);
    if let Some(open) = fields.iter().find(|field| !field.sound) {
        return Err((open.column, "a quotation mark is not closed, or something follows it".to_owned()));
    }
    if fields.len() != columns.len() {
        let end = line.chars().count() + 1;
        let column = fields.get(columns.len()).map_or(end, |extra| extra.column);
        return Err((column, format!("{} fields where the first line names {}", fields.len(), columns.len())));
    }
    let field = |name: &str| {
        let field = columns.get(name).and_then(|&at| fields.get(at));
        field.map_or(("", 1), |field| (field.text.trim(), field.column))
    };
    let (text, uid_column) = field("uid");
    let uid = parse_uid(text).ok_or_else(|| (uid_column, "`uid`: 16 hexadecimal digits belong here".to_owned()))?;
    let (text, column) = field("value");
    let value = text.parse().ok().filter(|&value: &u32| value > 0).ok_or_else(|| {
        let what = format!("`value`: `{text}` is no whole number of the smallest unit, from 1 to {}", u32::MAX);
        (column, what)
    })?;
    let (text, column) = field("state");
    let state = match text.to_ascii_lowercase().as_str() {
        "" | "valid" => ChipState::Valid,
        "cancelled" => ChipState::Cancelled,
        _ => return Err((column, format!("`state`: `{text}` is neither valid nor cancelled"))),
    };
    let (text, _) = field("table");
    let table = (!text.is_empty()).then(|| Name::new(text));
    Ok((uid, Entry { value, state, table }, uid_column))
}

fn fields(line: &str, separator: char) -> Vec<Field> {
    let mut fields = Vec::new();
    let mut field = Field { text: String::new(), column: 1, sound: true };
    let (mut quoted, mut closed) = (false, false);
    let mut letters = line.chars().enumerate().peekable();
    while let Some((at, letter)) = letters.next() {
        match letter {
            '"' if quoted && letters.next_if(|(_, next)| *next == '"').is_some() => field.text.push('"'),
            '"' if quoted => (quoted, closed) = (false, true),
            '"' if field.text.is_empty() && !closed => quoted = true,
            mark if mark == separator && !quoted => {
                fields.push(std::mem::replace(&mut field, Field { text: String::new(), column: at + 2, sound: true }));
                closed = false;
            }
            letter => {
                field.sound &= !closed || letter.is_whitespace();
                field.text.push(letter);
            }
        }
    }
    field.sound &= !quoted;
    fields.push(field);
    fields
}
