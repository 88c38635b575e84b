//! Suggestions for lines in small and in generated books.

mod generator;
mod measured;
mod properties;
mod reasons;
mod score;
