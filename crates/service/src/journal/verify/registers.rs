//! Comparison of the journal with payouts, trips, VAT payments, events, assets and revisions of the
//! VAT on assets.

use super::{
    CHUNK, Recomputed, Verification,
    booked::{Detail, Document, Entries, Entry, Sums, compare_undoing, posted},
};
use crate::{Context, Error, assets, kor, mileage, payouts, vat_payments, vat_revisions::OF_SALES};
use ledger::{
    asset::{self, AssetAccounts},
    booking,
    chart::codes,
    description::DescriptionKind,
    entry::{Source, SourceType},
    event::{Event, TransferHalf},
    money::Cents,
    payout,
    purchase::Deduction,
    vat::VatScheme,
};
use std::collections::{BTreeMap, BTreeSet};
use store::{
    SyncFilter, Tx,
    assets::{self as asset_rows, Asset},
    events::{self as event_rows, StoredEvent},
    expenses as expense_rows, payouts as payout_rows, schemes,
    trips::{self as trip_rows, TripFilter},
    vat_payments as vat_payment_rows, vat_revisions,
};

/// Kinds of events, in the order of verification: loans come before the repayments that refer to
/// them.
const EVENTS: [SourceType; 8] = [
    SourceType::Manual,
    SourceType::OpeningBalance,
    SourceType::Transfer,
    SourceType::PrivateBooking,
    SourceType::Accrual,
    SourceType::Loan,
    SourceType::LoanRepayment,
    SourceType::PrivateUse,
];

pub(super) fn verify(
    tx: &mut Tx<'_>,
    cx: &Context,
    verification: &mut Verification,
    sums: &Recomputed,
) -> Result<(), Error> {
    let account = cx.actor.account;
    let mut rows: BTreeSet<(SourceType, i64)> = BTreeSet::new();
    verify_payouts(tx, account, verification, sums, &mut rows)?;
    verify_trips(tx, account, verification, sums, &mut rows)?;
    let paid = verify_vat_payments(tx, account, verification, sums, &mut rows)?;
    check_foreign_vat(paid, verification, sums);
    verify_events(tx, account, verification, sums, &mut rows)?;
    verify_assets(tx, account, verification, sums, &mut rows)?;
    verify_vat_revisions(tx, account, verification, sums)?;
    for kind in
        EVENTS.into_iter().chain([SourceType::Payout, SourceType::Mileage, SourceType::Asset])
    {
        for (id, entries) in sums.booked.ids(kind) {
            // Among the entries of the manual kind, only VAT payments and manual entries by the
            // owner have a row of their own.
            let has_row = |entry: &Entry| {
                kind != SourceType::Manual
                    || matches!(entry.kind, DescriptionKind::Manual | DescriptionKind::VatPayment)
            };
            if !rows.contains(&(kind, id)) && entries.iter().any(has_row) {
                verification
                    .discrepancies
                    .push(format!("{} {id} is booked, but its row is missing", name(kind)));
            }
        }
    }
    Ok(())
}

fn name(kind: SourceType) -> &'static str {
    match kind {
        SourceType::Payout => "payout",
        SourceType::Mileage => "trip",
        SourceType::Asset => "asset",
        SourceType::Manual => "manual entry or payment of VAT",
        event => crate::events::name(event),
    }
}

fn verify_payouts(
    tx: &mut Tx<'_>,
    account: i64,
    verification: &mut Verification,
    sums: &Recomputed,
    rows: &mut BTreeSet<(SourceType, i64)>,
) -> Result<(), Error> {
    let changes = schemes::all(tx, account)?;
    let mut before = i64::MAX;
    loop {
        let page = payout_rows::list(tx, account, &SyncFilter::default(), before, CHUNK)?;
        for row in page.rows {
            before = row.id;
            rows.insert((SourceType::Payout, row.id));
            let source = payouts::source(row.id);
            // An undone payout is not rebooked when the VAT scheme on its date changes, so either
            // deduction may have been booked.
            let deductions: &[Deduction] = if row.undone_at.is_some() {
                &[Deduction::Usual, Deduction::Never]
            } else if kor::scheme_on(&changes, row.date) == VatScheme::Kor {
                &[Deduction::Never]
            } else {
                &[Deduction::Usual]
            };
            let sums_of = |deduction: &Deduction| posted([&payouts::entry(&row, *deduction)]);
            let allowed: Vec<_> = deductions.iter().map(sums_of).collect();
            let (name, entries) = (format!("payout {}", row.id), sums.booked.of(source));
            let document = Document {
                name: &name,
                sums: &allowed,
                detail: Detail::Full,
                undone: row.undone_at.is_some(),
                date: Some(row.date),
                entry_id: Some(row.entry_id),
            };
            document.compare(entries.iter(), &mut verification.discrepancies);
            if row.fee_vat_treatment == payout::FeeVat::None && !row.fee_vat.is_zero() {
                verification.discrepancies.push(format!(
                    "{name} has a fee without VAT, but {} of VAT on it",
                    row.fee_vat
                ));
            }
            let undoing = (row.undoing_entry_id, row.undone_on, row.undone_at.is_some());
            compare_undoing(&name, undoing, entries, &mut verification.discrepancies);
        }
        if !page.more {
            return Ok(());
        }
    }
}

fn verify_trips(
    tx: &mut Tx<'_>,
    account: i64,
    verification: &mut Verification,
    sums: &Recomputed,
    rows: &mut BTreeSet<(SourceType, i64)>,
) -> Result<(), Error> {
    let mut before = i64::MAX;
    loop {
        let page = trip_rows::list(tx, account, &TripFilter::default(), before, CHUNK)?;
        for row in page.rows {
            before = row.id;
            rows.insert((SourceType::Mileage, row.id));
            let (source, name) = (mileage::source(row.id), format!("trip {}", row.id));
            let document = Document {
                name: &name,
                sums: &[posted([&booking::mileage(source, "", row.date, row.amount)])],
                detail: Detail::Full,
                undone: row.undone_at.is_some(),
                date: Some(row.date),
                entry_id: Some(row.entry_id),
            };
            document.compare(sums.booked.of(source).iter(), &mut verification.discrepancies);
            if mileage::cost(row.distance, row.rate) != Some(row.amount) {
                verification
                    .discrepancies
                    .push(format!("{name}: {} is not its distance times its rate", row.amount));
            }
        }
        if !page.more {
            return Ok(());
        }
    }
}

/// Checks payments of VAT; returns what was paid to other member states, in cents.
fn verify_vat_payments(
    tx: &mut Tx<'_>,
    account: i64,
    verification: &mut Verification,
    sums: &Recomputed,
    rows: &mut BTreeSet<(SourceType, i64)>,
) -> Result<Cents, Error> {
    let mut paid = Cents::ZERO;
    let mut after = i64::MIN;
    loop {
        let page = vat_payment_rows::page(tx, account, &SyncFilter::default(), after, CHUNK)?;
        for row in page.rows {
            after = row.id;
            let source = vat_payments::source(row.id);
            rows.insert((source.kind, row.id));
            if row.oss_period.is_some() && row.undone_at.is_none() {
                paid += row.amount;
            }
            Document {
                name: &format!("payment of VAT {}", row.id),
                sums: &[posted([&vat_payments::entry(&row)])],
                detail: Detail::Full,
                undone: row.undone_at.is_some(),
                date: Some(row.date),
                entry_id: Some(row.entry_id),
            }
            .compare(sums.booked.of(source).iter(), &mut verification.discrepancies);
        }
        if !page.more {
            return Ok(paid);
        }
    }
}

/// Checks that account 1725 has the VAT of other member states on the documents, less the payments
/// of it, and nothing else.
fn check_foreign_vat(paid: Cents, verification: &mut Verification, sums: &Recomputed) {
    let its = sums.months.iter().filter(|((.., code), _)| *code == codes::VAT_OF_OTHER_COUNTRIES);
    let booked: Cents = its.map(|(_, (debit, credit))| *credit - *debit).sum();
    let owed = sums.foreign_vat - paid;
    if booked != owed {
        verification.discrepancies.push(format!(
            "{owed} of VAT of other member states is owed by the documents and payments, but account 1725 holds {booked}"
        ));
    }
}

fn verify_events(
    tx: &mut Tx<'_>,
    account: i64,
    verification: &mut Verification,
    sums: &Recomputed,
    rows: &mut BTreeSet<(SourceType, i64)>,
) -> Result<(), Error> {
    let mut loans: BTreeMap<i64, (StoredEvent, Cents)> = BTreeMap::new();
    let amounts: BTreeMap<i64, Cents> =
        event_rows::amounts_without_lines(tx, account)?.into_iter().collect();
    for kind in EVENTS {
        let mut before = i64::MAX;
        loop {
            let page =
                event_rows::list(tx, account, kind, None, &SyncFilter::default(), before, CHUNK)?;
            for event in page.rows {
                before = event.id;
                rows.insert((kind, event.id));
                let entries = sums.booked.of(Source { kind, id: event.id });
                let amount = amounts.get(&event.id).copied().unwrap_or_default();
                check_event(kind, (&event, amount), entries, verification);
                check_description(kind, &event, entries, verification);
                check_loan(kind, &event, &mut loans, verification);
                if kind == SourceType::Loan {
                    loans.insert(event.id, (event, Cents::ZERO));
                }
            }
            if !page.more {
                break;
            }
        }
    }
    for (id, (loan, repaid)) in &loans {
        if let Event::Loan { amount, .. } = loan.event
            && *repaid > amount
        {
            verification
                .discrepancies
                .push(format!("loan {id} is of {amount}, but {repaid} was repaid"));
        }
    }
    Ok(())
}

/// Checks that the first entry of an event has the event's description.
fn check_description(
    kind: SourceType,
    event: &StoredEvent,
    entries: &Entries,
    verification: &mut Verification,
) {
    if entries
        .iter()
        .next()
        .is_some_and(|first| first.text.as_deref() != event.description.as_deref())
    {
        let label = name(kind);
        verification
            .discrepancies
            .push(format!("{label} {}: its description differs from that of its entry", event.id));
    }
}

/// Compares an event with its entries. `amount` is its stored amount, for an event whose lines are
/// only in the journal.
// Long: one match over all events.
fn check_event(
    kind: SourceType,
    (event, amount): (&StoredEvent, Cents),
    entries: &Entries,
    verification: &mut Verification,
) {
    let label = format!("{} {}", name(kind), event.id);
    let (first, last) = (entries.iter().next(), entries.original());
    // `made` stays empty for events whose lines are only in the journal.
    let made = event
        .event
        .entries(event.id, event.date, None, first.map_or(0, |first| first.id))
        .unwrap_or_default();
    let mut report = |what: String| verification.discrepancies.push(format!("{label}: {what}"));
    match (&event.event, first) {
        // The lines of a manual entry are only in the journal.
        (Event::ByHand { .. }, Some(first)) if first.turnover == amount => {}
        (Event::ByHand { .. }, Some(first)) => {
            report(format!("it comes to {amount}, but {} is booked", first.turnover));
        }
        // An opening balance without account balances has no entry of its own: only its open items
        // are booked.
        (Event::OpeningBalance { .. }, None) if amount.is_zero() => return,
        (Event::OpeningBalance { .. }, Some(first)) => {
            let owned = first.turnover - first.on(codes::EQUITY).max(Cents::ZERO);
            if owned != amount {
                report(format!("it comes to {amount}, but {owned} is booked"));
            }
        }
        (Event::Accrual { reverse_on, .. }, Some(first)) => {
            let back = entries.reversals().find(|(_, reversed, _)| *reversed == first.id);
            if back.is_none_or(|(.., day)| day != *reverse_on) {
                report(format!("it has to be reversed on {reverse_on}, but is not"));
            }
        }
        (Event::Transfer { arrived, awaited, .. }, Some(_)) => {
            let day = |half: TransferHalf| {
                let leaves = half == TransferHalf::Departure;
                let is_half =
                    |entry: &&Entry| (entry.on(codes::MONEY_IN_TRANSIT) > Cents::ZERO) == leaves;
                entries.iter().filter(|entry| entry.is_original()).rfind(is_half)
            };
            let is_on = |half, date| day(half).is_none_or(|entry| entry.date == date);
            if *awaited != Some(TransferHalf::Arrival) && !is_on(TransferHalf::Arrival, *arrived) {
                report(format!("it arrived on {arrived}, but is booked on another day"));
            }
            if *awaited != Some(TransferHalf::Departure)
                && !is_on(TransferHalf::Departure, event.date)
            {
                report(format!("it is dated {}, but booked on another day", event.date));
            }
            if awaited.is_some() && *arrived != event.date {
                report("one half is awaited, but it has two dates".into());
            }
        }
        _ => {}
    }
    // The two entries of an accrual cancel each other out. The lines of manual entries and opening
    // balances are only in the journal.
    let (date, sums) = match &event.event {
        Event::ByHand { .. } | Event::OpeningBalance { .. } => {
            let sums = last.map(|last| Detail::Full.of([last])).unwrap_or_default();
            (event.date, sums)
        }
        Event::Accrual { .. } => {
            let standing = entries.iter().count() == 2;
            if standing == event.undone_at.is_some() {
                report("it does not agree with the journal on whether it was undone".into());
            }
            if first.is_some_and(|first| {
                first.date != event.date
                    || Some(Detail::Full.of([first])) != made.first().map(|of| posted([of]))
            }) {
                report("its date or amount differs from its entry".into());
            }
            return;
        }
        Event::Transfer { .. } => (last.map_or(event.date, |last| last.date), posted(&made)),
        _ => (event.date, posted(&made)),
    };
    Document {
        name: &label,
        sums: &[sums],
        detail: Detail::Full,
        undone: event.undone_at.is_some(),
        date: Some(date),
        entry_id: None,
    }
    .compare(entries.iter(), &mut verification.discrepancies);
}

/// Checks that a repayment belongs to a loan with the same account, and that no other event has a
/// parent.
fn check_loan(
    kind: SourceType,
    event: &StoredEvent,
    loans: &mut BTreeMap<i64, (StoredEvent, Cents)>,
    verification: &mut Verification,
) {
    let fits = match (&event.event, event.parent_id) {
        (Event::LoanRepayment { account, principal, .. }, Some(parent)) => {
            match loans.get_mut(&parent) {
                Some((loan, repaid)) => {
                    let undone = event.undone_at.is_some();
                    *repaid += if undone { Cents::ZERO } else { *principal };
                    matches!(&loan.event, Event::Loan { account: of, .. } if of == account)
                        && event.date >= loan.date
                        && (undone || loan.undone_at.is_none())
                }
                None => false,
            }
        }
        (Event::LoanRepayment { .. }, None) => false,
        (_, parent) => parent.is_none(),
    };
    if !fits {
        let (label, parent) =
            (format!("{} {}", name(kind), event.id), event.parent_id.unwrap_or_default());
        verification.discrepancies.push(format!(
            "{label} belongs to event {parent}, which is not a loan that it can repay"
        ));
    }
}

fn verify_assets(
    tx: &mut Tx<'_>,
    account: i64,
    verification: &mut Verification,
    sums: &Recomputed,
    rows: &mut BTreeSet<(SourceType, i64)>,
) -> Result<(), Error> {
    let mut bought: BTreeMap<i64, i64> = BTreeMap::new();
    let mut after = i64::MIN;
    loop {
        let page = asset_rows::list(tx, account, &SyncFilter::default(), after, CHUNK)?;
        for asset in page.rows {
            after = asset.id;
            rows.insert((SourceType::Asset, asset.id));
            bought.extend(asset.expense_id.map(|expense| (expense, asset.id)));
            let mut report = |what: String| {
                verification.discrepancies.push(format!("asset {}: {what}", asset.id))
            };
            check_depreciation(&asset, sums.booked.of(assets::source(asset.id)), &mut report);
            check_disposal(&asset, sums.booked.of(assets::source(asset.id)), &mut report);
            check_purchase(tx, account, &asset, &mut report)?;
        }
        if !page.more {
            break;
        }
    }
    if bought != sums.assets {
        verification
            .discrepancies
            .push("assets and their expenses do not refer to each other".into());
    }
    Ok(())
}

/// Checks that the parts of the assets add up to the booked revision of each year, and that a
/// revision on the sale of an asset is dated on the day of the sale.
fn verify_vat_revisions(
    tx: &mut Tx<'_>,
    account: i64,
    verification: &mut Verification,
    sums: &Recomputed,
) -> Result<(), Error> {
    let mut booked: BTreeMap<i64, Cents> = BTreeMap::new();
    for (id, entries) in sums.booked.ids(SourceType::VatRevision) {
        for entry in standing(entries, DescriptionKind::VatRevision) {
            if id < OF_SALES {
                *booked.entry(id).or_default() += entry.on(codes::VAT_NOT_DEDUCTIBLE);
                continue;
            }
            let asset = asset_rows::by_id(tx, account, id / OF_SALES)?;
            if asset.is_none_or(|asset| asset.disposed_on != Some(entry.date)) {
                verification.discrepancies.push(format!(
                    "entry {} revises the VAT of a sale of asset {} that is not recorded",
                    entry.id,
                    id / OF_SALES
                ));
            }
        }
    }
    let mut recorded: BTreeMap<i64, Cents> = BTreeMap::new();
    for year in vat_revisions::years(tx, account)? {
        for (asset, amount) in vat_revisions::parts(tx, account, year)? {
            *recorded.entry(year.into()).or_default() += amount;
            if asset_rows::by_id(tx, account, asset)?.is_none() {
                verification.discrepancies.push(format!(
                    "the VAT revision of {year} has a part of asset {asset}, which is missing"
                ));
            }
        }
    }
    let years: BTreeSet<i64> = booked.keys().chain(recorded.keys()).copied().collect();
    for year in years {
        let [booked, recorded] =
            [&booked, &recorded].map(|of| of.get(&year).copied().unwrap_or_default());
        if booked != recorded {
            verification.discrepancies.push(format!(
                "the VAT revision of {year} is booked for {booked}, but its parts come to {recorded}"
            ));
        }
    }
    Ok(())
}

/// Returns the entries of a kind that are in force (not reversed), oldest first.
fn standing(entries: &Entries, kind: DescriptionKind) -> impl DoubleEndedIterator<Item = &Entry> {
    let taken_back = entries.taken_back();
    entries.iter().filter(move |entry| {
        entry.is_original() && entry.kind == kind && !taken_back.contains(&entry.id)
    })
}

fn check_depreciation(asset: &Asset, entries: &Entries, report: &mut impl FnMut(String)) {
    let AssetAccounts { accumulated, depreciation: cost, .. } = asset.accounts();
    let (mut depreciated, mut booked) = (Cents::ZERO, Sums::new());
    for entry in standing(entries, DescriptionKind::Depreciation) {
        depreciated += entry.on(cost);
        Detail::Full.add(&mut booked, entry);
    }
    let expected = Sums::from([((cost, None), depreciated), ((accumulated, None), -depreciated)]);
    if !booked.is_empty() && booked != expected {
        report(format!(
            "its depreciation is not booked on the accounts that belong to account {}",
            asset.account
        ));
    }
    let depreciated = depreciated + asset.opening_depreciated;
    let recorded = if asset.undone_at.is_some() {
        asset.depreciated + asset.opening_depreciated
    } else {
        asset.depreciated
    };
    if depreciated != recorded {
        report(format!(
            "it records that {} was depreciated, but {depreciated} is booked",
            asset.depreciated
        ));
    }
    let last = standing(entries, DescriptionKind::Depreciation).next_back().map(|last| last.date);
    if last != asset.depreciated_until {
        report(format!(
            "it is depreciated until {:?}, but the last depreciation is booked on {last:?}",
            asset.depreciated_until
        ));
    }
    if let (Some(until), Some(_)) = (asset.depreciated_until, asset.expense_id) {
        let (residual, years) = (asset.residual_value, asset.life_years);
        let planned = asset::depreciated(asset.cost, residual, years, asset.date, until);
        if planned != asset.depreciated {
            report(format!(
                "{} was depreciated, but its cost, residual value and years give {planned}",
                asset.depreciated
            ));
        }
    }
    if asset.undone_at.is_some() && !Detail::Full.of(entries.iter()).is_empty() {
        report("it was undone, but is still partly booked".into());
    }
}

fn check_disposal(asset: &Asset, entries: &Entries, report: &mut impl FnMut(String)) {
    let AssetAccounts { accumulated, result, .. } = asset.accounts();
    let disposal = standing(entries, DescriptionKind::Disposal).next_back();
    let booked = disposal.map(|entry| {
        let proceeds = asset.cost - asset.depreciated - entry.on(result);
        (entry.date, proceeds, -entry.on(asset.account), entry.on(accumulated))
    });
    let recorded = asset
        .disposed_on
        .map(|day| (day, asset.proceeds.unwrap_or_default(), asset.cost, asset.depreciated));
    if booked != recorded || asset.proceeds.is_some() != asset.disposed_on.is_some() {
        report(
            "its disposal differs from its entry in date, proceeds, cost or depreciation".into(),
        );
    }
}

/// Checks that a purchased asset agrees with its expense.
fn check_purchase(
    tx: &mut Tx<'_>,
    account: i64,
    asset: &Asset,
    report: &mut impl FnMut(String),
) -> Result<(), Error> {
    let Some(id) = asset.expense_id else { return Ok(()) };
    let Some(expense) = expense_rows::by_id(tx, account, id)? else {
        report(format!("its expense {id} is missing"));
        return Ok(());
    };
    let cost = expense.net + expense.vat - expense.deductible;
    if (asset.cost, asset.date) != (cost, expense.date) {
        report(format!(
            "it cost {} on {}, but expense {id} says {cost} on {}",
            asset.cost, asset.date, expense.date
        ));
    }
    let categories: Vec<_> =
        expense_rows::lines(tx, account, id)?.into_iter().map(|line| line.category).collect();
    if categories != [asset.account] {
        report(format!("it is on account {}, but expense {id} is booked elsewhere", asset.account));
    }
    if asset.undone_at.is_some() != expense.undone_at.is_some() {
        report(format!("it was not undone together with expense {id}"));
    }
    Ok(())
}
