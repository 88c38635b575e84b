//! Bank statements and their lines.

pub(crate) mod lines;
