//! Measurements and third-party checks of the program, as a library so that tests can also call
//! the crash test.

pub mod bare;
pub mod bench;
pub mod crash;
pub mod faults;
pub mod judge;
pub mod partner;
pub mod scale;
pub mod server;
