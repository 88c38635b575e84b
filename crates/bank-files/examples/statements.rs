//! Writes the statements of the tests into a folder for validators and other readers:
//! `cargo run -p bank-files --example statements FOLDER [COUNT] [SEED]`.

#[path = "../tests/files/camt.rs"]
mod camt;
#[path = "../tests/files/dialects.rs"]
mod dialects;
#[path = "../tests/files/writers.rs"]
#[expect(clippy::unwrap_used, reason = "the writers are those of the tests")]
mod writers;

use fastrand::Rng;
use jiff::{ToSpan, civil::date};
use std::{env, error::Error, fs, path::PathBuf};
use writers::Payment;

const TEXTS: [&str; 6] = [
    "Factuur 2026-0028",
    "BEA, Betaalpas Café <Zon>",
    "1234 5678 9012 3456",
    "R&D \"Noord\"",
    "王小明",
    "x",
];

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let folder = PathBuf::from(arguments.next().ok_or("name the folder to write to")?);
    let count = arguments.next().map_or(Ok(50), |text| text.parse())?;
    let seed = arguments.next().map_or(Ok(1), |text| text.parse())?;
    fs::create_dir_all(&folder)?;
    for version in ["02", "04", "08", "13"] {
        let path = folder.join(format!("pending-{version}.xml"));
        fs::write(path, camt::with_pending(version))?;
    }
    fs::write(folder.join("batch.xml"), camt::with_batch("DBIT", "40.00"))?;
    let mut random = Rng::with_seed(seed);
    for number in 0..count {
        let payments: Vec<Payment> =
            (0..random.usize(0..40)).map(|_| payment(&mut random)).collect();
        let opening = random.i64(-1_000_000..1_000_000);
        let (first, last) = (date(2026, 1, 1), date(2026, 3, 31));
        let files = [
            ("xml", writers::camt(&payments, opening, first, last)),
            ("940", writers::mt940(&payments, opening, first, last)),
            ("csv", writers::csv(&payments, opening)),
        ];
        for (ending, file) in files {
            fs::write(folder.join(format!("statement-{number}.{ending}")), file)?;
        }
        for (name, file) in dialects::files(&mut random, 20) {
            fs::write(folder.join(format!("dialect-{number}-{name}")), file)?;
        }
    }
    Ok(())
}

fn payment(random: &mut Rng) -> Payment {
    Payment {
        date: date(2026, 1, 1).saturating_add(random.i64(0..90).days()),
        cents: random.i64(1..10_000_000) * if random.bool() { 1 } else { -1 },
        name: TEXTS[random.usize(..TEXTS.len())].to_owned(),
        iban: random.bool().then(|| "NL91ABNA0417164300".to_owned()),
        text: TEXTS[random.usize(..TEXTS.len())].to_owned(),
        end_to_end_id: random.bool().then(|| format!("GB-{}", random.u32(..))),
    }
}
