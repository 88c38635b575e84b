//! Recent API calls, kept so that an account's owner can see what an integration does.

use crate::{
    StoreError, Tx,
    engine::record::{self, Record, record},
    param::Param,
    params,
    tx::id_list,
};
use jiff::Timestamp;
use std::collections::{BTreeMap, BTreeSet};

/// Number of calls kept per account.
pub const KEPT: usize = 100;

/// A completed call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApiCall {
    /// Time of the request.
    pub at: Timestamp,
    /// Value of `X-Request-Id` in the response.
    pub request_id: String,
    /// HTTP method, such as `GET`; `OTHER` if it is not a common one.
    pub method: String,
    /// Route pattern, such as `/api/v1/invoices/{id}`; `unknown` if no route matches.
    pub route: String,
    /// Status of the response.
    pub status: i64,
    /// Problem code of the response; empty if it has none.
    pub code: String,
    /// Kind of caller: `key` for an API key, `grant` for a connected application.
    pub caller: String,
    /// Id of the key or grant.
    pub caller_id: String,
    /// Network address of the caller.
    pub address: String,
}

record! {
    ApiCall {
        "at": at,
        "request_id": request_id,
        "method": method,
        "route": route,
        "status": status,
        "code": code,
        "caller": caller,
        "caller_id": caller_id,
        "address": address,
    }
}

/// Stores calls with their accounts, and deletes all but the latest [`KEPT`] of each account. Calls
/// of a closed account are dropped, since its rows are being erased. The name of an application is
/// stored with the call, because the grant disappears when the application is disconnected.
pub fn append(tx: &mut Tx<'_>, calls: &[(i64, ApiCall)]) -> Result<(), StoreError> {
    let accounts: BTreeSet<i64> = calls.iter().map(|(account, _)| *account).collect();
    let (places, accounts) = id_list(&accounts.into_iter().collect::<Vec<_>>(), 1);
    let callers = tx.query(
        &format!(
            "SELECT a.id, g.id, c.name FROM accounts a
             LEFT JOIN oauth_grants g ON g.account_id = a.id LEFT JOIN oauth_clients c ON c.id = g.client_id
             WHERE a.id IN ({places}) AND a.closed_at IS NULL"
        ),
        &accounts.into_iter().map(Param::from).collect::<Vec<_>>(),
        |row| Ok((row.int(0)?, row.opt_text(1)?, row.opt_text(2)?)),
    )?;
    let open: BTreeSet<i64> = callers.iter().map(|(account, ..)| *account).collect();
    let names: BTreeMap<(i64, String), String> = callers
        .into_iter()
        .filter_map(|(account, grant, name)| Some(((account, grant?), name?)))
        .collect();
    let mut values = Vec::new();
    for (account, call) in calls.iter().filter(|(account, _)| open.contains(account)) {
        values.extend(call.values(*account));
        values.push(names.get(&(*account, call.caller_id.clone())).into());
    }
    // Some calls may be stored already, if the outcome of an earlier attempt was unknown.
    let columns = format!("account_id, {}, caller_name", ApiCall::COLUMNS);
    record::insert_into(tx, "api_calls", &columns, &values, "ON CONFLICT DO NOTHING")?;
    for account in open {
        tx.execute(
            "DELETE FROM api_calls WHERE account_id = ?1 AND (at, request_id) <=
               (SELECT at, request_id FROM api_calls WHERE account_id = ?1 ORDER BY at DESC, request_id DESC LIMIT 1 OFFSET ?2)",
            &params![account, KEPT as i64],
        )?;
    }
    Ok(())
}

/// Stored calls of an account, newest first, each with the name of the calling key or application
/// if it is known.
pub fn last(tx: &mut Tx<'_>, account: i64) -> Result<Vec<(ApiCall, Option<String>)>, StoreError> {
    let sql = format!(
        "SELECT {}, COALESCE(k.name, c.caller_name) FROM api_calls c
         LEFT JOIN api_keys k ON c.caller = 'key' AND k.account_id = c.account_id AND CAST(k.id AS TEXT) = c.caller_id
         WHERE c.account_id = ?1 ORDER BY c.at DESC, c.request_id DESC LIMIT ?2",
        record::of("c", ApiCall::COLUMNS)
    );
    tx.query(&sql, &params![account, KEPT as i64], record::read)
}
