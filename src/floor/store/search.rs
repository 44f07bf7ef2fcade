//! What is asked of all records at once. One text of each question for both databases: SQLite has neither schemas nor
//! `$`.

use sabot_law::table::LineNo;

use super::told::{ACT, FINDING, PASS};
use crate::subjects::TableId;

/// Findings that are asked for, and what somebody did where a person is named; all of it must hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wanted {
    /// From when, milliseconds since 1970.
    pub from: u64,
    /// Before when.
    pub to: u64,
    /// Under this article.
    pub article: Option<String>,
    /// Of this person, as the record calls him.
    pub person: Option<String>,
    /// Where what was done differs from what was owed by so much or more, in hundredths.
    pub money: Option<u64>,
    /// At tables whose name, or house/pit/name, begins so.
    pub table: Option<String>,
}

impl Default for Wanted {
    fn default() -> Self {
        Self { from: 0, to: u64::MAX, article: None, person: None, money: None, table: None }
    }
}

/// A finding, or what somebody did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// At which table.
    pub table: TableId,
    /// In which record.
    pub epoch: u64,
    /// The line that tells it.
    pub line: LineNo,
    /// When, milliseconds since 1970.
    pub at: u64,
    /// Number of the finding; none of an act.
    pub n: Option<u64>,
    /// Its article.
    pub article: Option<String>,
    /// Where, as the log's answers write it.
    pub place: Option<String>,
    /// How grave it is.
    pub severity: Option<String>,
    /// The player that it names, or who acted.
    pub person: Option<String>,
    /// What the bank was to give, and gave, net, in hundredths.
    pub money: Option<(i64, i64)>,
    /// Its words; of an act the line as it stands in the record.
    pub text: String,
    /// `cleared`, `breach` or `withdrawn`, where the record tells it.
    pub became: Option<String>,
}

/// By what is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum By {
    /// Quarters of an hour, as their number since 1970.
    Quarter,
    /// House/pit.
    Pit,
    /// House/pit/table.
    Table,
    /// Articles.
    Article,
    /// Severities.
    Severity,
    /// What became of findings.
    Became,
}

/// Milliseconds of a quarter of an hour: time zones begin their hours no finer.
pub const QUARTER_MS: u64 = 900_000;

/// How much there was of one kind.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Counted {
    /// Of which; empty of what has none.
    pub what: String,
    /// Passes that ended.
    pub passes: u64,
    /// Findings.
    pub findings: u64,
    /// Hundredths by which what was done differs from what was owed, each difference counted up.
    pub money: u64,
}

/// `$1` from, `$2` to, `$3` article, `$4` person, `$5` money, `$6` table.
const IS_WANTED: &str = "f.at >= cast($1 as bigint) and f.at < cast($2 as bigint)
    and (cast($3 as text) is null or f.article in (cast($3 as text), upper(cast($3 as text))))
    and (cast($4 as text) is null or ((f.kind = 'finding' or f.person = cast($4 as text))
        and (f.table_id, f.epoch, f.line) in (select a.table_id, a.epoch, a.line from sabot.told a
            where a.person = cast($4 as text))))
    and (cast($5 as bigint) is null or abs(f.done - f.owed) >= cast($5 as bigint))
    and (cast($6 as text) is null or substr(t.name, 1, length(cast($6 as text))) = cast($6 as text)
        or substr(t.house || '/' || t.pit || '/' || t.name, 1, length(cast($6 as text))) = cast($6 as text))";

const BECAME: &str = "(select b.kind from sabot.told b where (b.table_id, b.epoch, b.n) = (f.table_id, f.epoch, f.n)
    and b.kind in ('cleared', 'breach', 'withdrawn') order by b.line desc limit 1)";

const LINE: &str =
    "(select l.text from sabot.lines l where (l.table_id, l.epoch, l.line) = (f.table_id, f.epoch, f.line))";

/// The newest first, `$7` of them. Acts are where a person is asked for.
pub(super) fn found(wanted: &Wanted) -> String {
    let acts = if wanted.person.is_some() { format!(", '{ACT}'") } else { String::new() };
    format!(
        "select t.house, t.pit, t.name, f.epoch, f.line, f.at, f.n, f.article, f.box, f.severity, f.person, f.owed, f.done,
            case when f.kind = '{ACT}' then coalesce({LINE}, '') else coalesce(f.text, '') end,
            case when f.kind = '{FINDING}' then {BECAME} end
        from sabot.told f join sabot.tables t on t.id = f.table_id where {IS_WANTED}
            and f.kind in ('{FINDING}'{acts})
        order by f.at desc, f.table_id, f.line desc, f.part limit cast($7 as bigint)"
    )
}

/// Passes and findings of a time.
pub(super) fn counted(by: By) -> String {
    let of = match by {
        By::Quarter => "cast(f.at / 900000 as text)",
        By::Pit => "t.house || '/' || t.pit",
        By::Table => "t.house || '/' || t.pit || '/' || t.name",
        By::Article => "f.article",
        By::Severity => "f.severity",
        By::Became => BECAME,
    };
    format!(
        "select what, cast(sum(pass) as bigint), cast(sum(finding) as bigint), cast(sum(money) as bigint)
        from (select coalesce({of}, '') as what, case when f.kind = '{PASS}' then 1 else 0 end as pass,
            case when f.kind = '{FINDING}' then 1 else 0 end as finding, coalesce(abs(f.done - f.owed), 0) as money
            from sabot.told f join sabot.tables t on t.id = f.table_id
            where {IS_WANTED} and f.kind in ('{FINDING}', '{PASS}')) counted
        group by what order by what"
    )
}

/// The lines of the pass in which line `$5` is: the last end of a pass before it, and the first from it on. `$1` to
/// `$4` are table and epoch.
pub(super) const PASS_AROUND: &str = "select
    (select max(f.line) from sabot.told f where f.table_id = t.id and f.epoch = cast($4 as bigint) and f.kind = 'pass'
        and f.line < cast($5 as bigint)),
    (select min(f.line) from sabot.told f where f.table_id = t.id and f.epoch = cast($4 as bigint) and f.kind = 'pass'
        and f.line >= cast($5 as bigint)),
    (select lines from sabot.records r where r.table_id = t.id and r.epoch = cast($4 as bigint))
    from sabot.tables t where t.house = $1 and t.pit = $2 and t.name = $3";

/// The same text as SQLite reads it.
pub(super) fn sqlite(sql: &str) -> String {
    sql.replace("sabot.", "").replace('$', "?")
}
