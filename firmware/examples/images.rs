//! How much of its microcontroller each image takes, and its hash, as a device tells it: prints a table, and fails when
//! an image is over its limit.
//!
//! ```sh
//! cargo run -p sabot-firmware --example images -- target/thumb/thumbv7m-none-eabi/release/shoe …
//! ```

use std::error::Error;
use std::path::Path;
use std::process::ExitCode;

use object::elf::{FileHeader32, SHF_ALLOC, SHT_NOBITS};
use object::read::elf::{ElfFile, FileHeader as _, SectionHeader as _};
use object::{Endianness, Object as _, ObjectSection as _, ObjectSymbol as _};
use sabot_firmware::sabot_wire::message::Image;

type Elf<'a> = ElfFile<'a, FileHeader32<Endianness>>;

const KIB: u64 = 1024;
/// Flash and RAM of a device's image, bytes.
const LIMIT: (u64, u64) = (48 * KIB, 10 * KIB);
/// Of those that are no such thing, on whatever board: the display has letters, the replay the law and its texts, and
/// the Nucleo's chip reader more to say than the others.
const OTHERS: [(&str, (u64, u64)); 3] =
    [("display", (64 * KIB, 10 * KIB)), ("replay", (1024 * KIB, 128 * KIB)), ("nucleo-chips", (49 * KIB, 10 * KIB))];
/// Where RAM begins on a Cortex-M.
const RAM: u64 = 0x2000_0000;

/// What is hashed of an image, in this order, as a board does it.
const HASHED: [&str; 3] = [".text", ".rodata", ".data"];

struct Sizes {
    image: Image,
    flash: u64,
    variables: u64,
    stack: u64,
}

fn sizes(bytes: &[u8]) -> Result<Sizes, Box<dyn Error>> {
    let elf = Elf::parse(bytes)?;
    let endian = elf.endian();
    let (mut flash, mut variables) = (0, 0);
    for section in elf.elf_header().section_headers(endian, bytes)? {
        if section.sh_flags(endian).contains(SHF_ALLOC) {
            let size = u64::from(section.sh_size(endian));
            // what is initialised lies in flash, and variables in both
            flash += if section.sh_type(endian) == SHT_NOBITS { 0 } else { size };
            variables += if u64::from(section.sh_addr(endian)) >= RAM { size } else { 0 };
        }
    }
    let section = |name| elf.section_by_name(name).map_or(Ok(&[][..]), |section| section.data());
    let image = Image::of(HASHED.into_iter().map(section).collect::<Result<Vec<_>, _>>()?);
    let address = |name: &str| {
        let symbol = elf.symbols().find(|symbol| symbol.name() == Ok(name));
        symbol.map(|symbol| symbol.address()).ok_or_else(|| format!("the image has no symbol {name}"))
    };
    Ok(Sizes { image, flash, variables, stack: address("_stack_start")?.saturating_sub(address("_stack_end")?) })
}

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let (mut over, mut hashes) = (false, Vec::new());
    println!("image            flash of limit    variables +  stack =    RAM of limit   bytes");
    for path in std::env::args().skip(1) {
        let name =
            Path::new(&path).file_name().map_or_else(|| path.clone(), |name| name.to_string_lossy().into_owned());
        let bytes = std::fs::read(&path).map_err(|error| format!("{path}: {error}"))?;
        let Sizes { image, flash, variables, stack } = sizes(&bytes).map_err(|error| format!("{path}: {error}"))?;
        let (most_flash, most_ram) =
            OTHERS.iter().find(|(other, _)| name.ends_with(other)).map_or(LIMIT, |(_, limit)| *limit);
        let ram = variables + stack;
        let too_large = flash > most_flash || ram > most_ram;
        over |= too_large;
        println!(
            "{name:<15} {flash:>6} of {most_flash:>5}    {variables:>9} + {stack:>6} = {ram:>6} of {most_ram:>5}{}",
            if too_large { "   OVER" } else { "" }
        );
        hashes.push(format!("{name:<15} {image}"));
    }
    println!("\nimage           hash, to be named as `image` in a station's configuration\n{}", hashes.join("\n"));
    Ok(if over { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}
