//! Suggestions of how to book bank lines: reading, accepting and refusing them.
//!
//! The crate `bank-suggestions` scores the facts that [`facts`] reads. A suggestion is accepted only
//! if the books still yield the same one, so that a booking never differs from what was shown.

mod facts;

use crate::{
    BankError, Context, Created, Error, Reason,
    bank_allocations::{Allocation, BookLine, LineBooking},
    bank_booking::{self, BookingSource},
    bank_lines::{self, EditLine, LineDetails},
    bank_repeats::RepeatedBooking,
    bank_rules::{scored, scored_part},
    bank_statements::{ImportedLine, LineOutcome},
    context,
    corrections::IfFiled,
};
use bank_suggestions::{Part, ReturnPeriod, Suggester, Target};
use ledger::{
    bank_line::{AllocationKind, LineState},
    payout::FeeVat,
    vat_period::VatPeriod,
};
use std::collections::BTreeMap;
use store::{
    Page, Tx,
    bank_allocations::BankAllocation,
    bank_lines::{BankLine, LineFilter},
    bank_suggestions as rows, books,
    expenses::{self, Expense},
    invoices::{self, Invoice},
    journal::{self, StoredEntry},
};

pub use crate::bank_allocations::Suggestion;
pub use bank_suggestions::{Characteristic, Charge, Reason as SuggestionReason, SuggestionId};

/// Returns a suggestion of [`LineDetails`] with the allocations of the command that books it.
#[must_use]
pub fn suggestion(of: &bank_suggestions::Suggestion) -> Option<Suggestion> {
    let allocations = of.allocations.iter().cloned().map(allocation);
    Some(Suggestion {
        id: of.id,
        is_certain: of.certain,
        allocations: allocations.collect::<Option<_>>()?,
        reasons: of.reasons.clone(),
    })
}

/// Returns the command's allocation; `None` for a stored booking that this version cannot read.
fn allocation(of: bank_suggestions::Allocation) -> Option<Allocation> {
    let booking = match of.target {
        Target::Invoice { invoice, overpayment } => {
            LineBooking::Invoice { invoice_id: invoice, keeps_surplus: overpayment }
        }
        Target::Refund { invoice } => LineBooking::Refund { invoice_id: invoice },
        Target::Bill { expense } => LineBooking::Bill { expense_id: expense },
        Target::Vat(None) => LineBooking::Vat { period: None, oss_period: None },
        Target::Vat(Some(ReturnPeriod::Vat(period))) => {
            LineBooking::Vat { period: Some(period), oss_period: None }
        }
        Target::Vat(Some(ReturnPeriod::Oss(quarter))) => {
            LineBooking::Vat { period: None, oss_period: Some(VatPeriod::from(quarter)) }
        }
        Target::Private(kind) => LineBooking::Private { kind, premium: None },
        Target::Transfer { bank_account, line, transfer: _ } => {
            LineBooking::Transfer { bank_account_id: bank_account, line_id: line }
        }
        Target::Payout { provider_account, fee } => LineBooking::Payout {
            provider_account: Some(provider_account),
            fee,
            fee_vat_treatment: FeeVat::None,
            fee_vat: None,
            provider: None,
        },
        Target::BankCosts => LineBooking::BankCosts,
        Target::Interest => LineBooking::Interest,
        Target::Ledger(account) => LineBooking::Ledger { account, description: None },
        Target::Existing { entry } => LineBooking::Existing { entry_id: entry },
        Target::Like(template) => RepeatedBooking::parse(&template.fields)?.allocation().booking,
    };
    Some(Allocation { amount: Some(of.amount), booking, if_filed: IfFiled::default() })
}

/// Returns the suggestions for each of these lines, the best first. A line that is booked or ignored
/// has none.
///
/// # Errors
/// The storage failed.
pub fn of_lines(
    tx: &mut Tx<'_>,
    cx: &Context,
    lines: &[BankLine],
) -> Result<Vec<Vec<Suggestion>>, Error> {
    let of_line = |scored: Vec<_>| scored.iter().filter_map(suggestion).collect();
    Ok(score(tx, cx, lines)?.into_iter().map(of_line).collect())
}

/// Scores what each of these lines may be booked as.
fn score(
    tx: &mut Tx<'_>,
    cx: &Context,
    lines: &[BankLine],
) -> Result<Vec<Vec<bank_suggestions::Suggestion>>, Error> {
    if !lines.iter().any(is_new) {
        return Ok(vec![Vec::new(); lines.len()]);
    }
    let refusals = rows::refusals(tx, cx.actor.account, lines)?;
    let suggester = Suggester::new(facts::read(tx, cx, lines)?);
    let of_line = |line: &BankLine| {
        if !is_new(line) {
            return Vec::new();
        }
        let refused = refusals.get(&line.id).into_iter().flatten();
        let refused: Vec<SuggestionId> = refused.filter_map(|id| SuggestionId::parse(id)).collect();
        let parts: Vec<Part<'_>> = line.parts.iter().map(scored_part).collect();
        let suggestions = suggester.suggest(&scored(line, &parts, &refused));
        suggestions.into_iter().filter(|of| suggestion(of).is_some()).collect()
    };
    Ok(lines.iter().map(of_line).collect())
}

fn is_new(line: &BankLine) -> bool {
    line.state == LineState::New
}

/// Returns lines with their suggestions.
///
/// # Errors
/// The storage failed.
pub fn with_suggestions(
    tx: &mut Tx<'_>,
    cx: &Context,
    mut lines: Vec<LineDetails>,
) -> Result<Vec<LineDetails>, Error> {
    let stored: Vec<BankLine> = lines.iter().map(|details| details.line.clone()).collect();
    let suggestions = score(tx, cx, &stored)?;
    for (details, suggestions) in lines.iter_mut().zip(suggestions) {
        details.suggestions = Some(suggestions);
    }
    Ok(lines)
}

/// Documents and entries that suggestions and bookings are about, by id.
#[derive(Debug, Clone, Default)]
pub struct SuggestedDocuments {
    /// Invoices.
    pub invoices: BTreeMap<i64, Invoice>,
    /// Bills and other expenses.
    pub bills: BTreeMap<i64, Expense>,
    /// Entries.
    pub entries: BTreeMap<i64, StoredEntry>,
}

impl SuggestedDocuments {
    fn add_invoice(&mut self, tx: &mut Tx<'_>, account: i64, id: i64) -> Result<(), Error> {
        if !self.invoices.contains_key(&id) {
            self.invoices.extend(invoices::by_id(tx, account, id)?.map(|of| (id, of)));
        }
        Ok(())
    }

    fn add_bill(&mut self, tx: &mut Tx<'_>, account: i64, id: i64) -> Result<(), Error> {
        if !self.bills.contains_key(&id) {
            self.bills.extend(expenses::by_id(tx, account, id)?.map(|of| (id, of)));
        }
        Ok(())
    }

    fn add_entry(&mut self, tx: &mut Tx<'_>, account: i64, id: i64) -> Result<(), Error> {
        if !self.entries.contains_key(&id) {
            self.entries.extend(journal::by_id(tx, account, id)?.map(|of| (id, of)));
        }
        Ok(())
    }
}

/// Reads the documents that suggestions settle, and the entries that they tie.
///
/// # Errors
/// The storage failed.
pub fn documents<'s>(
    tx: &mut Tx<'_>,
    cx: &Context,
    suggestions: impl IntoIterator<Item = &'s Suggestion>,
) -> Result<SuggestedDocuments, Error> {
    let account = cx.actor.account;
    let mut documents = SuggestedDocuments::default();
    for allocation in suggestions.into_iter().flat_map(|suggestion| &suggestion.allocations) {
        match allocation.booking {
            LineBooking::Invoice { invoice_id: id, .. }
            | LineBooking::Refund { invoice_id: id } => documents.add_invoice(tx, account, id)?,
            LineBooking::Bill { expense_id: id } => documents.add_bill(tx, account, id)?,
            LineBooking::Existing { entry_id: id } => documents.add_entry(tx, account, id)?,
            _ => {}
        }
    }
    Ok(documents)
}

/// Adds the documents that booked lines settle. A booking without a document that another line can
/// repeat has its words in its template; of other bookings, the first entry is read.
///
/// # Errors
/// The storage failed.
pub fn add_booked(
    tx: &mut Tx<'_>,
    cx: &Context,
    documents: &mut SuggestedDocuments,
    allocations: &[BankAllocation],
) -> Result<(), Error> {
    let account = cx.actor.account;
    for of in allocations {
        match (of.kind, of.parent_id) {
            (AllocationKind::Invoice | AllocationKind::Refund, Some(id)) => {
                documents.add_invoice(tx, account, id)?;
            }
            (AllocationKind::Bill | AllocationKind::Expense, Some(id)) => {
                documents.add_bill(tx, account, id)?;
            }
            (kind, _) if of.template.is_none() || kind == AllocationKind::Vat => {
                if let Some(entry) = of.entry_ids.first() {
                    documents.add_entry(tx, account, *entry)?;
                }
            }
            _ => {}
        }
    }
    Ok(())
}

/// Lists new lines that have a suggestion, or those that have none, with an id below `before`,
/// newest first.
///
/// # Errors
/// The account is not Dutch, or the storage failed.
pub fn list(
    tx: &mut Tx<'_>,
    cx: &Context,
    (filter, suggested): (&LineFilter, bool),
    before: i64,
    limit: i64,
) -> Result<Page<LineDetails>, Error> {
    if filter.state.is_some_and(|state| state != LineState::New) {
        return Ok(Page { rows: Vec::new(), more: false });
    }
    let filter = LineFilter { state: Some(LineState::New), ..filter.clone() };
    let wanted = usize::try_from(limit).unwrap_or(usize::MAX);
    let (mut before, mut rows) = (before, Vec::new());
    loop {
        let page = bank_lines::list(tx, cx, &filter, before, limit)?;
        let last = page.rows.last().map(|details| details.line.id);
        let lines = with_suggestions(tx, cx, page.rows)?.into_iter();
        let has_any = |of: &LineDetails| of.suggestions.as_ref().is_some_and(|of| !of.is_empty());
        rows.extend(lines.filter(|of| has_any(of) == suggested));
        match last {
            Some(last) if page.more && rows.len() <= wanted => before = last,
            _ => break,
        }
    }
    Ok(Page::of(rows, limit))
}

/// Returns a line with its suggestions.
///
/// # Errors
/// The account is not Dutch, or has no such line.
pub fn read(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<LineDetails, Error> {
    let details = bank_lines::read(tx, cx, id)?;
    with_suggestions(tx, cx, vec![details])?.pop().ok_or(Error::NotFound("bank line"))
}

/// Edits the remark of a line. `expected` checks the preconditions on the stored line with its
/// suggestions, as the caller saw it.
///
/// # Errors
/// The account is not Dutch; it has no such line; or the line has changed since the caller read it.
pub fn edit(
    tx: &mut Tx<'_>,
    cx: &Context,
    id: i64,
    command: &EditLine,
    expected: &dyn Fn(&LineDetails) -> bool,
) -> Result<LineDetails, Error> {
    context::transact(tx, cx, |tx, _, cx| {
        if !expected(&read(tx, cx, id)?) {
            return Err(Error::Changed);
        }
        bank_lines::set_note(tx, cx, id, command)
    })
}

/// Returns the best suggestion for each line of an import; a line that was here already, or that is
/// ignored, has none.
///
/// # Errors
/// The storage failed.
pub fn best(
    tx: &mut Tx<'_>,
    cx: &Context,
    lines: &[ImportedLine],
) -> Result<Vec<Option<Suggestion>>, Error> {
    let is_to_book =
        |of: &&ImportedLine| matches!(of.outcome, LineOutcome::New | LineOutcome::Doubtful);
    let new: Vec<BankLine> =
        lines.iter().filter(is_to_book).map(|imported| imported.line.clone()).collect();
    let mut suggestions = of_lines(tx, cx, &new)?.into_iter();
    let best = |of: &ImportedLine| {
        is_to_book(&of).then(|| suggestions.next()?.into_iter().next()).flatten()
    };
    Ok(lines.iter().map(best).collect())
}

/// Hides a suggestion on a line for good. The booking of earlier lines that it repeats counts one
/// time less.
///
/// # Errors
/// The account is not Dutch; it has no such line; the line is booked or ignored; or it has no such
/// suggestion.
pub fn refuse(
    tx: &mut Tx<'_>,
    cx: &Context,
    id: i64,
    suggestion: SuggestionId,
) -> Result<LineDetails, Error> {
    context::transact(tx, cx, |tx, _, cx| {
        let details = read(tx, cx, id)?;
        bank_lines::require_new(&details.line)?;
        let stored = std::slice::from_ref(&details.line);
        let refused = rows::refusals(tx, cx.actor.account, stored)?.remove(&id);
        let suggestion_id = suggestion.to_string();
        if refused.is_some_and(|ids| ids.contains(&suggestion_id)) {
            return Ok(details);
        }
        let shown: Vec<Suggestion> =
            details.suggestions.iter().flatten().filter_map(self::suggestion).collect();
        let shown = shown.into_iter().find(|shown| shown.id == suggestion);
        let unknown = || Error::fault("/suggestion", Reason::UnknownSuggestion);
        let shown = shown.ok_or_else(unknown)?;
        let is_learned =
            shown.reasons.iter().any(|of| matches!(of, SuggestionReason::Learned { .. }));
        let booking = shown.allocations.first().map(|of| &of.booking);
        let template = booking
            .filter(|_| is_learned)
            .and_then(RepeatedBooking::of)
            .map(|booking| booking.to_text());
        let refusal = rows::Refusal { line_id: id, suggestion: suggestion_id, template };
        rows::refuse(tx, cx.actor.account, &refusal)?;
        read(tx, cx, id)
    })
}

/// Books a line as a suggestion says. The same suggestion again returns the line as it is.
///
/// # Errors
/// The account is not Dutch; it has no such line; the line is booked otherwise or ignored; the books
/// no longer yield the suggestion; or the command of an allocation refuses it.
pub fn accept(
    tx: &mut Tx<'_>,
    cx: &Context,
    id: i64,
    suggestion: SuggestionId,
) -> Result<Created<LineDetails>, Error> {
    books::lock(tx, cx.actor.account)?;
    let details = bank_lines::read(tx, cx, id)?;
    let accepted = suggestion.to_string();
    if details.line.state == LineState::Booked && details.line.accepted.as_ref() == Some(&accepted)
    {
        return Ok(Created::Existing(details));
    }
    bank_lines::require_new(&details.line)?;
    let suggestions = of_lines(tx, cx, std::slice::from_ref(&details.line))?.pop();
    let shown = suggestions.into_iter().flatten().find(|shown| shown.id == suggestion);
    let shown = shown.ok_or(BankError::StaleSuggestion(id))?;
    let command = BookLine { external_id: None, allocations: shown.allocations };
    bank_booking::book_from(tx, cx, id, &command, &BookingSource::Suggestion(accepted))
}
