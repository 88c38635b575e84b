//! Receipts: uploaded files, whose kind is detected from their bytes.

use crate::png;
use image::{
    DynamicImage, ImageDecoder, ImageFormat, ImageReader, Limits, codecs::jpeg::JpegEncoder,
    imageops::FilterType,
};
use std::{borrow::Cow, io::Cursor};
use thiserror::Error;

/// Maximum size of an upload, in bytes.
pub const MAX_BYTES: usize = 10 * 1024 * 1024;
/// Maximum width and height of a picture, in pixels.
const MAX_SIDE: u32 = 16_384;
/// Maximum number of pixels in a picture.
const MAX_PIXELS: u64 = 50_000_000;
/// Memory limit for decoding, in bytes.
const MAX_MEMORY: u64 = 256 * 1024 * 1024;
/// Maximum width and height of a thumbnail, in pixels: large enough to read most receipts.
const THUMBNAIL: (u32, u32) = (800, 1_200);

/// Kind of a receipt's file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReceiptKind {
    /// JPEG picture.
    Jpeg,
    /// PNG picture.
    Png,
    /// WebP picture.
    WebP,
    /// PDF document.
    Pdf,
}

impl ReceiptKind {
    /// Media type.
    #[must_use]
    pub const fn media_type(self) -> &'static str {
        match self {
            Self::Jpeg => "image/jpeg",
            Self::Png => "image/png",
            Self::WebP => "image/webp",
            Self::Pdf => "application/pdf",
        }
    }
}

/// Accepted receipt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LookedAt {
    /// Kind of file.
    pub kind: ReceiptKind,
    /// JPEG thumbnail of a picture, rotated upright and without the file's metadata.
    pub thumbnail: Option<Vec<u8>>,
}

/// Reason why a file is not accepted as a receipt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum ReceiptError {
    /// The file is empty.
    #[error("empty")]
    Empty,
    /// The file is larger than [`MAX_BYTES`].
    #[error("too_many_bytes")]
    TooManyBytes,
    /// The file is HEIC, the format of Apple phones.
    #[error("heic")]
    Heic,
    /// The file is of no supported kind.
    #[error("wrong_format")]
    WrongFormat,
    /// The picture has more pixels than can be decoded safely.
    #[error("too_many_pixels")]
    TooManyPixels,
    /// The file starts like a picture but cannot be decoded.
    #[error("damaged")]
    Damaged,
}

/// Checks a file, and creates a thumbnail if it is a picture. Takes up to a second.
///
/// # Errors
/// The file is empty, too large, damaged or of an unsupported kind, or has too many pixels.
pub fn look_at(bytes: &[u8]) -> Result<LookedAt, ReceiptError> {
    if bytes.is_empty() {
        return Err(ReceiptError::Empty);
    }
    if bytes.len() > MAX_BYTES {
        return Err(ReceiptError::TooManyBytes);
    }
    let kind = kind_of(bytes)?;
    let format = match kind {
        ReceiptKind::Jpeg => ImageFormat::Jpeg,
        ReceiptKind::Png => ImageFormat::Png,
        ReceiptKind::WebP => ImageFormat::WebP,
        ReceiptKind::Pdf => return Ok(LookedAt { kind, thumbnail: None }),
    };
    Ok(LookedAt { kind, thumbnail: Some(thumbnail(bytes, format)?) })
}

/// Detects the kind of a file from its first bytes.
fn kind_of(bytes: &[u8]) -> Result<ReceiptKind, ReceiptError> {
    match image::guess_format(bytes) {
        Ok(ImageFormat::Jpeg) => return Ok(ReceiptKind::Jpeg),
        Ok(ImageFormat::Png) => return Ok(ReceiptKind::Png),
        Ok(ImageFormat::WebP) => return Ok(ReceiptKind::WebP),
        _ => {}
    }
    // A PDF may start with a byte order mark or a blank line.
    let first = bytes.trim_ascii_start();
    let first = first.strip_prefix(b"\xef\xbb\xbf").unwrap_or(first);
    if first.starts_with(b"%PDF-") {
        return Ok(ReceiptKind::Pdf);
    }
    // Brand of an ISO base media file (ISO/IEC 14496-12, section 4.3).
    let is_media = bytes.get(4..8) == Some(b"ftyp");
    let brands = [b"heic", b"heix", b"hevc", b"heim", b"heis", b"mif1", b"msf1"];
    if is_media
        && bytes.get(8..12).is_some_and(|brand| brands.iter().any(|heic| brand == heic.as_slice()))
    {
        return Err(ReceiptError::Heic);
    }
    Err(ReceiptError::WrongFormat)
}

fn reader(bytes: &[u8], format: ImageFormat) -> ImageReader<Cursor<&[u8]>> {
    let mut limits = Limits::default();
    (limits.max_image_width, limits.max_image_height, limits.max_alloc) =
        (Some(MAX_SIDE), Some(MAX_SIDE), Some(MAX_MEMORY));
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    reader.limits(limits);
    reader
}

fn thumbnail(bytes: &[u8], format: ImageFormat) -> Result<Vec<u8>, ReceiptError> {
    let refused = |error| match error {
        image::ImageError::Limits(_) => ReceiptError::TooManyPixels,
        _ => ReceiptError::Damaged,
    };
    // The size stated in the header is checked before anything is decompressed.
    let pixels = if format == ImageFormat::Png {
        Cow::Owned(png::pixels_only(bytes))
    } else {
        Cow::Borrowed(bytes)
    };
    let bytes = pixels.as_ref();
    let (width, height) = reader(bytes, format).into_dimensions().map_err(refused)?;
    if u64::from(width) * u64::from(height) > MAX_PIXELS {
        return Err(ReceiptError::TooManyPixels);
    }
    let mut decoder = reader(bytes, format).into_decoder().map_err(refused)?;
    let orientation = decoder.orientation().map_err(refused)?;
    let picture = DynamicImage::from_decoder(decoder).map_err(refused)?;
    let turned = orientation.to_exif() > 4;
    let (wide, high) = if turned { (THUMBNAIL.1, THUMBNAIL.0) } else { THUMBNAIL };
    let mut small = if picture.width() > wide || picture.height() > high {
        picture.resize(wide, high, FilterType::Triangle)
    } else {
        picture
    };
    small.apply_orientation(orientation);
    let mut written = Vec::new();
    let opaque = on_white(&small);
    opaque
        .write_with_encoder(JpegEncoder::new_with_quality(&mut written, 75))
        .map_err(|_| ReceiptError::Damaged)?;
    Ok(written)
}

/// Puts the picture on a white background, because a JPEG has no transparency.
fn on_white(picture: &DynamicImage) -> image::RgbImage {
    if !picture.color().has_alpha() {
        return picture.to_rgb8();
    }
    let mut opaque = image::RgbImage::new(picture.width(), picture.height());
    for (into, from) in opaque.pixels_mut().zip(picture.to_rgba8().pixels()) {
        let alpha = u16::from(from.0[3]);
        let blend = |channel: u8| {
            let mixed = (u16::from(channel) * alpha + 255 * (255 - alpha)) / 255;
            u8::try_from(mixed).unwrap_or(u8::MAX)
        };
        into.0 = [blend(from.0[0]), blend(from.0[1]), blend(from.0[2])];
    }
    opaque
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(format: ImageFormat, width: u32, height: u32) -> Vec<u8> {
        let mut bytes = Vec::new();
        DynamicImage::new_rgb8(width, height)
            .write_to(&mut Cursor::new(&mut bytes), format)
            .unwrap();
        bytes
    }

    #[test]
    fn a_file_is_judged_by_its_bytes() {
        let heic = b"\0\0\0\x18ftypheic\0\0\0\0mif1heic".to_vec();
        let mut damaged = written(ImageFormat::Png, 400, 400);
        damaged.truncate(60);
        let cases = [
            (written(ImageFormat::Jpeg, 40, 30), Ok(ReceiptKind::Jpeg)),
            (written(ImageFormat::Png, 40, 30), Ok(ReceiptKind::Png)),
            (written(ImageFormat::WebP, 40, 30), Ok(ReceiptKind::WebP)),
            (b"%PDF-1.7\n".to_vec(), Ok(ReceiptKind::Pdf)),
            (b"\xef\xbb\xbf%PDF-1.4".to_vec(), Ok(ReceiptKind::Pdf)),
            (heic, Err(ReceiptError::Heic)),
            (b"GIF89a\x01\0\x01\0\0\0\0;".to_vec(), Err(ReceiptError::WrongFormat)),
            (b"<svg xmlns='http://www.w3.org/2000/svg'/>".to_vec(), Err(ReceiptError::WrongFormat)),
            (Vec::new(), Err(ReceiptError::Empty)),
            (vec![b'%'; MAX_BYTES + 1], Err(ReceiptError::TooManyBytes)),
            (damaged, Err(ReceiptError::Damaged)),
        ];
        for (bytes, wanted) in cases {
            let shown = String::from_utf8_lossy(&bytes[..bytes.len().min(20)]).into_owned();
            assert_eq!(look_at(&bytes).map(|found| found.kind), wanted, "{shown:?}");
        }
    }

    #[test]
    fn the_small_picture_fits_and_says_nothing_of_the_camera() {
        // A photograph taken with a phone in portrait mode (orientation 6: turn right), with its
        // location.
        let mut photo = written(ImageFormat::Jpeg, 2_400, 1_600);
        let exif = b"\xff\xe1\x00\x22Exif\0\0MM\0\x2a\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0";
        photo.splice(2..2, exif.iter().copied());
        let small = look_at(&photo).unwrap().thumbnail.unwrap();
        assert!(small.len() < photo.len() && !small.windows(4).any(|part| part == b"Exif"));
        let size = image::load_from_memory(&small)
            .map(|picture| (picture.width(), picture.height()))
            .unwrap();
        assert_eq!(size, (800, 1_200));
    }

    #[test]
    fn a_picture_that_unpacks_to_too_much_is_refused_before_it_does() {
        // The header of the PNG states 20 000 × 20 000 pixels, but the file contains only 4 × 4.
        let mut bomb = written(ImageFormat::Png, 4, 4);
        bomb[16..24].copy_from_slice(&[0, 0, 0x4e, 0x20, 0, 0, 0x4e, 0x20]);
        let crc = crc32(&bomb[12..29]);
        bomb[29..33].copy_from_slice(&crc.to_be_bytes());
        assert_eq!(look_at(&bomb), Err(ReceiptError::TooManyPixels));
        // Each side is within its maximum, but the number of pixels is not.
        bomb[16..24].copy_from_slice(&[0, 0, 0x3f, 0, 0, 0, 0x3f, 0]);
        let crc = crc32(&bomb[12..29]);
        bomb[29..33].copy_from_slice(&crc.to_be_bytes());
        assert_eq!(look_at(&bomb), Err(ReceiptError::TooManyPixels));
    }

    /// Checksum of a PNG chunk (ISO/IEC 15948, annex D).
    fn crc32(bytes: &[u8]) -> u32 {
        let mut crc = u32::MAX;
        for byte in bytes {
            crc ^= u32::from(*byte);
            for _ in 0..8 {
                crc = if crc & 1 == 1 { (crc >> 1) ^ 0xedb8_8320 } else { crc >> 1 };
            }
        }
        !crc
    }
}
