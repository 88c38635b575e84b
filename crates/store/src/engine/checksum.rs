//! Checksums: hashes of the values of rows, by which the verification of the books finds rows that were
//! changed outside the program.

use crate::param::Param;
use sha2::{Digest, Sha256};

/// SHA-256 of values, each preceded by its kind and its length.
pub(crate) fn of(values: &[Param<'_>]) -> [u8; 32] {
    let mut hash = Sha256::new();
    for value in values {
        let mut add = |kind: u8, bytes: &[u8]| {
            hash.update([kind]);
            hash.update((bytes.len() as u64).to_be_bytes());
            hash.update(bytes);
        };
        match value {
            Param::Null => add(b'0', &[]),
            Param::Int(number) => add(b'i', &number.to_be_bytes()),
            Param::Text(text) => add(b't', text.as_bytes()),
            Param::Bytes(bytes) => add(b'b', bytes),
            Param::Date(date) => add(b'd', date.to_string().as_bytes()),
            Param::Time(at) => add(b'm', &at.as_microsecond().to_be_bytes()),
        }
    }
    hash.finalize().into()
}

/// SHA-256 of a file.
pub(crate) fn sha256(bytes: &[u8]) -> [u8; 32] {
    Sha256::digest(bytes).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_and_its_place_change_the_checksum() {
        let rows: [&[Param<'_>]; 7] = [
            &["ab".into(), "c".into()],
            &["a".into(), "bc".into()],
            &["abc".into()],
            &["abc".into(), Param::Null],
            &[Param::Int(1), Param::Int(2)],
            &[Param::Int(2), Param::Int(1)],
            &[Param::Bytes(b"abc"[..].into())],
        ];
        let mut checksums: Vec<_> = rows.iter().map(|row| of(row)).collect();
        checksums.sort_unstable();
        checksums.dedup();
        assert_eq!(checksums.len(), rows.len());
    }
}
