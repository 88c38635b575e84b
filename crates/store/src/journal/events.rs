//! Events that have neither an invoice nor a receipt. Their lines are in the journal; the table of
//! this module classifies the events, so that they can be listed, found by external id and undone.

use crate::{
    ListFilter, ListPart, Page, StoreError, SyncFilter, Tx,
    engine::{
        filter::Filter,
        record::{Column, Record, Table, fields, record},
        table,
    },
    param::Param,
    params,
    row::Row,
    tx::id_list,
};
use jiff::{Timestamp, civil::Date};
use ledger::{
    booking::MoneyAccount,
    chart::AccountCode,
    entry::SourceType,
    event::{AccrualKind, Event, PremiumKind, PrivateKind, PrivateUseKind, TransferHalf},
    money::Cents,
    unusual_day::UnusualDay,
};

/// Stored event.
#[derive(Debug, Clone)]
pub struct StoredEvent {
    /// Unique within the account, among events of all kinds.
    pub id: i64,
    /// The caller's own identifier, unique among events of the same kind.
    pub external_id: Option<String>,
    /// Date of the first entry.
    pub date: Date,
    /// Description by the owner.
    pub description: Option<String>,
    /// Data of the event. The lines of an opening balance and of a manual entry are in the journal
    /// only.
    pub event: Event,
    /// Id of the event to which this one belongs: the loan, for a repayment.
    pub parent_id: Option<i64>,
    /// Time at which the event was undone.
    pub undone_at: Option<Timestamp>,
    /// Time of recording.
    pub created_at: Timestamp,
    /// Reason why the date was unusual when it was entered.
    pub date_unusual: Option<UnusualDay>,
    /// Time of the last change; a loan changes with its repayments.
    pub updated_at: Timestamp,
}

record! {
    "events": StoredEvent {
        "id": id,
        "external_id": external_id,
        "date": date,
        "description": description,
        "kind, variant, account_code, method, other_method, amount, other_amount, other_date, premium": event,
        "parent_id": parent_id,
        "undone_at": undone_at,
        "created_at": created_at,
        "date_unusual": date_unusual,
        "updated_at": updated_at,
    }
}

/// Columns whose meaning depends on the kind of event.
#[derive(Default)]
struct Payload {
    variant: Option<String>,
    account: Option<AccountCode>,
    method: Option<MoneyAccount>,
    other_method: Option<MoneyAccount>,
    amount: Cents,
    other_amount: Option<Cents>,
    other_date: Option<Date>,
    premium: Option<String>,
}

/// All columns of a payload except the amount, which for some kinds is computed from the lines.
type Others = (
    Option<String>,
    Option<AccountCode>,
    Option<MoneyAccount>,
    Option<MoneyAccount>,
    Option<Cents>,
    Option<Date>,
    Option<String>,
);

impl Payload {
    fn others(&self) -> Others {
        (
            self.variant.clone(),
            self.account,
            self.method,
            self.other_method,
            self.other_amount,
            self.other_date,
            self.premium.clone(),
        )
    }
}

fields! {
    Payload {
        variant, account, method, other_method, amount, other_amount, other_date, premium
    }
}

fn payload(event: &Event) -> Payload {
    let none = Payload::default();
    match event {
        Event::ByHand { postings } => {
            Payload { amount: postings.iter().map(|of| of.debited()).sum(), ..none }
        }
        Event::OpeningBalance { balances } => {
            let assets = balances.iter().map(|(_, balance)| (*balance).max(Cents::ZERO));
            Payload { amount: assets.sum(), ..none }
        }
        Event::Transfer { from, to, amount, arrived, awaited } => Payload {
            variant: awaited.map(|half| half.as_str().to_owned()),
            method: Some(*from),
            other_method: Some(*to),
            amount: *amount,
            other_date: Some(*arrived),
            ..none
        },
        Event::Private { kind, amount, method, premium } => Payload {
            variant: Some(kind.as_str().to_owned()),
            method: Some(*method),
            amount: *amount,
            premium: premium.map(|premium| premium.as_str().to_owned()),
            ..none
        },
        Event::Accrual { kind, account, amount, reverse_on } => Payload {
            variant: Some(kind.as_str().to_owned()),
            account: Some(*account),
            amount: *amount,
            other_date: Some(*reverse_on),
            ..none
        },
        Event::Loan { account, amount, method } => {
            Payload { account: Some(*account), method: Some(*method), amount: *amount, ..none }
        }
        Event::LoanRepayment { account, principal, interest, method } => Payload {
            account: Some(*account),
            method: Some(*method),
            amount: *principal,
            other_amount: Some(*interest),
            ..none
        },
        Event::PrivateUse { kind, vat, base } => Payload {
            variant: Some(kind.as_str().to_owned()),
            amount: *vat,
            other_amount: *base,
            ..none
        },
    }
}

impl Column for Event {
    fn take(row: &Row<'_>, at: &mut usize) -> Result<Self, StoreError> {
        let (kind, stored): (SourceType, Payload) = Column::take(row, at)?;
        let Payload { amount, other_amount, .. } = stored;
        let missing = || {
            StoreError::Unreadable(format!("an event of the kind {} is incomplete", kind.as_str()))
        };
        let others = stored.others();
        let variant = stored.variant.as_deref();
        let account = stored.account.ok_or_else(missing);
        let method = stored.method.ok_or_else(missing);
        let other_date = stored.other_date.ok_or_else(missing);
        let event = match kind {
            SourceType::Manual => Self::ByHand { postings: Vec::new() },
            SourceType::OpeningBalance => Self::OpeningBalance { balances: Vec::new() },
            SourceType::Transfer => Self::Transfer {
                from: method?,
                to: stored.other_method.ok_or_else(missing)?,
                amount,
                arrived: other_date?,
                awaited: match variant {
                    None => None,
                    Some(half) => Some(TransferHalf::parse(half).ok_or_else(missing)?),
                },
            },
            SourceType::PrivateBooking => Self::Private {
                kind: variant.and_then(PrivateKind::parse).ok_or_else(missing)?,
                amount,
                method: method?,
                premium: stored.premium.as_deref().and_then(PremiumKind::parse),
            },
            SourceType::Accrual => Self::Accrual {
                kind: variant.and_then(AccrualKind::parse).ok_or_else(missing)?,
                account: account?,
                amount,
                reverse_on: other_date?,
            },
            SourceType::Loan => Self::Loan { account: account?, amount, method: method? },
            SourceType::LoanRepayment => Self::LoanRepayment {
                account: account?,
                principal: amount,
                interest: other_amount.unwrap_or_default(),
                method: method?,
            },
            SourceType::PrivateUse => Self::PrivateUse {
                kind: variant.and_then(PrivateUseKind::parse).ok_or_else(missing)?,
                vat: amount,
                base: other_amount,
            },
            other => {
                return Err(StoreError::Unreadable(format!(
                    "{} is no kind of event",
                    other.as_str()
                )));
            }
        };
        // The columns of other kinds must be empty.
        if payload(&event).others() != others { Err(missing()) } else { Ok(event) }
    }

    fn put<'v>(&'v self, values: &mut Vec<Param<'v>>) {
        let mut stored = Vec::new();
        let payload = payload(self);
        payload.put(&mut stored);
        values.push(self.source_type().as_str().into());
        values.extend(stored.into_iter().map(|value| value.into_owned()));
    }
}

/// Stores a new event.
pub fn insert(tx: &mut Tx<'_>, account: i64, event: &StoredEvent) -> Result<(), StoreError> {
    table::insert(tx, account, event)
}

/// Event of a kind with this id.
pub fn by_id(
    tx: &mut Tx<'_>,
    account: i64,
    kind: SourceType,
    id: i64,
) -> Result<Option<StoredEvent>, StoreError> {
    let sql = StoredEvent::select("account_id = ?1 AND id = ?2 AND kind = ?3");
    tx.query_opt(&sql, &params![account, id, kind.as_str()], StoredEvent::read)
}

/// Event of a kind with this external id.
pub fn by_external_id(
    tx: &mut Tx<'_>,
    account: i64,
    kind: SourceType,
    external_id: &str,
) -> Result<Option<StoredEvent>, StoreError> {
    let sql = StoredEvent::select("account_id = ?1 AND kind = ?2 AND external_id = ?3");
    tx.query_opt(&sql, &params![account, kind.as_str(), external_id], StoredEvent::read)
}

/// Id and amount of each event whose lines are in the journal only: manual entries and opening
/// balances. Used by the verification of the books.
pub fn amounts_without_lines(
    tx: &mut Tx<'_>,
    account: i64,
) -> Result<Vec<(i64, Cents)>, StoreError> {
    let kinds = [SourceType::Manual.as_str(), SourceType::OpeningBalance.as_str()];
    tx.query(
        "SELECT id, amount FROM events WHERE account_id = ?1 AND kind IN (?2, ?3)",
        &params![account, kinds[0], kinds[1]],
        |row| Ok((row.int(0)?, Cents::new(row.int(1)?))),
    )
}

/// Events of a kind with an id below `before`, newest first; optionally only those that belong to
/// one parent.
pub fn list(
    tx: &mut Tx<'_>,
    account: i64,
    kind: SourceType,
    parent: Option<i64>,
    filter: &SyncFilter,
    before: i64,
    limit: i64,
) -> Result<Page<StoredEvent>, StoreError> {
    let mut wanted = filter.of(account);
    wanted.with("kind =", kind.as_str());
    wanted.with("id <", before);
    wanted.given("parent_id =", parent);
    table::page(tx, wanted, "id DESC", limit)
}

/// Conditions for the listed events of a kind.
fn listed<'v>(account: i64, kind: SourceType, filter: &'v ListFilter) -> Filter<'v> {
    let mut wanted = Filter::of(account);
    wanted.with("kind =", kind.as_str());
    filter.narrow(&mut wanted, &["LOWER(COALESCE(description, ''))"], "amount");
    wanted
}

/// Section of the filtered list of events of a kind.
pub fn table(
    tx: &mut Tx<'_>,
    account: i64,
    kind: SourceType,
    filter: &ListFilter,
    part: ListPart,
) -> Result<Vec<StoredEvent>, StoreError> {
    table::part(tx, listed(account, kind, filter), part)
}

/// Totals for one variant of a kind of event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventSums {
    /// Variant, for kinds that have variants.
    pub variant: Option<String>,
    /// Number of events, including undone ones.
    pub count: i64,
    /// Total amount of the events that are not undone.
    pub amount: Cents,
}

/// Totals of the filtered list of events, by variant.
pub fn sums(
    tx: &mut Tx<'_>,
    account: i64,
    kind: SourceType,
    filter: &ListFilter,
) -> Result<Vec<EventSums>, StoreError> {
    let wanted = listed(account, kind, filter);
    // Transfers have no variants; the column says which half is awaited.
    let variant = "CASE WHEN kind = 'transfer' THEN NULL ELSE variant END";
    let sql = format!(
        "SELECT {variant}, COUNT(*), CAST(COALESCE(SUM(CASE WHEN undone_at IS NULL THEN amount ELSE 0 END), 0) AS BIGINT)
         FROM events WHERE {wanted} GROUP BY {variant} ORDER BY {variant}"
    );
    tx.query(&sql, wanted.values(), |row| {
        Ok(EventSums {
            variant: row.opt_text(0)?,
            count: row.int(1)?,
            amount: Cents::new(row.int(2)?),
        })
    })
}

/// Repaid principal per loan, without undone repayments.
pub fn repaid(
    tx: &mut Tx<'_>,
    account: i64,
    loans: &[i64],
) -> Result<Vec<(i64, Cents)>, StoreError> {
    let (places, ids) = id_list(loans, 2);
    let mut values: Vec<Param<'_>> = params![account].into();
    values.extend(ids.into_iter().map(Param::Int));
    tx.query(
        &format!(
            "SELECT parent_id, CAST(SUM(amount) AS BIGINT) FROM events
             WHERE account_id = ?1 AND parent_id IN ({places}) AND undone_at IS NULL GROUP BY parent_id"
        ),
        &values,
        |row| Ok((row.int(0)?, Cents::new(row.int(1)?))),
    )
}

/// Total premiums in the private bookings of a period, by kind. Excludes undone bookings, and
/// premiums of an unknown kind.
///
/// # Errors
/// The storage failed.
pub fn premiums(
    tx: &mut Tx<'_>,
    account: i64,
    (from, to): (Date, Date),
) -> Result<Vec<(PremiumKind, Cents)>, StoreError> {
    let sums = tx.query(
        "SELECT premium, CAST(SUM(amount) AS BIGINT) FROM events
         WHERE account_id = ?1 AND kind = ?2 AND date >= ?3 AND date <= ?4 AND premium IS NOT NULL AND undone_at IS NULL
         GROUP BY premium",
        &params![account, SourceType::PrivateBooking.as_str(), from, to],
        |row| Ok((row.text(0)?, Cents::new(row.int(1)?))),
    )?;
    let known = |(name, sum): (String, Cents)| Some((PremiumKind::parse(&name)?, sum));
    Ok(sums.into_iter().filter_map(known).collect())
}

/// Ids of the private use with VAT between two days that is not undone.
pub fn taxed_private_use(
    tx: &mut Tx<'_>,
    account: i64,
    (from, until): (Date, Date),
) -> Result<Vec<i64>, StoreError> {
    tx.query(
        "SELECT id FROM events WHERE account_id = ?1 AND kind = 'privateUse' AND date BETWEEN ?2 AND ?3 AND amount <> 0 AND undone_at IS NULL ORDER BY id",
        &params![account, from, until],
        |row| row.int(0),
    )
}

/// Whether another event that has not been undone, such as a repayment, belongs to `parent`.
pub fn has_parts(tx: &mut Tx<'_>, account: i64, parent: i64) -> Result<bool, StoreError> {
    let sql = "SELECT id FROM events WHERE account_id = ?1 AND parent_id = ?2 AND undone_at IS NULL LIMIT 1";
    Ok(tx.query_opt(sql, &params![account, parent], |row| row.int(0))?.is_some())
}

/// Transfers with an awaited half that are not undone, ordered by id.
///
/// # Errors
/// The storage failed.
pub fn awaited(tx: &mut Tx<'_>, account: i64) -> Result<Vec<StoredEvent>, StoreError> {
    let sql = StoredEvent::select(
        "account_id = ?1 AND kind = 'transfer' AND variant IS NOT NULL AND undone_at IS NULL ORDER BY id",
    );
    tx.query(&sql, &params![account], StoredEvent::read)
}

/// Stores a transfer whose awaited half was booked.
///
/// # Errors
/// The storage failed.
pub fn complete(tx: &mut Tx<'_>, account: i64, event: &StoredEvent) -> Result<(), StoreError> {
    table::update(tx, account, event)
}

/// Records that an event was undone.
pub fn undo(tx: &mut Tx<'_>, account: i64, id: i64, now: Timestamp) -> Result<(), StoreError> {
    let sql = "UPDATE events SET undone_at = ?3, updated_at = ?3 WHERE account_id = ?1 AND id = ?2";
    tx.execute(sql, &params![account, id, now])
}

/// Sets the time of the last change of a loan when one of its repayments changes.
pub fn touch(tx: &mut Tx<'_>, account: i64, id: i64, now: Timestamp) -> Result<(), StoreError> {
    tx.execute(
        "UPDATE events SET updated_at = ?3 WHERE account_id = ?1 AND id = ?2",
        &params![account, id, now],
    )
}
