//! The open data: every data set and every calculator beside a handler of the same web framework that answers the same bytes.

use super::{Bare, Bench, Target, load::Request};
use anyhow::{Context, bail};
use tax::{
    calculator::{self, Calculator, Run},
    dataset,
};

/// A day's work, as the calculator `invoice` takes it.
const INVOICE: &str = r#"{"invoiceDate":"2026-03-02","customer":{"country":"NL"},"items":[{"description":"Design","quantity":8.5,"unitPrice":95.5,"vatRate":21},{"description":"Guide","unitPrice":12.35,"vatRate":9}]}"#;
/// How often each is measured, in turns with what it is compared with.
const TURNS: usize = 3;

impl Bench {
    pub(super) fn open_data(&mut self) -> anyhow::Result<()> {
        let program = self.program("open-data");
        let server = program.serve(&self.log())?;
        for set in dataset::all() {
            let path = format!("/open-data/{}.json", set.id);
            self.beside_bare(&server.origin, &path, None, Target::AtLeast(0.6))?;
        }
        for one in calculator::all() {
            let body = matches!(one.run, Run::Body).then_some(INVOICE);
            self.beside_bare(&server.origin, &address(one), body, Target::AtLeast(0.4))?;
        }
        server.stop()
    }

    fn beside_bare(&mut self, origin: &str, path: &str, body: Option<&str>, target: Target) -> anyhow::Result<()> {
        let request = Request { url: format!("{origin}{path}"), body };
        let answer = match body {
            None => ureq::get(&request.url).call(),
            Some(body) => ureq::post(&request.url).header("content-type", "application/json").send(body),
        };
        let answer = answer.with_context(|| path.to_owned())?.body_mut().read_to_vec()?;
        let bare = Bare::serve(&answer, self.folder.path())?;
        let fixed = Request { url: format!("{}{path}", bare.origin), body };
        let seconds = if self.options.quick { 1 } else { 3 };
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        for _ in 0..TURNS {
            ours.push(self.wrk.ask(&request, 64, seconds)?.per_second());
            theirs.push(self.wrk.ask(&fixed, 64, seconds)?.per_second());
        }
        ours.sort_by(f64::total_cmp);
        theirs.sort_by(f64::total_cmp);
        let (Some(ours), Some(theirs)) = (ours.get(TURNS / 2), theirs.get(TURNS / 2)) else { bail!("nothing was measured") };
        let what = path.split('?').next().unwrap_or(path);
        self.compare(format!("{what}, {} bytes", answer.len()), *ours, "/s", ("bare axum, same bytes", *theirs), target);
        Ok(())
    }
}

/// The address of a calculator with its example.
fn address(calculator: &Calculator) -> String {
    let path = format!("/open-data/calculators/{}.json", calculator.id);
    let pairs: Vec<String> =
        calculator.example().iter().map(|(name, text)| format!("{name}={}", text.replace(' ', "+"))).collect();
    if matches!(calculator.run, Run::Body) { path } else { format!("{path}?{}", pairs.join("&")) }
}
