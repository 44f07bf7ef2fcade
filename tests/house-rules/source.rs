//! Rust's text, as far as the rules need it: comments and literals apart from code, paths, modules.

use crate::tree::{Tree, folder, joined, name};

/// The text with comments and the insides of literals blanked; lines and columns stay.
pub(crate) fn code(text: &str) -> String {
    blanked(text, true)
}

/// The text without the insides of its literals; comments stay.
pub(crate) fn without_literals(text: &str) -> String {
    blanked(text, false).replace(GONE, "")
}

/// Stands where a sign of a literal stood.
const GONE: char = '\u{0}';

fn blanked(text: &str, comments: bool) -> String {
    let chars: Vec<char> = text.chars().collect();
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    while at < chars.len() {
        let (kept, end) = literal(&chars, at);
        let is_comment = kept == 0;
        for (offset, &c) in chars[at..end].iter().enumerate() {
            let is_kept = offset < kept || c == '\n' || is_comment && !comments;
            out.push(match comments {
                _ if is_kept => c,
                true => ' ',
                false => GONE,
            });
        }
        at = end;
    }
    out
}

/// What begins here: how many of its characters stay, and where it ends.
fn literal(chars: &[char], at: usize) -> (usize, usize) {
    let next = |offset: usize| chars.get(at + offset).copied().unwrap_or('\n');
    let find = |from: usize, is_end: &dyn Fn(usize) -> bool| (from..chars.len()).find(|&i| is_end(i));
    match chars[at] {
        '/' if next(1) == '/' => (0, find(at, &|i| chars[i] == '\n').unwrap_or(chars.len())),
        '/' if next(1) == '*' => (0, end_of_block_comment(chars, at)),
        '"' => (1, end_of_string(chars, at + 1)),
        'r' if at == 0 || !(chars[at - 1].is_alphanumeric() && chars[at - 1] != 'b') => {
            let hashes = chars[at + 1..].iter().take_while(|&&c| c == '#').count();
            if next(hashes + 1) != '"' {
                return (1, at + 1);
            }
            let closes = |i: usize| {
                chars[i] == '"' && chars[i + 1..].iter().take(hashes).filter(|&&c| c == '#').count() == hashes
            };
            (1, find(at + hashes + 2, &closes).map_or(chars.len(), |i| i + 1 + hashes))
        }
        '\'' if next(1) == '\\' => (1, find(at + 3, &|i| chars[i] == '\'').map_or(chars.len(), |i| i + 1)),
        '\'' if next(2) == '\'' => (1, at + 3),
        _ => (1, at + 1),
    }
}

fn end_of_block_comment(chars: &[char], start: usize) -> usize {
    let mut depth = 0;
    let mut at = start;
    while at + 1 < chars.len() {
        match (chars[at], chars[at + 1]) {
            ('/', '*') => depth += 1,
            ('*', '/') => depth -= 1,
            _ => {
                at += 1;
                continue;
            }
        }
        at += 2;
        if depth == 0 {
            return at;
        }
    }
    chars.len()
}

fn end_of_string(chars: &[char], start: usize) -> usize {
    let mut at = start;
    while at < chars.len() {
        match chars[at] {
            '\\' => at += 2,
            '"' => return at + 1,
            _ => at += 1,
        }
    }
    chars.len()
}

/// Code with what follows `#[cfg(test)]` blanked: one item each.
pub(crate) fn without_tests(code: &str) -> String {
    const MARK: &str = "#[cfg(test)]";
    let mut out = String::with_capacity(code.len());
    let mut rest = code;
    while let Some(start) = rest.find(MARK) {
        let (before, item) = rest.split_at(start);
        out.push_str(before);
        let mut depth = 0;
        let end = item[MARK.len()..].char_indices().find_map(|(at, c)| {
            match c {
                '{' | '(' | '[' => depth += 1,
                '}' | ')' | ']' => depth -= 1,
                _ => {}
            }
            (depth == 0 && matches!(c, '}' | ';')).then_some(MARK.len() + at + 1)
        });
        let (item, after) = item.split_at(end.unwrap_or(item.len()));
        out.extend(item.chars().map(|c| if c == '\n' { c } else { ' ' }));
        rest = after;
    }
    out.push_str(rest);
    out
}

/// Whether a file is there for tests alone.
pub(crate) fn is_test(path: &str) -> bool {
    let name = name(path);
    path.split('/').any(|part| matches!(part, "tests" | "benches" | "examples"))
        || name == "tests.rs"
        || name.ends_with("_tests.rs")
        || name == "sysfs_tree.rs"
}

/// Words, `::` and single signs, each with its line.
fn tokens(code: &str) -> Vec<(usize, &str)> {
    let mut tokens = Vec::new();
    for (number, line) in code.lines().enumerate() {
        let mut rest = line;
        while let Some(first) = rest.chars().next() {
            let is_word = |c: char| c.is_alphanumeric() || c == '_';
            let length = if is_word(first) {
                rest.find(|c| !is_word(c)).unwrap_or(rest.len())
            } else if rest.starts_with("::") {
                2
            } else {
                first.len_utf8()
            };
            let (token, after) = rest.split_at(length);
            if !first.is_whitespace() {
                tokens.push((number + 1, token));
            }
            rest = after;
        }
    }
    tokens
}

/// A path that code names, and its line.
pub(crate) type Named = (usize, Vec<String>);

/// Every path of two parts or more, those of groups one by one: `a::{b, c::d}` is `a::b` and `a::c::d`.
pub(crate) fn paths(code: &str) -> Vec<Named> {
    let tokens = tokens(code);
    let mut paths = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let is_visibility = at > 1 && tokens[at - 1].1 == "in" && tokens[at - 2].1 == "(";
        if is_word(tokens[at].1) {
            at = path(&tokens, at, &[], &mut paths, is_visibility);
        } else {
            at += 1;
        }
    }
    paths
}

fn is_word(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// Reads the path that begins at a word; gives where it ends.
fn path(tokens: &[(usize, &str)], start: usize, prefix: &[String], paths: &mut Vec<Named>, is_skipped: bool) -> usize {
    let is = |at: usize, token: &str| tokens.get(at).is_some_and(|&(_, is)| is == token);
    let mut parts = prefix.to_vec();
    if tokens[start].1 != "self" || prefix.is_empty() {
        parts.push(tokens[start].1.to_owned());
    }
    let mut at = start + 1;
    while is(at, "::") {
        if is(at + 1, "{") {
            at += 2;
            while at < tokens.len() && !is(at, "}") {
                at = if is_word(tokens[at].1) { path(tokens, at, &parts, paths, is_skipped) } else { at + 1 };
                if is(at, "as") {
                    at += 2;
                }
            }
            return at + 1;
        }
        let Some(&(_, next)) = tokens.get(at + 1).filter(|(_, next)| is_word(next) || *next == "*") else { break };
        parts.push(next.to_owned());
        at += 2;
    }
    if parts.len() > 1 && !is_skipped {
        paths.push((tokens[start].0, parts));
    }
    at
}

/// The files that a file declares as its modules, whether they are there or not: the module's name and two places for
/// it, or the one that `#[path]` names.
pub(crate) fn modules(file: &str, text: &str, is_root: bool) -> Vec<(String, Vec<String>)> {
    let here = folder(file);
    let stem = name(file).trim_end_matches(".rs");
    let inside = if is_root || stem == "mod" { here.to_owned() } else { format!("{here}/{stem}") };
    let code = code(text);
    let raw: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    for (number, line) in code.lines().enumerate() {
        let Some(declared) = line.trim().strip_suffix(';').and_then(|line| line.split_once("mod ")) else { continue };
        let (visibility, module) = declared;
        let visibility = visibility.rsplit(']').next().unwrap_or_default().trim();
        if !(visibility.is_empty() || visibility.starts_with("pub"))
            || !module.chars().all(|c| c.is_alphanumeric() || c == '_')
        {
            continue;
        }
        let attributes = raw[..number].iter().rev().take_while(|line| line.trim().starts_with("#["));
        let named = attributes.filter_map(|line| line.trim().strip_prefix("#[path = \"")?.strip_suffix("\"]")).next();
        let places = match named {
            Some(path) => vec![joined(here, path)],
            None => vec![joined(&inside, &format!("{module}.rs")), joined(&inside, &format!("{module}/mod.rs"))],
        };
        found.push((module.to_owned(), places));
    }
    found
}

/// The modules of a folder that is a crate's root or lies in it: each file's path of modules.
pub(crate) struct Crate<'t> {
    root: &'t str,
    tree: &'t Tree,
}

impl<'t> Crate<'t> {
    /// The crate whose sources are in that folder.
    pub(crate) fn of(tree: &'t Tree, root: &'t str) -> Self {
        Self { root, tree }
    }

    /// Where in the crate a file is.
    pub(crate) fn module(&self, file: &str) -> Vec<String> {
        let inside = file[self.root.len() + 1..].trim_end_matches(".rs");
        let mut parts: Vec<String> = inside.split('/').map(str::to_owned).collect();
        if parts.last().is_some_and(|last| matches!(last.as_str(), "mod" | "lib" | "main")) {
            parts.pop();
        }
        parts
    }

    /// The files that a file uses, and the line of each use. Tests count for nothing.
    pub(crate) fn uses(&self, file: &str, text: &str) -> Vec<(usize, String)> {
        let here = self.module(file);
        let mut uses = Vec::new();
        for (line, path) in paths(&without_tests(&code(text))) {
            let target = match path[0].as_str() {
                "crate" => path[1..].to_vec(),
                "self" => [&here, &path[1..]].concat(),
                "super" => {
                    let up = path.iter().take_while(|part| *part == "super").count();
                    [&here[..here.len().saturating_sub(up)], &path[up..]].concat()
                }
                _ => [&here, &path[..]].concat(),
            };
            // `super` and `crate` may lead to a module's own file; a bare name only to what lies below
            let least = if matches!(path[0].as_str(), "crate" | "self" | "super") { 0 } else { here.len() + 1 };
            let found = (least..=target.len()).rev().find_map(|length| self.file(&target[..length]));
            if let Some(found) = found.filter(|found| found != file) {
                uses.push((line, found));
            }
        }
        uses
    }

    fn file(&self, module: &[String]) -> Option<String> {
        let base = [&[self.root.to_owned()], module].concat().join("/");
        [format!("{base}.rs"), format!("{base}/mod.rs"), format!("{base}/lib.rs")]
            .into_iter()
            .find(|path| self.tree.has_file(path))
    }
}

#[test]
fn comments_and_literals_are_no_code() {
    let text = "let a = \"use x::y\"; // b::c\nlet c = '\"'; /* d::e /* */ f */ let g = r#\"h::\"i\"#; 'a: loop {}";
    let code = code(text);
    assert!(!["x::y", "b::c", "d::e", " f ", "h::"].iter().any(|gone| code.contains(gone)), "{code}");
    assert!(["let g", "'a: loop"].iter().all(|kept| code.contains(kept)), "{code}");
    assert_eq!(code.lines().count(), 2);
}

#[test]
fn literals_are_left_out_and_comments_stay() {
    let left = without_literals("say(\"much \\\" more\", 'c'); // \"this\"\nsay(r#\"a \"b\"\"#);");
    assert_eq!(left, "say(\", '); // \"this\"\nsay(r);");
}

#[test]
fn grouped_imports_are_read_one_by_one() {
    let found = paths("use a::{b, c::{self, d as e}, f::*};\npub(in g::h) fn i() { j::k(); }");
    let found: Vec<String> = found.into_iter().map(|(line, path)| format!("{line} {}", path.join("::"))).collect();
    assert_eq!(found, ["1 a::b", "1 a::c", "1 a::c::d", "1 a::f::*", "2 j::k"]);
}

#[test]
fn an_item_for_tests_is_left_out_and_no_more() {
    let code = "a;\n#[cfg(test)]\nmod tests { b; { c; } }\nd;\n#[cfg(test)]\nuse e;\nf;";
    let words = without_tests(code).split_whitespace().collect::<String>();
    assert_eq!(words, "a;d;f;");
}
