//! Filter for uploaded PNG files, applied before any part of a file is decompressed.

/// Signature of every PNG file (ISO/IEC 15948, section 5.2).
const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";
/// Chunks with the pixels and the orientation (`eXIf`). Other chunks contain text and colour
/// profiles, which can decompress to a thousand times their size.
const NEEDED: [&[u8]; 6] = [b"IHDR", b"PLTE", b"tRNS", b"IDAT", b"eXIf", b"IEND"];

/// Returns the file with only the chunks listed in `NEEDED`, up to the first incomplete chunk. The
/// decoder rejects an incomplete file.
pub(crate) fn pixels_only(bytes: &[u8]) -> Vec<u8> {
    let Some(mut rest) = bytes.strip_prefix(SIGNATURE) else { return bytes.to_vec() };
    let mut kept = SIGNATURE.to_vec();
    while let Some((length, after)) = rest.split_first_chunk::<4>() {
        // The length is followed by kind, data and checksum.
        let Some(size) =
            usize::try_from(u32::from_be_bytes(*length)).ok().and_then(|data| data.checked_add(8))
        else {
            break;
        };
        let Some((chunk, next)) = after.split_at_checked(size) else { break };
        if NEEDED.iter().any(|kind| chunk.starts_with(kind)) {
            kept.extend_from_slice(length);
            kept.extend_from_slice(chunk);
        }
        rest = next;
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::{DynamicImage, ImageFormat};
    use std::io::Cursor;

    fn chunk(kind: &[u8; 4], data: &[u8]) -> Vec<u8> {
        let length = u32::try_from(data.len()).unwrap().to_be_bytes();
        // A wrong checksum will do, because the checksum of a dropped chunk is never read.
        [length.as_slice(), kind, data, &[0; 4]].concat()
    }

    #[test]
    fn colour_profiles_and_texts_are_left_out_and_pixels_stay() {
        let mut png = Vec::new();
        DynamicImage::new_rgb8(40, 30)
            .write_to(&mut Cursor::new(&mut png), ImageFormat::Png)
            .unwrap();
        let mut laden = png.clone();
        // Additional chunks, inserted after the signature and the header (8 and 25 bytes).
        let extra =
            [chunk(b"iCCP", b"profile\0\0bomb"), chunk(b"zTXt", b"Comment\0\0bomb")].concat();
        laden.splice(33..33, extra);
        assert_eq!(pixels_only(&laden), png);
        assert_eq!(pixels_only(&png), png);
    }

    #[test]
    fn what_is_no_png_stays_and_what_is_cut_off_ends_there() {
        assert_eq!(pixels_only(b"GIF89a"), b"GIF89a");
        let cut = [SIGNATURE, &[0, 0, 0, 13], b"IHDR"].concat();
        assert_eq!(pixels_only(&cut), SIGNATURE);
        let endless = [SIGNATURE, &[0xff; 4], b"IDAT"].concat();
        assert_eq!(pixels_only(&endless), SIGNATURE);
    }
}
