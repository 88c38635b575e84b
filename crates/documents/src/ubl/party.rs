//! Seller and buyer in the e-invoice (BG-4 and BG-7).

use super::{Document, Out, code};
use crate::invoice::{Address, Buyer};
use ledger::identifiers::{PeppolId, VatNumber};
use std::io;

/// Scheme of Dutch business register numbers in the lists of ISO 6523 and EAS.
const KVK: &str = "0106";

impl Document<'_> {
    pub(super) fn seller(&self, xml: &mut Out) -> io::Result<()> {
        let seller = &self.invoice.seller;
        xml.open("cac:AccountingSupplierParty")?;
        xml.open("cac:Party")?;
        if let Some(kvk) = &seller.kvk_number {
            xml.text_with("cbc:EndpointID", &[("schemeID", KVK)], kvk.as_str())?;
        }
        name(xml, &seller.name)?;
        address(xml, &seller.address)?;
        self.vat_number(xml, seller.vat_number.as_ref())?;
        xml.open("cac:PartyLegalEntity")?;
        xml.text("cbc:RegistrationName", &seller.name)?;
        if let Some(kvk) = &seller.kvk_number {
            xml.text_with("cbc:CompanyID", &[("schemeID", KVK)], kvk.as_str())?;
        }
        xml.close()?;
        contact(xml, None, seller.phone.as_deref(), seller.email.as_deref())?;
        xml.close()?;
        xml.close()
    }

    pub(super) fn buyer(&self, xml: &mut Out) -> io::Result<()> {
        let buyer = &self.invoice.buyer;
        xml.open("cac:AccountingCustomerParty")?;
        xml.open("cac:Party")?;
        if let Some((scheme, id)) = endpoint(buyer) {
            xml.text_with("cbc:EndpointID", &[("schemeID", scheme)], &id)?;
        }
        name(xml, &buyer.name)?;
        address(xml, &buyer.address)?;
        self.vat_number(xml, buyer.vat_number.as_ref())?;
        xml.open("cac:PartyLegalEntity")?;
        xml.text("cbc:RegistrationName", &buyer.name)?;
        if let Some(kvk) = &buyer.kvk_number {
            xml.text_with("cbc:CompanyID", &[("schemeID", KVK)], kvk.as_str())?;
        }
        xml.close()?;
        contact(xml, buyer.contact_person.as_deref(), None, buyer.email.as_deref())?;
        xml.close()?;
        xml.close()
    }

    /// Writes the VAT number, except on an invoice outside the scope of VAT, which must not state
    /// the number of either party (BR-O-02).
    fn vat_number(&self, xml: &mut Out, number: Option<&VatNumber>) -> io::Result<()> {
        let out_of_scope =
            self.invoice.treatments().iter().any(|treatment| code(*treatment) == "O");
        let Some(number) = number.filter(|_| !out_of_scope) else { return Ok(()) };
        xml.open("cac:PartyTaxScheme")?;
        xml.text("cbc:CompanyID", number.as_str())?;
        xml.open("cac:TaxScheme")?;
        xml.text("cbc:ID", "VAT")?;
        xml.close()?;
        xml.close()
    }
}

fn name(xml: &mut Out, name: &str) -> io::Result<()> {
    xml.open("cac:PartyName")?;
    xml.text("cbc:Name", name)?;
    xml.close()
}

fn address(xml: &mut Out, address: &Address) -> io::Result<()> {
    xml.open("cac:PostalAddress")?;
    let street = address.street.as_deref().unwrap_or_default().trim();
    let (first, rest) = street.split_once('\n').unwrap_or((street, ""));
    let rest = rest
        .split('\n')
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .collect::<Vec<_>>()
        .join(", ");
    xml.optional("cbc:StreetName", Some(first))?;
    xml.optional("cbc:AdditionalStreetName", Some(&rest))?;
    xml.optional("cbc:CityName", address.city.as_deref())?;
    xml.optional("cbc:PostalZone", address.postal_code.as_deref())?;
    xml.open("cac:Country")?;
    xml.text("cbc:IdentificationCode", address.country.as_str())?;
    xml.close()?;
    xml.close()
}

fn contact(
    xml: &mut Out,
    name: Option<&str>,
    phone: Option<&str>,
    email: Option<&str>,
) -> io::Result<()> {
    if name.or(phone).or(email).is_none() {
        return Ok(());
    }
    xml.open("cac:Contact")?;
    xml.optional("cbc:Name", name)?;
    xml.optional("cbc:Telephone", phone)?;
    xml.optional("cbc:ElectronicMail", email)?;
    xml.close()
}

/// Returns the electronic address of the buyer (BT-49), in a scheme of Peppol: the given one, else the
/// KvK number of a Dutch buyer, else the VAT number. All Belgian enterprises are registered by their
/// enterprise number (0208), which their VAT number contains. A file without this address cannot be
/// sent over Peppol; an email address is not accepted (PEPPOL-EN16931-CL008).
pub(super) fn endpoint(buyer: &Buyer) -> Option<(&'static str, String)> {
    if let Some(id) = &buyer.peppol_id {
        let scheme = PeppolId::schemes().find(|scheme| *scheme == id.scheme());
        return scheme.map(|scheme| (scheme, id.value().to_owned()));
    }
    if let Some(kvk) = buyer.kvk_number.as_ref().filter(|_| buyer.address.country.is_dutch()) {
        return Some((KVK, kvk.as_str().to_owned()));
    }
    by_vat_number(buyer.vat_number.as_ref()?)
}

/// Returns the scheme of a country's VAT numbers in Peppol's list of electronic address schemes,
/// and the number in that scheme's notation. `None` for Sweden, whose scheme (9955) was removed
/// from the list, and for Northern Ireland, which never had a scheme, or countries outside the EU.
fn by_vat_number(number: &VatNumber) -> Option<(&'static str, String)> {
    let (prefix, digits) = number.as_str().split_at(2);
    let scheme = match prefix {
        "AT" => "9914",
        "BE" => return Some(("0208", digits.to_owned())),
        "BG" => "9926",
        "CY" => "9928",
        "CZ" => "9929",
        "DE" => "9930",
        // The number of the Danish business register equals the VAT number, and is also written
        // with DK.
        "DK" => "0184",
        "EE" => "9931",
        "EL" => "9933",
        "ES" => "9920",
        // The Finnish e-invoice address is 0037 followed by the digits of the VAT number.
        "FI" => return Some(("0216", format!("0037{digits}"))),
        "FR" => "9957",
        "HR" => "9934",
        "HU" => "9910",
        "IE" => "9935",
        "IT" => "0211",
        "LT" => "9937",
        "LU" => "9938",
        "LV" => "9939",
        "MT" => "9943",
        "NL" => "9944",
        "PL" => "9945",
        "PT" => "9946",
        "RO" => "9947",
        "SI" => "9949",
        "SK" => "9950",
        _ => return None,
    };
    Some((scheme, number.as_str().to_owned()))
}
