//! `audit-file`: the audit file of a year.

use crate::{
    cli::AuditFileOptions,
    commands::{environment, explain},
    database,
};
use anyhow::Context as _;
use service::{
    Context, Error, accounts,
    audit_files::{self, Version},
};
use std::{
    fs::File,
    io::{self, BufWriter, Write},
    sync::{Arc, Mutex, PoisonError},
};
use store::DatabaseUrl;

pub(crate) fn run(given: Option<DatabaseUrl>, options: &AuditFileOptions) -> anyhow::Result<()> {
    let version = Version::parse(&options.form).context("--form is 4.0 or 3.2")?;
    let store = database::open_existing(given)?;
    let (email, year) = (options.email.clone(), options.year);
    let file = match &options.output {
        Some(path) => {
            Some(store::create_private(path).with_context(|| path.display().to_string())?)
        }
        None => None,
    };
    let trouble = Trouble::default();
    let shared = Arc::clone(&trouble);
    let written = store.read_blocking(move |tx| {
        let cx = Context::of_owner(&accounts::by_email(tx, &email)?, environment());
        let out = BufWriter::new(Output { file: file.as_ref(), trouble: Arc::clone(&shared) });
        let mut out = audit_files::write(tx, &cx, year, version, out)?;
        out.flush().map_err(|error| Error::Internal(error.to_string()))
    });
    let Err(error) = written else { return Ok(()) };
    match (trouble.lock().unwrap_or_else(PoisonError::into_inner).take(), &options.output) {
        (Some(trouble), Some(path)) => {
            Err(trouble).with_context(|| format!("cannot write {}", path.display()))
        }
        // The `io::Error` itself is returned, so that `main` ends silently if the pipe is closed.
        (Some(trouble), None) => Err(trouble.into()),
        (None, _) => Err(explain(error)),
    }
}

/// Error from writing the output. It is stored here, because the error of the failed query does not
/// contain the kind of the write error.
type Trouble = Arc<Mutex<Option<io::Error>>>;

/// Output file or standard output; stores the error if writing fails.
struct Output<'a> {
    file: Option<&'a File>,
    trouble: Trouble,
}

impl Output<'_> {
    fn noting<T>(&self, done: io::Result<T>) -> io::Result<T> {
        done.map_err(|error| {
            let kind = error.kind();
            *self.trouble.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
            kind.into()
        })
    }
}

impl Write for Output<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = match self.file {
            Some(mut file) => file.write(bytes),
            None => io::stdout().write(bytes),
        };
        self.noting(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        let flushed = match self.file {
            Some(mut file) => file.flush(),
            None => io::stdout().flush(),
        };
        self.noting(flushed)
    }
}
