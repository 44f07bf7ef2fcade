//! What `sabot replay` needs of a board without an operating system: a host to read from and write to, memory to
//! allocate, and figures of what it took.
#![no_std]

extern crate alloc;

pub mod heap;
pub mod host;
pub mod spent;
