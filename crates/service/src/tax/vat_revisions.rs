//! Revision of the VAT deducted on assets: the amount due for a year, the entry that books it, and
//! the revision on the sale of an asset (art. 15(4) Wet OB 1968; art. 11 to 14
//! Uitvoeringsbeschikking omzetbelasting 1968; the rules are in `ledger::vat_revision`).
//!
//! The revision for a year is a single entry on 31 December, in the last VAT return of the year. If
//! the amount changes, because an asset was added or the turnover changed, booking the revision
//! again replaces the entry.

use super::{
    corrections::{self, Booking, IfFiled},
    kor,
};
use crate::{Context, Created, Error, VatError, context};
use jiff::civil::Date;
use ledger::{
    booking,
    chart::codes,
    decimal,
    description::DescriptionKind,
    entry::{JournalEntry, Posting, Source, SourceType},
    money::Cents,
    purchase::Deduction,
    vat::VatScheme,
    vat_revision::{self, AssetVat, Share},
};
use std::{collections::BTreeMap, ops::RangeInclusive};
use store::{
    SyncFilter, Tx,
    assets::{self, Asset},
    books::Books,
    expenses, journal,
    kor::{self as turnover, InvoiceSupply},
    schemes::{self, SchemeChange},
    vat_revisions as rows,
};

/// Revision of the VAT on assets for a year.
#[derive(Debug, Clone)]
pub struct YearRevision {
    /// Calendar year.
    pub year: i16,
    /// Part of the VAT that may be deducted in the year.
    pub share: Share,
    /// Assets within the term of the revision, in order of their ids.
    pub assets: Vec<AssetRevision>,
    /// Total of the amounts due, in cents; positive if it is paid back.
    pub total: Cents,
    /// Whether there is a difference to revise, but the law waives all of it.
    pub waived: bool,
    /// Id of the entry in force, if the revision is booked.
    pub entry_id: Option<i64>,
}

impl YearRevision {
    /// Amount that is still to be booked, in cents.
    #[must_use]
    pub fn outstanding(&self) -> Cents {
        self.assets.iter().map(AssetRevision::outstanding).sum()
    }

    /// Whether booking the revision would change something.
    #[must_use]
    pub fn has_outstanding(&self) -> bool {
        self.assets.iter().any(|asset| !asset.outstanding().is_zero())
    }
}

/// Revision of the VAT on one asset for a year.
#[derive(Debug, Clone)]
pub struct AssetRevision {
    /// The asset.
    pub asset: Asset,
    /// VAT on the part of the purchase that is for the business, in cents.
    pub vat: Cents,
    /// Deducted part of `vat`, in cents: as deducted on purchase or, after the year of first use,
    /// as revised in that year.
    pub deducted: Cents,
    /// Amount due for the year, in cents. Zero within the tolerance of a tenth. Includes an amount
    /// waived because of the small businesses scheme only if nothing at all is payable.
    pub due: Cents,
    /// Amount due less the waived amount, in cents.
    pub payable: Cents,
    /// Amount booked, in cents.
    pub booked: Cents,
}

impl AssetRevision {
    /// Amount that is still to be booked, in cents.
    #[must_use]
    pub fn outstanding(&self) -> Cents {
        self.payable - self.booked
    }
}

/// Command that books the revision for a year.
#[derive(Debug, Clone, Default)]
pub struct Revise {
    /// The caller's own identifier.
    pub external_id: Option<String>,
    /// Owner's description. Defaults to that of the entry in force, or else to the year.
    pub description: Option<String>,
    /// Handling of a revision if the last VAT return of the year has already been filed.
    pub if_filed: IfFiled,
}

/// Source of the entry that revises the VAT on assets for a year.
fn source(year: i16) -> Source {
    Source { kind: SourceType::VatRevision, id: year.into() }
}

/// Factor in the source id of a revision on a sale: the id of the asset times this number. Smaller
/// source ids are years.
pub(crate) const OF_SALES: i64 = 10_000;

/// Source of the entry that revises the VAT on an asset because it was sold.
pub(crate) fn source_of_sale(asset: i64) -> Source {
    Source { kind: SourceType::VatRevision, id: asset * OF_SALES }
}

/// Shares of several years, computed from the VAT schemes and the supplies.
struct Shares {
    changes: Vec<SchemeChange>,
    known: BTreeMap<i16, Share>,
}

impl Shares {
    fn read(tx: &mut Tx<'_>, account: i64) -> Result<Self, Error> {
        Ok(Self { changes: schemes::all(tx, account)?, known: BTreeMap::new() })
    }

    /// Share for a year. Without turnover, it depends on the scheme on the last day.
    fn of(&mut self, tx: &mut Tx<'_>, account: i64, year: i16) -> Result<Share, Error> {
        if let Some(share) = self.known.get(&year) {
            return Ok(*share);
        }
        let days = kor::days_of(year);
        let (mut with_right, mut without) = (Cents::ZERO, Cents::ZERO);
        for InvoiceSupply { day, category, amount, .. } in turnover::supplies(tx, account, days)? {
            match vat_revision::gives_right(category, self.is_kor(day)) {
                Some(true) => with_right += amount,
                Some(false) => without += amount,
                None => {}
            }
        }
        let usual = if self.is_kor(days.1) { Share::NOTHING } else { Share::WHOLE };
        let share = Share::of(with_right, without).unwrap_or(usual);
        self.known.insert(year, share);
        Ok(share)
    }

    fn is_kor(&self, day: Date) -> bool {
        kor::scheme_on(&self.changes, day) == VatScheme::Kor
    }

    /// Whether the small businesses scheme applied on any day of a year.
    fn has_kor(&self, year: i16) -> bool {
        let begins =
            |change: &SchemeChange| change.scheme == VatScheme::Kor && change.from.year() == year;
        self.is_kor(kor::days_of(year).0) || self.changes.iter().any(begins)
    }
}

/// VAT on the purchase of an asset; `None` for an asset in the opening balance, whose VAT is
/// unknown.
fn vat_of(tx: &mut Tx<'_>, account: i64, asset: &Asset) -> Result<Option<AssetVat>, Error> {
    let Some(expense) = asset.expense_id else { return Ok(None) };
    let expense = expenses::by_id(tx, account, expense)?.ok_or(Error::NotFound("expense"))?;
    let deducted = expense.deductible;
    let vat = match expense.deduction {
        Deduction::Usual => deducted,
        Deduction::Never => expense.business_share.of(expense.vat),
    };
    Ok(Some(AssetVat { vat, deducted }))
}

/// VAT on an asset with the deduction that applies `years` after the year of first use: in a later
/// year, the deduction as revised in the first one (art. 12(3) Uitvoeringsbeschikking
/// omzetbelasting 1968).
fn compared(bought: AssetVat, years: i16, share_of_first_year: Share) -> AssetVat {
    if years == 0 {
        return bought;
    }
    let deducted = bought.deducted - bought.of_first_year(share_of_first_year);
    AssetVat { deducted, ..bought }
}

/// Whether an asset is included in the revision for a year. An asset that was sold or written off
/// is excluded from the year of disposal on, except in its year of first use.
fn takes_part(asset: &Asset, year: i16) -> bool {
    let years = year - asset.date.year();
    let is_gone = asset.disposed_on.is_some_and(|day| day.year() <= year && years > 0);
    asset.undone_at.is_none() && (0..=vat_revision::YEARS).contains(&years) && !is_gone
}

/// Whether an asset was sold in the year of first use. The sale then revises four fifths of the
/// VAT, so only one fifth remains for that year.
fn is_sold_at_once(asset: &Asset) -> bool {
    asset.disposed_on.is_some_and(|day| day.year() == asset.date.year())
        && asset.proceeds.is_some_and(|proceeds| !proceeds.is_zero())
}

/// Reads the revision for a year.
///
/// # Errors
/// The storage failed.
pub fn read(tx: &mut Tx<'_>, cx: &Context, year: i16) -> Result<YearRevision, Error> {
    let account = cx.actor.account;
    let mut shares = Shares::read(tx, account)?;
    let share = shares.of(tx, account, year)?;
    let parts = rows::parts(tx, account, year)?;
    let all = assets::list(tx, account, &SyncFilter::default(), 0, i64::MAX)?.rows;
    let (mut revised, mut has_difference, mut is_by_kor) = (Vec::new(), false, false);
    for asset in all.into_iter().filter(|asset| takes_part(asset, year)) {
        let Some(bought) = vat_of(tx, account, &asset)? else { continue };
        let first_year = asset.date.year();
        let first = shares.of(tx, account, first_year)?;
        let vat = compared(bought, year - first_year, first);
        let mut due = vat.of_year(year - first_year, share);
        has_difference |= !due.is_zero();
        if year == first_year {
            if is_sold_at_once(&asset) {
                due = vat.of_later_year(share);
            }
        } else if vat.is_within_tolerance(share) {
            due = Cents::ZERO;
        } else {
            is_by_kor |= !due.is_zero() && (shares.has_kor(year) || shares.has_kor(first_year));
        }
        let booked = parts.get(&asset.id).copied().unwrap_or_default();
        let AssetVat { vat, deducted } = vat;
        revised.push(AssetRevision { asset, vat, deducted, due, payable: due, booked });
    }
    if is_by_kor {
        waive(year, &mut revised);
    }
    let waived = has_difference && revised.iter().all(|asset| asset.payable.is_zero());
    if !waived {
        for asset in &mut revised {
            asset.due = asset.payable;
        }
    }
    Ok(YearRevision {
        year,
        share,
        total: revised.iter().map(|asset| asset.due).sum(),
        assets: revised,
        waived,
        entry_id: standing(tx, account, source(year))?.last().copied(),
    })
}

/// Waives a revision that the small businesses scheme caused if the total is below the limit,
/// whether it is to be paid back or deducted (art. 13(4) Uitvoeringsbeschikking omzetbelasting
/// 1968). Assets in their year of first use are not included.
fn waive(year: i16, revised: &mut [AssetRevision]) {
    let limit = ::tax::calculators::kor::revision_waiver(year);
    let limit = limit.and_then(|limit| decimal::to_cents(&limit).ok()).unwrap_or_default();
    let is_later = |of: &AssetRevision| of.asset.date.year() < year;
    let total: Cents = revised.iter().filter(|of| is_later(of)).map(|of| of.due).sum();
    if total.abs() < limit {
        for of in revised.iter_mut().filter(|of| is_later(of)) {
            of.payable = Cents::ZERO;
        }
    }
}

/// Ids of the entries of a source that are in force, oldest first.
fn standing(tx: &mut Tx<'_>, account: i64, source: Source) -> Result<Vec<i64>, Error> {
    let own = journal::ids_by_source(tx, account, source)?;
    corrections::not_taken_back(tx, account, &own)
}

/// Books the revision for a year; replaces an earlier entry. Rebooks the revisions on sales that
/// depend on the share of the year.
///
/// # Errors
/// The account is not Dutch, nothing remains to be booked, the year is closed, or the last return
/// is filed and `if_filed` does not allow a correction.
pub fn revise(
    tx: &mut Tx<'_>,
    cx: &Context,
    year: i16,
    command: &Revise,
) -> Result<Created<YearRevision>, Error> {
    revise_assets(tx, cx, year, None, command)
}

/// Like [`revise`], but only for the assets in `only`, if given; the booked parts of other assets
/// are kept.
pub(crate) fn revise_assets(
    tx: &mut Tx<'_>,
    cx: &Context,
    year: i16,
    only: Option<&[i64]>,
    command: &Revise,
) -> Result<Created<YearRevision>, Error> {
    context::transact(tx, cx, |tx, books, cx| {
        cx.actor.require_dutch()?;
        if let Some(known) = find_by_external_id(tx, cx, command.external_id.as_deref())? {
            return Ok(Created::Existing(known));
        }
        let now = read(tx, cx, year)?;
        let chosen = now.assets.iter().filter(|of| {
            !of.outstanding().is_zero() && only.is_none_or(|only| only.contains(&of.asset.id))
        });
        let mut parts = rows::parts(tx, cx.actor.account, year)?;
        let mut is_changed = false;
        for of in chosen {
            is_changed = true;
            parts.insert(of.asset.id, of.payable);
        }
        if is_changed {
            book(tx, books, cx, (year, parts), command)?;
        }
        // The share for this year also decides what counts as deducted on a later sale.
        let sales = (year..=year, only);
        is_changed |= follow_sales(tx, books, cx, sales, command.if_filed)?;
        if !is_changed {
            return Err(VatError::NothingToRevise(year).into());
        }
        if let Some(external_id) = &command.external_id {
            rows::request(tx, cx.actor.account, external_id, year)?;
        }
        Ok(Created::New(read(tx, cx, year)?))
    })
}

/// Returns the revision that was booked by the request with this external id.
///
/// # Errors
/// The storage failed.
pub fn find_by_external_id(
    tx: &mut Tx<'_>,
    cx: &Context,
    external_id: Option<&str>,
) -> Result<Option<YearRevision>, Error> {
    let Some(external_id) = external_id else { return Ok(None) };
    match rows::requested(tx, cx.actor.account, external_id)? {
        Some(year) => read(tx, cx, year).map(Some),
        None => Ok(None),
    }
}

/// Undoes the revision for a year by reversing its entry. Does nothing if it is not booked.
///
/// # Errors
/// The account is not Dutch, the year is closed, or the last return is filed and `if_filed` does
/// not allow a correction.
pub fn undo(
    tx: &mut Tx<'_>,
    cx: &Context,
    year: i16,
    if_filed: IfFiled,
) -> Result<YearRevision, Error> {
    context::transact(tx, cx, |tx, books, cx| {
        cx.actor.require_dutch()?;
        let command = Revise { if_filed, ..Revise::default() };
        book(tx, books, cx, (year, BTreeMap::new()), &command)?;
        read(tx, cx, year)
    })
}

/// Replaces the booked parts of a year. Without parts, reverses the entry.
fn book(
    tx: &mut Tx<'_>,
    books: &mut Books,
    cx: &Context,
    (year, mut parts): (i16, BTreeMap<i64, Cents>),
    command: &Revise,
) -> Result<(), Error> {
    let (account, if_filed) = (cx.actor.account, command.if_filed);
    parts.retain(|_, amount| !amount.is_zero());
    let before = rows::parts(tx, account, year)?;
    let current = standing(tx, account, source(year))?.last().copied();
    let entry = if parts.is_empty() {
        None
    } else {
        let amounts: Vec<Cents> = parts.values().copied().collect();
        let what = match (&command.description, current) {
            (Some(description), _) => description.clone(),
            (None, Some(current)) => text_of(tx, account, current)?,
            (None, None) => year.to_string(),
        };
        let (_, last) = kor::days_of(year);
        Some(booking::vat_revision(source(year), &what, last, &amounts))
    };
    match (current, entry) {
        (Some(current), Some(entry)) => {
            corrections::replace(tx, books, cx, current, entry, if_filed)?;
        }
        (Some(current), None) => {
            corrections::reverse(tx, books, cx, (source(year), current), if_filed)?;
        }
        (None, Some(entry)) => {
            corrections::append(tx, books, cx, entry, if_filed)?;
        }
        (None, None) => return Ok(()),
    }
    rows::replace_parts(tx, account, year, &parts)?;
    for id in before.keys().chain(parts.keys()) {
        if before.get(id) != parts.get(id)
            && let Some(mut asset) = assets::by_id(tx, account, *id)?
        {
            asset.updated_at = cx.now();
            assets::replace(tx, account, &asset)?;
        }
    }
    Ok(())
}

/// Description of the entry in force, which its replacement keeps.
fn text_of(tx: &mut Tx<'_>, account: i64, entry: i64) -> Result<String, Error> {
    let stored = journal::by_id(tx, account, entry)?.ok_or(Error::NotFound("entry"))?;
    Ok(stored.entry.description().text.clone().unwrap_or_default())
}

/// Removes an asset from the booked revisions for `from` and later years. Other assets are kept.
pub(crate) fn leave_out(
    tx: &mut Tx<'_>,
    books: &mut Books,
    cx: &Context,
    (asset, from): (i64, i16),
    if_filed: IfFiled,
) -> Result<(), Error> {
    for year in rows::years_of(tx, cx.actor.account, asset)? {
        if year >= from {
            let mut parts = rows::parts(tx, cx.actor.account, year)?;
            parts.remove(&asset);
            let command = Revise { if_filed, ..Revise::default() };
            book(tx, books, cx, (year, parts), &command)?;
        }
    }
    Ok(())
}

/// Books the revision for all remaining years on the sale of an asset; `is_taxed` is true if the
/// sale has VAT (art. 13a Uitvoeringsbeschikking omzetbelasting 1968). First removes the asset from
/// the booked revisions for the year of the sale and later years.
pub(crate) fn sell(
    tx: &mut Tx<'_>,
    books: &mut Books,
    cx: &Context,
    (asset, on, is_taxed): (&Asset, Date, bool),
    if_filed: IfFiled,
) -> Result<(), Error> {
    leave_out(tx, books, cx, (asset.id, on.year()), if_filed)?;
    let mut shares = Shares::read(tx, cx.actor.account)?;
    let due = due_on_sale(tx, cx.actor.account, &mut shares, (asset, on, is_taxed))?;
    if let Some(entry) = entry_of_sale(asset, on, due) {
        corrections::append(tx, books, cx, entry, if_filed)?;
    }
    Ok(())
}

/// Revision on the sale of an asset, in cents.
fn due_on_sale(
    tx: &mut Tx<'_>,
    account: i64,
    shares: &mut Shares,
    (asset, on, is_taxed): (&Asset, Date, bool),
) -> Result<Cents, Error> {
    let Some(bought) = vat_of(tx, account, asset)? else { return Ok(Cents::ZERO) };
    let first_year = asset.date.year();
    let years = on.year() - first_year;
    let first = shares.of(tx, account, first_year)?;
    Ok(compared(bought, years, first).of_sale(years, is_taxed))
}

/// Entry of the revision on a sale; `None` for an amount of zero.
fn entry_of_sale(asset: &Asset, on: Date, amount: Cents) -> Option<JournalEntry> {
    let source = source_of_sale(asset.id);
    let entry = || booking::vat_revision(source, &asset.description, on, &[amount]);
    (!amount.is_zero()).then(entry)
}

/// Rebooks the revisions on sales whose amount has changed, because the VAT on the purchase is
/// deducted differently or the share for the year of first use changed. Considers the assets
/// bought in certain years, optionally only those with certain ids. Returns whether any revision
/// was rebooked.
pub(crate) fn follow_sales(
    tx: &mut Tx<'_>,
    books: &mut Books,
    cx: &Context,
    (first_years, only): (RangeInclusive<i16>, Option<&[i64]>),
    if_filed: IfFiled,
) -> Result<bool, Error> {
    let account = cx.actor.account;
    let mut shares = Shares::read(tx, account)?;
    let mut is_changed = false;
    for asset in assets::list(tx, account, &SyncFilter::default(), 0, i64::MAX)?.rows {
        let is_included = first_years.contains(&asset.date.year())
            && only.is_none_or(|only| only.contains(&asset.id));
        let is_sold =
            asset.undone_at.is_none() && asset.proceeds.is_some_and(|proceeds| !proceeds.is_zero());
        let Some(on) = asset.disposed_on.filter(|_| is_included && is_sold) else { continue };
        let is_taxed = is_sale_taxed(tx, account, asset.id)?;
        let due = due_on_sale(tx, account, &mut shares, (&asset, on, is_taxed))?;
        let current = of_sale(tx, account, asset.id)?;
        if current.map(|(amount, _)| amount).unwrap_or_default() == due {
            continue;
        }
        match (current, entry_of_sale(&asset, on, due)) {
            (Some((_, id)), Some(entry)) => {
                corrections::replace(tx, books, cx, id, entry, if_filed)?;
            }
            (Some((_, id)), None) => {
                corrections::reverse(tx, books, cx, (source_of_sale(asset.id), id), if_filed)?;
            }
            (None, Some(entry)) => {
                corrections::append(tx, books, cx, entry, if_filed)?;
            }
            (None, None) => {}
        }
        is_changed = true;
        assets::replace(tx, account, &Asset { updated_at: cx.now(), ..asset })?;
    }
    Ok(is_changed)
}

/// Whether the sale of an asset has VAT.
pub(crate) fn is_sale_taxed(tx: &mut Tx<'_>, account: i64, asset: i64) -> Result<bool, Error> {
    let source = Source { kind: SourceType::Asset, id: asset };
    for id in standing(tx, account, source)? {
        let entry = Booking::of(tx, account, id)?.entry();
        if entry.description().kind == DescriptionKind::Disposal {
            return Ok(entry.has_boxes());
        }
    }
    Ok(false)
}

/// Reverses the revision on the sale of an asset.
pub(crate) fn undo_sale(
    tx: &mut Tx<'_>,
    books: &mut Books,
    cx: &Context,
    asset: i64,
    if_filed: IfFiled,
) -> Result<(), Error> {
    let source = source_of_sale(asset);
    for id in standing(tx, cx.actor.account, source)? {
        corrections::reverse(tx, books, cx, (source, id), if_filed)?;
    }
    Ok(())
}

/// Revision on the sale of an asset: amount in cents, and id of its entry.
pub(crate) fn of_sale(
    tx: &mut Tx<'_>,
    account: i64,
    asset: i64,
) -> Result<Option<(Cents, i64)>, Error> {
    let Some(id) = standing(tx, account, source_of_sale(asset))?.last().copied() else {
        return Ok(None);
    };
    let stored = journal::by_id(tx, account, id)?.ok_or(Error::NotFound("entry"))?;
    let on_cost = |posting: &&Posting| posting.account() == codes::VAT_NOT_DEDUCTIBLE;
    let cost = stored.entry.postings().iter().filter(on_cost);
    Ok(Some((cost.map(|posting| posting.debited() - posting.credited()).sum(), id)))
}

/// Ids of all entries that revise the VAT on an asset, including reversed ones.
pub(crate) fn entries_of(tx: &mut Tx<'_>, account: i64, asset: i64) -> Result<Vec<i64>, Error> {
    let mut ids = journal::ids_by_source(tx, account, source_of_sale(asset))?;
    for year in rows::years_of(tx, account, asset)? {
        ids.extend(journal::ids_by_source(tx, account, source(year))?);
    }
    Ok(ids)
}
