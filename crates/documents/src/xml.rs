//! XML writer: elements in order, indented, with U+FFFD for characters that XML 1.0 does not allow.

use quick_xml::{
    Writer,
    events::{BytesDecl, BytesEnd, BytesStart, BytesText, Event},
};
use std::{
    borrow::Cow,
    io::{self, Write},
};

/// Writer of one XML document.
pub(crate) struct Xml<W: Write> {
    writer: Writer<W>,
    open: Vec<&'static str>,
}

impl<W: Write> Xml<W> {
    /// Starts a document whose root has these attributes.
    pub(crate) fn new(out: W, root: &'static str, attributes: &[(&str, &str)]) -> io::Result<Self> {
        let mut writer = Writer::new_with_indent(out, b' ', 1);
        writer.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
        let mut start = BytesStart::new(root);
        start.extend_attributes(attributes.iter().copied());
        writer.write_event(Event::Start(start))?;
        Ok(Self { writer, open: vec![root] })
    }

    /// Opens an element.
    pub(crate) fn open(&mut self, name: &'static str) -> io::Result<()> {
        self.open.push(name);
        self.writer.write_event(Event::Start(BytesStart::new(name)))
    }

    /// Closes the element opened last.
    pub(crate) fn close(&mut self) -> io::Result<()> {
        let name = self
            .open
            .pop()
            .expect("each close has its open: the writers here open and close in pairs");
        self.writer.write_event(Event::End(BytesEnd::new(name)))
    }

    /// Writes an element with text.
    pub(crate) fn text(&mut self, name: &'static str, text: &str) -> io::Result<()> {
        self.text_with(name, &[], text)
    }

    /// Writes an element with text, unless the text is blank.
    pub(crate) fn optional(&mut self, name: &'static str, text: Option<&str>) -> io::Result<()> {
        text.map(str::trim)
            .filter(|text| !text.is_empty())
            .map_or(Ok(()), |text| self.text(name, text))
    }

    /// Writes an element with attributes and text.
    pub(crate) fn text_with(
        &mut self,
        name: &'static str,
        attributes: &[(&str, &str)],
        text: &str,
    ) -> io::Result<()> {
        let mut start = BytesStart::new(name);
        start.extend_attributes(attributes.iter().copied());
        self.writer.write_event(Event::Start(start))?;
        self.writer.write_event(Event::Text(BytesText::new(&carried(text))))?;
        self.writer.write_event(Event::End(BytesEnd::new(name)))
    }

    /// Closes all open elements and returns the output.
    pub(crate) fn finish(mut self) -> io::Result<W> {
        while !self.open.is_empty() {
            self.close()?;
        }
        let mut out = self.writer.into_inner();
        out.write_all(b"\n")?;
        Ok(out)
    }
}

/// Replaces each character that XML 1.0 does not allow (section 2.2) with U+FFFD: most control
/// characters, U+FFFE and U+FFFF. Removing them could leave an empty text, which readers reject.
fn carried(text: &str) -> Cow<'_, str> {
    let fits = |c: char| matches!(c, '\t' | '\n' | '\r' | '\u{20}'..='\u{fffd}' | '\u{10000}'..);
    if text.chars().all(fits) {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(text.chars().map(|c| if fits(c) { c } else { '\u{fffd}' }).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped_and_cleaned() {
        let mut xml = Xml::new(Vec::new(), "a", &[("n", "<\"")]).unwrap();
        xml.open("b").unwrap();
        xml.text("c", "<&\u{0}\u{b}\u{fffe}é🎉").unwrap();
        xml.optional("e", Some("\u{ffff}")).unwrap();
        xml.optional("d", Some("  ")).unwrap();
        let text = String::from_utf8(xml.finish().unwrap()).unwrap();
        let wanted = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<a n=\"&lt;&quot;\">\n <b>\n  <c>&lt;&amp;\u{fffd}\u{fffd}\u{fffd}é🎉</c>\n  <e>\u{fffd}</e>\n </b>\n</a>\n";
        assert_eq!(text, wanted);
    }
}
