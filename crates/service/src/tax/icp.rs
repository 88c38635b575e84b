//! EC sales lists (ICP declarations): supplies to businesses in other member states, per VAT number
//! (art. 37a Wet OB 1968).
//!
//! The lists are computed from the postings in box 3b, including drafts, as on the VAT return. A
//! filed list does not change; what changes afterwards is a correction on the first open list.

use crate::{BookingError, Context, Error, InvoiceError, PeriodError, Reason, context, invoices};
use ::tax::deadline::{Deadline, DeadlineKind};
pub use documents::icp::list as file_of;
use jiff::{
    Timestamp, ToSpan,
    civil::{self, Date},
};
pub use ledger::icp::{Correction, Declaration, Row};
use ledger::{
    calendar::{Quarter, amsterdam_today},
    chart::codes,
    icp::{Amounts, Document, Filed, ListPeriod, Lists, Supplied},
    identifiers::VatNumber,
    money::Cents,
    vat::VatCategory,
    vat_period::VatPeriod,
};
use std::{collections::BTreeSet, iter};
use store::{
    Tx,
    icp::{self as rows, EuSupply, IcpFiling, NumberChange},
    invoices::{InvoiceKind, Status},
};

/// Number of years before a list from which supplies are read: five in which a filed list can be
/// corrected (art. 20(3) Algemene wet inzake rijksbelastingen), and one more to determine whether
/// the first of those lists is monthly or quarterly.
const YEARS_BACK: i32 = 6;
/// Earliest possible date in any books.
const FIRST_DAY: Date = civil::date(2000, 1, 1);

/// EC sales list of a period, with its filed versions.
#[derive(Debug, Clone)]
pub struct IcpDetails {
    /// Quarter or month that names the list.
    pub period: VatPeriod,
    /// Rows and corrections, as filed or, for an open list, as currently booked.
    pub declaration: Declaration,
    /// Filed versions with their rows and corrections, oldest first.
    pub versions: Vec<(IcpFiling, Filed)>,
}

impl IcpDetails {
    /// Current version, if the list is filed.
    #[must_use]
    pub fn filed(&self) -> Option<&IcpFiling> {
        self.versions.iter().map(|(filing, _)| filing).find(|filing| filing.is_filed())
    }

    /// Latest filed version, even if it was reopened.
    #[must_use]
    pub fn last_filed(&self) -> Option<&IcpFiling> {
        self.versions.last().map(|(filing, _)| filing)
    }

    /// Whether no list is required because it was never filed and has nothing to declare or to
    /// check.
    #[must_use]
    pub fn is_needless(&self) -> bool {
        self.versions.is_empty() && self.declaration.is_empty()
    }

    /// Deadline for filing.
    #[must_use]
    pub fn deadline(&self) -> Deadline {
        Deadline::of(DeadlineKind::Icp, self.period)
    }
}

/// EC sales lists of an account and their filed versions.
pub(super) struct Books {
    lists: Lists,
    versions: Vec<(IcpFiling, Filed)>,
}

impl Books {
    /// Reads the supplies from `since` onwards, and all filed versions.
    pub(super) fn load(tx: &mut Tx<'_>, cx: &Context, since: Date) -> Result<Self, Error> {
        let account = cx.actor.account;
        let supplies = rows::supplies(tx, account, since)?.iter().map(supplied).collect();
        let filings = rows::filings(tx, account)?;
        let mut versions: Vec<(IcpFiling, Filed)> = filings
            .into_iter()
            .map(|filing| {
                let list = ListPeriod { period: filing.period, first_day: filing.first_day };
                let is_current = filing.is_filed();
                (filing, Filed { list, is_current, rows: Vec::new(), corrections: Vec::new() })
            })
            .collect();
        if !versions.is_empty() {
            for (period, version, corrects, row) in rows::filed_rows(tx, account)? {
                let own = versions
                    .iter_mut()
                    .find(|(filing, _)| (filing.period, filing.version) == (period, version));
                match (own, corrects) {
                    (Some((_, filed)), None) => filed.rows.push(row),
                    (Some((_, filed)), Some(period)) => {
                        filed.corrections.push(Correction { period, row });
                    }
                    (None, _) => {}
                }
            }
        }
        // Earlier lists cannot be corrected here, because their supplies were not read.
        let filed = versions
            .iter()
            .map(|(_, filed)| filed)
            .filter(|filed| filed.list.first_day >= since)
            .cloned()
            .collect();
        Ok(Self { lists: Lists::new(supplies, filed), versions })
    }

    fn details(&self, list: ListPeriod) -> IcpDetails {
        let own = self.versions.iter().filter(|(filing, _)| filing.period == list.period);
        IcpDetails {
            period: list.period,
            declaration: self.lists.declaration(list),
            versions: own.cloned().collect(),
        }
    }

    /// Lists that end in a period, except those that are not required.
    pub(super) fn ending_in(&self, period: VatPeriod) -> Vec<IcpDetails> {
        let last = period.last_quarter();
        let first = Quarter::of(period.first_day());
        iter::successors(Some(first), |quarter| Some(quarter.next()))
            .take_while(|quarter| *quarter <= last)
            .flat_map(|quarter| self.lists.periods(quarter))
            .filter(|list| period.contains(list.period.last_day()))
            .map(|list| self.details(list))
            .filter(|details| !details.is_needless())
            .collect()
    }

    fn required(&self, period: VatPeriod) -> Result<IcpDetails, Error> {
        let quarter = period.last_quarter();
        let lists = self.lists.periods(quarter);
        if let Some(list) = lists.iter().find(|list| list.period == period) {
            return Ok(self.details(*list));
        }
        let end = |list: Option<&ListPeriod>| list.map_or(period, |list| list.period);
        let (first, last) = (end(lists.first()), end(lists.last()));
        Err(PeriodError::NotAList { period, first, last }.into())
    }
}

/// Date from which supplies can affect the list of a period.
pub(super) fn since(period: VatPeriod) -> Date {
    period.first_day().saturating_sub(YEARS_BACK.years())
}

/// Reads the list of a period.
///
/// # Errors
/// No list has this period ([`PeriodError::NotAList`]), or the storage failed.
pub fn read(tx: &mut Tx<'_>, cx: &Context, period: VatPeriod) -> Result<IcpDetails, Error> {
    Books::load(tx, cx, since(period))?.required(period)
}

/// Supplies in a calendar quarter as currently booked, whichever lists declare them.
///
/// # Errors
/// The storage failed.
pub fn of_quarter(tx: &mut Tx<'_>, cx: &Context, quarter: Quarter) -> Result<Declaration, Error> {
    Ok(Books::load(tx, cx, quarter.first_day())?.lists.quarter(quarter))
}

/// All lists that were filed or have something to declare or to check, newest first. If `year` is
/// given, only the lists of that year, oldest first.
///
/// # Errors
/// The storage failed.
pub fn list(tx: &mut Tx<'_>, cx: &Context, year: Option<i16>) -> Result<Vec<IcpDetails>, Error> {
    let since = match year {
        Some(year) => VatPeriod::year(year).map_or(FIRST_DAY, since),
        None => FIRST_DAY,
    };
    let books = Books::load(tx, cx, since)?;
    let today = Quarter::of(cx.today());
    let mut quarters: BTreeSet<Quarter> = books.lists.quarters();
    quarters.insert(today);
    if let Some(first) = quarters.first().copied() {
        let all = iter::successors(Some(first), |quarter| Some(quarter.next()));
        quarters.extend(all.take_while(|quarter| *quarter < today));
    }
    let mut all: Vec<IcpDetails> = quarters
        .into_iter()
        .flat_map(|quarter| books.lists.periods(quarter))
        .filter(|list| year.is_none_or(|year| list.period.calendar_year() == year))
        .map(|list| books.details(list))
        .filter(|details| !details.is_needless())
        .collect();
    if year.is_none() {
        all.reverse();
    }
    Ok(all)
}

/// Returns the unfiled lists that end in the given VAT periods. The periods are those whose VAT
/// return declares EU supplies. If filed lists already cover all of them, no supplies are read.
///
/// # Errors
/// The storage failed.
pub fn to_file(
    tx: &mut Tx<'_>,
    cx: &Context,
    periods: &[VatPeriod],
) -> Result<Vec<IcpDetails>, Error> {
    let filings =
        if periods.is_empty() { Vec::new() } else { rows::filings(tx, cx.actor.account)? };
    let is_covered = |period: &VatPeriod| {
        filings.iter().any(|filing| {
            filing.is_filed()
                && filing.first_day <= period.first_day()
                && filing.period.last_day() >= period.last_day()
        })
    };
    let open: Vec<VatPeriod> =
        periods.iter().copied().filter(|period| !is_covered(period)).collect();
    let Some(first) = open.iter().min_by_key(|period| period.first_day()) else {
        return Ok(Vec::new());
    };
    let books = Books::load(tx, cx, since(*first))?;
    let lists = open.iter().flat_map(|period| books.ending_in(*period));
    Ok(lists.filter(|details| details.filed().is_none()).collect())
}

/// Records the list of a past period as filed.
///
/// # Errors
/// No list has this period, it is filed already, or the period is not over.
pub fn file(tx: &mut Tx<'_>, cx: &Context, period: VatPeriod) -> Result<IcpDetails, Error> {
    context::transact(tx, cx, |tx, books, cx| {
        cx.actor.require_dutch()?;
        let details = read(tx, cx, period)?;
        if details.filed().is_some() {
            return Err(PeriodError::ListFiledAlready(period).into());
        }
        if amsterdam_today(books.clock()) <= period.last_day() {
            return Err(PeriodError::NotOver(period).into());
        }
        file_details(tx, cx, &details)?;
        read(tx, cx, period)
    })
}

fn file_details(tx: &mut Tx<'_>, cx: &Context, details: &IcpDetails) -> Result<(), Error> {
    let filing = IcpFiling {
        period: details.period,
        version: details.last_filed().map_or(1, |last| last.version.saturating_add(1)),
        first_day: details.declaration.first_day,
        filed_at: cx.now(),
        reopened_at: None,
    };
    let Declaration { rows: own, corrections, .. } = &details.declaration;
    Ok(rows::file(tx, cx.actor.account, &filing, own, corrections)?)
}

/// Files the open lists that end in the period of a VAT return and declare something.
pub(super) fn file_with_return(
    tx: &mut Tx<'_>,
    cx: &Context,
    period: VatPeriod,
) -> Result<(), Error> {
    loop {
        // Filing a list can remove corrections from the next one, so the books are read again.
        let books = Books::load(tx, cx, since(period))?;
        let open = books
            .ending_in(period)
            .into_iter()
            .find(|details| details.filed().is_none() && details.declaration.declares_anything());
        match open {
            Some(details) => file_details(tx, cx, &details)?,
            None => return Ok(()),
        }
    }
}

/// Reopens a filed list, which then follows the books again.
///
/// # Errors
/// The list is not filed.
pub fn reopen(tx: &mut Tx<'_>, cx: &Context, period: VatPeriod) -> Result<IcpDetails, Error> {
    context::transact(tx, cx, |tx, _, cx| {
        cx.actor.require_dutch()?;
        let details = read(tx, cx, period)?;
        if details.filed().is_none() {
            return Err(PeriodError::ListNotFiled(period).into());
        }
        rows::reopen(tx, cx.actor.account, period, cx.now())?;
        read(tx, cx, period)
    })
}

/// Command that gives a sent invoice the customer's VAT number for the EC sales list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangeNumber {
    /// VAT number of the customer.
    pub vat_number: VatNumber,
    /// Whether to give the number to all sent invoices to the same customer.
    pub same_customer: bool,
}

/// Gives a sent invoice the customer's VAT number for the EC sales list; its document stays as it
/// was sent. The number also applies to the invoice's credit notes.
///
/// # Errors
/// The invoice is a draft, a credit note, or has no supply to another member state; or the number
/// is Dutch.
pub fn change_number(
    tx: &mut Tx<'_>,
    cx: &Context,
    invoice: i64,
    command: &ChangeNumber,
) -> Result<(), Error> {
    context::transact(tx, cx, |tx, _, cx| {
        let account = cx.actor.account;
        let details = invoices::read(tx, cx, invoice)?;
        require_eu_invoice(&details)?;
        if command.vat_number.country().is_dutch() {
            return Err(Error::fault("/vatNumber", Reason::VatNumberDutch));
        }
        let ids = if command.same_customer {
            rows::eu_invoices_of(tx, account, details.invoice.contact_id)?
        } else {
            vec![invoice]
        };
        let mut changes = Vec::new();
        for id in ids {
            let changed = invoices::read(tx, cx, id)?.invoice;
            let current = changed.icp_vat_number.as_ref().or(changed.customer.vat_number.as_ref());
            if current.map(String::as_str) == Some(command.vat_number.as_str()) {
                continue;
            }
            let change = last_change(tx, account, id)?.saturating_add(1);
            changes.push((id, change, changed.icp_vat_number));
        }
        let command_change = rows::last_command(tx, account, invoice)?.saturating_add(1);
        for (invoice_id, change, previous) in changes {
            let change = NumberChange {
                invoice_id,
                change,
                command_invoice_id: invoice,
                command_change,
                vat_number: command.vat_number.as_str().to_owned(),
                previous,
                recorded_at: cx.now(),
                undone_at: None,
            };
            rows::change_number(tx, account, &change)?;
        }
        Ok(())
    })
}

fn last_change(tx: &mut Tx<'_>, account: i64, invoice: i64) -> Result<i64, Error> {
    Ok(rows::number_changes(tx, account, invoice)?.last().map_or(0, |last| last.change))
}

fn require_eu_invoice(details: &invoices::InvoiceDetails) -> Result<(), Error> {
    if details.invoice.kind == InvoiceKind::CreditNote {
        return Err(InvoiceError::IsACreditNote.into());
    }
    if details.invoice.status != Status::Sent {
        return Err(InvoiceError::IsADraft.into());
    }
    let is_eu = |category: VatCategory| category == VatCategory::IntraCommunity;
    if details.lines.iter().any(|(line, _)| is_eu(line.vat_category)) {
        Ok(())
    } else {
        Err(Error::fault("/vatNumber", Reason::NoEuSupply))
    }
}

/// Undoes the last command that gave an invoice a VAT number, on all invoices that the command
/// changed and that have not been changed since.
///
/// # Errors
/// No such command is in force.
pub fn undo_number(tx: &mut Tx<'_>, cx: &Context, invoice: i64) -> Result<(), Error> {
    context::transact(tx, cx, |tx, _, cx| {
        let account = cx.actor.account;
        invoices::read(tx, cx, invoice)?;
        let is_in_force = |change: &NumberChange| change.undone_at.is_none();
        // The invoice named in a command may already have had the number.
        let own = rows::number_changes(tx, account, invoice)?.into_iter().rfind(is_in_force);
        let named = rows::last_named_change(tx, account, invoice)?;
        let last = own.into_iter().chain(named).max_by_key(|change| change.recorded_at);
        let last = last.ok_or(BookingError::AlreadyUndone)?;
        let same =
            rows::changes_of_command(tx, account, last.command_invoice_id, last.command_change)?;
        for change in same.into_iter().filter(is_in_force) {
            let newest = rows::number_changes(tx, account, change.invoice_id)?
                .into_iter()
                .rfind(is_in_force);
            if newest.is_some_and(|newest| newest.change == change.change) {
                rows::undo_number(tx, account, &change, cx.now())?;
            }
        }
        Ok(())
    })
}

/// Converts a posting in box 3b to a supply, divided into goods, services and triangular.
fn supplied(supply: &EuSupply) -> Supplied {
    let Some(document) = &supply.document else {
        let amounts = Amounts { services: supply.amount, ..Amounts::default() };
        return Supplied { document: None, day: supply.day, vat_number: None, amounts };
    };
    Supplied {
        document: Some(Document { id: document.id, number: document.number.clone() }),
        day: supply.day,
        vat_number: document.vat_number.as_deref().and_then(|text| VatNumber::parse(text).ok()),
        amounts: by_kind(supply, document.lines),
    }
}

/// Splits an amount by the kind of supply of the document's lines. Services have an account of
/// their own; goods and triangular transactions share one. An own account can have all three.
fn by_kind(supply: &EuSupply, lines: Amounts<Cents>) -> Amounts<Cents> {
    let amount = supply.amount;
    let services = Amounts { services: amount, ..Amounts::default() };
    let Amounts { goods, services: of_services, triangular } = lines;
    if supply.account == codes::REVENUE_EU {
        return services;
    }
    if supply.account.is_own() {
        let goods = amount - of_services - triangular;
        return Amounts { goods, services: of_services, triangular };
    }
    let is_of_services = supply.account != codes::REVENUE_EU_GOODS
        && goods.is_zero()
        && triangular.is_zero()
        && !of_services.is_zero();
    if is_of_services {
        return services;
    }
    match (goods.is_zero(), triangular.is_zero()) {
        (true, false) => Amounts { triangular: amount, ..Amounts::default() },
        (false, false) => Amounts { goods: amount - triangular, triangular, ..Amounts::default() },
        (_, true) => Amounts { goods: amount, ..Amounts::default() },
    }
}

/// Time of the last filing or reopening of a list.
#[must_use]
pub fn changed_at(details: &IcpDetails) -> Option<Timestamp> {
    details.versions.iter().map(|(filing, _)| filing.reopened_at.unwrap_or(filing.filed_at)).max()
}
