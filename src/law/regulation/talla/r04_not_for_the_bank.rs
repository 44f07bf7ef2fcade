//! T-R4. The bank does not surrender.

use crate::regulation::prelude::*;

pub(super) static ARTICLE: Article = Article {
    id: "T-R4",
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
    ..Article::reported(file!())
};
