//! Pictures in which the card that is more alike as a whole is another, or in which light is added.

use sabot_camera::drawn::{Design, Glare, Light, Look, Scene};
use sabot_camera::{Reader, Seen, Shown};

use super::learnt;
use super::measure::of_package;

/// In how many of eight pictures, each with noise of its own, a card is read; as another in none.
fn read(name: &str, look: &Look) -> usize {
    read_of(&Design::own(), name, look)
}

fn read_of(design: &Design, name: &str, look: &Look) -> usize {
    let what = Shown::named(name).unwrap();
    let reader = Reader::new(&learnt(design)).unwrap();
    let is_read = |seed: u64| match reader.read(&Scene::new(design, seed).picture(what, look).frame).seen {
        Seen::Card(card, _) => {
            assert_eq!(Shown::Card(card), what);
            true
        }
        _ => false,
    };
    (0..8).filter(|seed| is_read(*seed)).count()
}

#[test]
fn a_card_is_known_by_what_it_differs_in_though_another_is_more_alike_as_a_whole() {
    let tilted = Look {
        shift: (-0.57, 0.12),
        turn: 0.0282,
        tilt: (-0.0344, -0.0667),
        rolling: 0.357,
        blur: 0.578,
        jpeg: Some(84),
        ..Look::at_rest()
    };
    assert!(read("3S", &tilted) > 6, "{}", read("3S", &tilted));
}

#[test]
fn ink_is_read_through_glare_that_the_sensor_can_show() {
    let glare = |at, radius, strength| Some(Glare { at, radius, strength });
    let both = [glare((19.8, 17.8), 5.05, 0.84), glare((24.8, 10.8), 2.72, 0.42)];
    let light = Light { strength: 0.548, slope: (-0.078, 0.19), glare: both, noise: 6.0, ..Light::even() };
    let look = Look { shift: (0.156, 3.09), turn: -0.0142, tilt: (0.0139, -0.0157), light, ..Look::at_rest() };
    assert!(read("7H", &look) > 6, "{}", read("7H", &look));
}

#[test]
fn ink_is_read_through_glare_in_shadow() {
    let glare = |at, radius, strength| Some(Glare { at, radius, strength });
    let both = [glare((18.5, 12.2), 5.18, 0.58), glare((23.5, 5.18), 2.05, 0.7)];
    let shadow = Some((-5.9, 4.59, 0.473));
    let light = Light { strength: 0.943, slope: (0.005, 2.94), shadow, glare: both, noise: 2.65, ..Light::even() };
    let look =
        Look { shift: (1.245, 1.52), turn: 0.0333, size: 0.981, rolling: -0.227, blur: 0.65, light, ..Look::at_rest() };
    assert!(read("4S", &look) > 6, "{}", read("4S", &look));
}

#[test]
fn what_a_thumb_hides_of_one_card_is_not_hidden_where_another_card_would_show_it() {
    let Some(design) = of_package("paris") else { return };
    let look = Look {
        shift: (-0.76, 0.569),
        turn: 0.0147,
        size: 0.981,
        motion: 0.147,
        rolling: -0.1065,
        blur: 0.655,
        thumb: Some(((21.7, 35.87), 7.39)),
        light: Light { strength: 0.942, noise: 2.6, ..Light::even() },
        jpeg: Some(72),
        ..Look::at_rest()
    };
    assert!(read_of(&design, "JD", &look) > 6, "{}", read_of(&design, "JD", &look));
}
