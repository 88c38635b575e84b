//! Measures the speed of writing documents on one thread; prints lines of `name figure unit`.

#[path = "../tests/documents/samples.rs"]
#[expect(dead_code, reason = "the samples are those of the tests")]
mod samples;

use documents::{
    pdf::{self, Appearance},
    ubl,
    xaf::{AuditFile, EntryLine, Head, Totals, Version},
};
use ledger::money::Cents;
use std::{
    error::Error,
    fs,
    io::{self, Write},
    time::{Duration, Instant},
};

/// Duration of each measurement.
const LONG: Duration = Duration::from_secs(3);
/// Number of entries in the audit file; each has two lines.
const ENTRIES: u64 = 500_000;

fn main() -> Result<(), Box<dyn Error>> {
    let invoice = samples::plain();
    let e_invoice = ubl::write(&invoice)?;
    let (look, long) = (Appearance::default(), samples::long(420));
    rate("pdf", || pdf::write(&invoice, &look, Some(&e_invoice)).map(|_| ()).map_err(Into::into))?;
    rate("pdf-420-lines", || pdf::write(&long, &look, None).map(|_| ()).map_err(Into::into))?;
    rate("ubl", || ubl::write(&invoice).map(|_| ()).map_err(Into::into))?;
    for _ in 0..10_000 {
        pdf::write(&invoice, &look, Some(&e_invoice))?;
    }
    println!("memory-after-10000 {} KiB", resident()?);
    let begun = Instant::now();
    let bytes = audit_file()?;
    let millis = u64::try_from(begun.elapsed().as_millis())?.max(1);
    println!("audit-file {} kB/s", bytes / millis);
    println!("memory-after-audit-file {} KiB", resident()?);
    Ok(())
}

fn rate(
    name: &str,
    mut make: impl FnMut() -> Result<(), Box<dyn Error>>,
) -> Result<(), Box<dyn Error>> {
    let (begun, mut made) = (Instant::now(), 0_u64);
    while begun.elapsed() < LONG {
        make()?;
        made += 1;
    }
    println!("{name} {} /1000s", made * 1_000_000 / u64::try_from(begun.elapsed().as_millis())?);
    Ok(())
}

/// Writes an audit file with a million lines and discards it; returns its size in bytes.
fn audit_file() -> Result<u64, Box<dyn Error>> {
    let sum = Cents::new(100 * i64::try_from(ENTRIES)?);
    let head =
        Head { totals: Totals { lines: ENTRIES * 2, debit: sum, credit: sum }, ..samples::head() };
    let mut file = AuditFile::begin(Count(0), Version::V4_0, &head)?;
    file.journal(&samples::journal())?;
    let lines = [
        EntryLine { account: "1300", amount: Cents::new(100), ..samples::entry_line() },
        EntryLine { account: "8000", amount: Cents::new(-100), ..samples::entry_line() },
    ];
    for number in 0..ENTRIES {
        file.entry(&samples::entry(i64::try_from(number)?, &lines))?;
    }
    Ok(file.finish()?.0)
}

/// Output that only counts the bytes written to it.
struct Count(u64);

impl Write for Count {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Returns the resident memory of this process, in KiB.
fn resident() -> Result<u64, Box<dyn Error>> {
    let status = fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).ok_or("no VmRSS")?;
    Ok(line.split_whitespace().next().ok_or("no figure")?.parse()?)
}
