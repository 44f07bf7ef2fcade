//! Whether the camera sees at all.

use sabot_camera::drawn::{Design, Light, Look, Scene};
use sabot_camera::{Frame, Shown, Trouble, View};

use super::learnt;

/// What is said of twelve pictures like that, one after the other.
fn said(look: Look) -> Option<Trouble> {
    let design = Design::own();
    let mut view = View::new(&learnt(&design));
    let mut scene = Scene::new(&design, 3);
    (0..12).map(|_| view.take(&scene.picture(Shown::Nothing, &look).frame)).last().unwrap()
}

fn lit(strength: f32) -> Look {
    Look { light: Light { strength, ..Light::even() }, ..Look::at_rest() }
}

#[test]
fn darkness_too_much_light_and_a_lens_out_of_focus_are_told_apart() {
    assert_eq!(said(Look::at_rest()), None);
    assert_eq!(said(lit(0.75)), None);
    assert_eq!(said(lit(0.02)), Some(Trouble::Dark));
    assert_eq!(said(lit(0.35)), Some(Trouble::Dark));
    assert_eq!(said(Look { blur: 2.0, ..Look::at_rest() }), None);
}

#[test]
fn a_covered_lens_a_frozen_picture_and_one_of_another_size_are_told() {
    let design = Design::own();
    let mut view = View::new(&learnt(&design));
    let mut last = |frames: &mut dyn Iterator<Item = Frame>| frames.map(|frame| view.take(&frame)).last().unwrap();
    let mut scene = Scene::new(&design, 3);
    let empty = scene.picture(Shown::Nothing, &Look::at_rest()).frame;
    let hand = |n: usize| Frame::new(160, 200, (0..32000).map(|at| 150 + ((at * 7 + n) % 23) as u8).collect()).unwrap();
    assert_eq!(last(&mut (0..12).map(hand)), Some(Trouble::Covered));
    let sound: Vec<Frame> = (0..12).map(|_| scene.picture(Shown::Nothing, &Look::at_rest()).frame).collect();
    assert_eq!(last(&mut sound.iter().cloned()), None, "and it is over again");
    assert_eq!(last(&mut (0..40).map(|_| empty.clone())), Some(Trouble::Frozen));
    assert_eq!(last(&mut sound.iter().cloned()), None);
    let other = Frame::new(100, 100, vec![90; 10000]).unwrap();
    assert_eq!(last(&mut (0..12).map(|_| other.clone())), Some(Trouble::Size));
    // only the mark is out of focus: smoothed by hand
    let blurred = |frame: &Frame| {
        let from = frame.pixels();
        let near =
            |n: usize| (n.saturating_sub(4)..(n + 5).min(from.len())).map(|at| u32::from(from[at])).sum::<u32>() / 9;
        Frame::new(160, 200, (0..from.len()).map(|n| near(n) as u8).collect()).unwrap()
    };
    let said = last(&mut sound.iter().map(blurred));
    assert!(matches!(said, Some(Trouble::Blurred | Trouble::Covered)), "{said:?}");
}
