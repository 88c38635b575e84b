//! Every problem code that the API answers with: one table, from which the answers, the page and the documentation are made.

use crate::guides;
use axum::response::Response;
use std::fmt::Write as _;

/// A kind of problem (RFC 9457).
#[derive(Debug, PartialEq, Eq)]
pub struct ProblemKind {
    /// Stable, `snake_case`.
    pub code: &'static str,
    /// The HTTP status it comes with.
    pub status: u16,
    /// The same for every occurrence.
    pub title: &'static str,
    /// When it occurs and what to do about it.
    pub meaning: &'static str,
}

macro_rules! catalogue {
    ($($name:ident = $status:literal $code:literal $title:literal $meaning:literal;)*) => {
        $(pub(crate) const $name: &ProblemKind =
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
        "Send `cursor` exactly as `nextCursor` gave it, or leave it out to begin at the first page.";
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
    NOT_A_DRAFT = 409 "not_a_draft" "The invoice is sent already"
        "Only a draft can be edited. Correct a sent invoice with a credit note.";
    IS_A_DRAFT = 409 "is_a_draft" "The invoice is still a draft"
        "A draft can be neither paid nor credited. Send it first.";
    IS_A_CREDIT_NOTE = 409 "is_a_credit_note" "This is a credit note"
        "A credit note can be neither paid nor credited. Use the id of the invoice that it credits, `creditedInvoiceId`.";
    PERIOD_FILED = 409 "period_filed" "The VAT return of this period is filed"
        "A filed period takes no more bookings. Use a date in an open period, or let the account's owner open the return again.";
    PERIOD_NOT_FILED = 409 "period_not_filed" "The VAT return of this period is not filed"
        "Only a filed return can be opened again.";
    PERIOD_NOT_OVER = 409 "period_not_over" "The period is not over yet"
        "A return can be filed from the day after the last day of its period.";
    ALREADY_CREDITED = 409 "already_credited" "The invoice is wholly credited already"
        "Nothing of it remains to be credited.";
    PROJECT_ARCHIVED = 409 "project_archived" "The project is archived"
        "An archived project takes no hours. Choose an active project, or let the account's owner make this one active again.";
    EMAIL_TAKEN = 409 "email_taken" "There is an account with that e-mail address"
        "Every account has an e-mail address of its own.";
    PRECONDITION_FAILED = 412 "precondition_failed" "The resource is not what If-Match names"
        "The header `If-Match` names an older state, or no `ETag` as it was given: whole, with its quotation marks, without `W/`. Read the resource again, apply your change to what it is now, and send it with the new `ETag`.";
    BODY_TOO_LARGE = 413 "body_too_large" "The body is too large"
        "A body has at most 1 MiB.";
    UNSUPPORTED_MEDIA_TYPE = 415 "unsupported_media_type" "The body is not sent as JSON"
        "Send `Content-Type: application/json`, in UTF-8 and without `Content-Encoding`.";
    VALIDATION_FAILED = 422 "validation_failed" "Some values cannot be used"
        "`errors` lists every fault that was found, each with a `pointer` into the body (RFC 6901) or the name of a `parameter`, a `code` and a `message`. Nothing was done.";
    RATE_LIMITED = 429 "rate_limited" "Too many requests"
        "The account has used up its requests for now. Wait as many seconds as `Retry-After` says; the headers `RateLimit-Policy` and `RateLimit` tell what is allowed and what is left. More keys do not buy more requests. This answer comes after half a second, so that asking again at once gains nothing.";
    INTERNAL = 500 "internal" "Something went wrong on our side"
        "Nothing was half-written. Send the request again; with an `externalId` that is safe. If it stays, tell the operator the `requestId`.";
    UNAVAILABLE = 503 "unavailable" "The service cannot answer just now"
        "The database is away or too many requests are waiting. Send the request again after as many seconds as `Retry-After` says. A create whose answer was lost may have been done: with an `externalId` the repeat is safe.";
}

/// Codes of single faults in a 422, and what they mean.
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
    ("exceeds_outstanding", "More than remains of the invoice."),
];

/// The documentation of all codes, in Markdown.
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
    page
}

/// The page that a problem's `type` leads to.
pub(crate) async fn page() -> Response {
    let mut html = guides::beginning("Errors of the API");
    html.push_str(
        "<h1>Errors of the API</h1>\n<p>Every failed request is answered with <code>application/problem+json</code> (RFC 9457).</p>\n",
    );
    for kind in ALL {
        let (code, status, title) = (kind.code, kind.status, escape(kind.title));
        let _ = writeln!(
            html,
            "<section id=\"{code}\">\n<h2><code>{code}</code></h2>\n<p>{status} {title}. {}</p>\n</section>",
            escape(kind.meaning)
        );
    }
    html.push_str("<section id=\"faults\">\n<h2>Codes inside a 422</h2>\n<dl>\n");
    for (code, meaning) in FAULTS {
        let _ = writeln!(html, "<dt><code>{code}</code></dt>\n<dd>{}</dd>", escape(meaning));
    }
    html.push_str("</dl>\n</section>\n</main>\n</body>\n</html>\n");
    guides::answer(html)
}

/// The text as HTML, with what stands in backticks as code.
fn escape(text: &str) -> String {
    let escaped = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let parts = escaped
        .split('`')
        .enumerate()
        .map(|(place, part)| if place % 2 == 1 { format!("<code>{part}</code>") } else { part.to_owned() });
    parts.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_documentation_says_what_the_code_does() {
        // UPDATE_EXPECT=1 writes the page anew.
        expect_test::expect_file!["../../../docs/errors.md"].assert_eq(&markdown());
    }

    #[test]
    fn codes_are_unique() {
        let mut codes: Vec<_> = ALL.iter().map(|kind| kind.code).collect();
        codes.sort_unstable();
        codes.dedup();
        assert_eq!(codes.len(), ALL.len());
    }
}
