//! Shows the linker `image.x`, the layout that every board's `memory.x` includes.

fn main() {
    println!("cargo:rerun-if-changed=image.x");
    println!("cargo:rustc-link-search={}", std::env::var("CARGO_MANIFEST_DIR").unwrap_or_default());
}
