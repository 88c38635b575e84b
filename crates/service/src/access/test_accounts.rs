//! Test accounts: books beside the real ones, for trying an integration out. Nothing goes from the one to the other.

use crate::{Context, Environment, Error, Reason, context};
use jiff::{Timestamp, ToSpan, tz::TimeZone};
use store::{
    StoreError, Tx,
    accounts::Account,
    books::{self, Terms},
    closing, documents, people, schemes, test_accounts as rows,
};

/// How many years the clock of a test account can be ahead of the server's.
const YEARS_AHEAD: i64 = 20;
/// Rows that are erased by the command that empties a test account.
const ERASED_AT_ONCE: i64 = 2_000;

/// The test account beside an account, if one was opened.
///
/// # Errors
/// The storage failed.
pub fn find(tx: &mut Tx<'_>, live: i64) -> Result<Option<Account>, Error> {
    Ok(rows::find(tx, live)?)
}

/// The test account beside an account; opens it with the settings of that when there is none.
///
/// # Errors
/// The account was closed meanwhile.
pub fn open(tx: &mut Tx<'_>, env: &Environment, live: i64) -> Result<Account, Error> {
    if !people::lock_owner(tx, live)? {
        return Err(Error::NotFound("account"));
    }
    if let Some(known) = rows::find(tx, live)? {
        return Ok(known);
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
    store::accounts::by_id(tx, id)?.ok_or(Error::NotFound("account"))
}

/// Sets what time it is in the books of a test account; they go on from there. Keys, tokens and limits go by the server's clock.
///
/// # Errors
/// The account is no test account; it is later than that in its books already, or more than twenty years before.
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
        rows::set_ahead(tx, cx.actor.account, to.duration_since(cx.env.now))?;
        Ok(to)
    })
}

/// As every moment is shown, with six decimals.
fn moment(at: Timestamp) -> String {
    format!("{at:.6}")
}

/// Locks the owner and the books, in this order, as whoever closes the account does; tells whether there are any. Who waits for the books of
/// an account that is emptied finds them closed.
///
/// # Errors
/// The storage failed.
pub fn lock(tx: &mut Tx<'_>, account: i64) -> Result<bool, Error> {
    Ok(people::lock_owner(tx, account)? && books::lock(tx, account)?)
}

/// Empties a test account: its books begin anew with the settings of the account that it is beside, at the server's time. Its keys and
/// connected applications stay; webhooks go with the books.
///
/// # Errors
/// The account is no test account, or was closed meanwhile.
pub fn reset(tx: &mut Tx<'_>, cx: &Context) -> Result<Account, Error> {
    let test = cx.actor.require_test_account()?;
    if !lock(tx, cx.actor.account)? {
        return Err(StoreError::AccountClosed.into());
    }
    // Closed before there is another: an account has one test account. What speaks for it goes over in between.
    rows::set_aside(tx, cx.actor.account, cx.now())?;
    let anew = begin(tx, &cx.env, test.of)?;
    rows::hand_over(tx, cx.actor.account, anew.id)?;
    closing::close_account(tx, cx.actor.account, cx.now())?;
    // Nothing is under way that could still write to it. What is too much for one command is erased in the background.
    if closing::erase(tx, cx.actor.account, ERASED_AT_ONCE)? < ERASED_AT_ONCE {
        closing::erase_account(tx, cx.actor.account)?;
    }
    Ok(anew)
}
