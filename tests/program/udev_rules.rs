//! The udev rules under `packaging/udev`: their grammar, and what they do to devices, by a small reading of udev(7).
//! Where this machine's `udevadm` can verify rules, it does too.
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::process::Command;

const FILES: [&str; 2] = ["60-sabot.rules", "90-sabot-brltty.rules"];

fn path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("packaging/udev").join(name)
}

/// One `KEY{attribute}op"value"`.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Term {
    key: String,
    attribute: Option<String>,
    op: String,
    value: String,
}

/// Keys, whether they have an attribute, and the operators they take.
const KEYS: [(&str, bool, &[&str]); 17] = [
    ("ACTION", false, &["==", "!="]),
    ("KERNEL", false, &["==", "!="]),
    ("SUBSYSTEM", false, &["==", "!="]),
    ("SUBSYSTEMS", false, &["==", "!="]),
    ("DRIVERS", false, &["==", "!="]),
    ("ATTR", true, &["==", "!=", "="]),
    ("ATTRS", true, &["==", "!="]),
    ("ENV", true, &["==", "!=", "=", "+="]),
    ("TEST", false, &["==", "!="]),
    ("IMPORT", true, &["="]),
    ("SYMLINK", false, &["==", "!=", "=", "+="]),
    ("GROUP", false, &["=", ":="]),
    ("MODE", false, &["=", ":="]),
    ("RUN", false, &["=", "+=", ":="]),
    ("TAG", false, &["==", "!=", "=", "+="]),
    ("GOTO", false, &["="]),
    ("LABEL", false, &["="]),
];

fn is_match(term: &Term) -> bool {
    matches!(term.op.as_str(), "==" | "!=")
}

/// A line's terms: separated by commas, values in quotation marks.
fn parse(line: &str) -> Result<Vec<Term>, String> {
    let (mut terms, mut rest) = (Vec::new(), line.trim());
    loop {
        let key_end = rest.find(|c: char| !c.is_ascii_uppercase()).ok_or("a key without an operator")?;
        let (key, after) = rest.split_at(key_end);
        let (attribute, after) = match after.strip_prefix('{') {
            None => (None, after),
            Some(inner) => {
                let (name, after) = inner.split_once('}').ok_or("a brace that is not closed")?;
                (Some(name.to_owned()), after)
            }
        };
        let op = ["==", "!=", "+=", "-=", ":=", "="].into_iter().find(|op| after.starts_with(op));
        let op = op.ok_or_else(|| format!("no operator after {key}"))?;
        let quoted = after[op.len()..].strip_prefix('"').ok_or("a value without quotation marks")?;
        let (value, after) = quoted.split_once('"').ok_or("a value that does not end")?;
        let known = KEYS.iter().find(|(name, ..)| *name == key).ok_or_else(|| format!("no key `{key}`"))?;
        if attribute.is_some() != known.1 || !known.2.contains(&op) {
            return Err(format!("`{key}` does not go with that attribute or `{op}`"));
        }
        if value.is_empty() && key != "ENV" {
            return Err(format!("`{key}` cannot be empty"));
        }
        terms.push(Term { key: key.to_owned(), attribute, op: op.to_owned(), value: value.to_owned() });
        match after.trim_start() {
            "" => return Ok(terms),
            more => rest = more.strip_prefix(',').ok_or("no comma between terms")?.trim_start(),
        }
    }
}

fn rules(text: &str) -> Result<Vec<Vec<Term>>, String> {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
    lines.map(|(at, line)| parse(line).map_err(|why| format!("line {}: {why}: {line}", at + 1))).collect()
}

fn shipped(name: &str) -> Vec<Vec<Term>> {
    rules(&std::fs::read_to_string(path(name)).unwrap()).unwrap()
}

/// udev's patterns: `*`, `?`, and `|` between choices.
fn fits(pattern: &str, text: &str) -> bool {
    fn one(pattern: &[u8], text: &[u8]) -> bool {
        match pattern.split_first() {
            None => text.is_empty(),
            Some((b'*', rest)) => (0..=text.len()).any(|skipped| one(rest, &text[skipped..])),
            Some((b'?', rest)) => !text.is_empty() && one(rest, &text[1..]),
            Some((letter, rest)) => text.first() == Some(letter) && one(rest, &text[1..]),
        }
    }
    pattern.split('|').any(|choice| one(choice.as_bytes(), text.as_bytes()))
}

type Texts = BTreeMap<String, String>;

fn texts(pairs: &[(&str, &str)]) -> Texts {
    pairs.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect()
}

/// A device and the devices above it, and what rules have made of it.
#[derive(Debug, Clone, Default)]
struct Event {
    /// Its name.
    kernel: String,
    subsystem: String,
    /// The device first: its subsystem, its driver, its attributes.
    chain: Vec<(String, String, Texts)>,
    env: Texts,
    interface: Option<String>,
    links: BTreeSet<String>,
    set: Texts,
    group: Option<String>,
    runs: usize,
    run: String,
}

impl Event {
    fn above(&self, term: &Term, device: &(String, String, Texts)) -> bool {
        let value = match term.key.as_str() {
            "SUBSYSTEMS" => Some(&device.0),
            "DRIVERS" => Some(&device.1),
            _ => device.2.get(term.attribute.as_ref().unwrap()),
        };
        value.is_some_and(|value| fits(&term.value, value)) == (term.op == "==")
    }

    fn matches(&self, rule: &[Term]) -> bool {
        let own = &self.chain[0].2;
        let parents: Vec<&Term> =
            rule.iter().filter(|term| matches!(term.key.as_str(), "SUBSYSTEMS" | "DRIVERS" | "ATTRS")).collect();
        // all that is said of what is above must fit one and the same device
        if !parents.is_empty() && !self.chain.iter().any(|device| parents.iter().all(|term| self.above(term, device))) {
            return false;
        }
        rule.iter().filter(|term| is_match(term)).all(|term| {
            let value = match (term.key.as_str(), &term.attribute) {
                ("ACTION", _) => Some("add"),
                ("KERNEL", _) => Some(self.kernel.as_str()),
                ("SUBSYSTEM", _) => Some(self.subsystem.as_str()),
                ("ATTR", Some(name)) => own.get(name).map(String::as_str),
                ("ENV", Some(name)) => Some(self.env.get(name).map_or("", String::as_str)),
                ("TEST", _) => return own.contains_key(&term.value) == (term.op == "=="),
                _ => return true,
            };
            value.is_some_and(|value| fits(&term.value, value)) == (term.op == "==")
        })
    }

    /// Applies a rule; the label it goes to.
    fn apply(&mut self, rule: &[Term]) -> Option<String> {
        for term in rule.iter().filter(|term| !is_match(term)) {
            let value = term.value.replace("$env{SABOT_ROLE}", self.env.get("SABOT_ROLE").map_or("", String::as_str));
            match (term.key.as_str(), &term.attribute) {
                ("ENV", Some(name)) => drop(self.env.insert(name.clone(), value)),
                ("ATTR", Some(name)) => drop(self.set.insert(name.clone(), value)),
                ("SYMLINK", _) => drop(self.links.insert(value)),
                ("GROUP", _) => self.group = Some(value),
                ("IMPORT", _) => self.env.extend(self.interface.clone().map(|no| ("ID_USB_INTERFACE_NUM".into(), no))),
                ("RUN", _) => (self.runs, self.run) = (1, value),
                ("GOTO", _) => return Some(value),
                _ => {}
            }
        }
        None
    }

    fn through(mut self, rules: &[Vec<Term>]) -> Self {
        let mut at = 0;
        while let Some(rule) = rules.get(at) {
            at += 1;
            if self.matches(rule)
                && let Some(label) = self.apply(rule)
            {
                let labelled = |rule: &Vec<Term>| rule.iter().any(|term| term.key == "LABEL" && term.value == label);
                at = rules.iter().position(labelled).unwrap();
            }
        }
        self
    }
}

fn usb(vendor: &str, product: &str, name: &str) -> (String, String, Texts) {
    let attributes = [("idVendor", vendor), ("idProduct", product), ("product", name), ("serial", "A10KZ4QP")];
    ("usb".to_owned(), "usb".to_owned(), texts(&attributes))
}

/// A USB device as it is plugged.
fn plugged(vendor: &str, product: &str, name: &str) -> Event {
    let env = texts(&[("DEVTYPE", "usb_device")]);
    Event { subsystem: "usb".into(), chain: vec![usb(vendor, product, name)], env, ..Event::default() }
}

/// A serial port of that device.
fn port(device: (String, String, Texts), driver: &str, interface: &str) -> Event {
    let latency = if driver == "ftdi_sio" { texts(&[("device/latency_timer", "16")]) } else { Texts::new() };
    let adapter = ("usb-serial".to_owned(), driver.to_owned(), Texts::new());
    let chain = vec![("tty".to_owned(), String::new(), latency), adapter, device];
    Event { subsystem: "tty".into(), chain, interface: Some(interface.into()), ..Event::default() }
}

#[test]
fn every_line_is_a_rule_and_every_label_is_gone_to() {
    for name in FILES {
        let rules = shipped(name);
        let all = |key: &str| -> Vec<String> {
            let terms = rules.iter().flatten().filter(|term| term.key == key);
            terms.map(|term| term.value.clone()).collect()
        };
        let labels = all("LABEL");
        let goals: BTreeSet<String> = all("GOTO").into_iter().collect();
        assert_eq!(labels.iter().cloned().collect::<BTreeSet<_>>(), goals, "{name}");
        for (at, rule) in rules.iter().enumerate() {
            for goal in rule.iter().filter(|term| term.key == "GOTO") {
                let after = rules[at..].iter().flatten().any(|term| term.key == "LABEL" && term.value == goal.value);
                assert!(after, "{name}: udev goes forward only, and {} is not ahead", goal.value);
            }
        }
        let text = std::fs::read_to_string(path(name)).unwrap();
        let verdict = Command::new("udevadm").args(["verify", path(name).to_str().unwrap()]).output();
        match verdict {
            // `verify` came with systemd 254
            Ok(output) if !String::from_utf8_lossy(&output.stderr).contains("Unknown command") => {
                assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            }
            _ => println!(
                "{name}: udevadm cannot verify here; {} lines were read by this test alone",
                text.lines().count()
            ),
        }
    }
    for wrong in [
        "SUBSYSTEM=\"usb\"",
        "KERNL==\"x\"",
        "ATTR==\"x\"",
        "MODE==\"0660\"",
        "GOTO==\"end\"",
        "ENV{A}=x",
        "ENV{A=\"x\"",
        "ENV{A}=\"x\" GROUP=\"y\"",
        "GROUP",
    ] {
        assert!(parse(wrong).is_err(), "{wrong} is taken for a rule");
    }
}

#[test]
fn a_port_is_named_by_its_product_or_by_a_local_rule_and_an_unknown_one_is_not() {
    let rules = shipped(FILES[0]);
    for role in sabot_wire::message::Role::ALL {
        let event = port(usb("2e8a", "000a", &format!("sabot {role}")), "cdc_acm", "00").through(&rules);
        assert_eq!(event.links, BTreeSet::from([format!("sabot-{role}")]));
        assert_eq!(event.group.as_deref(), Some("dialout"));
        assert_eq!(event.env.get("ID_MM_PORT_IGNORE").map(String::as_str), Some("1"));
    }
    let second = port(usb("2e8a", "000a", "sabot shoe"), "cdc_acm", "02").through(&rules);
    assert!(second.links.is_empty(), "a second port would take the name from the first");
    let unknown = port(usb("0403", "6001", "FT232R USB UART"), "ftdi_sio", "00");
    let plain = unknown.clone().through(&rules);
    assert!(plain.links.is_empty() && plain.group.is_none());
    assert_eq!(plain.set, texts(&[("device/latency_timer", "1")]));
    // the examples at the head of the file, as a file before it
    let text = std::fs::read_to_string(path(FILES[0])).unwrap();
    let examples: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("#   ")).collect();
    let local = local_rules(&examples);
    let named = unknown.through(&local).through(&rules);
    assert_eq!(named.links, BTreeSet::from(["sabot-shoe".to_owned()]));
    let mut quad = usb("0403", "6011", "Quad RS232-HS");
    quad.2.insert("serial".to_owned(), "FT7QUAD1".to_owned());
    let of = |interface| port(quad.clone(), "ftdi_sio", interface).through(&local).through(&rules).links;
    assert_eq!(of("02"), BTreeSet::from(["sabot-keypad".to_owned()]));
    assert!(of("01").is_empty());
    let input = |kernel: &str, product: &str| {
        let chain = vec![("input".to_owned(), String::new(), Texts::new()), usb("04d9", product, "USB Keypad")];
        let event = Event { subsystem: "input".into(), kernel: kernel.into(), chain, ..Event::default() };
        event.through(&local).through(&rules)
    };
    let pad = input("event3", "a02a");
    assert_eq!((pad.links, pad.group.as_deref()), (BTreeSet::from(["sabot-pad".to_owned()]), Some("dialout")));
    for other in [input("mouse0", "a02a"), input("event4", "a0cd")] {
        assert!(other.links.is_empty() && other.group.is_none(), "{other:?}");
    }
}

fn local_rules(lines: &[&str]) -> Vec<Vec<Term>> {
    assert_eq!(lines.len(), 4, "the examples at the head of the rules");
    rules(&lines.join("\n")).unwrap()
}

#[test]
fn third_party_equipment_is_the_groups_and_modem_manager_and_brltty_keep_off_what_is_the_stations() {
    let (rules, after_brltty) = (shipped(FILES[0]), shipped(FILES[1]));
    for (vendor, product) in [
        ("191a", "8003"),
        ("ffff", "0035"),
        ("05e0", "1701"),
        ("05f9", "4204"),
        ("0c2e", "0b6a"),
        ("0ab1", "0002"),
        ("0483", "374b"),
        ("0483", "374e"),
    ] {
        let event = plugged(vendor, product, "").through(&rules);
        assert_eq!(event.group.as_deref(), Some("dialout"), "{vendor}:{product}");
        assert_eq!(event.env.get("ID_MM_DEVICE_IGNORE").map(String::as_str), Some("1"));
    }
    for (vendor, product) in [("0403", "6001"), ("10c4", "ea60"), ("1a86", "7523"), ("067b", "2303")] {
        let mut event = plugged(vendor, product, "USB Serial").through(&rules);
        assert_eq!(event.env.get("ID_MM_DEVICE_IGNORE").map(String::as_str), Some("1"), "{vendor}:{product}");
        // what brltty's own rules do in between
        event.env.extend(texts(&[("BRLTTY_BRAILLE_DRIVER", "sk"), ("SYSTEMD_WANTS", "brltty-device@.service")]));
        event.runs = 2;
        let event = event.through(&after_brltty);
        let of = |name: &str| event.env.get(name).map_or("", String::as_str);
        assert_eq!((of("BRLTTY_BRAILLE_DRIVER"), of("SYSTEMD_WANTS")), ("", ""));
        // an empty list cannot be written
        assert_eq!((event.runs, event.run.as_str()), (1, "/bin/true"));
    }
    // ports of that equipment: a scanner's has its name, a Nucleo's board a name by its serial number alone
    for vendor in ["05e0", "05f9", "0c2e"] {
        let event = port(usb(vendor, "1701", "Scanner"), "cdc_acm", "00").through(&rules);
        assert_eq!(event.links, BTreeSet::from(["sabot-scanner".to_owned()]), "{vendor}");
        assert_eq!(event.env.get("ID_MM_PORT_IGNORE").map(String::as_str), Some("1"), "{vendor}");
    }
    let nucleo = port(usb("0483", "374b", "STM32 STLink"), "cdc_acm", "02").through(&rules);
    assert!(nucleo.links.is_empty() && nucleo.env.contains_key("ID_MM_PORT_IGNORE"));
    let dfu = plugged("0483", "df11", "STM32  BOOTLOADER").through(&rules);
    assert!(!dfu.env.contains_key("SABOT_DEVICE"), "another product of the same maker");
    // a braille display, a modem: not the station's
    let mut other = plugged("0904", "2000", "Braille").through(&rules);
    assert!(!other.env.contains_key("ID_MM_DEVICE_IGNORE") && other.group.is_none());
    other.env.extend(texts(&[("BRLTTY_BRAILLE_DRIVER", "sk"), ("SYSTEMD_WANTS", "brltty-device@.service")]));
    assert_eq!(other.through(&after_brltty).env["BRLTTY_BRAILLE_DRIVER"], "sk");
    let mut quiet = plugged("0403", "6001", "USB Serial").through(&rules);
    quiet.runs = 2;
    assert_eq!(quiet.through(&after_brltty).runs, 2, "where brltty asks for nothing, nothing is taken back");
}
