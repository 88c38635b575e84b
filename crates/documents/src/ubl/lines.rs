//! Lines of the e-invoice (BG-25).

use super::{Document, EURO, Out, code};
use crate::invoice::Line;
use ledger::{
    decimal::{Decimal, multiply_to_cents, plain},
    money::Cents,
    unit,
};
use std::io;

/// Maximum number of decimals in a quantity or price in the file. With quantity and price up to a
/// billion, the omitted decimals change a line by less than a tenth of a cent. XML Schema readers
/// accept at least 18 digits, some no more than 24.
const DECIMALS: u32 = 12;

impl Document<'_> {
    pub(super) fn line(&self, xml: &mut Out, place: usize, line: &Line) -> io::Result<()> {
        let (element, quantity_element) = if self.invoice.is_credit_note() {
            ("cac:CreditNoteLine", "cbc:CreditedQuantity")
        } else {
            ("cac:InvoiceLine", "cbc:InvoicedQuantity")
        };
        let (quantity, price) = self.quantity_and_price(line);
        xml.open(element)?;
        xml.text("cbc:ID", &place.to_string())?;
        let unit = unit::code(line.unit.as_deref());
        xml.text_with(quantity_element, &[("unitCode", unit)], &plain(&quantity))?;
        xml.text_with("cbc:LineExtensionAmount", &EURO, &self.amount(line.amount))?;
        self.line_discount(xml, line)?;
        xml.open("cac:Item")?;
        let (name, rest) =
            line.description.trim().split_once('\n').unwrap_or((line.description.trim(), ""));
        xml.optional("cbc:Description", Some(rest))?;
        xml.text("cbc:Name", name.trim())?;
        xml.open("cac:ClassifiedTaxCategory")?;
        xml.text("cbc:ID", code(line.treatment))?;
        if code(line.treatment) != "O" {
            xml.text("cbc:Percent", &line.vat_rate.to_string())?;
        }
        xml.open("cac:TaxScheme")?;
        xml.text("cbc:ID", "VAT")?;
        xml.close()?;
        xml.close()?;
        xml.close()?;
        xml.open("cac:Price")?;
        xml.text_with("cbc:PriceAmount", &EURO, &plain(&price))?;
        xml.close()?;
        xml.close()
    }

    /// Writes the discount of a line (BG-27), with the amount that it is taken of and its percentage
    /// (PEPPOL-EN16931-R041 and R042 require both or neither). If the prices include VAT, the price
    /// excluding VAT is that after the discount.
    fn line_discount(&self, xml: &mut Out, line: &Line) -> io::Result<()> {
        if line.discount.is_zero() || self.invoice.prices_include_vat {
            return Ok(());
        }
        let share = || {
            let (part, whole) = (Decimal::new(line.discount.get(), 2), line.gross.get());
            part.checked_div(Decimal::new(whole, 4)).map(|percent| percent.round_dp(DECIMALS))
        };
        self.open_allowance(xml, line.discount, None)?;
        let percent = line.discount_percent.or_else(share);
        xml.optional("cbc:MultiplierFactorNumeric", percent.map(|of| plain(&of)).as_deref())?;
        xml.text_with("cbc:Amount", &EURO, &line.discount.abs().to_string())?;
        if percent.is_some() {
            xml.text_with("cbc:BaseAmount", &EURO, &line.gross.abs().to_string())?;
        }
        xml.close()
    }

    /// Returns the quantity and price of a line. The price is never negative (BR-27): the quantity
    /// carries the sign. The price excludes VAT (BT-146): if the invoice's prices include VAT, it
    /// is the net amount per unit. The net amount per unit is also the price of a line that credits
    /// the remainder of an invoiced line, because quantity × unit price would differ by more than
    /// readers allow (PEPPOL-EN16931-R120: two cents).
    fn quantity_and_price(&self, line: &Line) -> (Decimal, Decimal) {
        let quantity = if self.invoice.is_credit_note() { -line.quantity } else { line.quantity };
        let before =
            if self.invoice.prices_include_vat { line.amount } else { line.amount + line.discount };
        let net = Decimal::new(before.get(), 2);
        let price = match net.checked_div(line.quantity) {
            Some(price) if self.invoice.prices_include_vat || !is_product(line) => price,
            // With quantity zero, the price cannot be derived from the amount; instead, the unit
            // price is reduced by the VAT that it includes.
            None if self.invoice.prices_include_vat => {
                let hundred = Decimal::ONE_HUNDRED;
                line.unit_price * hundred / (hundred + line.vat_rate.percent())
            }
            _ => line.unit_price,
        };
        let (quantity, price) =
            if price.is_sign_negative() { (-quantity, -price) } else { (quantity, price) };
        (quantity.round_dp(DECIMALS), price.round_dp(DECIMALS))
    }
}

/// Whether the amount of a line before its discount is quantity × price within a cent.
fn is_product(line: &Line) -> bool {
    multiply_to_cents(&line.quantity, &line.unit_price)
        .is_ok_and(|product| (product - line.amount - line.discount).abs() <= Cents::new(1))
}
