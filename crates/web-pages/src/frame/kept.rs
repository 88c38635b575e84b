//! Forms submitted after their session has ended: the pages carry the form through sign-in, and
//! then offer to submit it again. No part of the form is stored, except that of a form which is
//! saved unfinished ([`super::unfinished`]): it is encrypted on its way, and becomes the unfinished
//! form of the person who filled it in, once they sign in.

use crate::{
    context::PageContext,
    csrf,
    form::{BOOKS, Form, LANGUAGE, MISSING_FILE, OWN_FIELDS, mark_of},
    return_to,
    submit::{SUBMISSION, VERSION},
};
use askama::Template;
use axum::{http::StatusCode, response::Response};
use service::unfinished;
use store::accounts::Account;
use web_core::problem::Problem;

/// Hidden field that carries a form.
pub const KEPT: &str = "kept";
/// Path to which the form was submitted; precedes the form's own fields.
const PATH: &str = "kept-path";

/// Precedes a form that is encrypted.
const ENCRYPTED: &str = "encrypted:";

/// Form carried through sign-in.
struct KeptForm {
    path: String,
    fields: Vec<(String, String)>,
}

#[derive(Template)]
#[template(path = "frame/sign-in-again.html")]
struct SignInAgain<'a> {
    page: &'a PageContext,
    form: &'a Form,
    next: &'a str,
    kept: &'a str,
    /// Whether the form becomes an unfinished form after sign-in.
    is_encrypted: bool,
}

#[derive(Template)]
#[template(path = "frame/send-again.html")]
struct SendAgain<'a> {
    page: &'a PageContext,
    kept: &'a KeptForm,
    /// CSRF token for the new session, which starts with this page.
    csrf: String,
}

/// Encodes a form to be carried along. `None` for an empty form, and for a form with a password, a
/// code or a signature bound to its session.
fn text_of(path: &str, form: &Form) -> Option<String> {
    let is_own = |name: &str| {
        !matches!(
            name,
            csrf::FIELD | SUBMISSION | VERSION | MISSING_FILE | BOOKS | LANGUAGE | "action"
        ) && !OWN_FIELDS.contains(&name)
    };
    let is_secret = form.pairs().any(|(name, _)| {
        name.to_lowercase().contains("password") || name.contains("code") || name == "seal"
    });
    let is_filled = form.pairs().any(|(name, value)| is_own(name) && !value.trim().is_empty());
    if is_secret || !is_filled {
        return None;
    }
    let mut text = form_urlencoded::Serializer::new(String::new());
    text.append_pair(PATH, path);
    text.extend_pairs(form.pairs().filter(|(name, _)| *name != csrf::FIELD));
    if let Some(file) = form.first_file().filter(|_| form.raw(MISSING_FILE).is_empty()) {
        text.append_pair(MISSING_FILE, file.name.as_deref().unwrap_or_default());
    }
    Some(text.finish())
}

fn read(text: &str) -> Option<KeptForm> {
    let mut pairs = form_urlencoded::parse(text.as_bytes()).into_owned();
    let (name, path) = pairs.next()?;
    let is_path = name == PATH && return_to::local(&path).is_some();
    is_path.then(|| KeptForm { path, fields: pairs.collect() })
}

impl KeptForm {
    /// Whether the form was filled in for the books of this account. Ids start at 1 in every
    /// account, so the form could otherwise affect the wrong books.
    fn is_of(&self, account: i64) -> bool {
        let mark = self.fields.iter().find(|(name, _)| name == BOOKS);
        mark.is_some_and(|(_, mark)| *mark == mark_of(account))
    }

    /// Name of the file that must be chosen again.
    fn missing_file(&self) -> Option<&str> {
        self.fields.iter().find(|(name, _)| name == MISSING_FILE).map(|(_, file)| file.as_str())
    }
}

impl PageContext {
    /// Adds a fault on `field` that asks for the file that was not carried along; returns whether
    /// there was such a file.
    pub fn ask_for_missing_file(&self, form: &mut Form, field: &str) -> bool {
        let file = form.value(MISSING_FILE).to_owned();
        if !file.is_empty() {
            form.refuse(field, self.t("kept-file-fault").with("file", file.as_str()));
        }
        !file.is_empty()
    }

    /// Page that carries the submitted form through a new sign-in; `None` if the form has nothing
    /// to keep.
    pub fn sign_in_again(&self, form: &Form) -> Option<Result<Response, Problem>> {
        let kept = text_of(self.path_and_query(), form)?;
        let encrypted = self.encrypted(form, &kept);
        let (is_encrypted, kept) = (encrypted.is_some(), encrypted.unwrap_or(kept));
        let blank = Form::default();
        let view = SignInAgain { page: self, form: &blank, next: "/", kept: &kept, is_encrypted };
        Some(self.show_as(StatusCode::UNAUTHORIZED, &view))
    }

    /// Encrypts a form that is saved unfinished. `None` for any other form, for one that is too
    /// large to save, and without an encryption key: those are carried as they are.
    fn encrypted(&self, form: &Form, kept: &str) -> Option<String> {
        let key = self.app.encryption_key().filter(|_| self.is_unfinished(form))?;
        if kept.len() > unfinished::MOST_BYTES {
            return None;
        }
        let encrypted = unfinished::encrypt(key, &*self.app.random(), self.app.now(), kept);
        Some(format!("{ENCRYPTED}{}", encrypted.ok()?))
    }

    /// Saves the encrypted form that a sign-in carried along, if its owner filled it in within the
    /// last 24 hours. Returns the address at which they go on.
    pub async fn keep_carried(
        &self,
        form: &Form,
        account: &Account,
    ) -> Result<Option<String>, Problem> {
        let encrypted = form.raw(KEPT).strip_prefix(ENCRYPTED);
        let (Some(encrypted), Some(key)) = (encrypted, self.app.encryption_key()) else {
            return Ok(None);
        };
        let Some(kept) = unfinished::decrypt(key, self.app.now(), encrypted) else {
            return Ok(None);
        };
        match read(&kept) {
            Some(kept) => self.keep_of_ended(&Form::of(kept.fields), account).await,
            None => Ok(None),
        }
    }

    /// Text that carries the submitted form along; empty if the form has nothing to keep.
    pub fn carried(&self, form: &Form) -> String {
        text_of(self.path_and_query(), form).unwrap_or_default()
    }

    /// Page that receives a form from an ended session: it asks for sign-in, or offers to submit
    /// the form in the current session. `None` if the form has nothing to keep, or belongs to other
    /// books.
    pub fn offer_again(&self, form: &Form) -> Option<Result<Response, Problem>> {
        // Every form in a signed-in session has both fields. Other forms are not carried along.
        let was_of_a_session = [csrf::FIELD, BOOKS].iter().all(|name| !form.raw(name).is_empty());
        if !was_of_a_session || self.awaiting_second_factor().is_some() {
            return None;
        }
        let Some(who) = self.signed_in() else { return self.sign_in_again(form) };
        let kept = read(&text_of(self.path_and_query(), form)?)
            .filter(|kept| kept.is_of(who.account.id))?;
        let csrf = self.csrf().map_err(|_| Problem::internal());
        let view = |csrf| SendAgain { page: self, kept: &kept, csrf };
        Some(csrf.and_then(|csrf| self.show_as(StatusCode::FORBIDDEN, &view(csrf))))
    }

    /// Page that offers to submit the carried form again in an account's new session, which `token`
    /// identifies. `None` if no form was carried along, or if the form belongs to other books.
    pub fn send_again(
        &self,
        form: &Form,
        (account, token): (i64, &str),
    ) -> Option<Result<Response, Problem>> {
        let kept = read(form.raw(KEPT)).filter(|kept| kept.is_of(account))?;
        Some(
            self.csrf_of(token)
                .map_err(|_| Problem::internal())
                .and_then(|csrf| self.show(&SendAgain { page: self, kept: &kept, csrf })),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_goes_along_whole_and_only_to_pages_of_ours() {
        let form =
            Form::of([("csrf", "secret"), ("customer.name", "Café & Zn."), ("action", "sent")]);
        let kept = read(&text_of("/invoices", &form).unwrap()).unwrap();
        assert_eq!(kept.path, "/invoices");
        assert_eq!(
            kept.fields,
            [("customer.name", "Café & Zn."), ("action", "sent")]
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
        );
        for secret in [("password", "x"), ("newPassword", "x"), ("code", "123456")] {
            assert_eq!(text_of("/settings/password", &Form::of([("name", "x"), secret])), None);
        }
        assert_eq!(
            text_of("/invoices/1/copy", &Form::of([("csrf", "x"), ("submission", "x")])),
            None
        );
        assert!(!kept.is_of(1), "a form that does not say whose it is");
        let mine = Form::of([("books", mark_of(1)), ("name", "x".to_owned())]);
        let kept = read(&text_of("/contacts", &mine).unwrap()).unwrap();
        assert!(kept.is_of(1) && !kept.is_of(2));
        assert!(
            read("kept-path=%2F%2Fevil.example&a=b").is_none()
                && read("a=b").is_none()
                && read("").is_none()
        );
    }
}
