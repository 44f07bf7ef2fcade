//! Who may ask: names of this station alone, so that no page of a stranger reads it through a name of his own; and
//! only its own pages make it act.

use std::net::IpAddr;
use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, header};
use axum::middleware::{Next, from_fn_with_state, map_response};
use axum::response::{IntoResponse, Response};

/// Only this server's own files, and nothing in the page's text that runs.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
                      base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/// Pages behind the door: asked for by an address or one of these names, acted on by their own forms alone, and told
/// to run nothing that is not theirs.
pub fn guarded(pages: Router, names: Vec<String>) -> Router {
    pages.layer(from_fn_with_state(Arc::from(names), let_in)).layer(map_response(with_security_headers))
}

/// Lets in what is asked of this station, by its address or one of its names.
async fn let_in(State(names): State<Arc<[String]>>, request: Request, next: Next) -> Response {
    if !is_own(&names, host(request.headers(), request.uri())) {
        let told = "this page has another name: ask for it by its address, or add the name to `hosts`\n";
        return (StatusCode::MISDIRECTED_REQUEST, told).into_response();
    }
    if *request.method() == Method::POST && !is_from_own_page(request.headers()) {
        return (StatusCode::FORBIDDEN, "only this station's own pages act on its table\n").into_response();
    }
    next.run(request).await
}

fn host<'a>(headers: &'a HeaderMap, uri: &'a Uri) -> Option<&'a str> {
    uri.authority().map(|authority| authority.as_str()).or_else(|| headers.get(header::HOST)?.to_str().ok())
}

/// A number is nobody else's name: it may be asked for by any address. A missing name is an old program's.
fn is_own(names: &[String], host: Option<&str>) -> bool {
    let Some(host) = host else { return true };
    let (name, port) =
        host.rsplit_once(':').filter(|(name, _)| !name.contains(':') || name.ends_with(']')).unwrap_or((host, "0"));
    let bare = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
    let is_named = names.iter().map(String::as_str).chain(["localhost"]).any(|own| own.eq_ignore_ascii_case(name));
    port.parse::<u16>().is_ok() && (is_named || bare.parse::<IpAddr>().is_ok())
}

/// Browsers say from where a form comes; other programs say nothing, and carry no cookie that they were not given.
fn is_from_own_page(headers: &HeaderMap) -> bool {
    let said = |name: &str| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
    match (said("sec-fetch-site"), said("origin")) {
        (Some(site), _) => site == "same-origin",
        (None, Some(origin)) => {
            let host = said("host").unwrap_or_default();
            origin.split_once("://").is_some_and(|(_, from)| from.eq_ignore_ascii_case(host))
        }
        (None, None) => true,
    }
}

async fn with_security_headers(mut response: Response) -> Response {
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    #[test]
    fn a_station_answers_to_its_addresses_and_names_and_to_no_other() {
        let names = ["bj-07.casino.example".to_owned()];
        for own in [
            "127.0.0.1",
            "127.0.0.1:8080",
            "[::1]:8080",
            "[::1]",
            "192.168.1.9:80",
            "localhost:8080",
            "BJ-07.casino.example:443",
        ] {
            assert!(is_own(&names, Some(own)), "{own}");
        }
        for other in
            ["evil.example", "evil.example:8080", "localhost.evil.example", "127.0.0.1.evil.example", "", "x:y"]
        {
            assert!(!is_own(&names, Some(other)), "{other}");
        }
    }

    #[test]
    fn only_the_stations_own_pages_act_where_a_browser_says_which_it_is() {
        let from = |said: &[(&'static str, &'static str)]| {
            let said = said
                .iter()
                .map(|(name, value)| (axum::http::HeaderName::from_static(name), HeaderValue::from_static(value)));
            is_from_own_page(&said.collect())
        };
        assert!(from(&[("sec-fetch-site", "same-origin"), ("host", "a")]));
        assert!(from(&[("origin", "http://127.0.0.1:80"), ("host", "127.0.0.1:80")]));
        assert!(from(&[("host", "a")]));
        for foreign in ["cross-site", "same-site", "none"] {
            assert!(!from(&[("sec-fetch-site", foreign), ("origin", "http://a"), ("host", "a")]), "{foreign}");
        }
        for origin in ["http://evil.example", "null", "http://127.0.0.1:81", "127.0.0.1:80"] {
            assert!(!from(&[("origin", origin), ("host", "127.0.0.1:80")]), "{origin}");
        }
    }
}
