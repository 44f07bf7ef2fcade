//! C19. Change of decks.

use crate::regulation::prelude::*;
use crate::table::event::Permit;

pub(super) static ARTICLE: Article = Article {
    id: "C19",
    title: Bi { es: "Cambio de mazos", en: "Change of decks" },
    gist: Bi {
        es: "El inspector puede cambiar los mazos cuando lo crea conveniente; sin su orden no se cambia un sabot en juego.",
        en: "The inspector may change the decks when he sees fit; without his order a shoe in play is not changed.",
    },
    raised: Bi {
        es: "Al mezclar o armar de nuevo mientras hay un sabot en juego y su tarjeta de corte no salió, sin orden previa del inspector.",
        en: "When cards are shuffled or loaded anew while a shoe is in play and its cut card has not come out, without the inspector's prior order.",
    },
    remedy: Bi {
        es: "No hay nada que deshacer: queda asentado y el pase sigue.",
        en: "There is nothing to undo: it is on record and the pass goes on.",
    },
    cases: &[&CHANGED_WITHOUT_ORDER],
    on: &[On::Event(Kind::Shuffle), On::Event(Kind::Load)],
    needs: Facts::of(&[Shuffles, Shoe]),
    check,
    ..Article::enforced(file!())
};

static CHANGED_WITHOUT_ORDER: Case = Case {
    es: "se cambian los mazos con el sabot en juego y sin orden del inspector",
    en: "the decks of a shoe in play are changed without the inspector's order",
};

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    let supply = &context.state.supply;
    let in_play = supply.shoe().is_some_and(|shoe| !shoe.cut_card_out);
    // what was shuffled has been looked at then
    let goes_on = matches!(context.event, Event::Load { .. }) && supply.shuffled().is_some();
    if in_play && !goes_on && !context.state.permits.has(Permit::DeckChange) {
        findings.raise(&CHANGED_WITHOUT_ORDER, None);
    }
}
