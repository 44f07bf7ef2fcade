//! The container of sink and pit: what its file names is held against this source and program, and the program runs in
//! a root that has nothing but what the last stage has of it. Where an image was built, that runs too:
//!
//! ```text
//! packaging/container/offline /tmp/sabot-images
//! SABOT_IMAGES=/tmp/sabot-images cargo test -p sabot --test program container -- --ignored
//! ```

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::floor::House;
use crate::process::{Ended, Process, run, sabot, station};

fn here(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn file() -> String {
    fs::read_to_string(here("packaging/container/Containerfile")).unwrap()
}

/// The words of an instruction that is a list.
fn list(instruction: &str) -> Vec<String> {
    let text = file();
    let line = text.lines().find_map(|line| line.strip_prefix(&format!("{instruction} "))).unwrap();
    serde_json::from_str(line).unwrap()
}

/// A root with the program, and the libraries that it loads.
fn root() -> tempfile::TempDir {
    let root = tempfile::tempdir().unwrap();
    let copy = |from: &str, to: &str| {
        let to = root.path().join(to.trim_start_matches('/'));
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::copy(from, to).unwrap();
    };
    let program = env!("CARGO_BIN_EXE_sabot");
    copy(program, &list("ENTRYPOINT")[0]);
    let loads = run(Command::new("ldd").arg(program)).out;
    for library in loads.split_whitespace().filter(|word| word.starts_with('/')) {
        copy(library, library);
    }
    fs::create_dir_all(root.path().join("var/lib/sabot")).unwrap();
    root
}

fn in_root(root: &Path, args: &[String]) -> Command {
    let mut inside = Command::new("unshare");
    inside.args(["--user", "--map-root-user", "--root"]).arg(root).args(["--wd", "/var/lib/sabot"]);
    inside.args(list("ENTRYPOINT")).args(args);
    inside
}

#[test]
fn the_containers_file_builds_what_there_is_with_the_promised_rust() {
    let (text, manifest) = (file(), fs::read_to_string(here("Cargo.toml")).unwrap());
    let oldest = manifest.lines().find_map(|line| line.strip_prefix("rust-version = ")).unwrap().trim_matches('"');
    assert!(text.contains(&format!("rust:{oldest}-")), "the image has another Rust than {oldest}");
    let build = text.lines().find_map(|line| line.strip_prefix("RUN cargo build --release --locked ")).unwrap();
    let mut tree = Command::new(env!("CARGO"));
    tree.args(["tree", "--offline", "--locked", "--edges", "normal", "--prefix", "none"]).args(build.split(' '));
    let Ended { status, out, err } = run(tree.current_dir(here("")));
    assert!(status == 0 && out.contains("sabot-floor") && !out.contains("sabot-simulation"), "{err}");
}

#[test]
fn sink_and_pit_run_in_a_root_that_has_the_program_and_its_libraries_alone() {
    let root = root();
    let at = |name: &str| root.path().join("var/lib/sabot").join(name);
    fs::copy(here("docs/sink.toml"), at("sink.toml")).unwrap();
    // the command of the image, to make the sink's key
    let mut args = list("CMD");
    args.extend(["--name", "casino.example/sink"].map(str::to_owned));
    let Ended { status, out, err } = run(&mut in_root(root.path(), &args));
    assert!(status == 0 && out.contains("casino.example/sink+"), "{out}{err}");
    let pit = "listen = \"127.0.0.1:0\"\n[[table]]\nname = \"BJ-07\"\naddress = \"http://127.0.0.1:9\"\n";
    fs::write(at("pit.toml"), pit).unwrap();
    let said = file().lines().find_map(|line| line.split(" sabot pit ").nth(1)).map(str::to_owned).unwrap();
    let mut pit = Process::start(in_root(root.path(), &["pit".to_owned(), said]).stdout(Stdio::piped()));
    let first = pit.lines().next().unwrap();
    let address = first.split("http://").nth(1).unwrap().trim_end_matches('/').to_owned();
    assert!(crate::reload::get(&address, "/").contains("BJ-07"));
    pit.signal("-TERM");
    assert!(pit.ends().success());
}

/// A command in a container of the image that `packaging/container/offline` has built in a folder, with this folder as
/// its volume.
fn in_image(images: &Path, container: &str, volume: &Path, words: &[String]) -> Command {
    let mut inside = buildah(images);
    inside.args(["run", "--isolation", "chroot", "--volume"]).arg(format!("{}:/var/lib/sabot", volume.display()));
    inside.args([container, "--"]).args(words);
    inside
}

fn buildah(images: &Path) -> Command {
    let mut buildah = Command::new("buildah");
    buildah.arg("--root").arg(images.join("images")).arg("--runroot").arg(images.join("run"));
    buildah
}

#[test]
#[ignore = "needs root, buildah, nats-server and an image that was built: packaging/container/offline"]
fn the_image_that_was_built_keeps_the_record_of_a_table() {
    let images = PathBuf::from(std::env::var_os("SABOT_IMAGES").expect("SABOT_IMAGES names where the image was built"));
    let container = run(buildah(&images).args(["from", "--pull-never", "sabot"]));
    assert_eq!(container.status, 0, "{}", container.err);
    let container = container.out.trim().to_owned();
    let house = House::new();
    let said = |words: &[&str]| {
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        let ended = run(&mut in_image(&images, &container, house.folder.path(), &words));
        assert_eq!(ended.status, 0, "{words:?}: {}", ended.err);
        ended.out
    };
    let program = &list("ENTRYPOINT")[0];
    let (version, ours) = (said(&[program, "--version"]), run(&mut sabot(["--version"])).out);
    let hashes = |text: &str| text.lines().skip(1).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(hashes(&version), hashes(&ours), "it knows the same regulations");
    assert!(said(&[program, "sink", "--help"]).contains("--config"));

    // its user has the volume; the table's station and the broker are outside
    let user = said(&["id", "-u"]).trim().parse().ok();
    assert!(user.is_some_and(|user: u32| user > 0), "it does not run as root");
    for file in fs::read_dir(house.folder.path()).unwrap().map(|file| file.unwrap().path()) {
        std::os::unix::fs::chown(file, user, None).unwrap();
    }
    std::os::unix::fs::chown(house.folder.path(), user, None).unwrap();
    let _broker = house.broker();
    let sink = [list("ENTRYPOINT"), list("CMD"), vec!["--sqlite".to_owned(), "floor.sqlite".to_owned()]].concat();
    let mut sink = Process::start(in_image(&images, &container, house.folder.path(), &sink).stdout(Stdio::piped()));
    assert_eq!(sink.lines().next().as_deref(), Some("sink casino.example/sink: 1 tables"));
    // what was not signed for when the station stopped is shipped at its next start
    for _ in 0..2 {
        let (mut table, _) = station(&house.path("station.toml"), "warn");
        table.signal("-TERM");
        assert!(table.ends().success());
    }
    house.is_kept();
    sink.signal("-TERM");
    assert!(sink.ends().success());
    assert_eq!(run(buildah(&images).args(["rm", &container])).status, 0);
}
