//! Any bytes as the body of any request: read without a panic, and either usable or with a fault.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| web::fuzzing::read_bodies(bytes));
