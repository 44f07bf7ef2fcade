//! What each key of a TOML file looks like when it is right.

/// Keys, each with a line that holds it.
pub(super) type Examples = &'static [(&'static str, &'static str)];

/// Of a table's configuration.
pub(super) const TABLE: Examples = &[
    ("table", "table = \"BJ-07\""),
    ("regulation", "regulation = \"sala-8\""),
    ("boxes", "boxes = 7"),
    ("limits", "limits = { min = 50000, max = 5000000 }"),
    ("min", "min = 50000"),
    ("max", "max = 5000000"),
    ("observes", "observes = [\"bets\", \"asks\", \"decisions\", \"announcements\"]"),
    ("lang", "lang = \"es\""),
    ("listen", "listen = \"127.0.0.1:8080\""),
    ("journal", "journal = \"BJ-07.jsonl\""),
    ("journal_key", "journal_key = \"BJ-07.key\""),
    ("journal_readers", "journal_readers = [\"auditor.pub\"]"),
    ("journal_seal", "journal_seal = \"/run/sabot/BJ-07.seal\""),
    ("gaming_day", "gaming_day = \"06:00\""),
    ("time_zone", "time_zone = \"Europe/Madrid\""),
    ("clocks", "clocks = { video = \"192.0.2.20\" }"),
    ("journal_keep_days", "journal_keep_days = 400"),
    ("exposure_us", "exposure_us = 1000"),
    ("pictures_keep_days", "pictures_keep_days = 30"),
    ("journal_witnesses", "journal_witnesses = [\"stick.vkey\"]"),
    ("broker", "broker = \"nats://127.0.0.1:4222\""),
    ("house", "house = \"casino\""),
    ("pit", "pit = \"planta-1\""),
    ("name", "name = \"BJ-07\""),
    ("sinks", "sinks = [\"sink.vkey\"]"),
    ("credentials", "credentials = \"BJ-07.creds\""),
    ("authority", "authority = \"ca.pem\""),
    ("certificate", "certificate = \"BJ-07.crt\""),
    ("certificate_key", "certificate_key = \"BJ-07.pem\""),
    ("domain", "domain = \"centre\""),
    ("page", "page = \"https://bj-07.casino.example:8443\""),
    ("webhook", "[[webhook]]` and under it `name`, `url` and `secret"),
    ("url", "url = \"https://hooks.casino.example:8443/sabot\""),
    ("secret", "secret = \"surveillance.secret\""),
    ("profile", "profile = \"findings\""),
    ("format", "format = \"cloudevents\""),
    ("program", "program = \"5f2b6c1f3d0e8a97c4b1d2e3f405162738495a6b7c8d9eafb0c1d2e3f4a5b6c7\""),
    ("test_mode", "test_mode = true"),
    ("place_wait_ms", "place_wait_ms = 1500"),
    ("role", "role = \"shoe\""),
    ("port", "port = \"/dev/sabot-shoe\""),
    ("baud", "baud = 115200"),
    ("serial", "serial = \"SH-0001\""),
    ("image", "image = \"a24fc3ba9ae25ee2fdd4b7b4d9a6a9c4f3c3c4aa04f1a6d0a8d6de7fc1ce6e0b\""),
    ("keys", "keys = \"keys.toml\""),
    ("chip_registry", "chip_registry = \"chips.jsonl\""),
    ("deck_registry", "deck_registry = \"decks.jsonl\""),
    ("staff", "staff = \"staff.toml\""),
    ("second_person", "second_person = { rule = [\"inspector\"] }"),
    ("silent", "silent = [\"C12\"]"),
    ("silent_told_to", "silent_told_to = [\"surveillance\", \"room\"]"),
    ("hosts", "hosts = [\"bj-07.casino.example\"]"),
    ("tls", "tls = \"tls\""),
    ("driver", "driver = \"feig\""),
    ("spots", "spots = [{ box = 1, reader = 0 }, { box = 2, reader = 1 }]"),
    ("buffered", "buffered = true"),
    ("value_block", "value_block = 4"),
    ("poll_ms", "poll_ms = 100"),
    ("hold_ms", "hold_ms = 2000"),
    ("multiplexer", "multiplexer = true"),
    ("presence", "presence = { rounds = 5, read = 2, missed = 8, missed_ms = 1500 }"),
    ("protocol", "protocol = \"ssi\""),
    ("cards", "cards = \"cards.toml\""),
    ("deck", "deck = \"deck.png\""),
    ("out", "out = \"down\""),
    ("duplicate_ms", "duplicate_ms = 400"),
    ("no_read", "no_read = \"NOREAD\""),
    ("ack", "ack = true"),
    ("address", "address = \"192.168.10.1:10000\""),
    ("code_page", "code_page = 850"),
    ("brightness", "brightness = 4"),
    ("buzzer", "buzzer = \"until_entry\""),
    ("colors", "colors = { notice = \"amber\", irregularity = \"red\", integrity = \"red blinking\" }"),
];

/// Of a table of symbols.
pub(super) const CARDS: Examples = &[
    ("unique", "unique = false"),
    ("cut", "cut = \"CUT-00\""),
    ("empty", "empty = \"EMPTY-00\""),
    ("cards", "[cards]"),
    ("load", "[load]` and under it `\"LOAD-8\" = { cards = 416, cut_card = 80 }"),
];

/// Of a house's own regulation.
pub(super) const HOUSE: Examples = &[
    ("id", "id = \"casa-sur\""),
    ("title", "title = { es = \"Reglamento de la casa\", en = \"Regulation of the house\" }"),
    ("base", "base = \"sala-8\""),
    ("without", "without = [\"D10\"]"),
    ("with", "with = [\"talla/T-R1\"]"),
    ("settings", "[settings]"),
    ("es", "es = \"Reglamento de la casa\""),
    ("en", "en = \"Regulation of the house\""),
];

/// Of a pit.
pub(super) const PIT: Examples = &[
    ("listen", "listen = \"127.0.0.1:8090\""),
    ("hosts", "hosts = [\"pit.casino.example\"]"),
    ("tls", "tls = \"tls\""),
    ("authority", "authority = \"authority.crt\""),
    ("table", "[[table]]` and under it `name = \"BJ-07\"` and `address = \"https://bj-07.casino.example:8443\""),
    ("name", "name = \"BJ-07\""),
    ("address", "address = \"https://bj-07.casino.example:8443\""),
    ("key", "key = \"BJ-07.vkey\""),
    ("witness", "[witness]` and under it `folder = \"witness\"` and `name = \"casino.example/pit\""),
    ("folder", "folder = \"witness\""),
    ("live", "[live]` and under it `broker = \"nats://127.0.0.1:4222\"` and `known = \"/var/lib/sabot/tables.known\""),
    ("broker", "broker = \"nats://127.0.0.1:4222\""),
    ("known", "known = \"/var/lib/sabot/tables.known\""),
    ("house", "house = \"casino\""),
    ("pit", "pit = \"planta-1\""),
    ("credentials", "credentials = \"pit.creds\""),
    ("certificate", "certificate = \"pit.crt\""),
    ("certificate_key", "certificate_key = \"pit.pem\""),
    ("history", "[history]` and under it `database = \"host=127.0.0.1 user=office dbname=sabot\""),
    ("database", "database = \"host=127.0.0.1 user=office dbname=sabot\""),
    ("database_authority", "database_authority = \"authority.pem\""),
    ("sqlite", "sqlite = \"floor.sqlite\""),
    ("time_zone", "time_zone = \"Europe/Madrid\""),
];

/// What to write for a key, or where all keys stand.
pub(super) fn example(of: Examples, key: &str) -> String {
    let all = match of {
        _ if of == HOUSE => "docs/own-regulation.md",
        _ if of == CARDS => "docs/cards.toml",
        _ if of == PIT => "docs/pit.toml",
        _ => "docs/station.toml",
    };
    of.iter()
        .find(|(name, _)| *name == key)
        .map_or_else(|| format!("{all} shows every key"), |(_, text)| format!("write for example `{text}`"))
}
