//! Suggestions for lines in small books.

mod reasons;
