//! SQLite: one writer thread with group commit; readers run on the asker's own thread.
//!
//! Every commit is flushed to the disk (`synchronous=FULL`): with NORMAL, commits that were acknowledged are lost at a power
//! cut. Group commit wins the time back: all commands that wait are run in one transaction, and answered together after the
//! one flush.
//!
//! A question takes a read-only connection from a pool and is answered where it is asked: it costs microseconds, less than handing
//! it to another thread and waking up again. It waits for nobody, so there is nothing to be fair about: whoever asks has their thread
//! already, and readers keep neither each other nor the writer waiting. What may have to look at many rows is handed to threads of its own,
//! by way of a queue in which accounts take turns.

mod checkpointer;

use crate::{
    SCANNERS, StoreError, Tx,
    engine::{
        Purpose, backup,
        deadline::Deadline,
        fair_queue::{FairQueue, Key, Limits, Taken},
        file_watch::FileWatch,
        job::Job,
        migrations,
        priority::give_way,
        serving,
        status::{Counted, One, Status},
    },
};
use checkpointer::Checkpointer;
use rusqlite::{Connection, OpenFlags, config::DbConfig};
use std::{
    collections::HashMap,
    panic::{AssertUnwindSafe, catch_unwind},
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread::JoinHandle,
    time::{Duration, Instant},
};
use tracing::{error, info, warn};

/// Commands that share one commit at the most: bounds the time that the first of them waits.
const GROUP: usize = 256;
/// And of one account. One that wants more than that at once is loud: it gets no more of a group than its turns until the group has what all
/// others wanted, so that those wait for one of its commands, not for all of these.
const GROUP_OF_ONE: usize = 16;
/// How often an empty file is looked at, with pauses between: who begins one writes into it at once.
const EMPTY_CHECKS: u32 = 20;
/// How long another process (a backup, the command line) may hold the file before we answer that it is not available.
const BUSY_TIMEOUT: Duration = Duration::from_secs(10);
/// Distinct statements of the program, with those that are made per number of rows.
const STATEMENTS: usize = 512;
/// For how long an account that asks for much and others count as writing at the same time.
const TOGETHER: Duration = Duration::from_secs(1);
/// Commands of accounts that ask for much in one commit while others write too, or one of each if those are more: with every one of them the
/// commit of another takes longer.
const LOUD_BESIDE_OTHERS: usize = 2;
/// How long these wait meanwhile for a command of another account that shares their commit: whoever comes while a commit is under way waits for
/// its flush and then for their own.
const SHARED_COMMIT_DELAY: Duration = Duration::from_millis(2);
/// How often an idle writer looks whether its files are still there.
const WATCH: Duration = Duration::from_secs(1);
/// How long to wait for those who read when the log is to be emptied: meanwhile nobody can write.
const CHECKPOINT_TIMEOUT: Duration = Duration::from_millis(200);
/// The pages that the writer keeps in memory, in KiB. A commit of many accounts' commands touches more pages than SQLite's 2 MB hold; those
/// that do not fit go to the log before the commit, are read again, and go there once more.
const WRITER_CACHE: i64 = 32 * 1024;

/// An open SQLite database with its threads.
pub(crate) struct Sqlite {
    writes: Arc<FairQueue<Job>>,
    writer: Option<JoinHandle<()>>,
    scans: Arc<FairQueue<Job>>,
    scanners: Vec<JoinHandle<()>>,
    readers: Arc<Readers>,
    /// Whether the last group could not be committed though it can be read.
    reads_only: Arc<AtomicBool>,
    /// That this is the database's server.
    _serving: Option<serving::Lock>,
}

/// Read-only connections.
struct Readers {
    path: PathBuf,
    watch: Arc<FileWatch>,
    /// Those that nobody uses just now.
    idle: Mutex<Vec<Reader>>,
    kept: usize,
    /// How many there are, idle or not.
    open: Counted,
}

/// A read-only connection, and when it has to stop.
struct Reader {
    connection: Connection,
    deadline: Deadline,
    _counted: One,
}

impl Readers {
    fn idle(&self) -> MutexGuard<'_, Vec<Reader>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn snapshot(self: &Arc<Self>, limit: Option<Duration>) -> Result<Snapshot, StoreError> {
        self.watch.last()?;
        let idle = self.idle().pop();
        let reader = match idle {
            Some(reader) => reader,
            None => {
                let mut connection = open_reader(&self.path)?;
                // Another file would be another's books.
                self.watch.check()?;
                let deadline = Deadline::of(&mut connection)?;
                Reader { connection, deadline, _counted: self.open.one() }
            }
        };
        execute(&reader.connection, "BEGIN")?;
        Ok(Snapshot { reader: Some(reader), limit, readers: Arc::clone(self) })
    }

    /// The life of a thread that answers what may have to look at many rows.
    fn answer(self: &Arc<Self>, queue: &FairQueue<Job>) {
        give_way();
        while let Some((key, mut job)) = queue.take() {
            if !job.is_abandoned() {
                let ran = self.snapshot(job.limit).and_then(|mut snapshot| snapshot.run(|tx| job.run(tx)));
                job.answer(ran.map(drop));
            }
            queue.done(key);
        }
    }
}

/// The number of the last migration that was applied to a file, which is not changed.
pub(crate) fn schema(path: &Path) -> Result<i64, StoreError> {
    let trouble = |error: rusqlite::Error| StoreError::Open(format!("{}: {error}", path.display()));
    let connection = open_reader(path)?;
    connection.query_row("PRAGMA user_version", [], |row| row.get(0)).map_err(trouble)
}

/// Copies a database that may be in use, and whose tables may be those of another version, to a new file.
pub(crate) fn copy(path: &Path, to: &Path) -> Result<(), StoreError> {
    backup::copy(&open_reader(path)?, to)
}

/// One consistent snapshot of the database, for as long as it is held. Hold it briefly: the write-ahead log cannot be checkpointed
/// into the file beyond the oldest snapshot.
pub struct Snapshot {
    reader: Option<Reader>,
    /// How long each question may take.
    limit: Option<Duration>,
    readers: Arc<Readers>,
}

impl Snapshot {
    /// Answers a question on this thread.
    ///
    /// # Errors
    /// The question's own error, or a [`StoreError`] turned into it.
    pub fn read<T, E: From<StoreError>>(&mut self, question: &mut impl FnMut(&mut Tx<'_>) -> Result<T, E>) -> Result<T, E> {
        self.run(|tx| question(tx))?
    }

    fn run<T>(&mut self, question: impl FnOnce(&mut Tx<'_>) -> T) -> Result<T, StoreError> {
        let reader = self.reader.take().ok_or(StoreError::Panicked)?;
        reader.deadline.set(self.limit);
        // Unwind safety: after a panic the connection is dropped with whatever state it has.
        let answer = catch_unwind(AssertUnwindSafe(|| question(&mut Tx::sqlite(&reader.connection))));
        let answer = answer.map_err(|_| StoreError::Panicked)?;
        reader.deadline.set(None);
        self.reader = Some(reader);
        Ok(answer)
    }
}

impl Drop for Snapshot {
    fn drop(&mut self) {
        if let Some(reader) = self.reader.take()
            && execute(&reader.connection, "COMMIT").is_ok()
        {
            let mut idle = self.readers.idle();
            if idle.len() < self.readers.kept {
                idle.push(reader);
            }
        }
    }
}

impl Sqlite {
    pub(crate) fn open(path: &Path, readers: usize, purpose: Purpose) -> Result<Self, StoreError> {
        // A command finds books, and makes none of a file from which they are gone.
        if purpose == Purpose::Command && stays_empty(path) {
            return Err(StoreError::Open(format!("{} is empty: no books are in it; remove it to begin anew", path.display())));
        }
        let mut writer = open_writer(path)?;
        let serving = serving::lock(path, &writer, purpose)?;
        migrations::sqlite(&mut writer)?;
        let serving = serving.filter(|_| purpose == Purpose::Serve);
        let deadline = Deadline::of(&mut writer)?;
        let watch = Arc::new(FileWatch::of(path)?);
        let writes = Arc::new(FairQueue::new(Limits::both(GROUP_OF_ONE), crate::QUEUE_LENGTH));
        let queue = Arc::clone(&writes);
        let (its_watch, reads_only) = (Arc::clone(&watch), Arc::default());
        let its_reads_only = Arc::clone(&reads_only);
        let checkpointer = Checkpointer::of(&mut writer, path)?;
        let writer = Writer { connection: writer, deadline };
        let life = move || write_groups(&writer, &queue, checkpointer, &its_watch, &its_reads_only);
        let writer = spawn("sqlite-writer", life)?;
        let readers =
            Arc::new(Readers { path: path.to_owned(), watch, idle: Mutex::default(), kept: readers, open: Counted::default() });
        let scans = Arc::new(FairQueue::new(Limits::both(SCANNERS / 2), crate::QUEUE_LENGTH));
        let mut scanners = Vec::with_capacity(SCANNERS);
        for _ in 0..SCANNERS {
            let (readers, queue) = (Arc::clone(&readers), Arc::clone(&scans));
            scanners.push(spawn("sqlite-scan", move || readers.answer(&queue))?);
        }
        Ok(Self { writes, writer: Some(writer), scans, scanners, readers, reads_only, _serving: serving })
    }

    /// What waits, and who works.
    pub(crate) fn status(&self) -> Status {
        let (idle, open) = (self.readers.idle().len(), self.readers.open.count());
        Status {
            commands_waiting: self.writes.waiting(),
            lists_waiting: self.scans.waiting(),
            // One more writes.
            connections_open: open + 1,
            connections_busy: open.saturating_sub(idle),
            reads_only: self.reads_only.load(Ordering::Relaxed),
        }
    }

    /// Lets the writer do it, or one of the threads for scans; `account` is the one whose books it is of, if it is one.
    pub(crate) fn put(&self, account: Option<i64>, job: Job) -> Result<(), StoreError> {
        let queue = if job.access.writes() { &self.writes } else { &self.scans };
        queue.put(account.map(|account| job.access.key(account)), job)
    }

    /// One consistent snapshot, in which each question may take so long.
    pub(crate) fn snapshot(&self, limit: Option<Duration>) -> Result<Snapshot, StoreError> {
        self.readers.snapshot(limit)
    }

    /// Moves the write-ahead log into the file and empties it, so that nothing that was erased is left there; tells whether it could:
    /// not while somebody reads or writes for long.
    pub(crate) fn checkpoint(&self) -> Result<bool, StoreError> {
        self.readers.watch.check()?;
        let connection =
            Connection::open_with_flags(&self.readers.path, OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
        checkpoint(&connection)
    }

    /// Copies the database to a new file.
    pub(crate) fn backup(&self, to: &Path) -> Result<(), StoreError> {
        let reader = open_reader(&self.readers.path)?;
        self.readers.watch.check()?;
        backup::copy(&reader, to)
    }
}

impl Drop for Sqlite {
    /// Finishes the commands that wait, then closes the files.
    fn drop(&mut self) {
        self.scans.close();
        for scanner in self.scanners.drain(..) {
            drop(scanner.join());
        }
        // Whoever closes last checkpoints the log into the file and removes it; a reader may not. So the writer is to be the last.
        self.readers.idle().clear();
        self.writes.close();
        if let Some(writer) = self.writer.take() {
            drop(writer.join());
        }
    }
}

fn spawn(name: &str, life: impl FnOnce() + Send + 'static) -> Result<JoinHandle<()>, StoreError> {
    let thread = std::thread::Builder::new().name(name.into()).spawn(life);
    thread.map_err(|error| StoreError::Open(error.to_string()))
}

/// Empties the write-ahead log, unless others keep it in use.
fn checkpoint(connection: &Connection) -> Result<bool, StoreError> {
    connection.busy_timeout(CHECKPOINT_TIMEOUT)?;
    let busy: i64 = connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0))?;
    Ok(busy == 0)
}

/// Whether there is a file without anything in it, and not one that another process is just beginning.
fn stays_empty(path: &Path) -> bool {
    let is_empty = || path.metadata().is_ok_and(|file| file.len() == 0);
    (0..EMPTY_CHECKS).all(|check| {
        if check > 0 {
            std::thread::sleep(Duration::from_millis(50));
        }
        is_empty()
    })
}

fn open_writer(path: &Path) -> Result<Connection, StoreError> {
    let trouble = |error: rusqlite::Error| StoreError::Open(format!("{}: {error}", path.display()));
    if path.is_symlink() && !path.exists() {
        return Err(StoreError::Open(format!("{} is a symbolic link to a file that is not there", path.display())));
    }
    if !path.exists() {
        // The file holds people's books: nobody but its owner reads it, from its first moment on.
        let folder = "is its folder there, and may you write in it?";
        create_private(path).map_err(|error| StoreError::Open(format!("{}: {error}; {folder}", path.display())))?;
    }
    let connection = Connection::open(path).map_err(trouble)?;
    connection.busy_timeout(BUSY_TIMEOUT).map_err(trouble)?;
    write_ahead(&connection).map_err(trouble)?;
    connection.pragma_update(None, "synchronous", "FULL").map_err(trouble)?;
    // What is deleted is overwritten: who closes an account takes their data out of the file too.
    connection.pragma_update(None, "secure_delete", true).map_err(trouble)?;
    connection.pragma_update(None, "cache_size", -WRITER_CACHE).map_err(trouble)?;
    prepare(&connection).map_err(trouble)?;
    Ok(connection)
}

/// Changing to the write-ahead log needs a new file for oneself alone for a moment, and SQLite does not wait for that by itself:
/// another process may be starting too.
fn write_ahead(connection: &Connection) -> rusqlite::Result<()> {
    let begun = Instant::now();
    loop {
        match connection.pragma_update(None, "journal_mode", "WAL") {
            Err(error)
                if error.sqlite_error_code() == Some(rusqlite::ErrorCode::DatabaseBusy) && begun.elapsed() < BUSY_TIMEOUT =>
            {
                std::thread::sleep(Duration::from_millis(5));
            }
            other => return other,
        }
    }
}

pub(crate) fn open_reader(path: &Path) -> Result<Connection, StoreError> {
    // The database was opened before: what is lacking now is a file descriptor or a lock, which comes back.
    let trouble = |error: rusqlite::Error| StoreError::Unavailable(format!("{}: {error}", path.display()));
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags).map_err(trouble)?;
    connection.busy_timeout(BUSY_TIMEOUT).map_err(trouble)?;
    prepare(&connection).map_err(trouble)?;
    Ok(connection)
}

pub(crate) fn prepare(connection: &Connection) -> rusqlite::Result<()> {
    connection.pragma_update(None, "temp_store", "MEMORY")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    // Without the planner's stability guarantee, statements with ranges are prepared anew for each value (STAT4): a third of the time.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS);
    Ok(())
}

/// Makes the file, unless another process that starts at the same time just did.
fn create_private(path: &Path) -> std::io::Result<()> {
    match backup::create_private(path) {
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => Ok(()),
        made => made.map(drop),
    }
}

/// A command, and where it waited if it writes into the books of one account.
type Waiting = (Option<Key>, Job);

/// The connection that writes, and when it has to stop.
struct Writer {
    connection: Connection,
    deadline: Deadline,
}

/// Which accounts write just now: those that ask for more than their share of a group, and others.
#[derive(Default)]
struct Writers {
    /// When each account was last seen loud. For [`TOGETHER`] after that it is none of the others: an account whose requests hover around its
    /// share is loud and quiet by turns, and would slow itself down.
    loud: HashMap<Key, Instant>,
    /// The last of the others, and when.
    quiet: Option<(Key, Instant)>,
}

impl Writers {
    fn saw(&mut self, key: Key, is_loud: bool) {
        self.loud.retain(|_, at| at.elapsed() < TOGETHER);
        if is_loud {
            self.loud.insert(key, Instant::now());
        } else if !self.loud.contains_key(&key) {
            self.quiet = Some((key, Instant::now()));
        }
    }

    /// How many loud accounts write beside others; none if nobody else does.
    fn loud_beside_others(&self) -> usize {
        let quiet = self.quiet.is_some_and(|(key, at)| at.elapsed() < TOGETHER && !self.loud.contains_key(&key));
        if quiet { self.loud.values().filter(|at| at.elapsed() < TOGETHER).count() } else { 0 }
    }
}

/// The writer's life: wait for a command, run it with all that came meanwhile, commit once, answer all.
fn write_groups(
    writer: &Writer,
    queue: &FairQueue<Job>,
    mut checkpointer: Checkpointer,
    watch: &FileWatch,
    reads_only: &AtomicBool,
) {
    let connection = &writer.connection;
    let mut is_troubled = false;
    let mut writers = Writers::default();
    loop {
        let first = match queue.take_within(WATCH) {
            Taken::Next(key, first) => (key, first),
            Taken::Nothing => {
                checkpointer.look(connection, false);
                // What it finds is kept there for the readers.
                let there = watch.check();
                // Nobody writes while they are told that it is of no use: so it is tried here.
                if there.is_ok() && reads_only.load(Ordering::Relaxed) && write_nothing(connection).is_ok() {
                    reads_only.store(false, Ordering::Relaxed);
                }
                continue;
            }
            Taken::Closed => break,
        };
        let mut group = Vec::with_capacity(GROUP);
        // Checked again after the commit: what went into a file that is gone is not acknowledged.
        let before = connection.total_changes();
        let committed = write_group(writer, queue, first, &mut group, (watch, &mut writers)).and_then(|()| watch.check());
        match &committed {
            Err(trouble) => reads_only.store(matches!(trouble, StoreError::NotWritable(_)), Ordering::Relaxed),
            // A group that wrote nothing is committed on a full disk too.
            Ok(()) if connection.total_changes() > before => reads_only.store(false, Ordering::Relaxed),
            Ok(()) => {}
        }
        // One line when the trouble begins and one when it is over, not one for each command.
        if committed.is_err() != is_troubled {
            is_troubled = committed.is_err();
            match &committed {
                Err(trouble) => error!(%trouble, "commands are not committed"),
                Ok(()) => info!("commands are committed again"),
            }
        }
        if committed.is_err() && !connection.is_autocommit() {
            drop(connection.execute_batch("ROLLBACK"));
        }
        for (key, job) in group {
            job.answer(committed.clone());
            queue.done(key);
        }
        checkpointer.look(connection, writers.loud_beside_others() > 0);
    }
    // Whoever closes last checkpoints the log into the file, and that is to be the writer.
    drop(checkpointer);
    // Others may still have the file open, and then closing does not do it.
    if let Err(trouble) = checkpoint(connection) {
        warn!(%trouble, "the write-ahead log was not emptied");
    }
}

/// Commits a page as it is, to see whether that can be done.
fn write_nothing(connection: &Connection) -> Result<(), StoreError> {
    let version: i64 = connection.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    Ok(connection.pragma_update(None, "user_version", version)?)
}

fn write_group(
    writer: &Writer,
    queue: &FairQueue<Job>,
    first: Waiting,
    group: &mut Vec<Waiting>,
    (watch, writers): (&FileWatch, &mut Writers),
) -> Result<(), StoreError> {
    let connection = &writer.connection;
    let begun = watch.check().and_then(|()| execute(connection, "BEGIN IMMEDIATE"));
    let mut each_in_savepoint = false;
    // What others ask for while the first of an account that wants much are run waits for no more than the one that is running: the group
    // ends with it.
    let mut has_quiet = false;
    let mut loud_ones = 0;
    let mut next = Some(first);
    while let Some((key, mut job)) = next.take() {
        let is_loud = queue.is_loud(key);
        // Commands of no account do not count as those of others: the server itself has some all the time.
        if let Some(key) = key {
            writers.saw(key, is_loud);
        }
        has_quiet |= !is_loud;
        if begun.is_ok() && !job.is_abandoned() {
            loud_ones += usize::from(is_loud);
            let ran = if each_in_savepoint { run_in_savepoint(writer, &mut job) } else { run_bare(writer, &mut job) };
            group.push((key, job));
            if ran? == Ran::ToBeUndone {
                each_in_savepoint = true;
                run_again(writer, group)?;
            }
        } else {
            group.push((key, job));
        }
        next = match writers.loud_beside_others() {
            _ if group.len() >= GROUP => None,
            loud if loud > 0 && !has_quiet && begun.is_ok() => next_beside_others(queue, loud_ones, loud),
            _ => queue.take_at_once(has_quiet),
        };
    }
    begun?;
    execute(connection, "COMMIT")
}

/// The next command of a group that has so many of loud accounts, and none yet of the others that write too.
fn next_beside_others<T>(queue: &FairQueue<T>, loud_ones: usize, loud_accounts: usize) -> Option<(Option<Key>, T)> {
    let another = || if loud_ones < LOUD_BESIDE_OTHERS.max(loud_accounts) { queue.take_at_once(false) } else { None };
    queue.take_at_once(true).or_else(another).or_else(|| queue.take_quiet_within(SHARED_COMMIT_DELAY))
}

/// What running a command left in the transaction.
#[derive(PartialEq, Eq)]
enum Ran {
    /// What is to be committed, or nothing.
    Complete,
    /// What a command wrote that failed.
    ToBeUndone,
}

/// Runs one command without a savepoint: keeping one ready costs a copy of each page that is written, and hardly a command fails after it
/// wrote something.
fn run_bare(writer: &Writer, job: &mut Job) -> Result<Ran, StoreError> {
    let before = writer.connection.total_changes();
    let wants_commit = run(writer, job)?;
    let is_complete = wants_commit || writer.connection.total_changes() == before;
    Ok(if is_complete { Ran::Complete } else { Ran::ToBeUndone })
}

/// Takes back what the commands of a group wrote, and runs them again, so that each takes back only what it wrote itself.
fn run_again(writer: &Writer, group: &mut [Waiting]) -> Result<(), StoreError> {
    execute(&writer.connection, "ROLLBACK")?;
    execute(&writer.connection, "BEGIN IMMEDIATE")?;
    for (_, job) in group.iter_mut().filter(|(_, job)| !job.is_abandoned()) {
        run_in_savepoint(writer, job)?;
    }
    Ok(())
}

/// Runs one command so that its failure takes back only what it wrote itself.
fn run_in_savepoint(writer: &Writer, job: &mut Job) -> Result<Ran, StoreError> {
    execute(&writer.connection, "SAVEPOINT command")?;
    if !run(writer, job)? {
        execute(&writer.connection, "ROLLBACK TO command")?;
    }
    execute(&writer.connection, "RELEASE command")?;
    Ok(Ran::Complete)
}

/// Runs one command; true when it wants to be committed.
fn run(Writer { connection, deadline }: &Writer, job: &mut Job) -> Result<bool, StoreError> {
    deadline.set(job.limit);
    let wants_commit = job.run(&mut Tx::sqlite(connection));
    deadline.set(None);
    if !wants_commit && connection.is_autocommit() {
        // A full disk, an input/output error or a write that is stopped makes SQLite roll back the whole transaction by itself.
        return Err(StoreError::Unavailable("the database rolled the transaction back".into()));
    }
    Ok(wants_commit)
}

fn execute(connection: &Connection, sql: &str) -> Result<(), StoreError> {
    connection.prepare_cached(sql)?.execute([])?;
    Ok(())
}

#[cfg(test)]
mod tests;
