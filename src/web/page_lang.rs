//! The language in which a page is read.

use axum::extract::{FromRequestParts, Query};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, header};
use serde::Deserialize;

use sabot_law::table::answer::Lang;

/// The language of whoever asks: by the address, else by the browser, else Spanish. An unknown one in the address is
/// refused.
pub struct PageLang(pub Lang);

#[derive(Deserialize)]
struct LangQuery {
    lang: Option<String>,
}

impl<S: Sync> FromRequestParts<S> for PageLang {
    type Rejection = (StatusCode, String);

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Self::Rejection> {
        let refused = |text: &str| {
            let words = match preferred(&parts.headers) {
                Lang::Es => "no es un idioma: es o en",
                Lang::En => "is not a language: es or en",
            };
            (StatusCode::BAD_REQUEST, format!("lang={text}: {words}\n"))
        };
        let Ok(Query(query)) = Query::<LangQuery>::try_from_uri(&parts.uri) else { return Err(refused("?")) };
        match query.lang {
            None => Ok(Self(preferred(&parts.headers))),
            Some(text) => text.parse().map(Self).map_err(|_| refused(&text)),
        }
    }
}

/// The language that a browser prefers; Spanish where it prefers none of ours.
#[must_use]
pub fn preferred(headers: &HeaderMap) -> Lang {
    headers.get(header::ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok()).map_or(Lang::Es, by_browser)
}

/// The language of `Accept-Language` with the greatest weight; the first of equals, Spanish where there is none of
/// ours.
fn by_browser(accept: &str) -> Lang {
    let mut best = (0.0, Lang::Es);
    for range in accept.split(',') {
        let mut fields = range.split(';').map(str::trim);
        let tag = fields.next().unwrap_or_default().to_ascii_lowercase();
        let weight = fields.find_map(|field| field.strip_prefix("q=")).map_or(Ok(1.0), str::parse::<f32>);
        let Ok(lang) = tag.split('-').next().unwrap_or_default().parse::<Lang>() else { continue };
        if let Ok(weight) = weight
            && weight > best.0
        {
            best = (weight, lang);
        }
    }
    best.1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_browsers_first_choice_of_our_languages_wins_and_spanish_otherwise() {
        let cases = [
            ("", Lang::Es),
            ("fr-FR, de", Lang::Es),
            ("en-GB,en;q=0.9", Lang::En),
            ("es-AR,es;q=0.9,en;q=0.8", Lang::Es),
            ("fr, es;q=0.3, en;q=0.7", Lang::En),
            ("en;q=0, es;q=0.1", Lang::Es),
            ("en;q=much", Lang::Es),
            ("en;q=NaN", Lang::Es),
            ("EN", Lang::En),
        ];
        for (accept, lang) in cases {
            assert_eq!(by_browser(accept), lang, "{accept}");
        }
    }
}
