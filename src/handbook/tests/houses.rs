//! The houses, their provisions as the catalogue lists them, and where their pages and examples lie.

use std::fs;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use sabot_handbook::examples::{Case, read};
use sabot_law::regulation::{self, Regulation};

/// The houses that stand whole: of these nothing may be missing. Of any other, what there is is held to the same rules.
const WHOLE: &[&str] = &["sala-8", "talla", "club", "croupier-6"];

/// Prefix and numbers of a house's provisions, in the order of its text.
type Provisions = &'static [(&'static str, RangeInclusive<u32>)];

/// Every house's provisions.
const PROVISIONS: &[(&str, Provisions)] = &[
    ("sala-8", &[("M", 1..=2), ("D", 1..=14), ("F", 1..=2), ("O", 1..=4), ("C", 1..=20)]),
    (
        "talla",
        &[
            ("T-B", 1..=10),
            ("T-S", 1..=10),
            ("T-X", 1..=6),
            ("T-P", 1..=6),
            ("T-R", 1..=4),
            ("T-T", 1..=1),
            ("T-Q", 1..=10),
            ("T-N", 3..=5),
            ("T", 0..=0),
        ],
    ),
    ("club", &[("G", 1..=25), ("A", 1..=7), ("G", 0..=0)]),
    ("croupier-6", &[("K", 1..=17), ("K", 0..=0)]),
];

/// Whether nothing of a house may be missing.
pub(crate) fn is_whole(regulation: &Regulation) -> bool {
    WHOLE.contains(&&*regulation.id)
}

/// A house's provisions, in the order of its text.
pub(crate) fn provisions(regulation: &Regulation) -> Vec<String> {
    let (_, parts) = PROVISIONS.iter().find(|(id, _)| *id == regulation.id).unwrap();
    parts.iter().flat_map(|(prefix, all)| all.clone().map(move |n| format!("{prefix}{n}"))).collect()
}

/// Whether an article may still be without some of its examples: the room's, as long as the house is not whole, since
/// what is left to the room depends on all the others.
pub(crate) fn is_open(regulation: &Regulation, id: &str) -> bool {
    !is_whole(regulation) && regulation.not_provided_for.id == id
}

/// Where the handbooks lie.
pub(crate) fn handbook() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/handbook")
}

/// A house's page in a language.
pub(crate) fn page(regulation: &Regulation, lang: &str) -> PathBuf {
    handbook().join(format!("{}.{lang}.md", regulation.id))
}

/// Where a house's examples lie.
pub(crate) fn examples(regulation: &Regulation) -> PathBuf {
    handbook().join(&*regulation.id)
}

/// A file of examples, as it is on disk.
pub(crate) struct File {
    pub(crate) house: &'static Regulation,
    pub(crate) path: PathBuf,
    pub(crate) text: String,
    pub(crate) cases: Vec<Case>,
}

impl File {
    /// The article it is named after.
    pub(crate) fn article(&self) -> String {
        self.path.file_stem().unwrap().to_string_lossy().into_owned()
    }
}

/// A house's files of examples, in order.
pub(crate) fn files_of(house: &'static Regulation) -> Vec<File> {
    let mut paths: Vec<PathBuf> = fs::read_dir(examples(house)).unwrap().map(|file| file.unwrap().path()).collect();
    paths.sort();
    let read = |path: PathBuf| {
        let text = fs::read_to_string(&path).unwrap();
        let cases = read(&short(&path), &house.id, &text).unwrap_or_else(|why| panic!("{why}"));
        File { house, path, text, cases }
    };
    paths.into_iter().map(read).collect()
}

/// Every house's files of examples.
pub(crate) fn files() -> Vec<File> {
    regulation::ALL.iter().flat_map(|house| files_of(house)).collect()
}

/// A file's name for people: house and article.
pub(crate) fn short(path: &Path) -> String {
    path.strip_prefix(handbook()).unwrap_or(path).to_string_lossy().replace('\\', "/")
}

/// Whether the files of the handbook are to be written anew from what the code says.
pub(crate) fn updates() -> bool {
    std::env::var_os("UPDATE_HANDBOOK").is_some()
}

#[test]
fn what_the_program_holds_is_what_lies_in_the_folders() {
    for file in files() {
        let article = file.house.article(&file.article()).unwrap();
        assert_eq!(sabot_handbook::examples::file(article), format!("docs/handbook/{}", short(&file.path)));
        assert_eq!(sabot_handbook::examples::cases(article).unwrap(), file.cases, "{}", short(&file.path));
    }
}

#[test]
fn every_house_has_its_provisions_and_a_house_named_whole_is_one() {
    let counts: Vec<usize> = regulation::ALL.iter().map(|regulation| provisions(regulation).len()).collect();
    assert_eq!(counts, [42, 51, 33, 18]);
    for id in WHOLE {
        assert!(regulation::find(id).is_some(), "{id}");
    }
}
