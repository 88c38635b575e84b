//! VAT rate of expense lines that nobody touched: the usual one of their category.
//!
//! Such a line has two hidden fields: `vatProposed`, which a script empties once the rate is chosen,
//! and `vatProposal`, the rate that was shown. A line with another rate was touched, and so was one
//! with another VAT treatment or with the VAT printed on the document. The script changes the rate
//! together with the category. Without it the server does, and shows the form again before anything
//! is booked, so that no booking deducts VAT that the form did not show.

use crate::{form::Form, page::Authenticated};
use jiff::civil::Date;
use ledger::{
    chart::AccountCode,
    decimal::{self, plain},
    purchase::{self, USUALLY_WITHOUT_VAT},
    vat::VatRate,
};

/// Hidden fields of a line, which no command reads.
const OWN_FIELDS: [&str; 2] = ["vatProposed", "vatProposal"];
/// Field of a form that is shown again: whether the line got another rate than it had.
const ADAPTED: &str = "vatAdapted";

/// Form whose untouched lines have the usual rates.
pub(crate) struct Filled {
    pub(crate) form: Form,
    /// Names of the rates that differ from those that were shown.
    adapted: Vec<String>,
}

impl Filled {
    /// Returns the form to process, and whether it has the rates that were shown. Otherwise it has a
    /// fault at each rate that was adapted.
    pub(crate) fn checked(self, page: &Authenticated) -> (Form, bool) {
        let is_as_shown = self.adapted.is_empty();
        let refuse = |form: Form, name: &String| {
            let rate = rate_in_words(page, &form, name);
            form.refused(name, page.t("expense-rate-adapted-check").with("rate", &rate).to_string())
        };
        (self.adapted.iter().fold(self.form, refuse), is_as_shown)
    }

    /// Returns the form to show again, with a hint at each rate that was adapted.
    pub(crate) fn marked(self) -> Form {
        let mark = |form: Form, name: &String| form.with(&mark_name(name), "true");
        self.adapted.iter().fold(self.form, mark)
    }
}

/// Name of the field for the hint at a rate.
fn mark_name(rate: &str) -> String {
    let line = rate.strip_suffix("vatRate").unwrap_or(rate);
    format!("{line}{ADAPTED}")
}

fn rate_in_words(page: &Authenticated, form: &Form, name: &str) -> String {
    let rate = decimal::parse(form.value(name)).unwrap_or_default();
    page.texts.percent(rate)
}

/// Returns the usual rate of a category as a form has it. `category` is the submitted code.
fn usual(category: &str, on: Date) -> String {
    let code = AccountCode::parse(category);
    // An account that the owner added is no exception.
    let rate = code.map_or_else(|| VatRate::high_on(on), |of| purchase::usual_rate(of, on));
    plain(&rate.percent())
}

/// Whether a line has the usual rate of its category, or none yet. `line` is the beginning of the
/// names of its fields, such as `items.0`.
pub(crate) fn is_usual(form: &Form, line: &str, on: Date) -> bool {
    let rate = form.value(&format!("{line}.vatRate"));
    rate.is_empty() || rate == usual(form.value(&format!("{line}.category")), on)
}

/// Whether the rate of a line is the one that was proposed, or has yet to be.
fn is_untouched(form: &Form, line: &str) -> bool {
    let value = |name: &str| form.value(&format!("{line}.{name}"));
    form.has(&format!("{line}.vatProposed"), "true")
        && ["", "normal"].contains(&value("vatTreatment"))
        && value("vat").is_empty()
        && ["", value("vatRate")].contains(&value("vatProposal"))
}

/// Gives untouched lines the usual rate of their category. Each line has the beginning of the names
/// of its fields and its date.
pub(crate) fn fill(form: &Form, lines: impl IntoIterator<Item = (String, Date)>) -> Filled {
    let mut filled = Filled { form: form.clone(), adapted: Vec::new() };
    for (line, on) in lines.into_iter().filter(|(line, _)| is_untouched(form, line)) {
        let field = |name: &str| format!("{line}.{name}");
        let (name, category) = (field("vatRate"), form.value(&field("category")));
        let shown = form.value(&name);
        // A line without a category keeps its rate: it may be blank.
        let rate = match (category, shown) {
            ("", shown) if !shown.is_empty() => shown.to_owned(),
            _ => usual(category, on),
        };
        let is_adapted = !shown.is_empty() && shown != rate;
        filled.form =
            filled.form.with(&name, rate.as_str()).with(&field("vatProposal"), rate.as_str());
        if is_adapted {
            filled.adapted.push(name);
        }
    }
    filled
}

/// Fields of a form as its reader takes them.
pub(crate) fn as_read(form: &Form) -> impl Iterator<Item = (&str, &str)> {
    let is_own = |name: &str| {
        let last = name.rsplit('.').next().unwrap_or(name);
        OWN_FIELDS.contains(&last) || last == ADAPTED
    };
    form.pairs().filter(move |(name, _)| !is_own(name))
}

impl Authenticated {
    /// Codes of the categories without VAT, separated by blanks, for the script.
    #[expect(clippy::unused_self, reason = "a template reaches it by its page")]
    pub(crate) fn categories_without_vat(&self) -> String {
        USUALLY_WITHOUT_VAT.map(|code| code.to_string()).join(" ")
    }

    /// Note at a rate of a form that was adapted to the category; `None` if it was not.
    pub(crate) fn adapted_rate(&self, form: &Form, name: &str) -> Option<String> {
        form.has(&mark_name(name), "true").then(|| {
            let rate = rate_in_words(self, form, name);
            self.t("expense-rate-adapted").with("rate", &rate).to_string()
        })
    }
}
