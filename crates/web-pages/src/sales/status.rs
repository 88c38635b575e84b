//! Short description of an invoice's status.

use crate::{
    context::PageContext,
    html::{self, Html},
};
use jiff::civil::Date;
use ledger::money::Cents;
use service::invoices::{amount_due, balance, is_paid};
use store::invoices::{Invoice, InvoiceKind, Status};

/// Status as shown by a badge.
pub(super) struct State {
    /// Tone of the badge.
    pub(super) tone: &'static str,
    /// Text of the badge.
    pub(super) text: Html,
}

/// Whole days from one date to another.
fn days(from: Date, to: Date) -> i64 {
    i64::from((to - from).get_days())
}

/// Days by which an open invoice is overdue; `None` if it is not overdue.
pub(super) fn days_late(invoice: &Invoice, today: Date) -> Option<i64> {
    let is_open = invoice.kind == InvoiceKind::Invoice
        && invoice.status == Status::Sent
        && amount_due(invoice) > Cents::ZERO;
    Some(days(invoice.due_date, today)).filter(|days| is_open && *days > 0)
}

/// Status of a document on a date.
pub(super) fn of(page: &PageContext, invoice: &Invoice, today: Date) -> State {
    let texts = page.texts;
    let state = |tone, text: String| State { tone, text: Html::escaped(&text) };
    if invoice.kind == InvoiceKind::CreditNote {
        return state("plain", texts.t("invoice-state-credit-note").into());
    }
    if invoice.status == Status::Draft {
        return state("draft", texts.t("invoice-state-draft").into());
    }
    if invoice.status == Status::Cancelled {
        return state("plain", texts.t("invoice-state-cancelled").into());
    }
    if balance(invoice).is_negative() {
        let amount = html::money(texts, -balance(invoice));
        return State {
            tone: "warn",
            text: Html::of(page.rich("invoice-state-refund").with("amount", amount).to_string()),
        };
    }
    if amount_due(invoice).is_zero() && !invoice.amount_written_off.is_zero() {
        return state("plain", texts.t("invoice-state-written-off").into());
    }
    if is_paid(invoice) {
        if !invoice.total.is_zero() && invoice.amount_credited == invoice.total {
            return state("plain", texts.t("invoice-state-credited").into());
        }
        let day = page.day_and_month(invoice.paid_at.unwrap_or(invoice.invoice_date));
        return State {
            tone: "good",
            text: Html::of(page.rich("invoice-state-paid").with("day", day).to_string()),
        };
    }
    let remaining = days(today, invoice.due_date);
    let is_partly_paid = invoice.amount_paid > Cents::ZERO;
    match (remaining, is_partly_paid) {
        (..0, true) => {
            state("bad", texts.t("invoice-state-partly-late").with("days", &-remaining).into())
        }
        (..0, false) => {
            state("bad", texts.t("invoice-state-late").with("days", &-remaining).into())
        }
        (0, _) => state("", texts.t("invoice-state-today").into()),
        (_, true) => state("", texts.t("invoice-state-partly").with("days", &remaining).into()),
        (_, false) => state("", texts.t("invoice-state-open").with("days", &remaining).into()),
    }
}
