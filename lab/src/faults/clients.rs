//! Clients that continuously write, read and query readiness, with statistics of the responses.

use crate::{
    crash::{Acknowledged, agent, create, identity},
    server::Server,
};
use anyhow::{Context, ensure};
use std::{
    collections::BTreeMap,
    fmt,
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

/// Number of clients that write.
const WRITERS: usize = 8;
/// Time for which a client pauses after each invoice. The pause limits the number of invoices,
/// because all of them are requested again at the end.
const PAUSE: Duration = Duration::from_millis(20);
/// Time for which the clients run before the fault.
const BEFORE: Duration = Duration::from_secs(2);
/// Time for which a rejected write is retried after the fault is over.
const RECOVERY_TIMEOUT: Duration = Duration::from_secs(90);
/// Maximum growth of the server's memory during the test, in bytes.
const GROWTH: u64 = 200 << 20;

/// Phase in which a request was sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Phase {
    /// Before the fault.
    Before,
    /// During the fault.
    During,
    /// After the fault.
    After,
}

/// Kind of request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Operation {
    /// Creating an invoice.
    Write,
    /// Reading the account, or a list.
    Read,
    /// Querying the readiness.
    Ready,
}

/// A response: its status, and the code of the problem or the first line of the readiness.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Answer {
    /// 0 if the connection failed.
    pub(super) status: u16,
    pub(super) words: String,
}

#[derive(Debug, Clone, Copy, Default)]
struct Count {
    answers: u64,
    longest: Duration,
}

/// Observations of the clients.
#[derive(Debug, Default)]
pub(super) struct Seen {
    answers: BTreeMap<(Phase, Operation, Answer), Count>,
    pub(super) acknowledged: Acknowledged,
    /// Number of writes given up without acknowledgement; they may be in the books.
    pub(super) abandoned: usize,
    memory: (u64, u64),
}

impl Seen {
    /// Statuses of the responses.
    pub(super) fn statuses(&self, phase: Phase, operation: Operation) -> Vec<u16> {
        let mut statuses: Vec<u16> =
            self.of(phase, operation).map(|(answer, _)| answer.status).collect();
        statuses.dedup();
        statuses
    }

    /// Longest response time.
    pub(super) fn longest(&self, phase: Phase, operation: Operation) -> Duration {
        self.of(phase, operation).map(|(_, count)| count.longest).max().unwrap_or_default()
    }

    /// Checks that only these statuses occurred in a phase, and that no response took too long.
    pub(super) fn only(
        &self,
        phase: Phase,
        operation: Operation,
        statuses: &[u16],
        within: Duration,
    ) -> anyhow::Result<()> {
        let seen = self.statuses(phase, operation);
        ensure!(
            seen.iter().all(|status| statuses.contains(status)),
            "{operation:?} {phase:?} was answered with {seen:?}"
        );
        let longest = self.longest(phase, operation);
        ensure!(
            longest <= within,
            "{operation:?} {phase:?} took {longest:?}, more than {within:?}"
        );
        Ok(())
    }

    /// Checks that at least one response had this status and these words.
    pub(super) fn says(
        &self,
        phase: Phase,
        operation: Operation,
        status: u16,
        words: &str,
    ) -> anyhow::Result<()> {
        let said = self
            .of(phase, operation)
            .any(|(answer, _)| answer.status == status && answer.words == words);
        ensure!(said, "{operation:?} {phase:?} was never answered with {status} `{words}`");
        Ok(())
    }

    fn of(&self, phase: Phase, operation: Operation) -> impl Iterator<Item = (&Answer, &Count)> {
        let is_it = move |key: &(Phase, Operation, Answer)| (key.0, key.1) == (phase, operation);
        self.answers
            .iter()
            .filter(move |(key, _)| is_it(key))
            .map(|((_, _, answer), count)| (answer, count))
    }
}

impl fmt::Display for Seen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for ((phase, operation, Answer { status, words }), Count { answers, longest }) in
            &self.answers
        {
            let millis = longest.as_millis();
            writeln!(
                f,
                "  {phase:?}: {operation:?} {status} {words} ({answers} times, at most {millis} ms)"
            )?;
        }
        write!(f, "  memory: {} MB at first, at most {}", self.memory.0 >> 20, self.memory.1 >> 20)
    }
}

/// Running clients.
pub(super) struct Clients<'s> {
    server: &'s Server,
    key: &'s str,
    phase: Mutex<(Phase, Instant)>,
    stop: AtomicBool,
    give_up: AtomicBool,
    abandoned: AtomicUsize,
    answers: Mutex<BTreeMap<(Phase, Operation, Answer), Count>>,
    memory: Mutex<(u64, u64)>,
}

/// Runs clients while `disturb` acts on their server; returns their observations.
pub(super) fn watch(
    server: &Server,
    key: &str,
    disturb: impl FnOnce(&Clients<'_>) -> anyhow::Result<()>,
) -> anyhow::Result<Seen> {
    let resident = server.resident()?;
    let clients = Clients {
        server,
        key,
        phase: Mutex::new((Phase::Before, Instant::now())),
        stop: AtomicBool::new(false),
        give_up: AtomicBool::new(false),
        abandoned: AtomicUsize::new(0),
        answers: Mutex::default(),
        memory: Mutex::new((resident, resident)),
    };
    let (disturbed, acknowledged) = thread::scope(|scope| {
        let clients = &clients;
        let writers: Vec<_> =
            (0..WRITERS).map(|writer| scope.spawn(move || clients.write(writer))).collect();
        scope.spawn(|| clients.read());
        scope.spawn(|| clients.ask_readiness());
        thread::sleep(BEFORE);
        let disturbed = clients
            .wait(Phase::Before, Operation::Write, 201, RECOVERY_TIMEOUT)
            .and_then(|_| disturb(clients));
        clients.stop.store(true, Ordering::Relaxed);
        if disturbed.is_err() {
            clients.give_up.store(true, Ordering::Relaxed);
        }
        let mut acknowledged = Acknowledged::new();
        for writer in writers {
            acknowledged.extend(writer.join().map_err(|_| anyhow::anyhow!("a client panicked"))??);
        }
        anyhow::Ok((disturbed, acknowledged))
    })?;
    let memory = *locked(&clients.memory);
    let seen = Seen {
        answers: std::mem::take(&mut locked(&clients.answers)),
        acknowledged,
        abandoned: clients.abandoned.load(Ordering::Relaxed),
        memory,
    };
    println!("{seen}");
    disturbed?;
    ensure!(
        memory.1 <= memory.0 + GROWTH,
        "the server's memory grew by {} MB",
        (memory.1 - memory.0) >> 20
    );
    Ok(seen)
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Clients<'_> {
    /// Starts a phase: later requests belong to it.
    pub(super) fn begin(&self, phase: Phase) {
        *locked(&self.phase) = (phase, Instant::now());
    }

    /// Stops retrying rejected writes.
    pub(super) fn give_up(&self) {
        self.give_up.store(true, Ordering::Relaxed);
    }

    /// Waits for a response with a status; returns the time since the phase began.
    pub(super) fn wait(
        &self,
        phase: Phase,
        operation: Operation,
        status: u16,
        timeout: Duration,
    ) -> anyhow::Result<Duration> {
        let (waited, begun) = (Instant::now(), locked(&self.phase).1);
        loop {
            let is_it = |key: &(Phase, Operation, Answer)| {
                (key.0, key.1, key.2.status) == (phase, operation, status)
            };
            if locked(&self.answers).keys().any(is_it) {
                return Ok(begun.elapsed());
            }
            ensure!(
                waited.elapsed() < timeout,
                "{operation:?} {phase:?} was not answered with {status} within {timeout:?}"
            );
            thread::sleep(Duration::from_millis(10));
        }
    }

    fn note(&self, phase: Phase, operation: Operation, status: u16, words: &str, took: Duration) {
        let answer = Answer { status, words: words.chars().take(120).collect() };
        let mut answers = locked(&self.answers);
        let count = answers.entry((phase, operation, answer)).or_default();
        count.answers += 1;
        count.longest = count.longest.max(took);
    }

    fn write(&self, writer: usize) -> anyhow::Result<Acknowledged> {
        let (agent, mut made) = (agent(), Acknowledged::new());
        for count in 0.. {
            if self.stop.load(Ordering::Relaxed) {
                break;
            }
            let (external_id, mut stopped) = (format!("{writer}-{count}"), None);
            loop {
                let (phase, begun) = (locked(&self.phase).0, Instant::now());
                let answered = create(&agent, &self.server.origin, self.key, &external_id);
                match answered {
                    Ok((status, body)) => {
                        self.note(
                            phase,
                            Operation::Write,
                            status,
                            body["code"].as_str().unwrap_or("made"),
                            begun.elapsed(),
                        );
                        if matches!(status, 200 | 201) {
                            made.insert(external_id, identity(&body)?);
                            thread::sleep(PAUSE);
                            break;
                        }
                        ensure!(
                            body["detail"].as_str().is_some_and(|detail| !detail.is_empty()),
                            "no detail: {body}"
                        );
                    }
                    Err(error) => {
                        self.note(phase, Operation::Write, 0, &error.to_string(), begun.elapsed())
                    }
                }
                if self.give_up.load(Ordering::Relaxed) {
                    self.abandoned.fetch_add(1, Ordering::Relaxed);
                    return Ok(made);
                }
                if self.stop.load(Ordering::Relaxed) {
                    let since = *stopped.get_or_insert_with(Instant::now);
                    ensure!(
                        since.elapsed() < RECOVERY_TIMEOUT,
                        "{external_id} is refused {RECOVERY_TIMEOUT:?} after the fault was over"
                    );
                }
                thread::sleep(Duration::from_millis(200));
            }
        }
        Ok(made)
    }

    fn read(&self) {
        let agent = agent();
        for count in 0_u64.. {
            if self.stop.load(Ordering::Relaxed) {
                break;
            }
            let path = if count.is_multiple_of(2) { "account" } else { "invoices?limit=5" };
            let request = agent
                .get(format!("{}/api/v1/{path}", self.server.origin))
                .header("x-api-key", self.key);
            self.ask(Operation::Read, request, |_, body| {
                let body: serde_json::Value = serde_json::from_str(body).unwrap_or_default();
                body["code"].as_str().unwrap_or("read").to_owned()
            });
        }
    }

    fn ask_readiness(&self) {
        let agent = agent();
        while !self.stop.load(Ordering::Relaxed) {
            self.ask(
                Operation::Ready,
                agent.get(format!("{}/readyz", self.server.origin)),
                |status, body| {
                    if status == 200 {
                        body.lines().next().unwrap_or_default().to_owned()
                    } else {
                        String::new()
                    }
                },
            );
            if let Ok(resident) = self.server.resident() {
                let mut memory = locked(&self.memory);
                memory.1 = memory.1.max(resident);
            }
        }
    }

    fn ask(
        &self,
        operation: Operation,
        request: ureq::RequestBuilder<ureq::typestate::WithoutBody>,
        words: impl FnOnce(u16, &str) -> String,
    ) {
        let (phase, begun) = (locked(&self.phase).0, Instant::now());
        let answered = request.call().context("no answer").and_then(|mut response| {
            let status = response.status().as_u16();
            Ok((status, response.body_mut().read_to_string()?))
        });
        match answered {
            Ok((status, body)) => {
                self.note(phase, operation, status, &words(status, &body), begun.elapsed())
            }
            Err(error) => self.note(phase, operation, 0, &format!("{error:#}"), begun.elapsed()),
        }
        thread::sleep(Duration::from_millis(50));
    }
}
