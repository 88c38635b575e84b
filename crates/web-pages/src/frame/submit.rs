//! Processes the form of a page once. Every fault is shown on its field, and concurrent edits are
//! not overwritten.

use crate::{
    csrf,
    form::{Form, OWN_FIELDS},
    labels::Labels,
    page::Authenticated,
};
use axum::{http::StatusCode, response::Response};
use service::{
    Context, Error, Fault,
    submissions::{self, Sent},
    unfinished,
};
use store::Tx;
use web_core::{input::Parsed, problem::Problem};

pub use crate::form::{SUBMISSION, VERSION};

impl Authenticated {
    /// Idempotency token for the hidden field of a new form.
    pub fn new_submission(&self) -> Result<String, Problem> {
        self.submission().map_err(|_| Problem::internal())
    }

    /// Redirects to the result of a form that has already been processed; `None` if it has not.
    pub async fn known_submission(&self, form: &Form) -> Result<Option<Response>, Problem> {
        Ok(self.known_location(form).await?.map(|location| self.see_with_flash(&location)))
    }

    async fn known_location(&self, form: &Form) -> Result<Option<String>, Problem> {
        let submission: String = form.value(SUBMISSION).chars().take(64).collect();
        if submission.is_empty() {
            return Ok(None);
        }
        let cx = self.context();
        Ok(self
            .app
            .query(self.who.account.id, move |tx| submissions::known(tx, &cx, &submission))
            .await?)
    }

    /// Executes the command that was read from a form, and redirects to the URL that `run` returns.
    /// `show_again` renders a rejected form with the given status. The form then contains its
    /// faults; a form without faults [is outdated](Form::is_outdated).
    pub async fn carry_out<C: Send + 'static, P: Send + 'static>(
        &self,
        form: Form,
        parsed: Parsed<C, P>,
        run: impl Fn(&mut Tx<'_>, &Context, &C) -> Result<String, Error> + Send + 'static,
        show_again: impl AsyncFnOnce(Form, StatusCode) -> Result<Response, Problem>,
    ) -> Result<Response, Problem> {
        self.carry_out_if_valid(form, parsed, |_, _, _| Ok(Vec::new()), run, show_again).await
    }

    /// Like [`Self::carry_out`], for a form without fields, that is, a button.
    pub async fn press(
        &self,
        form: Form,
        run: impl Fn(&mut Tx<'_>, &Context) -> Result<String, Error> + Send + 'static,
        show_again: impl AsyncFnOnce(Form, StatusCode) -> Result<Response, Problem>,
    ) -> Result<Response, Problem> {
        let run = move |tx: &mut Tx<'_>, cx: &Context, (): &()| run(tx, cx);
        self.carry_out(form, Parsed::new(None, Some(())), run, show_again).await
    }

    /// Like [`Self::carry_out`]. If the form has faults, `validate` adds the faults that only the
    /// books can reveal, so that all faults are shown at once.
    pub async fn carry_out_if_valid<C: Send + 'static, P: Send + 'static>(
        &self,
        mut form: Form,
        parsed: Parsed<C, P>,
        validate: impl Fn(&mut Tx<'_>, &Context, &P) -> Result<Vec<Fault>, Error> + Send + 'static,
        run: impl Fn(&mut Tx<'_>, &Context, &C) -> Result<String, Error> + Send + 'static,
        show_again: impl AsyncFnOnce(Form, StatusCode) -> Result<Response, Problem>,
    ) -> Result<Response, Problem> {
        if let Some(command) = parsed.command {
            match self.once(&form, move |tx, cx| run(tx, cx, &command)).await {
                Ok(response) => return Ok(response),
                Err(Error::Changed) => {}
                Err(error) => form.take(error, self.texts)?,
            }
        } else {
            // The form may have been processed before, with other values.
            if let Some(location) = self.known_location(&form).await? {
                return Ok(self.see_dropped(&location));
            }
            let cx = self.context();
            let (partial, mut faults) = (parsed.partial, parsed.faults);
            faults.extend(
                self.app.query(self.who.account.id, move |tx| validate(tx, &cx, &partial)).await?,
            );
            form.take_faults(&faults, self.texts);
        }
        let status = form.refused_status();
        show_again(self.keep_refused(form).await, status).await
    }
}

impl Authenticated {
    /// Executes the command of a form once, and redirects to the URL that `run` returns. Submitting
    /// the same form again redirects to the same URL.
    ///
    /// # Errors
    /// The command failed. Only a successful command uses up the form.
    pub async fn once(
        &self,
        form: &Form,
        run: impl Fn(&mut Tx<'_>, &Context) -> Result<String, Error> + Send + 'static,
    ) -> Result<Response, Error> {
        let cx = self.context();
        // Our pages never submit a longer key, so it does not matter that a longer one is cut off.
        let (submission, content): (String, _) =
            (form.value(SUBMISSION).chars().take(64).collect(), content_of(form));
        let has_version = !form.value(VERSION).is_empty();
        let (finished, person) = (Self::finishes(form), self.who.account.owner.id);
        let run = move |tx: &mut Tx<'_>, cx: &Context| {
            if has_version {
                submissions::lock(tx, cx)?;
            }
            let location = run(tx, cx)?;
            if let Some(id) = &finished {
                unfinished::end(tx, cx, person, id)?;
            }
            Ok(location)
        };
        let sent = self.app.execute(cx.actor.account, move |tx| {
            if submission.is_empty() {
                return run(tx, &cx).map(|location| Sent { location, is_dropped: false });
            }
            submissions::once_as_filled(tx, &cx, (&submission, &content), |tx| run(tx, &cx))
        });
        let Sent { location, is_dropped } = sent.await?;
        Ok(if is_dropped { self.see_dropped(&location) } else { self.see_with_flash(&location) })
    }

    /// Executes the command of a button that ends the resource in the URL, and redirects to
    /// `target`, even if the button is pressed twice.
    pub async fn end_once(
        &self,
        target: &'static str,
        run: impl Fn(&mut Tx<'_>, &Context) -> Result<(), Error> + Send + 'static,
    ) -> Result<Response, Problem> {
        let (cx, button) = (self.context(), self.path().to_owned());
        let ended = self.app.execute(self.who.account.id, move |tx| {
            submissions::end_once(tx, &cx, &button, |tx| {
                run(tx, &cx)?;
                Ok(target.to_owned())
            })
        });
        Ok(self.see_with_flash(&ended.await?))
    }
}

/// Fingerprint of the input.
fn content_of(form: &Form) -> String {
    let is_content = |name: &str| name != csrf::FIELD && !OWN_FIELDS.contains(&name);
    Form::of(form.pairs().filter(|(name, _)| is_content(name))).version()
}

/// Label of a field, its submitted value and its stored value.
pub type Difference = (String, String, String);

impl Authenticated {
    /// Adds the labels of the fields to the differences between two forms; fields without a label
    /// are omitted.
    pub fn labelled(
        &self,
        differences: Vec<(&str, &str, &str)>,
        labels: Labels,
    ) -> Vec<Difference> {
        let named = differences.into_iter().filter_map(|(field, typed, now)| {
            Some((labels.label(self.texts, field)?, typed.to_owned(), now.to_owned()))
        });
        named.collect()
    }
}
