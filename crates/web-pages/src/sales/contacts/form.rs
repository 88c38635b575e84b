//! `/contacts/new` and `/contacts/{id}/edit`: the form for a contact.

use crate::{
    form::Form,
    id::Id,
    labels,
    page::Authenticated,
    submit::{Difference, SUBMISSION, VERSION},
    texts::{self, Phrase, Texts},
};
use askama::Template;
use axum::{http::StatusCode, response::Response};
use ledger::{
    calendar::amsterdam_today,
    customer::EmailUse,
    identifiers::{Bic, Iban},
};
use service::{
    Context, Error,
    contact_edits::{self, EditContact},
    contacts::{self, NewContact},
};
use store::{Tx, contacts::Contact};
use web_core::{
    input::{self, Parsed, new_contact},
    problem::Problem,
};

#[derive(Template)]
#[template(path = "sales/contact-form.html")]
struct View<'a> {
    page: &'a Authenticated,
    form: &'a Form,
    /// Contact being edited.
    edited: Option<Contact>,
    /// Edit conflicts: the submitted and the stored value of each field that differs.
    differences: Vec<Difference>,
}

impl View<'_> {
    fn action(&self) -> String {
        self.edited
            .as_ref()
            .map_or("/contacts".to_owned(), |contact| format!("/contacts/{}", contact.id))
    }

    /// Numbers of the lines of further addresses: those with an address, and a blank one.
    fn others(&self) -> Vec<usize> {
        let is_filled = |place: &usize| {
            let name = format!("emails.{place}.email");
            !self.form.raw(&name).is_empty() || self.form.fault(&name).is_some()
        };
        let last = (1..=MOST_OTHERS).rev().find(is_filled).unwrap_or(0);
        (1..=(last + 1).min(MOST_OTHERS)).collect()
    }

    /// Uses of an address, with the name of the field and whether it is ticked.
    fn uses(&self, place: &usize) -> Vec<(String, &'static str, Phrase<'static>, bool)> {
        let texts = self.page.texts;
        let field = |of: &EmailUse| {
            let name = format!("emails.{place}.uses.{}", of.as_str());
            let is_ticked = self.form.is_given(&name);
            (name, of.as_str(), email_use(texts, *of), is_ticked)
        };
        EmailUse::ALL.iter().map(field).collect()
    }

    /// Whether to show the further addresses and the uses of the first one.
    fn has_addresses(&self) -> bool {
        let is_all = EmailUse::ALL
            .iter()
            .all(|of| self.form.is_given(&format!("emails.0.uses.{}", of.as_str())));
        !is_all
            || self.others().len() > 1
            || self.form.faults().iter().any(|fault| fault.field.starts_with("emails."))
    }

    /// Whether to show the less common fields.
    fn has_more(&self) -> bool {
        MORE.iter().any(|name| self.form.is_given(name) || self.form.fault(name).is_some())
    }

    fn kinds(&self) -> [(&'static str, Phrase<'static>); 3] {
        kinds(self.page.texts)
    }

    fn languages(&self) -> [(&'static str, Phrase<'static>); 3] {
        languages(self.page.texts)
    }

    fn categories(&self) -> Vec<(&'static str, Phrase<'static>)> {
        let texts = self.page.texts;
        vec![
            ("", texts.t("vat-category-none")),
            ("zero", texts.t("vat-category-zero")),
            ("reverseCharge", texts.t("vat-category-reverse-charge")),
            ("exempt", texts.t("vat-category-exempt")),
            ("intraCommunity", texts.t("vat-category-intra-community")),
            ("export", texts.t("vat-category-export")),
            ("serviceOutsideEu", texts.t("vat-category-service-outside-eu")),
            ("outOfScope", texts.t("vat-category-out-of-scope")),
        ]
    }

    fn supplies(&self) -> [(&'static str, Phrase<'static>); 4] {
        let texts = self.page.texts;
        [
            ("", texts.t("supply-usual")),
            ("services", texts.t("supply-services")),
            ("goods", texts.t("supply-goods")),
            ("electronic", texts.t("supply-electronic")),
        ]
    }

    /// Rates to choose from: those of today, and the one that the contact has.
    fn rates(&self) -> Vec<(String, String)> {
        let texts = self.page.texts;
        let usual = (String::new(), texts.t("vat-default-none").to_string());
        let mut rates = vec![usual];
        rates.extend(texts::vat_rates(texts, amsterdam_today(self.page.app.now())));
        let own = self.form.value("vatDefault.vatRate");
        if !own.is_empty() && !rates.iter().any(|(rate, _)| rate == own) {
            rates.push((own.to_owned(), format!("{own}%")));
        }
        rates
    }
}

/// Form filled from a contact. The first address for invoices is the field `email`, with its uses in
/// line 0 of the addresses; the others follow.
fn fill(contact: &Contact) -> Form {
    let account = &contact.account;
    let bank = [
        ("iban", account.iban.as_ref().map_or("", Iban::as_str)),
        ("bic", account.bic.as_ref().map_or("", Bic::as_str)),
    ];
    let fields = contact.party.form_fields().chain(bank);
    let mut pairs: Vec<(String, String)> =
        fields.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    let mut addresses = contact.party.addresses();
    let first =
        addresses.iter().position(|address| Some(&address.email) == contact.party.email.as_ref());
    let first = first.map(|place| addresses.remove(place));
    let uses = first.map_or_else(|| EmailUse::ALL.to_vec(), |address| address.uses);
    pairs.extend(uses_of(0, &uses));
    for (place, address) in addresses.iter().enumerate() {
        pairs.push((format!("emails.{}.email", place + 1), address.email.clone()));
        pairs.extend(uses_of(place + 1, &address.uses));
    }
    Form::of(pairs)
}

/// Ticked uses of an address.
fn uses_of(place: usize, uses: &[EmailUse]) -> impl Iterator<Item = (String, String)> {
    let ticked = |of: &EmailUse| (format!("emails.{place}.uses.{}", of.as_str()), of.as_str());
    uses.iter()
        .map(ticked)
        .map(|(name, value)| (name, value.to_owned()))
        .collect::<Vec<_>>()
        .into_iter()
}

/// Number of further addresses that the form can have.
const MOST_OTHERS: usize = 9;

/// Fields of a form as the reader takes them: the field `email` is the first of the addresses, unless
/// it is the only one, for every use. Lines without an address are left out.
fn as_addresses(form: &Form) -> Vec<(String, String)> {
    let is_address = |name: &str| name.starts_with("emails.");
    let others: Vec<usize> = (1..=MOST_OTHERS)
        .filter(|place| !form.value(&format!("emails.{place}.email")).is_empty())
        .collect();
    let ticked =
        EmailUse::ALL.iter().filter(|of| form.is_given(&format!("emails.0.uses.{}", of.as_str())));
    let (ticked, asks) = (ticked.count(), form.all("emails.0.uses.none").next().is_some());
    let is_alone = others.is_empty() && (!asks || ticked == EmailUse::ALL.len());
    let first = form.value("email").to_owned();
    let mut pairs: Vec<(String, String)> = form
        .pairs()
        .filter(|(name, _)| !is_address(name) && (is_alone || *name != "email"))
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect();
    if is_alone {
        return pairs;
    }
    if !first.is_empty() {
        pairs.push(("emails.0.email".to_owned(), first.clone()));
    }
    let kept = |name: &str| {
        let place = name.split('.').nth(1).and_then(|place| place.parse().ok());
        place.is_some_and(|place| (place == 0 && !first.is_empty()) || others.contains(&place))
    };
    let lines = form.pairs().filter(|(name, _)| is_address(name) && kept(name));
    pairs.extend(lines.map(|(name, value)| (name.to_owned(), value.to_owned())));
    pairs
}

/// Reads a contact from a form; a fault in the first address is one of the field `email`.
fn read(page: &Authenticated, form: &Form) -> Parsed<NewContact> {
    let pairs = as_addresses(form);
    let pairs = pairs.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    let mut parsed = input::form(pairs, page.texts.language, new_contact);
    for fault in &mut parsed.faults {
        if fault.path == "/emails/0/email" {
            fault.path = "/email".to_owned();
        }
    }
    parsed
}

/// Fields of the form that are folded away.
const MORE: [&str; 7] = [
    "paymentTermDays",
    "vatDefault.vatRate",
    "vatDefault.vatCategory",
    "vatDefault.supply",
    "peppolId",
    "language",
    "remindersStopped",
];

/// Name of a use of an email address.
pub(super) fn email_use(texts: Texts, of: EmailUse) -> Phrase<'static> {
    match of {
        EmailUse::Invoice => texts.t("email-use-invoice"),
        EmailUse::Quote => texts.t("email-use-quote"),
        EmailUse::Reminder => texts.t("email-use-reminder"),
        EmailUse::Thanks => texts.t("email-use-thanks"),
    }
}

/// Kinds of customer to choose from.
pub(crate) fn kinds(texts: Texts) -> [(&'static str, Phrase<'static>); 3] {
    [
        ("", texts.t("customer-kind-unknown")),
        ("business", texts.t("customer-kind-business")),
        ("consumer", texts.t("customer-kind-consumer")),
    ]
}

/// Languages of documents to choose from.
pub(crate) fn languages(texts: Texts) -> [(&'static str, Phrase<'static>); 3] {
    [
        ("", texts.t("customer-language-own")),
        ("nl", texts.t("customer-language-nl")),
        ("en", texts.t("customer-language-en")),
    ]
}

fn show_with(
    page: &Authenticated,
    form: &Form,
    edited: Option<Contact>,
    differences: Vec<Difference>,
    status: StatusCode,
) -> Result<Response, Problem> {
    page.show_as(status, &View { page, form, edited, differences })
}

/// `GET /contacts/new`
pub(super) async fn show_new(page: Authenticated) -> Result<Response, Problem> {
    let uses = uses_of(0, EmailUse::ALL);
    let pairs = [("country".to_owned(), "NL".to_owned())].into_iter().chain(uses);
    let form = Form::of(pairs).with(SUBMISSION, page.new_submission()?);
    show_with(&page, &form, None, Vec::new(), StatusCode::OK)
}

/// `POST /contacts`
pub(super) async fn create(page: Authenticated, form: Form) -> Result<Response, Problem> {
    let parsed = read(&page, &form);
    let run = |tx: &mut Tx<'_>, cx: &Context, new: &NewContact| {
        let made = contacts::create(tx, cx, new)?.into_inner();
        Ok(format!("/contacts/{}?done=contact-created", made.id))
    };
    page.carry_out(form, parsed, run, async |form, status| {
        show_with(&page, &form, None, Vec::new(), status)
    })
    .await
}

async fn stored(page: &Authenticated, id: i64) -> Result<Contact, Problem> {
    let cx = page.context();
    Ok(page.app.query(page.who.account.id, move |tx| contacts::read(tx, &cx, id)).await?)
}

/// `GET /contacts/{id}/edit`
pub(super) async fn show_edit(page: Authenticated, Id(id): Id) -> Result<Response, Problem> {
    let contact = stored(&page, id).await?;
    let filled = fill(&contact);
    let version = filled.version();
    let form = filled.with(VERSION, version).with(SUBMISSION, page.new_submission()?);
    show_with(&page, &form, Some(contact), Vec::new(), StatusCode::OK)
}

/// `POST /contacts/{id}`
pub(super) async fn update(
    page: Authenticated,
    Id(id): Id,
    form: Form,
) -> Result<Response, Problem> {
    let before = stored(&page, id).await?;
    let parsed = read(&page, &form);
    let version = form.raw(VERSION).to_owned();
    let run = move |tx: &mut Tx<'_>, cx: &Context, new: &NewContact| {
        let as_seen = |there: &Contact| version.is_empty() || fill(there).version() == version;
        contact_edits::edit(tx, cx, id, &EditContact::to(new), &as_seen)?;
        Ok::<_, Error>(format!("/contacts/{id}?done=contact-edited"))
    };
    page.carry_out(form, parsed, run, async |form, status| {
        if !form.is_outdated() {
            return show_with(&page, &form, Some(before), Vec::new(), status);
        }
        let contact = stored(&page, id).await?;
        let now = fill(&contact);
        let form = form.with(VERSION, now.version());
        let differences = page.labelled(form.differences(&now), labels::PARTY);
        show_with(&page, &form, Some(contact), differences, status)
    })
    .await
}
