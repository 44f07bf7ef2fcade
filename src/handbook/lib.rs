//! The handbook of a regulation, article by article, for an inspector: from the articles' own words, in Markdown or
//! for a terminal. The files under `docs/handbook/` are written by [`book`].

pub mod coverage;
pub mod examples;
mod excerpt;
pub mod parts;
pub mod scenario;
pub mod verdict;

use std::collections::BTreeMap;

use sabot_law::regulation::{Article, Bi, Kind, Regulation, fill};
use sabot_law::replay::ReplayError;
use sabot_law::table::answer::Lang;

use excerpt::{excerpt, severity};
use scenario::ScenarioError;

/// Why an article's example cannot be shown.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unreadable {
    /// Its file cannot be read.
    #[error(transparent)]
    File(#[from] ScenarioError),
    /// A line of its log cannot be read.
    #[error("{file}: {why}")]
    Log {
        /// The file.
        file: String,
        /// The line of the log, and why.
        why: ReplayError,
    },
}

/// How a page is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// Markdown, for the files.
    Markdown,
    /// Plain text folded to a width, in characters.
    Terminal {
        /// Columns.
        width: usize,
    },
}

/// The whole handbook in Markdown.
///
/// # Errors
/// When an article's example cannot be read.
pub fn book(regulation: &Regulation, lang: Lang) -> Result<String, Unreadable> {
    let first = regulation.articles.first().map_or("", |article| article.id);
    let preface = PREFACE.get(lang).replace("{house}", &regulation.id).replace("{article}", first);
    let mut text = format!("# `{}`: {}\n\n{preface}\n", regulation.id, regulation.title.get(lang));
    text += &format!("\n## {}\n\n", Bi { es: "Artículos", en: "Articles" }.get(lang));
    for article in regulation.articles.iter() {
        let anchor = article.id.to_lowercase();
        text +=
            &format!("- [{}](#{anchor}) {}\n", article.id, fill(article.title.get(lang), &regulation.settings, lang));
    }
    for of in regulation.articles.iter() {
        text += &format!("\n<a id=\"{}\"></a>\n\n", of.id.to_lowercase());
        text += &article(regulation, of, lang, Style::Markdown)?;
    }
    Ok(text + &readings(regulation, lang))
}

/// Which articles each reading bears on.
fn readings(regulation: &Regulation, lang: Lang) -> String {
    let mut by_number: BTreeMap<u8, Vec<String>> = BTreeMap::new();
    for article in regulation.articles.iter() {
        for reading in article.readings {
            let link = format!("[{}](#{})", article.id, article.id.to_lowercase());
            by_number.entry(reading.number).or_default().push(link);
        }
    }
    let heading = Bi { es: "Lecturas, por número", en: "Readings, by number" };
    let mut text = format!("\n## {}\n\n", heading.get(lang));
    for (number, articles) in by_number {
        text += &format!("- {number}: {}\n", articles.join(", "));
    }
    text
}

/// What stands before the articles; `{house}` is the regulation's identifier, `{article}` that of its first article.
const PREFACE: Bi = Bi {
    es: "Qué dice cada artículo (con nuestras palabras), cuándo lo señala la estación, qué hay que hacer y en qué orden, cómo se lee \
lo que el texto deja abierto, y un ejemplo con la respuesta. Los ejemplos son registros que las pruebas reproducen; todos están en \
[`{house}/`]({house}/), un archivo por artículo, y `sabot regulation example {article} --regulation {house}` da sus registros, que \
`sabot replay` lee. Un artículo se muestra en la terminal con \
`sabot regulation show {article} --regulation {house} --lang es`.\n\n\
Un **aviso** se anota y no pide nada; una **irregularidad** rompe el procedimiento; **integridad** quiere decir que no se puede confiar \
en las cartas o en el equipo. «Cumplido» es que se hizo todo lo que correspondía; «incumplido», que el pase terminó o siguió sin hacerlo.\n\n\
«Qué hay que ver» dice qué sentidos de la mesa (`observes`, en [table-log.md](../table-log.md)) hacen falta, además de un sabot, para que \
el artículo se juzgue; si un sentido falta, lo demás se juzga igual. Qué juzga una mesa determinada lo dice \
`sabot regulation coverage --regulation {house} --observes places,faces`.\n\n\
Esta página se escribe con `UPDATE_HANDBOOK=1 cargo test -p sabot-handbook` a partir de los artículos: los cambios se hacen allí.",
    en: "What each article says (in our words), when the station finds it broken, what must be done and in which order, how gaps in the \
text are read, and an example with its answer. The examples are logs that the tests replay; all of them are in \
[`{house}/`]({house}/), a file an article, and `sabot regulation example {article} --regulation {house}` gives their logs, which \
`sabot replay` reads. `sabot regulation show {article} --regulation {house} --lang en` prints one article on a terminal.\n\n\
A **notice** is recorded and asks for nothing; an **irregularity** breaks the procedure; **integrity** means that the cards or the \
equipment cannot be trusted. “Cleared” means that all that was due was done; “breach”, that the pass ended or went on without it.\n\n\
“What must be seen” names the sights (`observes`, in [table-log.md](../table-log.md)) that a table needs, beside a shoe, for the article \
to be judged; where a sight is missing the rest is judged all the same. What a given table can judge is told by \
`sabot regulation coverage --regulation {house} --observes places,faces --lang en`.\n\n\
This page is written by `UPDATE_HANDBOOK=1 cargo test -p sabot-handbook` from the articles: changes are made there.",
};

/// One article.
///
/// # Errors
/// When its example cannot be read.
pub fn article(regulation: &Regulation, of: &Article, lang: Lang, style: Style) -> Result<String, Unreadable> {
    let mut page = Page { text: String::new(), style };
    let words = |of: Bi| fill(of.get(lang), &regulation.settings, lang);
    page.heading(&format!("{} · {}", of.id, words(of.title)));
    page.paragraph(None, &words(of.gist));
    let kind = match of.kind {
        Kind::Enforced => Bi { es: "se vigila", en: "watched" },
        Kind::Valuation => Bi { es: "se calcula y se controla", en: "computed and checked" },
        Kind::Reported => Bi { es: "lo informa una persona", en: "reported by a person" },
    };
    let grave: Vec<&str> = of.severities().map(|grave| severity(grave, lang)).collect();
    let kind = format!("{}, {}.", kind.get(lang), grave.join(Bi { es: " o ", en: " or " }.get(lang)));
    page.paragraph(Some(Bi { es: "Clase", en: "Kind" }.get(lang)), &kind);
    page.paragraph(Some(Bi { es: "Cuándo se señala", en: "When it is found" }.get(lang)), &words(of.raised));
    page.paragraph(Some(Bi { es: "Qué hay que hacer", en: "What must be done" }.get(lang)), &words(of.remedy));
    let seen = coverage::must_be_seen(regulation, of, lang);
    page.paragraph(Some(Bi { es: "Qué hay que ver", en: "What must be seen" }.get(lang)), &seen);
    for reading in of.readings {
        let label = format!("{} {}", Bi { es: "Lectura", en: "Reading" }.get(lang), reading.number);
        page.paragraph(Some(&label), &words(reading.words));
    }
    if !of.settings.is_empty() {
        let all = regulation.settings.list();
        let of_article = all.iter().filter(|(name, ..)| of.settings.contains(name));
        let figures: Vec<String> = of_article.map(|(name, _, value)| format!("`{name}` = {value}")).collect();
        page.paragraph(Some(Bi { es: "Ajustes", en: "Settings" }.get(lang)), &(figures.join(", ") + "."));
    }
    page.paragraph(Some(Bi { es: "En el código", en: "In the code" }.get(lang)), &format!("`{}`", of.file));
    let label = Bi { es: "Ejemplo", en: "Example" }.get(lang);
    page.paragraph(Some(label), &format!("{} `{}`:", Bi { es: "de", en: "from" }.get(lang), examples::file(of)));
    page.lines(&excerpt(of, lang)?);
    Ok(page.text)
}

/// A page being written.
struct Page {
    text: String,
    style: Style,
}

impl Page {
    fn heading(&mut self, words: &str) {
        match self.style {
            Style::Markdown => self.text += &format!("## {words}\n"),
            Style::Terminal { .. } => self.text += &format!("{words}\n{}\n", "─".repeat(words.chars().count())),
        }
    }

    fn paragraph(&mut self, label: Option<&str>, words: &str) {
        match (self.style, label) {
            (Style::Markdown, Some(label)) => self.text += &format!("\n**{label}:** {words}\n"),
            (Style::Markdown, None) => self.text += &format!("\n{words}\n"),
            (Style::Terminal { width }, label) => {
                let label = label.map_or_else(String::new, |label| format!("{label}: "));
                self.text += &format!("\n{}\n", fold(&(label + &words.replace('`', "")), width));
            }
        }
    }

    fn lines(&mut self, lines: &[String]) {
        let (fence, width) = match self.style {
            Style::Markdown => ("```\n", usize::MAX),
            Style::Terminal { width } => ("", width),
        };
        let lines: Vec<String> = lines.iter().map(|line| hang(line, width)).collect();
        self.text += &format!("\n{fence}{}\n{fence}", lines.join("\n"));
    }
}

/// Breaks lines at spaces so that none is longer than `width` characters, but for a longer word.
fn fold(words: &str, width: usize) -> String {
    let mut text = String::new();
    let mut column = 0;
    for word in words.split_whitespace() {
        let length = word.chars().count();
        if column > 0 && column + 1 + length > width {
            text.push('\n');
            column = 0;
        } else if column > 0 {
            text.push(' ');
            column += 1;
        }
        text += word;
        column += length;
    }
    text
}

/// A line with its indent; what does not fit the width goes on below, under its first word.
fn hang(line: &str, width: usize) -> String {
    let Some((indent, words)) = line.split_once("→ ").filter(|_| line.chars().count() > width) else {
        return line.to_string();
    };
    let below = format!("\n{indent}  ");
    format!("{indent}→ {}", fold(words, width.saturating_sub(below.chars().count() - 1)).replace('\n', &below))
}

#[cfg(test)]
mod tests {
    use super::*;
    use sabot_law::regulation::sala8::SALA_8;

    #[test]
    fn a_line_on_a_terminal_is_no_longer_than_it_is_wide_and_loses_no_word() {
        let words = "una carta descubierta a cada apuesta de izquierda a derecha";
        let folded = fold(words, 20);
        assert!(folded.lines().all(|line| line.chars().count() <= 20), "{folded}");
        assert_eq!(folded.split_whitespace().collect::<Vec<_>>(), words.split(' ').collect::<Vec<_>>());
    }

    #[test]
    fn an_article_on_a_terminal_has_no_markup_and_shows_its_example_with_the_answer() {
        let c7 = SALA_8.article("c7").unwrap();
        let text = article(&SALA_8, c7, Lang::En, Style::Terminal { width: 90 }).unwrap();
        assert!(!text.contains("**") && !text.contains('`'), "{text}");
        assert!(text.contains(r#" 20  {"ev":"draw","card":"8D","to":"bank","face":"up"}"#), "{text}");
        assert!(text.contains("→ C7 bank (irregularity)") && text.contains("→ C7 bank cleared"), "{text}");
        assert!(text.lines().all(|line| line.chars().count() <= 90), "{text}");
    }
}
