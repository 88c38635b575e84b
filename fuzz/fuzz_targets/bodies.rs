//! Parses any bytes as the body of any request: never panics, and either accepts the body or
//! reports a fault.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| web::fuzzing::read_bodies(bytes));
