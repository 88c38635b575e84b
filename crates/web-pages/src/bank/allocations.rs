//! Fields of the allocations in the form that books a bank line.

use crate::{
    form::Form,
    frame::lines::{Line, Lines},
};
use ledger::bank_line::AllocationKind;
use service::bank_booking::MOST_ALLOCATIONS;
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
        ("items.0.vatTreatment", ""),
        ("items.0.includesVat", ""),
        ("items.0.vat", ""),
        ("correction", ""),
    ],
    content: &["kind", "amount"],
    least: 1,
    most: MOST_ALLOCATIONS + 1,
};

/// Form in which an expense that was just chosen is filled in from the line.
pub(super) fn prefilled(form: &Form, line: &BankLine) -> Form {
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
    let chosen = ALLOCATIONS.of(form).into_iter().filter(is_chosen);
    let fields = chosen.flat_map(|of| values.clone().map(|(name, value)| (of.field(name), value)));
    fields.fold(form.clone(), |form, (name, value)| {
        if form.value(&name).is_empty() { form.with(&name, value) } else { form }
    })
}
