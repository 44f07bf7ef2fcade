//! A few lines of an example log, with what is answered to them: what the handbook shows of an article in action.

use std::collections::BTreeMap;

use sabot_law::regulation::Article;
use sabot_law::replay::{Replay, ReplayError};
use sabot_law::table::answer::{Finding, Lang, Severity};
use sabot_law::table::{Answer, LineNo, words};

use crate::Unreadable;
use crate::examples;

/// Lines shown before the finding.
const BEFORE: usize = 2;
/// Lines shown after it before the rest is left out.
const AFTER: usize = 6;

/// The lines of the article's example from shortly before its first finding until that is cleared, each line of the
/// log with its number and under it, after an arrow, what is answered. A `…` stands for lines left out.
///
/// # Errors
/// When the example cannot be read.
pub(super) fn excerpt(article: &Article, lang: Lang) -> Result<Vec<String>, Unreadable> {
    let example = examples::shown(article)?.map(|case| case.scenario.log()).unwrap_or_default();
    let answers = answered(&example, lang).map_err(|why| Unreadable::Log { file: examples::file(article), why })?;
    let lines: Vec<&str> = example.lines().collect();
    let findings = || answers.iter().filter_map(as_finding);
    let Some(found) = findings().find(|finding| finding.provision == article.id).or_else(|| findings().next()) else {
        return Ok(Vec::new());
    };
    let own = |answer: &&Answer| match answer {
        Answer::Cleared { finding, .. } | Answer::Breach { finding, .. } => *finding == found.n,
        _ => false,
    };
    let first = index(found.line).saturating_sub(BEFORE).max(1);
    let last = answers.iter().find(own).map_or(found.line, line_of);
    let last = index(last).min(lines.len().saturating_sub(1));
    let numbers = numbers(&answers);
    let mut text = Vec::new();
    for (at, line) in lines.iter().enumerate().take(last + 1).skip(first) {
        if at > index(found.line) + AFTER && at < last {
            if text.last().is_none_or(|shown: &String| shown != "  …") {
                text.push("  …".to_string());
            }
            continue;
        }
        text.push(format!("{:>3}  {line}", at + 1));
        for answer in answers.iter().filter(|answer| index(line_of(answer)) == at) {
            text.extend(said(answer, &numbers, lang).map(|said| format!("     → {said}")));
        }
    }
    Ok(text)
}

fn answered(log: &str, lang: Lang) -> Result<Vec<Answer>, ReplayError> {
    let mut replay = Replay::new(lang, None);
    let mut answers = Vec::new();
    for line in log.lines() {
        replay.feed(line.as_bytes(), &mut answers)?;
    }
    Ok(answers)
}

fn as_finding(answer: &Answer) -> Option<&Finding> {
    match answer {
        Answer::Finding(finding) => Some(finding),
        _ => None,
    }
}

fn line_of(answer: &Answer) -> LineNo {
    match answer {
        Answer::Finding(finding) => finding.line,
        Answer::Cleared { line, .. } | Answer::Withdrawn { line, .. } | Answer::Breach { line, .. } => *line,
        Answer::Settle(settle) => settle.line,
        Answer::Summary { .. } => 0,
    }
}

/// From 0, of a line of the log.
fn index(line: LineNo) -> usize {
    usize::try_from(line).unwrap_or(usize::MAX).saturating_sub(1)
}

/// What each finding is called: its provision and place.
fn numbers(answers: &[Answer]) -> BTreeMap<u64, &Finding> {
    answers.iter().filter_map(as_finding).map(|finding| (finding.n, finding)).collect()
}

/// An answer in words. Accounts are left out: they are no answer to a breach.
fn said(answer: &Answer, findings: &BTreeMap<u64, &Finding>, lang: Lang) -> Option<String> {
    let es = lang == Lang::Es;
    let name = |n: &u64| findings.get(n).map_or_else(String::new, |finding| named(finding, lang));
    Some(match answer {
        Answer::Finding(finding) => {
            let todo = words::remedies(&finding.remedy);
            let todo = if finding.remedy.is_empty() { String::new() } else { format!(" [{}]", todo.get(lang)) };
            format!("{} ({}): {}{todo}", named(finding, lang), severity(finding.severity, lang), finding.text.get(lang))
        }
        Answer::Cleared { finding, .. } => {
            format!("{} {}", name(finding), if es { "cumplido" } else { "cleared" })
        }
        Answer::Withdrawn { finding, .. } => {
            format!("{} {}", name(finding), if es { "retirado" } else { "withdrawn" })
        }
        Answer::Breach { finding, missing, .. } => {
            let missing = words::remedies(missing);
            format!(
                "{} {}: {}",
                name(finding),
                if es { "incumplido, falta" } else { "breach, missing" },
                missing.get(lang)
            )
        }
        Answer::Settle(_) | Answer::Summary { .. } => return None,
    })
}

fn named(finding: &Finding, lang: Lang) -> String {
    match finding.place {
        Some(place) => format!("{} {}", finding.provision, words::place(place).get(lang)),
        None => finding.provision.to_string(),
    }
}

/// How grave a finding is, in words.
#[must_use]
pub(super) const fn severity(severity: Severity, lang: Lang) -> &'static str {
    match (severity, lang) {
        (Severity::Notice, Lang::Es) => "aviso",
        (Severity::Notice, Lang::En) => "notice",
        (Severity::Irregularity, Lang::Es) => "irregularidad",
        (Severity::Irregularity, Lang::En) => "irregularity",
        (Severity::Integrity, Lang::Es) => "integridad",
        (Severity::Integrity, Lang::En) => "integrity",
    }
}
