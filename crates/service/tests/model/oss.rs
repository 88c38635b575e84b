//! The model of the threshold above which supplies to consumers in other member states are taxed
//! there. No account of the model registers for the Union scheme.

use crate::books::{Account, Invoice, Line, Money, at};
use jiff::civil::Date;
use ledger::vat::{Supply, VatCategory};

/// Threshold of a year.
const THRESHOLD: Money = 1_000_000;

/// Whether a line is part of the turnover: goods to a customer in Germany or Belgium without a VAT
/// number, taxed in the Netherlands or exempt under the small businesses scheme.
pub(crate) fn counts(invoice: &Invoice, line: &Line) -> bool {
    let customer = &invoice.customer;
    let consumer = customer.vat_number.is_none() && customer.kvk_number.is_none();
    let sold = [VatCategory::Standard, VatCategory::Zero, VatCategory::SmallBusiness];
    consumer
        && ["DE", "BE"].contains(&customer.country.as_str())
        && line.supply == Supply::Goods
        && sold.contains(&line.category)
}

fn counted(invoice: &Invoice) -> Money {
    invoice.lines.iter().filter(|line| counts(invoice, line)).map(|line| line.amount).sum()
}

fn day_of(invoice: &Invoice) -> Date {
    invoice.supplied.1.or(invoice.supplied.0).unwrap_or(invoice.date)
}

impl Account {
    /// Turnover with consumers abroad in a year up to an invoice, or of the whole year.
    fn abroad(&self, year: i16, until: Option<(Date, i64)>) -> Money {
        let mut sum = 0;
        for (place, invoice) in self.invoices.iter().enumerate() {
            let id = i64::try_from(place).unwrap() + 1;
            let day = day_of(invoice);
            let is_part = invoice.credits.is_none()
                && !invoice.cancelled
                && !invoice.opening
                && day.year() == year
                && until.is_none_or(|until| (day, id) <= until);
            if is_part {
                let notes = self.invoices.iter().filter(|note| note.credits == Some(id));
                sum += counted(invoice) + notes.map(counted).sum::<Money>();
            }
        }
        sum
    }

    /// Whether the turnover up to an invoice is at least 80 % of the threshold, and whether the
    /// threshold was passed, in the year before or by then.
    pub(crate) fn near_the_threshold(&self, id: i64) -> (bool, bool) {
        let day = day_of(at(&self.invoices, id).unwrap());
        let until = self.abroad(day.year(), Some((day, id)));
        let passed = self.abroad(day.year() - 1, None) > THRESHOLD || until > THRESHOLD;
        (!passed && until * 100 >= THRESHOLD * 80, passed)
    }
}
