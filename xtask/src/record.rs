//! `record`: which statements and tables a version has, so that the tests can try whether its nodes still work on the tables of a later one.

use crate::{suite, workspace};
use anyhow::{Context, ensure};
use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    process::ExitCode,
};

/// The variable that names the folder into which tests write the statements that they send.
pub(crate) const FOLDER_VARIABLE: &str = "GROOTBOEK_TEST_STATEMENTS";

/// Where the versions are, each in a folder.
const FOLDER: &str = "crates/store/tests/recorded";

/// What is recorded, and from what.
#[derive(clap::Args)]
pub struct Options {
    /// The version, as its tag is called
    version: String,
    /// Take what tests wrote into this folder, named to them by GROOTBOEK_TEST_STATEMENTS, instead of running them all
    #[arg(long, value_name = "FOLDER")]
    from: Option<PathBuf>,
}

/// Writes the folder of a version.
///
/// # Errors
/// The version is called otherwise than versions are, a test failed, or something cannot be written.
pub fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let is_version =
        options.version.strip_prefix('v').is_some_and(|rest| rest.split('.').all(|part| part.parse::<u32>().is_ok()));
    ensure!(is_version, "a version is called v and numbers with dots between, such as v0.1, not {}", options.version);
    let collected = tempfile::tempdir()?;
    let from = match &options.from {
        Some(folder) => folder.as_path(),
        None => {
            let code = suite::run_with(&[], Some((FOLDER_VARIABLE, collected.path())))?;
            ensure!(code == ExitCode::SUCCESS, "nothing is recorded of a version whose tests fail");
            collected.path()
        }
    };
    for engine in ["sqlite", "postgres"] {
        let folder = workspace().join(FOLDER).join(&options.version).join(engine);
        fs::create_dir_all(&folder)?;
        let statements = statements(from, engine)?;
        ensure!(!statements.is_empty(), "no test wrote a statement of {engine} into {}", from.display());
        fs::write(
            folder.join("statements.sql"),
            statements.iter().map(|statement| format!("{statement};\n")).collect::<String>(),
        )?;
        fs::write(folder.join("schema.sql"), migrations(engine)?)?;
        println!("{}: {} statements", folder.strip_prefix(workspace()).unwrap_or(&folder).display(), statements.len());
    }
    Ok(ExitCode::SUCCESS)
}

/// The statements of an engine that tests wrote into a folder, each once; of those that write many rows the form for one.
///
/// # Errors
/// A file cannot be read.
pub(crate) fn statements(folder: &Path, engine: &str) -> anyhow::Result<BTreeSet<String>> {
    let rows = regex::Regex::new(r"( VALUES \([^()]*\))(, \([?0-9, ]*\))+")?;
    let mut found = BTreeSet::new();
    for file in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = file?.path();
        if path.file_name().and_then(|name| name.to_str()).is_some_and(|name| name.starts_with(&format!("{engine}-"))) {
            let text = fs::read_to_string(&path)?;
            // Some tests change tables, which the program never does by itself.
            let is_of_program =
                |line: &&str| ["SELECT ", "INSERT ", "UPDATE ", "DELETE "].iter().any(|word| line.starts_with(word));
            let lines = text.lines().filter(is_of_program).filter_map(|line| line.strip_suffix(';'));
            found.extend(lines.map(|line| rows.replace(line, "$1").into_owned()));
        }
    }
    Ok(found)
}

/// The statements of an engine that are recorded of the last version.
///
/// # Errors
/// None is recorded, or it cannot be read.
pub(crate) fn recorded(engine: &str) -> anyhow::Result<BTreeSet<String>> {
    let versions =
        fs::read_dir(workspace().join(FOLDER))?.map(|folder| Ok(folder?.path())).collect::<anyhow::Result<Vec<_>>>()?;
    let numbers = |folder: &PathBuf| -> Vec<u32> {
        let name = folder.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        name.trim_start_matches('v').split('.').filter_map(|number| number.parse().ok()).collect()
    };
    let last = versions.into_iter().max_by_key(numbers).context("no version is recorded")?;
    let text = fs::read_to_string(last.join(engine).join("statements.sql"))?;
    Ok(text.lines().filter_map(|line| line.strip_suffix(';')).map(str::to_owned).collect())
}

/// The migrations of an engine, one after the other.
fn migrations(engine: &str) -> anyhow::Result<String> {
    let folder = fs::read_dir(workspace().join("crates/store/migrations").join(engine))?;
    let mut files = folder.map(|file| Ok(file?.path())).collect::<anyhow::Result<Vec<_>>>()?;
    files.sort();
    files.iter().map(|file| Ok(fs::read_to_string(file)?)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_statement_counts_once_however_many_rows_it_writes() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
        write("postgres-1.sql", "INSERT INTO a (x, y) VALUES (?1, ?2), (?3, ?4) ON CONFLICT DO NOTHING;\nSELECT 1;\n");
        write(
            "postgres-2.sql",
            "INSERT INTO a (x, y) VALUES (?1, ?2) ON CONFLICT DO NOTHING;\nINSERT INTO a (x) VALUES (?1);\nSELECT 1;\nbroken o",
        );
        write("sqlite-1.sql", "SELECT 2;\n");
        write("postgres-3.sql", "CREATE VIEW a AS SELECT 1;\n");
        let found: Vec<String> = statements(folder.path(), "postgres").unwrap().into_iter().collect();
        assert_eq!(
            found,
            ["INSERT INTO a (x) VALUES (?1)", "INSERT INTO a (x, y) VALUES (?1, ?2) ON CONFLICT DO NOTHING", "SELECT 1"]
        );
    }
}
