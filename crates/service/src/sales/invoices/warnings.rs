//! What is legal but incomplete, or looks wrong, on an invoice.

use super::InvoiceDetails;
use ledger::{calendar::Quarter, invoice::Line, vat::VatCategory, vat_date};
use store::invoices::{Invoice, InvoiceKind, Status};

/// Something that is legal but incomplete.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning {
    /// Stable, `snake_case`.
    pub code: &'static str,
    /// What to do about it.
    pub message: &'static str,
}

/// What is said of a day that is far off (`days::is_unusual`).
pub const DATE_UNUSUAL: Warning = Warning {
    code: "date_unusual",
    message: "the day was far from the others when it was given: more than 31 days ahead, or earlier than the quarter after the last one \
              whose return is filed, or than the quarter in which the books begin; check the year",
};

/// Whether a warning concerns an invoice.
type Concerns = fn(&InvoiceDetails) -> bool;

/// Every warning, in the order in which they are told.
const ALL: [(Concerns, Warning); 11] = [
    (
        |details| details.invoice.customer.vat_number.is_none() && details.lines.iter().any(|(line, _)| is_reverse_charged(line)),
        Warning {
            code: "customer_vat_number_missing",
            message: "VAT is reverse-charged to the customer, so the invoice must show the customer's VAT number (art. 35a Wet OB 1968); \
                      give customer.vatNumber",
        },
    ),
    (
        |details| details.lines.iter().any(|(line, _)| contradicts_country(line.vat_category, &details.invoice)),
        Warning {
            code: "category_contradicts_country",
            message: "a line's VAT category does not fit the customer's country: intraCommunity is for the other EU countries, export and \
                      serviceOutsideEu for those outside the EU, reverseCharge for the Netherlands, and Dutch VAT is rarely due by a customer \
                      outside the EU; check vatCategory and customer.country",
        },
    ),
    (
        is_to_a_consumer_abroad,
        Warning {
            code: "consumer_abroad",
            message: "Dutch VAT is charged to somebody in another EU country without a VAT number: of sales to consumers abroad of more than \
                      10 000 euros a year the VAT of their country is due (art. 6i Wet OB 1968), which is not kept here; a business gives its \
                      VAT number and owes the VAT itself",
        },
    ),
    (
        |details| !details.supplier.has_address,
        Warning {
            code: "supplier_address_missing",
            message: "an invoice must show the seller's full address (art. 35a(1)(e) Wet OB 1968); the account's owner gives it in the settings",
        },
    ),
    (
        |details| !details.supplier.has_kvk_number,
        Warning {
            code: "supplier_kvk_missing",
            message: "an invoice must show the seller's number in the Business Register (art. 27 Handelsregisterwet 2007); the account's owner \
                      gives it in the settings",
        },
    ),
    (
        |details| !details.supplier.has_vat_number,
        Warning {
            code: "supplier_vat_number_missing",
            message: "an invoice must show the seller's VAT number (art. 35a(1)(c) Wet OB 1968); the account's owner gives it in the settings",
        },
    ),
    (
        mixes_what_is_outside,
        Warning {
            code: "ubl_not_possible",
            message: "this cannot be an e-invoice (UBL): it mixes lines with and without Dutch VAT; split it in two, or send the PDF only",
        },
    ),
    (
        |details| details.invoice.status == Status::Draft,
        Warning {
            code: "draft_on_return",
            message: "this is a draft: it stands on the VAT return of its quarter, though the VAT on it is not due before it is issued (art. 13 \
                      Wet OB 1968); send it, or take it back, before the return is filed",
        },
    ),
    (
        |details| vat_date::invoiced_late(details.invoice.invoice_date, details.invoice.last_day_of_supply()),
        Warning {
            code: "invoiced_late",
            message: "an invoice must be out by the 15th of the month after the supply (art. 34g Wet OB 1968); the VAT on it was due then, on \
                      vatDate",
        },
    ),
    (|details| details.invoice.date_unusual, DATE_UNUSUAL),
    (
        is_paid_in_an_earlier_quarter,
        Warning {
            code: "paid_before_invoice",
            message: "something was received in a quarter before that of vatDate: the VAT on what is paid in advance is due when it is \
                      received (art. 13(2) Wet OB 1968); a prepayment invoice is the way",
        },
    ),
];

/// What is said of an invoice that was open when the books began, once something of it is written off.
const VAT_NOT_KNOWN: Warning = Warning {
    code: "vat_not_known",
    message: "this was open when the books began, so its VAT is not known here: what is written off is cost as a whole, in no box of a return; \
              ask the VAT in it back yourself, from the tax office to which it was paid (art. 29(2) Wet OB 1968)",
};

impl InvoiceDetails {
    /// What is legal but incomplete. Of a draft that was taken back there is nothing to tell, and of what was open when the books began no more
    /// than what becomes of its VAT.
    #[must_use]
    pub fn warnings(&self) -> Vec<Warning> {
        if self.invoice.is_opening_item() {
            let is_lost = !self.invoice.amount_written_off.is_zero();
            return is_lost.then_some(VAT_NOT_KNOWN).into_iter().collect();
        }
        let reported = ALL.iter().filter(|(holds, _)| self.invoice.status != Status::Cancelled && holds(self));
        reported.map(|(_, warning)| warning.clone()).collect()
    }
}

/// Whether lines outside Dutch VAT stand beside others, which the form of the e-invoice cannot carry (BR-O-11 to BR-O-14).
fn mixes_what_is_outside(details: &InvoiceDetails) -> bool {
    let is_outside = |category| matches!(category, VatCategory::OutOfScope | VatCategory::ServiceOutsideEu);
    let mut lines = details.lines.iter().map(|(line, _)| is_outside(line.vat_category));
    let first = lines.next();
    lines.any(|outside| Some(outside) != first)
}

fn is_reverse_charged(line: &Line) -> bool {
    matches!(line.vat_category, VatCategory::IntraCommunity | VatCategory::ReverseCharge)
}

/// Whether a line speaks of another place than the customer's country. It can still be right: where goods go to decides, and that may
/// be another country than the customer's (art. 5 and 6 Wet OB 1968).
fn contradicts_country(category: VatCategory, invoice: &Invoice) -> bool {
    let (country, on) = (invoice.customer.country, invoice.rates_on());
    category.contradicts(country, on) || (category == VatCategory::Standard && !country.in_eu(on))
}

fn is_to_a_consumer_abroad(details: &InvoiceDetails) -> bool {
    let (customer, on) = (&details.invoice.customer, details.invoice.rates_on());
    let is_abroad = !customer.country.is_dutch() && customer.country.in_eu(on);
    is_abroad && customer.vat_number.is_none() && details.lines.iter().any(|(line, _)| line.vat_category == VatCategory::Standard)
}

fn is_paid_in_an_earlier_quarter(details: &InvoiceDetails) -> bool {
    let invoice = &details.invoice;
    let is_early = |paid| Quarter::of(paid) < Quarter::of(invoice.vat_date);
    invoice.kind == InvoiceKind::Invoice && invoice.first_paid_on.is_some_and(is_early)
}
