//! `record`: records the statements of a version and the digests of its migrations, so that tests
//! can check whether nodes of that version still work with the schema of a later one.

use crate::{suite, workspace};
use anyhow::{Context, ensure};
use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};
use std::{
    collections::BTreeSet,
    fmt::Write,
    fs,
    path::{Path, PathBuf},
    process::ExitCode,
};

/// Environment variable with the folder to which tests write their statements.
pub const FOLDER_VARIABLE: &str = "GROOTBOEK_TEST_STATEMENTS";

/// Folder of the recorded versions.
const FOLDER: &str = "crates/store/tests/recorded";

/// Options of `record`.
#[derive(clap::Args)]
pub struct Options {
    /// Version, as named by its tag
    version: String,
    /// Folder with the statements of an earlier test run with GROOTBOEK_TEST_STATEMENTS, instead of
    /// running all tests
    #[arg(long, value_name = "FOLDER")]
    from: Option<PathBuf>,
}

/// Writes the folder of a version.
///
/// # Errors
/// The version has an invalid name, a test failed, or a file cannot be written.
pub fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let is_version = options
        .version
        .strip_prefix('v')
        .is_some_and(|rest| rest.split('.').all(|part| part.parse::<u32>().is_ok()));
    ensure!(
        is_version,
        "a version is v followed by numbers with dots, such as v0.1, not {}",
        options.version
    );
    let collected = tempfile::tempdir()?;
    let from = match &options.from {
        Some(folder) => folder.as_path(),
        None => {
            let code = suite::run_with(&[], Some((FOLDER_VARIABLE, collected.path())))?;
            ensure!(code == ExitCode::SUCCESS, "the tests failed, so nothing was recorded");
            collected.path()
        }
    };
    let (sqlite, postgres) = (statements(from, "sqlite")?, statements(from, "postgres")?);
    ensure!(
        !sqlite.is_empty() && !postgres.is_empty(),
        "no test wrote a statement into {}",
        from.display()
    );
    let folder = workspace().join(FOLDER).join(&options.version);
    fs::create_dir_all(&folder)?;
    for (name, statements) in [
        ("both", &sqlite & &postgres),
        ("sqlite", &sqlite - &postgres),
        ("postgres", &postgres - &sqlite),
    ] {
        let lines: String = statements.iter().map(|statement| format!("{statement};\n")).collect();
        fs::write(folder.join(format!("{name}.sql")), lines)?;
        println!("{name}: {} statements", statements.len());
    }
    fs::write(folder.join("migrations.sha256"), digests()?)?;
    Ok(ExitCode::SUCCESS)
}

/// Returns the distinct statements for an engine, from a folder to which tests wrote them.
/// Statements that write several rows are reduced to the form for one.
///
/// # Errors
/// A file cannot be read.
pub fn statements(folder: &Path, engine: &str) -> anyhow::Result<BTreeSet<String>> {
    let rows = regex::Regex::new(r"( VALUES \([^()]*\))(, \([?0-9, ]*\))+")?;
    let mut distinct = BTreeSet::new();
    for file in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = file?.path();
        if path
            .file_name()
            .and_then(|name| name.to_str())
            .is_some_and(|name| name.starts_with(&format!("{engine}-")))
        {
            let text = fs::read_to_string(&path)?;
            // Some tests also change the schema; the program never does, so these statements
            // are excluded.
            let is_of_program = |line: &&str| {
                ["SELECT ", "INSERT ", "UPDATE ", "DELETE "]
                    .iter()
                    .any(|word| line.starts_with(word))
            };
            let lines =
                text.lines().filter(is_of_program).filter_map(|line| line.strip_suffix(';'));
            distinct.extend(lines.map(|line| rows.replace(line, "$1").into_owned()));
        }
    }
    Ok(distinct)
}

/// Returns the recorded statements of an engine, of the latest version.
///
/// # Errors
/// No version is recorded, or a file cannot be read.
pub fn recorded(engine: &str) -> anyhow::Result<BTreeSet<String>> {
    let versions = fs::read_dir(workspace().join(FOLDER))?
        .map(|folder| Ok(folder?.path()))
        .collect::<anyhow::Result<Vec<_>>>()?;
    let numbers = |folder: &PathBuf| -> Vec<u32> {
        let name = folder.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        name.trim_start_matches('v').split('.').filter_map(|number| number.parse().ok()).collect()
    };
    let last = versions.into_iter().max_by_key(numbers).context("no version is recorded")?;
    let text = fs::read_to_string(last.join("both.sql"))?
        + &fs::read_to_string(last.join(format!("{engine}.sql")))?;
    Ok(text.lines().filter_map(|line| line.strip_suffix(';')).map(str::to_owned).collect())
}

/// Returns the SHA-256 digests of all migrations, in the format of `sha256sum`.
fn digests() -> anyhow::Result<String> {
    let migrations = workspace().join("crates/store/migrations");
    let mut lines = String::new();
    for engine in ["postgres", "sqlite"] {
        let files = fs::read_dir(migrations.join(engine))?.map(|file| Ok(file?.file_name()));
        for name in files.collect::<anyhow::Result<BTreeSet<_>>>()? {
            let name = format!("{engine}/{}", name.display());
            let digest = HEXLOWER.encode(&Sha256::digest(fs::read(migrations.join(&name))?));
            writeln!(lines, "{digest}  {name}")?;
        }
    }
    Ok(lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_statement_counts_once_however_many_rows_it_writes() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
        write(
            "postgres-1.sql",
            "INSERT INTO a (x, y) VALUES (?1, ?2), (?3, ?4) ON CONFLICT DO NOTHING;\nSELECT 1;\n",
        );
        write(
            "postgres-2.sql",
            "INSERT INTO a (x, y) VALUES (?1, ?2) ON CONFLICT DO NOTHING;\nINSERT INTO a (x) VALUES (?1);\nSELECT 1;\nbroken o",
        );
        write("sqlite-1.sql", "SELECT 2;\n");
        write("postgres-3.sql", "CREATE VIEW a AS SELECT 1;\n");
        let distinct: Vec<String> =
            statements(folder.path(), "postgres").unwrap().into_iter().collect();
        assert_eq!(
            distinct,
            [
                "INSERT INTO a (x) VALUES (?1)",
                "INSERT INTO a (x, y) VALUES (?1, ?2) ON CONFLICT DO NOTHING",
                "SELECT 1"
            ]
        );
    }
}
