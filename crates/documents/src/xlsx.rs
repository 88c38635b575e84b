//! Lists as XLSX (ECMA-376, part 1, section 18): one sheet of text, numbers and dates, compressed
//! while it is written.

use crate::csv::Cell;
use flate2::{Compression, Crc, write::DeflateEncoder};
use jiff::civil::{Date, date};
use std::io::{self, Write};

/// Maximum length of a cell's text, in characters.
const LONGEST_TEXT: usize = 32_767;
/// Cell styles, as indexes in `styles.xml`.
const PLAIN: u8 = 0;
const DAY: u8 = 1;
const AMOUNT: u8 = 2;
const HEAD: u8 = 3;

const SHEET: &str = "xl/worksheets/sheet1.xml";
/// Fixed parts other than the sheet: content types, relationships, workbook and styles.
const PARTS: [(&str, &str); 5] = [
    (
        "[Content_Types].xml",
        r#"<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
<Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>
<Override PartName="/xl/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/>
<Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>
</Types>"#,
    ),
    (
        "_rels/.rels",
        r#"<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">
<Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/>
</Relationships>"#,
    ),
    (
        "xl/workbook.xml",
        r#"<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"
xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships">
<sheets><sheet name="Grootboek" sheetId="1" r:id="rId1"/></sheets></workbook>"#,
    ),
    (
        "xl/_rels/workbook.xml.rels",
        r#"<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">
<Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/>
<Relationship Id="rId2" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles" Target="styles.xml"/>
</Relationships>"#,
    ),
    (
        "xl/styles.xml",
        // Formats 4 (two decimals) and 14 (a date in the reader's locale) are built in.
        r#"<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">
<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>
<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>
<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>
<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>
<cellXfs count="4"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>
<xf numFmtId="14" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>
<xf numFmtId="4" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>
<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/></cellXfs>
<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>"#,
    ),
];
const DECLARATION: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n";
/// Start of a sheet before its columns; the first row is frozen.
const VIEW: &str = r#"<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetViews><sheetView workbookViewId="0">
<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetFormatPr defaultRowHeight="15"/>"#;

/// Writer of a workbook with one sheet.
pub struct Xlsx {
    sheet: Part,
}

impl Xlsx {
    /// Starts a sheet with its column names.
    ///
    /// # Errors
    /// Writing to the output fails.
    pub fn begin(names: &[&str]) -> io::Result<Self> {
        let mut sheet = Part::begin(SHEET);
        let last = names.len().max(1);
        write!(
            sheet,
            "{DECLARATION}{VIEW}<cols><col min=\"1\" max=\"{last}\" width=\"18\" customWidth=\"1\"/></cols><sheetData><row>"
        )?;
        for name in names {
            text(&mut sheet, name, HEAD)?;
        }
        sheet.write_all(b"</row>")?;
        Ok(Self { sheet })
    }

    /// Writes a row.
    ///
    /// # Errors
    /// Writing to the output fails.
    pub fn row<'c>(&mut self, cells: impl IntoIterator<Item = Cell<'c>>) -> io::Result<()> {
        let sheet = &mut self.sheet;
        sheet.write_all(b"<row>")?;
        for cell in cells {
            match cell {
                Cell::Text(words) => text(sheet, words, PLAIN)?,
                Cell::Number(number) => {
                    let has_cents =
                        number.rsplit_once('.').is_some_and(|(_, cents)| cents.len() == 2);
                    write!(
                        sheet,
                        "<c s=\"{}\"><v>{number}</v></c>",
                        if has_cents { AMOUNT } else { PLAIN }
                    )?;
                }
                Cell::Day(day) => match serial(day) {
                    Some(number) => write!(sheet, "<c s=\"{DAY}\"><v>{number}</v></c>")?,
                    None => text(sheet, &day.to_string(), PLAIN)?,
                },
                Cell::Empty => sheet.write_all(b"<c/>")?,
            }
        }
        sheet.write_all(b"</row>")
    }

    /// Returns the file.
    ///
    /// # Errors
    /// The file is larger than the format allows.
    pub fn finish(mut self) -> io::Result<Vec<u8>> {
        self.sheet.write_all(b"</sheetData></worksheet>")?;
        let mut zip = Zip::default();
        for (name, content) in PARTS {
            let mut part = Part::begin(name);
            write!(part, "{DECLARATION}{content}")?;
            zip.add(part)?;
        }
        zip.add(self.sheet)?;
        zip.finish()
    }
}

/// Serial number of a date in spreadsheets: 1 March 1900 is 61, because spreadsheets treat 1900 as
/// a leap year. `None` for earlier dates, which are numbered differently.
fn serial(day: Date) -> Option<i32> {
    let days = date(1900, 3, 1).until(day).ok()?.get_days();
    (days >= 0).then_some(days + 61)
}

/// Writes a text cell, which is never a formula, regardless of its first character.
fn text(sheet: &mut Part, words: &str, style: u8) -> io::Result<()> {
    write!(sheet, "<c s=\"{style}\" t=\"inlineStr\"><is><t xml:space=\"preserve\">")?;
    for character in words.chars().take(LONGEST_TEXT) {
        match character {
            '&' => sheet.write_all(b"&amp;")?,
            '<' => sheet.write_all(b"&lt;")?,
            '>' => sheet.write_all(b"&gt;")?,
            '\t' | '\n' => write!(sheet, "{character}")?,
            // Not allowed in XML (XML 1.0, section 2.2).
            '\u{fffe}' | '\u{ffff}' => {}
            _ if character.is_ascii_control() => {}
            _ => write!(sheet, "{character}")?,
        }
    }
    sheet.write_all(b"</t></is></c>")
}

/// File in the archive, compressed while it is written.
struct Part {
    name: &'static str,
    crc: Crc,
    length: u64,
    deflated: DeflateEncoder<Vec<u8>>,
}

impl Part {
    fn begin(name: &'static str) -> Self {
        Self {
            name,
            crc: Crc::new(),
            length: 0,
            deflated: DeflateEncoder::new(Vec::new(), Compression::fast()),
        }
    }
}

impl Write for Part {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.deflated.write_all(bytes)?;
        self.crc.update(bytes);
        self.length += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// ZIP archive (PKWARE APPNOTE 6.3.10) with only the features that a workbook needs, within the
/// size limits of the original format (no ZIP64).
#[derive(Default)]
struct Zip {
    out: Vec<u8>,
    directory: Vec<u8>,
    files: u16,
}

impl Zip {
    fn add(&mut self, part: Part) -> io::Result<()> {
        let Part { name, crc, length, deflated } = part;
        let (name, deflated, offset) =
            (name.as_bytes(), deflated.finish()?, four_bytes(self.out.len() as u64)?);
        let mut facts = Vec::with_capacity(26);
        // Version 2.0, no flags, deflated, no time, the earliest date.
        for number in [20_u16, 0, 8, 0, 0x21] {
            facts.extend(number.to_le_bytes());
        }
        for number in [crc.sum(), four_bytes(deflated.len() as u64)?, four_bytes(length)?] {
            facts.extend(number.to_le_bytes());
        }
        facts.extend(u16::try_from(name.len()).map_err(|_| too_large())?.to_le_bytes());
        facts.extend([0; 2]);
        self.out.extend(0x0403_4b50_u32.to_le_bytes());
        self.out.extend(&facts);
        self.out.extend(name);
        self.out.extend(deflated);
        self.directory.extend(0x0201_4b50_u32.to_le_bytes());
        self.directory.extend(20_u16.to_le_bytes());
        self.directory.extend(&facts);
        // No comment, first disk, no attributes.
        self.directory.extend([0; 10]);
        self.directory.extend(offset.to_le_bytes());
        self.directory.extend(name);
        self.files += 1;
        Ok(())
    }

    fn finish(mut self) -> io::Result<Vec<u8>> {
        let (offset, size) =
            (four_bytes(self.out.len() as u64)?, four_bytes(self.directory.len() as u64)?);
        self.out.append(&mut self.directory);
        self.out.extend(0x0605_4b50_u32.to_le_bytes());
        self.out.extend([0; 4]);
        for _ in 0..2 {
            self.out.extend(self.files.to_le_bytes());
        }
        self.out.extend(size.to_le_bytes());
        self.out.extend(offset.to_le_bytes());
        self.out.extend([0; 2]);
        Ok(self.out)
    }
}

fn four_bytes(length: u64) -> io::Result<u32> {
    u32::try_from(length).map_err(|_| too_large())
}

fn too_large() -> io::Error {
    io::Error::other("the list is too large for a workbook")
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::read::DeflateDecoder;
    use std::io::Read;

    /// Returns the name and the text of each file in an archive, in the order of its directory.
    fn files(bytes: &[u8]) -> Vec<(String, String)> {
        let number = |at: usize, size: usize| {
            bytes[at..at + size].iter().rev().fold(0, |sum, byte| sum * 256 + usize::from(*byte))
        };
        let end = bytes.len() - 22;
        assert_eq!(number(end, 4), 0x0605_4b50);
        let mut at = number(end + 16, 4);
        let mut found = Vec::new();
        for _ in 0..number(end + 10, 2) {
            assert_eq!(number(at, 4), 0x0201_4b50);
            let (crc, size, whole) = (number(at + 16, 4), number(at + 20, 4), number(at + 24, 4));
            let (name, offset) = (number(at + 28, 2), number(at + 42, 4));
            let file = String::from_utf8(bytes[at + 46..at + 46 + name].to_vec()).unwrap();
            assert_eq!((number(offset, 4), number(offset + 26, 2)), (0x0403_4b50, name));
            let data = offset + 30 + name;
            let mut text = String::new();
            DeflateDecoder::new(&bytes[data..data + size]).read_to_string(&mut text).unwrap();
            let mut check = Crc::new();
            check.update(text.as_bytes());
            assert_eq!((text.len(), check.sum() as usize), (whole, crc));
            found.push((file, text));
            at += 46 + name;
        }
        found
    }

    #[test]
    fn a_list_is_a_sheet_of_texts_numbers_and_days() {
        let mut list = Xlsx::begin(&["naam", "bedrag", "dag"]).unwrap();
        let day = date(2026, 11, 22);
        list.row([
            Cell::Text("<De Kroon> & \u{7}zn.\n"),
            Cell::Number("-1234.50".into()),
            Cell::Day(day),
        ])
        .unwrap();
        list.row([Cell::Text("=1+1"), Cell::Number("2.5".into()), Cell::Empty]).unwrap();
        let files = files(&list.finish().unwrap());
        assert_eq!(files.len(), 6);
        let sheet = &files.iter().find(|(name, _)| name == SHEET).unwrap().1;
        for part in [
            "<row><c s=\"3\" t=\"inlineStr\"><is><t xml:space=\"preserve\">naam</t></is></c>",
            "&lt;De Kroon&gt; &amp; zn.\n</t></is></c><c s=\"2\"><v>-1234.50</v></c><c s=\"1\"><v>46348</v></c></row>",
            "<c s=\"0\" t=\"inlineStr\"><is><t xml:space=\"preserve\">=1+1</t></is></c><c s=\"0\"><v>2.5</v></c><c/></row></sheetData>",
        ] {
            assert!(sheet.contains(part), "{part}: {sheet}");
        }
        assert!(!sheet.contains("<f>"), "{sheet}");
        for (_, text) in &files {
            let mut reader = quick_xml::Reader::from_str(text);
            while !matches!(reader.read_event().unwrap(), quick_xml::events::Event::Eof) {}
        }
    }

    #[test]
    fn days_are_counted_as_spreadsheets_do() {
        let counted = [
            (date(1900, 3, 1), Some(61)),
            (date(2000, 1, 1), Some(36_526)),
            (date(1900, 2, 28), None),
        ];
        for (day, number) in counted {
            assert_eq!(serial(day), number, "{day}");
        }
    }
}
