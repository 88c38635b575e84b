//! Labels of form fields, for edit conflicts.

use crate::{
    csrf,
    form::{BOOKS, LANGUAGE, SUBMISSION, VERSION},
    texts::Texts,
};

/// Labels for the fields of a form.
///
/// By convention the id of a label's text consists of the area and the last part of the field's
/// name in kebab case: `field-postal-code` for `customer.address.postalCode`. A field whose text
/// does not exist has no label.
#[derive(Debug, Clone, Copy)]
pub struct Labels {
    area: &'static str,
    /// Fields whose labels do not follow the convention, with the ids of their texts.
    others: &'static [(&'static str, &'static str)],
}

/// Labels for contacts, and for the details of the account.
pub const PARTY: Labels =
    Labels { area: "field", others: &[("language", "field-customer-language")] };

/// Labels for invoices.
pub const INVOICE: Labels = Labels {
    area: "field",
    others: &[
        ("customer.contactId", "invoice-customer"),
        ("customer.language", "field-customer-language"),
        ("prepaymentInvoiceIds", "field-sets-off"),
        ("language", "field-document-language"),
        ("items.0.description", "line-description"),
        ("items.0.quantity", "line-quantity"),
        ("items.0.unit", "line-unit"),
        ("items.0.discountPercent", "line-discount-percent"),
        ("items.0.discountAmount", "line-discount-amount"),
        ("items.0.unitPrice", "line-price-short"),
        ("items.0.vatRate", "line-vat"),
        ("items.0.vatCategory", "line-category"),
        ("items.0.exemption", "line-exemption"),
        ("items.0.supply", "line-supply"),
        ("items.0.taxCountry", "line-tax-country"),
        ("items.0.account", "line-account"),
        ("total", "invoice-total"),
        ("every.unit", "field-every-unit"),
        ("every.count", "field-every-count"),
        ("count", "field-occurrence-count"),
    ],
};

/// Labels for articles.
pub const ARTICLE: Labels = Labels {
    area: "article",
    others: &[
        ("descriptions.nl", "article-description-nl"),
        ("descriptions.en", "article-description-en"),
    ],
};

/// Labels for expenses.
pub const EXPENSE: Labels = Labels {
    area: "expense",
    others: &[
        ("contactId", "expense-contact"),
        ("businessShare", "expense-share"),
        ("items.0.amount", "line-amount"),
        ("items.0.vatRate", "expense-rate"),
        ("items.0.vatTreatment", "expense-treatment"),
        ("receiptIds", "expense-receipt"),
    ],
};

/// Labels for bank accounts.
pub const BANK_ACCOUNT: Labels = Labels { area: "bank-account", others: &[] };

/// Labels for rules for bank lines.
pub const BANK_RULE: Labels = Labels {
    area: "bank-rule",
    others: &[
        ("when.bankAccountId", "bank-account"),
        ("when.iban", "bank-line-iban"),
        ("then.kind", "allocation-kind"),
        ("then.reason", "bank-ignore-reason"),
        ("then.items.0.category", "expense-category"),
        ("then.items.0.vatTreatment", "expense-treatment"),
        ("then.items.0.vatRate", "expense-rate"),
        ("then.items.0.includesVat", "expense-includes-vat"),
        ("then.supplier", "expense-supplier"),
        ("then.contactId", "expense-contact"),
        ("then.description", "expense-description"),
        ("then.businessShare", "expense-share"),
        ("then.privateKind", "private-kind"),
        ("then.premium", "private-premium-kind"),
        ("then.bankAccountId", "allocation-other-account"),
        ("then.loanId", "allocation-loan-id"),
        ("then.interest", "repayment-interest"),
        ("then.account", "entry-account"),
    ],
};

/// Labels for projects.
pub const PROJECT: Labels = Labels {
    area: "project",
    others: &[("contactId", "project-customer"), ("hourlyRate", "project-rate")],
};

/// Labels for hours on a project, and for other hours.
pub const HOURS: Labels =
    Labels { area: "hours", others: &[("projectId", "project"), ("category", "log-category")] };

/// Labels for the invoice settings.
pub const INVOICE_SETTINGS: Labels = Labels {
    area: "field",
    others: &[
        ("paymentTermDays", "field-payment-term"),
        ("accent", "look-accent"),
        ("window", "look-window"),
        ("opening.nl", "look-opening-nl"),
        ("opening.en", "look-opening-en"),
        ("closing.nl", "look-closing-nl"),
        ("closing.en", "look-closing-en"),
    ],
};

/// Labels for the settings of reminders.
pub const REMINDER_SETTINGS: Labels = Labels {
    area: "reminders",
    others: &[("business", "reminders-business"), ("consumer", "reminders-consumer")],
};

/// Labels for the tax settings.
pub const TAX_SETTINGS: Labels = Labels {
    area: "vat",
    others: &[
        ("from", "vat-scheme-from"),
        ("because", "vat-scheme-because"),
        ("notifiedOn", "vat-scheme-notified"),
        ("vatPeriod.from", "vat-unit-from"),
        ("accounting.method", "vat-accounting-method"),
        ("accounting.from", "vat-accounting-from"),
        ("accounting.ground", "vat-accounting-ground"),
        ("accounting.designatedOn", "vat-accounting-designated"),
        ("zeroMeans", "vat-zero"),
        ("majorityOfTime", "vat-majority"),
        ("starter", "year-starter"),
        ("nextNumber", "invoice-number"),
    ],
};

/// Labels for webhooks.
pub const WEBHOOK: Labels = Labels { area: "webhook", others: &[] };

impl Labels {
    /// Label of a field. A field of a line has the label of the same field in line 0, followed by
    /// the line number counted from 1.
    pub fn label(self, texts: Texts, field: &str) -> Option<String> {
        match line_of(field) {
            Some((list, number, rest)) => {
                let name = self.text(texts, &format!("{list}.0.{rest}"))?;
                Some(format!("{name} ({})", number.saturating_add(1)))
            }
            None => self.text(texts, field),
        }
    }

    fn text(self, texts: Texts, field: &str) -> Option<String> {
        if let Some((_, id)) = self.others.iter().find(|(name, _)| *name == field) {
            return Some(texts.t(id).to_string());
        }
        if [csrf::FIELD, SUBMISSION, VERSION, BOOKS, LANGUAGE].contains(&field) {
            return None;
        }
        let id = format!("{}-{}", self.area, kebab(field.rsplit('.').next().unwrap_or(field)));
        texts.knows(&id).then(|| texts.t(&id).to_string())
    }
}

/// Converts a name from camel case to kebab case.
fn kebab(name: &str) -> String {
    let mut kebab = String::with_capacity(name.len() + 4);
    for character in name.chars() {
        if character.is_ascii_uppercase() {
            kebab.push('-');
        }
        kebab.push(character.to_ascii_lowercase());
    }
    kebab
}

/// List, line number and remaining name of a field such as `items.2.amount`.
fn line_of(field: &str) -> Option<(&str, usize, &str)> {
    let mut parts = field.splitn(3, '.');
    let (list, number, rest) = (parts.next()?, parts.next()?.parse().ok()?, parts.next()?);
    Some((list, number, rest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use i18n::Language;
    use store::contacts::Party;

    const LANGUAGES: [Texts; 2] =
        [Texts { language: Language::Dutch }, Texts { language: Language::English }];

    /// Fields whose input is not compared: two files, and a choice that sets another field.
    const NOT_COMPARED: [&str; 3] = ["receipt", "logo", "pattern"];

    /// Forms that show edit conflicts: labels, template, and minimum number of labelled fields.
    const FORMS: [(Labels, &str, usize); 11] = [
        (PARTY, include_str!("../../templates/sales/contact-form.html"), 9),
        (PARTY, include_str!("../../templates/settings/company.html"), 10),
        (INVOICE, include_str!("../../templates/sales/invoice-form.html"), 15),
        (ARTICLE, include_str!("../../templates/sales/article-form.html"), 10),
        (EXPENSE, include_str!("../../templates/purchases/expense-form.html"), 6),
        (PROJECT, include_str!("../../templates/hours/project-form.html"), 4),
        (HOURS, include_str!("../../templates/hours/entry.html"), 3),
        (INVOICE_SETTINGS, include_str!("../../templates/settings/invoices.html"), 10),
        (REMINDER_SETTINGS, include_str!("../../templates/settings/reminders.html"), 2),
        (TAX_SETTINGS, include_str!("../../templates/settings/vat.html"), 5),
        (WEBHOOK, include_str!("../../templates/access/webhook-form.html"), 2),
    ];

    /// Names of the fields in a template, each with the id of its label's text.
    fn fields(template: &str) -> Vec<(&str, &str)> {
        let quoted = |text: &'static str, rest| -> Option<(&str, &str)> {
            str::strip_prefix(rest, text)?.split_once('"')
        };
        let calls = template.split("(page, form, ").skip(1);
        let field = |call| {
            let (name, rest) = quoted("\"", call)?;
            Some((name, quoted(", page.t(\"", rest)?.0))
        };
        calls.filter_map(field).collect()
    }

    #[test]
    fn every_field_of_a_form_has_its_label() {
        for (labels, template, count) in FORMS {
            let fields = fields(template);
            assert!(fields.len() >= count, "{fields:?}");
            for (name, _) in fields.iter().filter(|(name, _)| !NOT_COMPARED.contains(name)) {
                for texts in LANGUAGES {
                    assert!(
                        labels.label(texts, name).is_some(),
                        "{name} has no label in {}",
                        texts.tag()
                    );
                }
            }
        }
    }

    #[test]
    fn every_field_of_a_contact_has_its_label_and_its_place_in_the_form() {
        let (_, template, _) = FORMS[0];
        let party = Party::named("Studio Noord".into());
        for (name, _) in party.form_fields() {
            for texts in LANGUAGES {
                assert!(
                    PARTY.label(texts, name).is_some(),
                    "{name} has no label in {}",
                    texts.tag()
                );
                assert_eq!(
                    PARTY.label(texts, name),
                    INVOICE.label(texts, &format!("customer.{name}"))
                );
            }
            // A checkbox has its value before its label.
            let is_tick = template.contains(&format!("(page, form, \"{name}\", \"true\", "));
            assert!(
                is_tick || fields(template).iter().any(|(field, _)| *field == name),
                "the form lacks {name}"
            );
        }
    }

    #[test]
    fn labels_follow_the_convention_or_their_exception() {
        let texts = LANGUAGES[1];
        for (labels, field, expected) in [
            (PARTY, "address.postalCode", Some("Postal code")),
            (INVOICE, "customer.contactId", Some("Customer")),
            (INVOICE, "items.2.quantity", Some("Quantity (3)")),
            (EXPENSE, "items.0.includesVat", Some("Incl. VAT (1)")),
            (TAX_SETTINGS, VERSION, None),
            (PARTY, "other", None),
        ] {
            assert_eq!(labels.label(texts, field).as_deref(), expected, "{field}");
        }
    }
}
