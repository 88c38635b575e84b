//! Payment files, codes of payments and balances of bank accounts, as the API returns them: the
//! schemas of ISO 20022 and zbar judge the former, and hledger computes the balance of each bank
//! account on each day.

use super::{Options, Verdict, documents, driver, judge};
use crate::server::{Program, Server};
use xtask::install;

/// Runs the program on a running server. It opens an account for each of its parts.
pub(super) fn run(
    program: &Program,
    server: &Server,
    options: &Options,
) -> anyhow::Result<Verdict> {
    install::ensure("hledger", "hledger", || install::find("hledger"))?;
    install::ensure("zbarimg", "zbar-tools", || install::find("zbarimg"))?;
    install::ensure("rsvg-convert", "librsvg2-bin", || install::find("rsvg-convert"))?;
    let mut command = driver(&documents::python()?, "bank", server, options);
    command.arg("--key");
    for part in ["payments", "balances"] {
        command.arg(program.open_account(&format!("{part}@example.com"))?);
    }
    let about = "payment files are valid, zbar reads the codes, hledger has the balances of banks";
    judge("bank", about.into(), &mut command)
}
