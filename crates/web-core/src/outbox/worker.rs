//! The outbox's worker: whatever mails are due go out, by whichever node takes the lease.
//!
//! A mail is sent at least once: one whose sending was not recorded, because the server was killed in between, is sent again when its lease has
//! ended, with the same Message-ID.

use crate::{AppState, capacity::Asker, documents, metrics::DeliveryResult};
use jiff::{SignedDuration, Timestamp};
use mail::{Attached, NotTaken};
use service::{BookingError, Error, InvoiceError, invoice_documents, mails};
use std::{sync::atomic::Ordering, time::Duration};
use store::{Lane, StoreError, Tx, documents::Format, outbox};
use tokio::task::JoinSet;
use tracing::{error, warn};

/// How long a node may take for a mail before another may think it gone.
const LEASE: SignedDuration = SignedDuration::from_mins(2);
/// Accounts whose mail is looked at in one round, and mails that are handed over at once.
const ROUND: i64 = 64;
const AT_ONCE: usize = 4;
/// How often it is looked whether a mail is due that another node, or another day, left.
const LOOK: Duration = Duration::from_secs(1);
/// How long to wait after each try in vain, in seconds; the last goes on until the two days are over.
const PAUSES: [i64; 7] = [5, 60, 300, 900, 3_600, 7_200, 14_400];
/// How long a mail is tried.
const DELIVERY_TIMEOUT: SignedDuration = SignedDuration::from_hours(48);

impl AppState {
    /// Sends mails as they fall due, for ever.
    pub async fn run_outbox(self) {
        loop {
            if let Err(error) = self.empty_outbox().await {
                warn!(%error, "the outbox could not be emptied; it is tried again");
            }
            // Not before a second is over even if woken: the question goes to all accounts.
            tokio::time::sleep(LOOK / 4).await;
            let _ = tokio::time::timeout(LOOK, self.outbox().wake.notified()).await;
        }
    }

    /// Waits for what is done in the background, then sends the mails that are due.
    ///
    /// # Errors
    /// The storage failed; what is left goes the next time.
    pub async fn deliver_mails(&self) -> Result<(), Error> {
        while self.outbox().under_way.load(Ordering::SeqCst) > 0 {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        self.empty_outbox().await
    }

    /// Sends the mails that are due, one of each account by turns, until none is.
    async fn empty_outbox(&self) -> Result<(), Error> {
        let _round = self.outbox().round.lock().await;
        loop {
            let now = self.now();
            let accounts = self.query(Lane::NO_ACCOUNT.single(), move |tx| Ok(outbox::due(tx, now, ROUND)?)).await?;
            if accounts.is_empty() {
                return Ok(());
            }
            for some in accounts.chunks(AT_ONCE) {
                let mut tasks = JoinSet::new();
                for account in some {
                    let (app, account) = (self.clone(), *account);
                    tasks.spawn(async move { app.deliver_one(account).await });
                }
                while let Some(done) = tasks.join_next().await {
                    done.map_err(|trouble| Error::Internal(trouble.to_string()))??;
                }
            }
        }
    }

    /// Sends the mail of an account that waits longest.
    async fn deliver_one(&self, account: i64) -> Result<(), Error> {
        let (node, now) = (self.outbox().node.clone(), self.now());
        let until = now.checked_add(LEASE).unwrap_or(Timestamp::MAX);
        let by = node.clone();
        let claimed = self.execute(account, move |tx| Ok(outbox::claim(tx, account, &by, now, until)?)).await?;
        let Some(outbox::Claimed { mail, again }) = claimed else { return Ok(()) };
        if again {
            warn!(mail = mail.id, "a mail may be sent a second time: the node that had it did not note what became of it");
        }
        let outcome = match self.attachments(account, &mail).await {
            Ok(attachments) => {
                let (app, mail) = (self.clone(), mail.clone());
                let handed = tokio::task::spawn_blocking(move || app.mailer().deliver(now, &mail, attachments)).await;
                handed.map_err(|trouble| Error::Internal(trouble.to_string()))?
            }
            // It goes with the books that it was about.
            Err(Error::Store(StoreError::AccountClosed) | Error::NotFound("account")) => return Ok(()),
            Err(error) => {
                error!(%error, "the document for a mail could not be made");
                let cause = "the document could not be made".to_owned();
                Err(NotTaken { is_final: false, reported: cause.clone(), cause })
            }
        };
        self.note(account, mail, node, outcome).await
    }

    /// Writes down what became of a mail.
    async fn note(&self, account: i64, mail: outbox::Mail, node: String, outcome: Result<(), NotTaken>) -> Result<(), Error> {
        let now = self.now();
        let tried = usize::try_from(mail.attempts).unwrap_or(usize::MAX).min(PAUSES.len() - 1);
        let next = now.checked_add(SignedDuration::from_secs(PAUSES[tried])).unwrap_or(Timestamp::MAX);
        let ends = mail.created_at.checked_add(DELIVERY_TIMEOUT).unwrap_or(Timestamp::MAX);
        let result = match &outcome {
            Ok(()) => DeliveryResult::Sent,
            Err(refused) if refused.is_final || next > ends => {
                warn!(cause = refused.cause, "the SMTP server did not take a mail; it is not tried again");
                DeliveryResult::Failed
            }
            Err(refused) => {
                warn!(cause = refused.cause, "the SMTP server did not take a mail; it is tried again");
                DeliveryResult::Deferred
            }
        };
        let reported = outcome.err().map(|refused| refused.reported).unwrap_or_default();
        let record = move |tx: &mut Tx<'_>| {
            match result {
                DeliveryResult::Sent => outbox::sent(tx, account, &mail.id, &node, now)?,
                DeliveryResult::Deferred => outbox::again(tx, account, &mail.id, &node, next, &reported)?,
                // There is nobody left to tell that it failed.
                DeliveryResult::Failed if account == mails::NOBODY => outbox::remove(tx, account, &mail.id)?,
                DeliveryResult::Failed => outbox::failed(tx, account, &mail.id, &node, &reported)?,
            }
            Ok(())
        };
        self.execute(account, record).await?;
        self.metrics().mailed(result);
        Ok(())
    }

    /// The documents of the invoice that a mail is about, made where they were not made yet.
    async fn attachments(&self, account: i64, mail: &outbox::Mail) -> Result<Vec<Attached>, Error> {
        let Some(invoice) = mail.invoice else { return Ok(Vec::new()) };
        let language = mail.language;
        let mut attached = Vec::new();
        for (format, media_type) in [(Format::Pdf, "application/pdf"), (Format::Ubl, "application/xml")] {
            let app = self.clone();
            let asked = self
                .query(account, move |tx| {
                    let owner = store::accounts::by_id(tx, account)?.ok_or(Error::NotFound("account"))?;
                    let cx = app.context_of(&owner);
                    let asked = invoice_documents::ask(tx, &cx, invoice, format, Some(language))?;
                    Ok((cx, asked))
                })
                .await;
            let (cx, (number, asked)) = match asked {
                // What was open when the books began was made elsewhere: its mail goes without a document.
                Err(Error::Booking(BookingError::IsOpeningItem)) => return Ok(attached),
                asked => asked?,
            };
            match documents::bytes(self, cx, asked, format, Asker::Server).await {
                Ok(bytes) => attached.push(Attached { name: invoice_documents::file_name(&number, format), media_type, bytes }),
                Err(Error::Invoice(InvoiceError::NotExpressible(_))) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(attached)
    }
}
