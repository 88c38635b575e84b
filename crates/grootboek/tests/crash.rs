//! The short form of `cargo lab crash`: killed in the midst of load, the books hold all that was acknowledged.

use lab::crash::{Victim, fail_over_repeatedly, kill_repeatedly};
use std::path::Path;

fn survives(victim: Victim, rounds: u32) {
    let binary = Path::new(env!("CARGO_BIN_EXE_grootboek"));
    let totals = kill_repeatedly(binary, victim, rounds, 16).unwrap_or_else(|error| panic!("{error:#}"));
    assert!(totals.acknowledged > 0);
    assert_eq!(totals.unavailable > 0, victim == Victim::PostgresItself);
}

#[test]
fn a_killed_server_loses_nothing_that_it_acknowledged_on_sqlite() {
    survives(Victim::Sqlite, 3);
}

#[test]
fn a_killed_server_loses_nothing_that_it_acknowledged_on_postgresql() {
    survives(Victim::Postgres, 2);
}

#[test]
fn a_killed_postgresql_is_waited_for_and_loses_nothing() {
    survives(Victim::PostgresItself, 2);
}

#[test]
fn a_standby_takes_over_and_nothing_acknowledged_is_lost_or_doubled() {
    let binary = Path::new(env!("CARGO_BIN_EXE_grootboek"));
    let outcome = fail_over_repeatedly(binary, 2, 16).unwrap_or_else(|error| panic!("{error:#}"));
    assert!(outcome.totals.acknowledged > 0 && outcome.totals.unavailable > 0, "{outcome:?}");
}
