//! The outbox's worker: each email is sent by the node that leases it.
//!
//! Delivery is at least once: if the server is killed before it records the result, the email is
//! sent again after its lease has expired, with the same Message-ID.

use crate::{AppState, capacity::Asker, documents, metrics::DeliveryResult, quotes};
use jiff::{SignedDuration, Timestamp};
use mail::{Attached, NotTaken};
use service::{BookingError, Error, InvoiceError, invoice_documents, mails, recurring};
use std::{sync::atomic::Ordering, time::Duration};
use store::{Lane, StoreError, Tx, documents::Format, outbox};
use tokio::task::JoinSet;
use tracing::{error, warn};

/// Duration of the lease on an email. After it expires, another node may send the email.
const LEASE: SignedDuration = SignedDuration::from_mins(2);
/// Maximum number of accounts per round, and of concurrent deliveries.
const ROUND: i64 = 64;
const AT_ONCE: usize = 4;
/// Polling interval for emails queued by other nodes or due for a retry.
const LOOK: Duration = Duration::from_secs(1);
/// Backoff after each failed attempt, in seconds; the last is repeated until the delivery timeout.
const PAUSES: [i64; 7] = [5, 60, 300, 900, 3_600, 7_200, 14_400];
/// Time after which delivery is abandoned.
const DELIVERY_TIMEOUT: SignedDuration = SignedDuration::from_hours(48);

impl AppState {
    /// Sends due emails in an endless loop.
    pub async fn run_outbox(self) {
        loop {
            if let Err(error) = self.empty_outbox().await {
                warn!(%error, "the outbox could not be processed; retrying");
            }
            // The worker pauses for a quarter of the interval even when woken, because the query
            // covers all accounts.
            tokio::time::sleep(LOOK / 4).await;
            let _ = tokio::time::timeout(LOOK, self.outbox().wake.notified()).await;
        }
    }

    /// Waits for background work, then sends the due emails.
    ///
    /// # Errors
    /// The storage failed; the next run sends the remaining emails.
    pub async fn deliver_mails(&self) -> Result<(), Error> {
        while self.outbox().under_way.load(Ordering::SeqCst) > 0 {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        self.empty_outbox().await
    }

    /// Sends all due emails, one per account in turn.
    async fn empty_outbox(&self) -> Result<(), Error> {
        let _round = self.outbox().round.lock().await;
        loop {
            let now = self.now();
            let accounts = self
                .query(Lane::NO_ACCOUNT.single(), move |tx| Ok(outbox::due(tx, now, ROUND)?))
                .await?;
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

    /// Sends an account's oldest queued email.
    async fn deliver_one(&self, account: i64) -> Result<(), Error> {
        let (node, now) = (self.outbox().node.clone(), self.now());
        let until = now.checked_add(LEASE).unwrap_or(Timestamp::MAX);
        let by = node.clone();
        let claimed = self
            .execute(account, move |tx| Ok(outbox::claim(tx, account, &by, now, until)?))
            .await?;
        let Some(outbox::Claimed { mail, again }) = claimed else { return Ok(()) };
        if again {
            warn!(
                mail = mail.id,
                "a mail may be sent a second time: the previous lease expired without a result"
            );
        }
        let outcome = match self.attachments(account, &mail).await {
            Ok(attachments) => {
                let (app, mail) = (self.clone(), mail.clone());
                let handed = tokio::task::spawn_blocking(move || {
                    app.mailer().deliver(now, &mail, attachments)
                })
                .await;
                handed.map_err(|trouble| Error::Internal(trouble.to_string()))?
            }
            // The email is deleted together with the account.
            Err(Error::Store(StoreError::AccountClosed) | Error::NotFound("account")) => {
                return Ok(());
            }
            Err(error) => {
                error!(%error, "the document for a mail could not be rendered");
                let cause = "the document could not be made".to_owned();
                Err(NotTaken { is_final: false, reported: cause.clone(), cause })
            }
        };
        self.note(account, mail, node, outcome).await
    }

    /// Records the result of a delivery.
    async fn note(
        &self,
        account: i64,
        mail: outbox::Mail,
        node: String,
        outcome: Result<(), NotTaken>,
    ) -> Result<(), Error> {
        let now = self.now();
        let tried = usize::try_from(mail.attempts).unwrap_or(usize::MAX).min(PAUSES.len() - 1);
        let next =
            now.checked_add(SignedDuration::from_secs(PAUSES[tried])).unwrap_or(Timestamp::MAX);
        let ends = mail.created_at.checked_add(DELIVERY_TIMEOUT).unwrap_or(Timestamp::MAX);
        let result = match &outcome {
            Ok(()) => DeliveryResult::Sent,
            Err(refused) if refused.is_final || next > ends => {
                warn!(
                    cause = refused.cause,
                    "the SMTP server did not take a mail; it is not tried again"
                );
                DeliveryResult::Failed
            }
            Err(refused) => {
                warn!(
                    cause = refused.cause,
                    "the SMTP server did not take a mail; it is tried again"
                );
                DeliveryResult::Deferred
            }
        };
        let reported = outcome.err().map(|refused| refused.reported).unwrap_or_default();
        // A recurring invoice is paused after two emails that did not reach its customer.
        let counted = mail.invoice.filter(|_| {
            result == DeliveryResult::Failed && mail.kind == outbox::MessageKind::Invoice
        });
        let counted = match counted {
            Some(invoice) => Some((invoice, self.context_of_account(account).await?)),
            None => None,
        };
        let record = move |tx: &mut Tx<'_>| {
            match result {
                DeliveryResult::Sent => outbox::sent(tx, account, &mail.id, &node, now)?,
                DeliveryResult::Deferred => {
                    outbox::again(tx, account, &mail.id, &node, next, &reported)?
                }
                // The account is closed, so its owner cannot be informed.
                DeliveryResult::Failed if account == mails::NOBODY => {
                    outbox::remove(tx, account, &mail.id)?
                }
                DeliveryResult::Failed => outbox::failed(tx, account, &mail.id, &node, &reported)?,
            }
            match &counted {
                Some((invoice, cx)) => recurring::bounced(tx, cx, *invoice),
                None => Ok(()),
            }
        };
        self.execute(account, record).await?;
        self.metrics().mailed(result);
        Ok(())
    }

    /// Returns the documents for the email's invoice, rendering them if needed.
    async fn attachments(&self, account: i64, mail: &outbox::Mail) -> Result<Vec<Attached>, Error> {
        if let Some(quote) = mail.quote {
            return self.attached_quote(account, quote).await;
        }
        let Some(invoice) = mail.invoice else { return Ok(Vec::new()) };
        let language = mail.language;
        let mut attached = Vec::new();
        for (format, media_type) in
            [(Format::Pdf, "application/pdf"), (Format::Ubl, "application/xml")]
        {
            let app = self.clone();
            let asked = self
                .query(account, move |tx| {
                    let owner =
                        store::accounts::by_id(tx, account)?.ok_or(Error::NotFound("account"))?;
                    let cx = app.context_of(&owner);
                    let asked = invoice_documents::ask(tx, &cx, invoice, format, Some(language))?;
                    Ok((cx, asked))
                })
                .await;
            let (cx, (number, asked)) = match asked {
                // Opening items were invoiced elsewhere: emails about them have no documents.
                Err(Error::Booking(BookingError::IsOpeningItem)) => return Ok(attached),
                asked => asked?,
            };
            match documents::bytes(self, cx, asked, format, Asker::Server).await {
                Ok(bytes) => attached.push(Attached {
                    name: invoice_documents::file_name(&number, format),
                    media_type,
                    bytes,
                }),
                Err(Error::Invoice(InvoiceError::NotExpressible(_))) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(attached)
    }

    /// Returns the PDF of the email's quote, rendering it if needed.
    async fn attached_quote(&self, account: i64, quote: i64) -> Result<Vec<Attached>, Error> {
        let owner = self
            .query(account, move |tx| {
                store::accounts::by_id(tx, account)?.ok_or(Error::NotFound("account"))
            })
            .await?;
        let cx = self.context_of(&owner);
        let (number, bytes) = quotes::document(self, cx, quote, Asker::Server).await?;
        let name = service::quotes::file_name(&number);
        Ok(vec![Attached { name, media_type: "application/pdf", bytes }])
    }
}
