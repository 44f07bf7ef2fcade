//! `[[webhook]]`: who is told of the record's lines by HTTP.

use std::net::IpAddr;
use std::path::{Path, PathBuf};

use hyper::Uri;
use serde::Deserialize;
use toml::Spanned;

use super::key_examples::{TABLE, example};
use super::mistake::Fault;

sabot_words::words! {
    "a profile of a webhook";
    /// What one who is told by HTTP is told.
    pub enum Profile {
        /// Each line of the record, as programs are told it.
        Lines = "lines",
        /// What was found and what became of it, without what happened, and without players.
        Findings = "findings",
        /// The table in brief, each time that somebody elsewhere would act on something else.
        Verdict = "verdict",
    }
}

sabot_words::words! {
    "a format of a webhook";
    /// As what one who is told by HTTP is told.
    pub enum Format {
        /// As it is.
        Plain = "plain",
        /// As a CloudEvent, in structured mode.
        CloudEvents = "cloudevents",
    }
}

/// Who is told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebhookConfig {
    /// Its name, which no other has.
    pub name: String,
    /// Over TLS.
    pub tls: bool,
    /// A name or an address; one of IPv6 without brackets.
    pub host: String,
    /// The port.
    pub port: u16,
    /// What is asked for there.
    pub path: String,
    /// The file of the secret that signs what is told.
    pub secret: PathBuf,
    /// What is told.
    pub profile: Profile,
    /// As what.
    pub format: Format,
    /// The certificate of the authority that signed the receiver's.
    pub authority: Option<PathBuf>,
}

impl WebhookConfig {
    /// Host and port, as a request names them.
    #[must_use]
    pub fn to(&self) -> String {
        let Self { host, port, .. } = self;
        if host.contains(':') { format!("[{host}]:{port}") } else { format!("{host}:{port}") }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawWebhook {
    name: Spanned<String>,
    url: Spanned<String>,
    secret: PathBuf,
    profile: Option<Spanned<String>>,
    format: Option<Spanned<String>>,
    authority: Option<PathBuf>,
}

pub(super) fn webhooks(raw: Vec<RawWebhook>, folder: &Path) -> Result<Vec<WebhookConfig>, Fault> {
    let mut all: Vec<WebhookConfig> = Vec::new();
    for one in raw {
        let name = one.name.get_ref();
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        if name.is_empty() || name.len() > 32 || !name.chars().all(plain) {
            let what = format!("`{name}` names no file: one to 32 letters, digits, `-` or `_`");
            return Err(Fault::at(one.name.span(), what, "write for example `name = \"surveillance\"`"));
        }
        if all.iter().any(|other| other.name == *name) {
            let what = format!("`{name}` stands here twice");
            return Err(Fault::at(one.name.span(), what, "give each webhook its own name, or remove one of them"));
        }
        let profile = match &one.profile {
            None => Profile::Findings,
            Some(word) => word.get_ref().parse().map_err(|_| {
                let what = format!("`{}` is no profile of a webhook", word.get_ref());
                Fault::at(word.span(), what, "write `profile = \"findings\"`, `\"lines\"` or `\"verdict\"`")
            })?,
        };
        let format = match &one.format {
            None => Format::Plain,
            Some(word) => word.get_ref().parse().map_err(|_| {
                let what = format!("`{}` is no format of a webhook", word.get_ref());
                Fault::at(word.span(), what, "write `format = \"cloudevents\"`, or leave it out")
            })?,
        };
        let (tls, host, port, path) = address(&one.url, one.authority.is_some())?;
        let (secret, authority) = (folder.join(&one.secret), one.authority.map(|file| folder.join(file)));
        all.push(WebhookConfig { name: name.clone(), tls, host, port, path, secret, profile, format, authority });
    }
    Ok(all)
}

/// Where a receiver is. What is told in clear stays on this machine.
fn address(raw: &Spanned<String>, has_authority: bool) -> Result<(bool, String, u16, String), Fault> {
    let text = raw.get_ref();
    let fault = |what: String, instead: String| Err(Fault::at(raw.span(), what, instead));
    let Some((tls, host, port, path)) = parsed(text) else {
        return fault("this is no address that can be told by HTTP".to_owned(), example(TABLE, "url"));
    };
    let is_here = host == "localhost" || host.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback());
    match tls {
        false if !is_here => {
            fault(format!("what is told would cross the network in clear to {host}"), example(TABLE, "url"))
        }
        true if !has_authority => {
            let what = format!("nothing says who signed the certificate of {host}");
            fault(what, example(TABLE, "authority").replacen("write", "add", 1))
        }
        _ => Ok((tls, host, port, path)),
    }
}

fn parsed(text: &str) -> Option<(bool, String, u16, String)> {
    let uri: Uri = text.trim().parse().ok()?;
    let (tls, port) = match uri.scheme_str()? {
        "https" => (true, 443),
        "http" => (false, 80),
        _ => return None,
    };
    let host = uri.host()?.trim_start_matches('[').trim_end_matches(']').to_ascii_lowercase();
    let path = uri.path_and_query().map_or_else(|| "/".to_owned(), ToString::to_string);
    let is_one = !host.is_empty() && !uri.authority()?.as_str().contains('@');
    is_one.then(|| (tls, host, uri.port_u16().unwrap_or(port), path))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::tests::{TEXT, with_section};
    use super::super::{Config, ConfigError};
    use super::{Profile, parsed};

    /// The example with its webhook.
    fn documented() -> String {
        with_section("[[webhook]]")
    }

    #[test]
    fn the_documented_webhook_reads_and_without_it_there_is_none() {
        let path = Path::new("/etc/sabot/station.toml");
        let config = Config::parse(path, &documented()).unwrap_or_else(|error| panic!("{error}"));
        let [hook] = config.webhooks.as_slice() else { panic!("{:?}", config.webhooks) };
        assert_eq!((hook.to().as_str(), hook.path.as_str()), ("hooks.casino.example:8443", "/sabot"));
        assert_eq!((hook.profile, hook.tls), (Profile::Findings, true));
        assert_eq!(hook.secret, Path::new("/etc/sabot/surveillance.secret"));
        assert_eq!(Config::parse(path, TEXT).unwrap().webhooks, []);
    }

    #[test]
    fn an_address_has_a_path_and_a_port() {
        let at = |text| parsed(text).map(|(tls, host, port, path)| format!("{tls} {host} {port} {path}"));
        assert_eq!(at("https://Hooks.example/sabot?t=7").as_deref(), Some("true hooks.example 443 /sabot?t=7"));
        assert_eq!(at("http://[::1]:9000").as_deref(), Some("false ::1 9000 /"));
        for wrong in ["", "hooks", "ftp://hooks", "https://", "https://me@hooks/x", "/x"] {
            assert_eq!(at(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_mistake_of_a_webhook_is_told_with_its_line() {
        let after = |from: &str, to: &str| {
            let text = documented();
            assert!(text.contains(from), "{from}");
            match Config::parse(Path::new("station.toml"), &text.replacen(from, to, 1)) {
                Err(ConfigError::Mistake(mistake)) => format!("{mistake}"),
                other => panic!("{other:?}"),
            }
        };
        let url = "url = \"https://hooks.casino.example:8443/sabot\"";
        assert!(after("name = \"surveillance\"", "name = \"a b\"").contains("names no file"));
        assert!(after(url, "url = \"hooks\"").contains("no address"));
        let told = after(url, "url = \"https://me:hush@hooks/x?token=hush\"");
        assert!(told.contains("https://*******@hooks/x?**********\"") && !told.contains("hush"), "{told}");
        assert!(after(url, "url = \"http://10.20.0.9/sabot\"").contains("in clear to 10.20.0.9"));
        assert!(after("authority = \"authority.crt\"\n", "").contains("who signed the certificate"));
        assert!(after("profile = \"findings\"", "profile = \"all\"").contains("`profile = \"findings\"`"));
        let format = "format = \"cloudevents\"";
        assert!(after("profile = \"findings\"", "format = \"xml\"").contains(format));
        assert!(after("secret =", "secrets =").contains("unknown key `secrets`"));
        let twice = documented().replacen(
            "[[webhook]]",
            "[[webhook]]\nname = \"surveillance\"\nurl = \"http://[::1]\"\nsecret = \"s\"\n\n[[webhook]]",
            1,
        );
        let told = Config::parse(Path::new("station.toml"), &twice).unwrap_err().to_string();
        assert!(told.contains("stands here twice"), "{told}");
    }
}
