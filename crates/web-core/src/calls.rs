//! Write-behind buffer in memory: the latest API calls, and the last use of each key and
//! connection. Losing the buffer affects no bookkeeping data.

use crate::{address::ClientAddress, caller::Caller};
use axum::extract::MatchedPath;
use jiff::Timestamp;
use service::{access::Use, actor::Credential};
use std::{
    collections::{HashMap, VecDeque},
    sync::{Mutex, PoisonError},
};
use store::api_calls::{ApiCall, KEPT};

/// Maximum number of calls buffered across all accounts, some 200 bytes each. When it is reached, a
/// new call replaces the oldest one of its account, or is dropped if the account has none.
const MOST_CALLS: usize = 50_000;
/// Number of rows after which a batch is complete. Each batch is saved in one transaction, short
/// enough not to delay bookings noticeably.
const BATCH: usize = 200;

/// Calls and uses that have yet to be saved.
#[derive(Default)]
pub struct RecentCalls {
    recent: Mutex<Recent>,
    /// Lock held while batches are saved. A reader that waits for the lock sees every batch.
    pub saving: tokio::sync::Mutex<()>,
}

#[derive(Default)]
struct Recent {
    accounts: HashMap<i64, OfAccount>,
    /// Total number of buffered calls.
    total: usize,
}

#[derive(Default)]
struct OfAccount {
    calls: VecDeque<Call>,
    uses: HashMap<Credential, (Timestamp, ClientAddress)>,
}

/// An answered call. Recording it copies no strings.
#[derive(Clone)]
pub struct Call {
    /// Authenticated caller.
    pub caller: Caller,
    /// Value of the header `X-Request-Id`.
    pub request_id: String,
    /// HTTP method.
    pub method: &'static str,
    /// Matched route; `None` if no route matched.
    pub route: Option<MatchedPath>,
    /// HTTP status.
    pub status: u16,
    /// Code of the problem; empty on success.
    pub code: &'static str,
    /// Address of the client.
    pub address: ClientAddress,
}

/// Calls and uses to save in one transaction.
pub struct Batch(Vec<(i64, OfAccount)>);

impl RecentCalls {
    /// Records the use of a credential.
    pub fn record_use(&self, caller: &Caller, address: ClientAddress) {
        let mut recent = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        let account = recent.accounts.entry(caller.account).or_default();
        account.uses.insert(caller.credential.clone(), (caller.at, address));
    }

    /// Records an answered call.
    pub fn record_call(&self, call: Call) {
        let mut recent = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        let Recent { accounts, total } = &mut *recent;
        let calls = &mut accounts.entry(call.caller.account).or_default().calls;
        if calls.len() == KEPT || *total >= MOST_CALLS {
            if calls.pop_front().is_none() {
                return;
            }
            *total -= 1;
        }
        calls.push_back(call);
        *total += 1;
    }

    /// Removes and returns the buffered data of one account, or of all accounts, in batches.
    pub fn take(&self, account: Option<i64>) -> Vec<Batch> {
        let mut recent = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        let taken: Vec<_> = match account {
            Some(account) => recent.accounts.remove_entry(&account).into_iter().collect(),
            None => std::mem::take(&mut recent.accounts).into_iter().collect(),
        };
        recent.total -= taken.iter().map(|(_, of_account)| of_account.calls.len()).sum::<usize>();
        drop(recent);
        let mut batches = Vec::new();
        let mut rows = BATCH;
        for (account, of_account) in taken {
            if rows >= BATCH {
                batches.push(Batch(Vec::new()));
                rows = 0;
            }
            rows += of_account.calls.len() + of_account.uses.len();
            if let Some(batch) = batches.last_mut() {
                batch.0.push((account, of_account));
            }
        }
        batches
    }

    /// Puts a batch that could not be saved back into the buffer, as far as it fits.
    pub fn put_back(&self, batch: &Batch) {
        let mut recent = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        let Recent { accounts, total } = &mut *recent;
        for (account, of_account) in &batch.0 {
            let now = accounts.entry(*account).or_default();
            for (credential, last) in &of_account.uses {
                now.uses.entry(credential.clone()).or_insert(*last);
            }
            for call in of_account.calls.iter().rev() {
                if now.calls.len() < KEPT && *total < MOST_CALLS {
                    now.calls.push_front(call.clone());
                    *total += 1;
                }
            }
        }
    }
}

impl Batch {
    /// Last uses of keys and connections.
    pub fn uses(&self) -> Vec<Use> {
        let one = |account: i64,
                   credential: &Credential,
                   (at, address): &(Timestamp, ClientAddress)| Use {
            account,
            credential: credential.clone(),
            at: *at,
            address: address.to_string(),
        };
        let of_account = |(account, recent): &(i64, OfAccount)| {
            let account = *account;
            recent
                .uses
                .iter()
                .map(|(credential, last)| one(account, credential, last))
                .collect::<Vec<_>>()
        };
        self.0.iter().flat_map(of_account).collect()
    }

    /// Calls, each with its account.
    pub fn calls(&self) -> Vec<(i64, ApiCall)> {
        self.0
            .iter()
            .flat_map(|(account, recent)| recent.calls.iter().map(|call| (*account, call.row())))
            .collect()
    }
}

impl Call {
    fn row(&self) -> ApiCall {
        let (caller, caller_id) = match &self.caller.credential {
            Credential::Owner => ("owner", String::new()),
            Credential::Key(key) => ("key", key.to_string()),
            Credential::Grant(grant) => ("grant", grant.clone()),
        };
        ApiCall {
            at: self.caller.at,
            request_id: self.request_id.clone(),
            method: self.method.to_owned(),
            route: self.route.as_ref().map_or("unknown", MatchedPath::as_str).to_owned(),
            status: i64::from(self.status),
            code: self.code.to_owned(),
            caller: caller.to_owned(),
            caller_id,
            address: self.address.to_string(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::{Extensions, HeaderMap};

    fn call(account: i64, status: u16) -> Call {
        let caller = Caller { account, credential: Credential::Key(1), at: Timestamp::UNIX_EPOCH };
        let address = ClientAddress::find(&Extensions::new(), &HeaderMap::new(), &[]);
        Call {
            caller,
            request_id: String::new(),
            method: "GET",
            route: None,
            status,
            code: "",
            address,
        }
    }

    fn statuses(batches: &[Batch]) -> Vec<i64> {
        batches.iter().flat_map(Batch::calls).map(|(_, call)| call.status).collect()
    }

    #[test]
    fn calls_that_could_not_be_saved_precede_later_ones() {
        let recent = RecentCalls::default();
        (0..3).for_each(|status| recent.record_call(call(1, status)));
        let taken = recent.take(None);
        assert_eq!(statuses(&taken), [0, 1, 2]);
        assert!(recent.take(None).is_empty());
        recent.record_call(call(1, 3));
        taken.iter().for_each(|batch| recent.put_back(batch));
        assert_eq!(statuses(&recent.take(Some(1))), [0, 1, 2, 3]);
    }

    #[test]
    fn a_busy_account_keeps_only_its_latest_calls() {
        let recent = RecentCalls::default();
        (0..250).for_each(|status| recent.record_call(call(1, status)));
        assert_eq!(statuses(&recent.take(None)), (150..250).collect::<Vec<_>>());
    }

    #[test]
    fn all_accounts_together_have_a_limit() {
        let recent = RecentCalls::default();
        let accounts = i64::try_from(MOST_CALLS).unwrap() + 10;
        (0..accounts).for_each(|account| recent.record_call(call(account, 200)));
        // A new call of an account replaces its oldest one.
        recent.record_call(call(0, 201));
        let taken = recent.take(None);
        assert_eq!(statuses(&taken).len(), MOST_CALLS);
        assert!(taken.iter().all(|batch| batch.calls().len() <= BATCH + KEPT));
        assert_eq!(statuses(&taken).iter().filter(|status| **status == 201).count(), 1);
        taken.iter().for_each(|batch| recent.put_back(batch));
        assert_eq!(statuses(&recent.take(None)).len(), MOST_CALLS);
    }

    #[test]
    fn taken_calls_are_removed() {
        let recent = RecentCalls::default();
        for round in 0..3 {
            recent.record_call(call(round, 200));
            assert_eq!(recent.take(Some(round)).len(), 1);
        }
        let state = recent.recent.lock().unwrap();
        assert_eq!((state.total, state.accounts.len()), (0, 0));
    }
}
