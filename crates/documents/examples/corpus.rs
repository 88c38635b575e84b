//! Writes documents into a folder for validators: invoices generated from a seed, e-invoices for
//! edge cases, audit files, payment files, and codes of payments. Usage: `corpus FOLDER [COUNT] [SEED]`.

#[path = "../tests/documents/edges.rs"]
mod edges;
#[path = "../tests/documents/payments.rs"]
mod payments;
#[path = "../tests/documents/samples.rs"]
mod samples;

use documents::{
    epc,
    invoice::Invoice,
    payment_file,
    pdf::{self, Appearance},
    ubl, xaf,
};
use std::{
    env,
    error::Error,
    fs,
    path::{Path, PathBuf},
};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let folder = PathBuf::from(arguments.next().ok_or("name the folder to write to")?);
    let count = arguments.next().map_or(Ok(136), |text| text.parse())?;
    let seed = arguments.next().map_or(Ok(1), |text| text.parse())?;
    fs::create_dir_all(&folder)?;
    for (name, invoice) in samples::corpus(seed, count) {
        write(&folder, &name, &invoice, &Appearance::default())?;
    }
    for (name, invoice) in edges::edges() {
        let e_invoice = ubl::write(&invoice).map_err(|causes| format!("{name}: {causes}"))?;
        fs::write(folder.join(name).with_extension("xml"), e_invoice)?;
    }
    for (name, invoice, look) in samples::pictures() {
        write(&folder, name, &invoice, &look)?;
    }
    fs::write(folder.join("audit-file-3.2.xml"), samples::audit_file(xaf::Version::V3_2))?;
    fs::write(folder.join("audit-file-4.0.xml"), samples::audit_file(xaf::Version::V4_0))?;
    payments(&folder, seed, count)
}

/// Writes payment files in both versions, and codes as PNG with their content beside.
fn payments(folder: &Path, seed: u64, count: usize) -> Result<(), Box<dyn Error>> {
    for (number, file) in payments::files(seed, count / 4).iter().enumerate() {
        for (name, version) in
            [("03", payment_file::Version::V03), ("09", payment_file::Version::V09)]
        {
            let path = folder.join(format!("payments-{number}-{name}.xml"));
            fs::write(path, payment_file::write(file, version)?)?;
        }
        let payload = payments::code(&file.payments[0]);
        let path = folder.join(format!("code-{number}.png"));
        fs::write(path.with_extension("txt"), &payload)?;
        fs::write(path, epc::png(&payload).ok_or("the payload fits")?)?;
    }
    Ok(())
}

fn write(
    folder: &Path,
    name: &str,
    invoice: &Invoice,
    look: &Appearance,
) -> Result<(), Box<dyn Error>> {
    let e_invoice = ubl::write(invoice).ok();
    if let Some(bytes) = &e_invoice {
        fs::write(folder.join(name).with_extension("xml"), bytes)?;
    }
    let pdf = pdf::write(invoice, look, e_invoice.as_deref())
        .map_err(|error| format!("{name}: {error}"))?;
    fs::write(folder.join(name).with_extension("pdf"), pdf)?;
    Ok(())
}
