//! K9. Cards face up.

use crate::regulation::prelude::*;
use crate::regulation::shared::delivery;

pub(super) static ARTICLE: Article = Article {
    id: "K9",
    title: Bi { es: "Cartas descubiertas", en: "Cards face up" },
    gist: Bi {
        es: "Se reparten dos cartas descubiertas a cada jugador y una descubierta a la banca.",
        en: "Two cards are dealt face up to each player, and one face up to the bank.",
    },
    raised: Bi {
        es: "Cuando una carta de la entrega, o la segunda de la banca, queda cubierta; y, una vez por pase, cuando la carta de la banca sale en medio de una vuelta o un lugar recibe dos cartas seguidas mientras otro espera la primera: esto es un aviso.",
        en: "When a card of the delivery, or the bank's second, lies face down; and, once a pass, when the bank's card comes in the middle of a round, or a place gets two cards at a time while another waits for its first: that is a notice.",
    },
    remedy: Bi {
        es: "Descubrir la carta; la que salió fuera de su vuelta vale donde está.",
        en: "Turn the card up; one that came out of its round counts where it lies.",
    },
    settings: &["bank_second_card", "strict_rounds"],
    readings: &[Reading {
        number: 9,
        words: Bi {
            es: "La carta de la banca puede salir tras la primera vuelta o tras la segunda. La otra la toma cuando todos jugaron, también descubierta.",
            en: "The bank's card may come after the first round or after the second. It takes the other when all have played, face up as well.",
        },
    }],
    cases: &[&FACE_DOWN, &OUT_OF_ROUND],
    case_severities: &[(&OUT_OF_ROUND, Severity::Notice)],
    on: delivery::ON,
    needs: Facts::of(&[Faces, Hands]),
    cases_needing: &[(&OUT_OF_ROUND, Facts::of(&[Places, Bets, Hands]))],
    check,
    ..Article::enforced(file!())
};

static FACE_DOWN: Case =
    Case { es: "carta cubierta ({place}): va descubierta", en: "a card face down ({place}): it belongs face up" };

static OUT_OF_ROUND: Case =
    Case { es: "carta fuera de su vuelta ({place}): vale", en: "a card out of its round ({place}): it counts" };

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    delivery::check_face(&FACE_DOWN, context, findings);
    if delivery::is_out_of_round(context) && !findings.knows_anywhere(&OUT_OF_ROUND) {
        findings.raise(&OUT_OF_ROUND, context.meaning.drawn.and_then(|drawn| drawn.place));
    }
}
