//! Threads that work for long let the others go first.

/// About a tenth of what other threads get of a processor that both want (sched(7), "The nice value").
#[cfg(target_os = "linux")]
const NICENESS: i32 = 10;

/// Lets the other threads of this process go first on a processor that this one wants too. On Linux niceness is a thread's own
/// (setpriority(2), "C library/kernel differences"); elsewhere it would slow the whole process down, so that nothing is done.
pub fn give_way() {
    #[cfg(target_os = "linux")]
    // Without it the others are only disturbed more.
    let _ = rustix::process::setpriority_process(None, NICENESS);
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn only_the_thread_itself_gives_way() {
        let niceness = || rustix::process::getpriority_process(None).unwrap();
        let before = niceness();
        let there = std::thread::spawn(move || {
            give_way();
            niceness()
        });
        assert_eq!((there.join().unwrap(), niceness()), (before.max(NICENESS), before));
    }
}
