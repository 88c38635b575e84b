//! `/invoices/new` and `/invoices/{id}/edit`: the form for an invoice, which is also that for a quote
//! and for a recurring invoice.

use super::{
    SellerData,
    choices::{self, Chosen, Found, is_choosing},
    contacts::{kinds, languages},
    document::{NEW, Of, validate},
    lines::{self, LINES},
    preview::{self, Preview},
    proposals, recurring, warnings,
};
use crate::{
    done::Done,
    form::Form,
    frame::{
        headers,
        lines::{Line, is_reshaping},
    },
    html::Html,
    id::Id,
    labels,
    page::Authenticated,
    submit::{Difference, SUBMISSION, VERSION},
    texts::{self, Phrase, Texts},
};
use ::tax::eu_rates;
use askama::Template;
use axum::{http::StatusCode, response::Response};
use jiff::civil::Date;
use ledger::{
    calendar::{Quarter, amsterdam_today},
    chart::{AccountCode, Class},
    country::CountryCode,
    decimal,
    invoice::Priced,
    money::Cents,
    purchase::Deduction,
    quote::QuoteStatus,
    vat::VatCategory,
};
use service::{
    Context, Created, Error, Fault, Reason, contacts,
    corrections::IfFiled,
    invoices::{
        self, Consumer, EditInvoice, InvoiceDetails, LineInput, NewInvoice, OpenPrepayment,
        SupplyDays,
    },
    kor::{self, KorYear},
    oss, quotes, recurring as rules, vat_schemes,
};
use std::collections::BTreeMap;
use store::{
    Tx,
    articles::Article,
    contacts::{Contact, Party},
    invoices::Status,
};
use web_core::{
    input::{
        self, UnfinishedInvoice, edited_invoice, edited_quote, edited_recurring, new_invoice,
        new_quote, new_recurring, unfinished_invoice, unfinished_quote, unfinished_recurring,
    },
    problem::Problem,
};

/// Maximum number of lines for which the form shows every field of each line.
const SHORT: usize = 20;

#[derive(Template)]
#[template(path = "sales/invoice-form.html")]
struct View<'a> {
    page: &'a Authenticated,
    form: &'a Form,
    /// Document of the form.
    of: Of<'a>,
    /// Whether the draft was changed concurrently; `differences` holds the edit conflicts.
    has_changed: bool,
    differences: Vec<Difference>,
    lookups: Lookups,
    /// Result of a search for a customer or an article.
    found: Option<Found>,
    lines: Vec<Line>,
    /// Amounts of the readable lines, by line number.
    amounts: BTreeMap<usize, Cents>,
    rates: Vec<(String, String)>,
    /// Day that determines the rates.
    rates_on: Date,
    quarter: String,
    /// Whether VAT is reverse-charged to a customer without a known VAT number.
    lacks_vat_number: bool,
    /// Characters that the PDF prints as □.
    unprintable: String,
    /// Sentence if the VAT of lines was adapted to the customer.
    adapted: Option<String>,
    /// Warnings about the invoice, if it were sent like this.
    warnings: Vec<warnings::Shown>,
    /// Whether nothing was sent because of a warning that the form had not shown.
    has_new_warnings: bool,
}

/// Data that depends on the input and is read from the books.
struct Lookups {
    /// The chosen contact and that of the draft.
    contacts: Vec<Contact>,
    /// Customer, as far as VAT depends on it.
    customer: Consumer,
    /// Prepayments of the customer that can be set off.
    prepayments: Vec<OpenPrepayment>,
    /// Totals, as far as the input is readable.
    priced: Option<Priced>,
    /// Whether the small businesses scheme (KOR) applies on the date that determines the VAT rates.
    has_kor: bool,
    /// Turnover under the small businesses scheme, if it is close to the limit.
    kor: Option<KorYear>,
    /// Country of the customer, if its rates can apply because the account is registered for the
    /// Union scheme (OSS).
    rates_of: Option<CountryCode>,
}

impl View<'_> {
    /// Value of the hidden field with the codes of the warnings.
    fn seen(&self) -> String {
        warnings::seen("", &self.warnings)
    }

    fn kinds(&self) -> [(&'static str, Phrase<'static>); 3] {
        kinds(self.page.texts)
    }

    fn languages(&self) -> [(&'static str, Phrase<'static>); 3] {
        languages(self.page.texts)
    }

    /// Languages to choose from for the document.
    fn document_languages(&self) -> [(&'static str, Phrase<'static>); 3] {
        let [_, dutch, english] = languages(self.page.texts);
        [("", self.page.texts.t("document-language-usual")), dutch, english]
    }

    /// Details of the customer that differ from the contact and have no field here.
    fn hidden_of_customer(&self) -> Vec<(String, String)> {
        let hidden = HIDDEN.iter().map(|name| format!("customer.{name}"));
        hidden
            .filter(|name| self.form.is_given(name))
            .map(|name| (name.clone(), self.form.raw(&name).to_owned()))
            .collect()
    }

    fn action(&self) -> String {
        self.of.action()
    }

    fn is_quote(&self) -> bool {
        self.of.is_quote()
    }

    fn title(&self) -> Phrase<'_> {
        let texts = self.page.texts;
        match self.of {
            Of::NewInvoice => texts.t("invoice-new"),
            Of::Invoice(details) => {
                texts.t("invoice-edit-title").with("number", &details.invoice.number)
            }
            Of::NewQuote => texts.t("quote-new"),
            Of::Quote(details) => texts.t("quote-edit-title").with("number", &details.quote.number),
            Of::NewRecurring => texts.t("recurring-new"),
            Of::Recurring(details) => {
                texts.t("recurring-edit-title").with("customer", &details.recurring.customer.name)
            }
        }
    }

    /// Name of the page above the form.
    fn parent(&self) -> Phrase<'static> {
        let texts = self.page.texts;
        match self.of {
            Of::NewInvoice | Of::Invoice(_) => texts.t("nav-invoices"),
            Of::NewQuote | Of::Quote(_) => texts.t("nav-quotes"),
            Of::NewRecurring | Of::Recurring(_) => texts.t("nav-recurring"),
        }
    }

    fn is_recurring(&self) -> bool {
        self.of.is_recurring()
    }

    /// Whether saving the form books an invoice.
    fn books(&self) -> bool {
        !self.of.is_quote() && !self.of.is_recurring()
    }

    fn units(&self) -> [(&'static str, Phrase<'static>); 4] {
        recurring::units(self.page.texts)
    }

    fn deliveries(&self) -> [(&'static str, Phrase<'static>); 3] {
        recurring::deliveries(self.page.texts)
    }

    fn supply_periods(&self) -> [(&'static str, Phrase<'static>); 4] {
        recurring::supply_periods(self.page.texts)
    }

    fn on_accept(&self) -> [(&'static str, Phrase<'static>); 4] {
        on_accept(self.page.texts)
    }

    fn back(&self) -> String {
        self.action()
    }

    /// Path of the page with the form.
    fn place(&self) -> String {
        self.of.place()
    }

    /// Contact chosen as the customer.
    fn contact(&self) -> Option<&Contact> {
        let chosen = self.form.value(choices::CONTACT);
        self.lookups.contacts.iter().find(|contact| contact.id.to_string() == chosen)
    }

    /// Name of the chosen contact, unless the form has another name for it.
    fn chosen_name(&self) -> &str {
        let contact = self.contact().filter(|_| !self.form.is_given("customer.name"));
        contact.map_or("", |contact| contact.party.name.as_str())
    }

    /// Name of the customer.
    fn customer_name(&self) -> &str {
        let chosen = self.chosen_name();
        if chosen.is_empty() { self.form.raw("customer.name") } else { chosen }
    }

    /// Whether the page opens with the focus on the customer: not if it shows faults, or the result
    /// of a button.
    fn focuses_customer(&self) -> bool {
        self.form.faults().is_empty() && self.form.value("action").is_empty() && !self.has_changed
    }

    /// Contacts found by the name typed, if they were searched for.
    fn found_customers(&self) -> Option<&[Contact]> {
        match &self.found {
            Some(Found::Customers(contacts)) => Some(contacts),
            Some(Found::Articles(..)) | None => None,
        }
    }

    /// Articles found by the description of a line, if they were searched for.
    fn found_articles(&self, line: &Line) -> Option<&[Article]> {
        match &self.found {
            Some(Found::Articles(number, articles)) if *number == line.number => Some(articles),
            _ => None,
        }
    }

    /// Whether lines have the buttons that move them and that search for an article without a
    /// script: not on a long form, whose size they would double. A script adds those that move.
    fn has_all_buttons(&self) -> bool {
        self.lines.len() <= SHORT
    }

    /// Missing details of the seller that are required before the invoice can be sent.
    fn missing(&self) -> Vec<Phrase<'static>> {
        let account = &self.page.who.account;
        let seller = SellerData {
            address: account.street.is_some()
                && account.postal_code.is_some()
                && account.city.is_some(),
            kvk_number: account.kvk_number.is_some(),
            vat_number: account.vat_number.is_some(),
            iban: account.iban.is_some(),
        };
        seller.missing(self.page.texts)
    }

    /// Edit conflicts with the stored draft, with values formatted for display.
    fn differences_from(&self, now: &Form, total: Cents) -> Vec<Difference> {
        let typed = LINES.without_blank(self.form);
        let mut found: Vec<Difference> = typed
            .differences(now)
            .into_iter()
            .map(|(field, mine, stored)| {
                (field.to_owned(), self.said(&typed, field, mine), self.said(now, field, stored))
            })
            .collect();
        let set_off = |form: &Form| -> String {
            let numbers = chosen_prepayments(form).into_iter().map(|id| {
                let open = self.lookups.prepayments.iter().find(|open| open.id == id);
                open.map_or_else(|| id.to_string(), |open| open.number.clone())
            });
            numbers.collect::<Vec<_>>().join(", ")
        };
        found.push(("prepaymentInvoiceIds".to_owned(), set_off(self.form), set_off(now)));
        if let Some(priced) = &self.lookups.priced {
            found.push((
                "total".to_owned(),
                self.page.texts.money(priced.total),
                self.page.texts.money(total),
            ));
        }
        let differ = found.iter().filter(|(_, typed, stored)| typed != stored);
        let borrowed = differ
            .map(|(field, typed, stored)| (field.as_str(), typed.as_str(), stored.as_str()))
            .collect();
        self.page.labelled(borrowed, labels::INVOICE)
    }

    /// Value of a form field, formatted for display.
    fn said(&self, form: &Form, field: &str, value: &str) -> String {
        let texts = self.page.texts;
        let named = |choices: &[(&str, Phrase<'static>)]| {
            choices.iter().find(|(choice, _)| *choice == value).map(|(_, name)| name.to_string())
        };
        if LINES.is_on_blank_line(form, field) {
            return String::new();
        }
        let found = match field.rsplit('.').next().unwrap_or(field) {
            "pricesIncludeVat" | "prepayment" | "lastDayOfMonth" if value == "true" => {
                Some(texts.t("invoice-changed-yes").to_string())
            }
            "pricesIncludeVat" | "prepayment" | "lastDayOfMonth" => {
                Some(texts.t("invoice-changed-no").to_string())
            }
            "vatCategory" => named(&self.categories()),
            "exemption" => named(&self.exemptions()),
            "supply" => named(&self.supplies()),
            "taxCountry" if value.is_empty() => None,
            "taxCountry" => Some(texts.country(value).to_owned()),
            "account" => self.page.account_code(value).map(|code| self.page.account_name(code)),
            "discountPercent" | "discountAmount" if value.is_empty() => None,
            "language" => named(&self.document_languages()),
            "quantity" | "unitPrice" | "discountPercent" | "discountAmount" => {
                let given =
                    if value.is_empty() && field.ends_with("quantity") { "1" } else { value };
                i18n::read_number(given, form.language(texts.language))
                    .ok()
                    .map(|number| texts.number_field(number.normalize()))
            }
            _ if value.is_empty() => None,
            "vatRate" => {
                self.rates.iter().find(|(rate, _)| rate == value).map(|(_, name)| name.clone())
            }
            "country" => texts
                .countries()
                .iter()
                .find(|(code, _)| *code == value)
                .map(|(_, name)| name.to_string()),
            "contactId" => {
                let contact =
                    self.lookups.contacts.iter().find(|contact| contact.id.to_string() == value);
                contact.map(|contact| contact.party.name.clone())
            }
            "onAccept" => named(&self.on_accept()),
            "unit" => named(&self.units()),
            "deliver" => named(&self.deliveries()),
            "supplyPeriod" => named(&self.supply_periods()),
            "invoiceDate" | "dueDate" | "supplyDate" | "supplyUntil" | "quoteDate"
            | "validUntil" | "firstDate" | "lastDate" => {
                i18n::read_date(value).ok().map(|day| texts.date(day))
            }
            _ => None,
        };
        found.unwrap_or_else(|| value.to_owned())
    }

    fn categories(&self) -> [(&'static str, Phrase<'static>); 9] {
        let texts = self.page.texts;
        [
            ("", texts.t("vat-category-none")),
            ("zero", texts.t("vat-category-zero")),
            ("reverseCharge", texts.t("vat-category-reverse-charge")),
            ("exempt", texts.t("vat-category-exempt")),
            ("intraCommunity", texts.t("vat-category-intra-community")),
            ("export", texts.t("vat-category-export")),
            ("serviceOutsideEu", texts.t("vat-category-service-outside-eu")),
            ("outOfScope", texts.t("vat-category-out-of-scope")),
            ("oss", texts.t("vat-category-oss")),
        ]
    }

    fn exemptions(&self) -> [(&'static str, Phrase<'static>); 4] {
        let texts = self.page.texts;
        [
            ("", texts.t("exemption-usual")),
            ("article11", texts.t("exemption-article11")),
            ("article11Counted", texts.t("exemption-article11-counted")),
            ("kor", texts.t("exemption-kor")),
        ]
    }

    fn supplies(&self) -> [(&'static str, Phrase<'static>); 5] {
        let texts = self.page.texts;
        [
            ("", texts.t("supply-usual")),
            ("services", texts.t("supply-services")),
            ("goods", texts.t("supply-goods")),
            ("triangular", texts.t("supply-triangular")),
            ("electronic", texts.t("supply-electronic")),
        ]
    }

    /// Countries that can tax a line.
    fn tax_countries(&self) -> Vec<(&'static str, String)> {
        let texts = self.page.texts;
        let members = texts.countries().iter().filter(|(code, _)| {
            let country = CountryCode::parse(code).ok();
            let is_known = |country| eu_rates::standard(country, self.rates_on).is_some();
            country.is_some_and(|country| country.is_dutch() || is_known(country))
        });
        let usual = ("", texts.t("tax-country-usual").to_string());
        std::iter::once(usual)
            .chain(members.map(|(code, name)| (*code, (*name).to_owned())))
            .collect()
    }

    /// Whether the request comes from a script that only updates the computed figures shortly
    /// after the user has typed. The response then omits the fields of the lines.
    fn is_live(&self) -> bool {
        self.form.has("live", "true")
    }

    /// Revenue accounts to choose from for a line: own ones, and the account that the line has.
    /// Empty if there is nothing to choose.
    fn revenue_accounts(&self, line: &Line) -> Vec<(String, String)> {
        let chosen = self.page.account_code(self.form.value(&line.field("account")));
        let own = self.page.offered_own_accounts();
        let own = own.filter(|code| code.class() == Some(Class::Revenue) && Some(*code) != chosen);
        let codes: Vec<AccountCode> = chosen.into_iter().chain(own).collect();
        if codes.is_empty() {
            return Vec::new();
        }
        let usual = (String::new(), self.page.t("line-account-usual").to_string());
        [usual].into_iter().chain(self.page.account_choices(codes.into_iter())).collect()
    }

    /// Amount of a line; `None` if the line is unreadable.
    fn amount(&self, line: &Line) -> Option<Html> {
        self.amounts.get(&line.number).map(|amount| self.page.money(amount))
    }

    /// Whether to expand the less common fields of a line: a discount in euros, and the reason for
    /// charging no VAT.
    fn has_reason(&self, line: &Line) -> bool {
        ["discountAmount", "vatCategory", "exemption", "supply", "taxCountry"]
            .into_iter()
            .any(|name| self.form.is_given(&line.field(name)))
    }

    /// Whether the reason for charging no VAT can be entered: on every line of a short invoice, but
    /// on a long one only on lines at 0 % or with a reason, because the two lists of choices are as
    /// large as the rest of a line.
    fn asks_for_reason(&self, line: &Line) -> bool {
        self.lines.len() <= SHORT
            || self.form.value(&line.field("vatRate")) == "0"
            || self.has_reason(line)
    }

    /// Whether to expand the less common fields.
    fn has_more(&self) -> bool {
        let of_quote = ["prepaymentPercent", "paymentTermDays"];
        let on_accept = self.form.value("onAccept");
        let of_both = [
            "orderNumber",
            "buyerReference",
            "discountPercent",
            "discountAmount",
            "discountDescription",
            "language",
        ];
        ["supplyDate", "supplyUntil", "pricesIncludeVat", "prepayment"]
            .into_iter()
            .chain(of_quote)
            .chain(of_both)
            .any(|name| self.form.is_given(name))
            || !matches!(on_accept, "" | "nothing")
    }

    /// Whether to expand the less common fields of the customer.
    fn has_more_of_customer(&self) -> bool {
        let fields = [
            "customer.country",
            "customer.contactPerson",
            "customer.vatNumber",
            "customer.kvkNumber",
            "customer.kind",
            "customer.language",
        ];
        fields.into_iter().any(|name| self.form.is_given(name))
    }

    /// Prepayments that can be set off, each with the name of its field.
    fn prepayments(&self) -> Vec<(String, &OpenPrepayment)> {
        let field = |(place, open)| (format!("prepaymentInvoiceIds.{place}"), open);
        self.lookups.prepayments.iter().enumerate().map(field).collect()
    }

    /// Whether a prepayment is selected to be set off.
    fn sets_off(&self, prepayment: &OpenPrepayment) -> bool {
        chosen_prepayments(self.form).contains(&prepayment.id)
    }

    /// Whether to expand the fields of a new customer.
    fn has_new_customer(&self) -> bool {
        self.form.value(choices::CONTACT).is_empty()
            || self.form.pairs().any(|(name, value)| {
                name.starts_with("customer.")
                    && name != "customer.contactId"
                    && !value.trim().is_empty()
            })
            || self.form.faults().iter().any(|fault| fault.field.starts_with("customer."))
    }
}

/// Steps that can follow the acceptance of a quote.
pub(super) fn on_accept(texts: Texts) -> [(&'static str, Phrase<'static>); 4] {
    [
        ("nothing", texts.t("quote-on-accept-nothing")),
        ("draft", texts.t("quote-on-accept-draft")),
        ("sent", texts.t("quote-on-accept-sent")),
        ("mail", texts.t("quote-on-accept-mail")),
    ]
}

/// Rates to choose from: the Dutch ones, and those of the customer's country if they can apply.
fn choice_of_rates(texts: Texts, day: Date, country: Option<CountryCode>) -> Vec<(String, String)> {
    let mut choices = texts::vat_rates(texts, day);
    if let Some(country) = country {
        let name = texts.country(country.as_str());
        for rate in eu_rates::on(country, day) {
            let value = decimal::plain(&rate.percent());
            if !choices.iter().any(|(known, _)| *known == value) {
                choices.push((value, format!("{} {name}", texts.percent(rate.percent()))));
            }
        }
        let standard = texts.t("rate-of-country").with("country", name).to_string();
        choices.push((String::new(), standard));
    }
    choices
}

/// Ids of the selected prepayment invoices.
fn chosen_prepayments(form: &Form) -> Vec<i64> {
    let ticked = form.pairs().filter(|(name, _)| name.starts_with("prepaymentInvoiceIds."));
    ticked.filter_map(|(_, id)| id.parse().ok()).collect()
}

/// Reads from the books the data that depends on the input.
async fn look_up(
    page: &Authenticated,
    invoice: UnfinishedInvoice,
    of: Of<'_>,
) -> Result<Lookups, Problem> {
    let (cx, own, of_draft) = (page.context(), of.draft().unwrap_or(0), of.contact());
    let UnfinishedInvoice { rates_on: day, contact_id: chosen, party, terms, discount, .. } =
        invoice;
    let lines: Vec<LineInput> = invoice.lines.into_iter().map(|(_, line)| line).collect();
    let read = move |tx: &mut Tx<'_>| {
        let mut found = Vec::new();
        for id in chosen.into_iter().chain(of_draft.filter(|id| Some(*id) != chosen)) {
            match contacts::read(tx, &cx, id) {
                Ok(contact) => found.push(contact),
                Err(Error::NotFound(_)) => {}
                Err(other) => return Err(other),
            }
        }
        let contact = found.iter().find(|contact| Some(contact.id) == chosen);
        let known = contact.map_or_else(|| Party::named(String::new()), |of| of.party.clone());
        let customer = Consumer::from(&party.applied_to(known));
        let rates_of = oss::rates_of(tx, &cx, customer, day)?;
        let prepayments = match chosen {
            Some(contact) => invoices::open_prepayments(tx, &cx, contact, own)?,
            None => Vec::new(),
        };
        // The error is ignored: lines that cannot be totalled have faults, reported on submission.
        let asked = (customer, chosen, day);
        let priced = invoices::reckon(tx, &cx, asked, &lines, (&terms, discount), own).ok();
        let has_kor = vat_schemes::deduction_on(tx, &cx, day)? == Deduction::Never;
        let kor = if has_kor { Some(kor::read(tx, &cx, Some(day.year()))?) } else { None };
        let kor = kor.filter(KorYear::is_very_near);
        Ok(Lookups { contacts: found, customer, prepayments, priced, has_kor, kor, rates_of })
    };
    Ok(page.app.query(page.who.account.id, read).await?)
}

/// Details of a customer that the form keeps without showing them.
const HIDDEN: [&str; 7] = [
    "phone",
    "paymentTermDays",
    "vatDefault.vatRate",
    "vatDefault.vatCategory",
    "vatDefault.supply",
    "peppolId",
    "remindersStopped",
];

/// Warnings about the invoice in a form if it were sent; none if the form has faults.
pub(super) async fn foresee(
    page: &Authenticated,
    form: &Form,
    of: Of<'_>,
) -> Result<Vec<warnings::Shown>, Problem> {
    let read = proposals::as_read(form);
    let sent = [("status", "sent")];
    let fields = sent.into_iter().chain(read.pairs().filter(|(name, _)| *name != "status"));
    let (cx, language) = (page.context(), page.texts.language);
    let rehearsed = match of {
        Of::NewQuote | Of::Quote(_) => return foresee_quote(page, &read, of).await,
        Of::NewRecurring | Of::Recurring(_) => {
            return foresee_recurring(page, &read, of).await;
        }
        Of::NewInvoice => {
            let today = amsterdam_today(page.app.now());
            let parsed = input::form(fields, language, |fields| new_invoice(fields, today));
            let Some(mut command) = parsed.command else { return Ok(Vec::new()) };
            // An existing invoice with this id would be shown instead.
            command.external_id = None;
            // A correction that has yet to be ticked has the same warnings.
            command.if_filed = IfFiled::Correct;
            let rehearse = move |tx: &mut Tx<'_>| {
                Ok(invoices::preview(tx, &cx, &command)?.into_inner().details)
            };
            page.app.rehearse(page.who.account.id, rehearse).await
        }
        Of::Invoice(draft) if draft.invoice.status == Status::Draft => {
            let invoice = &draft.invoice;
            let (id, dated) = (invoice.id, invoice.invoice_date);
            let supply = SupplyDays { first: invoice.supply_date, last: invoice.supply_until };
            let parsed =
                input::form(fields, language, |fields| edited_invoice(fields, dated, supply));
            let Some(mut command) = parsed.command else { return Ok(Vec::new()) };
            command.if_filed = IfFiled::Correct;
            let rehearse = move |tx: &mut Tx<'_>| {
                Ok(invoices::preview_edit(tx, &cx, id, &command, &|_| true)?.details)
            };
            page.app.rehearse(page.who.account.id, rehearse).await
        }
        Of::Invoice(_) => return Ok(Vec::new()),
    };
    match rehearsed {
        Ok(details) => Ok(warnings::of(page, &details)),
        Err(Error::Store(error)) => Err(Error::Store(error).into()),
        // What refuses the invoice is reported on submission.
        Err(_) => Ok(Vec::new()),
    }
}

/// Warnings about the quote in a form; none if the form has faults.
async fn foresee_quote(
    page: &Authenticated,
    read: &Form,
    of: Of<'_>,
) -> Result<Vec<warnings::Shown>, Problem> {
    let (cx, language) = (page.context(), page.texts.language);
    let account = page.who.account.id;
    let rehearsed = if let Of::Quote(draft) = of {
        if draft.status != QuoteStatus::Draft {
            return Ok(Vec::new());
        }
        let (id, dated) = (draft.quote.id, draft.quote.quote_date);
        let parsed = input::form(read.pairs(), language, |fields| edited_quote(fields, dated));
        let Some(command) = parsed.command else { return Ok(Vec::new()) };
        let rehearse =
            move |tx: &mut Tx<'_>| Ok(quotes::preview_edit(tx, &cx, id, &command)?.invoice);
        page.app.rehearse(account, rehearse).await
    } else {
        let today = amsterdam_today(page.app.now());
        let parsed = input::form(read.pairs(), language, |fields| new_quote(fields, today));
        let Some(mut command) = parsed.command else { return Ok(Vec::new()) };
        // An existing quote with this id would be shown instead.
        command.external_id = None;
        let rehearse =
            move |tx: &mut Tx<'_>| Ok(quotes::preview(tx, &cx, &command)?.into_inner().invoice);
        page.app.rehearse(account, rehearse).await
    };
    warnings_of(page, rehearsed)
}

/// Warnings about the recurring invoice in a form; none if the form has faults.
async fn foresee_recurring(
    page: &Authenticated,
    read: &Form,
    of: Of<'_>,
) -> Result<Vec<warnings::Shown>, Problem> {
    let (cx, language) = (page.context(), page.texts.language);
    let account = page.who.account.id;
    let rehearsed = if let Of::Recurring(stored) = of {
        let (id, dated) = (stored.recurring.id, recurring::dated(&stored.recurring));
        let parsed = input::form(read.pairs(), language, |fields| edited_recurring(fields, dated));
        let Some(command) = parsed.command else { return Ok(Vec::new()) };
        let rehearse = move |tx: &mut Tx<'_>| rules::preview_edit(tx, &cx, id, &command);
        page.app.rehearse(account, rehearse).await
    } else {
        let today = amsterdam_today(page.app.now());
        let parsed = input::form(read.pairs(), language, |fields| new_recurring(fields, today));
        let Some(mut command) = parsed.command else { return Ok(Vec::new()) };
        // An existing recurring invoice with this id would be shown instead.
        command.external_id = None;
        let rehearse =
            move |tx: &mut Tx<'_>| Ok(rules::preview(tx, &cx, &command)?.into_inner().invoice);
        page.app.rehearse(account, rehearse).await
    };
    warnings_of(page, rehearsed)
}

/// Warnings about the invoice that a rehearsal made.
fn warnings_of(
    page: &Authenticated,
    rehearsed: Result<Option<InvoiceDetails>, Error>,
) -> Result<Vec<warnings::Shown>, Problem> {
    match rehearsed {
        Ok(invoice) => {
            Ok(invoice.map(|invoice| warnings::of_quote(page, &invoice)).unwrap_or_default())
        }
        Err(Error::Store(error)) => Err(Error::Store(error).into()),
        // What refuses the document is reported on submission.
        Err(_) => Ok(Vec::new()),
    }
}

/// Shows the form; `now` is the form filled from the stored draft, if that has changed.
// Long: it fills every part of the page.
pub(super) async fn show_with(
    page: &Authenticated,
    form: &Form,
    of: Of<'_>,
    status: StatusCode,
    now: Option<&Form>,
) -> Result<Response, Problem> {
    let today = amsterdam_today(page.app.now());
    let Chosen { form, found } = choices::apply(page, form, of).await?;
    let form = &form;
    let read = |form: &Form| {
        let form = proposals::as_read(form);
        input::unfinished(form.pairs(), page.texts.language, |fields| {
            if of.is_quote() {
                unfinished_quote(fields, today)
            } else if of.is_recurring() {
                unfinished_recurring(fields, today)
            } else {
                unfinished_invoice(fields, today)
            }
        })
    };
    let invoice = read(form);
    let UnfinishedInvoice { invoice_date, rates_on, contact_id, .. } = invoice;
    let amount = |line: &LineInput| {
        let gross = decimal::multiply_to_cents(&line.quantity, &line.unit_price).ok()?;
        Some(gross - line.discount.on(gross))
    };
    let amounts =
        invoice.lines.iter().filter_map(|(number, line)| Some((*number, amount(line)?))).collect();
    let reverses = invoice
        .lines
        .iter()
        .filter_map(|(_, line)| line.vat_category)
        .any(VatCategory::needs_customer_vat_number);
    let own = of.draft().unwrap_or(0);
    let lookups = look_up(page, invoice, of).await?;
    let chosen = lookups
        .contacts
        .iter()
        .find(|contact| Some(contact.id) == contact_id)
        .map(|contact| &contact.party);
    let knows_vat_number = chosen.is_some_and(|party| party.vat_number.is_some());
    let lacks_vat_number =
        reverses && form.value("customer.vatNumber").is_empty() && !knows_vat_number;
    let printed = chosen.into_iter().flat_map(|party| {
        [
            Some(&party.name),
            party.contact_person.as_ref(),
            party.street.as_ref(),
            party.city.as_ref(),
        ]
    });
    let printed = printed.flatten().map(String::as_str).chain(form.pairs().map(|(_, value)| value));
    let unprintable = invoices::unprintable(printed);
    let rates = choice_of_rates(page.texts, rates_on, lookups.rates_of);
    let typed = form.value("customer.name");
    let name =
        if typed.is_empty() { chosen.map_or("", |party| party.name.as_str()) } else { typed };
    let proposals::Proposed { form: filled, note: adapted } =
        proposals::fill(page, form, (lookups.customer, name), (own, rates_on)).await?;
    let form = &filled;
    let warnings = foresee(page, form, of).await?;
    let has_new_warnings = status == StatusCode::CONFLICT && now.is_none() && form.is_outdated();
    let mut view = View {
        page,
        form,
        of,
        has_changed: now.is_some(),
        differences: Vec::new(),
        lookups,
        found,
        lines: LINES.of(form),
        amounts,
        rates,
        rates_on,
        quarter: page.texts.quarter(Quarter::of(invoice_date)),
        lacks_vat_number,
        unprintable,
        adapted,
        warnings,
        has_new_warnings,
    };
    if let (Some(now), Some(stored)) = (now, of.total()) {
        view.differences = view.differences_from(now, stored);
    }
    page.show_as(status, &view).map(headers::with_own_frames)
}

/// `GET /invoices/new`
pub(super) async fn show_new(page: Authenticated) -> Result<Response, Problem> {
    let today = amsterdam_today(page.app.now());
    let mut pairs = vec![
        (SUBMISSION.to_owned(), page.new_submission()?),
        ("customer.contactId".to_owned(), page.query("contactId").unwrap_or_default()),
        ("invoiceDate".to_owned(), today.to_string()),
    ];
    pairs.extend(LINES.blank(0));
    let form = LINES.opened(page.open(NEW, Form::of(pairs)).await?);
    show_with(&page, &form, Of::NewInvoice, StatusCode::OK, None).await
}

/// Submitted form with its customer, and with its lines in order. The button that searches for an
/// article names a line by its number, which therefore stays.
pub(super) fn arranged(form: Form, action: &str) -> Form {
    let form = choices::settled(form);
    if is_choosing(action) { form } else { LINES.arrange(&form, action) }
}

/// Shows the PDF of the document in a form, or the form with its faults.
pub(super) async fn show_preview(
    page: &Authenticated,
    form: Form,
    of: Of<'_>,
) -> Result<Response, Problem> {
    match preview::counted(page, form, of).await? {
        Preview::Made(response) => Ok(response),
        Preview::Refused(form) => show_with(page, &form, of, form.refused_status(), None).await,
    }
}

/// Fault of a form that was submitted by an unknown button.
pub(super) fn unknown_action(action: &str) -> Option<Fault> {
    unknown_action_of(action, &["draft", "sent", "mail"])
}

/// Fault of a form that was submitted by a button other than the known ones.
pub(super) fn unknown_action_of(action: &str, known: &[&'static str]) -> Option<Fault> {
    let is_known = action.is_empty() || known.contains(&action);
    (!is_known).then(|| Fault::new("/action", Reason::UnknownValue { known: known.to_vec() }))
}

/// `POST /invoices`: `action` determines whether the invoice is saved as a draft, sent, or only
/// recalculated.
pub(super) async fn create(page: Authenticated, form: Form) -> Result<Response, Problem> {
    let action = form.value("action").to_owned();
    let mut form = arranged(form, &action);
    if is_reshaping(&action) || is_choosing(&action) {
        return show_with(&page, &form, Of::NewInvoice, StatusCode::OK, None).await;
    }
    if action == "preview" {
        return show_preview(&page, form, Of::NewInvoice).await;
    }
    if let Some(fault) = unknown_action(&action) {
        form.take_faults(&[fault], page.texts);
        let form = page.keep_refused(form).await;
        return show_with(&page, &form, Of::NewInvoice, StatusCode::UNPROCESSABLE_ENTITY, None)
            .await;
    }
    let status = if action == "sent" { "sent" } else { "draft" };
    let read = proposals::as_read(&form);
    let fields = read.pairs().filter(|(name, _)| *name != "status");
    let today = amsterdam_today(page.app.now());
    let parsed = input::form(
        [("status", status)].into_iter().chain(fields),
        page.texts.language,
        |fields| new_invoice(fields, today),
    );
    let then = next_page(&action);
    let ((_, seen), on_page) = (warnings::seen_by(&form), page.clone());
    let run = move |tx: &mut Tx<'_>, cx: &Context, command: &NewInvoice| {
        let created = invoices::create(tx, cx, command)?;
        if let Created::New(details) = &created
            && details.invoice.status == Status::Sent
        {
            warnings::require_seen(&on_page, details, seen.as_deref())?;
        }
        Ok(done_at("invoice-created", &created.into_inner(), then))
    };
    page.carry_out_if_valid(form, parsed, validate, run, async |form, status| {
        show_with(&page, &form, Of::NewInvoice, status, None).await
    })
    .await
}

/// Subpage of the invoice to which an action redirects: the page for emailing, if that is the next
/// step.
fn next_page(action: &str) -> &'static str {
    if action == "mail" { "/send" } else { "" }
}

/// URL of an invoice's page with the message about an action.
pub(super) fn done_with(code: &str, invoice: &InvoiceDetails) -> String {
    done_at(code, invoice, "")
}

/// URL of an invoice's subpage with the message about an action.
fn done_at(code: &str, invoice: &InvoiceDetails, below: &str) -> String {
    let is_sent = code == "invoice-created" && invoice.invoice.status == Status::Sent;
    let done = Done {
        code: if is_sent { "invoice-sent".into() } else { code.into() },
        amount: Some(invoice.invoice.total),
        name: invoice.invoice.number.clone(),
        entry: invoice.entry_ids.last().copied(),
        undo: None,
    };
    done.at(&format!("/invoices/{}{below}", invoice.invoice.id))
}

/// Version of a draft, for detecting concurrent edits.
pub(super) fn version(details: &InvoiceDetails) -> String {
    format!("{}/{}", details.invoice.updated_at, details.entry_ids.len())
}

/// Form filled from a draft.
fn fill(
    page: &Authenticated,
    details: &InvoiceDetails,
    contact: Option<&Contact>,
) -> Result<Form, Problem> {
    let (invoice, texts) = (&details.invoice, page.texts);
    let submission = page.new_submission()?;
    let day = |day: Option<Date>| day.map(|day| day.to_string()).unwrap_or_default();
    let ticked = |ticked: bool| if ticked { "true".to_owned() } else { String::new() };
    // Only values in which the invoice differs from the contact are filled in.
    let known: Vec<_> =
        contact.map(|contact| contact.party.form_fields().collect()).unwrap_or_default();
    let own = |field: &(&str, &str)| {
        if known.contains(field) { String::new() } else { field.1.to_owned() }
    };
    let owned = |(name, value): (&str, String)| (name.to_owned(), value);
    let mut pairs: Vec<(String, String)> = [
        (SUBMISSION, submission),
        (VERSION, version(details)),
        ("customer.contactId", invoice.contact_id.to_string()),
    ]
    .map(owned)
    .into();
    pairs.extend(
        invoice.customer.form_fields().map(|field| (format!("customer.{}", field.0), own(&field))),
    );
    let rest = [
        ("invoiceDate", invoice.invoice_date.to_string()),
        ("dueDate", invoice.due_date.to_string()),
        ("supplyDate", day(invoice.supply_date)),
        ("supplyUntil", day(invoice.supply_until)),
        ("pricesIncludeVat", ticked(invoice.prices_include_vat)),
        ("prepayment", ticked(invoice.prepayment)),
        ("reference", invoice.reference.clone().unwrap_or_default()),
        ("notes", invoice.notes.clone().unwrap_or_default()),
    ];
    pairs.extend(rest.map(owned));
    pairs.extend(lines::fields_of_document(texts, &invoice.particulars, invoice.language));
    let numbered = details.prepayment_invoice_ids().into_iter().enumerate();
    pairs.extend(
        numbered.map(|(place, id)| (format!("prepaymentInvoiceIds.{place}"), id.to_string())),
    );
    pairs.extend(lines::fields_of(texts, page.who.account.sales.supply, &details.lines));
    Ok(Form::of(pairs))
}

/// Draft with its contact.
async fn read_draft(
    page: &Authenticated,
    id: i64,
) -> Result<(InvoiceDetails, Option<Contact>), Problem> {
    let cx = page.context();
    let read = move |tx: &mut store::Tx<'_>| {
        let details = invoices::read(tx, &cx, id)?;
        let contact = match contacts::read(tx, &cx, details.invoice.contact_id) {
            Ok(contact) => Some(contact),
            Err(Error::NotFound(_)) => None,
            Err(other) => return Err(other),
        };
        Ok((details, contact))
    };
    Ok(page.app.query(page.who.account.id, read).await?)
}

/// Code of the message on the invoice's page if the invoice is no longer a draft.
fn why_no_draft(status: Status) -> Option<&'static str> {
    match status {
        Status::Draft => None,
        Status::Sent => Some("invoice-not-a-draft"),
        Status::Cancelled => Some("invoice-is-cancelled"),
    }
}

/// `GET /invoices/{id}/edit`: if the invoice is no longer a draft, redirects to the invoice's page,
/// which gives the reason and the alternatives.
pub(super) async fn show_edit(page: Authenticated, Id(id): Id) -> Result<Response, Problem> {
    let (details, contact) = read_draft(&page, id).await?;
    if let Some(code) = why_no_draft(details.invoice.status) {
        let done =
            Done { code: code.into(), name: details.invoice.number.clone(), ..Done::default() };
        return Ok(page.see_done(&format!("/invoices/{}", details.invoice.id), &done));
    }
    let stored = fill(&page, &details, contact.as_ref())?;
    let form = LINES.opened(page.open(&format!("/invoices/{id}/edit"), stored).await?);
    show_with(&page, &form, Of::Invoice(&details), StatusCode::OK, None).await
}

/// `POST /invoices/{id}`: edits a draft; `action=sent` also sends it.
pub(super) async fn update(
    page: Authenticated,
    Id(id): Id,
    form: Form,
) -> Result<Response, Problem> {
    let (before, _) = read_draft(&page, id).await?;
    let action = form.value("action").to_owned();
    let mut form = arranged(form, &action);
    if is_reshaping(&action) || is_choosing(&action) {
        return show_with(&page, &form, Of::Invoice(&before), StatusCode::OK, None).await;
    }
    if action == "preview" {
        return show_preview(&page, form, Of::Invoice(&before)).await;
    }
    if let Some(fault) = unknown_action(&action) {
        form.take_faults(&[fault], page.texts);
        let form = page.keep_refused(form).await;
        let of = Of::Invoice(&before);
        return show_with(&page, &form, of, StatusCode::UNPROCESSABLE_ENTITY, None).await;
    }
    let read = proposals::as_read(&form);
    let own = [("status", "sent")].into_iter().filter(|_| action == "sent");
    let fields = read.pairs().filter(|(name, _)| *name != "status");
    let dated = before.invoice.invoice_date;
    let supply =
        SupplyDays { first: before.invoice.supply_date, last: before.invoice.supply_until };
    let parsed = input::form(own.chain(fields), page.texts.language, |fields| {
        edited_invoice(fields, dated, supply)
    });
    let (seen, then) = (form.value(VERSION).to_owned(), next_page(&action));
    let ((_, shown), on_page) = (warnings::seen_by(&form), page.clone());
    let run = move |tx: &mut Tx<'_>, cx: &Context, command: &EditInvoice| {
        let as_seen = |now: &InvoiceDetails| seen.is_empty() || version(now) == seen;
        let edited = invoices::edit(tx, cx, id, command, &as_seen)?;
        let is_sent = edited.invoice.status == Status::Sent;
        if is_sent {
            warnings::require_seen(&on_page, &edited, shown.as_deref())?;
        }
        Ok(done_at(if is_sent { "invoice-sent" } else { "invoice-edited" }, &edited, then))
    };
    page.carry_out_if_valid(form, parsed, validate, run, async |form, status| {
        if !form.is_outdated() {
            let (stored, _) = read_draft(&page, id).await?;
            return show_with(&page, &form, Of::Invoice(&stored), status, None).await;
        }
        let (stored, contact) = read_draft(&page, id).await?;
        let is_as_seen = form.value(VERSION) == version(&stored);
        if is_as_seen && stored.invoice.status == Status::Draft {
            // The draft is as it was: a warning is new.
            return show_with(&page, &form, Of::Invoice(&stored), status, None).await;
        }
        let now = fill(&page, &stored, contact.as_ref())?;
        // The page shows the stored version next to the input. Submitting the form again
        // overwrites the stored version.
        let mut form = form.with(VERSION, version(&stored));
        if let Some(code) = why_no_draft(stored.invoice.status) {
            // The invoice can no longer be edited, so there is nothing to compare.
            form.refuse(
                "",
                page.t(&format!("done-{code}")).with("number", &stored.invoice.number).to_string(),
            );
            return show_with(&page, &form, Of::Invoice(&stored), status, None).await;
        }
        show_with(&page, &form, Of::Invoice(&stored), status, Some(&now)).await
    })
    .await
}

/// Form for a new invoice, filled from an invoice that cannot be copied as it is; shows `error`.
pub(super) async fn show_copy(
    page: &Authenticated,
    details: &InvoiceDetails,
    error: Error,
) -> Result<Response, Problem> {
    let today = amsterdam_today(page.app.now());
    let mut pairs = vec![
        (SUBMISSION.to_owned(), page.new_submission()?),
        ("customer.contactId".to_owned(), details.invoice.contact_id.to_string()),
        ("invoiceDate".to_owned(), today.to_string()),
        ("reference".to_owned(), details.invoice.reference.clone().unwrap_or_default()),
        ("notes".to_owned(), details.invoice.notes.clone().unwrap_or_default()),
    ];
    let particulars = &details.invoice.particulars;
    pairs.extend(lines::fields_of_document(page.texts, particulars, details.invoice.language));
    pairs.extend(lines::fields_of(page.texts, page.who.account.sales.supply, &details.lines));
    let mut form = Form::of(pairs);
    form.take(error, page.texts)?;
    show_with(page, &form, Of::NewInvoice, form.refused_status(), None).await
}
