//! Characters of an invoice that have no glyph in the font of its PDF.

use super::InvoiceDetails;
use documents::pdf;

/// Characters in a field of an invoice that have no glyph.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MissingGlyphs {
    /// JSON pointer of the field, such as `/customer/name`.
    pub field: String,
    /// The characters, each once.
    pub characters: String,
}

impl InvoiceDetails {
    /// Returns the fields that the PDF cannot print unchanged.
    #[must_use]
    pub fn missing_glyphs(&self) -> Vec<MissingGlyphs> {
        let (invoice, customer) = (&self.invoice, &self.invoice.customer);
        let fields = [
            ("/customer/name", Some(&customer.name)),
            ("/customer/contactPerson", customer.contact_person.as_ref()),
            ("/customer/address/street", customer.street.as_ref()),
            ("/customer/address/postalCode", customer.postal_code.as_ref()),
            ("/customer/address/city", customer.city.as_ref()),
            ("/reference", invoice.reference.as_ref()),
            ("/orderNumber", invoice.particulars.order_number.as_ref()),
            ("/buyerReference", invoice.particulars.buyer_reference.as_ref()),
            ("/discountDescription", invoice.particulars.discount_description.as_ref()),
            ("/notes", invoice.notes.as_ref()),
        ];
        let fields = fields.into_iter().filter_map(|(field, text)| Some((field.to_owned(), text?)));
        let items = self.lines.iter().enumerate();
        let items = items
            .map(|(place, (line, _))| (format!("/items/{place}/description"), &line.description));
        let missing = |(field, text): (String, &String)| {
            let characters = unprintable([text.as_str()]);
            (!characters.is_empty()).then_some(MissingGlyphs { field, characters })
        };
        let units = self.lines.iter().enumerate().filter_map(|(place, (line, _))| {
            Some((format!("/items/{place}/unit"), line.unit.as_ref()?))
        });
        fields.chain(items).chain(units).filter_map(missing).collect()
    }
}

/// Returns the characters in `texts` that have no glyph in the documents' font, each once.
#[must_use]
pub fn unprintable<'t>(texts: impl IntoIterator<Item = &'t str>) -> String {
    let mut characters = Vec::new();
    for character in texts.into_iter().flat_map(pdf::missing_glyphs) {
        if !characters.contains(&character) {
            characters.push(character);
        }
    }
    characters.into_iter().collect()
}
