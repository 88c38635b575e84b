//! Logos: uploaded pictures, scaled down and sanitised before they are stored.

use crate::png;
use image::{
    DynamicImage, ImageDecoder, ImageFormat, ImageReader, Limits, Rgba, RgbaImage,
    codecs::jpeg::JpegEncoder, imageops::FilterType,
};
use std::{borrow::Cow, io::Cursor};
use thiserror::Error;

/// Maximum size of an upload, in bytes.
pub const MAX_BYTES: usize = 10 * 1024 * 1024;
/// Maximum width and height of an upload, in pixels.
const MAX_SIDE: u32 = 8_000;
/// Memory limit for decoding, in bytes.
const MAX_MEMORY: u64 = 256 * 1024 * 1024;
/// Maximum width and height of a stored logo, in pixels. A printed logo is at most 62 × 16 mm, so
/// this is more than 300 dots per inch.
const KEPT: (u32, u32) = (1_000, 300);

/// Maximum width and height of a logo in an email, in pixels: twice the size at which it is shown.
const MAILED: (u32, u32) = (400, 120);
/// Maximum size of a logo in an email, in bytes.
const MAX_MAILED: usize = 40_000;
const WHITE: Rgba<u8> = Rgba([u8::MAX; 4]);

/// Logo as stored and printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Logo {
    format: Format,
    bytes: Vec<u8>,
    width: u32,
    height: u32,
}

/// Format of a stored logo.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// PNG, with the transparency of the upload.
    Png,
    /// JPEG, for photographs.
    Jpeg,
}

/// Reason why a picture is not accepted as a logo.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum LogoError {
    /// The file is larger than [`MAX_BYTES`].
    #[error("too_many_bytes")]
    TooManyBytes,
    /// The file is neither PNG nor JPEG.
    #[error("wrong_format")]
    WrongFormat,
    /// The picture has more pixels than can be decoded safely.
    #[error("too_many_pixels")]
    TooManyPixels,
    /// The file starts like a picture but cannot be decoded.
    #[error("damaged")]
    Damaged,
}

impl Logo {
    /// Decodes an uploaded picture, scales it down to the stored size, and encodes it again, which
    /// removes all other data from the file, such as metadata.
    ///
    /// # Errors
    /// The picture is too large, neither PNG nor JPEG, or damaged.
    pub fn read(upload: &[u8]) -> Result<Self, LogoError> {
        if upload.len() > MAX_BYTES {
            return Err(LogoError::TooManyBytes);
        }
        let format = match image::guess_format(upload) {
            Ok(ImageFormat::Png) => Format::Png,
            Ok(ImageFormat::Jpeg) => Format::Jpeg,
            _ => return Err(LogoError::WrongFormat),
        };
        let picture = decode(upload, format)?;
        let small = if picture.width() > KEPT.0 || picture.height() > KEPT.1 {
            picture.resize(KEPT.0, KEPT.1, FilterType::Lanczos3)
        } else {
            picture
        };
        let (width, height) = (small.width(), small.height());
        let mut bytes = Vec::new();
        let written = match format {
            Format::Png if small.color().has_alpha() => DynamicImage::from(small.into_rgba8())
                .write_to(&mut Cursor::new(&mut bytes), ImageFormat::Png),
            Format::Png => DynamicImage::from(small.into_rgb8())
                .write_to(&mut Cursor::new(&mut bytes), ImageFormat::Png),
            Format::Jpeg => {
                small.into_rgb8().write_with_encoder(JpegEncoder::new_with_quality(&mut bytes, 90))
            }
        };
        written.map_err(|_| LogoError::Damaged)?;
        Ok(Self { format, bytes, width, height })
    }

    /// Restores a stored logo.
    ///
    /// # Errors
    /// The bytes are not a stored logo.
    pub fn kept(bytes: Vec<u8>) -> Result<Self, LogoError> {
        let format = match image::guess_format(&bytes) {
            Ok(ImageFormat::Png) => Format::Png,
            Ok(ImageFormat::Jpeg) => Format::Jpeg,
            _ => return Err(LogoError::WrongFormat),
        };
        let (width, height) =
            reader(&bytes, format).into_dimensions().map_err(|_| LogoError::Damaged)?;
        if width > KEPT.0 || height > KEPT.1 || width == 0 || height == 0 {
            return Err(LogoError::TooManyPixels);
        }
        Ok(Self { format, bytes, width, height })
    }

    /// Returns the logo scaled down for an email, on white if it would be too large otherwise; `None`
    /// if it cannot be made small enough.
    #[must_use]
    pub fn mailed(&self) -> Option<Self> {
        let picture = decode(&self.bytes, self.format).ok()?;
        let small = if self.width > MAILED.0 || self.height > MAILED.1 {
            picture.resize(MAILED.0, MAILED.1, FilterType::Lanczos3)
        } else {
            picture
        };
        let (width, height) = (small.width(), small.height());
        let mut bytes = Vec::new();
        if self.format == Format::Png {
            small.write_to(&mut Cursor::new(&mut bytes), ImageFormat::Png).ok()?;
            if bytes.len() <= MAX_MAILED {
                return Some(Self { format: Format::Png, bytes, width, height });
            }
        }
        let mut white = DynamicImage::from(RgbaImage::from_pixel(width, height, WHITE));
        image::imageops::overlay(&mut white, &small, 0, 0);
        for quality in [85, 60] {
            bytes.clear();
            let encoder = JpegEncoder::new_with_quality(&mut bytes, quality);
            white.to_rgb8().write_with_encoder(encoder).ok()?;
            if bytes.len() <= MAX_MAILED {
                return Some(Self { format: Format::Jpeg, bytes, width, height });
            }
        }
        None
    }

    /// Returns the format.
    #[must_use]
    pub const fn format(&self) -> Format {
        self.format
    }

    /// Returns the media type.
    #[must_use]
    pub const fn media_type(&self) -> &'static str {
        match self.format {
            Format::Png => "image/png",
            Format::Jpeg => "image/jpeg",
        }
    }

    /// Returns the stored bytes.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns the width and height, in pixels.
    #[must_use]
    pub const fn size(&self) -> (u32, u32) {
        (self.width, self.height)
    }
}

fn reader(bytes: &[u8], format: Format) -> ImageReader<Cursor<&[u8]>> {
    let mut reader = ImageReader::new(Cursor::new(bytes));
    reader.set_format(match format {
        Format::Png => ImageFormat::Png,
        Format::Jpeg => ImageFormat::Jpeg,
    });
    let mut limits = Limits::default();
    limits.max_image_width = Some(MAX_SIDE);
    limits.max_image_height = Some(MAX_SIDE);
    limits.max_alloc = Some(MAX_MEMORY);
    reader.limits(limits);
    reader
}

fn decode(bytes: &[u8], format: Format) -> Result<DynamicImage, LogoError> {
    let refused = |error: image::ImageError| match error {
        image::ImageError::Limits(_) => LogoError::TooManyPixels,
        _ => LogoError::Damaged,
    };
    let pixels = if format == Format::Png {
        Cow::Owned(png::pixels_only(bytes))
    } else {
        Cow::Borrowed(bytes)
    };
    let mut decoder = reader(&pixels, format).into_decoder().map_err(refused)?;
    // The picture itself is rotated, because its orientation is stated in EXIF data, which are not
    // stored.
    let orientation = decoder.orientation().map_err(refused)?;
    let mut picture = DynamicImage::from_decoder(decoder).map_err(refused)?;
    picture.apply_orientation(orientation);
    Ok(picture)
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::{Rgb, RgbImage};

    fn encoded(picture: impl Into<DynamicImage>, format: ImageFormat) -> Vec<u8> {
        let mut bytes = Vec::new();
        picture.into().write_to(&mut Cursor::new(&mut bytes), format).unwrap();
        bytes
    }

    #[test]
    fn a_large_picture_is_made_small_and_keeps_its_shape_and_transparency() {
        let png =
            encoded(RgbaImage::from_pixel(3_000, 600, Rgba([10, 90, 80, 0])), ImageFormat::Png);
        let logo = Logo::read(&png).unwrap();
        assert_eq!((logo.format(), logo.size()), (Format::Png, (1_000, 200)));
        assert!(image::load_from_memory(logo.bytes()).unwrap().color().has_alpha());
        assert_eq!(Logo::kept(logo.bytes().to_vec()), Ok(logo));
        let jpeg = encoded(RgbImage::from_pixel(80, 40, Rgb([1, 2, 3])), ImageFormat::Jpeg);
        assert_eq!(
            Logo::read(&jpeg).map(|logo| (logo.format(), logo.size())),
            Ok((Format::Jpeg, (80, 40)))
        );
    }

    #[test]
    fn a_logo_in_a_mail_is_small() {
        let mut random = fastrand::Rng::with_seed(7);
        let noise = RgbaImage::from_fn(1_000, 300, |_, _| {
            Rgba([random.u8(..), random.u8(..), random.u8(..), random.u8(..)])
        });
        let logo = Logo::read(&encoded(noise, ImageFormat::Png)).unwrap();
        let mailed = logo.mailed().unwrap();
        assert_eq!((mailed.format(), mailed.size()), (Format::Jpeg, (400, 120)));
        assert!(mailed.bytes().len() <= MAX_MAILED);
        let plain = encoded(RgbaImage::from_pixel(300, 90, Rgba([1, 2, 3, 0])), ImageFormat::Png);
        let mailed = Logo::read(&plain).unwrap().mailed().unwrap();
        assert_eq!((mailed.format(), mailed.size()), (Format::Png, (300, 90)));
        assert!(image::load_from_memory(mailed.bytes()).unwrap().color().has_alpha());
    }

    #[test]
    fn what_is_no_logo_is_refused_with_its_reason() {
        let png = encoded(RgbImage::new(100, 100), ImageFormat::Png);
        let mut bomb = png.clone();
        // A PNG states its size in the header: here 65 536 × 65 536 pixels in a hundred bytes.
        bomb[16..24].copy_from_slice(&[0, 1, 0, 0, 0, 1, 0, 0]);
        let crc = crc32(&bomb[12..29]);
        bomb[29..33].copy_from_slice(&crc.to_be_bytes());
        let cases: [(&[u8], LogoError); 6] = [
            (b"", LogoError::WrongFormat),
            (b"<svg xmlns='http://www.w3.org/2000/svg'/>", LogoError::WrongFormat),
            (b"GIF89a\x01\0\x01\0", LogoError::WrongFormat),
            (&png[..60], LogoError::Damaged),
            (&bomb, LogoError::TooManyPixels),
            (&vec![0; MAX_BYTES + 1], LogoError::TooManyBytes),
        ];
        for (bytes, error) in cases {
            assert_eq!(Logo::read(bytes), Err(error), "{} bytes", bytes.len());
        }
    }

    /// Checksum of a PNG chunk (ISO 15948, annex D).
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
