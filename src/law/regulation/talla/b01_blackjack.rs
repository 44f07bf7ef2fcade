//! T-B1. The Black Jack.

use crate::regulation::prelude::*;

pub(super) static ARTICLE: Article = Article {
    id: "T-B1",
    title: Bi { es: "El Black Jack", en: "The Black Jack" },
    gist: Bi {
        es: "Un as con un diez o una figura, en dos cartas, es Black Jack.",
        en: "An ace with a ten or a figure, in two cards, is Black Jack.",
    },
    raised: Bi {
        es: "No da hallazgos propios: la estación reconoce el Black Jack por estas dos cartas. Un pago que lo desconoce se señala por T-B2, T-B3 o T-B4; un total mal cantado, por T-Q6 o T-Q9.",
        en: "It gives no finding of its own: the station knows a Black Jack by these two cards. A payment that does not is found under T-B2, T-B3 or T-B4; a total called wrongly under T-Q6 or T-Q9.",
    },
    remedy: Bi {
        es: "Reconocer el Black Jack y pagar o retirar lo que le corresponde.",
        en: "Acknowledge the Black Jack, and pay or collect what it is owed.",
    },
    ..Article::valuation(file!())
};
