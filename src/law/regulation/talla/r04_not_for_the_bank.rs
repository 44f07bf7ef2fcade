//! T-R4. The bank does not surrender.

use crate::regulation::prelude::*;

/// T-R4: the bank does not surrender.
pub static ARTICLE: Article = Article {
    id: "T-R4",
    kind: Watched::Reported,
    severity: Severity::Irregularity,
    title: Bi { es: "La banca no se rinde", en: "The bank does not surrender" },
    gist: Bi { es: "La banca no puede rendirse.", en: "The bank may not surrender." },
    raised: Bi {
        es: "Ningún sensor lo ve: lo informa una persona (`report`).",
        en: "No sensor sees it: a person reports it (`report`).",
    },
    remedy: Bi {
        es: "La banca juega su mano: queda asentado y el pase sigue.",
        en: "The bank plays its hand: it is on record and the pass goes on.",
    },
    settings: &[],
    file: file!(),
    readings: &[],
    cases: &[],
    on: &[],
    check: nothing,
};
