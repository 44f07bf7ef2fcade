//! The linker finds `memory.x` in this folder, where cargo runs it.

fn main() {
    println!("cargo:rerun-if-changed=memory.x");
}
