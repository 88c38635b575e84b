//! What payment providers pay out of what customers paid to them.

use crate::{
    Context, Created, Error, Fault, Reason, context,
    corrections::{self, Booking, IfFiled},
    days,
    payments::{day_of_undoing, too_late},
    vat_schemes,
};
use jiff::{Timestamp, civil::Date};
use ledger::{
    entry::{Source, SourceType},
    money::Cents,
    payout::{self, FeeVat},
};
use store::{
    ListFilter, ListPart, Page, SyncFilter, Tx,
    books::IdSequence,
    payouts::{self as rows, Payout, PayoutSums},
};

/// What is needed to record a payout.
#[derive(Debug, Clone)]
pub struct NewPayout {
    /// The caller's own identifier.
    pub external_id: Option<String>,
    /// The day on which it reached the bank.
    pub date: Date,
    /// What reached the bank; negative when the provider took money back.
    pub amount: Cents,
    /// What the provider kept, its VAT included where it charged any.
    pub fee: Cents,
    /// How the VAT on the fee is treated.
    pub fee_vat_treatment: FeeVat,
    /// The VAT on the fee, where it is not what the rate gives.
    pub fee_vat: Option<Cents>,
    /// The provider's name.
    pub provider: Option<String>,
    /// What is to be done where the return of that day is filed.
    pub if_filed: IfFiled,
}

/// How a payout is taken back.
#[derive(Debug, Clone, Copy, Default)]
pub struct UndoPayout {
    /// The day; its own unless given.
    pub date: Option<Date>,
    /// What is to be done where the return of that day is filed.
    pub if_filed: IfFiled,
}

/// Records a payout: money in transit reaches the bank, and the fee is cost.
///
/// # Errors
/// It is a payout of nothing, the VAT is more than the fee, the day is after tomorrow, or its return is filed and no correction is asked
/// for.
pub fn record(tx: &mut Tx<'_>, cx: &Context, command: &NewPayout) -> Result<Created<Payout>, Error> {
    context::transact(tx, cx, |tx, books, cx| {
        cx.actor.require_dutch()?;
        if let Some(known) = find_by_external_id(tx, cx, command.external_id.as_deref())? {
            return Ok(Created::Existing(known));
        }
        let early = days::before_opening(books, "/date", command.date);
        let faults: Vec<Fault> = faults(command, books.clock()).into_iter().chain(early).collect();
        if !faults.is_empty() {
            return Err(Error::Invalid(faults));
        }
        let treatment = command.fee_vat_treatment;
        let vat = command.fee_vat.unwrap_or_else(|| payout::fee_vat(treatment, command.fee, command.date));
        let booked = payout::Payout {
            amount: command.amount,
            fee: command.fee,
            treatment,
            vat,
            deduction: vat_schemes::deduction(vat_schemes::kor_in(tx, books, command.date)?),
            provider: command.provider.clone(),
        };
        let id = books.next_id(IdSequence::Payout);
        let entry = payout::payout(source(id), command.date, &booked);
        let booked = corrections::append(tx, books, cx, entry, command.if_filed)?;
        let made = Payout {
            id,
            external_id: command.external_id.clone(),
            date: command.date,
            amount: command.amount,
            fee: command.fee,
            fee_vat_treatment: treatment,
            fee_vat: vat,
            provider: command.provider.clone(),
            entry_id: corrections::own(&booked)?,
            created_at: cx.now(),
            undoing_entry_id: None,
            undone_on: None,
            undone_at: None,
        };
        rows::insert(tx, cx.actor.account, &made)?;
        Ok(Created::New(made))
    })
}

pub(crate) fn source(id: i64) -> Source {
    Source { kind: SourceType::Payout, id }
}

fn faults(command: &NewPayout, now: Timestamp) -> Vec<Fault> {
    let NewPayout { amount, fee, fee_vat_treatment, fee_vat, date, .. } = command;
    let empty = (amount.is_zero() && fee.is_zero()).then(|| Fault::new("/amount", Reason::EmptyPayout));
    let vat = fee_vat.and_then(|vat| match fee_vat_treatment {
        FeeVat::None if !vat.is_zero() => Some(Fault::new("/feeVat", Reason::FeeVatNotCharged)),
        _ if vat > *fee => Some(Fault::new("/feeVat", Reason::FeeVatExceedsFee { fee: *fee })),
        _ => None,
    });
    empty.into_iter().chain(vat).chain(too_late("/date", now, *date)).collect()
}

/// Takes a payout back by reversing its entry, on its own day unless another is given. One that is taken back already is given as it is.
///
/// # Errors
/// There is no such payout, the day is before its own or after tomorrow, or a return that it would change is filed and no correction is
/// asked for.
pub fn undo(tx: &mut Tx<'_>, cx: &Context, id: i64, how: UndoPayout) -> Result<Payout, Error> {
    context::transact(tx, cx, |tx, books, cx| {
        cx.actor.require_dutch()?;
        let mut undone = read(tx, cx, id)?;
        if undone.undone_at.is_some() {
            return Ok(undone);
        }
        let date = day_of_undoing(books.clock(), undone.date, how.date)?;
        let booked = if date == undone.date {
            corrections::reverse(tx, books, cx, (source(id), undone.entry_id), how.if_filed)?
        } else {
            corrections::require_own(tx, cx.actor.account, undone.entry_id, source(id))?;
            let entry = Booking::of(tx, cx.actor.account, undone.entry_id)?.entry();
            corrections::append(tx, books, cx, entry.reversal(undone.entry_id, date, date), how.if_filed)?
        };
        undone.undoing_entry_id = Some(corrections::own(&booked)?);
        undone.undone_on = Some(date);
        undone.undone_at = Some(cx.now());
        rows::update(tx, cx.actor.account, &undone)?;
        Ok(undone)
    })
}

/// What an external id names already, if anything.
///
/// # Errors
/// The storage failed.
pub fn find_by_external_id(tx: &mut Tx<'_>, cx: &Context, external_id: Option<&str>) -> Result<Option<Payout>, Error> {
    match external_id {
        Some(external_id) => Ok(rows::by_external_id(tx, cx.actor.account, external_id)?),
        None => Ok(None),
    }
}

/// A page of payouts, the last one first, those with an id below `before`.
///
/// # Errors
/// The storage failed.
pub fn list(tx: &mut Tx<'_>, cx: &Context, filter: &SyncFilter, before: i64, limit: i64) -> Result<Page<Payout>, Error> {
    Ok(rows::list(tx, cx.actor.account, filter, before, limit)?)
}

/// The payouts that a filter lets through: a part of them, and the sums of all.
///
/// # Errors
/// The storage failed.
pub fn table(tx: &mut Tx<'_>, cx: &Context, filter: &ListFilter, part: ListPart) -> Result<(Vec<Payout>, PayoutSums), Error> {
    Ok((rows::table(tx, cx.actor.account, filter, part)?, rows::sums(tx, cx.actor.account, filter)?))
}

/// A payout by its id.
///
/// # Errors
/// There is no such payout in this account.
pub fn read(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<Payout, Error> {
    rows::by_id(tx, cx.actor.account, id)?.ok_or(Error::NotFound("payout"))
}
