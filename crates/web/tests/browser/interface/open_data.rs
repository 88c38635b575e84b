//! The open data: everybody reads it, and works something out.

use crate::{BOTH, Visit};
use browser_testing::BrowserOptions;

#[test]
fn everybody_can_use_the_open_data() {
    let mut visit = Visit::start(BrowserOptions::default());
    for (path, name) in [
        ("/open-data", "open-data"),
        ("/open-data/vat-rates", "open-data-rates"),
        ("/open-data/calculators/income-tax", "open-data-income-tax"),
        ("/open-data/calculators/invoice", "open-data-invoice"),
    ] {
        visit.everybody_can_use(path, name);
    }
}

#[test]
fn somebody_works_out_a_tax_without_an_account() {
    for options in BOTH {
        let mut visit = Visit::start(options);
        let (calculator, button, tax) = match options.language {
            "nl" => ("Inkomstenbelasting voor zzp’ers", "Bereken", "7.607,83"),
            _ => ("Income tax for the self-employed", "Calculate", "7,607.83"),
        };
        visit.goto("/open-data");
        visit.press(calculator);
        visit.press(button);
        visit.see(tax);
        // With its picture and its steps.
        visit.looks_good("open-data-worked-out");
    }
}
