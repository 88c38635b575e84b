//! SQLite: one writer thread with group commit; queries run on the caller's thread.
//!
//! Every commit is flushed to disk (`synchronous=FULL`); with NORMAL, a power cut would lose
//! acknowledged commits. Group commit makes up for the cost: all waiting commands run in one
//! transaction and are answered together after one flush.
//!
//! A query takes a read-only connection from a pool and runs on the caller's thread. It takes
//! microseconds, less than a handover to another thread and a wake-up. It needs no fair queue: each
//! caller already has its own thread, and readers block neither each other nor the writer. Queries
//! that may scan many rows go to separate threads, through a queue in which accounts take turns.

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
use rusqlite::{Connection, OpenFlags, config::DbConfig, ffi};
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

/// Maximum number of commands per commit, which limits how long the first one waits.
const GROUP: usize = 256;
/// Maximum number of commands from one account per commit: the limit of its lane. An account with
/// more commands is loud. Once a group contains a command of a quiet account, no more commands of
/// loud accounts join it, so that quiet accounts wait for one loud command and not for all of them.
const GROUP_OF_ONE: usize = 16;
/// Number of times that a file must be found empty, with pauses in between, before it is considered
/// to contain no database: a process that creates a database writes to it at once.
const EMPTY_CHECKS: u32 = 20;
/// Time for which another process (a backup, the command line) may lock the file before the
/// database is considered unavailable.
const BUSY_TIMEOUT: Duration = Duration::from_secs(10);
/// Capacity of the statement cache: enough for all distinct statements, including those generated
/// per number of rows.
const STATEMENTS: usize = 512;
/// Period within which writes by loud accounts and by quiet ones count as simultaneous.
const TOGETHER: Duration = Duration::from_secs(1);
/// Maximum number of commands by loud accounts in one commit while quiet accounts also write. If
/// there are more loud accounts than this, the maximum is one command per loud account. Each of
/// these commands prolongs the commits of the quiet accounts.
const LOUD_BESIDE_OTHERS: usize = 2;
/// Time for which a group of loud commands waits for a command of another account to share its
/// commit. A command that arrives during a commit waits for the flush of that commit and then for
/// the flush of its own.
const SHARED_COMMIT_DELAY: Duration = Duration::from_millis(2);
/// Interval at which an idle writer checks its files.
const WATCH: Duration = Duration::from_secs(1);
/// Maximum wait for readers when the log is to be truncated; writes are blocked in the meantime.
const CHECKPOINT_TIMEOUT: Duration = Duration::from_millis(200);
/// Page cache of the writer, in KiB. Together, the commands of many accounts touch more pages than
/// SQLite's default of 2 MB holds. Pages that do not fit are written to the log before the commit,
/// read again, and written once more.
const WRITER_CACHE: i64 = 32 * 1024;

/// An open SQLite database with its threads.
pub(crate) struct Sqlite {
    writes: Arc<FairQueue<Job>>,
    writer: Option<JoinHandle<()>>,
    scans: Arc<FairQueue<Job>>,
    scanners: Vec<JoinHandle<()>>,
    readers: Arc<Readers>,
    /// Whether the last group could not be committed although the database can be read.
    reads_only: Arc<AtomicBool>,
    /// The lock that marks this process as the database's server.
    _serving: Option<serving::Lock>,
}

/// Pool of read-only connections.
struct Readers {
    path: PathBuf,
    watch: Arc<FileWatch>,
    /// Unused connections.
    idle: Mutex<Vec<Reader>>,
    kept: usize,
    /// Number of connections, idle or in use.
    open: Counted,
}

/// A read-only connection with its deadline.
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
                // If the files at the path have been replaced, the connection is to another
                // database.
                self.watch.check()?;
                let deadline = Deadline::of(&mut connection)?;
                Reader { connection, deadline, _counted: self.open.one() }
            }
        };
        execute(&reader.connection, "BEGIN")?;
        Ok(Snapshot { reader: Some(reader), limit, readers: Arc::clone(self) })
    }

    /// Loop of a thread for queries that may scan many rows.
    fn answer(self: &Arc<Self>, queue: &FairQueue<Job>) {
        give_way();
        while let Some((key, mut job)) = queue.take() {
            if !job.is_abandoned() {
                let ran = self
                    .snapshot(job.limit)
                    .and_then(|mut snapshot| snapshot.run(|tx| job.run(tx)));
                job.answer(ran.map(drop));
            }
            queue.done(key);
        }
    }
}

/// Reads the schema version of a file without changing it.
pub(crate) fn schema(path: &Path) -> Result<i64, StoreError> {
    let trouble = |error: rusqlite::Error| StoreError::Open(format!("{}: {error}", path.display()));
    version(&open_recovered(path)?).map_err(trouble)
}

/// Copies a database to a new file. The database may be in use or have another schema version.
pub(crate) fn copy(path: &Path, to: &Path) -> Result<(), StoreError> {
    backup::copy(&open_recovered(path)?, to)
}

fn version(connection: &Connection) -> rusqlite::Result<i64> {
    connection.query_row("PRAGMA user_version", [], |row| row.get(0))
}

/// Opens a file that may not have been opened since a crash. A crash during the switch to WAL mode
/// leaves a rollback journal, which a read-only connection cannot roll back.
fn open_recovered(path: &Path) -> Result<Connection, StoreError> {
    let trouble = |error: rusqlite::Error| StoreError::Open(format!("{}: {error}", path.display()));
    let reader = open_reader(path)?;
    if let Err(rusqlite::Error::SqliteFailure(error, _)) = version(&reader)
        && error.extended_code == ffi::SQLITE_READONLY_ROLLBACK
    {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let writer = Connection::open_with_flags(path, flags).map_err(trouble)?;
        writer.busy_timeout(BUSY_TIMEOUT).map_err(trouble)?;
        version(&writer).map_err(trouble)?;
    }
    Ok(reader)
}

/// A consistent snapshot of the database. Keep it short: the write-ahead log cannot be checkpointed
/// past the oldest snapshot.
pub struct Snapshot {
    reader: Option<Reader>,
    /// Time limit per query.
    limit: Option<Duration>,
    readers: Arc<Readers>,
}

impl Snapshot {
    /// Runs a query on this thread.
    ///
    /// # Errors
    /// The query's own error, or a converted [`StoreError`].
    pub fn read<T, E: From<StoreError>>(
        &mut self,
        question: &mut impl FnMut(&mut Tx<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        self.run(|tx| question(tx))?
    }

    fn run<T>(&mut self, question: impl FnOnce(&mut Tx<'_>) -> T) -> Result<T, StoreError> {
        let reader = self.reader.take().ok_or(StoreError::Panicked)?;
        reader.deadline.set(self.limit);
        // Unwind safety: after a panic the connection is dropped, whatever its state.
        let answer =
            catch_unwind(AssertUnwindSafe(|| question(&mut Tx::sqlite(&reader.connection))));
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
        // Commands open existing books; they never initialise an emptied file.
        if purpose == Purpose::Command && stays_empty(path) {
            return Err(StoreError::Open(format!(
                "{} is empty: no books are in it; remove it to start again",
                path.display()
            )));
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
        let readers = Arc::new(Readers {
            path: path.to_owned(),
            watch,
            idle: Mutex::default(),
            kept: readers,
            open: Counted::default(),
        });
        let scans = Arc::new(FairQueue::new(Limits::both(SCANNERS / 2), crate::QUEUE_LENGTH));
        let mut scanners = Vec::with_capacity(SCANNERS);
        for _ in 0..SCANNERS {
            let (readers, queue) = (Arc::clone(&readers), Arc::clone(&scans));
            scanners.push(spawn("sqlite-scan", move || readers.answer(&queue))?);
        }
        Ok(Self {
            writes,
            writer: Some(writer),
            scans,
            scanners,
            readers,
            reads_only,
            _serving: serving,
        })
    }

    /// Current load.
    pub(crate) fn status(&self) -> Status {
        let (idle, open) = (self.readers.idle().len(), self.readers.open.count());
        Status {
            commands_waiting: self.writes.waiting(),
            lists_waiting: self.scans.waiting(),
            // The writer has a connection too.
            connections_open: open + 1,
            connections_busy: open.saturating_sub(idle),
            reads_only: self.reads_only.load(Ordering::Relaxed),
        }
    }

    /// Queues a job for the writer or for the scan threads; `account` is the account whose books it
    /// uses, if any.
    pub(crate) fn put(&self, account: Option<i64>, job: Job) -> Result<(), StoreError> {
        let queue = if job.access.writes() { &self.writes } else { &self.scans };
        queue.put(account.map(|account| job.access.key(account)), job)
    }

    /// Opens a snapshot in which each query has this time limit.
    pub(crate) fn snapshot(&self, limit: Option<Duration>) -> Result<Snapshot, StoreError> {
        self.readers.snapshot(limit)
    }

    /// Checkpoints and truncates the write-ahead log, so that it contains no erased data. Returns
    /// whether that succeeded; long-running reads or writes prevent it.
    pub(crate) fn checkpoint(&self) -> Result<bool, StoreError> {
        self.readers.watch.check()?;
        let connection = Connection::open_with_flags(
            &self.readers.path,
            OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX,
        )?;
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
    /// Finishes the waiting commands, then closes the files.
    fn drop(&mut self) {
        self.scans.close();
        for scanner in self.scanners.drain(..) {
            drop(scanner.join());
        }
        // The last connection to close checkpoints the log and removes it. A read-only connection
        // cannot do this, so the writer must be the last.
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

/// Truncates the write-ahead log, unless other connections are using it.
fn checkpoint(connection: &Connection) -> Result<bool, StoreError> {
    connection.busy_timeout(CHECKPOINT_TIMEOUT)?;
    let busy: i64 =
        connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0))?;
    Ok(busy == 0)
}

/// Whether the file exists and stays empty for a while. If so, it is not a database that another
/// process is just creating.
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
        return Err(StoreError::Open(format!(
            "{} is a symbolic link to a file that does not exist",
            path.display()
        )));
    }
    if !path.exists() {
        // The file holds confidential data: only its owner may read it, from the start.
        let folder = "does its folder exist, and is it writable?";
        create_private(path)
            .map_err(|error| StoreError::Open(format!("{}: {error}; {folder}", path.display())))?;
    }
    let connection = Connection::open(path).map_err(trouble)?;
    connection.busy_timeout(BUSY_TIMEOUT).map_err(trouble)?;
    write_ahead(&connection).map_err(trouble)?;
    connection.pragma_update(None, "synchronous", "FULL").map_err(trouble)?;
    // Overwrites deleted data, so that the data of a closed account also leaves the file.
    connection.pragma_update(None, "secure_delete", true).map_err(trouble)?;
    connection.pragma_update(None, "cache_size", -WRITER_CACHE).map_err(trouble)?;
    prepare(&connection).map_err(trouble)?;
    Ok(connection)
}

/// Switches to WAL mode. On a new file this needs exclusive access for a moment. SQLite does not
/// wait for this access, so the switch is retried, since another process may be starting at the
/// same time.
fn write_ahead(connection: &Connection) -> rusqlite::Result<()> {
    let begun = Instant::now();
    loop {
        match connection.pragma_update(None, "journal_mode", "WAL") {
            Err(error)
                if error.sqlite_error_code() == Some(rusqlite::ErrorCode::DatabaseBusy)
                    && begun.elapsed() < BUSY_TIMEOUT =>
            {
                std::thread::sleep(Duration::from_millis(5));
            }
            other => return other,
        }
    }
}

pub(crate) fn open_reader(path: &Path) -> Result<Connection, StoreError> {
    // The database has been opened before, so the cause of a failure is temporary: a lack of file
    // descriptors, or a lock.
    let trouble =
        |error: rusqlite::Error| StoreError::Unavailable(format!("{}: {error}", path.display()));
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags).map_err(trouble)?;
    connection.busy_timeout(BUSY_TIMEOUT).map_err(trouble)?;
    prepare(&connection).map_err(trouble)?;
    Ok(connection)
}

pub(crate) fn prepare(connection: &Connection) -> rusqlite::Result<()> {
    connection.pragma_update(None, "temp_store", "MEMORY")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    // Without the query planner stability guarantee, SQLite prepares statements with range
    // conditions again for each value (STAT4), which takes a third of the total time.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS);
    Ok(())
}

/// Creates the file, unless another process has just created it.
fn create_private(path: &Path) -> std::io::Result<()> {
    match backup::create_private(path) {
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => Ok(()),
        made => made.map(drop),
    }
}

/// A command with its lane, if it writes to the books of one account.
type Waiting = (Option<Key>, Job);

/// The writer's connection with its deadline.
struct Writer {
    connection: Connection,
    deadline: Deadline,
}

/// Accounts that are currently writing: loud ones and quiet ones.
#[derive(Default)]
struct Writers {
    /// Time at which each account was last loud. For [`TOGETHER`] after that, it is not treated as
    /// quiet. Otherwise an account whose load hovers around the limit would be loud and quiet in
    /// turn, and throttle itself.
    loud: HashMap<Key, Instant>,
    /// The last account that was not loud, with the time of its command.
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

    /// Number of loud accounts that write at the same time as quiet ones; zero if no quiet account
    /// writes.
    fn loud_beside_others(&self) -> usize {
        let quiet = self
            .quiet
            .is_some_and(|(key, at)| at.elapsed() < TOGETHER && !self.loud.contains_key(&key));
        if quiet { self.loud.values().filter(|at| at.elapsed() < TOGETHER).count() } else { 0 }
    }
}

/// Loop of the writer: waits for a command, runs it with all others that are waiting, commits once
/// and answers them all.
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
                // The check also stores its result, which readers consult before each query.
                let watched = watch.check();
                // While the database is read-only, clients are refused, so no command would
                // show that it is writable again; the writer therefore tests it.
                if watched.is_ok()
                    && reads_only.load(Ordering::Relaxed)
                    && write_nothing(connection).is_ok()
                {
                    reads_only.store(false, Ordering::Relaxed);
                }
                continue;
            }
            Taken::Closed => break,
        };
        let mut group = Vec::with_capacity(GROUP);
        // Between the commit and the answers, the files are checked again, so that changes to a
        // removed file are not acknowledged.
        let before = connection.total_changes();
        let committed = write_group(writer, queue, first, &mut group, (watch, &mut writers))
            .and_then(|()| watch.check());
        match &committed {
            Err(trouble) => {
                reads_only.store(matches!(trouble, StoreError::NotWritable(_)), Ordering::Relaxed)
            }
            // A group without changes commits even on a full disk, so its commit does not show
            // that the disk is writable.
            Ok(()) if connection.total_changes() > before => {
                reads_only.store(false, Ordering::Relaxed)
            }
            Ok(()) => {}
        }
        // Logs once when commits start to fail and once when they succeed again, not per command.
        if committed.is_err() != is_troubled {
            is_troubled = committed.is_err();
            match &committed {
                Err(trouble) => error!(%trouble, "commits fail"),
                Ok(()) => info!("commits succeed again"),
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
    // The last connection to close checkpoints the log; that must be the writer.
    drop(checkpointer);
    // Closing checkpoints the log only if no one else has the file open, so it is done explicitly.
    if let Err(trouble) = checkpoint(connection) {
        warn!(%trouble, "the write-ahead log was not truncated");
    }
}

/// Writes an unchanged value, to test whether the database is writable.
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
    // Once the group contains a command of a quiet account, no more loud commands are added. So a
    // quiet command that arrives while a loud one runs waits only for that one, and the group then
    // ends.
    let mut has_quiet = false;
    let mut loud_ones = 0;
    let mut next = Some(first);
    while let Some((key, mut job)) = next.take() {
        let is_loud = queue.is_loud(key);
        // Commands without an account do not count as writes by a quiet account: the server issues
        // them all the time, so loud accounts would always be held back.
        if let Some(key) = key {
            writers.saw(key, is_loud);
        }
        has_quiet |= !is_loud;
        if begun.is_ok() && !job.is_abandoned() {
            loud_ones += usize::from(is_loud);
            let ran = if each_in_savepoint {
                run_in_savepoint(writer, &mut job)
            } else {
                run_bare(writer, &mut job)
            };
            group.push((key, job));
            if ran? == Ran::Partial {
                each_in_savepoint = true;
                run_again(writer, group)?;
            }
        } else {
            group.push((key, job));
        }
        next = match writers.loud_beside_others() {
            _ if group.len() >= GROUP => None,
            loud if loud > 0 && !has_quiet && begun.is_ok() => {
                next_beside_others(queue, loud_ones, loud)
            }
            _ => queue.take_at_once(has_quiet),
        };
    }
    begun?;
    execute(connection, "COMMIT")
}

/// Takes the next command for a group that already has `loud_ones` commands of loud accounts but
/// none yet of the quiet accounts that are also writing.
fn next_beside_others<T>(
    queue: &FairQueue<T>,
    loud_ones: usize,
    loud_accounts: usize,
) -> Option<(Option<Key>, T)> {
    let another = || {
        if loud_ones < LOUD_BESIDE_OTHERS.max(loud_accounts) {
            queue.take_at_once(false)
        } else {
            None
        }
    };
    queue
        .take_at_once(true)
        .or_else(another)
        .or_else(|| queue.take_quiet_within(SHARED_COMMIT_DELAY))
}

/// State of the transaction after a command.
#[derive(PartialEq, Eq)]
enum Ran {
    /// All changes, if any, can be committed.
    Complete,
    /// A failed command left changes that must be rolled back.
    Partial,
}

/// Runs a command without a savepoint. A savepoint costs a copy of each page written, and commands
/// rarely fail after writing something.
fn run_bare(writer: &Writer, job: &mut Job) -> Result<Ran, StoreError> {
    let before = writer.connection.total_changes();
    let wants_commit = run(writer, job)?;
    let is_complete = wants_commit || writer.connection.total_changes() == before;
    Ok(if is_complete { Ran::Complete } else { Ran::Partial })
}

/// Rolls back the group and runs its commands again, each in a savepoint, so that a failure undoes
/// only the changes of the command that failed.
fn run_again(writer: &Writer, group: &mut [Waiting]) -> Result<(), StoreError> {
    execute(&writer.connection, "ROLLBACK")?;
    execute(&writer.connection, "BEGIN IMMEDIATE")?;
    for (_, job) in group.iter_mut().filter(|(_, job)| !job.is_abandoned()) {
        run_in_savepoint(writer, job)?;
    }
    Ok(())
}

/// Runs a command in a savepoint, so that its failure undoes only its own changes.
fn run_in_savepoint(writer: &Writer, job: &mut Job) -> Result<Ran, StoreError> {
    execute(&writer.connection, "SAVEPOINT command")?;
    if !run(writer, job)? {
        execute(&writer.connection, "ROLLBACK TO command")?;
    }
    execute(&writer.connection, "RELEASE command")?;
    Ok(Ran::Complete)
}

/// Runs a command; returns whether to commit it.
fn run(Writer { connection, deadline }: &Writer, job: &mut Job) -> Result<bool, StoreError> {
    deadline.set(job.limit);
    let wants_commit = job.run(&mut Tx::sqlite(connection));
    deadline.set(None);
    if !wants_commit && connection.is_autocommit() {
        // SQLite itself rolls back the whole transaction if the disk is full, on an I/O error, or
        // if a write is interrupted.
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
