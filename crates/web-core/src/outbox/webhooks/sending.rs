//! Fair scheduling of webhook messages, with limits in total, per account and per webhook. Accounts
//! take turns, so that an account with hanging receivers delays others by at most the time limit of
//! an attempt.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};
use store::webhooks::Due;

/// Maximum numbers of concurrent messages: to healthy receivers, and to slow or failing ones.
const HEALTHY: usize = 24;
const FAILING: usize = 8;
/// Maximum numbers of concurrent messages per account; an account and its test account share them.
const HEALTHY_OF_ACCOUNT: usize = 4;
const FAILING_OF_ACCOUNT: usize = 2;
/// Time after which a response counts as slow; a receiver with two slow responses in a row is slow.
const SLOW: Duration = Duration::from_secs(2);
/// Number of turns after which an account's last turn is forgotten.
const REMEMBERED: u64 = 100_000;

/// Account and id of a webhook.
type Key = (i64, i64);

/// Messages being sent.
#[derive(Default)]
pub struct Sending(Mutex<State>);

#[derive(Default)]
struct State {
    under_way: Vec<Due>,
    /// Number of turns so far.
    turns: u64,
    /// Last turn of each account.
    last_turns: HashMap<i64, u64>,
    /// Number of consecutive slow responses per webhook; webhooks with none have no entry.
    slow: HashMap<Key, u32>,
}

impl Sending {
    /// Whether no message is being sent.
    pub fn is_idle(&self) -> bool {
        self.state().under_way.is_empty()
    }

    /// Records the response time of a webhook; returns whether the response was slow.
    pub fn took(&self, key: Key, time: Duration) -> bool {
        let mut state = self.state();
        if time > SLOW {
            *state.slow.entry(key).or_default() += 1;
        } else {
            state.slow.remove(&key);
        }
        time > SLOW
    }

    /// Removes the record of slow responses of a webhook that receives no more messages.
    pub fn forget(&self, key: Key) {
        self.state().slow.remove(&key);
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Returns the index of the message to send next, if a slot is free. Messages are ordered by
    /// the number of their account's messages in progress, then by the time since the account's
    /// last turn, then by their position in `waiting`.
    fn next(&self, waiting: &[Due]) -> Option<usize> {
        let count = |is_counted: &dyn Fn(&Due) -> bool| {
            self.under_way.iter().filter(|sent| is_counted(sent)).count()
        };
        let places = |due: &Due| {
            let (most, of_account, of_webhook) = if due.healthy {
                (HEALTHY, HEALTHY_OF_ACCOUNT, HEALTHY_OF_ACCOUNT)
            } else {
                (FAILING, FAILING_OF_ACCOUNT, 1)
            };
            let of_its_account =
                count(&|sent| sent.healthy == due.healthy && sent.turns_as == due.turns_as);
            let is_free = count(&|sent| sent.healthy == due.healthy) < most
                && of_its_account < of_account
                && count(&|sent| (sent.account, sent.webhook) == (due.account, due.webhook))
                    < of_webhook;
            is_free.then_some(of_its_account)
        };
        let ranked = waiting.iter().enumerate().filter_map(|(at, due)| {
            Some(((places(due)?, self.last_turns.get(&due.turns_as).copied().unwrap_or(0), at), at))
        });
        ranked.min().map(|(_, at)| at)
    }

    /// Assigns slots to waiting messages until no slot is free; accounts take turns.
    fn give_places(&mut self, mut waiting: Vec<Due>) -> Vec<Due> {
        for due in &mut waiting {
            due.healthy &=
                self.slow.get(&(due.account, due.webhook)).is_none_or(|times| *times < 2);
        }
        let mut assigned = Vec::new();
        while let Some(at) = self.next(&waiting) {
            let due = waiting.remove(at);
            self.turns += 1;
            self.last_turns.insert(due.turns_as, self.turns);
            self.under_way.push(due);
            assigned.push(due);
        }
        let turns = self.turns;
        self.last_turns.retain(|_, last| *last + REMEMBERED > turns);
        assigned
    }
}

/// A slot for sending; released on drop.
pub struct Place {
    sending: Arc<Sending>,
    /// Webhook that receives the message.
    pub due: Due,
}

impl Place {
    /// Assigns free slots to due messages and returns the slots; accounts take turns.
    pub fn give(sending: &Arc<Sending>, due: Vec<Due>) -> Vec<Self> {
        let assigned = sending.state().give_places(due);
        assigned.into_iter().map(|due| Self { sending: Arc::clone(sending), due }).collect()
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut state = self.sending.state();
        if let Some(at) = state.under_way.iter().position(|sent| *sent == self.due) {
            state.under_way.swap_remove(at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(
        account: i64,
        webhooks: std::ops::Range<i64>,
        healthy: bool,
    ) -> impl Iterator<Item = Due> {
        webhooks.map(move |webhook| Due { account, turns_as: account, webhook, healthy })
    }

    /// Returns the number of slots assigned to each account.
    fn counted(assigned: &[Due]) -> HashMap<i64, usize> {
        let mut counts = HashMap::new();
        for due in assigned {
            *counts.entry(due.turns_as).or_default() += 1;
        }
        counts
    }

    #[test]
    fn one_account_leaves_slots_for_others() {
        for (healthy, most) in [(true, 4), (false, 2)] {
            let mut state = State::default();
            let assigned =
                state.give_places(of(1, 0..20, healthy).chain(of(2, 0..1, healthy)).collect());
            assert_eq!(counted(&assigned), HashMap::from([(1, most), (2, 1)]));
            // Messages in progress count towards the limit.
            assert_eq!(state.give_places(of(1, 20..40, healthy).collect()), []);
            assert_eq!(state.give_places(of(1, 50..51, !healthy).collect()).len(), 1);
        }
    }

    #[test]
    fn a_test_account_takes_turns_with_its_live_one() {
        let mut state = State::default();
        let test = of(2, 0..20, false).map(|due| Due { turns_as: 1, ..due });
        let assigned = state.give_places(of(1, 0..20, false).chain(test).collect());
        assert_eq!(assigned.len(), 2);
    }

    #[test]
    fn the_account_served_longest_ago_goes_first() {
        let mut state = State::default();
        let all = |webhook: i64| {
            (1..=20)
                .flat_map(move |account| of(account, webhook..webhook + 1, false))
                .collect::<Vec<_>>()
        };
        let mut served = Vec::new();
        for webhook in 0..5 {
            let assigned = state.give_places(all(webhook));
            assert_eq!(assigned.len(), 8);
            served.extend(assigned.iter().map(|due| due.account));
            state.under_way.clear();
        }
        assert_eq!(served, (1..=20).chain(1..=20).collect::<Vec<_>>());
    }

    #[test]
    fn the_account_with_the_fewest_messages_in_progress_goes_first() {
        let mut state = State::default();
        // Accounts 1 to 23 each have a message in progress, which leaves one slot.
        let ones = |accounts: std::ops::RangeInclusive<i64>| {
            accounts.flat_map(|account| of(account, 0..1, true)).collect::<Vec<_>>()
        };
        state.give_places(ones(1..=23));
        let assigned = state.give_places(of(1, 1..9, true).chain(of(24, 0..1, true)).collect());
        assert_eq!(counted(&assigned), HashMap::from([(24, 1)]));
    }

    #[test]
    fn a_failing_webhook_gets_one_message_at_a_time_and_a_healthy_one_several() {
        for (healthy, most) in [(true, 4), (false, 1)] {
            let mut state = State::default();
            let assigned: usize =
                (0..9).map(|_| state.give_places(of(1, 0..1, healthy).collect()).len()).sum();
            assert_eq!(assigned, most);
        }
    }

    #[test]
    fn a_receiver_that_is_slow_twice_counts_as_failing_until_it_is_quick() {
        let sending = Arc::new(Sending::default());
        let is_healthy = || Place::give(&sending, of(1, 0..1, true).collect())[0].due.healthy;
        let (slow, quick) = (Duration::from_millis(2_001), Duration::from_secs(2));
        assert!(sending.took((1, 0), slow));
        assert!(is_healthy());
        assert!(sending.took((1, 0), slow) && sending.took((1, 0), slow));
        assert!(!is_healthy());
        assert!(!sending.took((1, 0), quick));
        assert!(is_healthy() && sending.is_idle());
    }
}
