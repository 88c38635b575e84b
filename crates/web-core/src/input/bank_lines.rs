//! Input for lines of bank statements: the lines of a feed, and commands on a line.

use super::{
    AnyEuros, CalendarDate, Choice, Defaults, EXTERNAL_ID, EXTERNAL_ID_MEANING, EurosOrNothing,
    Fields, Flag, Integer, MultiLine, OneOf, Parsed, Presence, SignedEuros, SingleLine, if_filed,
    journal::NamedAccount,
    purchases::expense_of_bank_line,
    tax::{oss_period, vat_period},
    validated,
};
use crate::suggestions::Accepted;
use jiff::{
    ToSpan,
    civil::{Date, date},
};
use ledger::{
    bank_line::{AllocationKind, IgnoreReason, LineDirection},
    event::{PremiumKind, PrivateKind},
    identifiers::Iban,
    payout::FeeVat,
};
use serde_json::json;
use service::{
    Reason,
    bank_booking::{Allocation, BookLine, LineBooking, MOST_ALLOCATIONS},
    bank_lines::{EditLine, IgnoreLine},
    bank_repeats::RepeatedBooking,
    bank_rules::{EditRule, NewRule, RuleConditions, RuleOutcome},
    bank_statements::{SentLine, SentLines},
    bank_suggestions::SuggestionId,
};

/// Maximum number of lines in a body.
const MOST_LINES: usize = 2_000;
/// Maximum number of characters in a text.
const LONGEST_TEXT: usize = 1_000;
/// Maximum number of characters in a remark.
const LONGEST_NOTE: usize = 1_000;
/// First day that a line can have.
const FIRST_DAY: Date = date(2000, 1, 1);
const NOTE: &str = "Remark.";

/// Reads the lines of a feed.
pub fn sent_lines(fields: &mut Fields<'_, '_>, today: Date) -> Parsed<SentLines> {
    let last = today.saturating_add(bank_files::limits::MOST_DAYS_AHEAD.days());
    let meaning = "Id of the bank account.";
    let bank_account_id = fields.required("bankAccountId", meaning, super::Integer(1, i64::MAX));
    let from = fields.required("from", "First day of the lines.", CalendarDate);
    let to = fields.required("to", "Last day of the lines.", CalendarDate);
    let opening = fields.optional("openingBalance", "Balance before the first line.", AnyEuros);
    let meaning =
        "Balance after the last line. With `openingBalance`, the lines must add up to it.";
    let closing = fields.optional("closingBalance", meaning, AnyEuros);
    let meaning = "Booked lines, in the order of the bank.";
    let lines = fields.list(
        "lines",
        meaning,
        Presence::Required,
        (0, MOST_LINES),
        Defaults::default(),
        |line| sent_line(line, last, from.zip(to)),
    );
    if from.zip(to).is_some_and(|(from, to)| to < from) {
        fields.fault("to", Reason::DayBefore { day: from.unwrap_or(to.unwrap_or(today)) });
    }
    let command = (|| {
        Some(SentLines {
            bank_account_id: bank_account_id?,
            from: from?,
            to: to?,
            opening,
            closing,
            lines: lines?,
        })
    })();
    Parsed::new(None, command)
}

fn sent_line(
    fields: &mut Fields<'_, '_>,
    last: Date,
    span: Option<(Date, Date)>,
) -> Option<SentLine> {
    let date = fields.required("date", "Day on which the bank booked it.", CalendarDate);
    if date.is_some_and(|date| date < FIRST_DAY || date > last) {
        fields.fault("date", Reason::LineDay { first: FIRST_DAY, last });
    } else if let Some((first, last)) = span.filter(|(from, to)| from <= to)
        && date.is_some_and(|date| date < first || date > last)
    {
        fields.fault("date", Reason::LineDay { first, last });
    }
    let amount = fields.required("amount", "Amount; negative if money went out.", AnyEuros);
    let meaning = "Day from which the amount counts for interest.";
    let value_date = fields.optional("valueDate", meaning, CalendarDate);
    let counterparty =
        fields.object("counterparty", "Counterparty.", Presence::Optional, |fields| {
            let name = fields.optional("name", "Name.", SingleLine(LONGEST_TEXT));
            let iban = validated(
                SingleLine(50),
                || json!({ "examples": ["NL91ABNA0417164300"] }),
                |text| Ok(Iban::parse(&text)?),
            );
            let iban = fields.optional("iban", "IBAN.", iban);
            (name, iban)
        });
    let (name, iban) = counterparty.unwrap_or_default();
    let text = fields.optional("text", "Remittance information.", SingleLine(LONGEST_TEXT));
    let end_to_end_id =
        fields.optional("endToEndId", "End-to-end id of the payer.", SingleLine(255));
    let bank_reference =
        fields.optional("bankReference", "Reference that the bank gave the line.", SingleLine(255));
    Some(SentLine {
        date: date?,
        value_date,
        amount: amount?,
        name,
        iban,
        text: text.unwrap_or_default(),
        end_to_end_id,
        bank_reference,
    })
}

/// Reads the fields for ignoring a line.
pub fn ignored_line(fields: &mut Fields<'_, '_>) -> Parsed<IgnoreLine> {
    let meaning = "`private`: private money that is booked elsewhere; `duplicate`: another line is \
                   the same payment.";
    let reason = fields.required("reason", meaning, OneOf(IgnoreReason::OF_CALLER));
    let note = fields.optional("note", NOTE, MultiLine(LONGEST_NOTE));
    Parsed::new(None, reason.map(|reason| IgnoreLine { reason, note }))
}

/// Reads the fields for booking a line.
pub fn booked_line(fields: &mut Fields<'_, '_>) -> Parsed<BookLine> {
    let external_id =
        fields.optional("externalId", "Your own identifier of the booking.", EXTERNAL_ID);
    let meaning = "Parts of the amount, which add up to the amount of the line without its sign.";
    let allocations = fields.list(
        "allocations",
        meaning,
        Presence::Required,
        (1, MOST_ALLOCATIONS),
        Defaults::default(),
        allocation,
    );
    let command =
        allocations.map(|allocations| BookLine { external_id: external_id.clone(), allocations });
    Parsed::new(external_id, command)
}

/// Reads an allocation: the fields that all have, and those of its kind.
fn allocation(fields: &mut Fields<'_, '_>) -> Option<Allocation> {
    let kind = fields.required("kind", "Kind of booking.", OneOf(AllocationKind::ALL));
    let meaning = "Amount in the direction of the line, negative against it. One allocation may leave \
                   it out and gets the rest.";
    let amount = fields.optional("amount", meaning, SignedEuros);
    let booking = booking(fields, kind, Purpose::OneLine);
    let if_filed = if_filed(fields);
    Some(Allocation { amount, booking: booking?, if_filed })
}

/// Fields of a suggestion that only some kinds of booking have; the other kinds accept null, so that
/// a suggestion can be sent back as it is.
const OF_SOME_KINDS: &[&str] = &[
    "account",
    "bankAccountId",
    "businessShare",
    "contactId",
    "description",
    "entryId",
    "expenseId",
    "fee",
    "feeVatTreatment",
    "interest",
    "invoiceId",
    "items",
    "lineId",
    "loanId",
    "ossPeriod",
    "overpayment",
    "premium",
    "privateKind",
    "providerAccountId",
    "reason",
    "supplier",
    "vatPeriod",
];

/// Fields of which a kind of booking needs one.
const NEEDED: [&str; 7] =
    ["account", "bankAccountId", "entryId", "expenseId", "invoiceId", "loanId", "privateKind"];

/// Purpose of a booking.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Purpose {
    /// It books one line.
    OneLine,
    /// A rule repeats it, without what differs from line to line: the other half, the VAT period.
    Rule,
}

/// Reads the fields of a kind of booking. A description has the fields of all kinds.
// Long: the fields of all kinds in order.
fn booking(
    fields: &mut Fields<'_, '_>,
    kind: Option<AllocationKind>,
    purpose: Purpose,
) -> Option<LineBooking> {
    use AllocationKind::{
        BankCosts, Bill, Existing, Expense, Interest, Invoice, Ledger, Loan, LoanRepayment, Payout,
        Private, Refund, Transfer, Vat,
    };
    let is_for = |kinds: &[AllocationKind]| kind.is_none_or(|kind| kinds.contains(&kind));
    let is_of_line = purpose == Purpose::OneLine;
    let absent = NEEDED.map(|name| (name, !fields.has(name)));
    let id = || Integer(1, i64::MAX);
    let mut read = |kinds: &[AllocationKind], name: &'static str, meaning: &str| {
        is_for(kinds).then(|| fields.optional(name, meaning, id())).flatten()
    };
    let meaning = "Id of the invoice; for `refund` also that of its credit note.";
    let invoice_id = read(&[Invoice, Refund], "invoiceId", meaning);
    let expense_id = read(&[Bill], "expenseId", "Id of the bill.");
    let bank_account_id = read(&[Transfer], "bankAccountId", "Id of the other bank account.");
    let meaning = "Id of the line of the other bank account. Without it, that line books the other half \
                   when it comes; if the other account has no statements, both halves are booked.";
    let line_id = if is_of_line { read(&[Transfer], "lineId", meaning) } else { None };
    let meaning = "Id of the account at the provider. Default: the default one.";
    let provider_account = read(&[Payout], "providerAccountId", meaning);
    let loan_id = read(&[LoanRepayment], "loanId", "Id of the loan.");
    let entry_id = read(&[Existing], "entryId", "Id of an entry that was booked before.");
    let meaning = "`keep` keeps the amount above the outstanding one for the customer.";
    let keeps = is_for(&[Invoice])
        .then(|| fields.optional("overpayment", meaning, Choice(&[("keep", true)])))
        .flatten();
    let meaning = "Period of the VAT return.";
    let has_period = is_of_line && is_for(&[Vat]);
    let period = has_period.then(|| fields.optional("vatPeriod", meaning, vat_period())).flatten();
    let meaning = "Quarter of the return of the Union scheme (OSS).";
    let oss_period =
        has_period.then(|| fields.optional("ossPeriod", meaning, oss_period())).flatten();
    let meaning = "Purpose of private money.";
    let private = is_for(&[Private])
        .then(|| fields.optional("privateKind", meaning, OneOf(PrivateKind::ALL)))
        .flatten();
    let premium = is_for(&[Private])
        .then(|| fields.optional("premium", "Kind of a premium.", OneOf(PremiumKind::ALL)))
        .flatten();
    let mut euros = |kinds: &[AllocationKind], name: &'static str, meaning: &str| {
        is_for(kinds).then(|| fields.optional(name, meaning, EurosOrNothing)).flatten()
    };
    let fee = euros(&[Payout], "fee", "Fee that the provider kept.").unwrap_or_default();
    let fee_vat = euros(&[Payout], "feeVat", "VAT on the fee.");
    let interest =
        euros(&[LoanRepayment], "interest", "Interest in the amount.").unwrap_or_default();
    let fee_vat_treatment = is_for(&[Payout])
        .then(|| {
            fields.optional("feeVatTreatment", "VAT treatment of the fee.", OneOf(FeeVat::ALL))
        })
        .flatten();
    let provider = is_for(&[Payout])
        .then(|| fields.optional("provider", "Name of the provider.", SingleLine(255)))
        .flatten();
    let account = is_for(&[Loan, Ledger])
        .then(|| fields.optional("account", "Code of the ledger account.", NamedAccount))
        .flatten();
    let description = is_for(&[Ledger])
        .then(|| fields.optional("description", "Description of the entry.", SingleLine(255)))
        .flatten();
    // An expense has required fields, which an unknown kind does not need.
    let is_expense = kind == Some(Expense) || fields.is_description();
    let expense = is_expense.then(|| expense_of_bank_line(fields)).flatten();
    fields.pass_nulls(OF_SOME_KINDS);
    let mut needed = |name: &'static str| {
        if absent.contains(&(name, true)) {
            fields.fault(name, Reason::Required);
        }
    };
    match kind? {
        Invoice | Refund => needed("invoiceId"),
        Bill => needed("expenseId"),
        Private => needed("privateKind"),
        Transfer => needed("bankAccountId"),
        Loan | Ledger => needed("account"),
        LoanRepayment => needed("loanId"),
        Existing => needed("entryId"),
        Expense | Vat | Payout | BankCosts | Interest => {}
    }
    Some(match kind? {
        Invoice => {
            LineBooking::Invoice { invoice_id: invoice_id?, keeps_surplus: keeps.unwrap_or(false) }
        }
        Refund => LineBooking::Refund { invoice_id: invoice_id? },
        Bill => LineBooking::Bill { expense_id: expense_id? },
        Expense => LineBooking::Expense(Box::new(expense?)),
        Vat => LineBooking::Vat { period, oss_period },
        Private => LineBooking::Private { kind: private?, premium },
        Transfer => LineBooking::Transfer { bank_account_id: bank_account_id?, line_id },
        Payout => LineBooking::Payout {
            provider_account,
            fee,
            fee_vat_treatment: fee_vat_treatment.unwrap_or(FeeVat::None),
            fee_vat,
            provider,
        },
        BankCosts => LineBooking::BankCosts,
        Interest => LineBooking::Interest,
        Loan => LineBooking::Loan { account: account? },
        LoanRepayment => LineBooking::LoanRepayment { loan_id: loan_id?, interest },
        Ledger => LineBooking::Ledger { account: account?, description },
        Existing => LineBooking::Existing { entry_id: entry_id? },
    })
}

/// Maximum number of suggestions that are accepted at once.
const MOST_ACCEPTED: usize = 100;

fn suggestion(fields: &mut Fields<'_, '_>) -> Option<SuggestionId> {
    let id = validated(
        SingleLine(64),
        || json!({ "examples": ["3f1c0a5e9d7b42868c1e5f0a9b7d3c21"] }),
        |text| SuggestionId::parse(&text).ok_or(Reason::NotASuggestion),
    );
    fields.required("suggestion", "Id of the suggestion.", id)
}

/// Reads the fields for refusing a suggestion.
pub fn refused_suggestion(fields: &mut Fields<'_, '_>) -> Parsed<SuggestionId> {
    Parsed::new(None, suggestion(fields))
}

/// Reads the suggestions to accept.
pub fn accepted_suggestions(fields: &mut Fields<'_, '_>) -> Parsed<Vec<Accepted>> {
    let accepted = fields.list(
        "lines",
        "Lines with the suggestions by which they are booked.",
        Presence::Required,
        (1, MOST_ACCEPTED),
        Defaults::default(),
        |fields| {
            let line_id = fields.required("lineId", "Id of the line.", Integer(1, i64::MAX));
            let suggestion = suggestion(fields);
            Some(Accepted { line_id: line_id?, suggestion: suggestion? })
        },
    );
    Parsed::new(None, accepted)
}

/// Maximum number of characters of a rule's name, and of a part of a name or text.
const LONGEST_RULE_TEXT: usize = 255;
const RULE_NAME: &str = "Name.";
const RULE_POSITION: &str = "Position: of the rules that fit a line, the lowest position decides. Default: after all others.";
const RULE_WHEN: &str = "Conditions, all of which must hold. At least one of `iban`, `creditorId`, `nameContains` and \
                         `textContains` is needed.";
const RULE_THEN: &str = "An allocation without amount, which books the whole line, or `{\"kind\": \"ignore\", \"reason\": …}`.";
const RULE_AUTOMATIC: &str =
    "Whether new lines are booked without asking. Preview the rule first. Default: false.";

fn rule_when(fields: &mut Fields<'_, '_>) -> Option<RuleConditions> {
    let meaning = "Id of the bank account.";
    let bank_account = fields.optional("bankAccountId", meaning, Integer(1, i64::MAX));
    let meaning = "Direction of the lines. Default: `any`.";
    let direction = fields.optional("direction", meaning, OneOf(LineDirection::ALL));
    let iban = validated(
        SingleLine(50),
        || json!({ "examples": ["NL91ABNA0417164300"] }),
        |text| Ok(Iban::parse(&text)?),
    );
    let iban = fields.optional("iban", "IBAN of the counterparty.", iban);
    let text = || SingleLine(LONGEST_RULE_TEXT);
    let meaning = "Creditor identifier of a direct debit.";
    let creditor_id = fields.optional("creditorId", meaning, text());
    let meaning = "Part of the counterparty’s name, without regard to case.";
    let name_contains = fields.optional("nameContains", meaning, text());
    let meaning = "Part of the text, without regard to case.";
    let text_contains = fields.optional("textContains", meaning, text());
    let meaning = "Minimum amount, without sign.";
    let amount_from = fields.optional("amountFrom", meaning, EurosOrNothing);
    let meaning = "Maximum amount, without sign.";
    let amount_to = fields.optional("amountTo", meaning, EurosOrNothing);
    Some(RuleConditions {
        bank_account,
        direction: direction.unwrap_or(LineDirection::Any),
        iban,
        creditor_id,
        name_contains,
        text_contains,
        amount_from,
        amount_to,
    })
}

/// Kinds of booking that a rule makes; `None` ignores the line.
const RULE_KINDS: &[(&str, Option<AllocationKind>)] = &[
    ("expense", Some(AllocationKind::Expense)),
    ("vat", Some(AllocationKind::Vat)),
    ("private", Some(AllocationKind::Private)),
    ("transfer", Some(AllocationKind::Transfer)),
    ("bankCosts", Some(AllocationKind::BankCosts)),
    ("interest", Some(AllocationKind::Interest)),
    ("loanRepayment", Some(AllocationKind::LoanRepayment)),
    ("ledger", Some(AllocationKind::Ledger)),
    ("ignore", None),
];

fn rule_then(fields: &mut Fields<'_, '_>) -> Option<RuleOutcome> {
    let kind = fields.required("kind", "Kind of booking.", Choice(RULE_KINDS));
    let reason = match kind {
        Some(Some(_)) => None,
        Some(None) => fields.required("reason", "Reason.", OneOf(IgnoreReason::OF_CALLER)),
        None => {
            fields.optional("reason", "Reason to ignore lines.", OneOf(IgnoreReason::OF_CALLER))
        }
    };
    if kind == Some(None) {
        fields.pass_nulls(OF_SOME_KINDS);
        return reason.map(RuleOutcome::Ignore);
    }
    let booking = booking(fields, kind.flatten(), Purpose::Rule)?;
    let repeated = RepeatedBooking::of(&booking);
    if repeated.is_none() {
        fields.fault("items", Reason::NotRepeatable);
    }
    repeated.map(RuleOutcome::Book)
}

/// Reads the fields of a new rule.
pub fn new_bank_rule(fields: &mut Fields<'_, '_>) -> Parsed<NewRule> {
    let external_id = fields.optional("externalId", EXTERNAL_ID_MEANING, EXTERNAL_ID);
    let name = fields.required("name", RULE_NAME, SingleLine(LONGEST_RULE_TEXT));
    let position = fields.optional("position", RULE_POSITION, Integer(0, i64::from(i32::MAX)));
    let when = fields.object("when", RULE_WHEN, Presence::Required, rule_when).flatten();
    let then = fields.object("then", RULE_THEN, Presence::Required, rule_then).flatten();
    let automatic = fields.optional("automatic", RULE_AUTOMATIC, Flag).unwrap_or(false);
    let command = (|| {
        Some(NewRule {
            external_id: external_id.clone(),
            name: name?,
            position,
            when: when?,
            then: then?,
            automatic,
        })
    })();
    Parsed::new(external_id, command)
}

/// Reads the fields for editing a rule; absent fields stay unchanged.
pub fn edited_bank_rule(fields: &mut Fields<'_, '_>) -> Parsed<EditRule> {
    let command = EditRule {
        external_id: fields.removable("externalId", "Your own identifier.", EXTERNAL_ID),
        name: fields.changeable("name", RULE_NAME, SingleLine(LONGEST_RULE_TEXT)),
        position: fields.changeable("position", RULE_POSITION, Integer(0, i64::from(i32::MAX))),
        when: fields.object("when", RULE_WHEN, Presence::Optional, rule_when).flatten(),
        then: fields.object("then", RULE_THEN, Presence::Optional, rule_then).flatten(),
        automatic: fields.optional("automatic", RULE_AUTOMATIC, Flag),
        archived: fields.optional(
            "status",
            "An archived rule is no longer applied.",
            Choice(RULE_STATUSES),
        ),
    };
    Parsed::new(None, Some(command))
}

/// States of a rule.
pub const RULE_STATUSES: &[(&str, bool)] = &[("active", false), ("archived", true)];

/// Reads the fields for editing a line.
pub fn edited_line(fields: &mut Fields<'_, '_>) -> Parsed<EditLine> {
    let note = fields.removable("note", NOTE, MultiLine(LONGEST_NOTE));
    Parsed::new(None, Some(EditLine { note }))
}
