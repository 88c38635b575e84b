//! Fields of the allocations in the form that books a bank line.

use crate::frame::lines::Lines;
use service::bank_booking::MOST_ALLOCATIONS;

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
        ("correction", ""),
    ],
    content: &["kind", "amount"],
    least: 1,
    most: MOST_ALLOCATIONS + 1,
};
