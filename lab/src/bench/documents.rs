//! Speed and memory use of generating documents: PDFs, e-invoices, the audit file.

use super::{Bench, Target, divide};
use anyhow::{Context, ensure};
use std::process::Stdio;
use xtask::cargo;

impl Bench {
    pub(super) fn documents(&mut self) -> anyhow::Result<()> {
        let mut measure = cargo();
        measure.args([
            "run",
            "--quiet",
            "--release",
            "--package",
            "documents",
            "--example",
            "speed",
        ]);
        let output = measure.stderr(Stdio::inherit()).output()?;
        ensure!(output.status.success(), "the documents could not be measured");
        let text = String::from_utf8(output.stdout)?;
        let figure = |name: &str| -> anyhow::Result<f64> {
            let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
            let figure = line
                .and_then(|line| line.split(' ').next())
                .with_context(|| format!("no figure of {name}"))?;
            Ok(figure.parse()?)
        };
        let pdfs = divide(figure("pdf")?, 1000.0);
        self.record(
            "PDF of one page with its e-invoice, one thread",
            pdfs,
            "/s",
            Some(Target::AtLeast(150.0)),
        );
        self.record(
            "PDF of 420 lines, one thread",
            divide(figure("pdf-420-lines")?, 1000.0),
            "/s",
            None,
        );
        let e_invoices = divide(figure("ubl")?, 1000.0);
        self.record("e-invoice, one thread", e_invoices, "/s", Some(Target::AtLeast(5_000.0)));
        self.record(
            "memory after 10 000 PDFs",
            divide(figure("memory-after-10000")?, 1024.0),
            "MiB",
            None,
        );
        self.record("audit file", divide(figure("audit-file")?, 1000.0), "MB/s", None);
        let memory = divide(figure("memory-after-audit-file")?, 1024.0);
        self.record(
            "memory after an audit file of 1 000 000 lines",
            memory,
            "MiB",
            Some(Target::AtMost(64.0)),
        );
        Ok(())
    }
}
