//! Files that a configuration names and a start needs: one that is missing is told at the line that names it.

use std::io::ErrorKind;
use std::ops::Range;
use std::path::Path;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::mistake::{Fault, FileKind, SourceFile};
use super::{Config, ConfigError};

/// Whoever gave it to the house has it.
const COPY: &str = "copy the file there, or write where it is";

/// A file or folder that the configuration names.
pub(crate) struct Named<'a> {
    /// The keys that lead to it, from the outermost.
    keys: &'static [&'static str],
    pub(crate) path: &'a Path,
    /// Where it comes from, where a start needs it.
    pub(crate) needed: Option<String>,
}

impl Named<'_> {
    /// It is not there. What is there and cannot be reached is told by whoever reads it.
    pub(crate) fn is_gone(&self) -> bool {
        self.path.metadata().is_err_and(|why| why.kind() == ErrorKind::NotFound)
    }

    /// The key that names it.
    pub(crate) fn key(&self) -> &'static str {
        self.keys.last().copied().unwrap_or_default()
    }
}

impl Config {
    /// Refuses a start with a file or folder that the configuration names and that is not there. `file` is where the
    /// configuration stands.
    ///
    /// # Errors
    /// With the line that names the first of them.
    pub fn names_what_is_there(&self, file: &Path) -> Result<(), ConfigError> {
        let source = SourceFile { path: file, text: &self.text, kind: FileKind::Table };
        let missing = self.named().into_iter().filter(Named::is_gone).find_map(|named| {
            let what = format!("there is no {}", named.path.display());
            Some(Fault::at(self.span_of(file, &named).unwrap_or(0..0), what, named.needed.clone()?))
        });
        let fault = missing.or_else(|| {
            let folder = self.seal_without_folder()?;
            let seal = Named { keys: &["journal_seal"], path: self.journal_seal.as_deref()?, needed: None };
            let what = format!("there is no folder {}", folder.display());
            let way_out = format!("make it (mkdir -p {}), or name a file in a folder that is there", folder.display());
            Some(Fault::at(self.span_of(file, &seal).unwrap_or(0..0), what, way_out))
        });
        fault.map_or(Ok(()), |fault| Err(source.mistake(fault)))
    }

    /// The folder of `journal_seal`, where that is not there.
    pub(crate) fn seal_without_folder(&self) -> Option<&Path> {
        let folder = self.journal_seal.as_deref()?.parent()?;
        (!folder.as_os_str().is_empty() && !folder.is_dir()).then_some(folder)
    }

    /// The line of the configuration at `file`, from 1, that names another file.
    #[must_use]
    pub fn line_naming(&self, file: &Path, path: &Path) -> Option<usize> {
        let named = self.named().into_iter().find(|named| named.path == path)?;
        let at = self.span_of(file, &named)?.start;
        Some(self.text.get(..at)?.matches('\n').count() + 1)
    }

    /// Every file and folder that it names and the station reads or makes.
    pub(crate) fn named(&self) -> Vec<Named<'_>> {
        // what is made once stands in a backup after that: another key signs for nobody, and a fresh registry knows no
        // chip
        let has_begun = self.journal.metadata().is_ok_and(|record| record.len() > 0);
        let made = |path: &Path, with: &str| match has_begun {
            false => format!("`{}` makes it", with.replace("FILE", &path.display().to_string())),
            true => {
                "put it back from the backup (docs/upgrade.md); where it is lost, docs/record.md tells how the record \
                     goes on"
                    .to_owned()
            }
        };
        let makes: [(&[&str], _, _); 5] = [
            (&["journal_key"], &self.journal_key, "sabot journal key FILE --name NAME"),
            (&["chip_registry"], &self.chip_registry, "sabot chips import CHIPS.csv --registry FILE"),
            (&["deck_registry"], &self.deck_registry, "sabot decks import CARDS.csv --registry FILE"),
            (&["staff"], &self.staff, "sabot staff add FILE --name NAME --role ROLE"),
            (&["tls"], &self.tls, "sabot tls make FILE --for NAME"),
        ];
        let mut all = Vec::new();
        for (keys, path, with) in makes {
            all.extend(path.as_deref().map(|path| Named { keys, path, needed: Some(made(path, with)) }));
        }
        let mut given = |keys, path, is_needed: bool| {
            all.push(Named { keys, path, needed: is_needed.then(|| COPY.to_owned()) });
        };
        self.journal_readers.iter().for_each(|path| given(&["journal_readers"], path, true));
        self.journal_witnesses.iter().for_each(|path| given(&["journal_witnesses"], path, true));
        for hook in &self.webhooks {
            given(&["webhook", "secret"], &hook.secret, true);
            hook.authority.iter().for_each(|path| given(&["webhook", "authority"], path, true));
        }
        if let Some(uplink) = &self.uplink {
            uplink.sinks.iter().for_each(|path| given(&["uplink", "sinks"], path, true));
            // without the files of its broker a record goes on, and is shipped later
            let broker = &uplink.broker;
            broker.credentials.iter().for_each(|path| given(&["uplink", "credentials"], path, false));
            broker.authority.iter().for_each(|path| given(&["uplink", "authority"], path, false));
            if let Some((certificate, key)) = &broker.certificate {
                given(&["uplink", "certificate"], certificate, false);
                given(&["uplink", "certificate_key"], key, false);
            }
        }
        // what a start makes itself
        given(&["journal"], &self.journal, false);
        given(&["keys"], &self.keys, false);
        self.journal_seal.iter().for_each(|path| given(&["journal_seal"], path, false));
        all
    }

    /// Where the configuration names a file.
    fn span_of(&self, file: &Path, named: &Named<'_>) -> Option<Range<usize>> {
        let folder = file.parent().unwrap_or(Path::new(""));
        let root = DeTable::parse(&self.text).ok()?;
        let (first, inner) = named.keys.split_first()?;
        found(root.get_ref().get(*first)?, inner, &|text| folder.join(text) == named.path)
    }
}

/// Where these keys of a value, or of one in a list of them, lead to the text that is meant.
fn found(value: &Spanned<DeValue<'_>>, keys: &[&str], is_meant: &impl Fn(&str) -> bool) -> Option<Range<usize>> {
    match (value.get_ref(), keys) {
        (DeValue::String(text), []) => is_meant(text).then(|| value.span()),
        (DeValue::Array(all), keys) => all.iter().find_map(|value| found(value, keys, is_meant)),
        (DeValue::Table(all), [first, inner @ ..]) => found(all.get(*first)?, inner, is_meant),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    const HEAD: &str =
        "table = \"T-1\"\nregulation = \"sala-8\"\nlimits = { min = 1, max = 100 }\njournal = \"record\"\n";

    /// What is told of a table whose configuration goes on so, at line 5.
    fn told(more: &str) -> String {
        told_in(tempfile::tempdir().unwrap().path(), more)
    }

    fn told_in(folder: &Path, more: &str) -> String {
        let file = folder.join("station.toml");
        fs::write(&file, format!("{HEAD}{more}\n[[device]]\nrole = \"shoe\"\nport = \"shoe\"\n")).unwrap();
        let config = Config::load(&file).unwrap_or_else(|error| panic!("{error}"));
        let told =
            config.names_what_is_there(&file).map_or_else(|error| error.to_string(), |()| "all there".to_owned());
        told.replace(&format!("{}/", folder.display()), "")
    }

    #[test]
    fn a_file_that_is_missing_is_told_at_the_line_that_names_it_with_what_makes_it() {
        let uplink = "uplink = { broker = \"nats://h\", house = \"h\", pit = \"p\", sinks = [\"s.vkey\"] }";
        let hook = "[[webhook]]\nname = \"w\"\nurl = \"http://127.0.0.1:1/\"\nsecret = \"w.secret\"";
        for (more, line, what, way_out) in [
            ("journal_key = \"no.key\"", 5, "no no.key", "sabot journal key no.key"),
            ("chip_registry = \"chips\"", 5, "no chips", "sabot chips import CHIPS.csv --registry chips"),
            ("deck_registry = \"decks\"", 5, "no decks", "sabot decks import"),
            ("staff = \"staff.toml\"", 5, "no staff.toml", "sabot staff add staff.toml"),
            ("tls = \"tls\"", 5, "no tls", "sabot tls make tls"),
            ("\njournal_readers = [\n\"a.pub\"]", 7, "no a.pub", COPY),
            (uplink, 5, "no s.vkey", COPY),
            (hook, 8, "no w.secret", COPY),
            ("journal_seal = \"none/seal\"", 5, "no folder none", "mkdir -p none"),
        ] {
            let told = told(more);
            let is_so = told.starts_with(&format!("station.toml:{line}:")) && told.contains(what);
            assert!(is_so && told.contains(way_out), "{told}");
        }
        for fine in ["journal_seal = \"seal\"", "keys = \"keys.toml\"", "staff = \"station.toml\""] {
            assert_eq!(told(fine), "all there", "{fine}");
        }
    }

    #[test]
    fn what_a_record_was_begun_with_is_put_back_and_not_made_anew() {
        let folder = tempfile::tempdir().unwrap();
        for key in ["journal_key = \"a\"", "staff = \"a\"", "chip_registry = \"a\"", "tls = \"a\""] {
            fs::write(folder.path().join("record"), "").unwrap();
            assert!(told_in(folder.path(), key).contains("makes it"), "{key}");
            fs::write(folder.path().join("record"), "{}\n").unwrap();
            let told = told_in(folder.path(), key);
            assert!(told.contains("put it back from the backup") && !told.contains("makes it"), "{told}");
        }
    }

    #[test]
    fn the_files_of_a_broker_stop_no_start_nor_does_a_file_that_cannot_be_reached() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("s.vkey"), "").unwrap();
        let broker = "uplink = { broker = \"nats://h\", house = \"h\", pit = \"p\", sinks = [\"s.vkey\"], \
                      credentials = \"c\", authority = \"a\", certificate = \"b\", certificate_key = \"k\" }";
        assert_eq!(told_in(folder.path(), broker), "all there");
        // `ENOTDIR`, as `EACCES` is to who may not look: root may, and runs tests
        assert_eq!(told_in(folder.path(), "staff = \"s.vkey/staff.toml\""), "all there");
    }

    #[test]
    fn the_line_of_a_file_is_that_of_its_own_key() {
        let folder = tempfile::tempdir().unwrap();
        // the table's name is the same text, and so is that of its shoe's port
        let told = told_in(folder.path(), "staff = \"T-1\"");
        assert!(told.starts_with("station.toml:5:"), "{told}");
        let hook = "[[webhook]]\nname = \"w-secret\"\nurl = \"http://127.0.0.1:1/\"\nsecret = \"w-secret\"";
        let told = told_in(folder.path(), hook);
        assert!(told.starts_with("station.toml:8:"), "{told}");
    }
}
