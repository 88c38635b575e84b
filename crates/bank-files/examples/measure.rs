//! Measures reading: `cargo run --release -p bank-files --example measure`.
//!
//! Writes a file of at most 20 MiB and 100 000 lines in each format, reads it, and compares its
//! lines with themselves. Each format is measured in a process of its own, so that the peak of its
//! memory is known (Linux only; elsewhere it is reported as 0).

use bank_files::{
    Options, limits, read,
    same::{Entry, compare, entries},
};
use jiff::civil::date;
use ledger::money::Cents;
use std::{env, fmt::Write, fs, process::Command, time::Instant};

const FORMATS: [&str; 6] = ["camt053", "mt940", "csv-ing", "csv-rabobank", "csv-asn", "csv-abn"];

#[expect(clippy::print_stdout, reason = "a command-line example")]
fn main() -> std::io::Result<()> {
    if let Some(format) = env::args().nth(1) {
        measure(&format);
        return Ok(());
    }
    println!("ms to compare 100 000 lines with equal amounts and other texts:");
    println!("on one day: {}, on many days: {}", equal_amounts(1), equal_amounts(28));
    println!(
        "format, lines, MiB of file, ms to read (of the processor), ms to compare, MiB of peak above the file"
    );
    for format in FORMATS {
        Command::new(env::current_exe()?).arg(format).status()?;
    }
    Ok(())
}

#[expect(clippy::print_stdout, reason = "a command-line example")]
fn measure(format: &str) {
    let file = write(format);
    let before = peak_kib();
    let (started, processor) = (Instant::now(), processor_ms());
    let upload = read(file.as_bytes(), &Options::new(date(2026, 11, 28)))
        .expect("the writers below write valid files");
    let (reading, processor) = (started.elapsed(), processor_ms() - processor);
    let peak = peak_kib().saturating_sub(before);
    let entries: Vec<_> = upload.statements.iter().flat_map(entries).collect();
    let other: Vec<_> = entries.iter().map(|entry| Entry { layout: "other", ..*entry }).collect();
    let started = Instant::now();
    let outcomes = compare(&entries, &other, &[], &[]);
    println!(
        "{format}, {}, {}, {} ({processor}), {}, {}",
        outcomes.len(),
        file.len() >> 20,
        reading.as_millis(),
        started.elapsed().as_millis(),
        peak >> 10
    );
}

/// Compares lines with equal amounts, the slowest case, and returns the milliseconds.
fn equal_amounts(days: i8) -> u128 {
    let texts: Vec<String> = (0..2 * limits::MOST_LINES)
        .map(|number| format!("Factuur {number} van {number}"))
        .collect();
    let entry = |layout: &'static str, (number, text)| {
        let date = date(2026, 1, 1 + i8::try_from(number).unwrap_or(0) % days);
        let (iban, end_to_end_id, bank_reference) = (None, None, None);
        Entry { layout, date, amount: Cents::new(500), iban, end_to_end_id, bank_reference, text }
    };
    let numbered = texts.iter().enumerate().map(|(number, text)| (number % 28, text.as_str()));
    let known: Vec<_> =
        numbered.clone().take(limits::MOST_LINES).map(|line| entry("one", line)).collect();
    let other: Vec<_> =
        numbered.skip(limits::MOST_LINES).map(|line| entry("other", line)).collect();
    let started = Instant::now();
    let outcomes = compare(&known, &other, &[], &[]);
    assert_eq!(outcomes.len(), limits::MOST_LINES);
    started.elapsed().as_millis()
}

/// Processor time of the process so far, in steps of 10 ms.
fn processor_ms() -> u64 {
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let times = stat.rsplit(')').next().unwrap_or_default().split_whitespace().skip(11).take(2);
    10 * times.filter_map(|ticks| ticks.parse::<u64>().ok()).sum::<u64>()
}

/// Largest resident memory of the process so far, in KiB.
fn peak_kib() -> usize {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().trim_end_matches("kB").trim().parse().ok()).unwrap_or(0)
}

/// Writes as many lines as fit.
fn write(format: &str) -> String {
    // Room for the whole file, so that growing does not raise the peak beforehand.
    let mut file = String::with_capacity(limits::MOST_BYTES);
    file.push_str(match format {
        "camt053" => {
            "<Document xmlns=\"urn:iso:std:iso:20022:tech:xsd:camt.053.001.08\"><BkToCstmrStmt><Stmt><Acct><Id><IBAN>NL02ABNA0123456789</IBAN></Id><Ccy>EUR</Ccy></Acct>\n"
        }
        "mt940" => ":20:1\n:25:NL02ABNA0123456789\n:28C:1\n:60F:C260101EUR0,\n",
        "csv-ing" => "Datum;Naam / Omschrijving;Rekening;Tegenrekening;Code;Af Bij;Bedrag (EUR);Mutatiesoort;Mededelingen\n",
        "csv-rabobank" => "IBAN/BBAN,Munt,BIC,Volgnr,Datum,Rentedatum,Bedrag,Saldo na trn,Tegenrekening IBAN/BBAN,Naam tegenpartij,Code,Transactiereferentie,Omschrijving-1\n",
        _ => "",
    });
    let mut balance = 0;
    for number in 0..limits::MOST_LINES {
        if file.len() > limits::MOST_BYTES - 1_000 {
            break;
        }
        let day = 1 + number % 28;
        let cents = 1 + number % 97;
        balance += cents;
        let euros = |cents: usize, point: char| format!("{}{point}{:02}", cents / 100, cents % 100);
        let iban = format!("NL91RABO{:010}", number % 1_000);
        let written = match format {
            "camt053" => writeln!(
                file,
                "<Ntry><Amt Ccy=\"EUR\">{}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>2026-01-{day:02}</Dt></BookgDt><AcctSvcrRef>R{number}</AcctSvcrRef><NtryDtls><TxDtls><Refs><EndToEndId>E{number}</EndToEndId></Refs><RltdPties><Dbtr><Pty><Nm>Klant {number}</Nm></Pty></Dbtr><DbtrAcct><Id><IBAN>{iban}</IBAN></Id></DbtrAcct></RltdPties><RmtInf><Ustrd>Factuur {number}</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>",
                euros(cents, '.')
            ),
            "mt940" => write!(
                file,
                ":61:2601{day:02}01{day:02}C{}N654NONREF//R{number}\n:86:/TRTP/SEPA OVERBOEKING/IBAN/{iban}/BIC/RABONL2U/NAME/Klant {number}\n/REMI/Factuur {number}/EREF/E{number}\n",
                euros(cents, ',')
            ),
            "csv-ing" => writeln!(
                file,
                "202601{day:02};Klant {number};NL69INGB0123456789;{iban};GT;Bij;{};Online bankieren;Naam: Klant {number} Omschrijving: Factuur {number} IBAN: {iban} Kenmerk: E{number}",
                euros(cents, ',')
            ),
            "csv-rabobank" => writeln!(
                file,
                "NL02RABO0123456789,EUR,RABONL2U,{number},2026-01-{day:02},2026-01-{day:02},\"+{}\",\"+{}\",{iban},Klant {number},cb,E{number},Factuur {number}",
                euros(cents, ','),
                euros(balance, ',')
            ),
            "csv-asn" => writeln!(
                file,
                "{day:02}-01-2026,NL02ASNB0123456789,{iban},Klant {number},,,,EUR,{},EUR,{},{day:02}-01-2026,{day:02}-01-2026,1234,OVB,{number},,'Factuur {number}',3",
                euros(balance - cents, '.'),
                euros(cents, '.')
            ),
            _ => writeln!(
                file,
                "123456789\tEUR\t202601{day:02}\t{}\t{}\t202601{day:02}\t{}\t/TRTP/SEPA OVERBOEKING/IBAN/{iban}/BIC/RABONL2U/NAME/Klant {number}/REMI/Factuur {number}/EREF/E{number}",
                euros(balance - cents, ','),
                euros(balance, ','),
                euros(cents, ',')
            ),
        };
        written.expect("writing to a string cannot fail");
    }
    match format {
        "camt053" => file.push_str("</Stmt></BkToCstmrStmt></Document>"),
        "mt940" => {
            let closing = format!(":62F:C260128EUR{},{:02}\n-\n", balance / 100, balance % 100);
            file.push_str(&closing);
        }
        _ => {}
    }
    file
}
