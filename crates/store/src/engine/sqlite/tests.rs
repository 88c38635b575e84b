use super::*;

#[test]
fn the_writer_flushes_every_commit_to_the_disk() {
    let folder = tempfile::tempdir().unwrap();
    let writer = open_writer(&folder.path().join("books.db")).unwrap();
    let level: i64 = writer.query_row("PRAGMA synchronous", [], |row| row.get(0)).unwrap();
    assert_eq!(
        level, 2,
        "synchronous=FULL is 2; NORMAL (1) loses acknowledged rows at a power cut"
    );
    let mode: String = writer.query_row("PRAGMA journal_mode", [], |row| row.get(0)).unwrap();
    assert_eq!(mode, "wal");
}

#[test]
fn a_failed_command_undoes_only_its_own_writes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("books.db");
    let mut connection = open_writer(&path).unwrap();
    connection.execute_batch("CREATE TABLE names (name TEXT NOT NULL)").unwrap();
    let deadline = Deadline::of(&mut connection).unwrap();
    let (writer, watch) = (Writer { connection, deadline }, FileWatch::of(&path).unwrap());
    let queue = FairQueue::new(Limits::both(8), 8);
    let runs = Arc::new(std::sync::atomic::AtomicUsize::new(0));
    let mut answers = Vec::new();
    // Some commands write, some fail before writing, and some fail after writing.
    for (name, fails, writes) in [
        ("a", false, true),
        ("b", true, false),
        ("c", true, true),
        ("d", false, true),
        ("e", true, true),
        ("f", false, true),
    ] {
        let runs = Arc::clone(&runs);
        let (job, answer) = Job::new(
            crate::Access::Write,
            None,
            &crate::Watchers::default(),
            move |tx: &mut Tx<'_>| {
                runs.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
                if writes {
                    tx.execute("INSERT INTO names (name) VALUES (?1)", &crate::params![name])?;
                }
                if fails { Err(StoreError::AccountClosed) } else { Ok(name) }
            },
        );
        queue.put(Some(Key::Writes(1)), job).unwrap();
        answers.push((name, fails, answer));
    }
    let first = queue.take().unwrap();
    let mut group = Vec::new();
    write_group(&writer, &queue, first, &mut group, (&watch, &mut Writers::default())).unwrap();
    for (_, job) in group {
        job.answer(Ok(()));
    }
    for (name, fails, answer) in answers {
        let answer = answer.blocking_recv().unwrap();
        assert_eq!(answer.is_err(), fails, "{name}: {answer:?}");
    }
    let mut statement =
        writer.connection.prepare("SELECT group_concat(name, '') FROM names").unwrap();
    assert_eq!(statement.query_row([], |row| row.get::<_, String>(0)).unwrap(), "adf");
    // Only the first failure after a write made the earlier commands run again.
    assert_eq!(runs.load(std::sync::atomic::Ordering::SeqCst), 6 + 3);
}

#[test]
fn a_quiet_account_does_not_wait_for_the_queue_of_a_loud_one() {
    let folder = tempfile::tempdir().unwrap();
    let engine = Sqlite::open(&folder.path().join("books.db"), 1, Purpose::Command).unwrap();
    let watchers = crate::Watchers::default();
    let (go_on, wait) = std::sync::mpsc::channel::<()>();
    let busy = move |_: &mut Tx<'_>| wait.recv().map_err(|_| StoreError::Panicked);
    let (busy, _busy_answer) = Job::new(crate::Access::Write, None, &watchers, busy);
    engine.put(None, busy).unwrap();
    let done = Arc::new(std::sync::atomic::AtomicUsize::new(0));
    let mut answers = Vec::new();
    for _ in 0..500 {
        let done = Arc::clone(&done);
        let loud = move |_: &mut Tx<'_>| Ok::<_, StoreError>(done.fetch_add(1, Ordering::SeqCst));
        let (loud, answer) = Job::new(crate::Access::Write, None, &watchers, loud);
        engine.put(Some(1), loud).unwrap();
        answers.push(answer);
    }
    let before = move |_: &mut Tx<'_>| Ok::<_, StoreError>(done.load(Ordering::SeqCst));
    let (quiet, answer) = Job::new(crate::Access::Write, None, &watchers, before);
    engine.put(Some(2), quiet).unwrap();
    go_on.send(()).unwrap();
    assert_eq!(
        answer.blocking_recv().unwrap().unwrap(),
        0,
        "it shares the commit of the running command, before any loud one"
    );
    drop(engine);
    let last = answers.pop().unwrap().blocking_recv().unwrap();
    assert_eq!(last.unwrap(), 499, "closing the engine finishes the waiting commands in order");
}

#[test]
fn readers_cannot_write() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("books.db");
    let writer = open_writer(&path).unwrap();
    writer.execute_batch("CREATE TABLE t (x INTEGER)").unwrap();
    let reader = open_reader(&path).unwrap();
    assert!(reader.execute_batch("INSERT INTO t VALUES (1)").is_err());
}

#[test]
fn deleted_data_leaves_all_files_and_closing_removes_the_log() {
    const MARK: &str = "a name that occurs nowhere else";
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("books.db");
    let log = folder.path().join("books.db-wal");
    let store = crate::Store::open(&crate::DatabaseUrl::Sqlite(path.clone()), 4).unwrap();
    let write = |sql: &'static str, texts: Vec<String>| {
        let command = move |tx: &mut Tx<'_>| {
            for text in &texts {
                tx.execute(sql, &crate::params![text])?;
            }
            Ok::<_, StoreError>(())
        };
        store.write_blocking(command).unwrap();
    };
    let table = "CREATE TABLE names (id INTEGER PRIMARY KEY, name TEXT)";
    store.write_blocking(move |tx| tx.execute(table, &[])).unwrap();
    // Writes enough rows to fill several pages, so that deleting the rows frees whole pages.
    write(
        "INSERT INTO names (name) VALUES (?1)",
        (0..2_000).map(|number| format!("{MARK} {number}")).collect(),
    );
    let holds = |path: &Path| {
        let bytes = std::fs::read(path).unwrap_or_default();
        bytes.windows(MARK.len()).any(|window| window == MARK.as_bytes())
    };
    assert!(store.checkpoint().unwrap() && holds(&path) && !holds(&log));
    write("DELETE FROM names WHERE name <> ?1", vec!["kept".into()]);
    store
        .read_blocking(|tx| tx.query_one("SELECT COUNT(*) FROM names", &[], |row| row.int(0)))
        .map(|count: i64| assert_eq!(count, 0))
        .unwrap();
    assert!(store.checkpoint().unwrap());
    assert!(!holds(&path) && !holds(&log));
    // Idle readers are still open at this point; the log is removed nevertheless.
    drop(store);
    assert!(!log.exists());
}

#[cfg(unix)]
#[test]
fn only_the_owner_may_read_the_file() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("books.db");
    drop(open_writer(&path).unwrap());
    assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
}

#[test]
fn a_loud_account_and_others_write_together_only_while_both_do() {
    let after = |seen: &[(i64, bool)]| {
        let mut writers = Writers::default();
        seen.iter().for_each(|(account, is_loud)| writers.saw(Key::Writes(*account), *is_loud));
        writers
    };
    let count = |seen: &[(i64, bool)]| after(seen).loud_beside_others();
    assert_eq!(count(&[(1, true)]), 0);
    assert_eq!(count(&[(2, false)]), 0);
    assert_eq!(count(&[(1, true), (2, false)]), 1);
    assert_eq!(count(&[(1, true), (2, false), (3, true)]), 2);
    assert_eq!(
        count(&[(1, true), (1, false), (3, true), (3, false)]),
        0,
        "a recently loud account does not count as another"
    );
    assert_eq!(count(&[(1, false), (1, true)]), 0, "nor does one that becomes loud");
    let mut over = after(&[(1, true), (2, false)]);
    over.loud.insert(Key::Writes(1), Instant::now().checked_sub(2 * TOGETHER).unwrap());
    assert_eq!(over.loud_beside_others(), 0, "the loud account has stopped");
    over.saw(Key::Writes(1), false);
    over.saw(Key::Writes(3), true);
    assert_eq!(over.loud_beside_others(), 1, "and counts as another account now");
}

#[test]
fn few_loud_commands_share_a_commit_and_wait_for_one_of_another_account() {
    let queue = FairQueue::new(Limits::both(16), crate::QUEUE_LENGTH);
    let (loud, quiet) = (Some(Key::Writes(1)), Some(Key::Writes(2)));
    (0..100).for_each(|number| queue.put(loud, number).unwrap());
    assert_eq!(next_beside_others(&queue, 0, 1), Some((loud, 0)));
    assert_eq!(next_beside_others(&queue, 1, 1), Some((loud, 1)));
    let begun = Instant::now();
    assert_eq!(next_beside_others(&queue, 2, 1), None, "no other account has a command");
    assert!(begun.elapsed() >= SHARED_COMMIT_DELAY, "after waiting for one");
    assert_eq!(
        next_beside_others(&queue, 2, 3),
        Some((loud, 2)),
        "three loud accounts may have one command each"
    );
    queue.put(quiet, 500).unwrap();
    assert_eq!(
        next_beside_others(&queue, 1, 1),
        Some((quiet, 500)),
        "although it is not its turn yet"
    );
}
