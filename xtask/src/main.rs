//! What a person who works on the code runs.
fn main() {}
