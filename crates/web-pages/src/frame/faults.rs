//! Faults in the visitor's language, shown on the fields of a form.

use crate::{form::Form, texts::Texts};
use service::{BankError, Error, Fault, Figure, InvoiceError, PeriodError, VatError};
use web_core::{
    input::{self, Fields, Parsed},
    refusals,
};

impl Form {
    /// Parses the command from the fields; if that fails, adds the faults to their fields.
    pub fn command<C>(
        &mut self,
        texts: Texts,
        take: impl FnOnce(&mut Fields<'_, '_>) -> Parsed<C>,
    ) -> Option<C> {
        let parsed = input::form(self.pairs(), texts.language, take);
        self.take_faults(&parsed.faults, texts);
        parsed.command
    }

    /// Adds the faults of an error from `service`; returns the error if it does not concern the
    /// form.
    pub fn take(&mut self, error: Error, texts: Texts) -> Result<(), Error> {
        match error {
            Error::Invalid(faults) => {
                self.take_faults(&faults, texts);
                Ok(())
            }
            other => match refusal(texts, &other) {
                Some(text) => {
                    if matches!(other, Error::Period(PeriodError::Filed(_))) {
                        self.offer_correction();
                    }
                    self.blame_books();
                    self.refuse("", text);
                    Ok(())
                }
                None => Err(other),
            },
        }
    }

    /// Adds faults to their fields, at most one per field.
    pub fn take_faults(&mut self, faults: &[Fault], texts: Texts) {
        for fault in faults {
            let field = fault.field();
            if self.fault(&field).is_none() {
                let text = text(texts, fault, self.value(&field));
                self.refuse(&field, text);
            }
        }
    }

    /// Adds a fault to the form's field `field`.
    pub fn take_at(&mut self, field: &str, fault: &Fault, texts: Texts) {
        let text = text(texts, fault, self.value(field));
        self.refuse(field, text);
    }
}

/// Text of an error that concerns no single field. `None` if the error cannot be corrected in a
/// form: another page reports it, or the handler deals with it.
fn refusal(texts: Texts, error: &Error) -> Option<String> {
    let phrase = texts.t(refusals::explanation(error).page_text?);
    Some(match error {
        Error::Period(
            PeriodError::Filed(period)
            | PeriodError::SettingFiled(period)
            | PeriodError::FiledAlready(period)
            | PeriodError::ListFiledAlready(period)
            | PeriodError::OssFiled(period),
        )
        | Error::Vat(VatError::TooOldForOss(period)) => {
            phrase.with("period", &texts.vat_period(period)).into()
        }
        Error::Period(PeriodError::OtherPeriod { first, last }) => {
            let several = if first == last { "no" } else { "yes" };
            phrase
                .with("first", &texts.vat_period(first))
                .with("last", &texts.vat_period(last))
                .with("several", &several)
                .into()
        }
        Error::Period(PeriodError::CorrectionTooLarge { period, vat }) => {
            phrase.with("period", &texts.vat_period(period)).with("vat", &texts.money(*vat)).into()
        }
        Error::Period(
            PeriodError::YearClosed(year)
            | PeriodError::YearNotClosed(year)
            | PeriodError::YearNotOver(year),
        )
        | Error::Vat(VatError::NothingToRevise(year)) => {
            phrase.with("year", &year.to_string()).into()
        }
        Error::Vat(VatError::OssNotRegistered(day)) => phrase.with("day", &texts.date(*day)).into(),
        Error::Vat(VatError::KorHasTaxedInvoices(ids)) => {
            phrase.with("invoices", &listed(ids)).into()
        }
        Error::Vat(VatError::KorHasTaxedSales(ids)) => phrase.with("assets", &listed(ids)).into(),
        Error::Vat(VatError::KorHasTaxedPrivateUse(ids)) => {
            phrase.with("bookings", &listed(ids)).into()
        }
        Error::Invoice(
            InvoiceError::TooManyMails { most } | InvoiceError::TooManyActive { most },
        ) => phrase.with("most", most).into(),
        Error::Bank(BankError::TooManyStatements { most }) => phrase.with("most", most).into(),
        Error::Invoice(InvoiceError::RemindedRecently { next }) => {
            phrase.with("day", &texts.date(*next)).into()
        }
        Error::Invoice(InvoiceError::RemindersStopped { until: Some(until) }) => {
            phrase.with("day", &texts.date(*until)).into()
        }
        _ => phrase.into(),
    })
}

fn listed(ids: &[i64]) -> String {
    ids.iter().map(i64::to_string).collect::<Vec<_>>().join(", ")
}

/// Argument of a translated text.
enum Argument {
    Count(i64),
    Text(String),
}

/// Instruction for correcting a field with the input `value`. Uses the text specific to this field
/// if there is one, otherwise the general text of the reason.
pub fn text(texts: Texts, fault: &Fault, value: &str) -> String {
    let general = format!("fault-{}", kebab(fault.reason.name()));
    let parts: Vec<String> =
        fault.field().split('.').filter(|part| part.parse::<u32>().is_err()).map(kebab).collect();
    let special = format!("{general}-at-{}", parts.join("-"));
    let id = if texts.knows(&special) { special } else { general };
    let mut arguments: Vec<(&str, Argument)> = fault
        .reason
        .figures()
        .into_iter()
        .map(|(name, figure)| (name, argument(texts, figure)))
        .collect();
    arguments.push(("value", Argument::Text(value.to_owned())));
    let phrase = arguments.iter().fold(texts.t(&id), |phrase, (name, argument)| match argument {
        Argument::Count(count) => phrase.with(name, count),
        Argument::Text(text) => phrase.with(name, text),
    });
    phrase.into()
}

fn argument(texts: Texts, figure: Figure) -> Argument {
    Argument::Text(match figure {
        Figure::Count(count) => return Argument::Count(count),
        Figure::Money(amount) => texts.money(amount),
        Figure::Number(number) => texts.number(number),
        Figure::Day(day) => texts.date(day),
        Figure::Text(text) => text,
        Figure::Texts(several) => several.join(", "),
        Figure::Percents(rates) => {
            rates.into_iter().map(|rate| texts.percent(rate)).collect::<Vec<_>>().join(", ")
        }
    })
}

/// Converts a name to kebab case for the id of a text: `ExceedsOutstanding` becomes
/// `exceeds-outstanding`, and `paymentTermDays` becomes `payment-term-days`.
fn kebab(name: &str) -> String {
    let mut kebab = String::with_capacity(name.len() + 4);
    for letter in name.chars() {
        if letter.is_ascii_uppercase() && !kebab.is_empty() {
            kebab.push('-');
        }
        kebab.push(letter.to_ascii_lowercase());
    }
    kebab
}

#[cfg(test)]
mod tests {
    use super::*;
    use i18n::Language;
    use service::{Reason, oauth::redirect::UriFault};
    use std::collections::BTreeSet;
    use web_core::input::english::examples::errors;

    const BOTH: [(Language, &str); 2] = [
        (Language::Dutch, include_str!("../../../i18n/locales/faults.nl.ftl")),
        (Language::English, include_str!("../../../i18n/locales/faults.en.ftl")),
    ];

    /// Ids of the fault texts in a file.
    fn ids(file: &str) -> BTreeSet<&str> {
        file.lines()
            .filter_map(|line| line.split_once(" = "))
            .map(|(id, _)| id)
            .filter(|id| id.starts_with("fault-"))
            .collect()
    }

    #[test]
    fn every_reason_has_a_text_with_its_figures_in_both_languages() {
        for (language, file) in BOTH {
            let texts = Texts { language };
            for reason in Reason::examples() {
                let id = format!("fault-{}", kebab(reason.name()));
                assert!(ids(file).contains(id.as_str()), "{id} is missing for {language:?}");
                // A debug assertion fails if the text uses an argument that the reason lacks.
                let text = text(texts, &Fault::new("/some/0/field", reason.clone()), "typed");
                assert!(!text.contains(['{', '$']) || id.contains("pattern"), "{text}");
                let english = web_core::input::message(&Fault::new("/field", reason.clone()));
                assert_ne!(english, reason.name(), "the API has no words for {}", reason.name());
            }
        }
    }

    #[test]
    fn every_refusal_has_a_text_with_its_values_in_both_languages() {
        let said = |language| -> Vec<Option<String>> {
            errors().iter().map(|error| refusal(Texts { language }, error)).collect()
        };
        let (dutch, english) = (said(Language::Dutch), said(Language::English));
        for (error, (dutch, english)) in errors().iter().zip(dutch.iter().zip(&english)) {
            // A debug assertion fails if a text is missing or uses an argument that the error
            // lacks.
            assert!(dutch.is_none() || dutch != english, "{error}: {dutch:?}");
            assert_eq!(dutch.is_some(), english.is_some(), "{error}");
            for text in [dutch, english].into_iter().flatten() {
                assert!(text.ends_with('.') && !text.contains(['{', '$']), "{error}: {text}");
                assert!(
                    !matches!(error, Error::Period(PeriodError::YearClosed(year)) if !text.contains(&year.to_string())),
                    "{error}: {text}"
                );
            }
        }
        assert_eq!(dutch.iter().flatten().count(), 73);
    }

    #[test]
    fn every_fault_of_a_redirect_uri_has_a_text_of_its_own_in_both_languages() {
        for (language, file) in BOTH {
            let said: BTreeSet<String> = UriFault::ALL
                .into_iter()
                .map(|why| {
                    assert!(
                        file.contains(&format!("[{}]", why.code())),
                        "{} is missing for {language:?}",
                        why.code()
                    );
                    let reason = Reason::RedirectUri { uri: "https://a.example".into(), why };
                    text(Texts { language }, &Fault::new("/redirectUris", reason), "")
                })
                .collect();
            assert_eq!(said.len(), UriFault::ALL.len(), "{said:?}");
        }
    }

    #[test]
    fn no_text_is_there_for_nothing() {
        let names: BTreeSet<String> = Reason::examples()
            .iter()
            .map(|reason| format!("fault-{}", kebab(reason.name())))
            .collect();
        for (_, file) in BOTH {
            for id in ids(file) {
                let general = id.split_once("-at-").map_or(id, |(general, _)| general);
                assert!(names.contains(general), "{id} is of no reason");
            }
        }
    }

    #[test]
    fn a_text_names_the_figures_in_the_language_of_the_page() {
        let (asked, remaining) =
            (ledger::money::Cents::new(210_000), ledger::money::Cents::new(198_703));
        let fault = Fault::new("/amount", Reason::ExceedsOutstanding { asked, remaining });
        let dutch = text(Texts { language: Language::Dutch }, &fault, "2100");
        assert!(dutch.contains("€\u{a0}1.987,03") && dutch.contains("€\u{a0}2.100,00"), "{dutch}");
        let english = text(Texts { language: Language::English }, &fault, "2100");
        assert!(english.contains("€1,987.03") && english.contains("€2,100.00"), "{english}");
        let fault = Fault::new("/items/3/quantity", Reason::NotANumber);
        assert!(
            text(Texts { language: Language::Dutch }, &fault, "twaalf")
                .starts_with("“twaalf” is geen getal")
        );
        assert_eq!(fault.field(), "items.3.quantity");
    }
}
