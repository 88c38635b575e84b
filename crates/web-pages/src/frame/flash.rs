//! Flash messages: the result of a command, shown once at the top of the next page.
//!
//! The URL names the message (`?done=…`), and a cookie, deleted once the message has been shown,
//! authenticates it. A link or a reload therefore shows no message.

use crate::{
    context::PageContext,
    done::{DROPPED, Done, NOTHING_SAVED},
    html::{self, Rich},
    render::see_other,
};
use axum::{http::header, response::Response};

/// Splits a URL into the part up to and including `done=`, and the message.
fn split_done(location: &str) -> Option<(&str, &str)> {
    let start = location.find("?done=").or_else(|| location.find("&done="))?;
    Some(location.split_at(start + "?done=".len()))
}

impl PageContext {
    /// Sets the cookie for the flash message that the redirect's URL names.
    pub fn with_flash(&self, response: Response) -> Response {
        let location =
            response.headers().get(header::LOCATION).and_then(|location| location.to_str().ok());
        match location.and_then(split_done).map(|(_, what)| what.to_owned()) {
            Some(what) => self.with_done(response, &what),
            None => response,
        }
    }

    /// Redirects with the flash message in the URL: the message moves to the cookie, and only its
    /// code stays in the URL.
    pub fn see_with_flash(&self, location: &str) -> Response {
        match split_done(location) {
            Some((path, what)) => {
                let code = what.split('~').next().unwrap_or("");
                self.with_done(see_other(&format!("{path}{code}")), what)
            }
            None => see_other(location),
        }
    }

    /// Redirects to the result of the first submission, with a message that the new input was not
    /// saved.
    pub fn see_dropped(&self, location: &str) -> Response {
        let (path, code) = split_done(location)
            .map_or((location, ""), |(path, what)| (path, what.split('~').next().unwrap_or("")));
        self.with_done(see_other(&format!("{path}{code}")), DROPPED)
    }

    /// Redirects to a page that reports the result of a command, with a link to its entry and
    /// *Undo* if available.
    pub fn see_done(&self, path: &str, done: &Done) -> Response {
        let mark = if path.contains('?') { '&' } else { '?' };
        self.with_done(see_other(&format!("{path}{mark}done={}", done.code)), &done.encode())
    }

    /// Sets the message for the sign-in page that the submitted form was not processed.
    pub fn nothing_saved(&self, response: Response) -> Response {
        self.with_done(response, NOTHING_SAVED)
    }

    fn with_done(&self, mut response: Response, what: &str) -> Response {
        response.headers_mut().append(header::SET_COOKIE, self.app.cookies().done(what));
        response
    }

    /// Text of the flash message.
    // Long: one match over all messages.
    pub fn done(&self) -> Option<Rich<'static>> {
        let done = self.flash()?;
        let amount = html::money(self.texts, done.amount.unwrap_or_default());
        Some(match done.code.as_str() {
            "key-revoked" => self.rich("done-key-revoked"),
            "webhook-tested" => self.rich("done-webhook-tested"),
            "webhook-edited" => self.rich("done-webhook-edited"),
            "webhook-enabled" => self.rich("done-webhook-enabled"),
            "webhook-disabled" => self.rich("done-webhook-disabled"),
            "webhook-deleted" => self.rich("done-webhook-deleted"),
            "webhook-redelivered" => self.rich("done-webhook-redelivered"),
            "disconnected" => self.rich("done-disconnected"),
            "signed-out" => self.rich("done-signed-out"),
            "confirmed" => self.rich("done-confirmed"),
            "password-set" => self.rich("done-password-set"),
            "password-changed" => self.rich("done-password-changed"),
            DROPPED => self.rich("done-dropped"),
            "saved" => self.rich("done-saved"),
            "account-added" => self.rich("done-account-added"),
            "account-saved" => self.rich("done-account-saved"),
            "bank-account-created" => self.rich("done-bank-account-created"),
            "bank-account-saved" => self.rich("done-bank-account-saved"),
            "bank-account-archived" => self.rich("done-bank-account-archived"),
            "bank-account-restored" => self.rich("done-bank-account-restored"),
            "bank-statements-taken" => {
                self.rich("done-bank-statements-taken").with("count", &done.name)
            }
            "bank-statements-known" => self.rich("done-bank-statements-known"),
            "bank-statement-undone" => self.rich("done-bank-statement-undone"),
            "bank-mapping-saved" => self.rich("done-bank-mapping-saved"),
            "bank-mapping-deleted" => self.rich("done-bank-mapping-deleted"),
            "bank-line-booked" => self.rich("done-bank-line-booked").with("amount", amount),
            "bank-line-ignored" => self.rich("done-bank-line-ignored").with("amount", amount),
            "bank-line-undone" => self.rich("done-bank-line-undone").with("amount", amount),
            "bank-line-noted" => self.rich("done-bank-line-noted"),
            "bank-lines-accepted" => self
                .rich("done-bank-lines-accepted")
                .with("name", &done.name)
                .with("amount", amount),
            "bank-lines-partly" => self.rich("done-bank-lines-partly").with("name", &done.name),
            "bank-lines-none" => self.rich("done-bank-lines-none"),
            "bank-suggestion-refused" => self.rich("done-bank-suggestion-refused"),
            "bank-line-distinct" => self.rich("done-bank-line-distinct"),
            "bank-rule-created" => self.rich("done-bank-rule-created"),
            "bank-rule-saved" => self.rich("done-bank-rule-saved"),
            "bank-rule-automatic" => self.rich("done-bank-rule-automatic"),
            "bank-rule-manual" => self.rich("done-bank-rule-manual"),
            "bank-rule-archived" => self.rich("done-bank-rule-archived"),
            "bank-rule-restored" => self.rich("done-bank-rule-restored"),
            "session-ended" => self.rich("done-session-ended"),
            "sessions-ended" => self.rich("done-sessions-ended"),
            "email-mailed" => self.rich("done-email-mailed"),
            "email-changed" => self.rich("done-email-changed"),
            "second-factor-off" => self.rich("done-second-factor-off"),
            "closed" => self.rich("done-closed"),
            "invoice-created" => {
                self.rich("done-invoice-created").with("number", &done.name).with("amount", amount)
            }
            "vat-moved" => self.rich("done-vat-moved"),
            "invoice-sent" => {
                self.rich("done-invoice-sent").with("number", &done.name).with("amount", amount)
            }
            "invoice-edited" => {
                self.rich("done-invoice-edited").with("number", &done.name).with("amount", amount)
            }
            "invoice-copied" => {
                self.rich("done-invoice-copied").with("number", &done.name).with("amount", amount)
            }
            "invoice-not-a-draft" => {
                self.rich("done-invoice-not-a-draft").with("number", &done.name)
            }
            "invoice-is-draft" => self.rich("done-invoice-is-draft").with("number", &done.name),
            "invoice-is-cancelled" => {
                self.rich("done-invoice-is-cancelled").with("number", &done.name)
            }
            "invoice-is-credited" => {
                self.rich("done-invoice-is-credited").with("number", &done.name)
            }
            "invoice-is-credit-note" => {
                self.rich("done-invoice-is-credit-note").with("number", &done.name)
            }
            "credit-note-made" => {
                self.rich("done-credit-note-made").with("number", &done.name).with("amount", amount)
            }
            "quote-created" => {
                self.rich("done-quote-created").with("number", &done.name).with("amount", amount)
            }
            "quote-edited" => {
                self.rich("done-quote-edited").with("number", &done.name).with("amount", amount)
            }
            "quote-sent" => self.rich("done-quote-sent").with("number", &done.name),
            "quote-accepted" => self.rich("done-quote-accepted").with("number", &done.name),
            "quote-refused" => self.rich("done-quote-refused").with("number", &done.name),
            "quote-withdrawn" => self.rich("done-quote-withdrawn").with("number", &done.name),
            "quote-reopened" => self.rich("done-quote-reopened").with("number", &done.name),
            "quote-revised" => self.rich("done-quote-revised").with("number", &done.name),
            "quote-not-a-draft" => self.rich("done-quote-not-a-draft").with("number", &done.name),
            "quote-mailed" => self.rich("done-quote-mailed").with("name", &done.name),
            "link-renewed" => self.rich("done-link-renewed"),
            "link-withdrawn" => self.rich("done-link-withdrawn"),
            "reminders-sent" => self.rich("done-reminders-sent").with("name", &done.name),
            "reminders-stopped" => self.rich("done-reminders-stopped"),
            "reminders-resumed" => self.rich("done-reminders-resumed"),
            "recurring-created" => self.rich("done-recurring-created").with("name", &done.name),
            "recurring-edited" => self.rich("done-recurring-edited").with("name", &done.name),
            "recurring-paused" => self.rich("done-recurring-paused").with("name", &done.name),
            "recurring-resumed" => self.rich("done-recurring-resumed").with("name", &done.name),
            "recurring-ended" => self.rich("done-recurring-ended").with("name", &done.name),
            "recurring-ended-already" => {
                self.rich("done-recurring-ended-already").with("name", &done.name)
            }
            "occurrence-made" => self.rich("done-occurrence-made"),
            "occurrence-skipped" => self.rich("done-occurrence-skipped"),
            "batch-made" => self.rich("done-batch-made").with("amount", amount),
            "batch-cancelled" => self.rich("done-batch-cancelled"),
            "expense-recorded" => self.rich("done-expense-recorded").with("amount", amount),
            "expense-edited" => self.rich("done-expense-edited").with("amount", amount),
            "expense-undone" => self.rich("done-expense-undone").with("amount", amount),
            "expense-paid" => {
                self.rich("done-expense-paid").with("amount", amount).with("left", &done.name)
            }
            "expense-paid-whole" => self.rich("done-expense-paid-whole").with("amount", amount),
            "expense-payment-undone" => {
                self.rich("done-expense-payment-undone").with("amount", amount)
            }
            "expense-vat-repaid" => self.rich("done-expense-vat-repaid").with("amount", amount),
            "asset-taken-over" => self.rich("done-asset-taken-over").with("amount", amount),
            "asset-bought" => self.rich("done-asset-bought").with("amount", amount),
            "asset-vat-revised" => self.rich("done-asset-vat-revised"),
            "asset-depreciated" => self.rich("done-asset-depreciated").with("amount", amount),
            "asset-disposed" => self.rich("done-asset-disposed").with("amount", amount),
            "asset-nothing-booked" => self.rich("done-asset-nothing-booked"),
            "opening-made" => self.rich("done-opening-made"),
            "opening-undone" => self.rich("done-opening-undone"),
            "asset-last-undone" => self.rich("done-asset-last-undone").with("amount", amount),
            "asset-undone" => self.rich("done-asset-undone").with("amount", amount),
            "trip-recorded" => self.rich("done-trip-recorded").with("amount", amount),
            "trip-undone" => self.rich("done-trip-undone").with("amount", amount),
            "receipts-kept" => self.rich("done-receipts-kept"),
            "receipts-known" => self.rich("done-receipts-known"),
            "receipt-deleted" => self.rich("done-receipt-deleted"),
            "payment-recorded" => {
                self.rich("done-payment-recorded").with("amount", amount).with("left", &done.name)
            }
            "payment-settled" => self.rich("done-payment-settled").with("amount", amount),
            "vat-filed" => self.rich("done-vat-filed").with("amount", amount),
            "vat-reopened" => self.rich("done-vat-reopened"),
            "icp-filed" => self.rich("done-icp-filed"),
            "icp-reopened" => self.rich("done-icp-reopened"),
            "oss-registered" => self.rich("done-oss-registered"),
            "oss-filed" => self.rich("done-oss-filed"),
            "oss-reopened" => self.rich("done-oss-reopened"),
            "vat-number-changed" => self.rich("done-vat-number-changed"),
            "vat-number-undone" => self.rich("done-vat-number-undone"),
            "vat-paid" => self.rich("done-vat-paid").with("amount", amount),
            "vat-received" => self.rich("done-vat-received").with("amount", amount),
            "year-closed" => self.rich("done-year-closed"),
            "year-reopened" => self.rich("done-year-reopened"),
            "vat-revised" => self.rich("done-vat-revised").with("amount", amount),
            "vat-revision-undone" => self.rich("done-vat-revision-undone"),
            "step-done" => self.rich("done-step-done"),
            "step-undone" => self.rich("done-step-undone"),
            "vat-payment-undone" => self.rich("done-vat-payment-undone").with("amount", amount),
            "vat-refund-undone" => self.rich("done-vat-refund-undone").with("amount", amount),
            "invoice-mailed" => self.rich("done-invoice-mailed").with("name", &done.name),
            "invoice-reminded" => self.rich("done-invoice-reminded").with("name", &done.name),
            "entry-made" => self.rich("done-entry-made").with("amount", amount),
            "entry-reversed" => self.rich("done-entry-reversed").with("number", &done.name),
            "event-made" => self.rich("done-event-made").with("amount", amount),
            "event-undone" => self.rich("done-event-undone").with("amount", amount),
            "payment-undone" => self.rich("done-payment-undone").with("amount", amount),
            "refund-recorded" => self.rich("done-refund-recorded").with("amount", amount),
            "invoice-cancelled" => self.rich("done-invoice-cancelled").with("number", &done.name),
            "invoice-written-off" => self.rich("done-invoice-written-off").with("amount", amount),
            "write-off-undone" => self.rich("done-write-off-undone").with("amount", amount),
            "payout-recorded" => self.rich("done-payout-recorded").with("amount", amount),
            "payout-undone" => self.rich("done-payout-undone").with("amount", amount),
            "article-created" => self.rich("done-article-created"),
            "article-edited" => self.rich("done-article-edited"),
            "article-archived" => self.rich("done-article-archived"),
            "article-restored" => self.rich("done-article-restored"),
            "contact-created" => self.rich("done-contact-created"),
            "contact-edited" => self.rich("done-contact-edited"),
            "contact-archived" => self.rich("done-contact-archived"),
            "contact-restored" => self.rich("done-contact-restored"),
            "contact-merged" => self.rich("done-contact-merged"),
            "project-created" => self.rich("done-project-created"),
            "project-edited" => self.rich("done-project-edited"),
            "project-archived" => self.rich("done-project-archived"),
            "project-restored" => self.rich("done-project-restored"),
            "hours-invoiced" => self.rich("done-hours-invoiced"),
            "week-saved" => self.rich("done-week-saved"),
            "hours-saved" => self.rich("done-hours-saved"),
            "hours-deleted" => self.rich("done-hours-deleted"),
            "unfinished-kept" => self.rich("done-unfinished-kept"),
            "unfinished-restored" => self.rich("done-unfinished-restored"),
            "unfinished-discarded" => self.rich("done-unfinished-discarded"),
            "unfinished-undone" => self.rich("done-unfinished-undone"),
            "timer-started" => self.rich("done-timer-started"),
            "timer-stopped" => self.rich("done-timer-stopped"),
            "timer-discarded" => self.rich("done-timer-discarded"),
            _ => return None,
        })
    }

    /// Whether the message reports that nothing was saved.
    pub fn is_nothing_saved(&self) -> bool {
        self.flash().is_some_and(|done| done.code == NOTHING_SAVED)
    }

    /// Whether the message is about a new password. It then includes a link to API access, for a
    /// user who changed the password because someone else knew it.
    pub fn is_password_done(&self) -> bool {
        self.flash()
            .is_some_and(|done| matches!(done.code.as_str(), "password-changed" | "password-set"))
    }
}
