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
        es: "Con lo que ningún artículo prevé, con todo informe (`report`) que no nombra un artículo, con un aparato abierto en uso, forzado o que no es confiable, con una carta que no se pudo leer (un aviso: decir cuál es), y con una decisión o corrección sin efecto (un aviso).",
        en: "At what no article provides for, at every report (`report`) that names no article, at a device opened in use, forced or not to be trusted, at a card that could not be read (a notice: say which it is), and at a ruling or a correction without effect (a notice).",
    },
    remedy: Bi {
        es: "Esperar la decisión de la sala (`rule`): anular, dar por perdida, dejar como está o seguir. Lo que la sala deja como está, vale como está: la carta cuenta donde está, la mano juega con las que tiene, la apuesta vale como quedó.",
        en: "Wait for the room's decision (`rule`): void, lost, stands, or resume. What the room lets stand counts as it lies: a card where it lies, a hand with the cards it has, a bet as it lies.",
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
    cases_needing: &[(&REPORTED_WITHOUT_ARTICLE, Facts::NONE)],
    check,
    money: |_, _| Some(&NOT_PROVIDED_FOR),
    put_right: |_, _, _| Part::Rule,
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
