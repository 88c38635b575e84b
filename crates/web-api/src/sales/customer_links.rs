//! `/quotes/{id}/link` and `/invoices/{id}/link`: the links of the pages of customers.

use crate::{
    body,
    moment::Moment,
    once,
    operation::{Answer, Operation},
    query, reply,
};
use axum::{
    Extension,
    extract::{Path, RawQuery, Request, State},
    http::HeaderMap,
    response::{IntoResponse, Response},
};
use schemars::JsonSchema;
use serde::Serialize;
use service::{
    Context,
    customer_links::{self, LinkDetails, LinkedKind},
    invoices::InvoiceDetails,
    quotes::QuoteDetails,
};
use web_core::{AppState, ReadContext, catalogue::NOT_FOUND, problem::Problem};

/// Link of a customer's page.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "CustomerLink")]
struct LinkBody<'q> {
    /// Address of the page; null while the link is withdrawn.
    #[schemars(example = &"https://example.com/i/9Zk3vQ0aXc7LwT2bNfR8y1")]
    url: Option<&'q str>,
    /// Time at which somebody other than you first opened the page.
    opened_at: Option<Moment>,
    /// Time at which somebody other than you last opened the page.
    last_opened_at: Option<Moment>,
    /// Number of these times. Opened does not mean read.
    open_count: i64,
    /// Time at which you withdrew the link.
    withdrawn_at: Option<Moment>,
}

fn body_of(link: &LinkDetails) -> LinkBody<'_> {
    LinkBody {
        url: link.url.as_deref(),
        opened_at: link.opened_at.map(Moment),
        last_opened_at: link.last_opened_at.map(Moment),
        open_count: link.open_count,
        withdrawn_at: link.withdrawn_at.map(Moment),
    }
}

/// Resource with a page for its customer.
pub(super) trait Linked: 'static {
    const KIND: LinkedKind;
    /// Name of the resource in a 404.
    const NAME: &'static str;
}

impl Linked for QuoteDetails {
    const KIND: LinkedKind = LinkedKind::Quote;
    const NAME: &'static str = "quote";
}

impl Linked for InvoiceDetails {
    const KIND: LinkedKind = LinkedKind::Invoice;
    const NAME: &'static str = "invoice";
}

/// Operations of the links of a resource. `ids` and `summaries` are those of reading, renewing and
/// withdrawing.
pub(super) fn operations<L: Linked>(
    path: &'static str,
    ids: [&'static str; 3],
    summaries: [&'static str; 3],
) -> [Operation; 3] {
    const NONE: &[&web_core::catalogue::ProblemKind] = &[NOT_FOUND];
    [
        Operation::read::<LinkBody<'_>, _, _>(path, ids[0], read::<L>)
            .says(summaries[0], "Only a document that was sent has one; else 404.")
            .or(NONE)
            .for_dutch_accounts(),
        Operation::act::<LinkBody<'_>, _, _>(path, ids[1], Answer::Changed, renew::<L>)
            .says(
                summaries[1],
                "Makes a new link, also after a withdrawal. The old one ends at once.",
            )
            .or(NONE)
            .for_dutch_accounts(),
        Operation::delete::<LinkBody<'_>, _, _>(path, ids[2], Answer::Changed, withdraw::<L>)
            .says(summaries[2], "The page answers 404 until the link is renewed.")
            .or(NONE)
            .for_dutch_accounts(),
    ]
}

async fn read<L: Linked>(
    Extension(cx): Extension<Context>,
    Extension(books): Extension<ReadContext>,
    Path(id): Path<String>,
    RawQuery(raw): RawQuery,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    query::none(raw.as_deref())?;
    let id = query::id(&id, L::NAME)?;
    let account = cx.actor.account;
    let link = books.query(account, move |tx| customer_links::read(tx, &cx, L::KIND, id)).await?;
    Ok(reply::resource_as(&headers, reply::body(&body_of(&link))))
}

async fn renew<L: Linked>(
    State(app): State<AppState>,
    Extension(cx): Extension<Context>,
    Path(id): Path<String>,
    request: Request,
) -> Result<Response, Problem> {
    body::read_none(request).await?;
    let id = query::id(&id, L::NAME)?;
    let account = cx.actor.account;
    let show = |link: LinkDetails| reply::changed(&body_of(&link));
    once::answer(&app, account, move |tx| customer_links::renew(tx, &cx, L::KIND, id), show).await
}

async fn withdraw<L: Linked>(
    State(app): State<AppState>,
    Extension(cx): Extension<Context>,
    Path(id): Path<String>,
    RawQuery(raw): RawQuery,
) -> Result<Response, Problem> {
    query::none(raw.as_deref())?;
    let id = query::id(&id, L::NAME)?;
    let account = cx.actor.account;
    let link =
        app.execute(account, move |tx| customer_links::withdraw(tx, &cx, L::KIND, id)).await?;
    Ok(reply::changed(&body_of(&link)).into_response())
}
