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
use std::io::{self, BufWriter, Write};
use store::DatabaseUrl;

pub(crate) fn run(given: Option<DatabaseUrl>, options: &AuditFileOptions) -> anyhow::Result<()> {
    let version = Version::parse(&options.form).context("--form is 4.0 or 3.2")?;
    let store = database::open_existing(given)?;
    let (email, year) = (options.email.clone(), options.year);
    let file = match &options.output {
        Some(path) => Some(store::create_private(path).with_context(|| path.display().to_string())?),
        None => None,
    };
    let written = store.read_blocking(move |tx| {
        let cx = Context::of_owner(&accounts::by_email(tx, &email)?, environment());
        let out: Box<dyn Write> = match &file {
            Some(file) => Box::new(file.try_clone().map_err(|error| Error::Internal(error.to_string()))?),
            None => Box::new(io::stdout()),
        };
        let mut out = audit_files::write(tx, &cx, year, version, BufWriter::new(out))?;
        out.flush().map_err(|error| Error::Internal(error.to_string()))
    });
    written.map_err(explain)
}
