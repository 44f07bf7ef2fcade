//! The croupier, who deals by the book or breaks it on purpose, and what checks him.

pub mod croupier;
pub mod naive;
pub mod score;
