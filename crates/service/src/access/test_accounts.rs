//! Test accounts: separate books for trying out an integration. No data passes between the test
//! books and the real ones.

use crate::{Context, Environment, Error, Reason, context, recurring, reminders};
use jiff::{Timestamp, ToSpan, tz::TimeZone};
use store::{
    StoreError, Tx,
    accounts::Account,
    books::{self, Terms},
    closing, documents, outbox, people, schemes, test_accounts as rows,
};

/// Maximum number of years by which the clock of a test account can be ahead of the server's.
const YEARS_AHEAD: i64 = 20;
/// Maximum number of rows erased by the reset command itself; the rest are erased in the
/// background.
const ERASED_AT_ONCE: i64 = 2_000;

/// Returns the test account that belongs to an account, if it has been opened.
///
/// # Errors
/// The storage failed.
pub fn find(tx: &mut Tx<'_>, live: i64) -> Result<Option<Account>, Error> {
    Ok(rows::find(tx, live)?)
}

/// Returns the test account that belongs to an account. If there is none, opens one with the
/// settings of the real account.
///
/// # Errors
/// The account has been closed.
pub fn open(tx: &mut Tx<'_>, env: &Environment, live: i64) -> Result<Account, Error> {
    if !people::lock_owner(tx, live)? {
        return Err(Error::NotFound("account"));
    }
    if let Some(existing) = rows::find(tx, live)? {
        return Ok(existing);
    }
    begin(tx, env, live)
}

fn begin(tx: &mut Tx<'_>, env: &Environment, live: i64) -> Result<Account, Error> {
    let live = store::accounts::by_id(tx, live)?.ok_or(Error::NotFound("account"))?;
    let id = rows::insert(tx, &live, env.now)?;
    for change in schemes::all(tx, live.id)? {
        schemes::put(tx, id, &change)?;
    }
    if let Some(Terms { look, .. }) = books::terms(tx, live.id)? {
        if let Some(sha256) = &look.logo
            && let Some(bytes) = documents::logo(tx, live.id, sha256)?
        {
            documents::insert_logo(tx, id, sha256, &bytes)?;
        }
        documents::set_look(tx, id, &look)?;
    }
    reminders::plan_new(tx, id, env.now, env.now)?;
    store::accounts::by_id(tx, id)?.ok_or(Error::NotFound("account"))
}

/// Sets the clock of a test account's books; the clock then keeps running from the new time. Keys,
/// tokens and rate limits use the server's clock.
///
/// # Errors
/// The account is not a test account, or the time is before the current time of its books or more
/// than twenty years ahead of the server's.
pub fn set_clock(tx: &mut Tx<'_>, cx: &Context, to: Timestamp) -> Result<Timestamp, Error> {
    cx.actor.require_test_account()?;
    context::transact(tx, cx, |tx, books, cx| {
        let latest = (cx.env.now.to_zoned(TimeZone::UTC) + YEARS_AHEAD.years()).timestamp();
        if to < books.clock() {
            return Err(Error::fault("/now", Reason::ClockBack { now: moment(books.clock()) }));
        }
        if to > latest {
            return Err(Error::fault("/now", Reason::ClockTooFar { latest: moment(latest) }));
        }
        let ahead = to.duration_since(cx.env.now);
        rows::set_ahead(tx, cx.actor.account, ahead)?;
        // What waits for a time of the books is due earlier by the time that is skipped.
        let skipped = to.duration_since(books.clock());
        outbox::bring_forward(tx, cx.actor.account, skipped, cx.env.now)?;
        recurring::plan_with(tx, cx, ahead)?;
        reminders::skip_time(tx, cx, skipped)?;
        Ok(to)
    })
}

/// Formats a time with six decimals, like every time in the API.
fn moment(at: Timestamp) -> String {
    format!("{at:.6}")
}

/// Locks the owner and the books, in the same order as when an account is closed; returns whether
/// the books still exist. The books no longer exist if the account was reset while the caller
/// waited for the lock.
///
/// # Errors
/// The storage failed.
pub fn lock(tx: &mut Tx<'_>, account: i64) -> Result<bool, Error> {
    Ok(people::lock_owner(tx, account)? && books::lock(tx, account)?)
}

/// Resets a test account: its books start again with the settings of the real account, at the
/// server's time. Keys and connected applications are kept; webhooks are removed with the books.
///
/// # Errors
/// The account is not a test account, or has been closed.
pub fn reset(tx: &mut Tx<'_>, cx: &Context) -> Result<Account, Error> {
    let test = cx.actor.require_test_account()?;
    if !lock(tx, cx.actor.account)? {
        return Err(StoreError::AccountClosed.into());
    }
    // An account has at most one test account, so the old one is set aside before the new one is
    // created. Keys and grants are then transferred.
    rows::set_aside(tx, cx.actor.account, cx.now())?;
    let fresh = begin(tx, &cx.env, test.of)?;
    rows::hand_over(tx, cx.actor.account, fresh.id)?;
    closing::close_account(tx, cx.actor.account, cx.now())?;
    // The lock excludes other writes to the old account. Rows beyond the limit are erased in the
    // background.
    if closing::erase(tx, cx.actor.account, ERASED_AT_ONCE)? < ERASED_AT_ONCE {
        closing::erase_account(tx, cx.actor.account)?;
    }
    Ok(fresh)
}
