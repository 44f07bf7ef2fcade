//! Builds the handbook anew when an example is added: those that are there are watched by the compiler itself.

fn main() {
    println!("cargo::rerun-if-changed=../../docs/handbook");
}
