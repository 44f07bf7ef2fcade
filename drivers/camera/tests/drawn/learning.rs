//! A deck is learnt, or it is said why not.

use std::fs;

use sabot_camera::drawn::{Design, Light, Look, Scene, geometry, lesson};
use sabot_camera::{Deck, Frame, Geometry, Lessons, Reader, Rect, Seen, Shown, named_pictures};

use super::learnt;
use super::measure::of_package;

fn shown(name: &str) -> Shown {
    Shown::named(name).unwrap()
}

/// What is said where something else than a good deck is shown.
fn refused(picture: impl Fn(Shown) -> Option<Frame>) -> String {
    let mut lessons = Lessons::new(geometry());
    for what in Shown::all() {
        if let Some(frame) = picture(what) {
            lessons.show(what, frame).unwrap();
        }
    }
    lessons.learnt().unwrap_err().to_string()
}

#[test]
fn a_deck_is_kept_as_a_sheet_and_reads_as_before() {
    let design = Design::own();
    let (deck, folder) = (learnt(&design), tempfile::tempdir().unwrap());
    let path = folder.path().join("deck.png");
    deck.save(&path).unwrap();
    let again = Deck::load(&path).unwrap();
    assert_eq!(again, deck);
    let reader = Reader::new(&again).unwrap();
    for what in Shown::all() {
        let seen = reader.read(&lesson(&design, what, 9)).seen;
        let is_it = match what {
            Shown::Card(card) => matches!(seen, Seen::Card(read, _) if read == card),
            Shown::Back => seen == Seen::Back,
            Shown::Cut => seen == Seen::CutCard,
            Shown::Nothing => seen == Seen::Nothing,
        };
        assert!(is_it, "{what}: {seen:?}");
    }
    let bytes = fs::read(&path).unwrap();
    for (bad, says) in [(&bytes[..bytes.len() / 2], "damaged"), (b"GIF89a", "no PNG"), (b"", "no PNG")] {
        fs::write(&path, bad).unwrap();
        let why = Deck::load(&path).unwrap_err().to_string();
        assert!(why.contains(says) && why.contains("sabot deck learn"), "{why}");
    }
}

#[test]
fn what_is_wrong_with_what_was_shown_is_named() {
    let design = Design::own();
    let good = |what| Some(lesson(&design, what, 5));
    let why = refused(|what| good(what).filter(|_| what != shown("7H") && what != Shown::Back));
    assert!(why.starts_with("not shown: 7H, back;"), "{why}");
    let why = refused(|what| good(if what == shown("6S") { shown("8S") } else { what }));
    assert!(why.contains("6S") && why.contains("8S") && why.contains("look alike"), "{why}");
    let light = Light { strength: 0.2, ..Light::even() };
    let dark = |what| Some(Scene::new(&design, 5).picture(what, &Look { light, ..Look::at_rest() }).frame);
    let why = refused(dark);
    assert!(why.contains("too dark"), "{why}");
    let why = refused(|what| good(if what == shown("KC") { Shown::Nothing } else { what }));
    assert!(why.starts_with("KC is too dark"), "{why}");
    let why = refused(|what| good(if what == Shown::Cut { shown("AS") } else { what }));
    assert!(why.contains("cut"), "{why}");
    let small = Frame::new(20, 20, vec![0; 400]).unwrap();
    let why = Lessons::new(geometry()).show(Shown::Back, small).unwrap_err().to_string();
    assert!(why.contains("(20, 20)") && why.contains("(160, 200)"), "{why}");
    let mut beyond = geometry();
    beyond.index = Rect { x: 150, ..beyond.index };
    let mut lessons = Lessons::new(beyond);
    Shown::all().for_each(|what| lessons.show(what, lesson(&design, what, 5)).unwrap());
    let why = lessons.learnt().unwrap_err().to_string();
    assert!(why.contains("the index reaches beyond the picture"), "{why}");
}

#[test]
fn a_suit_sign_that_goes_on_beyond_what_is_named_as_the_index_is_refused() {
    let refused = |design: &Design, index: Rect| {
        let mut lessons = Lessons::new(Geometry { index, ..geometry() });
        Shown::all().for_each(|what| lessons.show(what, lesson(design, what, 5)).unwrap());
        lessons.learnt().unwrap_err().to_string()
    };
    let (own, whole) = (Design::own(), geometry().index);
    for (index, side) in [
        (Rect { height: 80, ..whole }, "lower"),
        (Rect { width: 25, ..whole }, "right"),
        (Rect { x: whole.x + 25, width: whole.width - 25, ..whole }, "left"),
    ] {
        let why = refused(&own, index);
        assert!(why.starts_with(&format!("the suit sign of the spades goes on beyond the {side} edge")), "{why}");
    }
    // rank and suit are larger than the part in which those of other designs lie
    for design in ["ornamental", "tango"].into_iter().filter_map(of_package) {
        let why = refused(&design, whole);
        assert!(why.starts_with("the suit sign of the spades goes on beyond the lower edge"), "{why}");
    }
}

#[test]
fn a_stream_teaches_as_a_folder_does() {
    let design = Design::own();
    let mut lessons = Lessons::new(geometry());
    let mut learned = Vec::new();
    let mut order = vec![Shown::Nothing];
    for what in Shown::all().filter(|what| *what != Shown::Nothing) {
        order.extend([what, Shown::Nothing]);
    }
    let mut scene = Scene::new(&design, 7);
    for what in order {
        for _ in 0..8 {
            let frame = scene.picture(what, &Look::at_rest()).frame;
            learned.extend(lessons.watch(frame).unwrap());
        }
    }
    assert_eq!(learned.len(), Shown::all().count(), "each once, however long it lies");
    assert_eq!(lessons.next_shown(), None);
    lessons.learnt().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let mut lessons = Lessons::new(geometry());
    for what in Shown::all() {
        let jpeg = lesson(&design, what, 5).jpeg(95).unwrap();
        fs::write(folder.path().join(format!("{what}.jpg")), jpeg).unwrap();
    }
    fs::write(folder.path().join("notes.txt"), "of no interest").unwrap();
    for (what, frame) in named_pictures(folder.path()).unwrap() {
        lessons.show(what, frame).unwrap();
    }
    lessons.learnt().unwrap();
    fs::write(folder.path().join("joker.jpg"), "").unwrap();
    let why = named_pictures(folder.path()).unwrap_err().to_string();
    assert!(why.contains("joker.jpg") && why.contains("AS.jpg"), "{why}");
}
