//! Open data: every data set and calculator, compared with a handler on the same web framework that
//! returns the same bytes.

use super::{Bench, Target, load::Request};
use anyhow::Context;
use tax::{
    calculator::{Calculator, Run},
    calculators, dataset,
};

/// Body for the calculator `invoice`.
const INVOICE: &str = r#"{"invoiceDate":"2026-03-02","customer":{"country":"NL"},"items":[{"description":"Design","quantity":8.5,"unitPrice":95.5,"vatRate":21},{"description":"Guide","unitPrice":12.35,"vatRate":9}]}"#;

impl Bench {
    pub(super) fn open_data(&mut self) -> anyhow::Result<()> {
        let program = self.program("open-data");
        let server = program.serve(&self.log())?;
        for set in dataset::all() {
            let path = format!("/open-data/{}.json", set.id);
            self.open_document(&server.origin, &path, None, Target::AtLeast(0.6))?;
        }
        for one in calculators::all() {
            let body = matches!(one.run, Run::Body).then_some(INVOICE);
            self.open_document(&server.origin, &address(one), body, Target::AtLeast(0.4))?;
        }
        server.stop()
    }

    fn open_document(
        &mut self,
        origin: &str,
        path: &str,
        body: Option<&str>,
        target: Target,
    ) -> anyhow::Result<()> {
        let request = Request { url: format!("{origin}{path}"), body };
        let answer = match body {
            None => ureq::get(&request.url).call(),
            Some(body) => {
                ureq::post(&request.url).header("content-type", "application/json").send(body)
            }
        };
        let answer = answer.with_context(|| path.to_owned())?.body_mut().read_to_vec()?;
        let seconds = if self.options.quick { 1 } else { 3 };
        let what = format!("{}, {} bytes", path.split('?').next().unwrap_or(path), answer.len());
        self.beside_bare(what, (path, body), &answer, seconds, target, |wrk| {
            wrk.ask(&request, 64, seconds)
        })
    }
}

/// URL of a calculator with its example.
fn address(calculator: &Calculator) -> String {
    let path = format!("/open-data/calculators/{}.json", calculator.id);
    let pairs: Vec<String> = calculator
        .example()
        .iter()
        .map(|(name, text)| format!("{name}={}", text.replace(' ', "+")))
        .collect();
    if matches!(calculator.run, Run::Body) { path } else { format!("{path}?{}", pairs.join("&")) }
}
