//! Events without an invoice or receipt: recording, listing, and undoing them by reversal. Their
//! entries are defined in [`ledger::event`].

use super::open_items::{self, NewOpenItem, OpenItemDetails};
use crate::{
    BookingError, Context, Created, Error, Fault, Reason, bank_accounts, context,
    corrections::{self, IfFiled},
    days, vat_schemes,
};
use jiff::civil::{self, Date};
use ledger::{
    booking::MoneyAccount,
    chart::{self, AccountCode, Class, codes},
    entry::{Posting, Source, SourceType},
    event::{AccrualKind, Event, LOANS, PrivateKind, PrivateUseKind, TransferHalf},
    money::Cents,
    unusual_day::UnusualDay,
    vat::VatRate,
};
use std::collections::HashMap;
use store::{
    ListFilter, ListPart, Page, SyncFilter, Tx,
    books::{Books, IdSequence},
    events::{self as rows, EventSums, StoredEvent},
    journal::{self, StoredEntry},
    ledger_cards,
};

/// Command that records an event.
#[derive(Debug, Clone)]
pub struct NewEvent {
    /// The caller's own identifier, unique among events of its kind.
    pub external_id: Option<String>,
    /// Date of the event's first entry.
    pub date: Date,
    /// Description by the owner. Without one, the journal uses a standard description for each
    /// kind.
    pub description: Option<String>,
    /// The event itself. In a loan repayment, the account is replaced by the loan's account.
    pub event: Event,
    /// Loan to which a repayment belongs.
    pub parent_id: Option<i64>,
    /// Open items of an opening balance: unpaid invoices and bills.
    pub open_items: Vec<NewOpenItem>,
    /// Handling of an event whose VAT return has already been filed.
    pub if_filed: IfFiled,
}

/// An event with its entries.
#[derive(Debug, Clone)]
pub struct EventDetails {
    /// The event itself.
    pub stored: StoredEvent,
    /// Entries of the event, oldest first, including reversals.
    pub entries: Vec<StoredEntry>,
    /// Principal repaid if the event is a loan; otherwise zero.
    pub repaid: Cents,
    /// Open items if the event is an opening balance.
    pub open_items: Vec<OpenItemDetails>,
    /// Reason why the date of the event is unusual, if a warning about it is still reported.
    pub unusual: Option<UnusualDay>,
    /// Whether the event is private use with VAT that is not undone and is dated before the last
    /// VAT period of its year, in which the VAT belongs (art. 13(4) Wet OB 1968).
    pub is_too_early: bool,
}

impl EventDetails {
    /// Returns the outstanding principal of a loan; zero for other events and undone loans.
    #[must_use]
    pub fn owed(&self) -> Cents {
        match &self.stored.event {
            Event::Loan { amount, .. } if self.stored.undone_at.is_none() => *amount - self.repaid,
            _ => Cents::ZERO,
        }
    }

    /// Returns the lines of the event's first entry. For an opening balance with open items,
    /// returns the balance of each account over all entries instead, with the owner's equity last.
    #[must_use]
    pub fn postings(&self) -> Vec<Posting> {
        let booked = self.entries.iter().filter(|stored| stored.entry.reverses().is_none());
        if self.open_items.is_empty() {
            return booked.take(1).flat_map(|stored| stored.entry.postings()).cloned().collect();
        }
        let mut sums: Vec<(AccountCode, Cents)> = Vec::new();
        for posting in booked.flat_map(|stored| stored.entry.postings()) {
            let amount = posting.debited() - posting.credited();
            match sums.iter_mut().find(|(code, _)| *code == posting.account()) {
                Some((_, sum)) => *sum += amount,
                None => sums.push((posting.account(), amount)),
            }
        }
        sums.sort_by_key(|(code, _)| *code == codes::EQUITY);
        sums.into_iter().map(|(code, amount)| Posting::debit(code, amount, None)).collect()
    }
}

/// Records an event.
///
/// # Errors
/// The account is not Dutch, the event is invalid, its loan does not exist or was undone, the books
/// already have an opening balance, or the event has a VAT box, the return of its period was filed,
/// and `if_filed` does not allow a correction.
pub fn record(
    tx: &mut Tx<'_>,
    cx: &Context,
    command: &NewEvent,
) -> Result<Created<EventDetails>, Error> {
    recorded(tx, cx, command, &|_| true)
}

/// Records a transfer of bank lines. Unlike one by hand, it may arrive before it leaves, because each
/// bank has a date of its own, and the account of the line may be archived.
///
/// # Errors
/// As for [`record`].
pub(crate) fn record_of_lines(
    tx: &mut Tx<'_>,
    cx: &Context,
    command: &NewEvent,
) -> Result<StoredEvent, Error> {
    let is_checked = |fault: &Fault| {
        fault.path != "/arrived" && !matches!(fault.reason, Reason::BankAccountArchived { .. })
    };
    Ok(recorded(tx, cx, command, &is_checked)?.into_inner().stored)
}

/// Records an event unless it has a fault that `is_checked` selects.
fn recorded(
    tx: &mut Tx<'_>,
    cx: &Context,
    command: &NewEvent,
    is_checked: &dyn Fn(&Fault) -> bool,
) -> Result<Created<EventDetails>, Error> {
    context::transact(tx, cx, |tx, books, cx| {
        cx.actor.require_dutch()?;
        let kind = command.event.source_type();
        if let Some(existing) = find_by_external_id(tx, cx, kind, command.external_id.as_deref())? {
            return Ok(Created::Existing(existing));
        }
        if kind == SourceType::OpeningBalance && opening(tx, cx)?.is_some() {
            return Err(BookingError::HasOpeningBalance.into());
        }
        let mut command = resolved(cx, of_its_loan(tx, cx, command)?);
        let unknown = on_bank_accounts(cx, &mut command.event);
        let command = &command;
        let mut faults = faults(tx, books, cx, command)?;
        faults.extend(unknown);
        faults.extend(archived(cx, &command.event));
        faults.extend(days::before_opening(books, "/date", command.date));
        faults.retain(is_checked);
        if !faults.is_empty() {
            return Err(Error::Invalid(faults));
        }
        book(tx, books, cx, command).map(Created::New)
    })
}

/// Returns the transfers of which one half is awaited, ordered by id.
///
/// # Errors
/// The storage failed.
pub fn awaited(tx: &mut Tx<'_>, cx: &Context) -> Result<Vec<StoredEvent>, Error> {
    Ok(rows::awaited(tx, cx.actor.account)?)
}

/// Books the awaited half of a transfer on `on`.
///
/// # Errors
/// There is no such transfer, both halves are booked, or the year is closed.
pub(crate) fn complete(
    tx: &mut Tx<'_>,
    cx: &Context,
    id: i64,
    on: Date,
    if_filed: IfFiled,
) -> Result<(), Error> {
    context::transact(tx, cx, |tx, books, cx| {
        let before = read(tx, cx, SourceType::Transfer, id)?.stored;
        let (event, date, half) = before
            .event
            .completed(before.date, on)
            .ok_or_else(|| Error::Internal(format!("no half of transfer {id} is awaited")))?;
        let after = StoredEvent { event, date, updated_at: cx.now(), ..before };
        let halves = after.event.entries(id, date, after.description.as_deref(), 0);
        let halves = halves.map_err(|unbalanced| Error::Internal(unbalanced.to_string()))?;
        let place = usize::from(half == TransferHalf::Arrival);
        let entry = halves.into_iter().nth(place);
        let entry = entry.ok_or_else(|| Error::Internal(format!("transfer {id} has one half")))?;
        corrections::append(tx, books, cx, entry, if_filed)?;
        rows::complete(tx, cx.actor.account, &after)?;
        Ok(())
    })
}

/// Books an event that has been validated.
pub(super) fn book(
    tx: &mut Tx<'_>,
    books: &mut Books,
    cx: &Context,
    command: &NewEvent,
) -> Result<EventDetails, Error> {
    let id = books.next_id(IdSequence::Manual);
    let on = command.date;
    let made = command.event.entries(
        id,
        command.date,
        command.description.as_deref(),
        books.upcoming_entry(),
    );
    let made = made.map_err(|unbalanced| Error::Internal(unbalanced.to_string()))?;
    // An opening balance that consists only of open items has no entry of its own; each item has
    // one.
    let says_nothing =
        matches!(&command.event, Event::OpeningBalance { balances } if balances.is_empty());
    for entry in made.iter().filter(|_| !says_nothing) {
        corrections::append(tx, books, cx, entry.clone(), command.if_filed)?;
    }
    let stored = StoredEvent {
        id,
        external_id: command.external_id.clone(),
        date: command.date,
        description: command.description.clone(),
        event: command.event.clone(),
        parent_id: command.parent_id,
        undone_at: None,
        created_at: cx.now(),
        date_unusual: days::unusual(books, command.date),
        updated_at: cx.now(),
    };
    rows::insert(tx, cx.actor.account, &stored)?;
    if let Some(parent) = stored.parent_id {
        rows::touch(tx, cx.actor.account, parent, cx.now())?;
    }
    open_items::book(tx, books, cx, (id, on), &command.open_items)?;
    with_entries(tx, cx, command.event.source_type(), vec![stored])?
        .pop()
        .ok_or(Error::NotFound("event"))
}

/// Returns a repayment with its account replaced by the loan's account, and any other event
/// unchanged.
fn of_its_loan(tx: &mut Tx<'_>, cx: &Context, command: &NewEvent) -> Result<NewEvent, Error> {
    let mut command = command.clone();
    if let Event::LoanRepayment { account, .. } = &mut command.event {
        let loan = rows::by_id(
            tx,
            cx.actor.account,
            SourceType::Loan,
            command.parent_id.unwrap_or_default(),
        )?;
        let loan = loan.ok_or(Error::NotFound("loan"))?;
        if loan.undone_at.is_some() {
            return Err(BookingError::AlreadyUndone.into());
        }
        if let Event::Loan { account: of, .. } = loan.event {
            *account = of;
        }
    }
    Ok(command)
}

/// Returns an event with the codes of own accounts in place of the codes that the caller named.
fn resolved(cx: &Context, mut command: NewEvent) -> NewEvent {
    let own = &cx.actor.own_accounts;
    match &mut command.event {
        Event::ByHand { postings } => {
            for posting in postings {
                *posting = posting.on(own.resolve(posting.account()));
            }
        }
        Event::OpeningBalance { balances } => {
            for (account, _) in balances {
                *account = own.resolve(*account);
            }
        }
        Event::Accrual { account, .. } => *account = own.resolve(*account),
        _ => {}
    }
    command
}

/// Replaces the money that the caller named by its place in the books. Returns a fault for each
/// code that no bank account has.
fn on_bank_accounts(cx: &Context, event: &mut Event) -> Vec<Fault> {
    let named = match event {
        Event::Transfer { from, to, .. } => vec![("/from", from), ("/to", to)],
        Event::Private { method, .. }
        | Event::Loan { method, .. }
        | Event::LoanRepayment { method, .. } => vec![("/method", method)],
        Event::ByHand { .. }
        | Event::OpeningBalance { .. }
        | Event::Accrual { .. }
        | Event::PrivateUse { .. } => Vec::new(),
    };
    let mut faults = Vec::new();
    for (path, money) in named {
        let (place, unknown) = bank_accounts::money(cx, path, *money);
        *money = place;
        faults.extend(unknown);
    }
    faults
}

/// Returns a fault for each bank account of a transfer that is archived.
fn archived(cx: &Context, event: &Event) -> Vec<Fault> {
    let Event::Transfer { from, to, .. } = event else { return Vec::new() };
    let banks = cx.actor.own_accounts.banks();
    let fault = |(path, money): (&str, &MoneyAccount)| {
        bank_accounts::require_active(path, banks.find(money.code())?).err()
    };
    [("/from", from), ("/to", to)].into_iter().filter_map(fault).collect()
}

/// Validates an event, by itself and against the contents of the books.
fn faults(
    tx: &mut Tx<'_>,
    books: &Books,
    cx: &Context,
    command: &NewEvent,
) -> Result<Vec<Fault>, Error> {
    let mut faults = Vec::new();
    let mut say = |path: &str, reason| faults.push(Fault::new(path, reason));
    let out_of_range = || Reason::AmountOutOfRange { most: Cents::MAX };
    match &command.event {
        Event::ByHand { postings } => faults.extend(by_hand(postings)),
        Event::OpeningBalance { balances } => {
            faults.extend(opening_day(tx, cx, command.date)?);
            faults.extend(opening_balance(balances, &command.open_items));
            faults.extend(open_items::faults(tx, cx, command.date, &command.open_items)?);
        }
        Event::PrivateUse { kind, vat, base } => {
            faults.extend(private_use(tx, books, command.date, (*kind, *vat, *base))?);
        }
        Event::Transfer { from, to, arrived, .. } => {
            if from.code() == to.code() {
                say("/to", Reason::SameAccount);
            }
            if *arrived < command.date {
                say("/arrived", Reason::DayBefore { day: command.date });
            }
        }
        Event::Private { kind, amount, premium, .. } => {
            if premium.is_some() && *kind != PrivateKind::Premium {
                say("/premium", Reason::OnlyPremium);
            }
            let either_way = !matches!(kind, PrivateKind::Drawing | PrivateKind::Deposit);
            if amount.is_zero() || (amount.is_negative() && !either_way) {
                say("/amount", out_of_range());
            }
        }
        Event::Accrual { kind, account, reverse_on, .. } => {
            if !fits(*kind, *account) {
                say("/account", Reason::UnknownAccount);
            }
            if *reverse_on <= command.date {
                say("/reverseOn", Reason::DayNotAfter { day: command.date });
            }
        }
        Event::Loan { account, .. } => {
            if !LOANS.contains(account) {
                say("/account", Reason::UnknownAccount);
            }
        }
        Event::LoanRepayment { principal, interest, .. } => {
            let loan = read(tx, cx, SourceType::Loan, command.parent_id.unwrap_or_default())?;
            if (*principal + *interest).is_zero() {
                say("/principal", out_of_range());
            } else if *principal > loan.owed() {
                say(
                    "/principal",
                    Reason::ExceedsLoan { asked: *principal, remaining: loan.owed() },
                );
            }
            if command.date < loan.stored.date {
                say("/date", Reason::DayBefore { day: loan.stored.date });
            }
        }
    }
    Ok(faults)
}

/// Validates private use. Under the small businesses scheme it is exempt, like sales of goods (art.
/// 25(1) Wet OB 1968). VAT on goods cannot exceed the high rate (art. 9).
fn private_use(
    tx: &mut Tx<'_>,
    books: &Books,
    on: Date,
    (kind, vat, base): (PrivateUseKind, Cents, Option<Cents>),
) -> Result<Vec<Fault>, Error> {
    let mut faults = Vec::new();
    let most = base.map(|base| VatRate::high_on(on).of(base));
    if let Some(most) = most.filter(|most| kind == PrivateUseKind::Goods && vat > *most) {
        faults.push(Fault::new("/vat", Reason::VatAboveHighRate { most }));
    }
    match vat_schemes::kor_in(tx, books, on)? {
        Some(since) if !vat.is_zero() => {
            faults.push(Fault::new("/vat", Reason::KorPrivateUse { since }));
        }
        Some(_) if base.is_none_or(Cents::is_zero) => {
            faults.push(Fault::new("/base", Reason::Required));
        }
        None if vat.is_zero() => faults.push(Fault::new("/vat", Reason::Required)),
        _ => {}
    }
    Ok(faults)
}

/// Whether an accrual of this kind can use this account: a revenue account for work to invoice, a
/// cost account for the other kinds.
#[must_use]
pub fn fits(kind: AccrualKind, account: AccountCode) -> bool {
    let class = if kind == AccrualKind::WorkToInvoice { Class::Revenue } else { Class::Cost };
    account.class() == Some(class)
}

/// Reason why manual entries cannot use an account.
pub(crate) fn unbookable(account: AccountCode) -> Option<Reason> {
    if !account.is_known() {
        Some(Reason::UnknownAccount)
    } else if chart::is_kept_by_program(account) {
        Some(Reason::KeptByProgram { account: account.to_string() })
    } else {
        None
    }
}

fn by_hand(postings: &[Posting]) -> Vec<Fault> {
    let mut faults = Vec::new();
    for (place, posting) in postings.iter().enumerate() {
        let path = format!("/lines/{place}/account");
        faults.extend(unbookable(posting.account()).map(|reason| Fault::new(path, reason)));
    }
    let sum = |side: fn(&Posting) -> Cents| postings.iter().map(side).sum::<Cents>();
    let (debit, credit) = (sum(Posting::debited), sum(Posting::credited));
    if debit != credit {
        faults.push(Fault::new("/lines", Reason::Unbalanced { debit, credit }));
    }
    faults
}

/// Checks the date of an opening balance: it may not be in the future, and no entry in force may be
/// dated before it.
fn opening_day(tx: &mut Tx<'_>, cx: &Context, on: Date) -> Result<Option<Fault>, Error> {
    let latest = cx.today();
    let reason = if on > latest {
        Some(Reason::OpeningTooLate { latest })
    } else {
        journal::first_day_before(tx, cx.actor.account, on)?
            .map(|first| Reason::BookedBeforeOpening { first })
    };
    Ok(reason.map(|reason| Fault::new("/date", reason)))
}

/// Whether an opening balance may include this account. Accounts whose balance is derived from
/// other records may not be included.
#[must_use]
pub fn may_open_with(account: AccountCode) -> bool {
    !chart::is_kept_by_program(account) && account != codes::EQUITY
}

/// Accounts that cannot have a debit balance in the opening balance: loans and accumulated
/// depreciation.
const ALWAYS_CREDITED: [AccountCode; 5] = [
    codes::ACCUMULATED_AMORTISATION,
    codes::ACCUMULATED_DEPRECIATION,
    codes::ACCUMULATED_CAR_DEPRECIATION,
    codes::BANK_LOAN,
    codes::OTHER_LOANS,
];

/// Validates the lines of an opening balance: at most one per account, and none for the owner's
/// equity (the balancing item), receivables or payables (both derived from the open items).
fn opening_balance(balances: &[(AccountCode, Cents)], items: &[NewOpenItem]) -> Vec<Fault> {
    let mut faults = Vec::new();
    if balances.is_empty() && items.is_empty() {
        faults.push(Fault::new("/balances", Reason::TooFew { least: 1 }));
    }
    for (place, (account, amount)) in balances.iter().enumerate() {
        if ALWAYS_CREDITED.contains(account) && *amount > Cents::ZERO {
            let reason = Reason::BalanceOfOtherSide { account: account.to_string() };
            faults.push(Fault::new(format!("/balances/{place}/amount"), reason));
        }
        let path = format!("/balances/{place}/account");
        if !account.is_known() {
            faults.push(Fault::new(path, Reason::UnknownAccount));
        } else if [codes::RECEIVABLES, codes::PAYABLES].contains(account) {
            faults.push(Fault::new(path, Reason::FromOpenItems { account: account.to_string() }));
        } else if !may_open_with(*account) {
            faults.push(Fault::new(path, Reason::KeptByProgram { account: account.to_string() }));
        } else if balances[..place].iter().any(|(before, _)| before == account) {
            faults.push(Fault::new(path, Reason::AccountTwice { account: account.to_string() }));
        }
    }
    faults
}

/// Returns the opening balance of the books, unless it was undone.
///
/// # Errors
/// The storage failed.
pub fn opening(tx: &mut Tx<'_>, cx: &Context) -> Result<Option<EventDetails>, Error> {
    let page = list(tx, cx, SourceType::OpeningBalance, None, &SyncFilter::default(), i64::MAX, 1)?;
    Ok(page.rows.into_iter().find(|of| of.stored.undone_at.is_none()))
}

/// Undoes an event: each of its entries is reversed on the date of that entry. Undoing an opening
/// balance also reverses its open items.
///
/// # Errors
/// The account is not Dutch; the event does not exist, was already undone or has repayments; one of
/// its open items was paid or written off; or the VAT return of its period was filed and `if_filed`
/// does not allow a correction.
pub fn undo(
    tx: &mut Tx<'_>,
    cx: &Context,
    event: (SourceType, i64),
    if_filed: IfFiled,
) -> Result<EventDetails, Error> {
    undo_on(tx, cx, event, None, if_filed)
}

/// Undoes an event like [`undo`], on `on`, which is not before any of its entries.
pub(crate) fn undo_on(
    tx: &mut Tx<'_>,
    cx: &Context,
    (kind, id): (SourceType, i64),
    on: Option<Date>,
    if_filed: IfFiled,
) -> Result<EventDetails, Error> {
    context::transact(tx, cx, |tx, books, cx| {
        cx.actor.require_dutch()?;
        let before = read(tx, cx, kind, id)?;
        if before.stored.undone_at.is_some() {
            return Err(BookingError::AlreadyUndone.into());
        }
        if rows::has_parts(tx, cx.actor.account, id)? {
            return Err(BookingError::HasParts.into());
        }
        open_items::require_untouched(tx, cx.actor.account, &before.open_items)?;
        for own in to_take_back(tx, cx, &before)? {
            corrections::reverse_on(tx, books, cx, own, on, if_filed)?;
        }
        open_items::close(tx, books, cx, &before.open_items)?;
        rows::undo(tx, cx.actor.account, id, cx.now())?;
        if let Some(parent) = before.stored.parent_id {
            rows::touch(tx, cx.actor.account, parent, cx.now())?;
        }
        read(tx, cx, kind, id)
    })
}

/// Returns the entries to reverse in order to undo an event. For private use these are only the
/// entries in force: earlier ones may have been reversed and booked again when a filed period was
/// reopened.
fn to_take_back(
    tx: &mut Tx<'_>,
    cx: &Context,
    event: &EventDetails,
) -> Result<Vec<(Source, i64)>, Error> {
    let mut own: Vec<(Source, i64)> =
        event.entries.iter().map(|stored| (stored.entry.source(), stored.id)).collect();
    if matches!(&event.stored.event, Event::PrivateUse { .. }) {
        let ids: Vec<i64> = own.iter().map(|(_, id)| *id).collect();
        let standing = corrections::not_taken_back(tx, cx.actor.account, &ids)?;
        own.retain(|(_, id)| standing.contains(id));
    }
    Ok(own)
}

/// Undoes the event to which an entry belongs.
///
/// # Errors
/// The entry does not exist, or belongs to a document, which can only be undone as a whole.
/// Otherwise the errors are those of [`undo`].
pub fn reverse(
    tx: &mut Tx<'_>,
    cx: &Context,
    entry_id: i64,
    if_filed: IfFiled,
) -> Result<EventDetails, Error> {
    let entry = super::entries::read(tx, cx, entry_id)?;
    let event = event_of(tx, cx, &entry)?.ok_or(BookingError::HasDocument)?;
    undo(tx, cx, (event.event.source_type(), event.id), if_filed)
}

/// Returns the event to which an entry belongs, if any.
///
/// # Errors
/// The storage failed.
pub fn event_of(
    tx: &mut Tx<'_>,
    cx: &Context,
    entry: &StoredEntry,
) -> Result<Option<StoredEvent>, Error> {
    let source = entry.entry.source();
    Ok(rows::by_id(tx, cx.actor.account, source.kind, source.id)?)
}

/// Lists the events of a kind with an id below `before`, newest first, optionally only those with
/// the given parent.
///
/// # Errors
/// The storage failed.
pub fn list(
    tx: &mut Tx<'_>,
    cx: &Context,
    kind: SourceType,
    parent: Option<i64>,
    filter: &SyncFilter,
    before: i64,
    limit: i64,
) -> Result<Page<EventDetails>, Error> {
    let page = rows::list(tx, cx.actor.account, kind, parent, filter, before, limit)?;
    Ok(Page { rows: with_entries(tx, cx, kind, page.rows)?, more: page.more })
}

/// Page of a list of events, with sums over the complete list for each event variant.
#[derive(Debug, Clone)]
pub struct EventTable {
    /// Events on the page.
    pub rows: Vec<EventDetails>,
    /// Sums over the complete list.
    pub sums: Vec<EventSums>,
}

/// Lists the events of a kind that match a filter.
///
/// # Errors
/// The storage failed.
pub fn table(
    tx: &mut Tx<'_>,
    cx: &Context,
    kind: SourceType,
    filter: &ListFilter,
    part: ListPart,
) -> Result<EventTable, Error> {
    let stored = rows::table(tx, cx.actor.account, kind, filter, part)?;
    let sums = rows::sums(tx, cx.actor.account, kind, filter)?;
    Ok(EventTable { rows: with_entries(tx, cx, kind, stored)?, sums })
}

/// Returns an event by its id.
///
/// # Errors
/// There is no such event of that kind in this account.
pub fn read(
    tx: &mut Tx<'_>,
    cx: &Context,
    kind: SourceType,
    id: i64,
) -> Result<EventDetails, Error> {
    let stored = rows::by_id(tx, cx.actor.account, kind, id)?.ok_or(Error::NotFound(name(kind)))?;
    with_entries(tx, cx, kind, vec![stored])?.pop().ok_or(Error::NotFound(name(kind)))
}

/// Returns the event with the given external id, if there is one.
///
/// # Errors
/// The storage failed.
pub fn find_by_external_id(
    tx: &mut Tx<'_>,
    cx: &Context,
    kind: SourceType,
    external_id: Option<&str>,
) -> Result<Option<EventDetails>, Error> {
    let Some(external_id) = external_id else { return Ok(None) };
    match rows::by_external_id(tx, cx.actor.account, kind, external_id)? {
        Some(stored) => Ok(with_entries(tx, cx, kind, vec![stored])?.pop()),
        None => Ok(None),
    }
}

fn with_entries(
    tx: &mut Tx<'_>,
    cx: &Context,
    kind: SourceType,
    events: Vec<StoredEvent>,
) -> Result<Vec<EventDetails>, Error> {
    if events.is_empty() {
        return Ok(Vec::new());
    }
    let ids: Vec<i64> = events.iter().map(|event| event.id).collect();
    let mut entries: HashMap<i64, Vec<StoredEntry>> = HashMap::new();
    for (event, entry) in ledger_cards::entries_of(tx, cx.actor.account, kind, &ids)? {
        entries.entry(event).or_default().push(entry);
    }
    let mut open_items: HashMap<i64, Vec<OpenItemDetails>> = HashMap::new();
    if kind == SourceType::OpeningBalance {
        let items = open_items::of(tx, cx, &ids)?;
        for (event, entry) in open_items::entries(tx, cx.actor.account, &items)? {
            entries.entry(event).or_default().push(entry);
        }
        entries.values_mut().for_each(|entries| entries.sort_by_key(|stored| stored.id));
        for item in items {
            open_items.entry(item.item.event_id).or_default().push(item);
        }
    }
    let repaid: HashMap<i64, Cents> = match kind {
        SourceType::Loan => rows::repaid(tx, cx.actor.account, &ids)?.into_iter().collect(),
        _ => HashMap::new(),
    };
    let today = cx.today();
    let unusual = |stored: &StoredEvent| {
        let reason = stored.date_unusual.filter(|_| stored.undone_at.is_none());
        days::reported(reason, stored.date, stored.created_at, today)
    };
    let details = |stored: StoredEvent| EventDetails {
        unusual: unusual(&stored),
        is_too_early: is_too_early(cx, &stored),
        entries: entries.remove(&stored.id).unwrap_or_default(),
        repaid: repaid.get(&stored.id).copied().unwrap_or_default(),
        open_items: open_items.remove(&stored.id).unwrap_or_default(),
        stored,
    };
    Ok(events.into_iter().map(details).collect())
}

/// Whether an event is private use with VAT that is not undone and is dated before the last VAT
/// period of its year. Private use of a car is a service, whose VAT is due on the last day of the
/// book year (art. 13(4) Wet OB 1968); goods are declared with it.
fn is_too_early(cx: &Context, stored: &StoredEvent) -> bool {
    let units = &cx.actor.vat_units;
    let last = civil::date(stored.date.year(), 12, 31);
    matches!(&stored.event, Event::PrivateUse { vat, .. } if !vat.is_zero())
        && stored.undone_at.is_none()
        && units.period_of(stored.date) != units.period_of(last)
}

/// Returns the English name of a kind of event, for error messages.
#[must_use]
pub const fn name(kind: SourceType) -> &'static str {
    match kind {
        SourceType::Manual => "manual entry",
        SourceType::OpeningBalance => "opening balance",
        SourceType::Transfer => "transfer",
        SourceType::PrivateBooking => "private booking",
        SourceType::Accrual => "accrual",
        SourceType::Loan => "loan",
        SourceType::LoanRepayment => "repayment",
        SourceType::PrivateUse => "private use",
        _ => "event",
    }
}
