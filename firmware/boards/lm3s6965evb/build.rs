//! Says which image has which memory layout. The linker finds `memory.x` in this folder, where cargo runs it: before
//! the one that the crate `lm3s6965` brings.

fn main() {
    println!("cargo:rerun-if-changed=memory.x");
    println!("cargo:rerun-if-changed=../common/image.x");
    println!("cargo:rustc-link-arg-bin=chips=--defsym=_deep=1");
    println!("cargo:rustc-link-arg-bin=display=--defsym=_large=1");
}
