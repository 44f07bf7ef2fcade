//! D10. The declared ace.

use crate::regulation::prelude::*;
use crate::table::event::Choice;

pub(super) static ARTICLE: Article = Article {
    id: "D10",
    title: Bi { es: "As declarado", en: "The declared ace" },
    gist: Bi {
        es: "{ace_is_declared|true=Con un as entre sus dos primeras cartas el apostador declara si vale 1 u 11, y no puede cambiarlo en el pase. El Black Jack no se declara|_=Nadie declara el valor de su as: vale siempre lo que más convenga}.",
        en: "{ace_is_declared|true=With an ace among his first two cards the bettor declares it 1 or 11, and cannot change it in that pass. A Black Jack needs no declaration|_=Nobody declares an ace: it always counts whichever way is better}.",
    },
    raised: Bi {
        es: "Cuando el apostador pide, planta o dobla con un as sin declarar entre sus dos primeras cartas, y cuando declara de nuevo con otro valor. Repetir el mismo valor no es cambiarlo.",
        en: "When the bettor draws, stands or doubles with an ace among the first two cards undeclared, and when it is declared again with another value. Repeating the same value is no change.",
    },
    remedy: Bi {
        es: "Preguntar por el as; si quiso cambiarlo, vale lo que declaró primero.",
        en: "Ask about the ace; where it was changed, the first declaration stands.",
    },
    readings: &[
        Reading {
            number: 6,
            words: Bi {
                es: "El as que llega tercero o después cuenta como más convenga, visto de nuevo con cada carta; el declarado no cambia aunque la mano se pase.",
                en: "An ace drawn third or later counts whichever way is better, seen anew with each card; a declared one never changes, also where that takes the hand over 21.",
            },
        },
        Reading {
            number: 14,
            words: Bi {
                es: "La declaración que cambia la primera no tiene efecto.",
                en: "A declaration that changes the first has no effect.",
            },
        },
        Reading {
            number: 25,
            words: Bi {
                es: "El as que nunca se declaró cuenta como más convenga; la decisión tomada con él vale.",
                en: "An ace that was never declared counts whichever way is better; the decision taken with it stands.",
            },
        },
    ],
    cases: &[&ACE_NOT_DECLARED, &ACE_DECLARED_ANEW],
    on: &[On::Decide(Choice::Hit), On::Decide(Choice::Stand), On::Decide(Choice::Double), On::Event(Kind::Ace)],
    needs: Facts::of(&[Decisions, Hands]),
    check,
    ..Article::enforced(file!())
};

static ACE_NOT_DECLARED: Case =
    Case { es: "el {place} jugó sin declarar el valor de su as", en: "{place} played on without declaring its ace" };

static ACE_DECLARED_ANEW: Case = Case {
    es: "el {place} quiso cambiar el valor ya declarado de su as: no vale",
    en: "{place} tried to change the declared value of its ace: without effect",
};

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    match context.event {
        Event::Decide { hand: id, choice: Choice::Hit | Choice::Stand | Choice::Double, by }
            if context.settings.play.ace_is_declared && context.state.pass.may_speak(*id, by.as_ref()) =>
        {
            let undeclared = context.state.pass.hand(*id).is_some_and(|hand| {
                hand.count() >= 2
                    && !hand.is_covered()
                    && !hand.is_unread()
                    && hand.has_early_ace()
                    && hand.ace.is_none()
                    && !hand.is_finished()
            });
            if undeclared && !findings.knows(&ACE_NOT_DECLARED, Place::from(*id)) {
                findings.raise(&ACE_NOT_DECLARED, Place::from(*id));
            }
        }
        Event::Ace { hand: id, value, .. }
            if context.state.pass.hand(*id).is_some_and(|hand| hand.ace.is_some_and(|declared| declared != *value)) =>
        {
            findings.raise(&ACE_DECLARED_ANEW, Place::from(*id)).no_effect();
        }
        _ => {}
    }
}
