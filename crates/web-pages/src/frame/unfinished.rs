//! Unfinished forms: what a person types is saved before it is submitted, and offered where the
//! form opens. [`KINDS`] has all forms that are saved.

use crate::{
    context::PageContext,
    csrf,
    form::{
        AT, BOOKS, Form, KIND, LANGUAGE, MISSING_FILE, OF, REV, SUBMISSION, UNFINISHED, VERSION,
        mark_of,
    },
    form_problems::FORM_TOO_LARGE,
    frame::opening::{Offer, Opening},
    page::Authenticated,
    texts::{Phrase, Texts},
};
use axum::{
    http::StatusCode,
    response::{IntoResponse, Response},
};
use i18n::Week;
use ledger::calendar::amsterdam_today;
use service::{
    Context, Error, submissions,
    unfinished::{self, MOST_BYTES, Save, Saved, Subject, Summary},
};
use store::{Tx, accounts::Account, people::PersonId};
use web_core::problem::Problem;

/// Field of the last save when the page is left, which nobody can repeat under another UUID.
const LEAVING: &str = "leaving";
/// Field whose value `keep` saves the form without a script.
const ACTION: &str = "action";

/// Fields that are not stored, besides secrets.
const NOT_STORED: [&str; 11] =
    [csrf::FIELD, BOOKS, KIND, UNFINISHED, REV, AT, OF, LEAVING, ACTION, "live", "kept"];

/// Maximum number of forms that a page offers; `/unfinished` has all.
pub const MOST_OFFERED: usize = 3;

/// Reads what a form is about from the value of a field.
type ReadSubject = fn(&str) -> Subject;

/// Kind of form that is saved.
struct FormKind {
    /// Value of the hidden field.
    name: &'static str,
    /// Whether only Dutch accounts have the form.
    is_dutch: bool,
    /// Pages with the form, each with the path to which it is submitted. `{}` is an id.
    places: &'static [(&'static str, &'static str)],
    /// Fields that tell what the form is about, the most telling first.
    subjects: &'static [(&'static str, ReadSubject)],
    /// Last parts of the names of fields that a new form already has values in.
    given: &'static [&'static str],
    /// Name of the kind, as in a list.
    title: fn(Texts) -> Phrase<'static>,
    /// Work of the person, as in a sentence.
    work: fn(Texts, Option<&str>) -> String,
}

fn text(value: &str) -> Subject {
    Subject::Text(value.to_owned())
}

fn contact(value: &str) -> Subject {
    value.parse().map_or(Subject::Unknown, Subject::Contact)
}

/// Every form that is saved. A form of another resource is one more row, and in its page
/// [`Authenticated::open`] and the component `ui::unfinished`.
// Long: a table of forms.
const KINDS: &[FormKind] = &[
    FormKind {
        name: "invoice",
        is_dutch: true,
        places: &[("/invoices/new", "/invoices"), ("/invoices/{}/edit", "/invoices/{}")],
        subjects: &[("customer.name", text), ("customer.contactId", contact)],
        given: &[
            "contactId",
            "invoiceDate",
            "quantity",
            "vatRate",
            "pricesIncludeVat",
            "prepayment",
            "country",
        ],
        title: |texts| texts.t("unfinished-kind-invoice"),
        work: |texts, label| match label {
            Some(label) => texts.t("unfinished-invoice-for").with("label", label).to_string(),
            None => texts.t("unfinished-invoice").to_string(),
        },
    },
    FormKind {
        name: "quote",
        is_dutch: true,
        places: &[("/quotes/new", "/quotes"), ("/quotes/{}/edit", "/quotes/{}")],
        subjects: &[("customer.name", text), ("customer.contactId", contact)],
        given: &[
            "contactId",
            "quoteDate",
            "validUntil",
            "quantity",
            "vatRate",
            "pricesIncludeVat",
            "onAccept",
            "country",
        ],
        title: |texts| texts.t("unfinished-kind-quote"),
        work: |texts, label| match label {
            Some(label) => texts.t("unfinished-quote-for").with("label", label).to_string(),
            None => texts.t("unfinished-quote").to_string(),
        },
    },
    FormKind {
        name: "recurring",
        is_dutch: true,
        places: &[("/recurring/new", "/recurring"), ("/recurring/{}/edit", "/recurring/{}")],
        subjects: &[("customer.name", text), ("customer.contactId", contact)],
        given: &[
            "contactId",
            "unit",
            "count",
            "firstDate",
            "lastDayOfMonth",
            "deliver",
            "supplyPeriod",
            "quantity",
            "vatRate",
            "pricesIncludeVat",
            "country",
        ],
        title: |texts| texts.t("unfinished-kind-recurring"),
        work: |texts, label| match label {
            Some(label) => texts.t("unfinished-recurring-for").with("label", label).to_string(),
            None => texts.t("unfinished-recurring").to_string(),
        },
    },
    FormKind {
        name: "expense",
        is_dutch: true,
        places: &[("/expenses/new", "/expenses"), ("/expenses/{}/edit", "/expenses/{}")],
        subjects: &[("supplier", text), ("contactId", contact), ("description", text)],
        given: &[
            "contactId",
            "date",
            "paidFrom",
            "businessShare",
            "receiptIds",
            "vatRate",
            "vatProposed",
            "vatProposal",
            "vatTreatment",
            "includesVat",
        ],
        title: |texts| texts.t("unfinished-kind-expense"),
        work: |texts, label| match label {
            Some(label) => texts.t("unfinished-expense-for").with("label", label).to_string(),
            None => texts.t("unfinished-expense").to_string(),
        },
    },
    FormKind {
        name: "week",
        is_dutch: false,
        places: &[("/hours?week={}", "/hours/week")],
        subjects: &[("week", text)],
        given: &["week", "projects", "projectId", "category"],
        title: |texts| texts.t("unfinished-kind-week"),
        work: |texts, label| match label.and_then(|label| i18n::read_week(label).ok()) {
            Some(week) => {
                texts.t("unfinished-week-of").with("number", &i64::from(week.number())).to_string()
            }
            None => texts.t("unfinished-week").to_string(),
        },
    },
    FormKind {
        name: "mail",
        is_dutch: true,
        places: &[
            ("/invoices/{}/send", "/invoices/{}/send"),
            ("/invoices/{}/remind", "/invoices/{}/remind"),
            ("/quotes/{}/send", "/quotes/{}/send"),
        ],
        subjects: &[],
        given: &[],
        title: |texts| texts.t("unfinished-kind-mail"),
        work: |texts, label| match label {
            Some(label) => texts.t("unfinished-mail-about").with("label", label).to_string(),
            None => texts.t("unfinished-mail").to_string(),
        },
    },
    FormKind {
        name: "entry",
        is_dutch: true,
        places: &[("/journal/new", "/journal")],
        subjects: &[("description", text)],
        given: &["date"],
        title: |texts| texts.t("unfinished-kind-entry"),
        work: |texts, label| match label {
            Some(label) => texts.t("unfinished-entry-about").with("label", label).to_string(),
            None => texts.t("unfinished-entry").to_string(),
        },
    },
];

/// Id in a path that has the form of `pattern`; empty if the pattern has no id, and `None` if the
/// path has another form.
fn id_in<'p>(pattern: &str, path: &'p str) -> Option<&'p str> {
    let Some((before, after)) = pattern.split_once("{}") else {
        return (pattern == path).then_some("");
    };
    let id = path.strip_prefix(before)?.strip_suffix(after)?;
    let is_id = !id.is_empty() && id.len() <= 18 && id.bytes().all(|byte| byte.is_ascii_digit());
    is_id.then_some(id)
}

impl FormKind {
    fn of(name: &str) -> Option<&'static Self> {
        KINDS.iter().find(|kind| kind.name == name)
    }

    /// Kind of the form that is submitted to a path.
    fn at(path: &str) -> Option<&'static Self> {
        KINDS.iter().find(|kind| kind.places.iter().any(|(_, to)| id_in(to, path).is_some()))
    }

    /// Whether this is a form for a week, whose page depends on a field.
    fn is_weekly(&self) -> bool {
        self.places.iter().any(|(page, _)| page.contains('?'))
    }

    /// Path of the page with the form that names its page in the hidden field, or is submitted to
    /// `path`.
    fn page(&self, form: &Form, path: &str, today: jiff::civil::Date) -> Option<String> {
        if self.is_weekly() {
            return Some(week_page(form.value("week"), today));
        }
        let named = form.value(AT);
        if self.places.iter().any(|(page, _)| id_in(page, named).is_some()) {
            return Some(named.to_owned());
        }
        let place = self.places.iter().find_map(|(page, to)| Some((page, id_in(to, path)?)));
        match place {
            Some((page, id)) => Some(page.replace("{}", id)),
            None => self
                .places
                .iter()
                .map(|(page, _)| *page)
                .find(|page| !page.contains("{}"))
                .map(str::to_owned),
        }
    }

    /// Subject of a form.
    fn subject(&self, form: &Form, page: &str) -> Subject {
        let named = self.subjects.iter().map(|(field, read)| (form.value(field), read));
        let named = named.filter(|(value, _)| !value.is_empty()).map(|(value, read)| read(value));
        let mut named = named.filter(|subject| *subject != Subject::Unknown);
        let of_page = || {
            let (_, rest) = page.split_once("/invoices/")?;
            Some(Subject::Invoice(rest.split('/').next()?.parse().ok()?))
        };
        named.next().or_else(of_page).unwrap_or(Subject::Unknown)
    }

    /// Whether a form of a page contains more than the page filled in.
    fn is_typed(&self, form: &Form, page: &str) -> bool {
        let is_new = self.is_weekly() || self.places.iter().any(|(place, _)| *place == page);
        let is_given = |name: &str| {
            NOT_STORED.contains(&name)
                || [SUBMISSION, VERSION, LANGUAGE].contains(&name)
                || self.given.contains(&name.rsplit('.').next().unwrap_or(name))
        };
        !is_new || form.pairs().any(|(name, value)| !is_given(name) && !value.trim().is_empty())
    }
}

/// Path of the page with the form for a week; by default the week of `today`.
fn week_page(week: &str, today: jiff::civil::Date) -> String {
    format!("/hours?week={}", i18n::read_week(week).unwrap_or_else(|_| Week::of(today)))
}

/// Whether a text is a UUID (RFC 9562, section 4).
fn is_uuid(text: &str) -> bool {
    text.len() == 36
        && text.bytes().enumerate().all(|(place, byte)| match place {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}

/// Whether the name of a field is that of a secret, which is never stored.
fn is_secret(name: &str) -> bool {
    let name = name.to_lowercase();
    name.contains("password") || matches!(name.as_str(), "code" | "seal")
}

/// Fields of a form to store, as a browser sends them.
fn fields_of(form: &Form) -> String {
    let stored = form.pairs().filter(|(name, _)| !NOT_STORED.contains(name) && !is_secret(name));
    let mut text = form_urlencoded::Serializer::new(String::new());
    text.extend_pairs(stored);
    if let Some(file) = form.first_file().filter(|_| form.raw(MISSING_FILE).is_empty()) {
        text.append_pair(MISSING_FILE, file.name.as_deref().unwrap_or_default());
    }
    text.finish()
}

/// Value of the hidden field that identifies a person.
fn mark_of_person(person: PersonId) -> String {
    Form::of([(OF, person.0.to_string())]).version()
}

/// Address of a page with one more parameter.
fn with_parameter(path: &str, name: &str, value: &str) -> String {
    format!("{path}{}{name}={value}", if path.contains('?') { '&' } else { '?' })
}

/// Result of saving a form.
enum Kept {
    /// Saved, under this UUID and number.
    As(String, i64),
    TooLarge,
}

impl PageContext {
    /// UUID of the form: the submitted one, or a new one.
    pub fn unfinished_id(&self, form: &Form) -> Result<String, askama::Error> {
        let given = form.value(UNFINISHED);
        if is_uuid(given) {
            return Ok(given.to_lowercase());
        }
        self.new_uuid().map_err(|trouble| askama::Error::Custom(Box::new(trouble)))
    }

    /// Draws a random UUID (RFC 9562, section 5.4).
    fn new_uuid(&self) -> Result<String, service::environment::NoRandomness> {
        let mut bytes = [0; 16];
        self.app.random().fill(&mut bytes)?;
        let number = u128::from_be_bytes(bytes);
        let version = 0xf << 76;
        let variant = 0b11 << 62;
        let number = number & !version & !variant | 0x4 << 76 | 0b10 << 62;
        let digits = format!("{number:032x}");
        let parts =
            [0..8, 8..12, 12..16, 16..20, 20..32].map(|part| digits.get(part).unwrap_or(""));
        Ok(parts.join("-"))
    }

    /// Number of the last save of the form.
    pub fn unfinished_rev(&self, form: &Form) -> i64 {
        form.value(REV).parse().unwrap_or(0).max(0)
    }

    /// Value of the hidden field that identifies the signed-in person.
    pub fn person_mark(&self) -> String {
        self.signed_in().map_or_else(String::new, |who| mark_of_person(who.account.owner.id))
    }

    /// Reads an unfinished form from a submitted one; `None` for forms that are not saved.
    fn unfinished_of(&self, form: &Form) -> Option<Save> {
        let kind = match form.raw(KIND) {
            "" => FormKind::at(self.path())?,
            name => FormKind::of(name)?,
        };
        let path = kind.page(form, self.path(), amsterdam_today(self.app.now()))?;
        let subject = kind.subject(form, &path);
        let (id, rev) = (form.value(UNFINISHED).to_lowercase(), self.unfinished_rev(form));
        Some(Save { id, form: kind.name, path, rev, fields: fields_of(form), subject })
    }

    /// Whether a submitted form is one that is saved, as the pages make them.
    pub(super) fn is_unfinished(&self, form: &Form) -> bool {
        is_uuid(form.value(UNFINISHED)) && self.unfinished_of(form).is_some()
    }

    /// Whether a form was filled in by the owner of the account for the account's books.
    fn is_of(form: &Form, account: &Account) -> bool {
        form.raw(BOOKS) == mark_of(account.id) && form.raw(OF) == mark_of_person(account.owner.id)
    }

    /// Saves a form for the owner of the account, as the next save of its window. If another
    /// window was first, or the form has ended, it is saved under a new UUID.
    async fn keep_for(&self, account: &Account, mut save: Save) -> Result<Kept, Error> {
        if save.fields.len() > MOST_BYTES {
            return Ok(Kept::TooLarge);
        }
        let fresh = self.new_uuid().map_err(|error| Error::Internal(error.to_string()))?;
        save.rev = save.rev.saturating_add(1);
        if !is_uuid(&save.id) {
            (save.id, save.rev) = (fresh.clone(), 1);
        }
        let (cx, person) = (self.context_of(account), account.owner.id);
        let kept = self.app.execute(account.id, move |tx| {
            if unfinished::save(tx, &cx, person, &save)? == Saved::Stored {
                return Ok((save.id.clone(), save.rev));
            }
            let again = Save { id: fresh.clone(), rev: 1, ..save.clone() };
            unfinished::save(tx, &cx, person, &again)?;
            Ok((again.id, again.rev))
        });
        kept.await.map(|(id, rev)| Kept::As(id, rev))
    }

    /// Saves a form that was sent after its session ended, for the owner of an account who has
    /// signed in since. Returns the address at which they go on; `None` if the form is another
    /// person's, or is not saved.
    pub(super) async fn keep_of_ended(
        &self,
        form: &Form,
        account: &Account,
    ) -> Result<Option<String>, Problem> {
        if !Self::is_of(form, account) {
            return Ok(None);
        }
        let Some(save) = self.unfinished_of(form) else { return Ok(None) };
        let path = save.path.clone();
        Ok(match self.keep_for(account, save).await? {
            Kept::As(id, _) => {
                let address = with_parameter(&path, UNFINISHED, &id);
                Some(with_parameter(&address, "done", "unfinished-restored"))
            }
            Kept::TooLarge => None,
        })
    }

    /// Like [`Self::keep_of_ended`], for a form that arrives in another session of the same person.
    pub async fn keep_of_other_session(&self, form: &Form) -> Option<Response> {
        let who = self.signed_in().filter(|_| self.is_unfinished(form))?;
        let address = self.keep_of_ended(form, &who.account).await.ok().flatten()?;
        // A script expects no page.
        let is_save = self.path() == "/unfinished";
        Some(if is_save {
            StatusCode::NO_CONTENT.into_response()
        } else {
            self.see_with_flash(&address)
        })
    }
}

impl Authenticated {
    fn person(&self) -> PersonId {
        self.who.account.owner.id
    }

    fn offer(&self, summary: Summary) -> Option<Offer> {
        let kind = FormKind::of(&summary.form)?;
        let label = Some(summary.label.as_str()).filter(|label| !label.is_empty());
        Some(Offer {
            title: (kind.title)(self.texts).to_string(),
            work: (kind.work)(self.texts, label),
            address: with_parameter(&summary.path, UNFINISHED, &summary.id),
            label: summary.label,
            id: summary.id,
            saved_at: summary.saved_at,
        })
    }

    /// Unfinished forms of the person in this account, and those that they discarded within a day.
    pub async fn unfinished(&self) -> Result<(Vec<Offer>, Vec<Offer>), Problem> {
        let (cx, person) = (self.context(), self.person());
        let read = move |tx: &mut Tx<'_>| {
            Ok((unfinished::list(tx, &cx, person)?, unfinished::discarded(tx, &cx, person)?))
        };
        let (open, discarded) = self.app.query(self.who.account.id, read).await?;
        Ok((self.offers(open), self.offers(discarded)))
    }

    /// Unfinished forms as they are offered.
    pub fn offers(&self, summaries: Vec<Summary>) -> Vec<Offer> {
        summaries.into_iter().filter_map(|summary| self.offer(summary)).collect()
    }

    /// Form with which the page at `path` opens: the requested unfinished form, or else `fresh`,
    /// with the unfinished forms of the same page.
    pub async fn open(&self, path: &str, fresh: Form) -> Result<Form, Problem> {
        let (cx, person, asked) = (self.context(), self.person(), self.query(UNFINISHED));
        let asked_for = asked.clone().filter(|id| is_uuid(id)).map(|id| id.to_lowercase());
        let here = path.to_owned();
        let read = move |tx: &mut Tx<'_>| {
            let found = match &asked_for {
                Some(id) => unfinished::read(tx, &cx, person, id)?,
                None => None,
            };
            let Some(found) = found.filter(|found| found.path == here) else {
                let mut listed = unfinished::list(tx, &cx, person)?;
                listed.retain(|summary| summary.path == here);
                return Ok((None, listed));
            };
            let stored = Form::read(found.fields.as_bytes()).unwrap_or_default();
            let submission = stored.value(SUBMISSION).to_owned();
            // A window with the same form may have submitted it since.
            let is_used = submissions::known(tx, &cx, &submission)?.is_some();
            Ok((Some((stored, found.id, found.rev, is_used)), Vec::new()))
        };
        let (found, mut listed) = self.app.query(self.who.account.id, read).await?;
        let Some((mut stored, id, rev, is_used)) = found else {
            listed.truncate(MOST_OFFERED);
            let (offers, is_gone) = (self.offers(listed), asked.is_some());
            return Ok(fresh.opening(Opening { offers, is_gone, is_resumed: false }));
        };
        if is_used || stored.raw(SUBMISSION).is_empty() {
            stored = stored.with(SUBMISSION, fresh.raw(SUBMISSION));
        }
        if stored.raw(VERSION).is_empty() && !fresh.raw(VERSION).is_empty() {
            stored = stored.with(VERSION, fresh.raw(VERSION));
        }
        let stored = stored.with(UNFINISHED, id).with(REV, rev.to_string());
        Ok(stored.opening(Opening { is_resumed: true, ..Opening::default() }))
    }

    /// Saves a refused form; returns it with the number of that save. If it cannot be saved, the
    /// page still has everything that was typed.
    pub async fn keep_refused(&self, form: Form) -> Form {
        let Some(save) = self.unfinished_of(&form).filter(|_| is_uuid(form.value(UNFINISHED)))
        else {
            return form;
        };
        let is_typed = FormKind::of(save.form).is_some_and(|kind| kind.is_typed(&form, &save.path));
        if !is_typed {
            return form;
        }
        match self.keep_for(&self.who.account, save).await {
            Ok(Kept::As(id, rev)) => form.with(UNFINISHED, id).with(REV, rev.to_string()),
            Ok(Kept::TooLarge) => form,
            Err(error) => {
                tracing::warn!(%error, "failed to save an unfinished form");
                form
            }
        }
    }

    /// Saves a form whose button *keep* was pressed, and redirects to where it goes on; `None` if
    /// another button was pressed.
    pub async fn keep_pressed(&self, form: &Form) -> Option<Result<Response, Problem>> {
        let save = self.unfinished_of(form).filter(|_| form.value(ACTION) == "keep")?;
        let path = save.path.clone();
        Some(match self.keep_for(&self.who.account, save).await {
            Ok(Kept::As(id, _)) => {
                let address = with_parameter(&path, UNFINISHED, &id);
                Ok(self.see_with_flash(&with_parameter(&address, "done", "unfinished-kept")))
            }
            Ok(Kept::TooLarge) => {
                Err(Problem::new(FORM_TOO_LARGE, "the form is too large to keep"))
            }
            Err(error) => Err(error.into()),
        })
    }

    /// Saves a form for a script: the form names its number, and another window's save is reported.
    pub(crate) async fn save_unfinished(&self, form: &Form) -> Result<SaveOutcome, Problem> {
        let rev = form.value(REV).parse().ok().filter(|rev: &i64| *rev >= 1);
        let known = FormKind::of(form.raw(KIND)).filter(|_| is_uuid(form.value(UNFINISHED)));
        let (Some(kind), Some(_)) = (known, rev) else { return Ok(SaveOutcome::Invalid) };
        if kind.is_dutch {
            self.context().actor.require_dutch()?;
        }
        let Some(save) = self.unfinished_of(form) else { return Ok(SaveOutcome::Invalid) };
        if save.fields.len() > MOST_BYTES {
            return Err(Problem::new(FORM_TOO_LARGE, "the form is too large to keep"));
        }
        let (cx, person, rescued) = (self.context(), self.person(), save.clone());
        let saved = self
            .app
            .execute(self.who.account.id, move |tx| unfinished::save(tx, &cx, person, &save))
            .await?;
        if saved == Saved::Outdated && form.has(LEAVING, "true") {
            // The page is gone, and cannot save again under another UUID.
            self.keep_for(&self.who.account, Save { id: String::new(), ..rescued }).await?;
            return Ok(SaveOutcome::Saved);
        }
        Ok(if saved == Saved::Stored { SaveOutcome::Saved } else { SaveOutcome::Outdated })
    }

    /// UUID of the unfinished form that a command receives with this form.
    pub(super) fn finishes(form: &Form) -> Option<String> {
        Some(form.value(UNFINISHED).to_lowercase()).filter(|id| is_uuid(id))
    }

    /// Context and owner, for a command on an unfinished form.
    pub(crate) fn unfinished_context(&self) -> (Context, PersonId) {
        (self.context(), self.person())
    }
}

/// Result of saving a form for a script.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SaveOutcome {
    /// The form is stored.
    Saved,
    /// Another window saved the form, or it has ended.
    Outdated,
    /// The form has no known kind, UUID or number.
    Invalid,
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    #[test]
    fn a_form_leads_to_its_page() {
        let today = date(2026, 11, 20);
        let page = |kind: &str, path: &str, fields: &[(&str, &str)]| {
            FormKind::of(kind).unwrap().page(&Form::of(fields.iter().copied()), path, today)
        };
        type Fields<'f> = &'f [(&'f str, &'f str)];
        let cases: [(&str, &str, Fields<'_>, Option<&str>); 10] = [
            ("invoice", "/invoices", &[], Some("/invoices/new")),
            ("invoice", "/invoices/12", &[], Some("/invoices/12/edit")),
            ("invoice", "/unfinished", &[], Some("/invoices/new")),
            ("invoice", "/unfinished", &[(AT, "/invoices/7/edit")], Some("/invoices/7/edit")),
            ("invoice", "/unfinished", &[(AT, "//evil.example")], Some("/invoices/new")),
            ("mail", "/unfinished", &[], None),
            ("mail", "/invoices/3/remind", &[], Some("/invoices/3/remind")),
            ("week", "/hours/week", &[("week", "2026-W10")], Some("/hours?week=2026-W10")),
            ("week", "/unfinished", &[("week", "x")], Some("/hours?week=2026-W47")),
            ("entry", "/journal", &[(AT, "/invoices/7/edit")], Some("/journal/new")),
        ];
        for (kind, path, fields, expected) in cases {
            assert_eq!(page(kind, path, fields).as_deref(), expected, "{kind} {path} {fields:?}");
        }
        assert!(FormKind::at("/settings").is_none() && FormKind::of("password").is_none());
    }

    #[test]
    fn what_a_page_fills_in_is_not_typed() {
        let kind = FormKind::of("invoice").unwrap();
        let fresh = [("submission", "x"), ("invoiceDate", "2026-11-20"), ("items.0.quantity", "1")];
        assert!(!kind.is_typed(&Form::of(fresh), "/invoices/new"));
        let typed = Form::of(fresh).with("items.0.description", "Ontwerp");
        assert!(kind.is_typed(&typed, "/invoices/new"));
        assert!(kind.is_typed(&Form::of(fresh), "/invoices/7/edit"));
    }

    #[test]
    fn secrets_are_never_stored() {
        let form = Form::of([
            ("csrf", "s"),
            ("customer.name", "Café & Zn."),
            ("newPassword", "s"),
            ("code", "s"),
            ("action", "keep"),
            ("submission", "x"),
        ]);
        assert_eq!(fields_of(&form), "customer.name=Caf%C3%A9+%26+Zn.&submission=x");
    }
}
