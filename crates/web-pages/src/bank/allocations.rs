//! Fields of the allocations in the form that books a bank line.

use super::rules::booking_fields;
use crate::{
    form::Form,
    frame::lines::{Line, Lines},
    page::Authenticated,
    purchases::usual_vat::{self, Filled},
};
use jiff::civil::Date;
use ledger::{bank_line::AllocationKind, event::PrivateKind};
use service::{
    bank_booking::{LineBooking, MOST_ALLOCATIONS},
    bank_repeats::RepeatedBooking,
    bank_suggestions::Suggestion,
};
use store::bank_lines::BankLine;

/// Form fields of the allocations of a line, and the number of allocations shown and allowed.
pub(super) const ALLOCATIONS: Lines = Lines {
    list: "allocations",
    fields: &[
        ("kind", ""),
        ("amount", ""),
        ("invoiceId", ""),
        ("overpayment", ""),
        ("expenseId", ""),
        ("vatPeriod", ""),
        ("ossPeriod", ""),
        ("privateKind", ""),
        ("premium", ""),
        ("bankAccountId", ""),
        ("lineId", ""),
        ("providerAccountId", ""),
        ("fee", ""),
        ("feeVatTreatment", ""),
        ("feeVat", ""),
        ("provider", ""),
        ("account", ""),
        ("loanId", ""),
        ("interest", ""),
        ("description", ""),
        ("entryId", ""),
        ("supplier", ""),
        ("contactId", ""),
        ("date", ""),
        ("businessShare", ""),
        ("items.0.category", ""),
        ("items.0.vatRate", ""),
        ("items.0.vatProposed", ""),
        ("items.0.vatProposal", ""),
        ("items.0.vatTreatment", ""),
        ("items.0.includesVat", ""),
        ("items.0.vat", ""),
        ("correction", ""),
    ],
    content: &["kind", "amount"],
    least: 1,
    most: MOST_ALLOCATIONS + 1,
};

/// Beginning of the names of the fields of an expense, and its date; by default `day`.
fn expense_of(form: &Form, of: &Line, day: Date) -> (String, Date) {
    let on = i18n::read_date(form.value(&of.field("date"))).unwrap_or(day);
    (of.field("items.0"), on)
}

/// Gives untouched expenses the usual VAT rate of their category. `day` is the date of an expense
/// that has none.
pub(super) fn with_usual_rates(form: &Form, day: Date) -> Filled {
    let is_expense = |of: &Line| form.has(&of.field("kind"), AllocationKind::Expense.as_str());
    let expenses = ALLOCATIONS.of(form).into_iter().filter(is_expense);
    usual_vat::fill(form, expenses.map(|of| expense_of(form, &of, day)))
}

/// Form in which a kind that was just chosen is filled in from the suggestion of this kind, and an
/// expense also from the line.
pub(super) fn prefilled(
    page: &Authenticated,
    form: &Form,
    line: &BankLine,
    suggestions: &[Suggestion],
) -> Form {
    let is_chosen = |of: &Line| {
        form.value(&of.field("kind")) == AllocationKind::Expense.as_str()
            && form.value(&of.field("items.0.vatTreatment")).is_empty()
    };
    let values = [
        ("supplier", line.name.clone().unwrap_or_default()),
        ("date", line.date.to_string()),
        ("businessShare", "100".to_owned()),
        ("items.0.vatTreatment", "normal".to_owned()),
        // What is paid includes the VAT.
        ("items.0.includesVat", "true".to_owned()),
    ];
    let chosen: Vec<Line> = ALLOCATIONS.of(form).into_iter().filter(is_chosen).collect();
    let fields =
        chosen.iter().flat_map(|of| values.clone().map(|(name, value)| (of.field(name), value)));
    let filled = fields.fold(suggested(page, form, line, suggestions), |form, (name, value)| {
        if form.value(&name).is_empty() { form.with(&name, value) } else { form }
    });
    // A suggestion with another rate is one that a person chose before.
    let is_usual = |of: &&Line| {
        let (begin, on) = expense_of(&filled, of, line.date);
        usual_vat::is_usual(&filled, &begin, on)
    };
    let proposed = chosen.iter().filter(is_usual).map(|of| of.field("items.0.vatProposed"));
    let marked = proposed.fold(filled.clone(), |form, name| form.with(&name, "true"));
    with_usual_rates(&marked, line.date).marked()
}

/// Form of a kind that a link chose, with the fields of the first suggestion of this kind, or the
/// usual ones.
fn suggested(
    page: &Authenticated,
    form: &Form,
    line: &BankLine,
    suggestions: &[Suggestion],
) -> Form {
    let allocations = ALLOCATIONS.of(form);
    let [only] = allocations.as_slice() else { return form.clone() };
    // A form that was sent keeps its fields, as does a choice with fields of its own.
    if form.is_given("action") || form.is_given(&only.field("account")) {
        return form.clone();
    }
    let kind = form.value(&only.field("kind")).to_owned();
    let is_twice = form.is_given(&only.field("overpayment"));
    let is_chosen = |booking: &LineBooking| {
        let keeps_surplus = matches!(booking, LineBooking::Invoice { keeps_surplus: true, .. });
        booking.kind().as_str() == kind && (keeps_surplus || !is_twice)
    };
    let of_kind =
        suggestions.iter().find_map(|suggestion| match suggestion.allocations.as_slice() {
            [of] if is_chosen(&of.booking) => Some(&of.booking),
            _ => None,
        });
    let id = |name: &'static str, id: i64| vec![(name, id.to_string())];
    let fields = match of_kind {
        // Private money that comes in is a deposit, unless the person says otherwise.
        None if kind == AllocationKind::Private.as_str() && !line.amount.is_negative() => {
            vec![("privateKind", PrivateKind::Deposit.as_str().to_owned())]
        }
        None => Vec::new(),
        Some(LineBooking::Invoice { invoice_id, .. } | LineBooking::Refund { invoice_id }) => {
            id("invoiceId", *invoice_id)
        }
        Some(LineBooking::Bill { expense_id }) => id("expenseId", *expense_id),
        Some(LineBooking::Existing { entry_id }) => id("entryId", *entry_id),
        Some(LineBooking::Vat { period: Some(period), .. }) => {
            vec![("vatPeriod", period.to_string())]
        }
        Some(booking) => {
            let repeated = RepeatedBooking::of(booking);
            let fields = repeated.iter().flat_map(|booking| booking_fields(page, booking));
            let below =
                |(name, value): (&'static str, String)| Some((name.strip_prefix("then.")?, value));
            fields.filter_map(below).filter(|(name, _)| *name != "kind").collect()
        }
    };
    let fields = fields.into_iter().filter(|(_, value)| !value.is_empty());
    fields.fold(form.clone(), |form, (name, value)| form.with(&only.field(name), value))
}
