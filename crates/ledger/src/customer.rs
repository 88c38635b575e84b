//! Details of a customer besides name and numbers: kind, email addresses by use, and the VAT
//! usually charged.

use crate::{
    named::named,
    vat::{Supply, VatCategory, VatRate},
};
use std::fmt::Write as _;

named! {
    /// Kind of customer.
    CustomerKind {
        /// Business: it owes reverse-charged VAT, and bears interest and costs of late payment.
        Business => "business",
        /// Consumer.
        Consumer => "consumer",
    }
}

named! {
    /// Use of a customer's email address.
    EmailUse {
        /// Invoices and credit notes.
        Invoice => "invoice",
        /// Quotes.
        Quote => "quote",
        /// Reminders.
        Reminder => "reminder",
        /// Thanks for a payment.
        Thanks => "thanks",
    }
}

/// Email address of a customer, with its uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CustomerEmail {
    /// Address.
    pub email: String,
    /// Uses, in the order of [`EmailUse::ALL`].
    pub uses: Vec<EmailUse>,
}

impl CustomerEmail {
    /// Returns an address for every use.
    #[must_use]
    pub fn for_all(email: String) -> Self {
        Self { email, uses: EmailUse::ALL.to_vec() }
    }

    /// Whether the address is for a use.
    #[must_use]
    pub fn is_for(&self, wanted: EmailUse) -> bool {
        self.uses.contains(&wanted)
    }

    /// Serialises addresses: one per line, with the uses after a space, separated by commas.
    ///
    /// ```
    /// use ledger::customer::{CustomerEmail, EmailUse};
    ///
    /// let emails = [CustomerEmail { email: "a@b.nl".into(), uses: vec![EmailUse::Invoice, EmailUse::Quote] }];
    /// let text = CustomerEmail::to_text(&emails);
    /// assert_eq!(text, "a@b.nl invoice,quote");
    /// assert_eq!(CustomerEmail::parse_all(&text), emails);
    /// ```
    #[must_use]
    pub fn to_text(emails: &[Self]) -> String {
        let mut text = String::new();
        for (place, Self { email, uses }) in emails.iter().enumerate() {
            let uses: Vec<&str> = uses.iter().map(|of| of.as_str()).collect();
            let newline = if place == 0 { "" } else { "\n" };
            // Writing to a `String` cannot fail.
            let _ = write!(text, "{newline}{email} {}", uses.join(","));
        }
        text
    }

    /// Parses the output of [`CustomerEmail::to_text`].
    #[must_use]
    pub fn parse_all(text: &str) -> Vec<Self> {
        let address = |line: &str| {
            let (email, uses) = line.split_once(' ')?;
            let uses = uses.split(',').filter_map(EmailUse::parse).collect();
            Some(Self { email: email.to_owned(), uses })
        };
        text.split('\n').filter_map(address).collect()
    }
}

/// Rate, category and kind of supply that a customer or an article usually has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VatChoice {
    /// Rate.
    pub rate: VatRate,
    /// Category, if the rate does not determine it.
    pub category: Option<VatCategory>,
    /// Kind of supply, if it differs from the account's usual one.
    pub supply: Option<Supply>,
}
