//! ZIP archives of statements.
//!
//! Names in an archive are only shown, and never used as paths.

use crate::{
    limits::{MOST_BYTES, MOST_FILES, MOST_UNPACKED_BYTES},
    refusal::{Cause, Refusal, Unsupported},
    text,
};
use std::io::{Cursor, Read};
use zip::{ZipArchive, result::ZipError};

/// Signature of an entry of the central directory (APPNOTE 6.3.10, section 4.3.12).
const ENTRY: &[u8] = b"PK\x01\x02";
/// Folder with metadata of macOS.
const METADATA: &str = "__MACOSX";
/// Part of every office document in OOXML.
const OFFICE: &str = "[Content_Types].xml";

/// Whether a file begins as an archive, or is an empty one.
pub(crate) fn is_archive(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06")
}

/// Calls `read` with the name and the contents of each file, one at a time. Folders and metadata of
/// macOS are skipped.
///
/// # Errors
/// The archive exceeds a limit, is damaged or encrypted, or contains an archive; or `read` fails.
pub(crate) fn for_each_file(
    bytes: &[u8],
    mut read: impl FnMut(&str, &[u8]) -> Result<(), Refusal>,
) -> Result<(), Refusal> {
    // The directory is counted before it is read, because each of its entries costs memory. Twice
    // the limit, since folders and metadata count here.
    if memchr::memmem::find_iter(bytes, ENTRY).count() > 2 * MOST_FILES {
        return Err(refusal(None, Unsupported::TooManyFiles));
    }
    let mut archive = ZipArchive::new(Cursor::new(bytes))
        .map_err(|_| refusal(None, Unsupported::MalformedArchive))?;
    if archive.index_for_name(OFFICE).is_some() {
        return Err(refusal(None, Unsupported::Office));
    }
    let (mut files, mut unpacked) = (0, 0);
    let mut contents = Vec::new();
    for index in 0..archive.len() {
        let mut entry = archive.by_index(index).map_err(|error| {
            let is_encrypted =
                matches!(error, ZipError::UnsupportedArchive(ZipError::PASSWORD_REQUIRED));
            refusal(
                None,
                if is_encrypted { Unsupported::Encrypted } else { Unsupported::MalformedArchive },
            )
        })?;
        let name = entry.name().map_err(|_| refusal(None, Unsupported::MalformedArchive))?;
        if entry.is_dir() || name.split(['/', '\\']).any(|part| part == METADATA) {
            continue;
        }
        let name = text::clean(&name).text.unwrap_or_else(|| "?".into());
        files += 1;
        if files > MOST_FILES {
            return Err(refusal(None, Unsupported::TooManyFiles));
        }
        let refuse = |unsupported| refusal(Some(&name), unsupported);
        contents.clear();
        // One byte more than is allowed, to notice the excess: sizes in the archive may be false.
        let most = (MOST_UNPACKED_BYTES - unpacked).min(MOST_BYTES as u64) + 1;
        let size = entry.by_ref().take(most).read_to_end(&mut contents);
        let size = size.map_err(|_| refuse(Unsupported::MalformedArchive))?;
        unpacked += size as u64;
        if unpacked > MOST_UNPACKED_BYTES {
            return Err(refuse(Unsupported::UnpackedTooLarge));
        }
        if size > MOST_BYTES {
            return Err(refuse(Unsupported::TooLarge));
        }
        if is_archive(&contents) {
            return Err(refuse(Unsupported::NestedArchive));
        }
        read(&name, &contents)?;
    }
    Ok(())
}

/// Returns the contents of the first file of this name in an archive, or `None` if no file has the
/// name or the archive is damaged. [`read()`](crate::read()) gives the names in statements and
/// refusals.
#[must_use]
pub fn file(bytes: &[u8], name: &str) -> Option<Vec<u8>> {
    let mut contents = None;
    let read = for_each_file(bytes, |other, bytes| {
        if other != name {
            return Ok(());
        }
        contents = Some(bytes.to_vec());
        // Ends the search.
        Err(Refusal { file: None, cause: Cause::NoStatement(None) })
    });
    contents.filter(|_| read.is_err())
}

fn refusal(file: Option<&str>, unsupported: Unsupported) -> Refusal {
    Refusal { file: file.map(Into::into), cause: Cause::UnsupportedFile(unsupported) }
}
