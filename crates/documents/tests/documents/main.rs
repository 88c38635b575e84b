//! Tests of the documents as their readers see them: each is parsed and compared with its input.

mod edges;
mod payments;
mod pdf;
mod samples;
mod ubl;
mod xaf;
