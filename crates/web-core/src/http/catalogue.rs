//! All problem codes of the API in one table, from which responses, pages and documentation are
//! derived.

use crate::input::english;
use service::invoices::Warning;
use std::fmt::Write as _;

/// A kind of problem (RFC 9457).
#[derive(Debug, PartialEq, Eq)]
pub struct ProblemKind {
    /// Stable code in `snake_case`.
    pub code: &'static str,
    /// HTTP status.
    pub status: u16,
    /// Title, the same for every occurrence.
    pub title: &'static str,
    /// Cause and remedy.
    pub meaning: &'static str,
}

macro_rules! catalogue {
    ($($name:ident = $status:literal $code:literal $title:literal $meaning:literal;)*) => {
        $(#[doc = $title]
        pub const $name: &ProblemKind =
            &ProblemKind { code: $code, status: $status, title: $title, meaning: $meaning };)*

        /// All kinds of problem, in order of status.
        pub const ALL: &[&ProblemKind] = &[$($name),*];
    };
}

catalogue! {
    MALFORMED_JSON = 400 "malformed_json" "The body is not valid JSON"
        "The body is not valid JSON (RFC 8259): it has a syntax error, a duplicate key, invalid \
         UTF-8, trailing data, or more than 32 levels of nesting. Check how your program creates \
         the body.";
    MALFORMED_REQUEST = 400 "malformed_request" "The request is not proper HTTP"
        "A request must have exactly one `Host` header (RFC 9112, section 3.2). Check which \
         headers your program, or a proxy in between, adds.";
    MULTIPLE_CREDENTIALS = 400 "multiple_credentials" "Two kinds of credentials in one request"
        "The request has both `X-API-Key` and `Authorization`. Send one of them.";
    INVALID_CURSOR = 400 "invalid_cursor" "The cursor is not one of ours"
        "Send `cursor` exactly as returned in `nextCursor`, to the same list with the same \
         filters. Without it, the list starts at the first page.";
    MISSING_CREDENTIALS = 401 "missing_credentials" "Credentials are missing"
        "Every request to `/api/v1` requires an API key in the header `X-API-Key`, or an access \
         token in `Authorization: Bearer`. Credentials in the URL or in a cookie are ignored.";
    INVALID_API_KEY = 401 "invalid_api_key" "The API key is not valid"
        "The key is mistyped, unknown or revoked; the response does not reveal which. Send a \
         valid key, complete and once, in the header `X-API-Key`.";
    INVALID_TOKEN = 401 "invalid_token" "The access token is not valid"
        "The bearer token is mistyped, unknown, expired or revoked. Refresh it, or ask the user \
         to connect again.";
    INSUFFICIENT_SCOPE = 403 "insufficient_scope" "The key or token lacks the scope for this"
        "A key has only the scopes chosen when it was created, and a token those that its user \
         granted: `read` for every GET, `write` for everything else; `write` does not include \
         `read`. Create a key with the scope named in the response, or ask the user to connect \
         again with it.";
    PLAN_REQUIRED = 403 "plan_required" "The account's plan does not include the API"
        "The account must be on the plan named in the response, or on a higher one. The key \
         remains valid, and works again once the plan includes it.";
    DUTCH_ACCOUNT_REQUIRED = 403 "dutch_account_required" "This is for Dutch accounts only"
        "Invoices, contacts, payments, credit notes and the hours log are only for accounts in \
         the Netherlands. Reading and time entries are available to accounts of every country.";
    TEST_ACCOUNT_REQUIRED = 403 "test_account_required" "This is for test accounts only"
        "The key or token belongs to live books, which cannot be reset and have no clock to set. \
         Open a test account on the page `/api-access`, and send its key, which begins with \
         `gb_test_`.";
    PAGE_ONLY = 403 "page_only" "Only the owner can change this, on a page"
        "The API cannot change an IBAN that is set, the IBAN that invoices print, or the default \
         checking account, so that a stolen key cannot redirect payments. The owner can, on the \
         page `/bank-accounts`.";
    NOT_FOUND = 404 "not_found" "There is no such thing in this account"
        "No resource with this id exists in the account of the credentials. Ids are unique within \
         an account only.";
    UNKNOWN_ROUTE = 404 "unknown_route" "There is nothing at this address"
        "The path is not part of the API. Check its spelling: it begins with `/api/v1`, and has \
         no trailing slash.";
    METHOD_NOT_ALLOWED = 405 "method_not_allowed" "The address does not know this method"
        "The header `Allow` lists the supported methods.";
    NOT_ACCEPTABLE = 406 "not_acceptable" "Only JSON can be given"
        "The header `Accept` excludes `application/json`. Omit it, or add `application/json`.";
    REQUEST_TIMEOUT = 408 "request_timeout" "The body did not arrive in time"
        "The complete body must arrive within 20 seconds. Nothing was done; send the request \
         again.";
    NOT_A_DRAFT = 409 "not_a_draft" "The invoice is no draft"
        "Only a draft can be edited or deleted. Correct a sent invoice with a credit note. A \
         cancelled draft cannot be restored.";
    IS_WRITTEN_OFF = 409 "is_written_off" "Something of the invoice is written off"
        "The VAT on the written-off amount was reclaimed already. Undo the write-off, then credit \
         the invoice.";
    IS_A_DRAFT = 409 "is_a_draft" "The invoice is still a draft"
        "A draft cannot be paid or credited. Send it first.";
    NOT_EXPRESSIBLE = 409 "not_expressible" "The invoice cannot be an e-invoice"
        "The format of e-invoices cannot represent this invoice; `detail` names the remedy. Its \
         PDF is available without an attached e-invoice. The warning `ubl_not_possible` reports \
         this before the invoice is sent.";
    IS_A_CREDIT_NOTE = 409 "is_a_credit_note" "This is a credit note"
        "A credit note cannot be paid or credited. Use the id of the invoice that it credits, \
         `creditedInvoiceId`.";
    PERIOD_FILED = 409 "period_filed" "The VAT return of this period is filed"
        "Nothing that affects the return of a filed period can be booked in it. Use a date in an \
         open period; or send `correction: true` to keep the date and include the VAT in the next \
         open return; or reopen the return (scope `file`). Payments, and sending a draft \
         unchanged, remain possible.";
    KOR_HAS_TAXED_INVOICES = 409 "kor_has_taxed_invoices" "Invoices with VAT stand in the way of the scheme"
        "Invoices with VAT from the first day of the small businesses scheme on must be credited \
         in full first. Sales of assets and private use with VAT must be undone first, and \
         recorded again without VAT afterwards. `detail` names their ids.";
    NOTHING_TO_REVISE = 409 "nothing_to_revise" "There is no VAT to revise"
        "The VAT on assets for the year is as it was deducted, the difference is waived (`waived` of \
         the revision), or the revision is booked already.";
    OSS_NOT_REGISTERED = 409 "oss_not_registered" "The account is not registered for the Union scheme (OSS)"
        "VAT of another EU country can be charged from the first day of a registration for the Union \
         scheme on: register at the tax office, then `POST /api/v1/oss`.";
    TOO_OLD_FOR_OSS = 409 "too_old_for_oss" "The return of the Union scheme (OSS) is too old to be corrected"
        "A return can be corrected by a later one until three years after its due date (art. \
         28se(8) Wet OB 1968). After that, turn to the tax office of the other country.";
    CORRECTION_TOO_LARGE = 409 "correction_too_large" "The corrections of this period come to too much"
        "The corrections of a filed period are limited to a total of 1000.00 of VAT in either \
         direction; turnover without VAT has no limit. For more, correct the return itself: reopen it, book this on its own date, \
         file it again, and send the tax office a supplementary return (suppletie).";
    YEAR_CLOSED = 409 "year_closed" "The year is closed"
        "Nothing more can be booked up to 31 December of a closed year. Use a later date, or \
         reopen the year; the last closed year must be reopened first.";
    YEAR_NOT_CLOSED = 409 "year_not_closed" "The year is not closed"
        "Only a closed year can be reopened.";
    YEAR_NOT_OVER = 409 "year_not_over" "The year is not over yet"
        "The steps that close a year can be booked once it has begun, and it can be closed from 1 January \
         of the next year.";
    ROW_CHANGED = 409 "row_changed" "A row of the step has changed"
        "The id of a row at the end of the year covers its content, and the content changed since \
         it was read. Read the steps again, and send the new id.";
    NUMBER_TAKEN = 409 "number_taken" "Another invoice has this number"
        "The number pattern of the account was changed to one that yields a number already in \
         use. The owner must choose another pattern in the settings.";
    PERIOD_NOT_FILED = 409 "period_not_filed" "The VAT return of this period is not filed"
        "Only a filed return can be reopened.";
    PERIOD_NOT_OVER = 409 "period_not_over" "The period is not over yet"
        "A return can be filed from the day after the last day of its period.";
    OTHER_PERIOD = 409 "other_period" "VAT is filed by another period"
        "This account does not file by quarter, so the quarter cannot be filed or reopened. Use the \
         periods of `GET /api/v1/vat-returns`; the detail names their addresses.";
    ALREADY_CREDITED = 409 "already_credited" "The invoice is wholly credited already"
        "Nothing remains to be credited or written off.";
    IS_AN_ASSET = 409 "is_an_asset" "The purchase of an asset"
        "This expense is the purchase of an asset. Undo the asset and create it again instead.";
    ALREADY_DISPOSED = 409 "already_disposed" "The asset is gone"
        "The asset was sold or written off already. To correct a mistake, undo its last step \
         (`POST /api/v1/assets/{id}/depreciate/undo`).";
    RECEIPT_IN_USE = 409 "receipt_in_use" "A journal entry was made from the receipt"
        "The journal contains the hash of its file, so the file is kept for seven years (art. 52 \
         Algemene wet inzake rijksbelastingen). Only a receipt that no expense has ever used can \
         be deleted.";
    ACCOUNT_IN_USE = 409 "account_in_use" "The ledger account is in use"
        "An account with a balance cannot be hidden: book the balance on another account first. \
         The program's own accounts can be neither renamed nor hidden.";
    BANK_ACCOUNT_IN_USE = 409 "bank_account_in_use" "The bank account is in use"
        "A bank account with a balance, or with lines that wait to be booked, cannot be archived: \
         transfer the balance to another account, and book or ignore the lines.";
    IS_DEFAULT = 409 "is_default" "The bank account is the default of its kind"
        "The default of a kind cannot be archived, and stays the default until another bank \
         account becomes it: set `isDefault` there.";
    LINES_BOOKED = 409 "lines_booked" "Lines of the bank statement are booked"
        "A bank statement cannot be undone while a line that it brought is booked. `detail` names \
         the ids of the lines: undo each with `POST /bank-lines/{id}/undo` first.";
    ALREADY_BOOKED = 409 "already_booked" "The bank line is booked already"
        "A bank line is booked once. To book it differently, undo it with \
         `POST /bank-lines/{id}/undo`.";
    LINE_IGNORED = 409 "line_ignored" "The bank line is ignored"
        "An ignored bank line is left out of the books. Make it new again with \
         `POST /bank-lines/{id}/undo`.";
    BOOKED_FROM_BANK_LINE = 409 "booked_from_bank_line" "This is a part of the booking of a bank line"
        "The bank line has several bookings, which are undone together; or it paid the expense, \
         whose total and `paidFrom` therefore stay. Use `POST /bank-lines/{id}/undo` first. `detail` \
         names the id of the line.";
    STALE_SUGGESTION = 409 "stale_suggestion" "The suggestion no longer fits"
        "The line or the books have changed since the suggestion was read. Read the line again and \
         choose one of its suggestions.";
    NOT_BOOKED = 409 "not_booked" "The bank line is new"
        "The bank line is neither booked nor ignored, so there is nothing to undo.";
    ALREADY_IN_BATCH = 409 "already_in_batch" "The bill is in another payment batch"
        "A bill is in one batch that is to be paid at most, so that it is not paid twice. `detail` \
         names the batch: cancel it with `POST /payment-batches/{id}/cancel`, or pay it.";
    BATCH_PAID = 409 "batch_paid" "A bank line paid an item of the payment batch"
        "A batch of which the bank paid something cannot be cancelled.";
    BATCH_CANCELLED = 409 "batch_cancelled" "The payment batch is cancelled"
        "The bills of a cancelled batch may be paid otherwise, so it has no payment file. Make a \
         new batch.";
    BATCH_OUTDATED = 409 "batch_outdated" "The payment batch pays more than is due"
        "After the batch was made, a bill in it was paid, changed or undone, so that less is due than \
         the batch pays. The file is refused before its first download. Cancel the batch and make a \
         new one.";
    NO_PAYEE = 409 "no_payee" "There is no IBAN to pay to"
        "A bill is paid to its `payTo`, or else to the `iban` of its contact. Neither is known.";
    NOTHING_DUE = 409 "nothing_due" "Nothing is to be paid"
        "The expense is paid, undone, or a credit note.";
    ALREADY_UNDONE = 409 "already_undone" "This was undone already"
        "It was undone before; it stays listed with `undoneAt`. Create it again if it should \
         count.";
    HAS_PARTS = 409 "has_parts" "Something that belongs to it is still there"
        "A repayment of the loan, a refund of the payment, or a payment or write-off of an item \
         of the opening balance still counts. Undo that first.";
    HAS_OPENING_BALANCE = 409 "has_opening_balance" "The books have an opening balance"
        "There can only be one opening balance. Undo it to create another.";
    IS_OPENING_ITEM = 409 "is_opening_item" "It was open when the books began"
        "The invoice or bill belongs to earlier books; only its open amount is known here. It can \
         be paid, and an invoice can also be credited, reminded of and written off. It has no \
         document, and cannot be edited, sent or undone. To change it, undo the opening balance \
         and create it again.";
    REMINDED_RECENTLY = 409 "reminded_recently" "The customer was reminded recently"
        "Two reminders of an invoice are at least `minimumDays` of the owner's settings apart; \
         `force: true` sends one earlier. Neither the letter to a consumer nor the claim of costs \
         after it can be forced: costs are claimed 19 days after the letter at the earliest. \
         `nextPossibleOn` is the first day on which a reminder is possible. Repeating an \
         `externalId` is not a new reminder: it returns the existing one (200). A reminder that \
         was not delivered does not count.";
    REMINDERS_STOPPED = 409 "reminders_stopped" "The reminders are stopped"
        "The owner stopped the reminders of this invoice or of its customer. Resume them with \
         `POST /api/v1/invoices/{id}/reminders/resume`, and set `remindersStopped` of the contact \
         to false.";
    PROJECT_ARCHIVED = 409 "project_archived" "The project is archived"
        "No hours can be recorded on an archived project. Choose an active project, or reactivate \
         this one (`PATCH` it with `status: active`).";
    QUOTE_NOT_OPEN = 409 "quote_not_open" "The state of the quote does not allow this"
        "Only a draft can be edited, and only a sent quote that is still valid can be accepted or \
         refused, once: of two decisions at a time, the first counts. `detail` names the state. A \
         sent quote never changes: revise it (`POST /api/v1/quotes/{id}/revise`), or reopen it \
         while no invoice of it stands.";
    RECURRING_ENDED = 409 "recurring_ended" "The recurring invoice has ended"
        "Nothing more is made from it. Create another recurring invoice.";
    OCCURRENCE_NOT_OPEN = 409 "occurrence_not_open" "The state of the occurrence does not allow this"
        "An occurrence is made once, from its day on, and one that was made or skipped stays so. \
         `detail` names the state.";
    TOO_MANY_ACTIVE = 409 "too_many_active" "Too many recurring invoices are active"
        "An account has at most 500 active recurring invoices. End or pause one first.";
    ALREADY_INVOICED = 409 "already_invoiced" "It is on an invoice already"
        "Invoiced hours cannot be changed or invoiced again, and a quote is invoiced once. Release \
         them first: delete the invoice while it is a draft (`DELETE /api/v1/invoices/{id}`), or \
         credit it once it is sent (`POST /api/v1/invoices/{id}/credit-notes`).";
    NOTHING_TO_INVOICE = 409 "nothing_to_invoice" "There are no hours to invoice"
        "The project has no hours to invoice. Record some first (`POST /api/v1/time-entries`).";
    WEBHOOK_DISABLED = 409 "webhook_disabled" "The webhook is switched off"
        "No messages are sent to a disabled webhook. Enable it first: `PATCH \
         /api/v1/webhooks/{id}` with `{\"enabled\": true}`.";
    TIMER_RUNNING = 409 "timer_running" "A timer is running"
        "Only one timer can run at a time. Stop or discard it first.";
    EMAIL_TAKEN = 409 "email_taken" "There is an account with that e-mail address"
        "Every account must have its own email address.";
    PRECONDITION_FAILED = 412 "precondition_failed" "The resource is not what If-Match names"
        "The header `If-Match` names an earlier state, or is not an unchanged `ETag`: complete, \
         with its quotation marks, without `W/`. Read the resource again, apply your change to \
         its current state, and send it with the new `ETag`. For a `PUT` with `If-None-Match: *`: \
         a resource with this `externalId` exists already; omit the header to replace it.";
    BODY_TOO_LARGE = 413 "body_too_large" "The body is too large"
        "The maximum size is 1 MiB for a body and 10 MiB for a file.";
    UNSUPPORTED_MEDIA_TYPE = 415 "unsupported_media_type" "The media type of the body is not accepted"
        "Send `Content-Type: application/json`, in UTF-8 and without `Content-Encoding`. A file \
         is sent as the body itself, with its own media type.";
    VALIDATION_FAILED = 422 "validation_failed" "Some values cannot be used"
        "`errors` lists every fault, each with a `code`, a `message`, and either a `pointer` into \
         the body (RFC 6901) or the name of a `parameter`. Nothing was done.";
    IDEMPOTENCY_KEY_REUSED = 422 "idempotency_key_reused" "Another request had this Idempotency-Key"
        "A request with another path or another body used this key within the last 24 hours. This \
         request was not executed. Use a new key for each new request, and repeat a request with \
         the same bytes.";
    RATE_LIMITED = 429 "rate_limited" "Too many requests"
        "The account has reached its rate limit. Wait for the number of seconds in `Retry-After`; \
         the headers `RateLimit-Policy` and `RateLimit` report the limit and the remaining \
         requests. All keys of an account share the limit. The response is delayed by half a \
         second, so that retrying at once gains nothing. The limits of ten waiting requests per \
         account (`wait`), of 50 mails about invoices in 24 hours (2 000 on a paid plan) and of 60 \
         bank statements an hour are reported in the same way, without the delay.";
    INTERNAL = 500 "internal" "Something went wrong on our side"
        "Nothing was partially written. Send the request again, which is safe with an \
         `externalId`. If the error persists, send the `requestId` to the operator.";
    UNAVAILABLE = 503 "unavailable" "The service cannot answer just now"
        "The database is unavailable, or too many requests are waiting. Send the request again \
         after the number of seconds in `Retry-After`. If the response to a create was lost, it \
         may have been executed: with an `externalId`, repeating it is safe.";
    QUERY_TOO_LONG = 503 "query_too_long" "The query took too long"
        "Queries are stopped after 10 seconds, so that they do not delay others. Request less: a \
         shorter period, a lower `limit`, another filter. Nothing was done. There is no \
         `Retry-After`, because the same query would be stopped again.";
}

/// Codes of single faults in a 422, with their meanings.
pub const FAULTS: &[(&str, &str)] = &[
    ("required", "The field is required and must not be empty."),
    ("invalid_type", "The field has another JSON type, such as a string instead of a number."),
    ("invalid_format", "The text does not have the format named in the message."),
    ("invalid_date", "Not a calendar date in the format YYYY-MM-DD from 2000-01-01 to 2099-12-31."),
    ("unknown_value", "Not one of the values listed in the message."),
    (
        "unknown_field",
        "The API does not know the field. It is rejected so that no part of the request is \
         silently ignored.",
    ),
    ("out_of_range", "Outside the bounds named in the message."),
    ("too_long", "More characters than the maximum named in the message."),
    ("too_many", "More elements or decimals than the maximum named in the message."),
    (
        "unknown_vat_rate",
        "Not a VAT rate of Dutch law on the date of the invoice, or with `vatCategory: oss` of the \
         tax country; the message lists the valid ones.",
    ),
    ("unknown_project", "No project of the account has this id."),
    ("unknown_contact", "No contact of the account has this id."),
    ("unknown_article", "No article of the account has this id or number."),
    ("fixed_text", "The law prescribes the text of this letter; leave subject and message out."),
    ("unknown_receipt", "No receipt of the account has this id."),
    ("unsupported_file", "The file is damaged, or not of an accepted type."),
    ("taken", "Another resource has this value already."),
    ("no_payee", "Neither the bill nor its contact has an IBAN to pay to."),
    ("already_undone", "The expense is undone."),
    ("is_a_credit_note", "The supplier owes the amount: it is received, not paid."),
    (
        "kor_applies",
        "Under the small businesses scheme (KOR), which applies on that date, no VAT is charged.",
    ),
    (
        "kor_limit_passed",
        "The supply passes the limit of the small businesses scheme (KOR), so it is taxed itself. \
         With VAT it is accepted, and ends the scheme.",
    ),
    ("kor_barred", "The small businesses scheme (KOR) cannot begin before the day in the message."),
    ("exceeds_outstanding", "More than the outstanding amount of the invoice or the loan."),
    (
        "kept_by_program",
        "Only the program books on this account: trade receivables and payables, VAT and the like \
         follow from documents.",
    ),
    ("unbalanced", "The debits and credits of an entry do not balance."),
    (
        "negative_vat_group",
        "The lines with a VAT rate, less prepayments, add up to less than zero. A discount has \
         the rate of the discounted line.",
    ),
];

/// Returns the documentation of all codes, in Markdown.
#[must_use]
pub fn markdown() -> String {
    let mut page = String::from(
        "# Errors of the API\n\n\
         Every failed request is answered with `application/problem+json` (RFC 9457): `type` (the URL of a\n\
         section below), `title`, `status`, `detail` (an explanation and the remedy), `code`, `requestId`,\n\
         and with 422 also `errors`.\n\n\
         Only requests that are not valid HTTP (a broken request line, a header of more than 32 KiB) are\n\
         answered with a bare 400, 414 or 431 without an id, and the connection is closed.\n",
    );
    for kind in ALL {
        let text = format!("{} {}. {}", kind.status, kind.title, kind.meaning);
        let _ = write!(page, "\n## {}\n\n{}\n", kind.code, wrapped(&text));
    }
    page.push_str("\n## Codes inside a 422\n\n| code | meaning |\n|---|---|\n");
    for (code, meaning) in FAULTS {
        let _ = writeln!(page, "| `{code}` | {meaning} |");
    }
    page.push_str(
        "\n## Warnings of an invoice\n\n\
         `warnings` of an invoice or credit note do not reject anything. Check them while it is a draft,\n\
         because a sent document no longer changes.\n\n\
         | code | meaning |\n|---|---|\n",
    );
    for warning in Warning::ALL {
        let _ = writeln!(page, "| `{}` | {} |", warning.code(), english::invoice_warning(warning));
    }
    page
}

/// Wraps the text to lines of at most 100 columns.
fn wrapped(text: &str) -> String {
    let mut lines = String::new();
    let mut column = 0;
    for word in text.split(' ') {
        let length = word.chars().count();
        if column > 0 && column + 1 + length > 100 {
            lines.push('\n');
            column = 0;
        } else if column > 0 {
            lines.push(' ');
            column += 1;
        }
        lines.push_str(word);
        column += length;
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_documentation_matches_the_code() {
        // Run the test with UPDATE_EXPECT=1 to update the page.
        expect_test::expect_file!["../../../../docs/errors.md"].assert_eq(&markdown());
    }

    #[test]
    fn codes_are_unique() {
        let mut codes: Vec<_> = ALL.iter().map(|kind| kind.code).collect();
        codes.sort_unstable();
        codes.dedup();
        assert_eq!(codes.len(), ALL.len());
    }
}
