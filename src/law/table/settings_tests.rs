use super::*;

#[test]
fn a_rate_is_read_as_it_is_written() {
    assert_eq!("3:2".parse(), Ok(Rate { pays: 3, per: 2 }));
    for nonsense in ["", "3", "3:0", "3:2:1", "-3:2", "a:b"] {
        assert!(nonsense.parse::<Rate>().is_err(), "{nonsense}");
    }
}

#[test]
fn an_odd_half_is_rounded_up_to_a_whole_chip_but_never_beyond_the_stake() {
    let talla = crate::regulation::talla::TALLA.settings.clone();
    for (stake, half) in [(400, 200), (300, 200), (100, 100), (250, 200), (50, 50), (0, 0)] {
        assert_eq!((talla.half(stake), talla.insured(stake)), (half, half), "{stake}");
    }
    let changes = Changes { insurance_part: Some(Rate { pays: 1, per: 3 }), chip: Some(0), ..Changes::default() };
    let third = talla.changed(&changes);
    assert_eq!((third.half(301), third.insured(301)), (151, 101));
    assert_eq!(third.half(Cents::MAX), Cents::MAX / 2 + 1);
}

#[test]
fn changes_touch_only_what_they_name_and_refuse_names_there_are_not() {
    let changes: Changes = serde_json::from_str(r#"{"cut_deeper_than":60,"blackjack":"6:5"}"#).unwrap();
    let before = crate::regulation::sala8::SALA_8.settings.clone();
    let after = before.clone().changed(&changes);
    assert_eq!((after.shoe.cut_deeper_than, after.pays.blackjack), (60, Rate { pays: 6, per: 5 }));
    let back: Changes = serde_json::from_str(r#"{"cut_deeper_than":50,"blackjack":"3:2"}"#).unwrap();
    assert_eq!(after.changed(&back), before);
    assert!(serde_json::from_str::<Changes>(r#"{"cut":60}"#).is_err());
}
