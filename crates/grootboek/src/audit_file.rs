//! `audit-file`: the audit file of a year.

use crate::{cli::AuditFileOptions, commands::explain, database};
use anyhow::Context;
use service::{
    Actor, Error, accounts,
    audit_files::{self, Version},
    environment::{Clock, System},
};
use std::io::{self, BufWriter, Write};
use store::DatabaseUrl;

pub(crate) fn run(given: Option<DatabaseUrl>, options: &AuditFileOptions) -> anyhow::Result<()> {
    let version = Version::parse(&options.form).context("--form is 4.0 or 3.2")?;
    let store = database::open_existing(given)?;
    let (email, year, now) = (options.email.clone(), options.year, System.now());
    let file = match &options.output {
        Some(path) => Some(store::create_private(path).with_context(|| path.display().to_string())?),
        None => None,
    };
    let written = store.read_blocking(move |tx| {
        let cx = Actor::owner(&accounts::by_email(tx, &email)?);
        let out: Box<dyn Write> = match &file {
            Some(file) => Box::new(file.try_clone().map_err(|error| Error::Internal(error.to_string()))?),
            None => Box::new(io::stdout()),
        };
        let mut out = audit_files::write(tx, &cx, year, version, BufWriter::new(out))?;
        out.flush().map_err(|error| Error::Internal(error.to_string()))
    });
    written.map_err(explain)
}
