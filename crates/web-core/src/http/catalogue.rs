//! All problem codes of the API: one table, the source of responses, pages and documentation.

use crate::input::english;
use service::invoices::Warning;
use std::fmt::Write as _;

/// A kind of problem (RFC 9457).
#[derive(Debug, PartialEq, Eq)]
pub struct ProblemKind {
    /// Stable, `snake_case`.
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

        /// All kinds, by status.
        pub const ALL: &[&ProblemKind] = &[$($name),*];
    };
}

catalogue! {
    MALFORMED_JSON = 400 "malformed_json" "The body is not valid JSON"
        "The body could not be read as JSON (RFC 8259): a syntax error, a duplicate key, invalid UTF-8, something after the end, or more than 32 levels of nesting. Check how your program makes the body.";
    MALFORMED_REQUEST = 400 "malformed_request" "The request is not proper HTTP"
        "A request names the server in exactly one header `Host` (RFC 9112, section 3.2). Check what your program, or a proxy on the way, adds.";
    MULTIPLE_CREDENTIALS = 400 "multiple_credentials" "Two kinds of credentials in one request"
        "The request carries both `X-API-Key` and `Authorization`. Send one of them.";
    INVALID_CURSOR = 400 "invalid_cursor" "The cursor is not one of ours"
        "Send `cursor` exactly as `nextCursor` gave it, to the same list with the same filters, or leave it out to begin at the first page.";
    MISSING_CREDENTIALS = 401 "missing_credentials" "Credentials are missing"
        "Everything under `/api/v1` needs an API key in the header `X-API-Key`, or an access token in `Authorization: Bearer`. In the address or in a cookie neither counts.";
    INVALID_API_KEY = 401 "invalid_api_key" "The API key is not valid"
        "The key is mistyped, unknown or revoked; the answer does not tell which. Make a new key and send it whole, once, in the header `X-API-Key`.";
    INVALID_TOKEN = 401 "invalid_token" "The access token is not valid"
        "The bearer token is mistyped, unknown, expired or revoked. Refresh it, or let the user connect again.";
    INSUFFICIENT_SCOPE = 403 "insufficient_scope" "The key or token lacks the scope for this"
        "A key carries only the scopes that were chosen when it was made, and a token those that its user allowed: `read` for every GET, `write` for everything else; `write` does not include `read`. Make a key with the scope that the answer names, or let the user connect again with it.";
    PLAN_REQUIRED = 403 "plan_required" "The account's plan does not include the API"
        "The account must be on the plan that the answer names, or on a higher one. The key itself stays as it is and works again once the plan does.";
    DUTCH_ACCOUNT_REQUIRED = 403 "dutch_account_required" "This is for Dutch accounts only"
        "Invoices, contacts, payments, credit notes and the hours log are for accounts in the Netherlands. Reading and time entries work for accounts of every country.";
    TEST_ACCOUNT_REQUIRED = 403 "test_account_required" "This is for test accounts only"
        "The key or token belongs to real books, which no program may empty or set the clock of. Open a test account on the page `/api-access` and send its key, which begins with `gb_test_`.";
    NOT_FOUND = 404 "not_found" "There is no such thing in this account"
        "Nothing with that id exists in the account that the key belongs to. Ids are counted per account, so an id of one account means nothing in another.";
    UNKNOWN_ROUTE = 404 "unknown_route" "There is nothing at this address"
        "The path is not part of the API. Check it for typing errors; it begins with `/api/v1` and has no slash at its end.";
    METHOD_NOT_ALLOWED = 405 "method_not_allowed" "The address does not know this method"
        "The header `Allow` lists the methods that it knows.";
    NOT_ACCEPTABLE = 406 "not_acceptable" "Only JSON can be given"
        "The header `Accept` excludes `application/json`. Leave it out, or add `application/json` to it.";
    REQUEST_TIMEOUT = 408 "request_timeout" "The body did not arrive in time"
        "The whole body must arrive within 20 seconds. Nothing was done; send the request again.";
    NOT_A_DRAFT = 409 "not_a_draft" "The invoice is no draft"
        "Only a draft can be edited or taken back. Correct a sent invoice with a credit note; one that was taken back stays so.";
    IS_WRITTEN_OFF = 409 "is_written_off" "Something of the invoice is written off"
        "The VAT on what was written off was given back already. Undo the write-off, then credit the invoice.";
    IS_A_DRAFT = 409 "is_a_draft" "The invoice is still a draft"
        "A draft can be neither paid nor credited. Send it first.";
    NOT_EXPRESSIBLE = 409 "not_expressible" "The invoice cannot be an e-invoice"
        "The form of e-invoices cannot carry this invoice; `detail` names what to do. Its PDF can be read all the same, without an e-invoice attached. The warning `ubl_not_possible` \
         says so before it is sent.";
    IS_A_CREDIT_NOTE = 409 "is_a_credit_note" "This is a credit note"
        "A credit note can be neither paid nor credited. Use the id of the invoice that it credits, `creditedInvoiceId`.";
    PERIOD_FILED = 409 "period_filed" "The VAT return of this period is filed"
        "A filed period takes nothing more that stands in a box of its return. Use a date in an open period; or send `correction: true`, \
         and the entry stays on its day while the next open return carries its VAT; or open the return again (scope `file`). Payments go \
         on, and so does sending a draft as it is.";
    CORRECTION_TOO_LARGE = 409 "correction_too_large" "The corrections of this period come to too much"
        "The corrections of a filed quarter may come to 1000.00 of VAT in all, more or less. Beyond that its return itself is corrected: \
         open it again, book this on its own day, file it again and send the tax office a supplementary return (suppletie).";
    YEAR_CLOSED = 409 "year_closed" "The year is closed"
        "Nothing more is booked up to 31 December of a closed year. Use a later date, or open the year again, the last closed one first.";
    YEAR_NOT_CLOSED = 409 "year_not_closed" "The year is not closed"
        "Only a closed year can be opened again.";
    YEAR_NOT_OVER = 409 "year_not_over" "The year is not over yet"
        "A year can be closed from 1 January after it.";
    NUMBER_TAKEN = 409 "number_taken" "Another invoice has this number"
        "The account's number pattern was changed to one that gives a number that is in use. Its owner chooses another one in the settings.";
    PERIOD_NOT_FILED = 409 "period_not_filed" "The VAT return of this period is not filed"
        "Only a filed return can be opened again.";
    PERIOD_NOT_OVER = 409 "period_not_over" "The period is not over yet"
        "A return can be filed from the day after the last day of its period.";
    ALREADY_CREDITED = 409 "already_credited" "The invoice is wholly credited already"
        "Nothing of it remains to be credited, or to be written off again.";
    IS_AN_ASSET = 409 "is_an_asset" "The purchase of an asset"
        "What an asset cost stands on the asset. Undo the asset, and record it anew.";
    ALREADY_DISPOSED = 409 "already_disposed" "The asset is gone"
        "The asset was sold or written off already. If that was a mistake, undo the asset and record it anew.";
    RECEIPT_IN_USE = 409 "receipt_in_use" "A journal entry was made from the receipt"
        "The hash of its file stands in the journal, so the file is kept, for seven years (art. 52 Algemene wet inzake rijksbelastingen). Only a receipt that no expense ever had can be deleted.";
    ALREADY_UNDONE = 409 "already_undone" "This was undone already"
        "It was taken back before; it stays listed, with `undoneAt`. Record it anew if it should count after all.";
    HAS_PARTS = 409 "has_parts" "Something that belongs to it is still there"
        "A repayment of the loan, a refund of the payment, or a payment or write-off of what was open when the books began, still counts. Undo \
         that first.";
    HAS_OPENING_BALANCE = 409 "has_opening_balance" "The books have an opening balance"
        "There is one opening balance. Undo it to enter another.";
    IS_OPENING_ITEM = 409 "is_opening_item" "It was open when the books began"
        "The invoice or bill is of other books, and only what was open of it is known here. It can be paid, and an invoice reminded of and written \
         off; it has no document, and is neither edited, credited, sent nor undone. To change it, undo the opening balance and enter it anew.";
    REMINDED_RECENTLY = 409 "reminded_recently" "The customer was reminded less than a day ago"
        "One reminder of an invoice goes a day, as the next speaks of the one before. `detail` names the moment from which the next can go. \
         The same `externalId` again is no new reminder: it answers 200 with the one that was sent. One that did not arrive does not count.";
    PROJECT_ARCHIVED = 409 "project_archived" "The project is archived"
        "An archived project takes no hours. Choose an active project, or make this one active again (`PATCH` it with `status: active`).";
    ALREADY_INVOICED = 409 "already_invoiced" "The hours are on an invoice"
        "Hours that are on an invoice are not changed and not invoiced again. Free them first: withdraw the invoice while it is a draft (`DELETE /api/v1/invoices/{id}`), or credit it when it is sent (`POST /api/v1/invoices/{id}/credit-notes`).";
    NOTHING_TO_INVOICE = 409 "nothing_to_invoice" "There are no hours to invoice"
        "The project has no hours yet. Write some on it first (`POST /api/v1/time-entries`).";
    WEBHOOK_DISABLED = 409 "webhook_disabled" "The webhook is switched off"
        "Nothing is sent to a webhook that is switched off. Send `PATCH /api/v1/webhooks/{id}` with `{\"enabled\": true}` first.";
    TIMER_RUNNING = 409 "timer_running" "A timer is running"
        "One timer runs at a time. Stop or discard it first.";
    EMAIL_TAKEN = 409 "email_taken" "There is an account with that e-mail address"
        "Every account has an e-mail address of its own.";
    PRECONDITION_FAILED = 412 "precondition_failed" "The resource is not what If-Match names"
        "The header `If-Match` names an older state, or no `ETag` as it was given: whole, with its quotation marks, without `W/`. Read the resource again, apply your change to what it is now, and send it with the new `ETag`. Of a `PUT` with `If-None-Match: *`: there is one with this `externalId` already; leave the header out to replace it.";
    BODY_TOO_LARGE = 413 "body_too_large" "The body is too large"
        "A body has at most 1 MiB, a file 10 MiB.";
    UNSUPPORTED_MEDIA_TYPE = 415 "unsupported_media_type" "The media type of the body is not accepted"
        "Send `Content-Type: application/json`, in UTF-8 and without `Content-Encoding`. A file is sent as the body itself, with its own media type.";
    VALIDATION_FAILED = 422 "validation_failed" "Some values cannot be used"
        "`errors` lists every fault that was found, each with a `pointer` into the body (RFC 6901) or the name of a `parameter`, a `code` and a `message`. Nothing was done.";
    IDEMPOTENCY_KEY_REUSED = 422 "idempotency_key_reused" "Another request had this Idempotency-Key"
        "Under this key another path or another body was sent within 24 hours, and carried out. Nothing was done now. Give each new request a key of its own, and repeat a request with the same bytes.";
    RATE_LIMITED = 429 "rate_limited" "Too many requests"
        "The account has used up its requests for now. Wait as many seconds as `Retry-After` says; the headers `RateLimit-Policy` and `RateLimit` tell what is allowed and what is left. More keys do not buy more requests. This answer comes after half a second, so that asking again at once gains nothing. Requests that wait for changes (`wait`) are refused so too, at once, beyond ten of an account, and so are mails about invoices beyond 50 (on a paid plan 2 000) in 24 hours.";
    INTERNAL = 500 "internal" "Something went wrong on our side"
        "Nothing was half-written. Send the request again; with an `externalId` that is safe. If it stays, tell the operator the `requestId`.";
    UNAVAILABLE = 503 "unavailable" "The service cannot answer just now"
        "The database is away or too many requests are waiting. Send the request again after as many seconds as `Retry-After` says. A create whose answer was lost may have been done: with an `externalId` the repeat is safe.";
    QUERY_TOO_LONG = 503 "query_too_long" "The query took too long"
        "A query is stopped after 10 seconds, so that it keeps nobody else waiting. Ask for less: a shorter period, a lower `limit`, another filter. Nothing was done. There is no `Retry-After`, as the same query would be stopped again.";
}

/// Codes of single faults in a 422, with their meanings.
pub const FAULTS: &[(&str, &str)] = &[
    ("required", "The field must be given, and must not be empty."),
    ("invalid_type", "The field has another JSON type, such as a text where a number is needed."),
    ("invalid_format", "The text does not have the form that the message names."),
    ("invalid_date", "Not a calendar day as YYYY-MM-DD from 2000-01-01 to 2099-12-31."),
    ("unknown_value", "Not one of the values that the message lists."),
    ("unknown_field", "The API does not know the field. It is refused so that nothing that you meant is silently left out."),
    ("out_of_range", "Beyond the bounds that the message names."),
    ("too_long", "More characters than the message allows."),
    ("too_many", "More elements than the message allows, or too many decimals."),
    ("unknown_vat_rate", "No VAT rate of Dutch law on the invoice's date; the message lists those there are."),
    ("unknown_project", "No project of the account has this id."),
    ("unknown_contact", "No contact of the account has this id."),
    ("unknown_receipt", "No receipt of the account has this id."),
    ("unsupported_file", "The bytes of the file are of no kind that is kept, or damaged."),
    ("taken", "Another resource has it already."),
    ("kor_applies", "Under the small businesses scheme (KOR), which is used on that day, no VAT is charged."),
    ("exceeds_outstanding", "More than remains of the invoice, or of the loan."),
    (
        "kept_by_program",
        "Only the program books on this account: trade receivables and payables, VAT and the like follow from documents.",
    ),
    ("unbalanced", "The debits and the credits of an entry add up to different amounts."),
    (
        "negative_vat_group",
        "The lines at a VAT rate, less what was prepaid, come to less than zero; a discount takes the rate of what it discounts.",
    ),
];

/// Returns the documentation of all codes, in Markdown.
#[must_use]
pub fn markdown() -> String {
    let mut page = String::from(
        "# Errors of the API\n\n\
         Every failed request is answered with `application/problem+json` (RFC 9457): `type` (the address of a section below), `title`,\n\
         `status`, `detail` (what to do about this occurrence), `code`, `requestId`, and with 422 also `errors`.\n\n\
         Only what is no HTTP at all (a broken request line, a header of more than 32 KiB) is refused with a bare 400, 414 or 431, because\n\
         there is no request yet that could have an id; the connection ends then.\n",
    );
    for kind in ALL {
        let _ = write!(page, "\n## {}\n\n{} {}. {}\n", kind.code, kind.status, kind.title, kind.meaning);
    }
    page.push_str("\n## Codes inside a 422\n\n| code | meaning |\n|---|---|\n");
    for (code, meaning) in FAULTS {
        let _ = writeln!(page, "| `{code}` | {meaning} |");
    }
    page.push_str(
        "\n## Warnings of an invoice\n\n\
         `warnings` of an invoice or credit note refuse nothing. Ask for them while it is a draft: what is sent no longer changes.\n\n\
         | code | meaning |\n|---|---|\n",
    );
    for warning in Warning::ALL {
        let _ = writeln!(page, "| `{}` | {} |", warning.code(), english::invoice_warning(warning));
    }
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_documentation_matches_the_code() {
        // UPDATE_EXPECT=1 updates the page.
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
