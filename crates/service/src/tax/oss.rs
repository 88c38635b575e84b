//! Union scheme, the one-stop shop (OSS): registration, turnover with consumers in other member
//! states, and quarterly returns (art. 6k and 28q to 28sj Wet OB 1968).
//!
//! The returns are computed from the documents, including drafts, as on the VAT return. A filed
//! return does not change; what changes afterwards is a correction on the next open one.

use super::oss_turnover::{is_registered, terms, turnover};
use crate::{
    Context, Error, Fault, PeriodError, Reason, VatError, context,
    invoices::{self, Consumer},
};
use ::tax::eu_rates;
pub use ::tax::eu_rates::RateType;
use documents::{oss::return_file, sheet::Format};
use jiff::{Timestamp, civil::Date};
pub use ledger::oss::{Balance, Correction, Declaration, Ground, Row};
use ledger::{
    calendar::{Quarter, amsterdam_today},
    country::CountryCode,
    invoice::VatGroup,
    kor::Turnover,
    money::Cents,
    oss::{self, Returns, Supplied},
    vat::{Supply, VatCategory},
    vat_period::{VatPeriod, VatUnit},
};
use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    io, iter,
};
use store::{
    Tx, invoice_lines,
    invoices::Invoice,
    oss::{self as rows, OssFiling, Registration},
};

/// Registrations and turnover of an account.
#[derive(Debug, Clone)]
pub struct OssStatus {
    /// Registrations, ordered by first day.
    pub registrations: Vec<Registration>,
    /// Turnover in a year up to which Dutch VAT is charged.
    pub threshold: Cents,
    /// Turnover of this and the previous year.
    pub years: [OssYear; 2],
    /// Day of the supply from which the VAT of the country of the customer is due; `None` if the
    /// threshold was passed neither in this year nor in the previous one.
    pub obliged_from: Option<Date>,
    /// Whether the scheme is used today.
    pub is_registered: bool,
}

impl OssStatus {
    /// Whether the VAT of other countries is due and the owner has not registered.
    #[must_use]
    pub fn is_to_be_registered(&self) -> bool {
        self.obliged_from.is_some() && !self.is_registered
    }
}

/// Turnover of a calendar year.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OssYear {
    /// Calendar year.
    pub year: i16,
    /// Turnover, excluding VAT.
    pub counted: Cents,
    /// Id and day of supply of the first invoice above the threshold.
    pub passed_by: Option<(i64, Date)>,
}

/// Reads the registrations and the turnover of this and the previous year.
///
/// # Errors
/// The storage failed.
pub fn read(tx: &mut Tx<'_>, cx: &Context) -> Result<OssStatus, Error> {
    let (account, today) = (cx.actor.account, cx.today());
    let registrations = rows::registrations(tx, account)?;
    let previous = turnover(tx, account, today.year() - 1)?;
    let current = turnover(tx, account, today.year())?;
    let year = |turnover: &Turnover, year| OssYear {
        year,
        counted: turnover.total(),
        passed_by: turnover.passing().map(|invoice| (invoice.id, invoice.day)),
    };
    Ok(OssStatus {
        threshold: current.limit,
        years: [year(&current, today.year()), year(&previous, today.year() - 1)],
        obliged_from: oss::obliged_from(&previous, &current),
        is_registered: oss::is_registered(&terms(&registrations), today),
        registrations,
    })
}

/// Returns the country of a consumer in another member state, if the scheme is used on the day, so
/// that the rates of that country can apply.
///
/// # Errors
/// The storage failed.
pub fn rates_of(
    tx: &mut Tx<'_>,
    cx: &Context,
    customer: Consumer,
    day: Date,
) -> Result<Option<CountryCode>, Error> {
    let country = oss::member_state(customer.country, day).filter(|_| !customer.is_business());
    Ok(if country.is_some() && is_registered(tx, cx.actor.account, day)? { country } else { None })
}

/// Command that records a registration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Register {
    /// First day.
    pub from: Date,
    /// Ground.
    pub ground: Ground,
    /// Last day, if the registration ends.
    pub until: Option<Date>,
}

/// Records a registration, replacing an earlier one with the same first day.
///
/// # Errors
/// The account is not Dutch, the registration cannot begin or end on its days, or it would change a
/// quarter whose return is filed.
pub fn register(tx: &mut Tx<'_>, cx: &Context, command: &Register) -> Result<OssStatus, Error> {
    context::transact(tx, cx, |tx, _, cx| {
        cx.actor.require_dutch()?;
        let account = cx.actor.account;
        let before = rows::registrations(tx, account)?;
        let is_known =
            |known: &Registration| (known.from, known.ground) == (command.from, command.ground);
        let quarter = VatPeriod::of(command.from, VatUnit::Quarter);
        let is_of_quarter = |filing: &OssFiling| filing.is_filed() && filing.period == quarter;
        if !before.iter().any(is_known) && rows::filings(tx, account)?.iter().any(is_of_quarter) {
            return Err(PeriodError::OssFiled(quarter).into());
        }
        let mut faults: Vec<Fault> =
            first_day_fault(tx, account, &before, command)?.into_iter().collect();
        let earliest = oss::earliest_end(command.from);
        if command.until.is_some_and(|until| until < earliest) {
            faults.push(Fault::new("/until", Reason::OssEndsTooEarly { earliest }));
        }
        if !faults.is_empty() {
            return Err(Error::Invalid(faults));
        }
        let registration = Registration {
            from: command.from,
            ground: command.ground,
            until: command.until,
            noted_at: cx.now(),
        };
        let mut after = before.clone();
        after.retain(|earlier| earlier.from != command.from);
        after.push(registration);
        after.sort_by_key(|registration| registration.from);
        if let Some(filed) = changed_period(tx, account, &terms(&before), &terms(&after))? {
            return Err(PeriodError::OssFiled(filed).into());
        }
        rows::register(tx, account, &registration)?;
        read(tx, cx)
    })
}

/// Checks that a registration by choice begins with a quarter, and that one because of the
/// threshold begins on the day of the supply that passed it.
fn first_day_fault(
    tx: &mut Tx<'_>,
    account: i64,
    registrations: &[Registration],
    command: &Register,
) -> Result<Option<Fault>, Error> {
    let from = command.from;
    if from < oss::FIRST_DAY {
        let reason = Reason::OssTooEarly { earliest: oss::FIRST_DAY };
        return Ok(Some(Fault::new("/from", reason)));
    }
    if command.ground == Ground::Choice {
        let first = Quarter::of(from).first_day();
        let reason = (from != first).then_some(Reason::NotFirstOfQuarter { first });
        return Ok(reason.map(|reason| Fault::new("/from", reason)));
    }
    // A credit note can take the turnover below the threshold again; the registration stays.
    let is_again = |earlier: &Registration| (earlier.from, earlier.ground) == (from, Ground::Limit);
    if registrations.iter().any(is_again) {
        return Ok(None);
    }
    let previous = turnover(tx, account, from.year() - 1)?;
    let current = turnover(tx, account, from.year())?;
    Ok(match oss::obliged_from(&previous, &current) {
        Some(day) if day == from => None,
        Some(date) => Some(Fault::new("/from", Reason::OssPassedOn { date })),
        None => Some(Fault::new("/from", Reason::OssNotPassed)),
    })
}

/// First filed quarter that has a day on which the scheme would begin or cease to apply.
fn changed_period(
    tx: &mut Tx<'_>,
    account: i64,
    before: &[oss::Registration],
    after: &[oss::Registration],
) -> Result<Option<VatPeriod>, Error> {
    let differs = |day: &Date| oss::is_registered(before, *day) != oss::is_registered(after, *day);
    let filed = rows::filings(tx, account)?.into_iter().filter(OssFiling::is_filed);
    Ok(filed.map(|filing| filing.period).find(|period| days_of(*period).any(|day| differs(&day))))
}

fn days_of(period: VatPeriod) -> impl Iterator<Item = Date> {
    let next = |day: &Date| day.tomorrow().ok();
    iter::successors(Some(period.first_day()), next)
        .take_while(move |day| *day <= period.last_day())
}

/// Return of a quarter, with its filed versions.
#[derive(Debug, Clone)]
pub struct OssReturnDetails {
    /// Quarter.
    pub period: VatPeriod,
    /// Rows and corrections, as filed or, for an open return, as currently booked.
    pub declaration: Declaration,
    /// Last day for filing and paying.
    pub due_date: Date,
    /// Filed versions with their content, oldest first.
    pub versions: Vec<(OssFiling, Declaration)>,
}

impl OssReturnDetails {
    /// Current version, if the return is filed.
    #[must_use]
    pub fn filed(&self) -> Option<&OssFiling> {
        self.versions.iter().map(|(filing, _)| filing).find(|filing| filing.is_filed())
    }

    /// Latest filed version, even if it was reopened.
    #[must_use]
    pub fn last_filed(&self) -> Option<&OssFiling> {
        self.versions.last().map(|(filing, _)| filing)
    }

    /// Kind of the rate of a row.
    #[must_use]
    pub fn rate_type(&self, row: &Row) -> RateType {
        let days = (self.period.first_day(), self.period.last_day());
        eu_rates::rate_type(row.country, row.rate, days)
    }

    /// Time of the last filing or reopening.
    #[must_use]
    pub fn changed_at(&self) -> Option<Timestamp> {
        let last = self.last_filed()?;
        Some(last.reopened_at.unwrap_or(last.filed_at))
    }
}

/// Returns of an account and their filed versions.
struct Books {
    returns: Returns,
    versions: Vec<(OssFiling, Declaration)>,
}

impl Books {
    fn load(tx: &mut Tx<'_>, cx: &Context) -> Result<Self, Error> {
        let account = cx.actor.account;
        let supplied = supplied(tx, cx)?;
        let mut contents = rows::declarations(tx, account)?;
        let mut versions = Vec::new();
        for filing in rows::filings(tx, account)? {
            let content = contents.remove(&(filing.period.last_quarter(), filing.version));
            versions.push((filing, content.unwrap_or_default()));
        }
        let filed: BTreeMap<Quarter, Declaration> = versions
            .iter()
            .filter(|(filing, _)| filing.is_filed())
            .map(|(filing, content)| (filing.period.last_quarter(), content.clone()))
            .collect();
        let known = versions.iter().map(|(filing, _)| filing.period.last_quarter());
        let quarters: BTreeSet<Quarter> = registered_quarters(
            &terms(&rows::registrations(tx, account)?),
            Quarter::of(cx.today()),
        )
        .chain(known)
        .collect();
        Ok(Self { returns: Returns::new(quarters, &supplied, filed), versions })
    }

    fn details(&self, quarter: Quarter) -> Option<OssReturnDetails> {
        let period = VatPeriod::of(quarter.first_day(), VatUnit::Quarter);
        let own = self.versions.iter().filter(|(filing, _)| filing.period == period);
        Some(OssReturnDetails {
            period,
            declaration: self.returns.of(quarter)?.clone(),
            due_date: oss::due_date(quarter),
            versions: own.cloned().collect(),
        })
    }

    fn required(&self, period: VatPeriod) -> Result<OssReturnDetails, Error> {
        let quarter = period.as_quarter().and_then(|quarter| self.details(quarter));
        quarter.ok_or(Error::NotFound("return of the Union scheme (OSS)"))
    }
}

/// Quarters with a day on which the scheme applies, up to `last`.
fn registered_quarters(
    registrations: &[oss::Registration],
    last: Quarter,
) -> impl Iterator<Item = Quarter> {
    let first = registrations.first().map(|registration| Quarter::of(registration.from));
    let all = iter::successors(first, |quarter| Some(quarter.next()));
    all.take_while(move |quarter| *quarter <= last).filter(|quarter| {
        let period = VatPeriod::of(quarter.first_day(), VatUnit::Quarter);
        days_of(period).any(|day| oss::is_registered(registrations, day))
    })
}

/// Supplies on the documents of the account that the scheme declares.
fn supplied(tx: &mut Tx<'_>, cx: &Context) -> Result<Vec<Supplied>, Error> {
    let account = cx.actor.account;
    let documents = rows::documents(tx, account)?;
    let invoices: HashMap<i64, &Invoice> = documents.iter().map(|of| (of.id, of)).collect();
    let ids: Vec<i64> = documents.iter().map(|of| of.id).collect();
    let mut supplied = Vec::new();
    let mut done = 0;
    while done < documents.len() {
        let (mut lines, read) = invoice_lines::lines_of(tx, account, &ids[done..])?;
        for document in &documents[done..done + read] {
            let lines = lines.remove(&document.id).unwrap_or_default();
            let groups = invoices::priced(tx, cx, document, &lines)?.groups;
            let credited = document.credited_invoice_id.and_then(|id| invoices.get(&id).copied());
            let (day, credited_on) = days(document, credited);
            let parts = groups.iter().filter_map(row);
            supplied.extend(parts.map(|row| Supplied::new(day, credited_on, row)));
        }
        done += read;
    }
    Ok(supplied)
}

/// Day of the supply of a document, and the date of a credit note.
fn days(document: &Invoice, credited: Option<&Invoice>) -> (Date, Option<Date>) {
    match credited {
        Some(invoice) => (invoice.rates_on(), Some(document.invoice_date)),
        None => (document.rates_on(), None),
    }
}

fn row(group: &VatGroup) -> Option<Row> {
    let country = group.tax_country.filter(|_| group.category == VatCategory::Oss)?;
    Some(Row {
        country,
        supply: group.supply.unwrap_or(Supply::Services),
        rate: group.rate,
        base: group.base,
        vat: group.amount,
    })
}

/// Reads the return of a quarter.
///
/// # Errors
/// The account has no return for this period.
pub fn read_return(
    tx: &mut Tx<'_>,
    cx: &Context,
    period: VatPeriod,
) -> Result<OssReturnDetails, Error> {
    Books::load(tx, cx)?.required(period)
}

/// Rejects a quarter for which the account has no return: it is registered on none of its days, no
/// return of it was ever filed, and no document declares anything in it.
pub(crate) fn require_return(
    tx: &mut Tx<'_>,
    cx: &Context,
    period: VatPeriod,
) -> Result<(), Error> {
    let registrations = terms(&rows::registrations(tx, cx.actor.account)?);
    if days_of(period).any(|day| oss::is_registered(&registrations, day)) {
        return Ok(());
    }
    match read_return(tx, cx, period) {
        Err(Error::NotFound(_)) => Err(VatError::OssNotRegistered(period.first_day()).into()),
        other => other.map(drop),
    }
}

/// All returns, newest first. If `year` is given, only those of that year, oldest first.
///
/// # Errors
/// The storage failed.
pub fn list(
    tx: &mut Tx<'_>,
    cx: &Context,
    year: Option<i16>,
) -> Result<Vec<OssReturnDetails>, Error> {
    let books = Books::load(tx, cx)?;
    let quarters = books.returns.quarters();
    let mut all: Vec<OssReturnDetails> = quarters
        .filter(|quarter| year.is_none_or(|year| quarter.year() == year))
        .filter_map(|quarter| books.details(quarter))
        .collect();
    if year.is_none() {
        all.reverse();
    }
    Ok(all)
}

/// Returns of past quarters that are not filed, oldest first. They must be filed even if nothing is
/// declared (art. 28sd Wet OB 1968).
///
/// # Errors
/// The storage failed.
pub fn to_file(tx: &mut Tx<'_>, cx: &Context) -> Result<Vec<OssReturnDetails>, Error> {
    let registrations = rows::registrations(tx, cx.actor.account)?;
    let terms = terms(&registrations);
    let quarters = registered_quarters(&terms, Quarter::of(cx.today()));
    let filed = rows::filings(tx, cx.actor.account)?;
    let is_filed = |quarter: Quarter| {
        filed.iter().any(|of| of.is_filed() && of.period.last_quarter() == quarter)
    };
    let today = cx.today();
    // Documents are read only if a return is open.
    let mut past = quarters.filter(|quarter| quarter.last_day() < today);
    if past.all(is_filed) {
        return Ok(Vec::new());
    }
    let mut all = list(tx, cx, None)?;
    all.retain(|details| details.filed().is_none() && details.period.last_day() < today);
    all.reverse();
    Ok(all)
}

/// Writes a return as a file.
///
/// # Errors
/// Writing fails.
pub fn file_of(details: &OssReturnDetails, format: Format) -> io::Result<Vec<u8>> {
    let name = |row: &Row| match details.rate_type(row) {
        RateType::Standard => "standaard",
        RateType::Reduced => "verlaagd",
    };
    return_file(&details.declaration, name, format)
}

/// Records the return of a past quarter as filed.
///
/// # Errors
/// The account has no return for this period, it is filed already, or the quarter is not over.
pub fn file(tx: &mut Tx<'_>, cx: &Context, period: VatPeriod) -> Result<OssReturnDetails, Error> {
    context::transact(tx, cx, |tx, books, cx| {
        cx.actor.require_dutch()?;
        let details = read_return(tx, cx, period)?;
        if details.filed().is_some() {
            return Err(PeriodError::OssFiled(period).into());
        }
        if amsterdam_today(books.clock()) <= period.last_day() {
            return Err(PeriodError::NotOver(period).into());
        }
        let filing = OssFiling {
            period,
            version: details.last_filed().map_or(1, |last| last.version.saturating_add(1)),
            filed_at: cx.now(),
            reopened_at: None,
        };
        rows::file(tx, cx.actor.account, &filing, &details.declaration)?;
        read_return(tx, cx, period)
    })
}

/// Reopens a filed return, which then follows the books again.
///
/// # Errors
/// The return is not filed.
pub fn reopen(tx: &mut Tx<'_>, cx: &Context, period: VatPeriod) -> Result<OssReturnDetails, Error> {
    context::transact(tx, cx, |tx, _, cx| {
        cx.actor.require_dutch()?;
        if read_return(tx, cx, period)?.filed().is_none() {
            return Err(PeriodError::OssNotFiled(period).into());
        }
        rows::reopen(tx, cx.actor.account, period, cx.now())?;
        read_return(tx, cx, period)
    })
}
