//! Documents as others read them: each is taken apart again and compared with what it was made of.

mod edges;
mod pdf;
mod samples;
mod ubl;
mod xaf;
