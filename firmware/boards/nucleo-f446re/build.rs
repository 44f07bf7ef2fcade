//! Says which image has which memory layout. The linker finds `memory.x` in this folder, where cargo runs it.

fn main() {
    println!("cargo:rerun-if-changed=memory.x");
    println!("cargo:rerun-if-changed=../common/image.x");
    println!("cargo:rustc-link-arg-bin=nucleo-chips=--defsym=_deep=1");
    println!("cargo:rustc-link-arg-bin=nucleo-display=--defsym=_large=1");
    // where the code begins; memory.x would have to ask for the size of the vectors, which old linkers do not know yet
    println!("cargo:rerun-if-changed=text.x");
}
