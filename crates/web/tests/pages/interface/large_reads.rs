//! Isolation of slow reads: an account that reads slow pages does not delay requests from other
//! accounts.

use crate::help::signed_in;
use std::{
    thread,
    time::{Duration, Instant},
};
use testing::{Server, on_both_engines};

on_both_engines! {
    fn lists_on_pages_wait_for_each_other_but_delay_no_other_requests(engine) {
        // More lists than the runtime has threads: if lists ran on the runtime's threads, no other
        // request would be answered.
        let lists_at_once =
            2 * u32::try_from(thread::available_parallelism().unwrap().get()).unwrap() + 2;
        let limit = Duration::from_secs(1);
        let server = Server::start_with_query_limit(engine, limit);
        let quiet = server.account("quiet@example.com");
        let loud = signed_in(&server);
        server.make_projects_endless();
        let start = Instant::now();
        let answered = thread::scope(|scope| {
            let lists: Vec<_> = (0..lists_at_once)
                .map(|_| {
                    let window = loud.clone();
                    scope.spawn(move || window.get("/projects"))
                })
                .collect();
            // Waits until the lists run; only responses during the lists are counted.
            thread::sleep(limit / 10);
            let mut answered = 0;
            while lists.iter().all(|list| !list.is_finished()) {
                assert_eq!(server.get(&quiet, "/api/v1/account").status, 200);
                answered += 1;
            }
            for list in lists {
                assert_eq!(
                    list.join().unwrap().status,
                    503,
                    "stopped by the query limit, not rejected before"
                );
            }
            answered
        });
        assert!(
            start.elapsed() >= limit * lists_at_once / 2,
            "more than two ran at once: {:?}",
            start.elapsed()
        );
        assert!(
            answered >= 10,
            "others were answered {answered} times before the first list ended"
        );
    }
}
