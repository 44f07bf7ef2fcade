//! Encrypted ways, logins that may no more than they need, and a leaf node in the casino with its centre elsewhere.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use base64ct::{Base64UrlUnpadded, Encoding};
use nkeys::KeyPair;
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa};
use sabot_floor::broker::Broker;
use sabot_floor::store::Store;
use sabot_floor::store::postgres::Postgres as Database;
use sabot_floor::subjects::TableId;
use sabot_floor::uplink::{Settings, Uplink};
use sabot_floor::verdicts::{self, Heard};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::sync::{mpsc, watch};
use tokio::time::{sleep, timeout};

use crate::casino::{House, Station, all_is_kept};
use crate::engines::{Nats, PATIENCE, Postgres, free_port};
use crate::faults::local;
use crate::sharing::until;

/// The house's authority and what it has signed.
struct Certificates {
    folder: TempDir,
    issuer: CertifiedIssuer<'static, rcgen::KeyPair>,
}

impl Certificates {
    fn new() -> Self {
        let mut params = CertificateParams::new([]).unwrap();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        params.distinguished_name.push(DnType::CommonName, "authority of the house");
        let issuer = CertifiedIssuer::self_signed(params, rcgen::KeyPair::generate().unwrap()).unwrap();
        let made = Self { folder: TempDir::new().unwrap(), issuer };
        fs::write(made.authority(), made.issuer.pem()).unwrap();
        made
    }

    fn authority(&self) -> PathBuf {
        self.folder.path().join("authority.crt")
    }

    /// A certificate and its key, of somebody on this machine.
    fn of(&self, name: &str) -> (PathBuf, PathBuf) {
        let mut params = CertificateParams::new(["127.0.0.1".to_owned(), "localhost".to_owned()]).unwrap();
        params.distinguished_name = rcgen::DistinguishedName::new();
        params.distinguished_name.push(DnType::CommonName, name);
        let key = rcgen::KeyPair::generate().unwrap();
        let certificate = params.signed_by(&key, &self.issuer).unwrap();
        let (crt, secret) =
            (self.folder.path().join(format!("{name}.crt")), self.folder.path().join(format!("{name}.key")));
        fs::write(&crt, certificate.pem()).unwrap();
        fs::write(&secret, key.serialize_pem()).unwrap();
        (crt, secret)
    }

    /// As brokers are told of it.
    fn tls(&self, name: &str) -> String {
        let (crt, key) = self.of(name);
        format!("cert_file: {crt:?}\n ca_file: {:?}\n key_file: {key:?}\n verify: true\n", self.authority())
    }
}

fn uplink(station: &Station, house: &House, broker: Broker) -> Uplink {
    let (table, record, sinks) = (station.id.clone(), station.record(), vec![house.key.clone()]);
    Uplink::start(Settings { table, record, broker, sinks }).unwrap()
}

/// All that `docs/floor.md` says a station needs to be allowed; the centre's domain where it has one.
fn allowed(station: &Station, domain: Option<&str>) -> (Vec<String>, Vec<String>) {
    let (house, pit, table) = (station.id.house(), station.id.pit(), station.id.table());
    let of_table = format!("sabot.{house}.{pit}.{table}");
    let api = domain.map_or("$JS.API".to_owned(), |domain| format!("$JS.{domain}.API"));
    let of = |what: &str| format!("{of_table}.{what}");
    let publish = vec![of("line"), of("checkpoint"), of("verdict"), format!("{api}.STREAM.MSG.GET.*")];
    (publish, vec![format!("{of_table}.receipt.*"), "_INBOX.>".to_owned()])
}

#[tokio::test]
#[ignore = "needs nats-server and PostgreSQL"]
async fn a_station_at_a_leaf_node_with_a_certificate_of_its_own_is_kept_at_the_centre() {
    let test = async {
        let certificates = Certificates::new();
        let mut station = Station::new("BJ-07");
        station.deal(100, "far away");
        station.close();
        let leaf_port = free_port();
        let centre = Nats::configured(&format!(
            "jetstream {{ domain: centre, store_dir: \"STORE\" }}\ntls {{ {} }}\n\
             leafnodes {{ listen: \"127.0.0.1:{leaf_port}\"\n tls {{ {} }} }}",
            certificates.tls("centre"),
            certificates.tls("centre-leaf")
        ));
        let (publish, subscribe) = allowed(&station, Some("centre"));
        let leaf = Nats::configured(&format!(
            "server_name: casino\ntls {{ {} verify_and_map: true }}\n\
             authorization {{ users: [ {{ user: \"CN=BJ-07\",\n\
             permissions: {{ publish: {publish:?}, subscribe: {subscribe:?} }} }} ] }}\n\
             leafnodes {{ remotes: [ {{ url: \"tls://127.0.0.1:{leaf_port}\", tls {{ {} }} }} ] }}",
            certificates.tls("casino").replace(" verify: true\n", ""),
            certificates.tls("casino-remote").replace(" verify: true\n", "")
        ));
        let postgres = Postgres::start_with_tls(certificates.of("database"));
        let mut house = House::new(&centre.url().replace("nats:", "tls:"), &[&station]);
        house.config.broker.authority = Some(certificates.authority());
        house.config.broker.certificate = Some(certificates.of("sink"));
        let (url, authority) = (postgres.url(), certificates.authority());
        let mut store = Database::open(&url, Some(&authority)).await.unwrap();
        let _sink = house.sink(async move || Database::open(&url, Some(&authority)).await);
        let broker = Broker {
            url: leaf.url().replace("nats:", "tls:"),
            authority: Some(certificates.authority()),
            certificate: Some(certificates.of("BJ-07")),
            domain: Some("centre".to_owned()),
            credentials: None,
        };
        let known = uplink(&station, &house, broker.clone());
        all_is_kept(&mut store, &[&station]).await;
        until("the state of shipping", async || known.state().borrow().kept == 101).await;
        known.stop();
        is_told_at_the_centre(&station, &broker, &house.config.broker).await;
        assert!(
            Database::open(&postgres.url(), Some(&certificates.of("database").0)).await.is_err(),
            "another authority"
        );
        let nobody = Broker { certificate: None, ..broker };
        assert!(nobody.connect("nobody").await.is_err(), "who has no certificate is not let in");
    };
    local(test).await;
}

/// How a table stands is told at the leaf node, and heard at the centre.
async fn is_told_at_the_centre(station: &Station, leaf: &Broker, centre: &Broker) {
    let (give, given) = watch::channel(Vec::new());
    let (hearing, mut heard) = mpsc::channel(8);
    let all = TableId::verdicts(None, None).unwrap();
    let listening = tokio::spawn(verdicts::hear(centre.clone(), all, hearing));
    let telling = tokio::spawn(verdicts::tell(leaf.clone(), station.id.clone(), given));
    let comes = async {
        loop {
            give.send_replace(b"so it stands".to_vec());
            match timeout(Duration::from_millis(300), heard.recv()).await {
                Ok(Some(Heard::Verdict { table, said })) => return (table, said),
                Ok(news) => assert!(matches!(news, Some(Heard::Here)), "{news:?}"),
                Err(_) => {}
            }
        }
    };
    let came = timeout(PATIENCE, comes).await.expect("it is heard");
    assert_eq!(came, (station.id.clone(), b"so it stands".to_vec()));
    listening.abort();
    telling.abort();
}

/// A claim of NATS, signed.
fn claim(by: &KeyPair, about: &KeyPair, nats: &Value) -> String {
    let base64 = |value: &Value| Base64UrlUnpadded::encode_string(value.to_string().as_bytes());
    let head = json!({ "typ": "JWT", "alg": "ed25519-nkey" });
    let body = json!({ "jti": about.public_key(), "iat": 1, "iss": by.public_key(), "name": about.public_key(),
        "sub": about.public_key(), "nats": nats });
    let text = format!("{}.{}", base64(&head), base64(&body));
    let signature = Base64UrlUnpadded::encode_string(&by.sign(text.as_bytes()).unwrap());
    format!("{text}.{signature}")
}

/// A file of credentials, as `nsc` writes it.
fn credentials(folder: &Path, account: &KeyPair, (publish, subscribe): (Vec<String>, Vec<String>)) -> PathBuf {
    let user = KeyPair::new_user();
    let may = json!({ "type": "user", "version": 2, "subs": -1, "data": -1, "payload": -1,
        "pub": { "allow": publish }, "sub": { "allow": subscribe } });
    let file = folder.join(format!("{}.creds", user.public_key()));
    let text = format!(
        "-----BEGIN NATS USER JWT-----\n{}\n------END NATS USER JWT------\n\n\
         -----BEGIN USER NKEY SEED-----\n{}\n------END USER NKEY SEED------\n",
        claim(account, &user, &may),
        user.seed().unwrap()
    );
    fs::write(&file, text).unwrap();
    file
}

#[tokio::test]
#[ignore = "needs nats-server"]
async fn credentials_let_a_station_speak_for_its_own_table_and_for_no_other() {
    let test = async {
        let folder = TempDir::new().unwrap();
        let (operator, account, system) = (KeyPair::new_operator(), KeyPair::new_account(), KeyPair::new_account());
        // what an account may store; the system's own stores nothing
        let limits = |stored: i64| {
            json!({ "subs": -1, "data": -1, "payload": -1, "imports": -1, "exports": -1, "wildcards": true, "conn": -1,
                "leaf": -1, "mem_storage": stored, "disk_storage": stored, "streams": stored, "consumer": stored })
        };
        let of_operator = claim(&operator, &operator, &json!({ "type": "operator", "version": 2 }));
        let [of_account, of_system] = [(&account, -1), (&system, 0)].map(|(account, stored)| {
            let may = json!({ "type": "account", "version": 2, "limits": limits(stored) });
            claim(&operator, account, &may)
        });
        let nats = Nats::configured(&format!(
            "jetstream {{ store_dir: \"STORE\" }}\noperator: {of_operator}\nresolver: MEMORY\n\
             system_account: {1}\nresolver_preload {{ {0}: {of_account}, {1}: {of_system} }}",
            account.public_key(),
            system.public_key()
        ));
        let (mut honest, mut other) = (Station::new("BJ-07"), Station::new("BJ-08"));
        let mut house = House::new(&nats.url(), &[&honest, &other]);
        let everything = || (vec![">".to_owned()], vec![">".to_owned()]);
        house.config.broker.credentials = Some(credentials(folder.path(), &account, everything()));
        let broker = |may| Broker {
            url: nats.url(),
            credentials: Some(credentials(folder.path(), &account, may)),
            ..Broker::default()
        };
        let _sink = house.sqlite_sink();
        let mut store = house.sqlite();
        // whoever runs BJ-07 sends lines for BJ-08
        let of_honest = broker(allowed(&honest, None));
        other.deal(10, "forged");
        other.close();
        let forger = uplink(&other, &house, of_honest.clone());
        honest.deal(50, "of its own");
        honest.close();
        let uplink = uplink(&honest, &house, of_honest);
        all_is_kept(&mut store, &[&honest]).await;
        sleep(Duration::from_secs(1)).await;
        let kept: Vec<_> = store.records().await.unwrap().into_iter().map(|(table, _)| table).collect();
        assert_eq!(kept, [honest.id.clone()], "the broker lets nobody speak for another table");
        let nobody = Broker { url: nats.url(), ..Broker::default() };
        assert!(nobody.connect("nobody").await.is_err(), "who has no credentials is not let in");
        forger.stop();
        uplink.stop();
    };
    local(test).await;
}
