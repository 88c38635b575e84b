//! Carrying out and undoing year-end steps. A step books through the commands of the resources that
//! it concerns, all in one transaction.

use super::{Step, StepRow, days_of, read_one};
use crate::{
    Context, Error, Fault, PeriodError, assets, context,
    corrections::IfFiled,
    events::{self, NewEvent},
    vat_revisions::{self, Revise},
    years,
};
use ledger::{
    closing_step::ClosingStep,
    entry::SourceType,
    event::{Event, PrivateUseKind},
    money::Cents,
    vat::VatRate,
};
use store::{
    Tx,
    closing_steps::{self as stored, ClosingBooking},
};

/// Goods taken for private use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GoodsUse {
    /// Description.
    pub description: String,
    /// Value excluding VAT, in cents.
    pub base: Cents,
    /// VAT rate.
    pub rate: VatRate,
}

/// Input for a step.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DoStep {
    /// Ids of the rows to book. Defaults to the ticked rows.
    pub row_ids: Option<Vec<String>>,
    /// Goods taken for private use.
    pub goods: Option<Vec<GoodsUse>>,
}

/// Event or asset entry that a step booked, and its amount.
#[derive(Default)]
struct Booked {
    event_id: Option<i64>,
    asset_id: Option<i64>,
    entry_id: Option<i64>,
    amount: Cents,
}

/// Carries out a step: books its rows, or closes the year. Rows that are already booked are
/// skipped.
///
/// # Errors
/// The account is not Dutch, the step is done elsewhere, a row is unknown or has changed, the year
/// is closed, the year to close is not over, or a row cannot be booked.
pub fn carry_out(
    tx: &mut Tx<'_>,
    cx: &Context,
    (year, step): (i16, ClosingStep),
    command: &DoStep,
) -> Result<Step, Error> {
    require_here(cx, step)?;
    lock(tx, cx)?;
    if step == ClosingStep::Close {
        years::close(tx, cx, year)?;
        return read_one(tx, cx, year, step);
    }
    if years::read(tx, cx, year)?.is_closed {
        return Err(PeriodError::YearClosed(year).into());
    }
    years::require_begun(cx, year)?;
    let rows = read_one(tx, cx, year, step)?.rows;
    let chosen = chosen(&rows, command)?;
    if step == ClosingStep::VatRevision {
        revise_vat(tx, cx, year, &chosen)?;
        return read_one(tx, cx, year, step);
    }
    let mut bookings = Vec::new();
    if step == ClosingStep::GoodsPrivateUse {
        bookings = use_goods(tx, cx, year, &rows, command)?;
    }
    for row in chosen.into_iter().filter(|row| !row.amount.is_zero()) {
        for booked in book(tx, cx, year, row)? {
            bookings.push((row.key.clone(), booked));
        }
    }
    store(tx, cx, (year, step), bookings)?;
    read_one(tx, cx, year, step)
}

/// Undoes a step: reverses all its bookings, or reopens the year. Does nothing if a step other than
/// the closing of the year has no bookings.
///
/// # Errors
/// The account is not Dutch, the step is done elsewhere, a booking cannot be reversed (for example
/// because the year is closed), or the year to reopen is not closed.
pub fn undo(
    tx: &mut Tx<'_>,
    cx: &Context,
    (year, step): (i16, ClosingStep),
) -> Result<Step, Error> {
    require_here(cx, step)?;
    lock(tx, cx)?;
    if step == ClosingStep::Close {
        years::reopen(tx, cx, year)?;
        return read_one(tx, cx, year, step);
    }
    if step == ClosingStep::VatRevision {
        vat_revisions::undo(tx, cx, year, IfFiled::Correct)?;
        return read_one(tx, cx, year, step);
    }
    let mut bookings = stored::in_force(tx, cx.actor.account, year)?;
    bookings.retain(|booking| booking.step == step);
    for booking in bookings.iter().rev() {
        match (booking.event_id, booking.asset_id, booking.entry_id) {
            (Some(event), ..) => {
                let kind = match step {
                    ClosingStep::GoodsPrivateUse => SourceType::PrivateUse,
                    _ => SourceType::Accrual,
                };
                events::undo(tx, cx, (kind, event), IfFiled::Correct)?;
            }
            (None, Some(asset), Some(entry)) => {
                assets::take_back(tx, cx, asset, entry, IfFiled::Correct)?;
            }
            _ => {}
        }
    }
    context::transact(tx, cx, |tx, _, cx| {
        for mut booking in bookings {
            booking.undone_at = Some(cx.now());
            stored::update(tx, cx.actor.account, &booking)?;
        }
        Ok(())
    })?;
    read_one(tx, cx, year, step)
}

/// Locks the books, so that the rows do not change after they have been read.
fn lock(tx: &mut Tx<'_>, cx: &Context) -> Result<(), Error> {
    context::transact(tx, cx, |_, _, _| Ok(()))
}

/// Rejects accounts outside the Netherlands, and steps that are done elsewhere.
fn require_here(cx: &Context, step: ClosingStep) -> Result<(), Error> {
    cx.actor.require_dutch()?;
    let place = match step {
        ClosingStep::BankLines => "/api/v1/bank-lines/{id}/book",
        ClosingStep::Receipts => "/api/v1/expenses, with the ids of the receipts",
        ClosingStep::CarPrivateUse => "/api/v1/private-use, with `kind` `car`",
        ClosingStep::Gifts => "/api/v1/expenses, on account 4316",
        ClosingStep::LastReturn => "/api/v1/vat-returns/{period}/file",
        _ => return Ok(()),
    };
    Err(PeriodError::StepElsewhere { step: step.as_str(), place }.into())
}

/// Returns the rows to book: those with the given ids, by default the ticked ones.
fn chosen<'r>(rows: &'r [StepRow], command: &DoStep) -> Result<Vec<&'r StepRow>, Error> {
    let Some(ids) = &command.row_ids else {
        return Ok(rows.iter().filter(|row| row.is_ticked()).collect());
    };
    let mut chosen: Vec<&StepRow> = Vec::new();
    for id in ids {
        let (label, _) = id.split_once('.').unwrap_or((id, ""));
        let row = rows.iter().find(|row| row.label() == label);
        let row = row.ok_or(Error::NotFound("row of this step"))?;
        if row.id() != *id {
            return Err(PeriodError::RowChanged.into());
        }
        if !chosen.iter().any(|other| other.key == row.key) {
            chosen.push(row);
        }
    }
    Ok(chosen)
}

fn book(tx: &mut Tx<'_>, cx: &Context, year: i16, row: &StepRow) -> Result<Vec<Booked>, Error> {
    let (_, last) = days_of(year)?;
    match (row.kind, row.reverse_on, row.source) {
        (Some(kind), Some(reverse_on), _) => {
            let (account, amount) = (row.account, row.amount);
            let event = Event::Accrual { kind, account, amount, reverse_on };
            let event_id = record(tx, cx, year, Some(row.description.clone()), event)?;
            Ok(vec![Booked { event_id: Some(event_id), amount, ..Booked::default() }])
        }
        (_, _, Some((_, asset))) => {
            let before = assets::read(tx, cx, asset)?.entry_ids;
            let after = assets::depreciate(tx, cx, asset, last)?;
            let mut booked = Vec::new();
            for entry in after.entry_ids.into_iter().filter(|id| !before.contains(id)) {
                let amount = assets::depreciated_by(tx, cx, entry)?;
                booked.push(Booked {
                    asset_id: Some(asset),
                    entry_id: Some(entry),
                    amount,
                    ..Booked::default()
                });
            }
            Ok(booked)
        }
        _ => Ok(Vec::new()),
    }
}

/// Books the revision of VAT on the assets of the chosen rows.
fn revise_vat(tx: &mut Tx<'_>, cx: &Context, year: i16, chosen: &[&StepRow]) -> Result<(), Error> {
    let open = chosen.iter().filter(|row| !row.amount.is_zero());
    let assets: Vec<i64> = open.filter_map(|row| row.source.map(|(_, id)| id)).collect();
    if !assets.is_empty() {
        let how = Revise { if_filed: IfFiled::Correct, ..Revise::default() };
        vat_revisions::revise_assets(tx, cx, year, Some(&assets), &how)?;
    }
    Ok(())
}

/// Records an event on the last day of the year, as a correction if the VAT return is already
/// filed. Returns its id.
fn record(
    tx: &mut Tx<'_>,
    cx: &Context,
    year: i16,
    description: Option<String>,
    event: Event,
) -> Result<i64, Error> {
    let command = NewEvent {
        external_id: None,
        date: days_of(year)?.1,
        description: description.filter(|text| !text.is_empty()),
        event,
        parent_id: None,
        open_items: Vec::new(),
        if_filed: IfFiled::Correct,
    };
    Ok(events::record(tx, cx, &command)?.into_inner().stored.id)
}

/// Books the goods in the input that are not booked yet. An empty list records that no goods were
/// taken for private use.
fn use_goods(
    tx: &mut Tx<'_>,
    cx: &Context,
    year: i16,
    rows: &[StepRow],
    command: &DoStep,
) -> Result<Vec<(String, Booked)>, Error> {
    let goods = command.goods.clone().unwrap_or_default();
    if goods.is_empty() {
        let is_statement = command.row_ids.is_none() && rows.is_empty();
        let is_stated = stored::in_force(tx, cx.actor.account, year)?
            .iter()
            .any(|booking| booking.step == ClosingStep::GoodsPrivateUse);
        let states = is_statement && !is_stated;
        return Ok(states.then(|| ("none".to_owned(), Booked::default())).into_iter().collect());
    }
    let booked: Vec<String> = stored::in_force(tx, cx.actor.account, year)?
        .into_iter()
        .filter(|booking| booking.step == ClosingStep::GoodsPrivateUse)
        .map(|booking| booking.row_key)
        .collect();
    let mut bookings: Vec<(String, Booked)> = Vec::new();
    for (place, of) in goods.iter().enumerate() {
        let same = goods[..place].iter().filter(|other| *other == of).count();
        let key =
            format!("goods/{}/{}/{same}/{}", of.rate.basis_points(), of.base.get(), of.description);
        if booked.contains(&key) {
            continue;
        }
        VatRate::from_percent(&of.rate.percent(), days_of(year)?.1)
            .map_err(|unknown| Fault::new(format!("/rows/{place}/vatRate"), unknown.into()))?;
        let vat = of.rate.of(of.base);
        let event = Event::PrivateUse { kind: PrivateUseKind::Goods, vat, base: Some(of.base) };
        let event_id = record(tx, cx, year, Some(of.description.clone()), event)
            .map_err(|error| at_row(error, place))?;
        let amount = of.base + vat;
        bookings.push((key, Booked { event_id: Some(event_id), amount, ..Booked::default() }));
    }
    Ok(bookings)
}

/// Rewrites the fault paths of a private use event to those of the input row at `place`.
fn at_row(error: Error, place: usize) -> Error {
    let Error::Invalid(faults) = error else { return error };
    let field = |path: &str| match path {
        "/vat" => "vatRate".to_owned(),
        other => other.trim_start_matches('/').to_owned(),
    };
    let faults = faults.into_iter().map(|fault| {
        let path = format!("/rows/{place}/{}", field(&fault.path));
        Fault::new(path, fault.reason)
    });
    Error::Invalid(faults.collect())
}

fn store(
    tx: &mut Tx<'_>,
    cx: &Context,
    (year, step): (i16, ClosingStep),
    bookings: Vec<(String, Booked)>,
) -> Result<(), Error> {
    context::transact(tx, cx, |tx, _, cx| {
        let last = stored::last_id(tx, cx.actor.account)?;
        for (id, (row_key, booked)) in (last + 1..).zip(bookings) {
            let booking = ClosingBooking {
                id,
                year,
                step,
                row_key,
                event_id: booked.event_id,
                asset_id: booked.asset_id,
                entry_id: booked.entry_id,
                amount: booked.amount,
                recorded_at: cx.now(),
                undone_at: None,
            };
            stored::insert(tx, cx.actor.account, &booking)?;
        }
        Ok(())
    })
}
