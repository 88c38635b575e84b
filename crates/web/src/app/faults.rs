//! The faults that `service` finds, in the visitor's language and at the fields of a form.

use crate::app::{
    form::Form,
    texts::{Phrase, Texts},
};
use service::{Error, Fault};

impl Form {
    /// Notes what `service` found wrong; gives back what is no fault of the form.
    pub(crate) fn take(&mut self, error: Error, texts: Texts) -> Result<(), Error> {
        match error {
            Error::Invalid(faults) => {
                for fault in &faults {
                    let (field, message) = told(fault, texts);
                    self.refuse(field, message);
                }
                Ok(())
            }
            other => Err(other),
        }
    }

    /// Notes what is wrong with a chosen password, which the form calls `field`.
    pub(crate) fn take_password(&mut self, fault: &Fault, field: &'static str, texts: Texts) {
        self.refuse(field, password(fault, texts));
    }
}

fn password(fault: &Fault, texts: Texts) -> Phrase<'static> {
    match fault.code {
        "too_common" => texts.t("fault-password-common"),
        _ => texts.t("fault-password-length"),
    }
}

/// The field and what to do about it.
fn told(fault: &Fault, texts: Texts) -> (&'static str, Phrase<'static>) {
    match (fault.pointer.trim_start_matches('/'), fault.code) {
        ("email", "unknown_value") => ("email", texts.t("fault-email-same")),
        ("email", _) => ("email", texts.t("fault-email")),
        ("name", _) => ("name", texts.t("fault-name")),
        ("password", _) => ("password", password(fault, texts)),
        ("street", _) => ("street", texts.t("fault-line")),
        ("city", _) => ("city", texts.t("fault-line")),
        ("postal_code", _) => ("postal_code", texts.t("fault-postal-code")),
        ("country", "unknown_value") => ("country", texts.t("fault-choice")),
        ("country", _) => ("country", texts.t("fault-country")),
        ("kvk_number", _) => ("kvk_number", texts.t("fault-kvk-number")),
        ("vat_number", _) => ("vat_number", texts.t("fault-vat-number")),
        ("iban", _) => ("iban", texts.t("fault-iban")),
        ("payment_term_days", _) => ("payment_term_days", texts.t("fault-payment-term")),
        ("number_pattern", _) => ("number_pattern", texts.t("fault-number-pattern")),
        ("language", _) => ("language", texts.t("fault-choice")),
        // About no field that a form of ours has.
        _ => ("", texts.t("failure-refused-text")),
    }
}
