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

impl Config {
    /// Refuses a start with a file or folder that the configuration names and that is not there. `file` is where the
    /// configuration stands.
    ///
    /// # Errors
    /// With the line that names the first of them.
    pub fn names_what_is_there(&self, file: &Path) -> Result<(), ConfigError> {
        let source = SourceFile { path: file, text: &self.text, kind: FileKind::Table };
        // what is there and cannot be reached is told by whoever reads it
        let is_gone = |path: &Path| path.metadata().is_err_and(|why| why.kind() == ErrorKind::NotFound);
        let missing = self.needed().into_iter().find(|(path, _)| is_gone(path));
        let fault = missing.map(|(path, way_out)| {
            let what = format!("there is no {}", path.display());
            Fault::at(self.span_of(file, path).unwrap_or(0..0), what, way_out)
        });
        let fault = fault.or_else(|| {
            let seal = self.journal_seal.as_deref()?;
            let folder = seal.parent().filter(|folder| !folder.as_os_str().is_empty() && !folder.is_dir())?;
            let what = format!("there is no folder {}", folder.display());
            let way_out = format!("make it (mkdir -p {}), or name a file in a folder that is there", folder.display());
            Some(Fault::at(self.span_of(file, seal).unwrap_or(0..0), what, way_out))
        });
        fault.map_or(Ok(()), |fault| Err(source.mistake(fault)))
    }

    /// The line of the configuration at `file`, from 1, that names another file.
    #[must_use]
    pub fn line_naming(&self, file: &Path, named: &Path) -> Option<usize> {
        let at = self.span_of(file, named)?.start;
        Some(self.text.get(..at)?.matches('\n').count() + 1)
    }

    /// Every file and folder that a start reads, each with where it comes from. Not the devices' `keys`, which pairing
    /// makes.
    fn needed(&self) -> Vec<(&Path, String)> {
        let made = [
            (&self.journal_key, "sabot journal key FILE --name NAME"),
            (&self.chip_registry, "sabot chips import CHIPS.csv --registry FILE"),
            (&self.deck_registry, "sabot decks import CARDS.csv --registry FILE"),
            (&self.staff, "sabot staff add FILE --name NAME --role ROLE"),
            (&self.tls, "sabot tls make FILE --for NAME"),
        ];
        let command = |path: &Path, with: &str| with.replace("FILE", &path.display().to_string());
        let made = made.into_iter().filter_map(|(path, with)| Some((path.as_deref()?, with)));
        let mut needed: Vec<_> =
            made.map(|(path, with)| (path, format!("`{}` makes it", command(path, with)))).collect();
        // without the files of its broker a record goes on, and is shipped later
        let uplink = self.uplink.iter().flat_map(|uplink| &uplink.sinks);
        let hooks = self.webhooks.iter().flat_map(|hook| [Some(&hook.secret), hook.authority.as_ref()]).flatten();
        let given = self.journal_readers.iter().chain(&self.journal_witnesses).chain(uplink).chain(hooks);
        needed.extend(given.map(|path| (path.as_path(), COPY.to_owned())));
        needed
    }

    /// Where the configuration names a file.
    fn span_of(&self, file: &Path, named: &Path) -> Option<Range<usize>> {
        let folder = file.parent().unwrap_or(Path::new(""));
        let root = DeTable::parse(&self.text).ok()?;
        root.get_ref().values().find_map(|value| found(value, &|text| folder.join(text) == named))
    }
}

/// The first text in a value, or in what is in that, that is meant.
fn found(value: &Spanned<DeValue<'_>>, is_meant: &impl Fn(&str) -> bool) -> Option<Range<usize>> {
    match value.get_ref() {
        DeValue::String(text) => is_meant(text).then(|| value.span()),
        DeValue::Array(all) => all.iter().find_map(|value| found(value, is_meant)),
        DeValue::Table(all) => all.values().find_map(|value| found(value, is_meant)),
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
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("station.toml");
        fs::write(&file, format!("{HEAD}{more}\n[[device]]\nrole = \"shoe\"\nport = \"shoe\"\n")).unwrap();
        let config = Config::load(&file).unwrap_or_else(|error| panic!("{error}"));
        let told =
            config.names_what_is_there(&file).map_or_else(|error| error.to_string(), |()| "all there".to_owned());
        told.replace(&format!("{}/", folder.path().display()), "")
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
}
