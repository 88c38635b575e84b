//! Quotes: their documents, rendered on first use and then stored, and acceptances with the step
//! that follows them.

use crate::{AppState, capacity::Asker, refusals::explanation};
use service::{
    Context, Error,
    quotes::{self, AskedQuote, Decision, MadeQuote, QuoteDetails, UnmadeQuote},
};
use std::sync::{Arc, Mutex, PoisonError};
use store::Tx;

/// Renders the PDF of a quote without storing it.
///
/// # Errors
/// Too many documents are waiting, or rendering fails.
pub async fn make(
    app: &AppState,
    account: i64,
    unmade: Box<UnmadeQuote>,
    asker: Asker,
) -> Result<MadeQuote, Error> {
    app.capacity().documents.run(account, asker, move || quotes::make(&unmade)).await?
}

/// Returns the bytes of the PDF of a quote, rendering and storing it if needed.
///
/// # Errors
/// Too many documents are waiting, rendering fails, or the storage failed.
pub async fn pdf(
    app: &AppState,
    cx: Context,
    asked: AskedQuote,
    asker: Asker,
) -> Result<Vec<u8>, Error> {
    let unmade = match asked {
        AskedQuote::Kept(bytes) => return Ok(bytes),
        AskedQuote::Unmade(unmade) => unmade,
    };
    let account = cx.actor.account;
    let made = make(app, account, unmade, asker).await?;
    if !made.is_kept {
        return Ok(made.bytes);
    }
    app.execute(account, move |tx| quotes::keep(tx, &cx, &made)).await
}

/// Reads the number and the PDF of a quote.
///
/// # Errors
/// There is no such quote, or as for [`pdf`].
pub async fn document(
    app: &AppState,
    cx: Context,
    id: i64,
    asker: Asker,
) -> Result<(String, Vec<u8>), Error> {
    let asking = cx.clone();
    let (number, asked) =
        app.query(cx.actor.account, move |tx| quotes::ask(tx, &asking, id)).await?;
    Ok((number, pdf(app, cx, asked, asker).await?))
}

/// Refusal of the step after an acceptance. The acceptance and the step are one transaction; if the
/// step is refused, the acceptance is made again without it.
#[derive(Clone, Default)]
pub struct StepRefusal(Arc<Mutex<Option<String>>>);

impl StepRefusal {
    /// Accepts a quote and takes the step that follows.
    ///
    /// # Errors
    /// The quote cannot be accepted, or the step is refused, which [`Self::code`] then names.
    pub fn accept(
        &self,
        tx: &mut Tx<'_>,
        cx: &Context,
        id: i64,
        decision: &Decision,
    ) -> Result<QuoteDetails, Error> {
        self.set(None);
        let accepted = quotes::accept(tx, cx, id, decision)?;
        if decision.refused_step.is_some() {
            return Ok(accepted);
        }
        quotes::follow_up(tx, cx, accepted).inspect_err(|error| {
            let kind = explanation(error).kind;
            self.set(Some(kind.code.to_owned()).filter(|_| kind.status < 500));
        })
    }

    fn set(&self, code: Option<String>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = code;
    }

    /// Returns the code with which the step was refused.
    #[must_use]
    pub fn code(&self) -> Option<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// Accepts a quote with the step that follows, or without it if the step is refused; the quote then
/// names the code of the refusal.
///
/// # Errors
/// The quote cannot be accepted, or the storage failed.
pub async fn accept(
    app: &AppState,
    cx: &Context,
    id: i64,
    decision: &Decision,
) -> Result<QuoteDetails, Error> {
    let refusal = StepRefusal::default();
    let attempt = async |decision: Decision| {
        let (refusal, cx) = (refusal.clone(), cx.clone());
        let account = cx.actor.account;
        app.execute(account, move |tx| refusal.accept(tx, &cx, id, &decision)).await
    };
    let accepted = match (attempt(decision.clone()).await, refusal.code()) {
        (Err(_), Some(code)) => {
            attempt(Decision { refused_step: Some(code), ..decision.clone() }).await
        }
        (accepted, _) => accepted,
    };
    app.wake_outbox();
    accepted
}
