//! Parts of the responses about VAT returns: boxes, filed versions, drafts, and postings in a box.

use crate::{
    moment::Moment,
    number::Amount,
    openapi::{box_names, posting_box_names},
    query::{self, Listing, Query},
    reply,
};
use axum::response::Response;
use jiff::civil::Date;
use ledger::{
    calendar,
    entry::SourceType,
    language::Language,
    money::Cents,
    vat_period::VatPeriod,
    vat_return::{self, BoxLine},
};
use schemars::JsonSchema;
use serde::Serialize;
use service::{Context, Error, vat_filings};
use store::{
    Lane,
    books::Drafts,
    filings::{FiledBox, Filing},
    journal::BoxPosting,
};
use web_core::{AppState, ReadContext, input::names_of, problem::Problem};

/// A box of the form.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "VatFilingBox")]
pub(super) struct BoxBody {
    /// Name, such as `1a`; `5g` is the total.
    #[schemars(extend("enum" = box_names()))]
    r#box: &'static str,
    /// Label on the form, in English.
    description: &'static str,
    /// Turnover or purchases excluding VAT, if the box has it.
    turnover: Option<Amount>,
    /// Amount of VAT, if the box has it.
    vat: Option<Amount>,
    /// Declared turnover in whole euros, rounded in the taxpayer's favour.
    declared_turnover: Option<i64>,
    /// Declared VAT in whole euros, rounded in the taxpayer's favour.
    declared_vat: Option<i64>,
}

/// A filed version of a return.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "VatFilingVersion")]
pub(super) struct VersionBody {
    /// Version number, starting at 1.
    version: i64,
    /// Time of filing.
    filed_at: Moment,
    /// Time of reopening.
    reopened_at: Option<Moment>,
    /// Boxes as filed.
    boxes: Vec<BoxBody>,
    /// Declared amount payable in whole euros; negative for a refund.
    declared_payable: i64,
}

impl VersionBody {
    pub(super) fn new(filing: &Filing, boxes: &[FiledBox]) -> Self {
        let body = |filed: &FiledBox| {
            let name = vat_return::line_name(&filed.vat_box)?;
            let line = BoxLine {
                vat_box: name,
                turnover: filed.turnover,
                vat: filed.vat,
                declared_turnover: filed.declared_turnover,
                declared_vat: filed.declared_vat,
            };
            Some(BoxBody::from(&line))
        };
        Self {
            version: filing.version,
            filed_at: Moment(filing.filed_at),
            reopened_at: filing.reopened_at.map(Moment),
            boxes: boxes.iter().filter_map(body).collect(),
            declared_payable: filing.declared_payable,
        }
    }
}

/// Part of the totals that comes from drafts, which are booked but not due yet.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "OfWhichDrafts")]
pub(crate) struct OfWhichDraftsBody {
    /// Number of drafts.
    count: i64,
    /// Amount excluding VAT.
    revenue: Amount,
    /// VAT on the drafts.
    vat: Amount,
    /// Amount including VAT.
    amount: Amount,
}

impl From<Drafts> for OfWhichDraftsBody {
    fn from(drafts: Drafts) -> Self {
        Self {
            count: drafts.count,
            revenue: Amount(drafts.revenue),
            vat: Amount(drafts.vat),
            amount: Amount(drafts.amount),
        }
    }
}

/// Part of a return that comes from drafts.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "DraftInvoices")]
pub(super) struct DraftsBody {
    /// Number of drafts.
    count: i64,
    /// VAT on the drafts.
    vat: Amount,
}

/// A posting in a box. The postings add up to the `turnover` and `vat` of the box.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "VatBoxPosting")]
pub(super) struct PostingBody {
    /// Id of the journal entry.
    entry_id: i64,
    /// Date of the entry.
    date: Date,
    /// Date on which its VAT becomes due.
    vat_date: Date,
    /// Description of the entry.
    description: String,
    /// Type of the source: `invoice`, `creditNote`, `payment`, `expense`, `asset`, `mileage`,
    /// `vatFiling` or `manual`. More types may be added.
    #[schemars(extend("enum" = names_of(SourceType::ALL)))]
    source_type: &'static str,
    /// Id of the source within its type.
    source_id: i64,
    /// Code of the ledger account, four digits.
    #[schemars(regex(pattern = "^[0-9]{4}$"))]
    #[schemars(example = &"8000")]
    account_code: String,
    /// Name of the ledger account: in English, or as you named an account of your own.
    #[schemars(example = &"Revenue at the high rate")]
    account_name: String,
    /// Box of the posting itself; it differs from the requested box only for `5a` and `5g`.
    #[schemars(extend("enum" = posting_box_names()))]
    vat_box: &'static str,
    /// Contribution to the turnover of the box.
    turnover: Amount,
    /// Contribution to the VAT of the box.
    vat: Amount,
}

impl From<Drafts> for DraftsBody {
    fn from(drafts: Drafts) -> Self {
        Self { count: drafts.count, vat: Amount(drafts.vat) }
    }
}

impl From<&BoxLine> for BoxBody {
    fn from(line: &BoxLine) -> Self {
        Self {
            r#box: line.vat_box,
            description: line.description(Language::English),
            turnover: line.turnover.map(Amount),
            vat: line.vat.map(Amount),
            declared_turnover: line.declared_turnover,
            declared_vat: line.declared_vat,
        }
    }
}

impl PostingBody {
    /// Creates the row for a posting in the box `line`. Boxes 5a and 5g contain only VAT, and 5g
    /// subtracts input VAT.
    fn new(line: &str, row: &BoxPosting, cx: &Context) -> Self {
        let posting = &row.posting;
        let vat_box = posting.vat_box().map_or("", ledger::vat::VatBox::as_str);
        let credited = posting.credited() - posting.debited();
        let mut share = posting
            .vat_box()
            .map(|vat_box| vat_return::share(posting.account(), vat_box, credited))
            .unwrap_or_default();
        if line != vat_box {
            share.turnover = Cents::ZERO;
            if vat_box == "5b" {
                share.vat = -share.vat;
            }
        }
        Self {
            entry_id: row.entry_id,
            date: row.head.date,
            vat_date: row.head.vat_date,
            description: row.head.description.words(cx.actor.language, row.head.reverses.is_some()),
            source_type: row.head.source.kind.as_str(),
            source_id: row.head.source.id,
            account_code: posting.account().to_string(),
            account_name: cx
                .actor
                .own_accounts
                .name(posting.account(), Language::English)
                .to_owned(),
            vat_box,
            turnover: Amount(share.turnover),
            vat: Amount(share.vat),
        }
    }
}

/// Reads the cursor (VAT date, entry and line of the last posting on the previous page) and the
/// page size.
pub(super) fn postings(query: &mut Query) -> (Option<(Date, i64, i64)>, i64) {
    let after = query.cursor(|place| {
        let mut parts = place.split(' ');
        let after = (
            calendar::parse_date(parts.next()?).ok()?,
            query::whole(parts.next()?)?,
            query::whole(parts.next()?)?,
        );
        parts.next().is_none().then_some(after)
    });
    (after, query.limit())
}

/// Lists the postings in a box of the return of `period`.
pub(super) async fn list_postings(
    (app, cx, books): (AppState, Context, ReadContext),
    period: VatPeriod,
    vat_box: String,
    listing: Listing,
) -> Result<Response, Problem> {
    let (after, limit) = listing.read(postings)?;
    let account = cx.actor.account;
    let list = move |tx: &mut store::Tx<'_>| {
        let rows = vat_filings::postings_of_box(tx, &cx, period, &vat_box, after, limit + 1)?;
        let rows = rows.ok_or(Error::NotFound(
            "box of the VAT return (1a to 1e, 2a, 3a to 3c, 4a, 4b, 5a, 5b, 5g)",
        ))?;
        let place =
            |last: &BoxPosting| format!("{} {} {}", last.head.vat_date, last.entry_id, last.line);
        Ok(reply::rows(&store::Page::of(rows, limit), place, |row| {
            reply::body(&PostingBody::new(&vat_box, row, &cx))
        }))
    };
    let page = books.query(Lane::of(account).list(), list).await?;
    Ok(reply::page(page, &app.config().base_url, &listing))
}
