//! Payouts: payment providers transfer the money that customers paid to them.

use crate::{
    Context, Created, Error, Fault, Reason, bank_accounts, bank_lines, context,
    corrections::{self, Booking, IfFiled},
    days,
    payments::{day_of_undoing, too_late},
    vat_schemes,
};
use jiff::{Timestamp, civil::Date};
use ledger::{
    bank_account::BankAccountKind,
    correction,
    entry::{JournalEntry, Source, SourceType},
    money::Cents,
    payout::{self, FeeVat},
    purchase::Deduction,
};
use store::{
    ListFilter, ListPart, Page, SyncFilter, Tx,
    books::{Books, IdSequence},
    payouts::{self as rows, Payout, PayoutSums},
};

/// Input for a new payout.
#[derive(Debug, Clone)]
pub struct NewPayout {
    /// Caller's own identifier.
    pub external_id: Option<String>,
    /// Date on which the money reached the bank.
    pub date: Date,
    /// Amount that reached the bank, in cents; negative if the provider took money back.
    pub amount: Cents,
    /// Fee that the provider deducted, in cents, including any VAT.
    pub fee: Cents,
    /// VAT treatment of the fee.
    pub fee_vat_treatment: FeeVat,
    /// VAT on the fee, if it differs from the VAT at the rate.
    pub fee_vat: Option<Cents>,
    /// Name of the provider.
    pub provider: Option<String>,
    /// Id of the bank account that the money reached, instead of the default.
    pub bank_account: Option<i64>,
    /// Id of the account at the provider, instead of the default.
    pub provider_account: Option<i64>,
    /// Handling of a payout in a period whose VAT return has already been filed.
    pub if_filed: IfFiled,
}

/// Input for undoing a payout.
#[derive(Debug, Clone, Copy, Default)]
pub struct UndoPayout {
    /// Date of the reversal. Defaults to the date of the payout.
    pub date: Option<Date>,
    /// Handling of a reversal in a period whose VAT return has already been filed.
    pub if_filed: IfFiled,
}

/// Records a payout: money in transit reaches the bank, and the fee is a cost.
///
/// # Errors
/// The account is not Dutch, amount and fee are both zero, the VAT exceeds the fee, the date is
/// after tomorrow or before the opening balance, or the VAT return of its period is filed and
/// `if_filed` does not allow a correction.
pub fn record(
    tx: &mut Tx<'_>,
    cx: &Context,
    command: &NewPayout,
) -> Result<Created<Payout>, Error> {
    context::transact(tx, cx, |tx, books, cx| {
        cx.actor.require_dutch()?;
        if let Some(existing) = find_by_external_id(tx, cx, command.external_id.as_deref())? {
            return Ok(Created::Existing(existing));
        }
        let date_fault = days::before_opening(books, "/date", command.date);
        let find = |path, id, kind| bank_accounts::of_kind(cx, path, id, kind);
        let bank = find("/bankAccountId", command.bank_account, BankAccountKind::Checking);
        let provider =
            find("/providerAccountId", command.provider_account, BankAccountKind::PaymentProvider);
        let unknown = [&bank, &provider].into_iter().filter_map(|code| code.clone().err());
        let faults: Vec<Fault> =
            faults(command, books.clock()).into_iter().chain(date_fault).chain(unknown).collect();
        if !faults.is_empty() {
            return Err(Error::Invalid(faults));
        }
        let treatment = command.fee_vat_treatment;
        let vat = command
            .fee_vat
            .unwrap_or_else(|| payout::fee_vat(treatment, command.fee, command.date));
        let mut payout = Payout {
            id: books.next_id(IdSequence::Payout),
            external_id: command.external_id.clone(),
            date: command.date,
            amount: command.amount,
            fee: command.fee,
            fee_vat_treatment: treatment,
            fee_vat: vat,
            provider: command.provider.clone(),
            bank_account: bank.ok().filter(|code| *code != BankAccountKind::Checking.first()),
            provider_account: provider
                .ok()
                .filter(|code| *code != BankAccountKind::PaymentProvider.first()),
            entry_id: 0,
            created_at: cx.now(),
            undoing_entry_id: None,
            undone_on: None,
            undone_at: None,
        };
        let deduction = vat_schemes::deduction(vat_schemes::kor_in(tx, books, command.date)?);
        let entry = entry(&payout, deduction);
        let entry_ids = corrections::append(tx, books, cx, entry, command.if_filed)?;
        payout.entry_id = corrections::own(&entry_ids)?;
        rows::insert(tx, cx.actor.account, &payout)?;
        Ok(Created::New(payout))
    })
}

/// Returns the journal entry for a payout.
pub(crate) fn entry(payout: &Payout, deduction: Deduction) -> JournalEntry {
    let of = payout::Payout {
        amount: payout.amount,
        fee: payout.fee,
        treatment: payout.fee_vat_treatment,
        vat: payout.fee_vat,
        deduction,
        provider: payout.provider.clone(),
        bank_account: payout.bank_account.unwrap_or(BankAccountKind::Checking.first()),
        provider_account: payout
            .provider_account
            .unwrap_or(BankAccountKind::PaymentProvider.first()),
    };
    payout::payout(source(payout.id), payout.date, &of)
}

/// Rebooks the payouts dated `from` or later if the VAT on their fee is now deducted differently,
/// because another VAT scheme is in force on their date. `deduction` returns the rule for a date.
pub(crate) fn deduct_since(
    tx: &mut Tx<'_>,
    books: &mut Books,
    cx: &Context,
    (from, deduction): (Date, &dyn Fn(Date) -> Deduction),
    if_filed: IfFiled,
) -> Result<(), Error> {
    for mut payout in rows::with_vat_since(tx, cx.actor.account, from)? {
        let new_entry = entry(&payout, deduction(payout.date));
        let before = Booking::of(tx, cx.actor.account, payout.entry_id)?.entry();
        if correction::posts_the_same(&before, &new_entry) {
            continue;
        }
        let replaced = corrections::replace(tx, books, cx, payout.entry_id, new_entry, if_filed)?;
        payout.entry_id = Booking::last_of(tx, cx.actor.account, &replaced)?.id();
        rows::update(tx, cx.actor.account, &payout)?;
    }
    Ok(())
}

pub(crate) fn source(id: i64) -> Source {
    Source { kind: SourceType::Payout, id }
}

fn faults(command: &NewPayout, now: Timestamp) -> Vec<Fault> {
    let NewPayout { amount, fee, fee_vat_treatment, fee_vat, date, .. } = command;
    let empty =
        (amount.is_zero() && fee.is_zero()).then(|| Fault::new("/amount", Reason::EmptyPayout));
    let vat = fee_vat.and_then(|vat| match fee_vat_treatment {
        FeeVat::None if !vat.is_zero() => Some(Fault::new("/feeVat", Reason::FeeVatNotCharged)),
        _ if vat > *fee => Some(Fault::new("/feeVat", Reason::FeeVatExceedsFee { fee: *fee })),
        _ => None,
    });
    // Each is within the limit, but their sum is what left the provider.
    let sum = amount.checked_add(*fee).and_then(|sum| sum.within_limit().ok());
    let large = sum.is_none().then(|| {
        let path = if amount.within_limit().is_err() { "/amount" } else { "/fee" };
        Fault::new(path, Reason::PayoutTooLarge { most: Cents::MAX })
    });
    empty.into_iter().chain(large).chain(vat).chain(too_late("/date", now, *date)).collect()
}

/// Undoes a payout by reversing its entry, by default on the date of the payout. A payout that was
/// undone before is returned unchanged.
///
/// # Errors
/// The account is not Dutch, there is no such payout, the date is before that of the payout or
/// after tomorrow, or an affected VAT return is filed and `if_filed` does not allow a correction.
pub fn undo(tx: &mut Tx<'_>, cx: &Context, id: i64, command: UndoPayout) -> Result<Payout, Error> {
    context::transact(tx, cx, |tx, books, cx| {
        cx.actor.require_dutch()?;
        let mut payout = read(tx, cx, id)?;
        if payout.undone_at.is_some() {
            return Ok(payout);
        }
        let date = day_of_undoing(books.clock(), payout.date, command.date)?;
        bank_lines::release(tx, cx, &[payout.entry_id])?;
        let own = (source(id), payout.entry_id);
        let entry_ids = corrections::reverse_on(tx, books, cx, own, Some(date), command.if_filed)?;
        payout.undoing_entry_id = Some(corrections::own(&entry_ids)?);
        payout.undone_on = Some(date);
        payout.undone_at = Some(cx.now());
        rows::update(tx, cx.actor.account, &payout)?;
        Ok(payout)
    })
}

/// Returns the payout with the given external id.
///
/// # Errors
/// The storage failed.
pub fn find_by_external_id(
    tx: &mut Tx<'_>,
    cx: &Context,
    external_id: Option<&str>,
) -> Result<Option<Payout>, Error> {
    match external_id {
        Some(external_id) => Ok(rows::by_external_id(tx, cx.actor.account, external_id)?),
        None => Ok(None),
    }
}

/// Returns a page of payouts with an id below `before`, newest first.
///
/// # Errors
/// The storage failed.
pub fn list(
    tx: &mut Tx<'_>,
    cx: &Context,
    filter: &SyncFilter,
    before: i64,
    limit: i64,
) -> Result<Page<Payout>, Error> {
    Ok(rows::list(tx, cx.actor.account, filter, before, limit)?)
}

/// Returns part of the payouts that match a filter, and sums over all matches.
///
/// # Errors
/// The storage failed.
pub fn table(
    tx: &mut Tx<'_>,
    cx: &Context,
    filter: &ListFilter,
    part: ListPart,
) -> Result<(Vec<Payout>, PayoutSums), Error> {
    Ok((
        rows::table(tx, cx.actor.account, filter, part)?,
        rows::sums(tx, cx.actor.account, filter)?,
    ))
}

/// Returns a payout by its id.
///
/// # Errors
/// There is no such payout in this account.
pub fn read(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<Payout, Error> {
    rows::by_id(tx, cx.actor.account, id)?.ok_or(Error::NotFound("payout"))
}
