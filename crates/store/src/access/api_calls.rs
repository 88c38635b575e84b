//! The last calls of the API, for an account's owner to see what an integration does.

use crate::{
    StoreError, Tx,
    engine::record::{self, Record, record},
    param::Param,
    params,
    tx::id_list,
};
use jiff::Timestamp;
use std::collections::{BTreeMap, BTreeSet};

/// Calls that are kept of each account.
pub const KEPT: usize = 100;

/// A call that was answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApiCall {
    /// When it came.
    pub at: Timestamp,
    /// What its answer carried as `X-Request-Id`.
    pub request_id: String,
    /// Such as `GET`; `OTHER` when it is none of the usual ones.
    pub method: String,
    /// The pattern of the address, such as `/api/v1/invoices/{id}`; `unknown` when it fits none.
    pub route: String,
    /// The status of the answer.
    pub status: i64,
    /// The problem's code; empty when there was none.
    pub code: String,
    /// `key` or `grant`: whether it was a key or a connected application.
    pub caller: String,
    /// The id of the key or grant.
    pub caller_id: String,
    /// Where it came from.
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

/// Writes calls down, each with its account, and forgets the oldest ones beyond [`KEPT`]. An account that was closed meanwhile gets
/// none: its rows are being erased. Calls of an application keep its name, as the grant goes when it is disconnected.
pub fn append(tx: &mut Tx<'_>, calls: &[(i64, ApiCall)]) -> Result<(), StoreError> {
    let accounts: BTreeSet<i64> = calls.iter().map(|(account, _)| *account).collect();
    let (places, accounts) = id_list(&accounts.into_iter().collect::<Vec<_>>(), 1);
    let found = tx.query(
        &format!(
            "SELECT a.id, g.id, c.name FROM accounts a
             LEFT JOIN oauth_grants g ON g.account_id = a.id LEFT JOIN oauth_clients c ON c.id = g.client_id
             WHERE a.id IN ({places}) AND a.closed_at IS NULL"
        ),
        &accounts.into_iter().map(Param::from).collect::<Vec<_>>(),
        |row| Ok((row.int(0)?, row.opt_text(1)?, row.opt_text(2)?)),
    )?;
    let open: BTreeSet<i64> = found.iter().map(|(account, ..)| *account).collect();
    let names: BTreeMap<(i64, String), String> =
        found.into_iter().filter_map(|(account, grant, name)| Some(((account, grant?), name?))).collect();
    let mut values = Vec::new();
    for (account, call) in calls.iter().filter(|(account, _)| open.contains(account)) {
        values.extend(call.values(*account));
        values.push(names.get(&(*account, call.caller_id.clone())).into());
    }
    // Some may be written down already, when the outcome of that was not known.
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

/// The calls of an account that are kept, the latest first; each with what its caller is called, if that is still known.
pub fn last(tx: &mut Tx<'_>, account: i64) -> Result<Vec<(ApiCall, Option<String>)>, StoreError> {
    let sql = format!(
        "SELECT {}, COALESCE(k.name, c.caller_name) FROM api_calls c
         LEFT JOIN api_keys k ON c.caller = 'key' AND k.account_id = c.account_id AND CAST(k.id AS TEXT) = c.caller_id
         WHERE c.account_id = ?1 ORDER BY c.at DESC, c.request_id DESC LIMIT ?2",
        record::of("c", ApiCall::COLUMNS)
    );
    tx.query(&sql, &params![account, KEPT as i64], record::read)
}
