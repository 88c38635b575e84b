//! The outbox's worker: whatever mails are due go out, by whichever node takes the lease.
//!
//! A mail is sent at least once: one whose sending was not noted, because the server was killed in between, is sent again when its lease has
//! ended, with the same Message-ID.

use crate::{
    AppState, documents,
    mail::{Attached, Mail, NotTaken},
};
use jiff::{SignedDuration, Timestamp};
use service::{Actor, Error, invoice_documents, messages, people::Language};
use std::{
    sync::atomic::{AtomicUsize, Ordering},
    time::Duration,
};
use store::{
    Tx,
    documents::Format,
    outbox::{self, Kind, NewMail},
};
use tokio::{sync::Notify, task::JoinSet};
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
const PATIENCE: SignedDuration = SignedDuration::from_hours(48);

/// What a node has of the outbox in memory.
pub(crate) struct Outbox {
    /// By what this node is known on its leases.
    node: String,
    /// Mails that are about to be written into the outbox.
    coming: AtomicUsize,
    wake: Notify,
    /// One round at once.
    round: tokio::sync::Mutex<()>,
}

impl Outbox {
    pub(crate) fn new(node: String) -> Self {
        Self { node, coming: AtomicUsize::new(0), wake: Notify::new(), round: tokio::sync::Mutex::new(()) }
    }

    /// Lets the worker look at once.
    pub(crate) fn wake(&self) {
        self.wake.notify_one();
    }
}

impl AppState {
    /// Lets the outbox's worker look at once, after a mail was put there.
    pub(crate) fn wake_outbox(&self) {
        self.outbox().wake();
    }

    /// Puts a mail about an account into the outbox, in the background: nobody learns from the time that it takes. That it could not be put
    /// there stands in the log.
    pub fn mail(&self, account: i64, to: &str, language: Language, mail: &Mail) {
        let (subject, body) = self.mailer().texts(mail, language);
        let (app, to, now) = (self.clone(), to.to_owned(), self.now());
        self.outbox().coming.fetch_add(1, Ordering::SeqCst);
        tokio::spawn(async move {
            let random = app.random();
            let put = app.write(move |tx| {
                let id = messages::new_id(&*random)?;
                let mail = NewMail {
                    id: &id,
                    kind: Kind::Account,
                    invoice: None,
                    external_id: None,
                    recipient: &to,
                    language,
                    sender: None,
                    reply_to: None,
                    subject: &subject,
                    body: &body,
                };
                Ok(outbox::insert(tx, account, &mail, now)?)
            });
            if let Err(error) = put.await {
                warn!(%error, "a mail could not be put into the outbox");
            }
            app.outbox().coming.fetch_sub(1, Ordering::SeqCst);
            app.outbox().wake();
        });
    }

    /// Sends mails as they fall due, for ever.
    pub async fn run_outbox(self) {
        loop {
            if let Err(error) = self.deliver_mails().await {
                warn!(%error, "the outbox could not be emptied; it is tried again");
            }
            // Not before a second is over even if woken: the question goes to all accounts.
            tokio::time::sleep(LOOK / 4).await;
            let _ = tokio::time::timeout(LOOK, self.outbox().wake.notified()).await;
        }
    }

    /// Sends the mails that are due, one of each account by turns, until none is.
    ///
    /// # Errors
    /// The storage failed; what is left goes the next time.
    pub async fn deliver_mails(&self) -> Result<(), Error> {
        while self.outbox().coming.load(Ordering::SeqCst) > 0 {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        let _round = self.outbox().round.lock().await;
        loop {
            let now = self.now();
            let accounts = self.look_up(move |tx| Ok(outbox::due(tx, now, ROUND)?)).await?;
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
        let claimed = self.write_for(account, move |tx| Ok(outbox::claim(tx, account, &by, now, until)?)).await?;
        let Some(mail) = claimed else { return Ok(()) };
        let outcome = match self.attachments(account, &mail).await {
            Ok(attachments) => {
                let (app, mail) = (self.clone(), mail.clone());
                let handed = tokio::task::spawn_blocking(move || app.mailer().deliver(now, &mail, attachments)).await;
                handed.map_err(|trouble| Error::Internal(trouble.to_string()))?
            }
            Err(error) => {
                error!(%error, "the document for a mail could not be made");
                let cause = "the document could not be made".to_owned();
                Err(NotTaken { is_final: false, told: cause.clone(), cause })
            }
        };
        self.note(account, mail, node, outcome).await
    }

    /// Writes down what became of a mail.
    async fn note(&self, account: i64, mail: outbox::Mail, node: String, outcome: Result<(), NotTaken>) -> Result<(), Error> {
        let now = self.now();
        let noted = move |tx: &mut Tx<'_>| {
            match &outcome {
                Ok(()) => outbox::sent(tx, account, &mail.id, &node, now)?,
                Err(refused) => {
                    let tried = usize::try_from(mail.attempts).unwrap_or(usize::MAX).min(PAUSES.len() - 1);
                    let next = now.checked_add(SignedDuration::from_secs(PAUSES[tried])).unwrap_or(Timestamp::MAX);
                    let ends = mail.created_at.checked_add(PATIENCE).unwrap_or(Timestamp::MAX);
                    if refused.is_final || next > ends {
                        warn!(cause = refused.cause, "the SMTP server did not take a mail; it is not tried again");
                        outbox::failed(tx, account, &mail.id, &node, &refused.told)?;
                    } else {
                        warn!(cause = refused.cause, "the SMTP server did not take a mail; it is tried again");
                        outbox::again(tx, account, &mail.id, &node, next, &refused.told)?;
                    }
                }
            }
            Ok(())
        };
        self.write_for(account, noted).await
    }

    /// The documents of the invoice that a mail is about, made where they were not made yet.
    async fn attachments(&self, account: i64, mail: &outbox::Mail) -> Result<Vec<Attached>, Error> {
        let Some(invoice) = mail.invoice else { return Ok(Vec::new()) };
        let language = mail.language;
        let mut attached = Vec::new();
        for (format, media_type) in [(Format::Pdf, "application/pdf"), (Format::Ubl, "application/xml")] {
            let asked = self
                .read(move |tx| {
                    let owner = store::accounts::by_id(tx, account)?.ok_or(Error::NotFound("account"))?;
                    let actor = Actor::owner(&owner);
                    let asked = invoice_documents::ask(tx, &actor, invoice, format, Some(language))?;
                    Ok((actor, asked))
                })
                .await;
            let (actor, (number, asked)) = asked?;
            match documents::bytes(self, actor, asked, format).await {
                Ok(bytes) => attached.push(Attached { name: invoice_documents::file_name(&number, format), media_type, bytes }),
                Err(Error::NotExpressible(_)) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(attached)
    }
}
