//! Links to the pages of customers. A link follows from its document and the server's secret, so
//! every sent document has one; only opening, renewing and withdrawing write.

use crate::{Context, Environment, Error, context, environment::LinkTarget};
use jiff::Timestamp;
use store::{
    Tx, accounts,
    accounts::Account,
    customer_links::{self as rows, LinkState},
    invoices, quotes,
};

pub use store::customer_links::LinkedKind;

/// Link of a customer's page, as shown to the owner.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkDetails {
    /// Address; `None` if the link is withdrawn.
    pub url: Option<String>,
    /// Time at which a visitor other than the owner first opened the page.
    pub opened_at: Option<Timestamp>,
    /// Time at which a visitor other than the owner last opened the page.
    pub last_opened_at: Option<Timestamp>,
    /// Number of these times.
    pub open_count: i64,
    /// Time at which the owner withdrew the link.
    pub withdrawn_at: Option<Timestamp>,
}

/// Document with a page for its customer.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Linked {
    pub(crate) kind: LinkedKind,
    pub(crate) id: i64,
    pub(crate) created_at: Timestamp,
}

impl Linked {
    /// Contents of the token of the link with a number. The creation time tells the document from
    /// another one with the same id, in books that were restored or reset.
    fn target(self, account: i64, number: i64) -> Option<LinkTarget> {
        let of_time = self.created_at.as_microsecond().rem_euclid(1 << 32);
        Some(LinkTarget {
            account: u32::try_from(account).ok()?,
            document: u32::try_from(self.id).ok()?,
            number: u32::try_from(number).ok()?,
            created_at: u32::try_from(of_time).ok()?,
        })
    }
}

/// Returns the address of the page of a document with this state of its link; `None` if the link is
/// withdrawn or the server has no secret.
pub(crate) fn url(cx: &Context, linked: Linked, link: &LinkState) -> Option<String> {
    let links = cx.env.links.as_ref().filter(|_| link.withdrawn_at.is_none())?;
    let target = linked.target(cx.actor.account, link.number)?;
    Some(links.url(linked.kind, target))
}

/// Returns the state of the link of a document.
pub(crate) fn state(
    tx: &mut Tx<'_>,
    cx: &Context,
    kind: LinkedKind,
    id: i64,
) -> Result<LinkState, Error> {
    let mut links = rows::of(tx, cx.actor.account, kind, &[id])?;
    Ok(links.remove(&id).unwrap_or_default())
}

/// Returns the document, if it was sent and the server has a secret for its link.
fn linked(tx: &mut Tx<'_>, cx: &Context, kind: LinkedKind, id: i64) -> Result<Linked, Error> {
    let account = cx.actor.account;
    let missing = match kind {
        LinkedKind::Quote => quotes::by_id(tx, account, id)?.is_none().then_some("quote"),
        LinkedKind::Invoice => invoices::by_id(tx, account, id)?.is_none().then_some("invoice"),
    };
    if let Some(missing) = missing {
        return Err(Error::NotFound(missing));
    }
    let sent = rows::sent_document(tx, account, kind, id)?;
    let created_at = sent.filter(|_| cx.env.links.is_some()).ok_or(Error::NotFound("link"))?;
    Ok(Linked { kind, id, created_at })
}

/// Returns the link of a document.
///
/// # Errors
/// There is no such document, it was never sent, or the server makes no links.
pub fn read(
    tx: &mut Tx<'_>,
    cx: &Context,
    kind: LinkedKind,
    id: i64,
) -> Result<LinkDetails, Error> {
    let linked = linked(tx, cx, kind, id)?;
    let link = state(tx, cx, kind, id)?;
    Ok(LinkDetails {
        url: url(cx, linked, &link),
        opened_at: link.opened_at,
        last_opened_at: link.last_opened_at,
        open_count: link.open_count,
        withdrawn_at: link.withdrawn_at,
    })
}

/// Makes a new link of a document that was sent; the old one ends.
///
/// # Errors
/// As for [`read`].
pub fn renew(
    tx: &mut Tx<'_>,
    cx: &Context,
    kind: LinkedKind,
    id: i64,
) -> Result<LinkDetails, Error> {
    context::transact(tx, cx, |tx, _, cx| {
        cx.actor.require_dutch()?;
        linked(tx, cx, kind, id)?;
        let number = state(tx, cx, kind, id)?.number + 1;
        let renewed = LinkState { number, ..LinkState::default() };
        rows::put(tx, cx.actor.account, (kind, id), &renewed)?;
        read(tx, cx, kind, id)
    })
}

/// Withdraws the link of a document; withdrawing it again changes nothing.
///
/// # Errors
/// As for [`read`].
pub fn withdraw(
    tx: &mut Tx<'_>,
    cx: &Context,
    kind: LinkedKind,
    id: i64,
) -> Result<LinkDetails, Error> {
    context::transact(tx, cx, |tx, _, cx| {
        cx.actor.require_dutch()?;
        linked(tx, cx, kind, id)?;
        let link = state(tx, cx, kind, id)?;
        if link.withdrawn_at.is_none() {
            let withdrawn = LinkState { withdrawn_at: Some(cx.now()), ..link };
            rows::put(tx, cx.actor.account, (kind, id), &withdrawn)?;
        }
        read(tx, cx, kind, id)
    })
}

/// Returns the account and the id of the document to which a token leads; `None` if there is no such
/// link, it is withdrawn or renewed, or the account is closed. Each case takes the same queries.
///
/// # Errors
/// The storage failed.
pub fn find(
    tx: &mut Tx<'_>,
    env: &Environment,
    kind: LinkedKind,
    token: &str,
) -> Result<Option<(Account, i64)>, Error> {
    let target = env.links.as_ref().and_then(|links| links.target(kind, token));
    let (account, id) =
        target.map_or((0, 0), |target| (target.account.into(), target.document.into()));
    let owner = accounts::by_id(tx, account)?;
    let created_at = rows::sent_document(tx, account, kind, id)?;
    let link = rows::of(tx, account, kind, &[id])?.remove(&id).unwrap_or_default();
    let current = created_at
        .filter(|_| link.withdrawn_at.is_none())
        .and_then(|created_at| Linked { kind, id, created_at }.target(account, link.number));
    let is_current = current.is_some() && current == target;
    Ok(owner.filter(|_| is_current).map(|account| (account, id)))
}

/// Counts an opening of the page of a document by a visitor other than the owner.
///
/// # Errors
/// The storage failed.
pub fn open(tx: &mut Tx<'_>, cx: &Context, kind: LinkedKind, id: i64) -> Result<(), Error> {
    Ok(rows::opened(tx, cx.actor.account, (kind, id), cx.clock())?)
}
