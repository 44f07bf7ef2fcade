//! C20. The room decides.

use crate::regulation::prelude::*;
use crate::regulation::shared::unforeseen;

pub(super) static ARTICLE: Article = Article {
    id: "C20",
    title: Bi { es: "Decide la sala", en: "The room decides" },
    gist: Bi {
        es: "Las dudas y lo no previsto los resuelven las autoridades de la sala.",
        en: "Doubts and what is not provided for are decided by the room's authorities.",
    },
    raised: Bi {
        es: "Con lo que ningún artículo prevé, y con todo informe (`report`) que no nombra un artículo.",
        en: "At what no article provides for, and at every report (`report`) that names no article.",
    },
    remedy: Bi {
        es: "Esperar la decisión de la sala (`rule`): anular, dar por perdida, dejar como está o seguir.",
        en: "Wait for the room's decision (`rule`): void, lost, stands, or resume.",
    },
    readings: &[
        Reading {
            number: 22,
            words: Bi {
                es: "Decide la sala, y nadie más: lo que resuelva un inspector o jefe de mesa no vale, salvo que la casa lo diga.",
                en: "The room rules, and nobody else: what an inspector or table chief rules has no effect unless the house says so.",
            },
        },
        Reading {
            number: 23,
            words: Bi {
                es: "Lo que depende de una carta que no se pudo leer no se juzga.",
                en: "What depends on a card that could not be read is not judged.",
            },
        },
    ],
    cases: &[&REPORTED_WITHOUT_ARTICLE, &NOT_PROVIDED_FOR],
    on: unforeseen::ON,
    check,
    ..Article::enforced(file!())
};

static REPORTED_WITHOUT_ARTICLE: Case = Case {
    es: "informado por una persona: decide la sala ({place})",
    en: "reported by a person: the room decides ({place})",
};

static NOT_PROVIDED_FOR: Case =
    Case { es: "caso no previsto: decide la sala ({place})", en: "not provided for: the room decides ({place})" };

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    unforeseen::check(
        &unforeseen::Cases { not_provided_for: &NOT_PROVIDED_FOR, reported: &REPORTED_WITHOUT_ARTICLE },
        context,
        findings,
    );
}
