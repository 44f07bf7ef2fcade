//! Says which image has which memory layout. The linker finds `memory.x` in this folder, where cargo runs it.

fn main() {
    println!("cargo:rerun-if-changed=memory.x");
    println!("cargo:rerun-if-changed=../common/image.x");
    println!("cargo:rustc-link-arg-bin=nucleo-chips=--defsym=_deep=1");
    println!("cargo:rustc-link-arg-bin=nucleo-display=--defsym=_large=1");
    // the fifth sector; memory.x would have to tell the others' by the size of their vectors, which old linkers cannot
    println!("cargo:rustc-link-arg-bin=nucleo-display=--defsym=_stext=0x08010000");
}
