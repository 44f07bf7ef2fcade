//! M1. Decks.

use crate::regulation::prelude::*;
use crate::regulation::shared::decks;

pub(super) static ARTICLE: Article = Article {
    id: "M1",
    severity: Severity::Integrity,
    title: Bi { es: "Mazos", en: "Decks" },
    gist: Bi {
        es: "El sabot lleva {min_decks|1=un mazo francés|_={min_decks} mazos franceses} o más, y ninguna carta puede salir más veces que mazos hay.",
        en: "The shoe holds {min_decks|1=one French deck|_={min_decks} French decks} or more, and no card can come out more often than there are decks.",
    },
    raised: Bi {
        es: "Al mezclar menos de {min_decks|1=un mazo|_={min_decks} mazos}; al armar el sabot con otra cantidad de cartas que la mezclada o, si no se vio mezclar, con menos de {min_decks|1=un mazo|_={min_decks} mazos}; y cuando se ve una carta que ya se había visto tantas veces como mazos hay. La carta cubierta cuenta desde que se descubre; la que se quema sin mostrarse no cuenta. Es falta de integridad.",
        en: "When fewer than {min_decks|1=one deck is|_={min_decks} decks are} shuffled; when another number of cards is loaded than was shuffled or, where no shuffle was seen, fewer than {min_decks|1=one deck|_={min_decks} decks}; and when a card is seen that had already been seen as often as there are decks. A covered card counts from when it is uncovered; one burned unseen does not count. It is a matter of integrity.",
    },
    remedy: Bi {
        es: "Decide la sala (`rule`): si se rearma el sabot, si el pase vale o se anula.",
        en: "The room decides (`rule`): whether the shoe is made up again, whether the pass stands or is void.",
    },
    settings: &["min_decks"],
    cases: &[&TOO_FEW_DECKS, &WRONGLY_LOADED, &CARD_TOO_OFTEN],
    on: on![decks::ON, &[On::Event(Kind::Shuffle), On::Event(Kind::Load)]],
    needs: Facts::of(&[Shuffles]),
    cases_needing: &[(&CARD_TOO_OFTEN, Facts::NONE)],
    check,
    ..Article::enforced(file!())
};

static TOO_FEW_DECKS: Case = Case {
    es: "{min_decks|1=menos de un mazo|_=menos mazos que los {min_decks} exigidos}",
    en: "{min_decks|1=less than one deck|_=fewer decks than the {min_decks} required}",
};

static WRONGLY_LOADED: Case = Case {
    es: "el sabot no lleva las cartas que debe llevar: las mezcladas o, si no se vio mezclar, {min_decks|1=un mazo|_={min_decks} mazos} al menos",
    en: "the shoe does not hold the cards it must: those shuffled or, where no shuffle was seen, {min_decks|1=one deck|_={min_decks} decks} at least",
};

static CARD_TOO_OFTEN: Case = Case {
    es: "esta carta ya se había visto tantas veces como mazos hay en el sabot ({place})",
    en: "this card had already been seen as often as there are decks in the shoe ({place})",
};

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    if matches!(context.event, Event::Shuffle { .. }) && decks::too_few(context) {
        findings.raise(&TOO_FEW_DECKS, None).part(Part::Rule);
    }
    if decks::wrongly_loaded(context) {
        findings.raise(&WRONGLY_LOADED, None).part(Part::Rule);
    }
    decks::check_card(&CARD_TOO_OFTEN, context, findings);
}
