//! Pictures in which the card that is more alike as a whole is another, or in which light is added.

use sabot_camera::drawn::{Design, Glare, Light, Look, Scene};
use sabot_camera::{Reader, Seen, Shown};

use super::learnt;

/// In how many of eight pictures, each with noise of its own, a card is read; as another in none.
fn read(name: &str, look: &Look) -> usize {
    let (design, what) = (Design::own(), Shown::named(name).unwrap());
    let reader = Reader::new(&learnt(&design)).unwrap();
    let is_read = |seed: u64| match reader.read(&Scene::new(&design, seed).picture(what, look).frame).seen {
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
