//! Short form of `cargo lab crash`: after kills under load, the books contain everything that was
//! acknowledged. Bank lines are imported, booked and undone meanwhile, and `verify` compares the
//! booking of each with its amount.

use lab::crash::{Victim, fail_over_repeatedly, kill_repeatedly, kill_while_due};
use std::path::Path;

fn survives(victim: Victim, rounds: u32) {
    let binary = Path::new(env!("CARGO_BIN_EXE_grootboek"));
    let totals =
        kill_repeatedly(binary, victim, rounds, 16).unwrap_or_else(|error| panic!("{error:#}"));
    assert!(totals.acknowledged > 0 && totals.lines > 0, "{totals:?}");
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
fn the_server_waits_for_a_killed_postgresql_and_loses_nothing() {
    survives(Victim::PostgresItself, 2);
}

#[test]
fn a_failover_to_a_standby_neither_loses_nor_repeats_what_was_acknowledged() {
    let binary = Path::new(env!("CARGO_BIN_EXE_grootboek"));
    let outcome = fail_over_repeatedly(binary, 2, 16).unwrap_or_else(|error| panic!("{error:#}"));
    assert!(outcome.totals.acknowledged > 0 && outcome.totals.unavailable > 0, "{outcome:?}");
}

fn each_is_made_once(victim: Victim, rounds: u32) {
    let binary = Path::new(env!("CARGO_BIN_EXE_grootboek"));
    let outcome =
        kill_while_due(binary, victim, rounds, true).unwrap_or_else(|error| panic!("{error:#}"));
    assert!(outcome.due > 0 && outcome.made == outcome.due, "{outcome:?}");
    assert_eq!(outcome.planned > 0, victim == Victim::Postgres, "{outcome:?}");
}

#[test]
fn a_killed_server_makes_what_is_due_once_on_sqlite() {
    each_is_made_once(Victim::Sqlite, 3);
}

#[test]
fn three_killed_nodes_make_what_is_due_once_on_postgresql() {
    each_is_made_once(Victim::Postgres, 6);
}
