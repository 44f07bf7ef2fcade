//! The answers that a record tells, held against those of today by `sabot journal compare`.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use sabot_journal::Chain;
use serde_json::Value;
use tempfile::TempDir;

use crate::process::{Ended, dealt, run, sabot};

/// The record of a table at which C7 was broken in every other pass.
struct Recorded {
    folder: TempDir,
    lines: Vec<Value>,
}

impl Recorded {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        dealt(folder.path(), &["--passes", "6", "--irregularity", "C7"]);
        let record = fs::read_to_string(folder.path().join("record")).unwrap();
        let lines = record.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        Self { folder, lines }
    }

    fn journal(&self, command: &str, args: &[&str]) -> Ended {
        run(sabot(["journal", command, "record"]).args(args).current_dir(self.folder.path()))
    }

    fn compare(&self, args: &[&str]) -> Ended {
        self.journal("compare", args)
    }

    /// Writes the record with other lines, and chains it anew, as whoever rules the machine can.
    fn rewrite(&self, change: impl FnOnce(&mut Vec<Value>)) {
        let (mut lines, mut record, mut chain) = (self.lines.clone(), Vec::new(), Chain::default());
        change(&mut lines);
        for mut line in lines {
            line.as_object_mut().unwrap().remove("chain");
            chain = chain.append(line.to_string().as_bytes(), &mut record);
        }
        fs::write(self.folder.path().join("record"), record).unwrap();
        let verified = self.journal("verify", &[]);
        assert_eq!(verified.status, 0, "the chain holds: {}", verified.err);
    }

    /// Where a line stands in the record, from 0.
    fn position(&self, is: impl Fn(&Value) -> bool) -> usize {
        self.lines.iter().position(is).unwrap()
    }

    fn finding(&self) -> usize {
        self.position(|line| line["answers"][0]["out"] == "finding")
    }
}

#[test]
fn a_record_tells_what_was_answered_as_it_is_replayed_and_compares_clean() {
    let recorded = Recorded::new();
    let all = recorded.lines.iter().flat_map(|line| line["answers"].as_array().cloned().unwrap_or_default());
    let replayed = run(sabot(["replay", "record"]).current_dir(recorded.folder.path()));
    let replayed: Vec<Value> = replayed.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let (summary, answers) = replayed.split_last().unwrap();
    assert_eq!((summary["out"].as_str(), &summary["findings"]["C7"]), (Some("summary"), &3.into()));
    assert_eq!(all.collect::<Vec<_>>(), answers);

    let compared = recorded.compare(&["--auditor"]);
    assert_eq!((compared.status, compared.err.as_str()), (0, ""), "{}", compared.out);
    let count = format!("the {} answers recorded on lines ", answers.len());
    assert!(compared.out.contains(&count) && compared.out.ends_with("are today's and the auditor's\n"), "{compared:?}");
    assert_eq!(recorded.compare(&["--json"]).out, "");
}

#[test]
fn an_answer_or_event_that_was_changed_is_named_and_nothing_explains_it() {
    let recorded = Recorded::new();
    let at = recorded.finding();
    let line = format!("line {}, pass 1, 20", at + 1);
    let names = |args: &[&str], said: &[&str]| {
        let compared = recorded.compare(args);
        assert_eq!((compared.status, compared.err.as_str()), (1, ""));
        for said in said.iter().chain(&[line.as_str(), "= nothing explains it: "]) {
            assert!(compared.out.contains(said), "{said}: {}", compared.out);
        }
    };
    recorded.rewrite(|lines| drop(lines[at].as_object_mut().unwrap().remove("answers")));
    names(&["--auditor"], &["recorded: nothing of this", "today:    finding C7 [bank]", "auditor:  as today"]);
    recorded.rewrite(|lines| lines[at]["answers"][0]["provision"] = "C6".into());
    names(&[], &["recorded: finding C6 [bank]", "today:    finding C7 [bank]"]);
    recorded.rewrite(|lines| lines[at]["answers"][0]["text"] = "nada".into());
    names(&["--lang", "en"], &["recorded: nada", "today:    the bank"]);
    recorded.rewrite(|lines| drop(lines[at].as_object_mut().unwrap().insert("face".to_owned(), "down".into())));
    names(&[], &["recorded: finding C7 [bank]", "today:    nothing of this"]);

    let json = recorded.compare(&["--json"]);
    let first: Value = serde_json::from_str(json.out.lines().next().unwrap()).unwrap();
    assert_eq!((json.status, &first["line"], &first["today"]), (1, &(at + 1).into(), &Value::Array(vec![])));
    assert!(first["recorded"][0].as_str().unwrap().starts_with("finding C7"), "{first}");
}

#[test]
fn what_explains_other_answers_is_said() {
    let recorded = Recorded::new();
    let settings = recorded.folder.path().join("settings.toml");
    fs::write(&settings, "bank_stands = 19\n").unwrap();
    let options = recorded.compare(&["--settings", "settings.toml", "--auditor"]);
    assert_eq!((options.status, options.err.as_str()), (1, ""));
    assert!(options.out.contains("= the options: bank_stands was 17 and is 19\n"), "{}", options.out);
    assert!(options.out.contains("auditor:  as today") && !options.out.contains("nothing explains"), "{}", options.out);
    let few = recorded.compare(&["--settings", "settings.toml", "--mismatches", "1"]);
    assert!(few.out.matches("\nline ").count() == 1 && few.out.contains(" more (--mismatches)\n"), "{}", few.out);

    let explained = |said: &str| {
        let compared = recorded.compare(&[]);
        assert_eq!((compared.status, compared.err.as_str()), (1, ""), "{said}");
        assert!(compared.out.contains(said) && !compared.out.contains("nothing explains"), "{said}: {}", compared.out);
    };
    recorded.rewrite(|lines| lines[0]["settings"]["bank_stands"] = 19.into());
    explained("= the first line makes another regulation than the one that the station told of on line ");

    let (at, start) = (recorded.finding(), recorded.position(|line| line["status"] == "start"));
    recorded.rewrite(|lines| {
        let detail = lines[start]["detail"].as_str().unwrap();
        let (before, hash) = detail.split_once(" program ").unwrap();
        lines[start]["detail"] = format!("{before} program {}{}", "a".repeat(64), &hash[64..]).into();
        lines[at]["answers"][0]["severity"] = "notice".into();
    });
    explained(&format!("= another program: sabot {} (aaaaaaaaaaaa) then (line ", env!("CARGO_PKG_VERSION")));
    explained(" today, with the same articles and settings\n");
}

#[test]
fn the_program_that_wrote_a_record_is_asked_what_it_answers_and_which_articles_were_changed() {
    let recorded = Recorded::new();
    let old = recorded.folder.path().join("old-sabot");
    // another version of the program: it takes C7 for graver, and its text of C7 is another
    let wrote = |show: &str| {
        let change = r#"s/"provision":"C7",\(.*\)"severity":"irregularity"/"provision":"C7",\1"severity":"integrity"/"#;
        let sabot = env!("CARGO_BIN_EXE_sabot");
        let script = format!("#!/bin/sh\ncase $1 in replay) {sabot} \"$@\" | sed '{change}' ;; *) {show} ;; esac\n");
        fs::write(&old, script).unwrap();
        fs::set_permissions(&old, fs::Permissions::from_mode(0o755)).unwrap();
        let sum = run(std::process::Command::new("sha256sum").arg(&old));
        let (at, start) = (recorded.finding(), recorded.position(|line| line["status"] == "start"));
        recorded.rewrite(|lines| {
            let detail = lines[start]["detail"].as_str().unwrap();
            let (before, hash) = detail.split_once(" program ").unwrap();
            lines[start]["detail"] = format!("{before} program {}{}", &sum.out[..64], &hash[64..]).into();
            for line in lines.iter_mut().filter(|line| line["answers"][0]["provision"] == "C7") {
                if line["answers"][0]["out"] == "finding" {
                    line["answers"][0]["severity"] = "integrity".into();
                }
            }
        });
        at + 1
    };
    let explained = |said: &str| {
        let compared = recorded.compare(&["--program", "./old-sabot"]);
        assert_eq!((compared.status, compared.err.as_str()), (1, ""), "{said}");
        assert!(compared.out.contains(said), "{said}: {}", compared.out);
        compared.out
    };
    let same = format!("exec {} \"$@\"", env!("CARGO_BIN_EXE_sabot"));
    wrote(&same);
    let told = explained(
        "= the program explains it: ./old-sabot, which wrote it, answers as recorded; changed since: C7 (the same text, \
         judged otherwise)\n",
    );
    assert_eq!(told.matches("the program explains it").count(), 3, "{told}");
    wrote(&format!("{} \"$@\" | sed s/burned/torn/", env!("CARGO_BIN_EXE_sabot")));
    explained("changed since: C7 (its text was changed)\n");

    // what that program does not answer was changed in the record
    let line = wrote(&same);
    let text = fs::read_to_string(recorded.folder.path().join("record")).unwrap();
    let mut lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    lines[line - 1]["answers"][0]["severity"] = "notice".into();
    recorded.rewrite(|all| *all = lines);
    let told = explained(
        "= the program does not explain it: ./old-sabot, which wrote it, answers otherwise still. An answer or an event \
         was changed: see `sabot journal verify`\n",
    );
    assert_eq!(told.matches("the program explains it").count(), 2, "{told}");

    let none = recorded.compare(&["--program", "nowhere"]);
    assert!(none.status == 2 && none.err.contains("--program: nowhere: "), "{}", none.err);
    fs::write(&old, "#!/bin/sh\necho no answer\n").unwrap();
    let nonsense = recorded.compare(&["--program", "./old-sabot"]);
    assert!(nonsense.status == 2 && nonsense.err.contains("is no answer"), "{}", nonsense.err);
}

#[test]
fn a_record_from_before_answers_were_recorded_is_read_and_not_compared() {
    let recorded = Recorded::new();
    let start = recorded.position(|line| line["status"] == "start");
    recorded.rewrite(|lines| {
        lines.iter_mut().for_each(|line| drop(line.as_object_mut().unwrap().remove("answers")));
        let detail = lines[start]["detail"].as_str().unwrap().replace(" answers ", " ");
        lines[start]["detail"] = detail.into();
    });
    let compared = recorded.compare(&[]);
    assert_eq!((compared.status, compared.out.as_str()), (2, ""));
    assert!(compared.err.contains("no answers are recorded in it"), "{}", compared.err);
    let found = recorded.journal("find", &["--article", "C7"]);
    assert_eq!((found.status, found.out.lines().count()), (0, 3), "{}", found.err);
    assert_eq!(run(&mut sabot(["journal", "compare", "nowhere"])).status, 2);
}
