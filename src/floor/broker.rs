//! How the broker is reached.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use async_nats::jetstream::Context;
use async_nats::{Client, ConnectOptions, Event, jetstream};

/// A broker that is cut off without a word is noticed at the third of these.
const PING: Duration = Duration::from_secs(2);
/// Of so many refusals that differ the log hears.
const MOST_SAID: usize = 32;
/// Nothing that is asked of the broker may take longer.
const ANSWER: Duration = Duration::from_secs(5);

/// A broker: where it is, and who asks.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Broker {
    /// `nats://host:4222`, or `tls://host:4222`; several, with commas between them, are one cluster.
    pub url: String,
    /// A file of credentials, as `nsc` writes it.
    pub credentials: Option<PathBuf>,
    /// The certificate of the authority that signed the broker's, in PEM; the machine's own ones where none is named.
    pub authority: Option<PathBuf>,
    /// A certificate of one's own and its private key, in PEM.
    pub certificate: Option<(PathBuf, PathBuf)>,
    /// The JetStream domain: that of the centre, where one is connected to a leaf node.
    pub domain: Option<String>,
}

/// Why the broker is not reached.
#[derive(Debug, thiserror::Error)]
pub enum BrokerError {
    /// The file of credentials cannot be read.
    #[error(
        "{}: {why}\n  = `credentials` names a file as `nsc` writes it (`nsc generate creds`); who logs in by a \
         certificate names `certificate` and `certificate_key` instead",
        file.display()
    )]
    Credentials {
        /// Which.
        file: PathBuf,
        /// Why not.
        why: std::io::Error,
    },
    /// It does not answer, or does not let one in.
    #[error("{}: {why}", without_login(url))]
    Connect {
        /// Where.
        url: String,
        /// Why not.
        why: async_nats::ConnectError,
    },
}

/// What happens on a connection, in the log. What the broker refuses, such as a subject that a login may not publish,
/// it refuses each time: it is said once.
fn tell(event: &Event, said: &Mutex<BTreeSet<String>>) {
    let Event::ServerError(error) = event else {
        tracing::debug!(%event, "the broker's connection");
        return;
    };
    let (words, mut said) = (error.to_string(), said.lock().unwrap_or_else(PoisonError::into_inner));
    if said.len() < MOST_SAID && said.insert(words.clone()) {
        tracing::warn!("the broker refuses something: {words}");
    }
}

/// The addresses without who logs in there and with what. A password may hold what else stands between two addresses,
/// so nothing before the last of them is shown.
fn without_login(urls: &str) -> String {
    urls.rsplit_once('@').map_or_else(|| urls.to_owned(), |(_, hosts)| format!("…@{hosts}"))
}

impl Broker {
    /// Connects; from then on the connection is made anew by itself when it is lost.
    ///
    /// # Errors
    /// When the broker does not answer, or does not let one in.
    pub async fn connect(&self, name: &str) -> Result<(Client, Context), BrokerError> {
        self.connect_told(name, |_| ()).await
    }

    /// The same; what the broker refuses from then on is told to `refused`, in its words, each time.
    ///
    /// # Errors
    /// As [`connect`](Self::connect).
    pub async fn connect_told(
        &self,
        name: &str,
        refused: impl Fn(&str) + Send + Sync + 'static,
    ) -> Result<(Client, Context), BrokerError> {
        let mut options = ConnectOptions::new().name(name).connection_timeout(ANSWER).request_timeout(Some(ANSWER));
        options = options.ping_interval(PING);
        let said = Mutex::new(BTreeSet::new());
        options = options.event_callback(move |event| {
            if let Event::ServerError(error) = &event {
                refused(&error.to_string());
            }
            tell(&event, &said);
            std::future::ready(())
        });
        options = options.require_tls(self.url.starts_with("tls:") || self.authority.is_some());
        if let Some(file) = &self.credentials {
            let refused = |why| BrokerError::Credentials { file: file.clone(), why };
            options = options.credentials_file(file).await.map_err(refused)?;
        }
        if let Some(file) = &self.authority {
            options = options.add_root_certificates(file.clone());
        }
        if let Some((certificate, key)) = &self.certificate {
            options = options.add_client_certificate(certificate.clone(), key.clone());
        }
        let servers: Vec<&str> = self.url.split(',').map(str::trim).collect();
        let refused = |why| BrokerError::Connect { url: self.url.clone(), why };
        let client = options.connect(servers).await.map_err(refused)?;
        let mut context = match &self.domain {
            Some(domain) => jetstream::with_domain(client.clone(), domain),
            None => jetstream::new(client.clone()),
        };
        context.set_timeout(ANSWER);
        Ok((client, context))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_broker_that_is_not_reached_is_named_without_who_logs_in_there() {
        for login in ["nats://hall:hush7", "hall:hush7", "nats://hall:hu,sh7", "tls://x@y", "nats://a, nats://x:,://y"]
        {
            assert_eq!(without_login(&format!("{login}@a:4222, tls://b")), "…@a:4222, tls://b");
        }
        assert_eq!(without_login("nats://127.0.0.1:4222,nats://b"), "nats://127.0.0.1:4222,nats://b");
    }
}
