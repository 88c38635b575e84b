//! Business assets: purchase, depreciation on request, revision of VAT, and sale or write-off.

mod recost;

pub(crate) use recost::recost;

use crate::{
    BookingError, Context, Created, Error, Fault, Reason, bank_accounts, context,
    corrections::{self, IfFiled},
    days, events,
    expenses::{self, ExpenseDetails, ExpenseLine, NewExpense, Supplier},
    vat_revisions, vat_schemes,
};
use jiff::civil::Date;
use ledger::{
    asset::{self, MOST_YEARS},
    booking::{self, Disposal, MoneyAccount},
    calendar::amsterdam_today,
    chart::AccountCode,
    description::DescriptionKind,
    entry::{Posting, Source, SourceType},
    money::Cents,
    purchase::{BusinessShare, VatTreatment},
    vat::VatRate,
};
use store::{
    Page, SyncFilter, Tx,
    assets::{self as rows, Asset, AssetColumn, AssetState, AssetSums},
    books::IdSequence,
    journal,
};

/// Input for the purchase of an asset.
#[derive(Debug, Clone)]
pub struct NewAsset {
    /// Caller's own identifier.
    pub external_id: Option<String>,
    /// Date of purchase.
    pub date: Date,
    /// Description of the asset.
    pub description: String,
    /// Ledger account of the asset.
    pub account: AccountCode,
    /// Account of the accumulated depreciation, if it is not the one that belongs to `account`.
    pub accumulated_account: Option<AccountCode>,
    /// Account of the cost of depreciation, if it is not the one that belongs to `account`.
    pub depreciation_account: Option<AccountCode>,
    /// Cost in cents, excluding VAT.
    pub cost: Cents,
    /// Residual value at the end of the asset's life, in cents.
    pub residual_value: Cents,
    /// Useful life in years. Defaults to the least that the law allows.
    pub life_years: Option<i64>,
    /// Supplier.
    pub supplier: Supplier,
    /// VAT treatment of the purchase.
    pub treatment: VatTreatment,
    /// VAT rate. Defaults to the high rate.
    pub rate: Option<VatRate>,
    /// VAT printed on the document, in cents.
    pub vat: Option<Cents>,
    /// Account from which the asset was paid for; `None` for a bill that is still to be paid.
    pub paid_from: Option<MoneyAccount>,
    /// Ids of the receipts for the purchase.
    pub receipt_ids: Vec<i64>,
    /// Handling of a purchase whose VAT return has already been filed.
    pub if_filed: IfFiled,
    /// Depreciation before the books began, in cents, for an asset that is part of the opening
    /// balance. The purchase of such an asset is not booked.
    pub opening_depreciated: Option<Cents>,
}

/// Asset with its journal entries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AssetDetails {
    /// The asset itself.
    pub asset: Asset,
    /// Ids of its journal entries, including those of the purchase, oldest first. Includes entries
    /// that revise the VAT for a year, which the asset may share with other assets.
    pub entry_ids: Vec<i64>,
    /// Revision of the VAT on the sale of the asset: amount in cents, positive if it is paid back,
    /// and id of the entry.
    pub vat_revision: Option<(Cents, i64)>,
}

impl AssetDetails {
    /// Creates the details of an asset that has not been sold.
    const fn in_use(asset: Asset, entry_ids: Vec<i64>) -> Self {
        Self { asset, entry_ids, vat_revision: None }
    }

    /// Returns the book value, in cents. Zero after disposal, or if the asset was undone.
    #[must_use]
    pub fn book_value(&self) -> Cents {
        let asset = &self.asset;
        if asset.disposed_on.is_some() || asset.undone_at.is_some() {
            Cents::ZERO
        } else {
            asset.cost - asset.depreciated
        }
    }
}

pub(crate) fn source(id: i64) -> Source {
    Source { kind: SourceType::Asset, id }
}

/// Records the purchase of an asset, and books it on the ledger account of the asset. An asset that
/// is part of the opening balance is stored with its earlier depreciation, without an entry; later
/// depreciation is booked as usual.
///
/// # Errors
/// The account is not Dutch, a value is invalid, or the period is filed and `if_filed` does not
/// allow a correction.
// Long: the checks of a purchase in order.
pub fn buy(
    tx: &mut Tx<'_>,
    cx: &Context,
    command: &NewAsset,
) -> Result<Created<AssetDetails>, Error> {
    context::transact(tx, cx, |tx, books, cx| {
        cx.actor.require_dutch()?;
        if let Some(existing) = find_by_external_id(tx, cx, command.external_id.as_deref())? {
            return Ok(Created::Existing(existing));
        }
        let command = &resolved(cx, command);
        let mut faults = Vec::new();
        let mut fault = |path: &str, reason| faults.push(Fault::new(path, reason));
        if !asset::is_account(command.account) {
            fault("/account", Reason::NotAnAssetAccount);
        }
        if !command.accumulated_account.is_none_or(asset::is_accumulated_account)
            || command.accumulated_account == Some(command.account)
        {
            fault("/accumulatedAccount", Reason::UnknownAccount);
        }
        if !command.depreciation_account.is_none_or(asset::is_depreciation_account) {
            fault("/depreciationAccount", Reason::UnknownAccount);
        }
        if command.cost <= Cents::ZERO {
            fault("/cost", Reason::AmountOutOfRange { most: Cents::MAX });
        }
        if command.residual_value.is_negative() || command.residual_value > command.cost {
            fault("/residualValue", Reason::ResidualOutOfRange { cost: command.cost });
        }
        let least = least_years(cx, command);
        if command.life_years.is_some_and(|years| !(least..=MOST_YEARS).contains(&years)) {
            fault("/lifeYears", Reason::WholeOutOfRange { least, most: MOST_YEARS });
        }
        if let Some(depreciated) = command.opening_depreciated {
            faults.extend(opening_faults(books.terms().opening, command, depreciated));
        }
        if !faults.is_empty() {
            return Err(Error::Invalid(faults));
        }
        let id = books.next_id(IdSequence::Asset);
        if let Some(depreciated) = command.opening_depreciated {
            let asset = new(cx, command, id, command.cost, depreciated, None);
            rows::insert(tx, cx.actor.account, &asset)?;
            return Ok(Created::New(AssetDetails::in_use(asset, Vec::new())));
        }
        let rate = command.rate.unwrap_or_else(|| VatRate::high_on(command.date));
        let line = ExpenseLine {
            category: command.account,
            amount: command.cost,
            treatment: command.treatment,
            rate: Some(rate),
            includes_vat: false,
            vat: command.vat,
        };
        let purchase = NewExpense {
            external_id: None,
            date: command.date,
            supplier: command.supplier.clone(),
            description: Some(command.description.clone()),
            lines: vec![line],
            paid_from: command.paid_from,
            business_share: BusinessShare::WHOLE,
            receipt_ids: command.receipt_ids.clone(),
            period: expenses::Covered::default(),
            bill: expenses::Bill::default(),
            if_filed: command.if_filed,
        };
        let purchase = expenses::book(tx, books, cx, &purchase, Some(id), asset::is_account);
        let purchase: ExpenseDetails = purchase.map_err(to_own_fields)?;
        // VAT that is not deductible is part of the cost.
        let cost = command.cost + purchase.expense.vat - purchase.expense.deductible;
        let asset = new(cx, command, id, cost, Cents::ZERO, Some(purchase.expense.id));
        rows::insert(tx, cx.actor.account, &asset)?;
        Ok(Created::New(AssetDetails::in_use(asset, purchase.entry_ids)))
    })
}

/// Minimum depreciation period of an asset in years.
fn least_years(cx: &Context, command: &NewAsset) -> i64 {
    asset::least_years(cx.actor.own_accounts.rgs(command.account))
}

/// Returns the command with the codes of own accounts in place of those that the caller named.
fn resolved(cx: &Context, command: &NewAsset) -> NewAsset {
    let own = |code| cx.actor.own_accounts.resolve(code);
    NewAsset {
        account: own(command.account),
        accumulated_account: command.accumulated_account.map(own),
        depreciation_account: command.depreciation_account.map(own),
        ..command.clone()
    }
}

fn new(
    cx: &Context,
    command: &NewAsset,
    id: i64,
    cost: Cents,
    depreciated: Cents,
    expense_id: Option<i64>,
) -> Asset {
    Asset {
        id,
        external_id: command.external_id.clone(),
        date: command.date,
        description: command.description.clone(),
        account: command.account,
        accumulated_account: command.accumulated_account,
        depreciation_account: command.depreciation_account,
        cost,
        residual_value: command.residual_value,
        life_years: command.life_years.unwrap_or_else(|| least_years(cx, command)),
        depreciated,
        depreciated_until: None,
        opening_depreciated: depreciated,
        disposed_on: None,
        proceeds: None,
        expense_id,
        undone_at: None,
        source: cx.actor.origin,
        created_at: cx.now(),
        updated_at: cx.now(),
    }
}

/// Returns the faults of an asset that is part of the opening balance, which is dated `opening`.
fn opening_faults(opening: Option<Date>, command: &NewAsset, depreciated: Cents) -> Vec<Fault> {
    let mut faults = Vec::new();
    let most = command.cost - command.residual_value;
    if depreciated.is_negative() || depreciated > most {
        faults.push(Fault::new("/openingDepreciated", Reason::DepreciatedOutOfRange { most }));
    }
    match opening {
        None => faults.push(Fault::new("/openingDepreciated", Reason::NoOpeningBalance)),
        Some(date) if command.date > date => {
            faults.push(Fault::new("/date", Reason::AfterOpeningBalance { date }))
        }
        Some(_) => {}
    }
    faults
}

/// Converts the paths in faults about the purchase to the corresponding fields of the asset input.
fn to_own_fields(error: Error) -> Error {
    let Error::Invalid(mut faults) = error else { return error };
    for fault in &mut faults {
        if let Some(field) = fault.path.strip_prefix("/items/0/") {
            fault.path = format!("/{}", if field == "amount" { "cost" } else { field });
        }
    }
    Error::Invalid(faults)
}

/// Returns the asset with the given external id.
///
/// # Errors
/// The storage failed.
pub fn find_by_external_id(
    tx: &mut Tx<'_>,
    cx: &Context,
    external_id: Option<&str>,
) -> Result<Option<AssetDetails>, Error> {
    let Some(external_id) = external_id else { return Ok(None) };
    match rows::by_external_id(tx, cx.actor.account, external_id)? {
        Some(asset) => details(tx, cx, asset).map(Some),
        None => Ok(None),
    }
}

fn details(tx: &mut Tx<'_>, cx: &Context, asset: Asset) -> Result<AssetDetails, Error> {
    let mut entry_ids = match asset.expense_id {
        Some(expense) => journal::ids_by_source(tx, cx.actor.account, expenses::source(expense))?,
        None => Vec::new(),
    };
    entry_ids.extend(journal::ids_by_source(tx, cx.actor.account, source(asset.id))?);
    entry_ids.extend(vat_revisions::entries_of(tx, cx.actor.account, asset.id)?);
    entry_ids.sort_unstable();
    let vat_revision = match asset.disposed_on {
        Some(_) => vat_revisions::of_sale(tx, cx.actor.account, asset.id)?,
        None => None,
    };
    Ok(AssetDetails { asset, entry_ids, vat_revision })
}

/// Returns an asset by its id.
///
/// # Errors
/// There is no such asset in this account.
pub fn read(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<AssetDetails, Error> {
    let asset = rows::by_id(tx, cx.actor.account, id)?.ok_or(Error::NotFound("asset"))?;
    details(tx, cx, asset)
}

/// Returns a page of assets with an id above `after`, oldest first.
///
/// # Errors
/// The storage failed.
pub fn list(
    tx: &mut Tx<'_>,
    cx: &Context,
    filter: &SyncFilter,
    after: i64,
    limit: i64,
) -> Result<Page<AssetDetails>, Error> {
    let page = rows::list(tx, cx.actor.account, filter, after, limit)?;
    let rows =
        page.rows.into_iter().map(|asset| details(tx, cx, asset)).collect::<Result<_, Error>>()?;
    Ok(Page { rows, more: page.more })
}

/// Returns part of a list of assets, each without its entries, and the sums over assets of all
/// states. `order` is the sort column and whether to sort in descending order.
///
/// # Errors
/// The storage failed.
pub fn table(
    tx: &mut Tx<'_>,
    cx: &Context,
    (state, text): (Option<AssetState>, Option<&str>),
    order: (AssetColumn, bool),
    part: (i64, i64),
) -> Result<(Vec<AssetDetails>, AssetSums), Error> {
    let assets = rows::table(tx, cx.actor.account, (state, text), order, part)?;
    let without_entries = |asset| AssetDetails { asset, entry_ids: Vec::new(), vat_revision: None };
    let assets = assets.into_iter().map(without_entries).collect();
    Ok((assets, rows::sums(tx, cx.actor.account, text)?))
}

/// Returns an asset, provided that it is still in use.
fn require_in_use(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<AssetDetails, Error> {
    let details = read(tx, cx, id)?;
    if details.asset.undone_at.is_some() {
        return Err(BookingError::AlreadyUndone.into());
    }
    if details.asset.disposed_on.is_some() {
        Err(BookingError::AlreadyDisposed.into())
    } else {
        Ok(details)
    }
}

/// Returns a function that computes the accumulated depreciation up to the end of the month of a
/// given day. `opening` is the date of the opening balance.
fn accumulated(asset: &Asset, opening: Option<Date>) -> impl Fn(Date) -> Cents + use<> {
    let before = opening
        .filter(|_| asset.expense_id.is_none())
        .map(|opening| (opening, asset.opening_depreciated));
    let (cost, residual, years, bought) =
        (asset.cost, asset.residual_value, asset.life_years, asset.date);
    move |until| match before {
        Some(before) => asset::depreciated_further((cost, residual), years, bought, before, until),
        None => asset::depreciated(cost, residual, years, bought, until),
    }
}

/// Returns the amount that [`depreciate`] would book for `until`, in cents.
///
/// # Errors
/// The storage failed.
pub fn to_depreciate(
    tx: &mut Tx<'_>,
    cx: &Context,
    asset: &Asset,
    until: Date,
) -> Result<Cents, Error> {
    let opening = events::opening(tx, cx)?.map(|opening| opening.stored.date);
    let total = accumulated(asset, opening)(until);
    Ok((total - asset.depreciated).max(Cents::ZERO))
}

/// Books the outstanding depreciation up to the end of the month of `until`. Each year has its own
/// entry, because the depreciation is a cost of that year (art. 3.25 and 3.30 Wet IB 2001). The
/// entries are dated 31 December, except the last one, which is dated `until`. Depreciation of
/// closed years is booked in the first open year. If no depreciation is outstanding, nothing is
/// booked.
///
/// # Errors
/// The account is not Dutch, there is no such asset, the asset was disposed of or undone, or
/// `until` is before its purchase or the opening balance.
pub fn depreciate(
    tx: &mut Tx<'_>,
    cx: &Context,
    id: i64,
    until: Date,
) -> Result<AssetDetails, Error> {
    context::transact(tx, cx, |tx, books, cx| {
        cx.actor.require_dutch()?;
        let mut details = require_in_use(tx, cx, id)?;
        let asset = &mut details.asset;
        if until < asset.date {
            return Err(Error::fault("/until", Reason::BeforePurchase { date: asset.date }));
        }
        if let Some(fault) = days::before_opening(books, "/until", until) {
            return Err(fault.into());
        }
        let (opening, closed) = (books.terms().opening, books.terms().closed_until);
        let total_until = accumulated(asset, opening);
        let (first, before) =
            (asset.date.max(opening.unwrap_or(asset.date)).year(), asset.depreciated);
        let open = (first..until.year()).filter(|year| closed.is_none_or(|closed| *year > closed));
        for day in open.filter_map(|year| Date::new(year, 12, 31).ok()).chain([until]) {
            let total = total_until(day);
            let amount = total - asset.depreciated;
            if amount <= Cents::ZERO {
                continue;
            }
            let entry = booking::asset_depreciation(
                source(id),
                &asset.description,
                day,
                asset.accounts(),
                amount,
            );
            corrections::require_open(tx, cx.actor.account, &entry)?;
            details.entry_ids.push(books.append(tx, &entry, cx.now())?);
            (asset.depreciated, asset.depreciated_until, asset.updated_at) =
                (total, Some(day), cx.now());
        }
        if asset.depreciated != before {
            rows::replace(tx, cx.actor.account, asset)?;
        }
        Ok(details)
    })
}

/// Books the outstanding depreciation of all assets in use up to the end of the month of `until`
/// (see [`depreciate`]). Assets bought after `until` are skipped. Returns the assets for which
/// depreciation was booked, each with the amount.
///
/// # Errors
/// The account is not Dutch, `until` is before the opening balance or after the end of next year,
/// or [`depreciate`] fails for an asset.
pub fn depreciate_all(
    tx: &mut Tx<'_>,
    cx: &Context,
    until: Date,
) -> Result<Vec<(AssetDetails, Cents)>, Error> {
    context::transact(tx, cx, |_, books, cx| {
        cx.actor.require_dutch()?;
        let today = amsterdam_today(books.clock());
        let latest = Date::new(today.year().saturating_add(1), 12, 31).unwrap_or(Date::MAX);
        if until > latest {
            return Err(Error::fault("/until", Reason::DepreciationTooLate { latest }));
        }
        days::before_opening(books, "/until", until).map_or(Ok(()), |fault| Err(fault.into()))
    })?;
    let (order, all) = ((AssetColumn::Date, false), (0, i64::MAX));
    let (assets, _) = table(tx, cx, (Some(AssetState::InUse), None), order, all)?;
    let mut depreciated = Vec::new();
    for before in assets.into_iter().map(|details| details.asset) {
        if before.date <= until {
            let after = depreciate(tx, cx, before.id, until)?;
            let amount = after.asset.depreciated - before.depreciated;
            if !amount.is_zero() {
                depreciated.push((after, amount));
            }
        }
    }
    Ok(depreciated)
}

/// Returns the amount of a depreciation entry, in cents.
pub(crate) fn depreciated_by(tx: &mut Tx<'_>, cx: &Context, entry: i64) -> Result<Cents, Error> {
    let stored = journal::by_id(tx, cx.actor.account, entry)?.ok_or(Error::NotFound("entry"))?;
    Ok(stored.entry.postings().iter().map(Posting::debited).sum())
}

/// Reverses a depreciation entry of an asset.
///
/// # Errors
/// The asset has been disposed of, later depreciation is booked, or the period is filed and
/// `if_filed` does not allow a correction.
pub(crate) fn take_back(
    tx: &mut Tx<'_>,
    cx: &Context,
    id: i64,
    entry: i64,
    if_filed: IfFiled,
) -> Result<(), Error> {
    context::transact(tx, cx, |tx, books, cx| {
        let AssetDetails { mut asset, .. } = read(tx, cx, id)?;
        let stored = corrections::require_own(tx, cx.actor.account, entry, source(id))?;
        if asset.disposed_on.is_some() {
            return Err(BookingError::AlreadyDisposed.into());
        }
        // The depreciation of the earlier year would otherwise be booked in the later one.
        if asset.depreciated_until > Some(stored.entry.date()) {
            return Err(BookingError::HasParts.into());
        }
        corrections::reverse(tx, books, cx, (source(id), entry), if_filed)?;
        let amount: Cents = stored.entry.postings().iter().map(Posting::debited).sum();
        asset.depreciated -= amount;
        let own = journal::ids_by_source(tx, cx.actor.account, source(id))?;
        asset.depreciated_until = None;
        for other in corrections::not_taken_back(tx, cx.actor.account, &own)? {
            let other = journal::by_id(tx, cx.actor.account, other)?;
            let other =
                other.filter(|of| of.entry.description().kind == DescriptionKind::Depreciation);
            let until = other.map(|of| of.entry.date());
            asset.depreciated_until = asset.depreciated_until.max(until);
        }
        asset.updated_at = cx.now();
        rows::replace(tx, cx.actor.account, &asset)?;
        Ok(())
    })
}

/// Input for revising the VAT on an asset.
#[derive(Debug, Clone, Copy)]
pub struct ReviseVat {
    /// Any day in the year to revise. Defaults to today.
    pub date: Option<Date>,
    /// Handling of a revision whose VAT return has already been filed.
    pub if_filed: IfFiled,
}

/// Returns the part of an asset's VAT revision for a year that is not booked yet, in cents:
/// positive to pay back, negative to deduct. Zero if the law waives the revision.
///
/// # Errors
/// The storage failed.
pub fn to_revise(tx: &mut Tx<'_>, cx: &Context, id: i64, year: i16) -> Result<Cents, Error> {
    let revision = vat_revisions::read(tx, cx, year)?;
    let own = revision.assets.iter().find(|of| of.asset.id == id);
    Ok(own.map(|of| of.outstanding()).unwrap_or_default())
}

/// Books the revision of the VAT on one asset for a year, as part of the entry for that year (see
/// [`vat_revisions::revise`]).
///
/// # Errors
/// The account is not Dutch, there is no such asset, the asset was disposed of or undone, there is
/// nothing to revise for that year, or the period is filed and `if_filed` does not allow a
/// correction.
pub fn revise_vat(
    tx: &mut Tx<'_>,
    cx: &Context,
    id: i64,
    command: ReviseVat,
) -> Result<AssetDetails, Error> {
    let year = context::transact(tx, cx, |tx, books, cx| {
        cx.actor.require_dutch()?;
        require_in_use(tx, cx, id)?;
        let year = command.date.unwrap_or_else(|| amsterdam_today(books.clock())).year();
        if to_revise(tx, cx, id, year)?.is_zero() {
            return Err(Error::fault("/date", Reason::NoVatToRevise { year: year.to_string() }));
        }
        Ok(year)
    })?;
    let how = vat_revisions::Revise { if_filed: command.if_filed, ..Default::default() };
    vat_revisions::revise_assets(tx, cx, year, Some(&[id]), &how)?;
    read(tx, cx, id)
}

/// Input for the disposal of an asset.
#[derive(Debug, Clone)]
pub struct DisposeAsset {
    /// Date of disposal.
    pub date: Date,
    /// Proceeds in cents, excluding VAT; zero for a write-off.
    pub proceeds: Cents,
    /// VAT rate of the proceeds. Defaults to the high rate, or to zero under the small businesses
    /// scheme.
    pub rate: Option<VatRate>,
    /// Account into which the proceeds are paid.
    pub into: MoneyAccount,
    /// Handling of a disposal whose VAT return has already been filed.
    pub if_filed: IfFiled,
}

/// Sells an asset or writes it off. The difference between proceeds and book value is booked as the
/// result on disposal. A sale within the term of the VAT revision revises the VAT for all remaining
/// years (art. 13a Uitvoeringsbeschikking omzetbelasting 1968).
///
/// # Errors
/// The account is not Dutch, there is no such asset, the asset was disposed of or undone, a value
/// is invalid, or the period is filed and `if_filed` does not allow a correction.
pub fn dispose(
    tx: &mut Tx<'_>,
    cx: &Context,
    id: i64,
    command: &DisposeAsset,
) -> Result<AssetDetails, Error> {
    context::transact(tx, cx, |tx, books, cx| {
        cx.actor.require_dutch()?;
        let AssetDetails { mut asset, .. } = require_in_use(tx, cx, id)?;
        let first = asset.depreciated_until.unwrap_or(asset.date).max(asset.date);
        if command.date < first {
            return Err(Error::fault("/date", Reason::BeforePurchase { date: first }));
        }
        if let Some(fault) = days::before_opening(books, "/date", command.date) {
            return Err(fault.into());
        }
        if command.proceeds.is_negative() {
            return Err(Error::fault("/proceeds", Reason::NegativeAmount));
        }
        let (into, unknown) = bank_accounts::money(cx, "/method", command.into);
        if let Some(fault) = unknown {
            return Err(fault.into());
        }
        let kor = vat_schemes::kor_in(tx, books, command.date)?;
        let rate = match (command.rate, kor) {
            // Under the small businesses scheme the sale is exempt (art. 25 Wet OB 1968).
            (None, Some(_)) => VatRate::ZERO,
            (Some(rate), Some(since)) if !rate.is_zero() => {
                return Err(Error::fault("/vatRate", Reason::KorApplies { since }));
            }
            (Some(rate), _) => VatRate::from_percent(&rate.percent(), command.date)
                .map_err(|unknown| Error::fault("/vatRate", unknown.into()))?,
            (None, None) => VatRate::high_on(command.date),
        };
        let entry = booking::disposal(
            source(id),
            &asset.description,
            command.date,
            &Disposal {
                accounts: asset.accounts(),
                cost: asset.cost,
                depreciated: asset.depreciated,
                proceeds: command.proceeds,
                rate,
                into,
            },
        );
        corrections::append(tx, books, cx, entry, command.if_filed)?;
        if command.proceeds.is_zero() {
            // A write-off is not a supply. The revision for the year of first use is kept.
            let from = (asset.id, command.date.year().max(asset.date.year() + 1));
            vat_revisions::leave_out(tx, books, cx, from, command.if_filed)?;
        } else {
            let sale = (&asset, command.date, !rate.is_zero());
            vat_revisions::sell(tx, books, cx, sale, command.if_filed)?;
        }
        (asset.disposed_on, asset.proceeds, asset.updated_at) =
            (Some(command.date), Some(command.proceeds), cx.now());
        rows::replace(tx, cx.actor.account, &asset)?;
        details(tx, cx, asset)
    })
}

/// Reverses the latest booking of an asset: its disposal, together with the revision of VAT on the
/// sale, or else its last depreciation. Revisions for a year are unaffected; those that the
/// disposal removed become due again.
///
/// # Errors
/// The account is not Dutch, there is no such asset, it was undone or has no such booking, or an
/// affected period is filed and `if_filed` does not allow a correction.
pub fn undo_last(
    tx: &mut Tx<'_>,
    cx: &Context,
    id: i64,
    if_filed: IfFiled,
) -> Result<AssetDetails, Error> {
    context::transact(tx, cx, |tx, books, cx| {
        cx.actor.require_dutch()?;
        let AssetDetails { mut asset, .. } = read(tx, cx, id)?;
        if asset.undone_at.is_some() {
            return Err(BookingError::AlreadyUndone.into());
        }
        let own = journal::ids_by_source(tx, cx.actor.account, source(id))?;
        let kind = if asset.disposed_on.is_some() {
            DescriptionKind::Disposal
        } else {
            DescriptionKind::Depreciation
        };
        let mut bookings = Vec::new();
        for entry_id in corrections::not_taken_back(tx, cx.actor.account, &own)? {
            bookings.extend(
                journal::by_id(tx, cx.actor.account, entry_id)?
                    .filter(|booking| booking.entry.description().kind == kind),
            );
        }
        let last = bookings.pop().ok_or(Error::NotFound("depreciation"))?;
        corrections::reverse(tx, books, cx, (source(id), last.id), if_filed)?;
        if kind == DescriptionKind::Disposal {
            vat_revisions::undo_sale(tx, books, cx, id, if_filed)?;
            (asset.disposed_on, asset.proceeds) = (None, None);
        } else {
            let amount: Cents = last.entry.postings().iter().map(Posting::debited).sum();
            asset.depreciated -= amount;
            asset.depreciated_until = bookings.last().map(|before| before.entry.date());
        }
        asset.updated_at = cx.now();
        rows::replace(tx, cx.actor.account, &asset)?;
        details(tx, cx, asset)
    })
}

/// Undoes an asset: reverses its purchase and all later bookings, each on the date of its entry,
/// and removes it from the revisions of VAT. Does nothing if the asset has already been undone.
///
/// # Errors
/// The account is not Dutch, there is no such asset, or an affected period is filed and `if_filed`
/// does not allow a correction.
pub fn undo(
    tx: &mut Tx<'_>,
    cx: &Context,
    id: i64,
    if_filed: IfFiled,
) -> Result<AssetDetails, Error> {
    context::transact(tx, cx, |tx, books, cx| {
        cx.actor.require_dutch()?;
        let mut details = read(tx, cx, id)?;
        if details.asset.undone_at.is_some() {
            return Ok(details);
        }
        let own = journal::ids_by_source(tx, cx.actor.account, source(id))?;
        for entry_id in corrections::not_taken_back(tx, cx.actor.account, &own)? {
            corrections::reverse(tx, books, cx, (source(id), entry_id), if_filed)?;
        }
        vat_revisions::undo_sale(tx, books, cx, id, if_filed)?;
        vat_revisions::leave_out(tx, books, cx, (id, i16::MIN), if_filed)?;
        if let Some(expense) = details.asset.expense_id {
            let purchase = expenses::read(tx, cx, expense)?;
            expenses::take_back(tx, books, cx, purchase, (None, if_filed))?;
        }
        let asset = &mut details.asset;
        (asset.depreciated, asset.depreciated_until, asset.disposed_on, asset.proceeds) =
            (Cents::ZERO, None, None, None);
        (asset.undone_at, asset.updated_at) = (Some(cx.now()), cx.now());
        rows::replace(tx, cx.actor.account, asset)?;
        let asset = details.asset;
        self::details(tx, cx, asset)
    })
}
