//! T-S6. Where insurance lies.

use crate::regulation::prelude::*;

pub(super) static ARTICLE: Article = Article {
    id: "T-S6",
    title: Bi { es: "Lugar del seguro", en: "Where insurance lies" },
    gist: Bi {
        es: "Las fichas del seguro se colocan delante de la apuesta.",
        en: "The chips of insurance are put in front of the stake.",
    },
    raised: Bi {
        es: "Ningún sensor lo ve: lo informa una persona (`report`).",
        en: "No sensor sees it: a person reports it (`report`).",
    },
    remedy: Bi {
        es: "Acomodar las fichas: queda asentado y el pase sigue.",
        en: "Put the chips in their place: it is on record and the pass goes on.",
    },
    ..Article::reported(file!())
};
