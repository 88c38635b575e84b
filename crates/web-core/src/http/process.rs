//! Resource usage of the process, from `/proc` on Linux; unavailable elsewhere.

use prometheus_client::{
    metrics::{counter::Counter, gauge::Gauge},
    registry::Registry,
};
use std::{
    fs,
    sync::{Mutex, PoisonError, atomic::AtomicU64},
    time::Duration,
};

/// Ticks per second in `/proc/self/stat` (`USER_HZ`), the same on all current Linux architectures.
const TICKS: u32 = 100;

/// Gauges for memory, open files, threads and processor time.
#[derive(Default)]
pub(super) struct Gauges {
    memory: Gauge,
    open_files: Gauge,
    most_files: Gauge,
    threads: Gauge,
    processor: Counter<f64, AtomicU64>,
    /// Processor time already added to `processor`.
    counted: Mutex<Duration>,
    started: Gauge,
}

impl Gauges {
    pub(super) fn register(&self, registry: &mut Registry) {
        registry.register("process_resident_memory_bytes", "Memory in use", self.memory.clone());
        registry.register(
            "process_open_fds",
            "Open files and connections",
            self.open_files.clone(),
        );
        registry.register(
            "process_max_fds",
            "Maximum number of open files and connections",
            self.most_files.clone(),
        );
        registry.register("process_threads", "Threads", self.threads.clone());
        registry.register("process_cpu_seconds", "Processor time used", self.processor.clone());
        registry.register(
            "process_start_time_seconds",
            "Start time of the process",
            self.started.clone(),
        );
        self.started.set(jiff::Timestamp::now().as_second());
    }

    /// Updates the gauges.
    pub(super) fn look(&self) {
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let of = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name))?;
            line.split_whitespace().next()?.parse::<i64>().ok()
        };
        if let Some(kibibytes) = of("VmRSS:") {
            self.memory.set(kibibytes * 1024);
        }
        if let Some(threads) = of("Threads:") {
            self.threads.set(threads);
        }
        if let Ok(files) = fs::read_dir("/proc/self/fd") {
            self.open_files.set(i64::try_from(files.count()).unwrap_or(i64::MAX));
        }
        let limits = fs::read_to_string("/proc/self/limits").unwrap_or_default();
        let most = limits.lines().find_map(|line| line.strip_prefix("Max open files"));
        if let Some(most) = most.and_then(|line| line.split_whitespace().next()?.parse().ok()) {
            self.most_files.set(most);
        }
        let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
        if let Some(ticks) = ticks(&stat) {
            let now = Duration::from_secs(ticks) / TICKS;
            let mut counted = self.counted.lock().unwrap_or_else(PoisonError::into_inner);
            self.processor.inc_by(now.saturating_sub(*counted).as_secs_f64());
            *counted = now;
        }
    }
}

/// Parses user and system time from `/proc/self/stat` (fields 14 and 15). The process name, an
/// earlier field, may contain blanks.
fn ticks(stat: &str) -> Option<u64> {
    let (_, rest) = stat.rsplit_once(')')?;
    let mut fields = rest.split_whitespace().skip(11);
    Some(fields.next()?.parse::<u64>().ok()? + fields.next()?.parse::<u64>().ok()?)
}

#[cfg(test)]
mod tests {
    #[test]
    fn user_and_system_time_follow_any_name() {
        let stat = "71 (a ) b) S 1 71 71 0 -1 4194560 1000 0 0 0 150 50 0 0 20 0 9 0 100 1 2";
        assert_eq!(super::ticks(stat), Some(200));
    }
}
