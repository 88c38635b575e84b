//! `/settings/vat`: the VAT scheme, VAT periods, the method of declaring VAT, defaults for sales,
//! the hours criterion, and the first invoice number of the year.

use crate::{
    form::Form,
    labels,
    page::{Authenticated, see_other},
    submit::{Difference, SUBMISSION, VERSION},
    texts::{Phrase, Texts},
};
use askama::Template;
use axum::{http::StatusCode, response::Response};
use ledger::{cash_accounting::VatMethod, vat::VatScheme, vat_period::VatUnit};
use service::{
    Context, Error, Fault, Reason,
    scheme_changes::{self, ChangeScheme},
    tax_settings::{self, TaxSettings, UpdateTaxSettings},
    vat_accounting::{self, ChangeMethod, MethodDetails},
    vat_units::{self, ChangeUnit},
};
use store::Tx;
use web_core::{
    input::{
        self, Parsed, Presence, change_method, change_scheme, change_unit, update_tax_settings,
    },
    problem::Problem,
};

#[derive(Template)]
#[template(path = "settings/vat.html")]
struct View<'a> {
    page: &'a Authenticated,
    form: &'a Form,
    settings: TaxSettings,
    /// Edit conflicts: the submitted and the stored value of each field that differs.
    differences: Vec<Difference>,
}

impl View<'_> {
    fn scheme(&self, scheme: &VatScheme) -> Phrase<'static> {
        match scheme {
            VatScheme::Normal => self.page.texts.t("vat-scheme-normal"),
            VatScheme::Kor => self.page.texts.t("vat-scheme-kor"),
        }
    }

    fn unit(&self, unit: &VatUnit) -> Phrase<'static> {
        match unit {
            VatUnit::Month => self.page.texts.t("vat-unit-month"),
            VatUnit::Quarter => self.page.texts.t("vat-unit-quarter"),
            VatUnit::Year => self.page.texts.t("vat-unit-year"),
        }
    }

    fn method(&self, method: &VatMethod) -> Phrase<'static> {
        match method {
            VatMethod::Invoice => self.page.texts.t("vat-accounting-invoice"),
            VatMethod::Cash => self.page.texts.t("vat-accounting-cash"),
        }
    }

    fn accounting_reasons(&self) -> [(&'static str, Phrase<'static>); 4] {
        let texts = self.page.texts;
        [
            ("", texts.t("vat-accounting-ground-none")),
            ("listedTrade", texts.t("vat-accounting-ground-listed")),
            ("establishment", texts.t("vat-accounting-ground-establishment")),
            ("designated", texts.t("vat-accounting-ground-designated")),
        ]
    }

    /// Whether the ground of the last change to cash accounting does not fit the sales.
    fn is_doubtful(&self) -> bool {
        self.settings.method_changes.last().is_some_and(MethodDetails::is_doubtful)
    }

    fn reasons(&self) -> [(&'static str, Phrase<'static>); 2] {
        let texts = self.page.texts;
        [("choice", texts.t("vat-scheme-choice")), ("limit", texts.t("vat-scheme-limit"))]
    }

    fn supplies(&self) -> [(&'static str, Phrase<'static>); 2] {
        supplies(self.page.texts)
    }

    fn zero_meanings(&self) -> [(&'static str, Phrase<'static>); 3] {
        zero_meanings(self.page.texts)
    }

    fn majorities(&self) -> [(&'static str, Phrase<'static>); 3] {
        majorities(self.page.texts)
    }

    fn next_number(&self) -> String {
        self.page.t("vat-next-number").with("year", &self.settings.year.to_string()).into()
    }
}

/// Choices for the usual supply.
fn supplies(texts: Texts) -> [(&'static str, Phrase<'static>); 2] {
    [("services", texts.t("vat-supply-services")), ("goods", texts.t("vat-supply-goods"))]
}

/// Choices for the default meaning of 0%.
fn zero_meanings(texts: Texts) -> [(&'static str, Phrase<'static>); 3] {
    [
        ("zero", texts.t("vat-zero-zero")),
        ("exempt", texts.t("vat-zero-exempt")),
        ("reverseCharge", texts.t("vat-zero-reverse-charge")),
    ]
}

/// Choices for whether most of the working time goes into the business.
fn majorities(texts: Texts) -> [(&'static str, Phrase<'static>); 3] {
    [
        ("", texts.t("vat-majority-unsaid")),
        ("true", texts.t("vat-majority-yes")),
        ("false", texts.t("vat-majority-no")),
    ]
}

/// Choices for the VAT scheme.
fn schemes(texts: Texts) -> [(&'static str, Phrase<'static>); 2] {
    [("normal", texts.t("vat-scheme-normal")), ("kor", texts.t("vat-scheme-kor"))]
}

/// Edit conflicts with the stored settings, with values as displayed.
fn differences(page: &Authenticated, form: &Form, now: &Form) -> Vec<Difference> {
    let texts = page.texts;
    let said = |field: &str, value: &str| {
        let named = |choices: &[(&str, Phrase<'static>)]| {
            choices.iter().find(|(choice, _)| *choice == value).map(|(_, name)| name.to_string())
        };
        let found = match field {
            "scheme" => named(&schemes(texts)),
            "supply" => named(&supplies(texts)),
            "zeroMeans" => named(&zero_meanings(texts)),
            "majorityOfTime" => named(&majorities(texts)),
            "starter" => named(&[
                ("true", texts.t("invoice-changed-yes")),
                ("", texts.t("invoice-changed-no")),
            ]),
            "from" => i18n::read_date(value).ok().map(|day| texts.date(day)),
            _ => None,
        };
        found.unwrap_or_else(|| value.to_owned())
    };
    let found: Vec<(&str, String, String)> = form
        .differences(now)
        .into_iter()
        .map(|(field, mine, stored)| (field, said(field, mine), said(field, stored)))
        .collect();
    // The start date is entered only when the scheme changes, so an empty one is omitted unless it
    // is the only difference.
    let is_telling =
        |field: &str, mine: &str| field != "from" || !mine.is_empty() || found.len() == 1;
    let found = found.iter().filter(|(field, mine, _)| is_telling(field, mine));
    page.labelled(
        found.map(|(field, mine, stored)| (*field, mine.as_str(), stored.as_str())).collect(),
        labels::TAX_SETTINGS,
    )
}

/// Form filled from the settings, with the start date of the last change of scheme.
fn fill(settings: &TaxSettings) -> Form {
    let says = &settings.says;
    let form = Form::of([
        ("scheme", settings.scheme.as_str().to_owned()),
        ("supply", says.sales.supply.as_str().to_owned()),
        ("zeroMeans", says.sales.zero_means.as_str().to_owned()),
        ("majorityOfTime", says.majority_of_time.map(|said| said.to_string()).unwrap_or_default()),
        ("from", settings.changes.last().map(|change| change.from.to_string()).unwrap_or_default()),
    ]);
    let form = if says.starter { form.with("starter", "true") } else { form };
    if settings.has_choice_of_number {
        form.with("nextNumber", settings.next_number.to_string())
    } else {
        form
    }
}

/// Adds the stored values of the page's main form to one of its other forms, which was rejected, so
/// that the main form can be sent next without a loss.
fn with_the_others(form: Form, settings: &TaxSettings) -> Form {
    // Only the main form has the usual supply.
    if !form.raw("supply").is_empty() {
        return form;
    }
    let stored = fill(settings);
    let version = stored.version();
    let missing = stored.pairs().filter(|(name, _)| *name != "from" && form.raw(name).is_empty());
    let missing: Vec<(String, String)> =
        missing.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    let form = missing.into_iter().fold(form, |form, (name, value)| form.with(&name, value));
    form.with(VERSION, version)
}

async fn show_with(
    page: &Authenticated,
    form: Option<Form>,
    differences: Vec<Difference>,
    status: StatusCode,
) -> Result<Response, Problem> {
    let cx = page.context();
    let settings =
        page.app.query(page.who.account.id, move |tx| tax_settings::read(tx, &cx)).await?;
    let form = match form {
        Some(form) => with_the_others(form, &settings),
        None => {
            let filled = fill(&settings);
            let version = filled.version();
            filled.with("from", "").with(VERSION, version).with(SUBMISSION, page.new_submission()?)
        }
    };
    let form = if form.raw("vatPeriod.unit").is_empty() {
        form.with("vatPeriod.unit", settings.unit.as_str())
    } else {
        form
    };
    let form = if form.raw("accounting.method").is_empty() {
        form.with("accounting.method", settings.method.as_str())
    } else {
        form
    };
    page.show_as(status, &View { page, form: &form, settings, differences })
}

/// `GET /settings/vat`
pub(super) async fn show(page: Authenticated) -> Result<Response, Problem> {
    show_with(&page, None, Vec::new(), StatusCode::OK).await
}

/// Changes the length of VAT periods: month, quarter or year.
async fn send_unit(page: Authenticated, form: Form) -> Result<Response, Problem> {
    let pairs = form.pairs().filter(|(name, _)| *name != "action");
    let parsed = input::form(pairs, page.texts.language, |fields| {
        let meaning = "Unit of VAT periods and its first day.";
        let unit = fields.object("vatPeriod", meaning, Presence::Required, change_unit);
        unit.unwrap_or_else(|| Parsed::new(None, None))
    });
    let run = |tx: &mut Tx<'_>, cx: &Context, command: &ChangeUnit| {
        vat_units::change(tx, cx, command).map_err(|error| below("/vatPeriod", error))?;
        Ok("/settings/vat?done=saved".to_owned())
    };
    page.carry_out(form, parsed, run, async |form, status| {
        show_with(&page, Some(form), Vec::new(), status).await
    })
    .await
}

/// Changes the method of declaring VAT on sales. The fields have the names of the API, or the
/// prefix of this page's form.
async fn send_method(page: Authenticated, form: Form) -> Result<Response, Problem> {
    const FIELDS: [&str; 4] = ["method", "from", "ground", "designatedOn"];
    let has_prefix = form.pairs().any(|(name, _)| name.starts_with("accounting."));
    let named = form.pairs().filter_map(|(name, value)| {
        let field = name.strip_prefix("accounting.").or((!has_prefix).then_some(name))?;
        FIELDS.contains(&field).then(|| (format!("accounting.{field}"), value.to_owned()))
    });
    let named: Vec<(String, String)> = named.collect();
    let pairs = named.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    let parsed = input::form(pairs, page.texts.language, |fields| {
        let meaning = "Method of declaring VAT and its first day.";
        let method = fields.object("accounting", meaning, Presence::Required, change_method);
        method.unwrap_or_else(|| Parsed::new(None, None))
    });
    let run = |tx: &mut Tx<'_>, cx: &Context, command: &ChangeMethod| {
        vat_accounting::change(tx, cx, command).map_err(|error| below("/accounting", error))?;
        Ok("/settings/vat?done=saved".to_owned())
    };
    page.carry_out(form, parsed, run, async |form, status| {
        show_with(&page, Some(form), Vec::new(), status).await
    })
    .await
}

/// Prefixes the paths of an error's faults, where the form has these fields.
fn below(object: &str, error: Error) -> Error {
    match error {
        Error::Invalid(faults) => {
            let moved = faults
                .into_iter()
                .map(|fault| Fault { path: format!("{object}{}", fault.path), ..fault });
            Error::Invalid(moved.collect())
        }
        other => other,
    }
}

/// Changes the VAT scheme.
async fn send_scheme(page: Authenticated, form: Form) -> Result<Response, Problem> {
    const FIELDS: [&str; 4] = ["scheme", "from", "because", "notifiedOn"];
    let pairs = form.pairs().filter(|(name, _)| FIELDS.contains(name));
    let parsed = input::form(pairs, page.texts.language, change_scheme);
    let run = |tx: &mut Tx<'_>, cx: &Context, command: &ChangeScheme| {
        scheme_changes::change(tx, cx, command)?;
        Ok("/settings/vat?done=saved".to_owned())
    };
    page.carry_out(form, parsed, run, async |form, status| {
        show_with(&page, Some(form), Vec::new(), status).await
    })
    .await
}

/// `POST /settings/vat`
pub(super) async fn send(page: Authenticated, form: Form) -> Result<Response, Problem> {
    if form.has("action", "period") {
        return send_unit(page, form).await;
    }
    if form.has("action", "accounting") {
        return send_method(page, form).await;
    }
    if form.has("action", "scheme") {
        return send_scheme(page, form).await;
    }
    if !form.raw("action").is_empty() {
        let mut form = form;
        let reason = Reason::UnknownValue { known: vec!["scheme", "period", "accounting"] };
        form.take_faults(&[Fault::new("/action", reason)], page.texts);
        return show_with(&page, Some(form), Vec::new(), StatusCode::UNPROCESSABLE_ENTITY).await;
    }
    let cx = page.context();
    let pairs = form.pairs().filter(|(name, _)| !["because", "notifiedOn"].contains(name));
    let parsed = input::form(pairs, page.texts.language, update_tax_settings);
    let (version, scheme) = (form.raw(VERSION).to_owned(), form.value("scheme").to_owned());
    let run = move |tx: &mut Tx<'_>, cx: &Context, command: &UpdateTaxSettings| {
        let there = tax_settings::read(tx, cx)?;
        if !version.is_empty() && fill(&there).version() != version {
            return Err(Error::Changed);
        }
        // A change of scheme requires a start date.
        if command.scheme.is_none() && !scheme.is_empty() && scheme != there.scheme.as_str() {
            return Err(Fault::new("/from", Reason::DateRequired).into());
        }
        tax_settings::update(tx, cx, command)?;
        Ok("/settings/vat?done=saved".to_owned())
    };
    page.carry_out(form, parsed, run, async |form, status| {
        if !form.is_outdated() {
            return show_with(&page, Some(form), Vec::new(), status).await;
        }
        let now = fill(
            &page.app.query(page.who.account.id, move |tx| tax_settings::read(tx, &cx)).await?,
        );
        let form = form.with(VERSION, now.version());
        let differences = differences(&page, &form, &now);
        show_with(&page, Some(form), differences, status).await
    })
    .await
}

/// `GET /vat-scheme`: redirects to the tax settings.
pub(super) async fn of_scheme() -> Response {
    see_other("/settings/vat")
}
