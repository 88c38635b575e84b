//! Samples with random changes: read or refused, never a panic. `fuzz/fuzz_targets/statements.rs`
//! looks further.

use super::TODAY;
use bank_files::{Options, read};
use fastrand::Rng;
use std::{fs, path::Path};

/// Changes of each sample.
const CHANGES: usize = 60;
/// Fragments that have a meaning in one of the formats.
const FRAGMENTS: [&[u8]; 16] = [
    b":61:",
    b"\n:86:",
    b":62F:",
    b"</Ntry>",
    b"<TxDtls/>",
    b"&#0;",
    b"&lt;",
    b"<!--",
    b"\"",
    b"'",
    b";",
    b"\r",
    b"/NAME/",
    b"?20",
    b">21",
    b"\xFF\xFE",
];

#[test]
fn changed_samples_never_panic() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/samples");
    let mut random = Rng::with_seed(1);
    let folders =
        fs::read_dir(folder).unwrap().filter_map(|entry| fs::read_dir(entry.unwrap().path()).ok());
    for entry in folders.flatten() {
        let sample = fs::read(entry.unwrap().path()).unwrap();
        for _ in 0..CHANGES {
            let mut changed = sample.clone();
            for _ in 0..random.usize(1..8) {
                let place = random.usize(0..changed.len());
                match random.u8(0..4) {
                    0 => changed[place] = random.u8(..),
                    1 => changed.truncate(place.max(1)),
                    2 => drop(changed.remove(place)),
                    _ => {
                        let fragment = FRAGMENTS[random.usize(0..FRAGMENTS.len())];
                        changed.splice(place..place, fragment.iter().copied());
                    }
                }
                if changed.is_empty() {
                    break;
                }
            }
            let options = Options { accept_balance: true, only_euro: true, ..Options::new(TODAY) };
            let _ = read(&changed, &options);
        }
    }
}
