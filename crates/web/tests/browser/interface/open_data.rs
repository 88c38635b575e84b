//! Open data: public pages and calculators.

use crate::{BOTH, Visit};
use browser_testing::BrowserOptions;

#[test]
fn the_open_data_pages_are_accessible() {
    let mut visit = Visit::start(BrowserOptions::default());
    for (path, name) in [
        ("/open-data", "open-data"),
        ("/open-data/vat-rates", "open-data-rates"),
        ("/open-data/calculators/income-tax", "open-data-income-tax"),
        ("/open-data/calculators/invoice", "open-data-invoice"),
    ] {
        visit.assert_page_accessible(path, name);
    }
}

#[test]
fn a_tax_is_calculated_without_an_account() {
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
        // The page now also has the chart and the steps of the calculation.
        visit.assert_accessible_at_each_width("open-data-worked-out");
    }
}
