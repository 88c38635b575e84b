//! `/bank-lines`: lines of bank statements.

use super::bank_suggestions::SuggestionBody;
use crate::{
    body,
    moment::Moment,
    number::Amount,
    once,
    operation::{Answer, Operation},
    query::{self, Query},
    reply,
    resource::{Filter, Listed, Resource, Undoable},
    undoing::{Takes, Undoing},
};
use axum::{
    Extension,
    extract::{Path, Request, State},
    response::Response,
};
use jiff::civil::Date;
use ledger::bank_line::{AllocationKind, BookedBy, IgnoreReason, LineState};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{json, value::RawValue};
use service::{
    Context, Created, Error,
    bank_booking::{self, UndoLine},
    bank_lines::{self, LineDetails, LineWarning},
    bank_suggestions,
};
use store::{
    Page, Tx, Updated,
    bank_allocations::BankAllocation,
    bank_lines::{BankLine, LineFilter, LinePart, OriginalAmount},
};
use web_core::{
    AppState,
    catalogue::{
        ALREADY_BOOKED, ALREADY_UNDONE, CORRECTION_TOO_LARGE, HAS_PARTS, IS_A_CREDIT_NOTE,
        IS_A_DRAFT, LINE_IGNORED, NOT_BOOKED, NOT_FOUND, PERIOD_FILED, PRECONDITION_FAILED,
        ProblemKind, YEAR_CLOSED,
    },
    input::{
        self, Parsed, booked_line, edited_line, english, ignored_line, names_of, or_null,
        refused_suggestion,
    },
    problem::Problem,
};

/// A line of a bank statement.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "BankLine")]
pub(crate) struct BankLineBody<'a> {
    /// Id, unique within the account.
    id: i64,
    /// Id of the bank account.
    bank_account_id: i64,
    /// Day on which the bank booked it.
    date: Date,
    /// Day from which the amount counts for interest.
    value_date: Option<Date>,
    /// Amount; negative if money went out.
    amount: Amount,
    /// Balance of the bank account after the line.
    balance_after: Option<Amount>,
    /// Counterparty.
    counterparty: CounterpartyBody<'a>,
    /// Remittance information, or the bank's description.
    #[schemars(example = &"Factuur 2026-0028")]
    text: &'a str,
    /// Kind of transaction.
    #[schemars(extend("enum" = TYPES))]
    r#type: &'a str,
    /// End-to-end id of the payer.
    #[schemars(example = &"GB-28")]
    end_to_end_id: Option<&'a str>,
    /// Mandate of a direct debit.
    #[schemars(example = &"M-2026-1")]
    mandate_id: Option<&'a str>,
    /// Creditor identifier of a direct debit.
    #[schemars(example = &"NL98ZZZ999999990000")]
    creditor_id: Option<&'a str>,
    /// Reference that the bank gave the line.
    #[schemars(example = &"20261120-17")]
    bank_reference: Option<&'a str>,
    /// Structured payment reference of the payee.
    #[schemars(example = &"1234567890123456")]
    payment_reference: Option<&'a str>,
    /// Amount in another currency, before the bank converted it.
    original: Option<OriginalBody>,
    /// Payments of a batch that the bank booked as one line.
    parts: Vec<PartBody<'a>>,
    /// Reason of a returned payment (ISO 20022).
    #[schemars(example = &"MD06")]
    return_reason: Option<&'a str>,
    /// `new` until the line is booked or ignored.
    #[schemars(extend("enum" = names_of(LineState::ALL)))]
    state: &'static str,
    /// Reason why the line is ignored.
    #[schemars(extend("enum" = or_null(names_of(IgnoreReason::ALL))))]
    state_reason: Option<&'static str>,
    /// Bookings of the line.
    allocations: Vec<AllocationBody<'a>>,
    /// Kind of caller that booked the line.
    #[schemars(extend("enum" = or_null(names_of(BookedBy::ALL))))]
    booked_by: Option<&'static str>,
    /// Your own identifier of the booking.
    #[schemars(example = &"payment-7")]
    external_id: Option<&'a str>,
    /// Remark.
    #[schemars(example = &"Paid twice, will come back")]
    note: Option<&'a str>,
    /// Id of a line that may be the same payment.
    #[schemars(example = &5)]
    duplicate_of: Option<i64>,
    /// Id of the transfer of which the line is a half.
    #[schemars(example = &12)]
    transfer_id: Option<i64>,
    /// Warnings about the booking.
    warnings: Vec<WarningBody>,
    /// Ids of the uploads that contain the line.
    statement_ids: &'a [i64],
    /// Id of the rule that booked or ignored the line.
    rule_id: Option<i64>,
    /// Suggestions for a new line, the best first, at most 5; null unless the line is read alone or
    /// with `include=suggestions`.
    suggestions: Option<Vec<SuggestionBody>>,
    /// Time of the import.
    created_at: Moment,
    /// Time of the last change.
    updated_at: Moment,
}

/// Kinds of transactions.
const TYPES: [&str; 8] =
    ["transfer", "directDebit", "card", "ideal", "cash", "fee", "interest", "other"];

/// The counterparty of a line.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "BankCounterparty")]
pub(crate) struct CounterpartyBody<'a> {
    /// Name.
    #[schemars(example = &"Bakkerij De Korenaar")]
    name: Option<&'a str>,
    /// IBAN.
    #[schemars(example = &"NL91ABNA0417164300")]
    iban: Option<&'a str>,
}

impl<'a> CounterpartyBody<'a> {
    /// Returns the counterparty of a line.
    pub(crate) fn of(line: &'a BankLine) -> Self {
        Self { name: line.name.as_deref(), iban: line.iban.as_deref() }
    }
}

/// A warning about a booking that is legal, but probably wrong.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "BankLineWarning")]
struct WarningBody {
    /// `revenue_without_vat`. More codes may be added.
    #[schemars(example = &"revenue_without_vat")]
    code: &'static str,
    /// Explanation, with advice.
    #[schemars(example = &"revenue is booked without VAT, and in no box of the return")]
    message: &'static str,
}

impl From<LineWarning> for WarningBody {
    fn from(warning: LineWarning) -> Self {
        Self { code: warning.code(), message: english::bank_line_warning(warning) }
    }
}

/// An amount in another currency.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "OriginalAmount")]
struct OriginalBody {
    /// Amount without sign.
    #[schemars(with = "f64", example = &12.5)]
    amount: Option<Box<RawValue>>,
    /// Currency (ISO 4217).
    #[schemars(example = &"USD")]
    currency: String,
    /// Exchange rate as the bank states it.
    #[schemars(with = "Option<f64>", example = &1.0854)]
    rate: Option<Box<RawValue>>,
}

impl OriginalBody {
    fn of(original: &OriginalAmount) -> Self {
        // The text of a decimal is a JSON number.
        let number = |text: &String| RawValue::from_string(text.clone()).ok();
        Self {
            amount: number(&original.amount),
            currency: original.currency.clone(),
            rate: original.rate.as_ref().and_then(number),
        }
    }
}

/// A payment in a batch.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "BankLinePart")]
struct PartBody<'a> {
    /// Amount, with the sign of the line.
    amount: Option<Amount>,
    /// Counterparty.
    counterparty: CounterpartyBody<'a>,
    /// Remittance information.
    #[schemars(example = &"Factuur 2026-0028")]
    text: Option<&'a str>,
    /// End-to-end id of the payer.
    #[schemars(example = &"GB-28")]
    end_to_end_id: Option<&'a str>,
}

fn part(part: &LinePart) -> PartBody<'_> {
    PartBody {
        amount: part.amount.map(Amount),
        counterparty: CounterpartyBody { name: part.name.as_deref(), iban: part.iban.as_deref() },
        text: part.text.as_deref(),
        end_to_end_id: part.end_to_end_id.as_deref(),
    }
}

/// A booking of a part of a line.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "BankAllocation")]
struct AllocationBody<'a> {
    /// Kind of booking.
    #[schemars(extend("enum" = names_of(AllocationKind::ALL)))]
    kind: &'static str,
    /// Amount in the direction of the line; negative against it.
    amount: Amount,
    /// Invoice of a payment or refund.
    invoice_id: Option<i64>,
    /// Expense, or bill of a payment.
    expense_id: Option<i64>,
    /// Other bank account of a transfer.
    bank_account_id: Option<i64>,
    /// Id of the payment, payout, event or entry; null for an expense that was paid at once.
    target_id: Option<i64>,
    /// Ids of the journal entries.
    entry_ids: &'a [i64],
}

fn allocation(of: &BankAllocation) -> AllocationBody<'_> {
    use AllocationKind::{Bill, Expense, Invoice, Refund, Transfer};
    let parent = |kinds: &[AllocationKind]| of.parent_id.filter(|_| kinds.contains(&of.kind));
    AllocationBody {
        kind: of.kind.as_str(),
        amount: Amount(of.amount),
        invoice_id: parent(&[Invoice, Refund]),
        expense_id: parent(&[Bill, Expense]),
        bank_account_id: parent(&[Transfer]),
        target_id: of.target_id,
        entry_ids: &of.entry_ids,
    }
}

impl Resource for LineDetails {
    type Key = i64;
    type Body<'r> = BankLineBody<'r>;
    const PATH: &'static str = "/bank-lines/{id}";
    const NAME: &'static str = "bank line";
    const KIND: &'static str = "bankLine";

    fn key(&self) -> i64 {
        self.line.id
    }

    fn body(&self, cx: &Context) -> BankLineBody<'_> {
        let line = &self.line;
        BankLineBody {
            id: line.id,
            bank_account_id: line.bank_account_id,
            date: line.date,
            value_date: line.value_date,
            amount: Amount(line.amount),
            balance_after: line.balance_after.map(Amount),
            counterparty: CounterpartyBody::of(line),
            text: &line.text,
            r#type: &line.kind,
            end_to_end_id: line.end_to_end_id.as_deref(),
            mandate_id: line.mandate_id.as_deref(),
            creditor_id: line.creditor_id.as_deref(),
            bank_reference: line.bank_reference.as_deref(),
            payment_reference: line.payment_reference.as_deref(),
            original: line.original.as_ref().map(OriginalBody::of),
            parts: line.parts.iter().map(part).collect(),
            return_reason: line.return_reason.as_deref(),
            state: line.state.as_str(),
            state_reason: line.state_reason.map(IgnoreReason::as_str),
            allocations: self.allocations.iter().map(allocation).collect(),
            booked_by: line.booked_by.map(BookedBy::as_str),
            external_id: line.external_id.as_deref(),
            note: line.note.as_deref(),
            duplicate_of: line.duplicate_of,
            transfer_id: self.transfer_id,
            warnings: self.warnings().into_iter().map(WarningBody::from).collect(),
            statement_ids: &self.statement_ids,
            rule_id: line.rule_id.filter(|_| line.state != LineState::New),
            suggestions: self.suggestions.as_ref().map(|suggestions| {
                let shown = suggestions.iter().filter_map(bank_suggestions::suggestion);
                shown.map(|of| SuggestionBody::of(&of, cx)).collect()
            }),
            created_at: Moment(line.created_at),
            updated_at: Moment(line.updated_at),
        }
    }

    fn find(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<Self, Error> {
        bank_suggestions::read(tx, cx, id)
    }
}

/// Filter for the list of lines.
pub(crate) struct LinesFilter {
    filter: LineFilter,
    /// Whether the lines are returned with their suggestions.
    with_suggestions: bool,
    /// Only new lines with suggestions, or without.
    suggested: Option<bool>,
}

impl Filter for LinesFilter {
    fn read(query: &mut Query) -> Self {
        let states: Vec<(&'static str, LineState)> =
            LineState::ALL.iter().map(|state| (state.as_str(), *state)).collect();
        let filter = LineFilter {
            bank_account: query.integer(
                "bankAccountId",
                "Only lines of this bank account.",
                1,
                i64::MAX,
            ),
            state: query.choice("state", "Only lines in this state.", &states),
            days: (
                query.day("from", "Only lines of this day or later."),
                query.day("to", "Only lines of this day or earlier."),
            ),
            text: query.text(
                "q",
                "Words in the name, the IBAN, the text, a reference or the note.",
                200,
            ),
            amounts: (
                query.amount("amountFrom", "Only lines of this amount or more."),
                query.amount("amountTo", "Only lines of this amount or less."),
            ),
            iban: query.text("iban", "Only lines of the counterparty with this IBAN.", 34),
            statement: query.integer("statementId", "Only lines in this upload.", 1, i64::MAX),
            external_id: query.text(
                "externalId",
                "Only the line whose booking has this external identifier.",
                255,
            ),
            doubtful: query
                .flag("doubtful", "Only lines that may be others, or only lines that are not."),
            updated: query.updated(),
        };
        let meaning = "`suggestions` returns new lines with their suggestions.";
        let included = query.choices("include", meaning, &[("suggestions", ())]);
        let meaning = "Only new lines that have a suggestion, or only new lines that have none.";
        let suggested = query.flag("suggested", meaning);
        Self { filter, with_suggestions: included.is_some(), suggested }
    }

    fn updated(&self) -> Option<Updated> {
        self.filter.updated
    }
}

impl Listed for LineDetails {
    type Filter = LinesFilter;
    const NEWEST_FIRST: bool = true;

    fn list(
        tx: &mut Tx<'_>,
        cx: &Context,
        (): (),
        filter: &LinesFilter,
        before: i64,
        limit: i64,
    ) -> Result<Page<Self>, Error> {
        let Page { rows, more } = match filter.suggested {
            Some(suggested) => {
                bank_suggestions::list(tx, cx, (&filter.filter, suggested), before, limit)?
            }
            None => bank_lines::list(tx, cx, &filter.filter, before, limit)?,
        };
        let rows = if filter.with_suggestions {
            bank_suggestions::with_suggestions(tx, cx, rows)?
        } else {
            rows.into_iter().map(|of| LineDetails { suggestions: None, ..of }).collect()
        };
        Ok(Page { rows, more })
    }
}

impl Undoable for LineDetails {
    const TAKES: Takes = Takes::DayAndCorrection;

    fn undo(tx: &mut Tx<'_>, cx: &Context, id: i64, how: Undoing) -> Result<Self, Error> {
        bank_booking::undo(tx, cx, id, UndoLine { date: how.date, if_filed: how.if_filed })?;
        bank_suggestions::read(tx, cx, id)
    }
}

/// Problems of booking a line.
const BOOKING: &[&ProblemKind] = &[
    NOT_FOUND,
    ALREADY_BOOKED,
    LINE_IGNORED,
    IS_A_DRAFT,
    IS_A_CREDIT_NOTE,
    ALREADY_UNDONE,
    YEAR_CLOSED,
    PERIOD_FILED,
    CORRECTION_TOO_LARGE,
];

/// Problems of undoing a line.
const UNDOING: &[&ProblemKind] =
    &[NOT_FOUND, NOT_BOOKED, HAS_PARTS, YEAR_CLOSED, PERIOD_FILED, CORRECTION_TOO_LARGE];

async fn book(
    State(app): State<AppState>,
    Extension(cx): Extension<Context>,
    Path(id): Path<String>,
    request: Request,
) -> Result<Response, Problem> {
    let json = body::read(request).await?;
    let id = query::id(&id, LineDetails::NAME)?;
    let parsed = input::json(&json, booked_line);
    let account = cx.actor.account;
    let place = format!("/bank-lines/{id}/book");
    let creation = once::creation(account, "bankLineBooking", &place, &json);
    let caller = cx.clone();
    let show = move |outcome: Created<LineDetails>| {
        let is_repeat = matches!(outcome, Created::Existing(_));
        reply::changed(&outcome.into_inner().body(&caller)).repeating(is_repeat)
    };
    match parsed.command {
        Some(command) => {
            let command = move |tx: &mut Tx<'_>| bank_booking::book(tx, &cx, id, &command);
            once::create(&app, account, creation, command, show).await
        }
        None => {
            let known = move |tx: &mut Tx<'_>| {
                let details = bank_lines::read(tx, &cx, id)?;
                let has_it =
                    parsed.external_id.is_some() && details.line.external_id == parsed.external_id;
                let faults = || Error::Invalid(parsed.faults.clone());
                has_it.then_some(details).ok_or_else(faults)
            };
            once::existing(&app, account, creation, known, show).await
        }
    }
}

// Long: a table of operations.
pub(crate) fn operations() -> Vec<Operation> {
    vec![
        Operation::list_of::<LineDetails>("listBankLines")
            .says("List bank lines", "Newest first.")
            .for_dutch_accounts(),
        Operation::read_of::<LineDetails>("readBankLine")
            .says("Read a bank line", "")
            .for_dutch_accounts(),
        Operation::edit_by::<LineDetails, _>(
            "editBankLine",
            json!({ "note": "Paid twice, will come back" }),
            edited_line,
            bank_suggestions::edit,
        )
        .says("Update the note of a bank line", "Null removes it. The bank's values never change.")
        .or(&[NOT_FOUND, PRECONDITION_FAILED])
        .for_dutch_accounts(),
        Operation::act::<BankLineBody<'static>, _, _>(
            "/bank-lines/{id}/book",
            "bookBankLine",
            Answer::Changed,
            book,
        )
        .with_body(
            input::schema(booked_line),
            json!({ "externalId": "payment-7", "allocations": [{ "kind": "bankCosts" }] }),
        )
        .says(
            "Book a bank line",
            "Books a new line wholly: each allocation is a booking of its own, dated on the line and \
             on its bank account. Either all are booked, or none. The same `externalId` again \
             returns the line as it is; on another line it is taken.",
        )
        .or(BOOKING)
        .for_dutch_accounts(),
        Operation::act_on::<LineDetails, _>(
            "/bank-lines/{id}/ignore",
            "ignoreBankLine",
            json!({ "reason": "private" }),
            ignored_line,
            bank_lines::ignore,
        )
        .says("Ignore a bank line", "Leaves a new line out of the books.")
        .or(&[NOT_FOUND, ALREADY_BOOKED, LINE_IGNORED])
        .for_dutch_accounts(),
        Operation::undo_of::<LineDetails>("/bank-lines/{id}/undo", "undoBankLine")
            .says(
                "Undo a bank line",
                "Makes a booked or ignored line new again. All its bookings are undone, or none; \
                 undoing one half of a transfer undoes both. All are reversed on `date`, by default \
                 each entry on its own date; a line of a closed year is undone on a day in an open \
                 one.",
            )
            .or(UNDOING)
            .for_dutch_accounts(),
        Operation::act_on::<LineDetails, _>(
            "/bank-lines/{id}/refuse",
            "refuseBankSuggestion",
            json!({ "suggestion": "3f1c0a5e9d7b42868c1e5f0a9b7d3c21" }),
            refused_suggestion,
            |tx, cx, id, suggestion| bank_suggestions::refuse(tx, cx, id, *suggestion),
        )
        .says(
            "Refuse a suggestion for a bank line",
            "Hides the suggestion on this line. The line stays new.",
        )
        .or(&[NOT_FOUND, ALREADY_BOOKED, LINE_IGNORED])
        .for_dutch_accounts(),
        Operation::act_on::<LineDetails, ()>(
            "/bank-lines/{id}/distinct",
            "distinctBankLine",
            json!({}),
            |_| Parsed::new(None, Some(())),
            |tx, cx, id, ()| {
                bank_lines::distinct(tx, cx, id)?;
                bank_suggestions::read(tx, cx, id)
            },
        )
        .says(
            "Declare a bank line a payment of its own",
            "Clears `duplicateOf` of a line that resembles another one.",
        )
        .or_without_body()
        .or(&[NOT_FOUND])
        .for_dutch_accounts(),
    ]
}
