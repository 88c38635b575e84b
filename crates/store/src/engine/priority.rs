//! Lower scheduling priority for threads with long-running work.

/// Niceness at which the thread still gets about a tenth of the time of a contended processor
/// (sched(7), "The nice value").
#[cfg(target_os = "linux")]
const NICENESS: i32 = 10;

/// Lowers the priority of the current thread. On Linux, niceness is per thread (setpriority(2), "C
/// library/kernel differences"). On other systems it would slow down the whole process, so this
/// function does nothing there.
pub fn give_way() {
    #[cfg(target_os = "linux")]
    // A failure is harmless: the thread merely competes with the other threads at normal priority.
    let _ = rustix::process::setpriority_process(None, NICENESS);
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn only_the_current_thread_gets_a_lower_priority() {
        let niceness = || rustix::process::getpriority_process(None).unwrap();
        let before = niceness();
        let lowered = std::thread::spawn(move || {
            give_way();
            niceness()
        });
        assert_eq!((lowered.join().unwrap(), niceness()), (before.max(NICENESS), before));
    }
}
