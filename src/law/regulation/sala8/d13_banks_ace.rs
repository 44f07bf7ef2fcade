//! D13. The bank's ace.

use crate::regulation::prelude::*;

pub(super) static ARTICLE: Article = Article {
    id: "D13",
    title: Bi { es: "El as de la banca", en: "The bank's ace" },
    gist: Bi {
        es: "{bank_ace|kept=Junto a otro as, o a un 2, 3, 4 o 5, el as de la banca vale 1; junto a una carta de 6 a K vale 11. Como tercera carta o posterior vale 11 si así se llega a 17 o más, y si no 1.|_=El as de la banca vale 11, salvo que así pase de 21: entonces vale 1. Se mira de nuevo con cada carta.}",
        en: "{bank_ace|kept=Beside another ace or 2 to 5 the bank's ace counts 1; beside 6 to K it counts 11. As third card or later it counts 11 if the sum is then 17 or more, else 1.|_=The bank's ace counts 11 unless that takes it over 21; then it counts 1. It is seen anew with each card.}",
    },
    raised: Bi {
        es: "No da hallazgos propios: así se calcula el total de la banca. Una carta de más o de menos por haber contado mal el as es D12.",
        en: "It gives no finding of its own: the bank's total is worked out so. A card too many or too few because the ace was miscounted is D12.",
    },
    remedy: Bi {
        es: "La de D12: quemar la carta de más o servir la que falta.",
        en: "That of D12: burn the card in excess or serve the one missing.",
    },
    settings: &["bank_later_ace"],
    readings: &[Reading {
        number: 5,
        words: Bi {
            es: "{bank_ace|kept={bank_later_ace|within_21=El as posterior vale 11 sólo si la suma queda entre 17 y 21; una vez contado, no cambia.|_=El as posterior vale 11 si la suma llega así a 17 o más, aunque pase de 21; una vez contado, no cambia.}|_=Ningún as queda contado para siempre: con cada carta vale lo que más convenga sin pasar de 21.}",
            en: "{bank_ace|kept={bank_later_ace|within_21=A later ace counts 11 only where the sum lies in 17 to 21; once counted it does not change.|_=A later ace counts 11 where the sum is then 17 or more, over 21 included; once counted it does not change.}|_=No ace is counted for good: with each card it counts whichever way is better without going over 21.}",
        },
    }],
    ..Article::valuation(file!())
};
