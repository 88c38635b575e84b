//! The model of the small businesses scheme: turnover, limit, and the end of the scheme.

use crate::{
    books::{Account, Entry, Invoice, Line, Money, Moved, Sums, at, code, netted},
    others,
    pricing::{fault_at, price},
    purchases,
};
use jiff::civil::Date;
use ledger::{
    country::CountryCode,
    discount::Discount,
    entry::SourceType,
    event::Event,
    vat::{Exemption, Supply, VatCategory, VatScheme},
};
use service::{Error, Fault, VatError, corrections::IfFiled, invoices::LineInput};

/// Descriptions of the entries of a bill other than that of the purchase.
const PAYMENT: &str = "Payment: ";
const REPAYMENT: &str = "VAT paid back, bill unpaid: ";

/// Turnover limit for a year.
const LIMIT: Money = 2_000_000;

/// Whether a line is part of the turnover.
fn counts(line: &Line) -> bool {
    match line.category {
        VatCategory::IntraCommunity => line.supply == Supply::Goods,
        VatCategory::Exempt
        | VatCategory::SmallBusinessEu
        | VatCategory::ServiceOutsideEu
        | VatCategory::OutOfScope
        | VatCategory::Oss => false,
        _ => true,
    }
}

fn counted(lines: &[Line]) -> Money {
    lines.iter().filter(|line| counts(line)).map(|line| line.amount).sum()
}

/// Day of supply of an invoice.
pub(crate) fn day_of(invoice: &Invoice) -> Date {
    invoice.supplied.1.or(invoice.supplied.0).unwrap_or(invoice.date)
}

/// Lines and totals of an invoice, and the end of the scheme if the invoice causes it: the day, and
/// the id of the invoice that passed the limit (`None` for a new invoice).
pub(crate) type Sale = ((Vec<Line>, Sums), Option<(Date, Option<i64>)>);

impl Account {
    /// First day of the scheme, if it applies to an invoice supplied on the given day.
    pub(crate) fn kor_of(&self, day: Date, id: Option<i64>) -> Option<Date> {
        let is_earlier = |from: &Date| {
            *from == day && id.is_some_and(|id| self.ended_by.get(from).is_some_and(|by| id < *by))
        };
        let mut changes = self.schemes.range(..=day).rev();
        let last = changes.find(|(from, _)| !is_earlier(from));
        last.filter(|(_, scheme)| **scheme == VatScheme::Kor).map(|(from, _)| *from)
    }

    /// Turnover of a year in the order of supply: day, id and amount of each invoice, less its
    /// credit notes.
    fn turnover(&self, year: i16) -> Vec<(Date, i64, Money)> {
        let mut sums: Vec<(Date, i64, Money)> = Vec::new();
        for (place, invoice) in self.invoices.iter().enumerate() {
            let id = i64::try_from(place).unwrap() + 1;
            if invoice.credits.is_none()
                && !invoice.cancelled
                && !invoice.opening
                && day_of(invoice).year() == year
            {
                let notes = self.invoices.iter().filter(|note| note.credits == Some(id));
                let notes: Money = notes.map(|note| counted(&note.lines)).sum();
                sums.push((day_of(invoice), id, counted(&invoice.lines) + notes));
            }
        }
        sums.sort_unstable();
        sums
    }

    /// Invoice that passes the limit for a year.
    fn passing(&self, year: i16) -> Option<(Date, i64)> {
        let mut sum = 0;
        let turnover = self.turnover(year);
        let passing = turnover.iter().find(|(.., amount)| {
            sum += amount;
            sum > LIMIT
        });
        passing.map(|(day, id, _)| (*day, *id))
    }

    /// Whether the turnover up to an invoice is at least 80 % of the limit, and whether the invoice
    /// makes one with a lower number pass the limit.
    pub(crate) fn near_the_limit(&self, id: i64) -> (bool, bool) {
        let own = day_of(at(&self.invoices, id).unwrap());
        let turnover = self.turnover(own.year());
        let until: Money = turnover
            .iter()
            .filter(|(day, of, _)| (*day, *of) <= (own, id))
            .map(|(.., amount)| amount)
            .sum();
        let passing = self.passing(own.year());
        let makes_pass = passing.is_some_and(|(day, of)| of < id && (day, of) > (own, id));
        (until * 100 >= LIMIT * 80, makes_pass)
    }

    /// Prices an invoice under the scheme in force on its day.
    pub(crate) fn sale(
        &self,
        (given, discount): (&[LineInput], Discount),
        country: CountryCode,
        set_off: &[Line],
        (day, id): (Date, Option<i64>),
    ) -> Result<Sale, Error> {
        let Some(since) = self.kor_of(day, id) else {
            let of_kor =
                given.iter().enumerate().filter(|(_, line)| line.exemption == Some(Exemption::Kor));
            let faults: Vec<Fault> = of_kor
                .map(|(place, _)| fault_at(format!("/items/{place}/exemption"), "unknown_value"))
                .collect();
            if !faults.is_empty() {
                return Err(Error::Invalid(faults));
            }
            return Ok((price((given, discount), country, false, false, set_off, &[])?, None));
        };
        // The scheme does not exempt supplies that are taxed in another member state.
        let taxed = given.iter().enumerate().filter(|(_, line)| {
            !line.vat_rate.is_zero() && line.vat_category != Some(VatCategory::Oss)
        });
        let taxed: Vec<Fault> = taxed
            .map(|(place, _)| fault_at(format!("/items/{place}/vatRate"), "kor_applies"))
            .collect();
        let (lines, sums) = match price((given, discount), country, false, true, set_off, &[]) {
            Ok(priced) => priced,
            Err(error) if taxed.is_empty() => return Err(error),
            Err(_) => return Err(Error::Invalid(taxed)),
        };
        let place = (day, id.unwrap_or(i64::MAX));
        let turnover = self.turnover(day.year());
        let before = turnover.iter().filter(|(day, of, _)| (*day, *of) < place && Some(*of) != id);
        let before: Money = before.map(|(.., amount)| amount).sum();
        let own = counted(&lines);
        if own <= 0 || before + own <= LIMIT {
            if taxed.is_empty() {
                return Ok(((lines, sums), None));
            }
            return Err(Error::Invalid(taxed));
        }
        let normal = price((given, discount), country, false, false, set_off, &[])?;
        let mut faults = Vec::new();
        for (place, given) in given.iter().enumerate() {
            let other = given.vat_category.is_some_and(|category| {
                ![VatCategory::Exempt, VatCategory::ExemptCounted, VatCategory::SmallBusiness]
                    .contains(&category)
            });
            let abroad = [VatCategory::Export, VatCategory::IntraCommunity];
            let abroad = abroad.contains(&normal.0[place].category);
            if lines[place].category == VatCategory::SmallBusiness && !other && !abroad {
                faults.push(fault_at(format!("/items/{place}/vatRate"), "kor_limit_passed"));
            }
        }
        if !faults.is_empty() {
            return Err(Error::Invalid(faults));
        }
        // An invoice from before the scheme cannot end it.
        let earlier = self
            .passing(day.year())
            .filter(|(day, of)| *day >= since && (*day, *of) < place && Some(*of) != id);
        let ending = earlier.map_or((day, id), |(day, of)| (day, Some(of)));
        Ok((normal, Some(ending)))
    }

    /// Ids of the invoices with VAT that were supplied between two days and are not credited in
    /// full.
    fn taxed(&self, from: Date, last: Date) -> Vec<i64> {
        let is_taxed = |(_, invoice): &(usize, &Invoice)| {
            invoice.credits.is_none()
                && !invoice.cancelled
                && (from..=last).contains(&day_of(invoice))
                && invoice.sums.total != invoice.credited
                && invoice.lines.iter().any(|line| line.category == VatCategory::Standard)
        };
        let taxed = self.invoices.iter().enumerate().filter(is_taxed);
        taxed.map(|(place, _)| i64::try_from(place).unwrap() + 1).collect()
    }

    /// Cancels the end of the scheme that a draft caused; returns the day of that end.
    pub(crate) fn suspend(&mut self, id: i64) -> Option<Date> {
        let from = *self.ended_by.iter().find(|(_, by)| **by == id)?.0;
        if self.taxed(from, Date::MAX).iter().any(|other| *other != id) {
            return None;
        }
        self.ended_by.remove(&from);
        self.schemes.remove(&from);
        Some(from)
    }

    /// Ends the scheme and rebooks the purchases made since then.
    pub(crate) fn settle_kor(
        &mut self,
        suspended: Option<Date>,
        ending: Option<(Date, Option<i64>)>,
        id: i64,
        how: IfFiled,
    ) -> Result<(), Error> {
        if let Some((from, by)) = ending {
            self.schemes.insert(from, VatScheme::Normal);
            self.ended_by.insert(from, by.unwrap_or(id));
        }
        let ending = ending.map(|(from, _)| from);
        if suspended == ending {
            return Ok(());
        }
        match suspended.into_iter().chain(ending).min() {
            Some(from) => self.rebook_purchases(from, how),
            None => Ok(()),
        }
    }

    /// Rebooks the purchases and the fees of payouts dated `from` or later whose VAT is now
    /// deducted differently.
    pub(crate) fn rebook_purchases(&mut self, from: Date, how: IfFiled) -> Result<(), Error> {
        for place in 0..self.bills.len() {
            let bill = self.bills[place].clone();
            if bill.undone || bill.opening || bill.vat == 0 {
                continue;
            }
            let command = self.expenses[place].command.clone();
            let never = self.kor(command.date).is_some();
            if command.date < from || never == bill.never {
                continue;
            }
            let (postings, repayable, (vat, deductible)) =
                purchases::postings(&command, bill.asset, never)?;
            let id = i64::try_from(place).unwrap() + 1;
            if never {
                self.forget_repayments(id, how)?;
            }
            let is_purchase = |entry: &i64| {
                let words = &at(&self.journal, *entry).unwrap().description;
                !words.starts_with(PAYMENT) && !words.starts_with(REPAYMENT)
            };
            let mut standing = self.standing((SourceType::Expense, id)).into_iter();
            let booked = standing.find(is_purchase).unwrap();
            let before = self.joined(booked);
            if netted(&before.postings) != netted(&postings) {
                let entry = Entry { postings, corrects: None, reverses: None, ..before };
                self.replace_as(booked, entry, how)?;
            }
            let lost = (vat - deductible) - (bill.vat - bill.deductible);
            if let Some(place) = self.assets.iter().position(|asset| asset.expense == id) {
                self.recost(i64::try_from(place).unwrap() + 1, lost, how)?;
            }
            let bill = &mut self.bills[place];
            (bill.repayable, bill.vat, bill.deductible, bill.never) =
                (repayable, vat, deductible, never);
        }
        self.follow_sales(from.year(), how)?;
        for place in 0..self.payouts.len() {
            let Moved { command, entry, undone, .. } = self.payouts[place].clone();
            if command.date < from || undone.is_some() {
                continue;
            }
            let before = self.joined(entry);
            let postings = others::paid_out(&command, self.kor(command.date).is_some());
            if netted(&before.postings) == netted(&postings) {
                continue;
            }
            let new = Entry { postings, corrects: None, reverses: None, ..before };
            let source = new.source;
            self.replace_as(entry, new, how)?;
            self.payouts[place].entry = self.standing(source)[0];
        }
        Ok(())
    }

    /// Takes back the repayments of VAT on a bill, and the VAT that its payments deducted again.
    fn forget_repayments(&mut self, id: i64, how: IfFiled) -> Result<(), Error> {
        let standing = self.standing((SourceType::Expense, id));
        let (mut repayments, mut payments) = (Vec::new(), Vec::new());
        for entry in standing {
            let words = &at(&self.journal, entry).unwrap().description;
            if words.starts_with(REPAYMENT) {
                repayments.push(entry);
            } else if words.starts_with(PAYMENT) {
                payments.push(entry);
            }
        }
        for entry in repayments {
            self.reverse_as(entry, how)?;
        }
        for entry in payments {
            let mut before = self.joined(entry);
            let paid = before.postings.iter().filter(|(account, ..)| *account == code::PAYABLES);
            let paid: Money = paid.map(|(.., amount)| amount).sum();
            let others = [code::PAYABLES, code::VAT_NOT_DEDUCTIBLE, code::VAT_CORRECTIONS];
            let is_money =
                |account: u16| !others.contains(&account) && !(1500..1530).contains(&account);
            if before.postings.iter().all(|(account, _, amount)| {
                is_money(*account) || *account == code::PAYABLES || *amount == 0
            }) {
                continue;
            }
            before.postings.retain(|(account, ..)| is_money(*account));
            before.postings.push((code::PAYABLES, "", paid));
            self.replace_as(entry, Entry { corrects: None, reverses: None, ..before }, how)?;
        }
        self.bills[usize::try_from(id - 1).unwrap()].repaid = 0;
        Ok(())
    }

    /// Whether the scheme is barred from beginning on `from`.
    pub(crate) fn is_barred(&self, from: Date) -> bool {
        let mut ends: Vec<Date> = self.ended_by.keys().copied().collect();
        let changes: Vec<(Date, VatScheme)> =
            self.schemes.iter().map(|(from, scheme)| (*from, *scheme)).collect();
        for pair in changes.windows(2) {
            if (pair[0].1, pair[1].1) == (VatScheme::Kor, VatScheme::Normal) {
                ends.push(pair[1].0);
            }
        }
        let last = ends.into_iter().filter(|end| *end < from).max();
        last.is_some_and(|end| from.year() < end.year() + 2)
            || [from.year() - 1, from.year()].iter().any(|year| {
                self.turnover(*year).iter().map(|(.., amount)| amount).sum::<Money>() > LIMIT
            })
    }

    /// Error of the invoices, sales of assets or private use with VAT that prevent the scheme from
    /// beginning on `from`.
    pub(crate) fn in_the_way(&self, from: Date) -> Option<VatError> {
        let next = self.schemes.range(from.tomorrow().unwrap()..).next();
        let last = next.map_or(Date::MAX, |(day, _)| day.yesterday().unwrap());
        let invoices = self.taxed(from, last);
        if !invoices.is_empty() {
            return Some(VatError::KorHasTaxedInvoices(invoices));
        }
        let days = from..=last;
        let sales: Vec<i64> = (1..)
            .zip(&self.assets)
            .filter(|(_, asset)| asset.sold.is_some_and(|(day, _)| days.contains(&day)))
            .filter(|(id, _)| self.is_sale_taxed(*id))
            .map(|(id, _)| id)
            .collect();
        if !sales.is_empty() {
            return Some(VatError::KorHasTaxedSales(sales));
        }
        let is_taxed =
            |event: &Event| matches!(event, Event::PrivateUse { vat, .. } if !vat.is_zero());
        let uses = self.events.iter().filter(|of| !of.undone && days.contains(&of.command.date));
        let uses = uses.filter(|of| is_taxed(&of.command.event)).map(|of| of.id);
        let uses: Vec<i64> = uses.collect();
        (!uses.is_empty()).then_some(VatError::KorHasTaxedPrivateUse(uses))
    }
}
