//! A board tells what it runs, in every session, as the build prints it of the image.

use object::{Object, ObjectSection};
use sabot_hil_tests::board::image;
use sabot_wire::message::{Image, Role};

use crate::host::{Host, board};

#[test]
#[ignore = "wants QEMU and the images"]
fn a_board_tells_the_hash_of_its_image() {
    let images = [Role::Shoe, Role::Display].map(|role| {
        let bytes = std::fs::read(image(role)).unwrap();
        let elf = object::File::parse(&*bytes).unwrap();
        let section = |name| elf.section_by_name(name).map_or(&[][..], |section| section.data().unwrap());
        let due = Image::of([".text", ".rodata", ".data"].map(section));
        let board = board(role, "IM-0001");
        let mut host = Host::open(&board);
        host.online();
        assert_eq!(host.image, Some(due), "{role}");
        board.reset();
        host.online();
        assert_eq!(host.image, Some(due), "{role}, after a reset");
        due
    });
    assert_ne!(images[0], images[1]);
}
