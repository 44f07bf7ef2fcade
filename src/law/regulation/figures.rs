//! The figures in an article's words: a text names a setting, and the house's own figure stands there.
//!
//! | written | stands for |
//! |---|---|
//! | `{min_decks}` | a number: in words from 2 to 12 and for 50, else in digits; a rate: in per cent |
//! | `{bank_stands:digits}` | the number in digits |
//! | `{insurance:odds}` | the rate in words, "dos a uno" |
//! | `{insurance:times}` | the rate as a multiple, "el doble" |
//! | `{insurance_part:part}` | the rate as a part, "la mitad" |
//! | `{behind_cut_card:least}`, `:most` | an end of a span, in digits |
//! | `{misdealt\|burn=is burned\|_=…}` | the words for the setting's value, `_` for any other; they may name settings too |
//!
//! Any other name in braces stays as it is.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::{String, ToString};

use crate::table::answer::Lang;
use crate::table::{Rate, Settings};

/// The words with the house's figures.
#[must_use]
pub fn fill<'a>(text: &'a str, settings: &Settings, lang: Lang) -> Cow<'a, str> {
    if !text.contains('{') {
        return Cow::Borrowed(text);
    }
    let mut filled = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(open) = rest.find('{') {
        let Some(close) = closing(&rest[open..]) else { break };
        filled.push_str(&rest[..open]);
        let inner = &rest[open + 1..open + close];
        match figure(inner, settings, lang) {
            Some(words) => filled.push_str(&words),
            None => filled.push_str(&rest[open..=open + close]),
        }
        rest = &rest[open + close + 1..];
    }
    filled.push_str(rest);
    Cow::Owned(filled)
}

/// Where the brace that `text` begins with is closed.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    text.char_indices().find_map(|(at, letter)| {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        (depth == 0).then_some(at)
    })
}

/// What stands in braces, in words; `None` where it names no setting.
fn figure(inner: &str, settings: &Settings, lang: Lang) -> Option<String> {
    let end = inner.find([':', '|']).unwrap_or(inner.len());
    let (name, rest) = inner.split_at(end);
    let shown = settings.value(name)?;
    let value = shown.trim_matches('"');
    if let Some(choices) = rest.strip_prefix('|') {
        return Some(fill(chosen(choices, value), settings, lang).into_owned());
    }
    let form = rest.strip_prefix(':').unwrap_or("");
    if let Ok(rate) = value.parse::<Rate>() {
        return Some(rate_in_words(rate, form, lang));
    }
    if let Some((least, most)) = value.strip_prefix('[').and_then(|span| span.strip_suffix(']')?.split_once(", ")) {
        return Some(if form == "least" { least } else { most }.to_string());
    }
    match value.parse() {
        Ok(number) if form != "digits" => Some(in_words(number, lang).map_or_else(|| value.to_string(), String::from)),
        _ => Some(value.to_string()),
    }
}

/// The words for a value among `a=…|b=…|_=…`; nothing where none fits.
fn chosen<'a>(choices: &'a str, value: &str) -> &'a str {
    let mut rest = choices;
    while !rest.is_empty() {
        let mut depth = 0_usize;
        let end = rest.char_indices().find(|(_, letter)| {
            match letter {
                '{' => depth += 1,
                '}' => depth -= 1,
                _ => {}
            }
            depth == 0 && *letter == '|'
        });
        let (choice, after) = end.map_or((rest, ""), |(at, _)| (&rest[..at], &rest[at + 1..]));
        if let Some((key, words)) = choice.split_once('=')
            && (key == value || key == "_")
        {
            return words;
        }
        rest = after;
    }
    ""
}

const WORDS: [(u64, &str, &str); 12] = [
    (2, "dos", "two"),
    (3, "tres", "three"),
    (4, "cuatro", "four"),
    (5, "cinco", "five"),
    (6, "seis", "six"),
    (7, "siete", "seven"),
    (8, "ocho", "eight"),
    (9, "nueve", "nine"),
    (10, "diez", "ten"),
    (11, "once", "eleven"),
    (12, "doce", "twelve"),
    (50, "cincuenta", "fifty"),
];

fn in_words(number: u64, lang: Lang) -> Option<&'static str> {
    let (_, es, en) = WORDS.iter().find(|(known, ..)| *known == number)?;
    Some(if lang == Lang::Es { es } else { en })
}

fn rate_in_words(rate: Rate, form: &str, lang: Lang) -> String {
    let es = lang == Lang::Es;
    let Rate { pays, per } = rate;
    let per_cent = || {
        let hundredths = pays * 100;
        if hundredths.is_multiple_of(per) { format!("{} %", hundredths / per) } else { rate.to_string() }
    };
    let side = |number| match (number, es) {
        (1, true) => "uno".to_string(),
        (1, false) => "one".to_string(),
        (number, _) => in_words(number, lang).map_or_else(|| number.to_string(), String::from),
    };
    match form {
        "odds" => format!("{} {} {}", side(pays), if es { "a" } else { "to" }, side(per)),
        "times" if (pays, per) == (2, 1) => if es { "el doble" } else { "twice" }.to_string(),
        "times" if es => format!("el {}", per_cent()),
        "times" => format!("{} of", per_cent()),
        "part" if (pays, per) == (1, 2) => if es { "la mitad" } else { "half" }.to_string(),
        "part" if es => format!("el {}", per_cent()),
        "part" => format!("{} of", per_cent()),
        _ => per_cent(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::regulation::{ALL, Bi};
    use crate::table::settings::{Changes, DoubleOn, Misdealt};

    fn house() -> Settings {
        crate::regulation::sala8::SALA_8.settings.clone()
    }

    #[test]
    fn a_figure_stands_in_words_or_digits_as_the_text_asks() {
        let settings = house().changed(&Changes { min_decks: Some(6), bank_stands: Some(18), ..Changes::default() });
        let es = |text| fill(text, &settings, Lang::Es).into_owned();
        assert_eq!(es("{min_decks} mazos o {min_decks:digits}; {bank_stands}"), "seis mazos o 6; 18");
        assert_eq!(es("{blackjack}; {insurance:odds}; {insurance:times}"), "150 %; dos a uno; el doble");
        assert_eq!(
            es("{insurance_part:part}; de {behind_cut_card:least} a {behind_cut_card:most}"),
            "la mitad; de 40 a 64"
        );
        assert_eq!(es("el {place} y {nada"), "el {place} y {nada");
        let en = fill("{cut_deeper_than} cards, {split_ace_blackjack:odds}", &settings, Lang::En).into_owned();
        assert_eq!(en, "fifty cards, one to one");
        let (blackjack, insurance) = (Some(Rate { pays: 7, per: 3 }), Some(Rate { pays: 3, per: 2 }));
        let odd = house().changed(&Changes { blackjack, insurance, ..Changes::default() });
        assert_eq!(fill("{blackjack}; {insurance:times} it", &odd, Lang::En), "7:3; 150 % of it");
    }

    #[test]
    fn the_words_chosen_are_those_of_the_settings_value() {
        let text =
            "{misdealt|burn=burn it ({place})|back=put it back|_=the room, from {bank_stands}}; {double_on|any=any}";
        let of = |misdealt| {
            let (misdealt, double_on) = (Some(misdealt), Some(DoubleOn::Never));
            fill(text, &house().changed(&Changes { misdealt, double_on, ..Changes::default() }), Lang::En).into_owned()
        };
        assert_eq!(of(Misdealt::Burn), "burn it ({place}); ");
        assert_eq!(of(Misdealt::Back), "put it back; ");
        assert_eq!(of(Misdealt::Room), "the room, from 17; ");
    }

    #[test]
    fn every_text_of_every_article_names_settings_there_are_and_nothing_else() {
        for article in ALL.iter().flat_map(|house| house.articles.iter()) {
            let others = article
                .readings
                .iter()
                .map(|reading| reading.words)
                .chain(article.cases.iter().map(|case| Bi { es: case.es, en: case.en }));
            let all = [article.title, article.gist, article.raised, article.remedy].into_iter().chain(others);
            for Bi { es, en } in all {
                for (words, lang) in [(es, Lang::Es), (en, Lang::En)] {
                    let filled = fill(words, &house(), lang).replace("{place}", "");
                    assert!(!filled.contains(['{', '}', '|']), "{}: {filled}", article.id);
                }
            }
        }
    }
}
