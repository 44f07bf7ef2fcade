//! `sabot deck learn`: a camera is shown a deck once.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Subcommand};

use crate::out::{say, say_err};
use sabot_camera::{Deck, Geometry, Lessons, Rect, Shown};
use sabot_drivers::camera::{Source, Wanted, pictures};

/// What the cards look like to the camera at the mouth of the shoe
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct DeckArgs {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    Learn(LearnArgs),
}

/// Shows a deck to a camera once, and keeps what it looks like as a sheet that any viewer shows
///
/// The pictures come from a folder, each named by what it shows (AS.jpg, TH.jpg, back.jpg, cut.jpg, nothing.jpg; JPEG
/// or PNG), or with --stream from the camera itself, at its device file or as MJPEG: then the command says what to show
/// next, first the empty mouth, then spades, hearts, diamonds and clubs from the ace to the king, the back and the cut
/// card. Each must lie still in its place for a moment, and leave before the next. The sheet is a PNG: thirteen cards a
/// row, and below them the back, the cut card, the mouth and the mark. Look at it: every corner must be whole. Nothing
/// is kept where a card is missing, too dark, too bright, or looks like another, or where suit signs are seen in part.
///
/// Exit status: 0 when the deck was learnt, 2 when it was not.
///
/// Example: sabot deck learn --from pictures --index 57,47,54,117 --mark 8,84,30,30 --deck deck.png
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
struct LearnArgs {
    /// A folder of pictures; with --stream a camera (/dev/v4l/by-id/...), tcp:HOST:PORT, a named pipe or a file of
    /// MJPEG.
    #[arg(long, value_name = "PLACE")]
    from: PathBuf,
    /// The pictures come one after the other from a camera.
    #[arg(long)]
    stream: bool,
    /// Width and height of the pictures of a camera at a device file; left out the fastest that it offers.
    #[arg(long, value_name = "W,H", value_parser = picture_size, requires = "stream")]
    size: Option<(usize, usize)>,
    /// How long such a camera exposes a picture, in microseconds; left out as it is set.
    #[arg(long, value_name = "US", value_parser = clap::value_parser!(u32).range(100..=1_000_000), requires = "stream")]
    exposure_us: Option<u32>,
    /// Its gain, by its own numbers; left out as it is set.
    #[arg(long, value_name = "N", allow_negative_numbers = true, requires = "stream")]
    gain: Option<i32>,
    /// Where the corner index of a card in its place is: pixels from the left and from the top, width, height.
    #[arg(long, value_name = "X,Y,W,H", value_parser = rect)]
    index: Rect,
    /// Where the mark is that is seen in every picture.
    #[arg(long, value_name = "X,Y,W,H", value_parser = rect)]
    mark: Rect,
    /// The sheet to write.
    #[arg(long, value_name = "FILE", default_value = "deck.png")]
    deck: PathBuf,
}

fn rect(text: &str) -> Result<Rect, String> {
    let numbers: Vec<usize> = text.split(',').filter_map(|number| number.trim().parse().ok()).collect();
    match numbers[..] {
        [x, y, width, height] if text.matches(',').count() == 3 => Ok(Rect { x, y, width, height }),
        _ => Err("write four numbers, as in 57,47,54,117".to_owned()),
    }
}

fn picture_size(text: &str) -> Result<(usize, usize), String> {
    let numbers = text.split_once(',').map(|(width, height)| (width.trim().parse(), height.trim().parse()));
    match numbers {
        Some((Ok(width), Ok(height))) => Ok((width, height)),
        _ => Err("write two numbers, as in 640,400".to_owned()),
    }
}

/// Runs the command.
#[must_use]
pub(crate) fn run(args: &DeckArgs) -> ExitCode {
    let What::Learn(learn) = &args.what;
    let learnt = if learn.stream { from_stream(learn) } else { from_folder(learn) };
    match learnt.and_then(|deck| deck.save(&learn.deck).map_err(|why| why.to_string())) {
        Ok(()) => {
            say!("{}: the deck as the camera sees it; look whether every corner is whole", learn.deck.display());
            ExitCode::SUCCESS
        }
        Err(why) => {
            say_err!("sabot deck learn: {why}");
            ExitCode::from(2)
        }
    }
}

fn geometry(learn: &LearnArgs, picture: (usize, usize)) -> Geometry {
    Geometry { picture, index: learn.index, mark: learn.mark }
}

fn from_folder(learn: &LearnArgs) -> Result<Deck, String> {
    let pictures = sabot_camera::named_pictures(&learn.from).map_err(|why| why.to_string())?;
    let Some((_, first)) = pictures.first() else {
        return Err(format!("{}: no picture; name them AS.jpg, back.jpg, cut.jpg, nothing.jpg", learn.from.display()));
    };
    let mut lessons = Lessons::new(geometry(learn, first.size()));
    for (what, frame) in pictures {
        lessons.show(what, frame).map_err(|why| why.to_string())?;
    }
    lessons.learnt().map_err(|why| why.to_string())
}

fn from_stream(learn: &LearnArgs) -> Result<Deck, String> {
    let mut lessons: Option<Lessons> = None;
    let mut asked = None;
    let wanted = Wanted { size: learn.size, exposure_us: learn.exposure_us, gain: learn.gain };
    let source = Source::of(&learn.from, wanted);
    let open = source.open().map_err(|why| format!("{source}: {why}"))?;
    open.mode().into_iter().for_each(|mode| say_err!("{source}: {mode}"));
    for frame in pictures(open) {
        let lessons = lessons.get_or_insert_with(|| Lessons::new(geometry(learn, frame.size())));
        let Some(next) = lessons.next_shown() else { break };
        if asked != Some(next) {
            say_err!("{}", asks(next));
            asked = Some(next);
        }
        lessons.watch(frame).map_err(|why| why.to_string())?;
        if lessons.next_shown().is_none() {
            break;
        }
    }
    let lessons = lessons.ok_or_else(|| format!("{}: no picture has come", learn.from.display()))?;
    lessons.learnt().map_err(|why| why.to_string())
}

fn asks(what: Shown) -> String {
    match what {
        Shown::Card(card) => format!("show {card}"),
        Shown::Back => "show the back of a card".to_owned(),
        Shown::Cut => "show the cut card".to_owned(),
        Shown::Nothing => "take everything out of the mouth".to_owned(),
    }
}
