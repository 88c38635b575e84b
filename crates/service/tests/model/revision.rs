//! Model of the revision of VAT on assets: for a year, and on the sale of an asset.

use crate::{
    books::{Account, Entry, Money, at, code},
    commands::Touched,
    kor::day_of,
    pricing::rounded,
};
use jiff::civil::{Date, date};
use ledger::{
    entry::SourceType,
    vat::{VatCategory, VatScheme},
};
use service::{Error, corrections::IfFiled};
use std::collections::BTreeMap;

/// Total for a year, in cents, below which a revision because of the small businesses scheme is
/// waived.
const WAIVER: Money = 50_000;

/// Source of the entry for a year.
fn of_year(year: i16) -> (SourceType, i64) {
    (SourceType::VatRevision, year.into())
}

/// Source of the entry for the sale of an asset.
pub(crate) fn of_sale(asset: i64) -> (SourceType, i64) {
    (SourceType::VatRevision, asset * 10_000)
}

fn words(what: &str) -> String {
    format!("VAT revision: {what}")
}

impl Account {
    /// Turnover of a year with the right to deduct VAT, and total turnover, as a fraction. Without
    /// turnover, it depends on the scheme on the last day.
    fn share(&self, year: i16) -> (Money, Money) {
        let (mut with_right, mut without) = (0, 0);
        for invoice in &self.invoices {
            let sale = invoice.credits.map_or(invoice, |id| at(&self.invoices, id).unwrap());
            let day = day_of(sale);
            if invoice.cancelled || sale.opening || day.year() != year {
                continue;
            }
            for line in &invoice.lines {
                match line.category {
                    VatCategory::OutOfScope => {}
                    VatCategory::Standard => with_right += line.amount,
                    VatCategory::Zero
                    | VatCategory::ReverseCharge
                    | VatCategory::IntraCommunity
                    | VatCategory::Export
                    | VatCategory::ServiceOutsideEu
                    | VatCategory::Oss
                        if self.kor(day).is_none() =>
                    {
                        with_right += line.amount
                    }
                    _ => without += line.amount,
                }
            }
        }
        let (with_right, without) = (with_right.max(0), without.max(0));
        match (with_right + without, self.kor(date(year, 12, 31))) {
            (0, Some(_)) => (0, 1),
            (0, None) => (1, 1),
            (total, _) => (with_right, total),
        }
    }

    fn has_kor(&self, year: i16) -> bool {
        let mut days = self.schemes.range(date(year, 1, 1)..=date(year, 12, 31));
        self.kor(date(year, 1, 1)).is_some() || days.any(|(_, scheme)| *scheme == VatScheme::Kor)
    }

    /// VAT on an asset and its deducted part, which after the year of purchase is the part as
    /// revised in that year.
    fn vat_on(&self, asset: i64, years: i16) -> (Money, Money) {
        let asset = at(&self.assets, asset).unwrap();
        let bill = at(&self.bills, asset.expense).unwrap();
        let (vat, deducted) = if bill.never {
            (bill.vat, bill.deductible)
        } else {
            (bill.deductible, bill.deductible)
        };
        let (with_right, total) = self.share(asset.command.date.year());
        let first = rounded(deducted * total - vat * with_right, total);
        (vat, if years == 0 { deducted } else { deducted - first })
    }

    /// Revision of each asset for a year, without waived amounts.
    fn revised(&self, year: i16) -> BTreeMap<i64, Money> {
        let (with_right, total) = self.share(year);
        let (mut first, mut later, mut by_kor) = (BTreeMap::new(), BTreeMap::new(), false);
        for (id, asset) in (1..).zip(&self.assets) {
            let bought = asset.command.date.year();
            let (years, gone) = (year - bought, asset.sold.map(|(day, _)| day.year()));
            if asset.undone || !(0..=4).contains(&years) {
                continue;
            }
            let (vat, deducted) = self.vat_on(id, years);
            let difference = deducted * total - vat * with_right;
            if years == 0 {
                let sold = asset.sold.is_some_and(|(day, price)| day.year() == year && price != 0);
                first.insert(id, rounded(difference, if sold { 5 * total } else { total }));
            } else if gone.is_none_or(|gone| gone > year)
                && difference.abs() * 10 > deducted.abs() * total
            {
                let due = rounded(difference, 5 * total);
                by_kor |= due != 0 && (self.has_kor(year) || self.has_kor(bought));
                later.insert(id, due);
            }
        }
        if by_kor && later.values().sum::<Money>().abs() < WAIVER {
            later.clear();
        }
        first.extend(later);
        first
    }

    /// Amount of an asset's revision for a year that is not booked yet.
    pub(crate) fn to_revise(&self, asset: i64, year: i16) -> Money {
        let booked = self.revisions.get(&year).and_then(|parts| parts.get(&asset));
        self.revised(year).get(&asset).unwrap_or(&0) - booked.unwrap_or(&0)
    }

    /// Books the revision of one asset for a year; the booked parts of other assets are kept.
    pub(crate) fn revise(
        &mut self,
        asset: i64,
        year: i16,
        how: IfFiled,
        touched: &mut Touched,
    ) -> Result<(), Error> {
        let mut parts = self.revisions.get(&year).cloned().unwrap_or_default();
        parts.insert(asset, *self.revised(year).get(&asset).unwrap_or(&0));
        self.rebook(year, parts, how, touched)
    }

    fn rebook(
        &mut self,
        year: i16,
        mut parts: BTreeMap<i64, Money>,
        how: IfFiled,
        touched: &mut Touched,
    ) -> Result<(), Error> {
        parts.retain(|_, amount| *amount != 0);
        let (source, day) = (of_year(year), date(year, 12, 31));
        touched.vat_days.insert(day);
        let total: Money = parts.values().sum();
        let shown = if total == 0 { parts.values().copied().collect() } else { vec![total] };
        let entry = revision(source, day, &year.to_string(), &shown);
        match (self.standing(source).last().copied(), parts.is_empty()) {
            (Some(current), true) => drop(self.reverse_as(current, how)?),
            (Some(current), false) => self.replace_as(current, entry, how)?,
            (None, true) => {}
            (None, false) => drop(self.book_as(entry, how)?),
        }
        self.revisions.insert(year, parts);
        Ok(())
    }

    /// Removes an asset from the booked revisions for `from` and later years.
    pub(crate) fn leave_out(
        &mut self,
        asset: i64,
        from: i16,
        how: IfFiled,
        touched: &mut Touched,
    ) -> Result<(), Error> {
        let years: Vec<i16> = self.years_of(asset).filter(|year| *year >= from).collect();
        for year in years {
            let mut parts = self.revisions[&year].clone();
            parts.remove(&asset);
            self.rebook(year, parts, how, touched)?;
        }
        Ok(())
    }

    fn years_of(&self, asset: i64) -> impl Iterator<Item = i16> {
        let has = move |parts: &BTreeMap<i64, Money>| parts.contains_key(&asset);
        self.revisions.iter().filter(move |(_, parts)| has(parts)).map(|(year, _)| *year)
    }

    /// Books the revision on the sale of an asset: the fifths of all remaining years.
    pub(crate) fn revise_on_sale(
        &mut self,
        asset: i64,
        (day, taxed): (Date, bool),
        how: IfFiled,
    ) -> Result<(), Error> {
        let what = at(&self.assets, asset).unwrap().command.description.clone();
        let amount = self.due_on_sale(asset, (day, taxed));
        if amount != 0 {
            self.book_as(revision(of_sale(asset), day, &what, &[amount]), how)?;
        }
        Ok(())
    }

    /// Books the revisions on sales again whose amount changed, of assets bought from a year on.
    pub(crate) fn follow_sales(&mut self, from: i16, how: IfFiled) -> Result<(), Error> {
        for id in 1..=i64::try_from(self.assets.len()).unwrap() {
            let asset = at(&self.assets, id).unwrap().clone();
            let Some((day, price)) = asset.sold else { continue };
            if asset.undone || price == 0 || asset.command.date.year() < from {
                continue;
            }
            let amount = self.due_on_sale(id, (day, self.is_sale_taxed(id)));
            let booked = self.sale_revision(id);
            if amount == booked.map_or(0, |(amount, _)| amount) {
                continue;
            }
            let entry = revision(of_sale(id), day, &asset.command.description, &[amount]);
            match booked {
                Some((_, current)) if amount == 0 => drop(self.reverse_as(current, how)?),
                Some((_, current)) => self.replace_as(current, entry, how)?,
                None => drop(self.book_as(entry, how)?),
            }
        }
        Ok(())
    }

    fn due_on_sale(&self, asset: i64, (day, taxed): (Date, bool)) -> Money {
        let years = day.year() - at(&self.assets, asset).unwrap().command.date.year();
        let fifths = [4, 4, 3, 2, 1].get(usize::try_from(years).unwrap()).copied().unwrap_or(0);
        let (vat, deducted) = self.vat_on(asset, years);
        rounded((deducted - if taxed { vat } else { 0 }) * fifths, 5)
    }

    /// Revision on the sale of an asset: amount, and id of its entry.
    pub(crate) fn sale_revision(&self, asset: i64) -> Option<(Money, i64)> {
        let id = self.standing(of_sale(asset)).last().copied()?;
        let postings = &at(&self.journal, id).unwrap().postings;
        let cost = postings.iter().filter(|(account, ..)| *account == code::VAT_NOT_DEDUCTIBLE);
        Some((cost.map(|(.., amount)| amount).sum(), id))
    }

    /// Ids of the entries that revise the VAT on an asset.
    pub(crate) fn revision_entries(&self, asset: i64) -> Vec<i64> {
        let years = self.years_of(asset).map(of_year);
        years.chain([of_sale(asset)]).flat_map(|source| self.entries_of(source)).collect()
    }
}

fn revision(source: (SourceType, i64), day: Date, what: &str, amounts: &[Money]) -> Entry {
    let pair = |amount: &Money| {
        [(code::VAT_NOT_DEDUCTIBLE, "", *amount), (code::INPUT_VAT_HIGH, "5b", -*amount)]
    };
    Entry {
        date: day,
        vat_date: day,
        description: words(what),
        source,
        reverses: None,
        corrects: None,
        postings: amounts.iter().flat_map(pair).collect(),
    }
}
