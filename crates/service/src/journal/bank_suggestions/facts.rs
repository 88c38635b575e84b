//! Facts of the books that suggestions are derived from.

use crate::{
    Context, Error,
    bank_repeats::RepeatedBooking,
    bank_rules::{self, BankRule, RuleOutcome},
    events, oss, payment_batches, vat_filings, vat_payments,
};
use bank_suggestions::{
    AwaitedTransfer, Books, Contact, Decision, DueReturn, FiledReturn, Item, ItemKind, Line,
    NewLine, Outcome, OwnAccount, PaidInvoice, PaymentBatch, Posting, Precedent, Provider,
    ReturnPeriod, Rule, TaxOffice, Template,
};
use documents::payment_file::end_to_end_id;
use jiff::{
    ToSpan,
    civil::{Date, date},
};
use ledger::{
    bank_account::{BankAccount, BankAccountKind},
    booking::MoneyAccount,
    cash_accounting::VatMethod,
    chart::codes,
    event::{Event, TransferHalf},
    identifiers::Iban,
    money::Cents,
    payment_batch::BatchStatus,
    vat_period::VatPeriod,
};
use std::collections::{BTreeMap, BTreeSet};
use store::{
    Tx,
    bank_allocations::{self, UnlinkedEntry},
    bank_lines::BankLine,
    bank_rules as rule_rows,
    bank_suggestions::{self as rows, Decided},
    events::StoredEvent,
    filings, ledger_cards, oss as oss_rows,
    payment_batches::{self as batch_rows, BatchFilter, PaymentBatch as StoredBatch},
    years,
};

/// Number of days period the lines within which entries and other lines count.
const DAYS_AROUND: i32 = 10;
/// Number of days before a line within which an invoice may be paid for the second time by it.
const DAYS_OF_PAID: i32 = 400;
/// Number of booked lines from which habits are learned, and of refusals.
const MOST_PRECEDENTS: i64 = 2_000;
/// Number of payments at a provider that are searched for those of a payout.
const MOST_PAYMENTS: i64 = 500;
/// Number of downloaded batches, the last ones, that are searched for a payment.
const MOST_BATCHES: i64 = 50;
/// Number of filed returns, the last ones, that are searched for an unpaid one.
const MOST_RETURNS: usize = 24;
/// Number of returns that are not filed, the last ones, that are searched for the amount of a line.
const MOST_DUE_RETURNS: usize = 4;

/// Reads the facts that suggestions for these lines are derived from.
pub(super) fn read(tx: &mut Tx<'_>, cx: &Context, lines: &[BankLine]) -> Result<Books, Error> {
    let account = cx.actor.account;
    let days = lines.iter().map(|line| line.date);
    let first = days.clone().min().unwrap_or(date(2000, 1, 1)).saturating_sub(DAYS_AROUND.days());
    let last = days.max().unwrap_or(date(2000, 1, 1)).saturating_add(DAYS_AROUND.days());
    let period = (first, last);
    let mut contacts = contacts(tx, account)?;
    let mut items = invoices(tx, account)?;
    let batches = batches(tx, account)?;
    items.extend(bills(tx, account, &mut contacts, &batches)?);
    let banks = cx.actor.own_accounts.banks().all();
    let mut postings = Vec::new();
    for bank in banks.iter().filter(|bank| lines.iter().any(|of| of.bank_account_id == bank.id)) {
        for unlinked in bank_allocations::unlinked(tx, account, (bank.id, bank.code), period)? {
            let UnlinkedEntry { entry_id, date, amount } = unlinked;
            postings.push(Posting { entry: entry_id, bank_account: bank.id, date, amount });
        }
    }
    let waiting = rows::waiting_lines(tx, account, period)?.into_iter();
    let new_line = |of: rows::WaitingLine| NewLine {
        id: of.id,
        bank_account: of.bank_account_id,
        date: of.date,
        amount: of.amount,
    };
    let office = TaxOffice::default();
    let is_of_office =
        |line: &BankLine| office.is_meant(line.name.as_deref(), line.iban.as_deref());
    let filings = filings::all(tx, account)?;
    let filed: Vec<VatPeriod> =
        filings.iter().filter(|of| of.is_filed()).map(|of| of.period).collect();
    let returns =
        if lines.iter().any(is_of_office) { returns(tx, cx, &filed)? } else { Vec::new() };
    let is_whole = |line: &BankLine| line.amount.get() % 100 == 0;
    let may_be_vat = |line: &BankLine| is_whole(line) && (is_of_office(line) || names_vat(line));
    let due_returns =
        if lines.iter().any(may_be_vat) { due_returns(tx, cx, &filed)? } else { Vec::new() };
    let last_closed = years::last_closed(tx, account)?;
    let booked = rows::booked(tx, account, MOST_PRECEDENTS)?;
    let refused = rows::refused(tx, account, MOST_PRECEDENTS)?;
    let first_day = bank_rules::first_day(cx.today());
    let active = rule_rows::active(tx, account)?.into_iter();
    let rules = active.filter_map(|of| rule(&of, &booked, first_day)).collect();
    Ok(Books {
        bank_accounts: banks.iter().map(own_account).collect(),
        contacts: contacts.into_values().collect(),
        items,
        paid_invoices: paid_invoices(tx, account, lines)?,
        returns,
        due_returns,
        postings,
        transfers: transfers(tx, cx, banks)?,
        lines: waiting.map(new_line).collect(),
        batches: batches.iter().map(batch).collect(),
        providers: providers(tx, cx, banks)?,
        history: history(booked, refused),
        rules,
        closed_until: last_closed.map(|year| date(year, 12, 31)),
        filed: filed.iter().map(|period| (period.first_day(), period.last_day())).collect(),
    })
}

fn own_account(bank: &BankAccount) -> OwnAccount {
    OwnAccount {
        id: bank.id,
        iban: bank.iban.clone(),
        identifiers: bank.identifiers.clone(),
        name: bank.name.clone(),
        is_savings: bank.kind() == BankAccountKind::Savings && !bank.is_archived,
    }
}

/// Transfers of which one half is awaited.
fn transfers(
    tx: &mut Tx<'_>,
    cx: &Context,
    banks: &[BankAccount],
) -> Result<Vec<AwaitedTransfer>, Error> {
    let transfer = |stored: StoredEvent| {
        let Event::Transfer { from, to, amount, awaited: Some(half), .. } = stored.event else {
            return None;
        };
        let bank = |account: MoneyAccount| banks.iter().find(|of| of.code == account.code());
        let (booked, awaited, amount) = match half {
            TransferHalf::Departure => (bank(to)?, bank(from)?, -amount),
            TransferHalf::Arrival => (bank(from)?, bank(to)?, amount),
        };
        Some(AwaitedTransfer {
            id: stored.id,
            booked_on: booked.id,
            awaited_on: awaited.id,
            date: stored.date,
            amount,
        })
    };
    Ok(events::awaited(tx, cx)?.into_iter().filter_map(transfer).collect())
}

fn contacts(tx: &mut Tx<'_>, account: i64) -> Result<BTreeMap<i64, Contact>, Error> {
    let mut contacts = BTreeMap::new();
    for rows::KnownContact { id, name, contact_person, iban } in rows::contacts(tx, account)? {
        let names = std::iter::once(name).chain(contact_person).collect();
        contacts.insert(id, Contact { id, names, ibans: iban.into_iter().collect() });
    }
    for confirmed in rows::confirmed_ibans(tx, account, MOST_PRECEDENTS)? {
        if let Some(contact) = contacts.get_mut(&confirmed.contact_id)
            && let Ok(iban) = Iban::parse(&confirmed.iban)
            && !contact.ibans.contains(&iban)
        {
            contact.ibans.push(iban);
        }
    }
    Ok(contacts)
}

/// Open invoices, and refunds that customers wait for.
fn invoices(tx: &mut Tx<'_>, account: i64) -> Result<Vec<Item>, Error> {
    let invoices = rows::open_invoices(tx, account)?;
    let refunds: Vec<i64> =
        invoices.iter().filter(|of| of.due.is_negative()).map(|of| of.id).collect();
    let mut credit_notes = rows::numbers_of_credit_notes(tx, account, &refunds)?;
    let item = |of: rows::OpenInvoice| {
        let is_refund = of.due.is_negative();
        let mut numbers = vec![of.number];
        numbers.extend(credit_notes.remove(&of.id).unwrap_or_default());
        Item {
            kind: if is_refund { ItemKind::Refund } else { ItemKind::Invoice },
            id: of.id,
            contact: Some(of.contact_id),
            date: of.date,
            due: of.due.abs(),
            numbers,
            references: of.reference.into_iter().collect(),
            orders: Vec::new(),
            pay_to: None,
            has_box: of.vat_method == VatMethod::Cash,
        }
    };
    Ok(invoices.into_iter().map(item).collect())
}

/// Invoices that are paid with the amount of a line that comes in: it may be their second payment.
fn paid_invoices(
    tx: &mut Tx<'_>,
    account: i64,
    lines: &[BankLine],
) -> Result<Vec<PaidInvoice>, Error> {
    let incoming = || lines.iter().filter(|line| line.amount > Cents::ZERO);
    let Some(first) = incoming().map(|line| line.date).min() else { return Ok(Vec::new()) };
    let amounts: BTreeSet<Cents> = incoming().map(|line| line.amount).collect();
    let amounts: Vec<Cents> = amounts.into_iter().collect();
    let since = first.saturating_sub(DAYS_OF_PAID.days());
    let paid = rows::paid_invoices(tx, account, &amounts, since)?.into_iter();
    let one = |of: rows::PaidInvoice| PaidInvoice {
        id: of.id,
        contact: Some(of.contact_id),
        date: of.date,
        amount: of.amount,
        number: of.number,
    };
    Ok(paid.map(one).collect())
}

/// Unpaid bills. A supplier without a contact is added to the contacts under a negative id, so that
/// the name counts.
fn bills(
    tx: &mut Tx<'_>,
    account: i64,
    contacts: &mut BTreeMap<i64, Contact>,
    batches: &[StoredBatch],
) -> Result<Vec<Item>, Error> {
    // End-to-end ids and amounts of the payments in batches, by bill.
    let mut payments: BTreeMap<i64, Vec<(String, Cents)>> = BTreeMap::new();
    for batch in batches {
        for item in &batch.items {
            let id = end_to_end_id(batch.id, item.line);
            payments.entry(item.expense_id).or_default().push((id, item.amount));
        }
    }
    let mut items = Vec::new();
    let mut by_name: BTreeMap<String, i64> = BTreeMap::new();
    for bill in rows::open_bills(tx, account)? {
        let contact = bill.contact_id.or_else(|| {
            let name = bill.supplier?;
            let next = -1 - i64::try_from(by_name.len()).unwrap_or(i64::MAX - 1);
            let id = *by_name.entry(name.to_lowercase()).or_insert(next);
            contacts.entry(id).or_insert(Contact { id, names: vec![name], ibans: Vec::new() });
            Some(id)
        });
        let payments = payments.remove(&bill.id).unwrap_or_default();
        items.push(Item {
            kind: ItemKind::Bill,
            id: bill.id,
            contact,
            date: bill.date,
            due: bill.due,
            numbers: bill.number.into_iter().collect(),
            references: bill
                .reference
                .into_iter()
                .chain(payments.iter().map(|(id, _)| id.clone()))
                .collect(),
            orders: payments,
            pay_to: bill.pay_to,
            has_box: false,
        });
    }
    Ok(items)
}

/// Batches whose file was downloaded and that are not paid.
fn batches(tx: &mut Tx<'_>, account: i64) -> Result<Vec<StoredBatch>, Error> {
    let filter = BatchFilter { status: Some(BatchStatus::Downloaded), ..BatchFilter::default() };
    Ok(batch_rows::list(tx, account, &filter, i64::MAX, MOST_BATCHES)?.rows)
}

fn batch(batch: &StoredBatch) -> PaymentBatch {
    let unpaid = batch.items.iter().filter(|item| item.paid_amount < item.amount);
    PaymentBatch {
        reference: payment_batches::message_id(batch),
        bank_account: batch.bank_account_id,
        items: unpaid.map(|item| (item.expense_id, item.amount - item.paid_amount)).collect(),
    }
}

/// Filed returns with an unpaid amount, of VAT and of the Union scheme.
fn returns(tx: &mut Tx<'_>, cx: &Context, filed: &[VatPeriod]) -> Result<Vec<FiledReturn>, Error> {
    let account = cx.actor.account;
    let mut returns = Vec::new();
    for period in filed.iter().rev().take(MOST_RETURNS).copied() {
        let details = vat_filings::read(tx, cx, period)?;
        let payments = vat_payments::of_period(tx, cx, period)?;
        let payable = vat_payments::remaining(&details, &payments);
        returns.push(FiledReturn { period: ReturnPeriod::Vat(period), payable });
    }
    if oss_rows::filings(tx, account)?.iter().any(oss_rows::OssFiling::is_filed) {
        for details in oss::list(tx, cx, None)?.into_iter().take(MOST_RETURNS) {
            if details.filed().is_none() {
                continue;
            }
            let payments = vat_payments::of_oss_period(tx, cx, details.period)?;
            let paid: Cents =
                payments.iter().filter(|of| of.undone_at.is_none()).map(|of| of.amount).sum();
            let payable = details.declaration.payable() - paid;
            let quarter = details.period.last_quarter();
            returns.push(FiledReturn { period: ReturnPeriod::Oss(quarter), payable });
        }
    }
    returns.retain(|filed| !filed.payable.is_zero());
    Ok(returns)
}

/// Whether the text of a line may be about VAT.
fn names_vat(line: &BankLine) -> bool {
    let text = line.text.to_lowercase();
    ["btw", "belasting"].iter().any(|word| text.contains(word))
}

/// Returns of the last periods that are over, which are not filed.
fn due_returns(
    tx: &mut Tx<'_>,
    cx: &Context,
    filed: &[VatPeriod],
) -> Result<Vec<DueReturn>, Error> {
    let today = cx.today();
    let mut due = Vec::new();
    let is_due = |period: &VatPeriod| period.last_day() < today && !filed.contains(period);
    let periods = vat_filings::returns(tx, cx)?;
    for period in periods.into_iter().filter(is_due).take(MOST_DUE_RETURNS) {
        let details = vat_filings::read(tx, cx, period)?;
        let payments = vat_payments::of_period(tx, cx, period)?;
        let payable = vat_payments::remaining(&details, &payments);
        due.push(DueReturn { period, payable });
    }
    due.retain(|of| !of.payable.is_zero());
    Ok(due)
}

/// Payment providers, with the payments that make up their balance.
fn providers(tx: &mut Tx<'_>, cx: &Context, banks: &[BankAccount]) -> Result<Vec<Provider>, Error> {
    let account = cx.actor.account;
    let mut providers = Vec::new();
    let counterparties = rows::payout_counterparties(tx, account)?;
    for bank in banks.iter().filter(|of| of.kind() == BankAccountKind::PaymentProvider) {
        let mut balance: Cents = ledger_cards::days(tx, account, bank.code, Date::MAX)?
            .into_iter()
            .map(|(_, amount)| amount)
            .sum();
        let own = |of: &&rows::PaidOutBy| {
            of.provider_account.unwrap_or(codes::PROVIDER_CLEARING) == bank.code
        };
        let of_bank = counterparties.iter().filter(own);
        let names = bank.name.iter().chain(of_bank.clone().filter_map(|of| of.name.as_ref()));
        let mut payments = Vec::new();
        for amount in rows::last_debits(tx, account, bank.code, MOST_PAYMENTS)? {
            if balance <= Cents::ZERO {
                break;
            }
            payments.push(amount.min(balance));
            balance -= amount;
        }
        payments.reverse();
        providers.push(Provider {
            bank_account: bank.id,
            names: names.cloned().collect(),
            ibans: of_bank.filter_map(|of| Iban::parse(of.iban.as_ref()?).ok()).collect(),
            payments,
        });
    }
    Ok(providers)
}

/// Booked lines and refusals, from old to new.
fn history(booked: Vec<Decided>, refused: Vec<Decided>) -> Vec<Precedent> {
    let booked = booked.into_iter().map(|of| {
        let decision = template(of.template.as_deref()).map_or(Decision::Other, Decision::Booked);
        (of.line_id, precedent(of, decision))
    });
    let refused = refused.into_iter().filter_map(|of| {
        let refused = Decision::Refused(template(of.template.as_deref())?);
        Some((of.line_id, precedent(of, refused)))
    });
    let mut decided: Vec<(i64, Precedent)> = booked.chain(refused).collect();
    decided.sort_by_key(|(line, _)| *line);
    decided.into_iter().map(|(_, precedent)| precedent).collect()
}

fn precedent(of: Decided, decision: Decision) -> Precedent {
    Precedent {
        is_in: !of.amount.is_negative(),
        name: of.name,
        iban: of.iban,
        creditor_id: of.creditor_id,
        decision,
    }
}

/// Rule with the number of booked lines since `first_day` that it would have booked alike, and
/// otherwise.
fn rule(rule: &BankRule, booked: &[Decided], first_day: Date) -> Option<Rule> {
    let when = bank_rules::conditions(rule);
    let then = match RuleOutcome::parse(&rule.outcome)? {
        RuleOutcome::Book(_) => Outcome::Book(template(Some(&rule.outcome))?),
        RuleOutcome::Ignore(_) => Outcome::Ignore,
    };
    let learned = bank_rules::learned(&rule.outcome);
    let (mut agreed, mut contradicted) = (0, 0);
    for of in booked.iter().filter(|of| of.date >= first_day && when.are_met_by(&decided(of))) {
        if learned.is_some() && of.template == learned {
            agreed += 1;
        } else {
            contradicted += 1;
        }
    }
    Some(Rule { id: rule.id, when, then, agreed, contradicted })
}

fn decided(of: &Decided) -> Line<'_> {
    Line {
        id: of.line_id,
        bank_account: of.bank_account_id,
        date: of.date,
        amount: of.amount,
        name: of.name.as_deref(),
        iban: of.iban.as_deref(),
        text: &of.text,
        end_to_end_id: None,
        payment_reference: None,
        creditor_id: of.creditor_id.as_deref(),
        charge: None,
        parts: &[],
        is_doubtful: false,
        refused: &[],
    }
}

/// Reads a stored booking as a template.
fn template(text: Option<&str>) -> Option<Template> {
    let text = text?;
    let booking = RepeatedBooking::parse(text)?;
    Some(Template { kind: booking.kind(), fields: text.into(), has_box: booking.has_box() })
}
