//! Reader of camt.053 (ISO 20022), versions 001.02 to 001.13.
//!
//! Elements are known by their local names, so that prefixes and versions make no difference.
//! Between versions, names of parties and the status moved one element down; both places are read.

mod entry;
mod statement;
mod tag;

use crate::{
    charset::{Charset, Source},
    limits::{MOST_DEPTH, MOST_TEXT_BYTES},
    refusal::{Cause, ForeignFormat, Unsupported, WarningKind},
    report::Report,
    text::line_breaks,
    upload::{Currency, Statement},
};
use quick_xml::{
    Reader,
    escape::resolve_predefined_entity,
    events::{BytesStart, Event},
};
use statement::Draft;
use std::borrow::Cow;
use tag::Tag;

/// Last version that is known, as in `camt.053.001.13`.
const LAST_VERSION: u8 = 13;
/// Start of the namespace, before the version.
const NAMESPACE: &str = "urn:iso:std:iso:20022:tech:xsd:camt.053.001.";

/// Reads the statements of an XML file.
///
/// # Errors
/// The file is not well-formed, is another document, or exceeds a limit.
pub(crate) fn read(source: &Source<'_>, report: &mut Report) -> Result<Vec<Statement>, Cause> {
    let text = match source.charset {
        Charset::Windows1252 => source.decode(&source.bytes),
        Charset::Utf8 | Charset::Utf16Le | Charset::Utf16Be => {
            std::str::from_utf8(&source.bytes).map_or(Cow::Borrowed(""), Cow::Borrowed)
        }
    };
    let mut reader = Reader::from_str(&text);
    reader.config_mut().expand_empty_elements = true;
    let mut parser = Parser::new(&text, report);
    loop {
        let event = reader.read_event();
        let position = usize::try_from(reader.buffer_position()).unwrap_or(usize::MAX);
        match event {
            Ok(Event::Start(element)) => parser.start(&element, position)?,
            Ok(Event::End(_)) => parser.end()?,
            // Outside of the root element are only blanks (XML 1.0, section 2.1).
            Ok(Event::Text(text)) if parser.path.is_empty() && !text.trim().is_empty() => {
                return Err(parser.malformed(position));
            }
            Ok(Event::Text(text)) => parser.push(&text),
            Ok(Event::CData(text)) => parser.push(&text),
            Ok(Event::GeneralRef(reference)) => {
                let char = reference.resolve_char_ref().map_err(|_| parser.malformed(position))?;
                match char {
                    Some(c) => parser.push(c.encode_utf8(&mut [0; 4])),
                    None => parser.push(
                        resolve_predefined_entity(&reference)
                            .ok_or(Cause::UnsupportedFile(Unsupported::Entity))?,
                    ),
                }
            }
            Ok(Event::DocType(_)) => return Err(Cause::UnsupportedFile(Unsupported::Doctype)),
            // Empty elements are reported as a start and an end.
            Ok(Event::Empty(_) | Event::Decl(_) | Event::PI(_) | Event::Comment(_)) => {}
            Ok(Event::Eof) if parser.path.is_empty() => break,
            Ok(Event::Eof) | Err(_) => return Err(parser.malformed(position)),
        }
    }
    if parser.is_statement_file {
        Ok(parser.statements)
    } else {
        Err(Cause::UnsupportedFile(Unsupported::Unknown))
    }
}

/// State while a file is read.
struct Parser<'r> {
    source: &'r str,
    report: &'r mut Report,
    /// Open elements.
    path: Vec<Tag>,
    /// Whether the root element was opened.
    has_root: bool,
    /// Number of open elements up to and including `Stmt`; 0 outside of statements.
    depth_of_statement: usize,
    /// Text of the element that was opened last, cut to a limit.
    text: String,
    /// Attribute `Ccy` of the element that was opened last.
    currency: Option<Currency>,
    /// Line and offset up to which lines were counted.
    line: u32,
    counted: usize,
    is_statement_file: bool,
    draft: Draft,
    statements: Vec<Statement>,
}

impl<'r> Parser<'r> {
    fn new(source: &'r str, report: &'r mut Report) -> Self {
        Self {
            source,
            report,
            path: Vec::new(),
            has_root: false,
            depth_of_statement: 0,
            text: String::new(),
            currency: None,
            line: 1,
            counted: 0,
            is_statement_file: false,
            draft: Draft::default(),
            statements: Vec::new(),
        }
    }

    fn start(&mut self, element: &BytesStart<'_>, position: usize) -> Result<(), Cause> {
        if self.path.len() >= MOST_DEPTH {
            return Err(Cause::UnsupportedFile(Unsupported::TooDeep));
        }
        // A second document in the same file.
        if self.path.is_empty() && self.has_root {
            return Err(self.malformed(position));
        }
        self.has_root = true;
        let name = element.local_name();
        let name: &str = name.as_ref();
        let tag = Tag::of(name);
        if !self.is_statement_file {
            self.recognize(name, element)?;
        }
        self.path.push(tag);
        self.text.clear();
        match tag {
            Tag::Amt => {
                let code = element.try_get_attribute("Ccy").ok().flatten();
                self.currency = code.and_then(|code| Currency::parse(&code.value));
            }
            Tag::Stmt if self.depth_of_statement == 0 => {
                self.report.count_statement()?;
                self.depth_of_statement = self.path.len();
                let line = self.line_at(position);
                self.draft = Draft::new(line);
            }
            Tag::Ntry if self.path.len() == self.depth_of_statement + 1 => {
                let line = self.line_at(position);
                self.draft.start_entry(line);
            }
            _ => {}
        }
        Ok(())
    }

    fn end(&mut self) -> Result<(), Cause> {
        if self.depth_of_statement > 0 {
            let path = &self.path[self.depth_of_statement..];
            if path.is_empty() {
                self.depth_of_statement = 0;
                let draft = std::mem::take(&mut self.draft);
                self.statements.extend(draft.finish(self.report)?);
            } else {
                self.draft.element(path, self.text.trim(), self.currency, self.report)?;
            }
        }
        self.text.clear();
        self.path.pop();
        Ok(())
    }

    fn push(&mut self, text: &str) {
        let room = MOST_TEXT_BYTES.saturating_sub(self.text.len());
        self.text.push_str(&text[..text.floor_char_boundary(room)]);
    }

    /// Recognizes the document by the root element or the element below it.
    fn recognize(&mut self, name: &str, element: &BytesStart<'_>) -> Result<(), Cause> {
        if let Some(version) = version(element).filter(|version| *version > LAST_VERSION) {
            self.report.warn(1, WarningKind::UnknownVersion { version });
        }
        let foreign = match name {
            "BkToCstmrStmt" => {
                self.is_statement_file = true;
                return Ok(());
            }
            "BkToCstmrAcctRpt" => ForeignFormat::Camt052,
            "BkToCstmrDbtCdtNtfctn" => ForeignFormat::Camt054,
            "CstmrCdtTrfInitn" => ForeignFormat::Pain001,
            "CstmrPmtStsRpt" => ForeignFormat::Pain002,
            "CstmrDrctDbtInitn" => ForeignFormat::Pain008,
            "OFX" => ForeignFormat::Ofx,
            _ => return Ok(()),
        };
        Err(Cause::NoStatement(Some(foreign)))
    }

    fn malformed(&mut self, position: usize) -> Cause {
        let line = self.line_at(position);
        Cause::UnsupportedFile(Unsupported::MalformedXml { line })
    }

    /// Returns the line of an offset. Offsets must not decrease.
    fn line_at(&mut self, position: usize) -> u32 {
        let position = position.min(self.source.len());
        self.line += line_breaks(self.source.as_bytes(), self.counted.min(position)..position);
        self.counted = position;
        self.line
    }
}

/// Returns the version in the namespace of an element, such as 2 for `camt.053.001.02`.
fn version(element: &BytesStart<'_>) -> Option<u8> {
    element.attributes().filter_map(Result::ok).find_map(|attribute| {
        let value = attribute.value.trim().strip_prefix(NAMESPACE)?;
        value.get(..2)?.parse().ok()
    })
}
