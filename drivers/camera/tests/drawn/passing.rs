//! Whole cards pass, and are told once each.

use sabot_camera::drawn::{Design, Video};
use sabot_camera::{Out, Passages, Reader, Shown, Told};

use super::learnt;

#[test]
fn cards_that_are_dealt_are_told_in_order_backs_as_unread_and_the_cut_card() {
    let design = Design::own();
    let reader = Reader::new(&learnt(&design)).unwrap();
    let names = ["AS", "AS", "TD", "back", "7H", "KC", "cut", "2C", "2C", "9D", "QS", "back", "5H", "JD", "8C", "6C"];
    let dealt: Vec<Shown> = names.iter().map(|name| Shown::named(name).unwrap()).collect();
    let mut video = Video::new(&design, 11);
    dealt.iter().for_each(|what| video.draw(*what));
    let (mut passages, mut now) = (Passages::new(Out::Up), 0);
    while !video.is_over() {
        now += 10;
        passages.take(now, reader.read(&video.next_frame()).seen);
    }
    let told: Vec<Told> = std::iter::from_fn(|| passages.next_told()).collect();
    let meant: Vec<Told> = dealt
        .iter()
        .map(|what| match what {
            Shown::Card(card) => Told::Card(*card),
            Shown::Cut => Told::CutCard,
            Shown::Back | Shown::Nothing => Told::Unread,
        })
        .collect();
    assert_eq!(told, meant);
}
