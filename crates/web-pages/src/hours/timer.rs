//! Timer: start, stop and discard.

use super::week::{Shown, show_with, week_of};
use crate::{form::Form, page::Authenticated};
use axum::response::Response;
use service::{
    Context,
    timer::{self, StartTimer, StopTimer},
};
use store::Tx;
use web_core::{
    input::{self, start_timer, stop_timer},
    problem::Problem,
};

/// Page for the current week, with the rejected form.
async fn refused(page: &Authenticated, form: &Form) -> Result<Response, Problem> {
    let shown = Shown { timer_form: Some(form), status: form.refused_status(), ..Shown::default() };
    show_with(page, week_of(page, ""), "", shown).await
}

/// `POST /hours/timer/start`
pub(super) async fn start(page: Authenticated, form: Form) -> Result<Response, Problem> {
    let parsed = input::form(form.pairs(), page.texts.language, start_timer);
    let run = |tx: &mut Tx<'_>, cx: &Context, command: &StartTimer| {
        timer::start(tx, cx, command)?;
        Ok("/hours?done=timer-started".to_owned())
    };
    page.carry_out(form, parsed, run, async |form, _| refused(&page, &form).await).await
}

/// `POST /hours/timer/stop`
pub(super) async fn stop(page: Authenticated, form: Form) -> Result<Response, Problem> {
    let parsed = input::form(form.pairs(), page.texts.language, stop_timer);
    let run = |tx: &mut Tx<'_>, cx: &Context, command: &StopTimer| {
        timer::stop(tx, cx, command)?;
        Ok("/hours?done=timer-stopped".to_owned())
    };
    page.carry_out(form, parsed, run, async |form, _| refused(&page, &form).await).await
}

/// `POST /hours/timer/discard`
pub(super) async fn discard(page: Authenticated, form: Form) -> Result<Response, Problem> {
    let run = |tx: &mut Tx<'_>, cx: &Context| {
        timer::discard(tx, cx, &|_| true)?;
        Ok("/hours?done=timer-discarded".to_owned())
    };
    page.press(form, run, async |form, _| refused(&page, &form).await).await
}
