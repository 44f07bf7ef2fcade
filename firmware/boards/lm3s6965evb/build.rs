//! Says which image has which memory layout. The linker finds `memory.x` in this folder, where cargo runs it: before
//! the one that the crate `lm3s6965` brings.

fn main() {
    println!("cargo:rerun-if-changed=memory.x");
    println!("cargo:rustc-link-arg-bin=chips=--defsym=_deep=1");
    if std::path::Path::new("src/bin/display.rs").exists() {
        println!("cargo:rustc-link-arg-bin=display=--defsym=_large=1");
    }
    println!("cargo:rerun-if-changed=src/bin");
}
