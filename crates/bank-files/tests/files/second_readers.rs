//! The crate `mt940`, which shares no code with this one, reads the same lines of MT940.
//!
//! An IBAN is compared where the other reader has one. Files in other currencies are not compared,
//! because this crate refuses them. Other formats have other second readers: `cargo lab judge --only
//! bank`.

use super::{dialects, samples};
use bank_files::{Cause, Refusal, read};
use fastrand::Rng;
use mt940::{ExtDebitOrCredit, InformationToAccountOwner, parse_mt940, sanitizers};
use std::{collections::BTreeMap, fs, path::Path};

/// Line of a statement: date, cents, IBAN of the counterparty.
type Line = (String, i64, Option<String>);

/// Seed of the written files, and the payments in each.
const SEED: u64 = 20_261_128;
const PAYMENTS: usize = 200;

/// Files that the other reader refuses, and why this one does not.
const UNREAD: [(&str, &str); 11] = [
    ("mt940-rs/february_30.sta", "banks count interest until a 30 February; the entry date exists"),
    ("mt940-rs/knab_broken.sta", "amounts without a comma are whole euros"),
    (
        "mt940-rs/mt942-rabobank.sta",
        "Rabobank once wrote a name after the account of the counterparty",
    ),
    ("php-mt940/asn-sample.sta", "ASN writes an IBAN of 18 characters as reference"),
    ("php-mt940/ing-sample.sta", "ING's older codes have two letters and a blank"),
    ("php-mt940/rabo-sample.sta", "Rabobank once wrote amounts with a point"),
    ("php-mt940/rabo-sample2.sta", "Rabobank once wrote amounts with a point"),
    ("php-mt940/spk-sample.sta", "the reference of a Sparkasse is longer than the standard allows"),
    ("php-mt940/triodos-sample.sta", "codes of Triodos have two letters and a blank"),
    ("written/asn.940", "ASN writes an IBAN of 18 characters as reference"),
    ("written/triodos.940", "codes of Triodos have two letters and a blank"),
];

/// Lines that differ, and why this crate is right.
const DIFFERENT: [(&str, Different); 1] = [(
    "php-mt940/abn-sample2.sta",
    // The value date is 31 December 2009 and the entry date 0101: the first day of the next year.
    Different { ours: ("2010-01-01", -20_300), theirs: ("2009-01-01", -20_300) },
)];

/// Date and cents of a line as either reader has it.
struct Different {
    ours: (&'static str, i64),
    theirs: (&'static str, i64),
}

impl Different {
    fn pairs(&self) -> Vec<Line> {
        [self.ours, self.theirs].map(|(date, cents)| (date.to_owned(), cents, None)).to_vec()
    }
}

/// Result of a comparison.
#[derive(Default)]
struct Comparison {
    equal: usize,
    all: usize,
    /// Files that the other reader refuses, with its reason.
    unread: BTreeMap<String, String>,
    /// Lines per file that only one of the readers has.
    different: BTreeMap<String, Vec<Line>>,
}

fn ours(bytes: &[u8]) -> Result<Vec<Line>, Refusal> {
    let upload = read(bytes, &samples::lenient())?;
    let lines = upload.statements.into_iter().flat_map(|statement| statement.lines);
    Ok(lines
        .map(|line| (line.date.to_string(), line.amount.get(), line.iban.map(String::from)))
        .collect())
}

/// Tries the file as it is, and then as the crate's own sanitizer changes it.
fn by_mt940(text: &str) -> Result<Vec<Line>, String> {
    let messages = parse_mt940(text)
        .or_else(|_| parse_mt940(&sanitizers::sanitize(text)))
        .map_err(|error| error.to_string())?;
    let lines = messages.iter().flat_map(|message| &message.statement_lines);
    lines
        .map(|line| {
            let mut amount = line.amount;
            amount.rescale(2);
            let cents = i64::try_from(amount.mantissa()).map_err(|error| error.to_string())?;
            let is_out = matches!(
                line.ext_debit_credit_indicator,
                ExtDebitOrCredit::Debit | ExtDebitOrCredit::ReverseDebit
            );
            let iban = match &line.information_to_account_owner {
                Some(InformationToAccountOwner::Structured { applicant_iban, .. }) => {
                    applicant_iban.clone()
                }
                _ => None,
            };
            let date = line.entry_date.unwrap_or(line.value_date);
            Ok((date.to_string(), if is_out { -cents } else { cents }, iban))
        })
        .collect()
}

/// Lines of either reader without an equal one of the other.
fn differences(mut ours: Vec<Line>, theirs: &[Line]) -> Vec<Line> {
    let mut only_theirs = Vec::new();
    // Lines with an IBAN choose first.
    let (with, without): (Vec<&Line>, Vec<&Line>) =
        theirs.iter().partition(|line| line.2.is_some());
    for line in with.into_iter().chain(without) {
        let equal = ours.iter().position(|other| {
            (&other.0, other.1) == (&line.0, line.1) && (line.2.is_none() || other.2 == line.2)
        });
        match equal {
            Some(place) => drop(ours.swap_remove(place)),
            None => only_theirs.push(line.clone()),
        }
    }
    ours.into_iter().chain(only_theirs).collect()
}

fn compare(
    files: Vec<(String, Vec<u8>)>,
    reader: fn(&str) -> Result<Vec<Line>, String>,
) -> Comparison {
    let mut found = Comparison::default();
    for (name, bytes) in files {
        let ours = match ours(&bytes) {
            Ok(lines) => lines,
            Err(Refusal { cause: Cause::UnsupportedCurrency { .. }, .. }) => continue,
            Err(refusal) => panic!("{name}: {refusal:?}"),
        };
        let text = String::from_utf8(bytes)
            .unwrap_or_else(|error| encoding_rs::WINDOWS_1252.decode(error.as_bytes()).0.into());
        let theirs = match reader(&text) {
            Ok(lines) => lines,
            Err(reason) => {
                found.unread.insert(name, reason);
                continue;
            }
        };
        let all = ours.len().max(theirs.len());
        let different = differences(ours, &theirs);
        found.all += all;
        found.equal += all.saturating_sub(different.len());
        if !different.is_empty() {
            found.different.insert(name, different);
        }
    }
    found
}

/// MT940 files of the samples and of other tests, and written ones of each bank, with their names.
fn files() -> Vec<(String, Vec<u8>)> {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../service/tests");
    let mut folders = vec![tests.join("tampering")];
    folders.extend(["mt940-rs", "php-mt940"].map(|folder| Path::new(samples::FOLDER).join(folder)));
    let mut files = Vec::new();
    for folder in folders {
        for file in fs::read_dir(&folder).unwrap() {
            let path = file.unwrap().path();
            if path.extension().is_some_and(|ending| ending == "sta" || ending == "940") {
                let folder = folder.file_name().unwrap().to_str().unwrap();
                let name = format!("{folder}/{}", path.file_name().unwrap().to_str().unwrap());
                files.push((name, fs::read(path).unwrap()));
            }
        }
    }
    let written = dialects::files(&mut Rng::with_seed(SEED), PAYMENTS).into_iter();
    let written = written.filter(|(name, _)| name.ends_with(".940"));
    files.extend(written.map(|(name, file)| (format!("written/{name}"), file.into_bytes())));
    files
}

#[test]
fn mt940_has_the_same_lines_as_another_reader() {
    let found = compare(files(), by_mt940);
    let unread: Vec<&str> = found.unread.keys().map(String::as_str).collect();
    assert_eq!(unread, UNREAD.map(|(file, _)| file), "{:#?}", found.unread);
    let different: Vec<&str> = found.different.keys().map(String::as_str).collect();
    assert_eq!(different, DIFFERENT.map(|(file, _)| file), "{:#?}", found.different);
    for (file, line) in DIFFERENT {
        assert_eq!(found.different[file], line.pairs(), "{file}");
    }
    // 995 of 1000 at least, of more lines than those of a few files.
    assert!(found.all > 1_300, "{}", found.all);
    assert!(found.equal * 1_000 >= found.all * 995, "{} of {}", found.equal, found.all);
}
