//! `move`: moves all books from SQLite to PostgreSQL, or back.

use crate::{
    cli::MoveOptions,
    commands::{counted, explain},
    database,
    private::beside,
    verify,
};
use anyhow::bail;
use indicatif::{ProgressBar, ProgressStyle};
use store::DatabaseUrl;

/// Maximum number of listed discrepancies; `verify` on the source lists all.
const FIRST: usize = 10;

pub(crate) fn run(database: Option<DatabaseUrl>, options: &MoveOptions) -> anyhow::Result<()> {
    let from = options.from.as_deref().map(str::parse).transpose()?.or(database);
    let (from, to): (DatabaseUrl, DatabaseUrl) =
        (database::existing_books(from)?, options.to.parse()?);
    // The progress bar is shown on terminals only.
    let bar = ProgressBar::new(0);
    if let Ok(style) =
        ProgressStyle::with_template("{msg} {wide_bar} {human_pos}/{human_len} rows, {eta} left")
    {
        bar.set_style(style);
    }
    bar.set_message("counting");
    let mut accounts = 0;
    let moved = store::move_books(
        &from,
        &to,
        &mut |progress| {
            bar.set_message(progress.table.to_owned());
            bar.set_length(progress.of);
            bar.set_position(progress.rows);
        },
        |tx| {
            bar.set_message("verifying the books");
            let discrepancies = verify::all(tx, &mut accounts).map_err(explain)?;
            if discrepancies.is_empty() {
                return Ok(());
            }
            let first: Vec<&str> = discrepancies.iter().take(FIRST).map(String::as_str).collect();
            bail!(
                "nothing was moved: the books do not agree with their entries ({}); `grootboek verify` on {from} lists all:\n  {}",
                counted(discrepancies.len(), "fault"),
                first.join("\n  ")
            )
        },
    );
    bar.finish_and_clear();
    let moved = moved?;
    let tables = moved.tables.iter().filter(|(_, rows)| *rows > 0);
    for (table, rows) in tables {
        say!("{table}: {}", counted(rows, "row"))?;
    }
    say!(
        "moved {} from {from} to {to}: every value is the same in both, and the books of {} agree with their entries",
        counted(moved.tables.iter().map(|(_, rows)| rows).sum::<u64>(), "row"),
        counted(accounts, "account")
    )?;
    let secret = match (&from, &to) {
        (DatabaseUrl::Sqlite(file), _) => {
            format!(
                "the secret file {}, which --secret-file must name from now on",
                beside(file).display()
            )
        }
        (_, DatabaseUrl::Sqlite(file)) => {
            format!("the secret file, which belongs at {}", beside(file).display())
        }
        _ => "the secret file".to_owned(),
    };
    say!("not moved: {secret}; the folder of mails; the configuration")?;
    say!("{from} was not changed: do not serve it any more, or the two databases will diverge")?;
    Ok(())
}
