//! Emails about accounts: sign-up, changes of sign-in methods, and closing.

use crate::AppState;
use mail::Mail;
use service::{
    Error,
    environment::Visitor,
    mails::{self, AccountMail},
    people::{Account, Language, language_of},
};
use store::Tx;

/// Queues emails about accounts in the outbox, within the commands that cause them. Dropping this
/// value after the command wakes the worker.
#[derive(Clone)]
pub struct AccountMails {
    app: AppState,
    /// Language of the visit.
    language: Language,
}

impl Drop for AccountMails {
    fn drop(&mut self) {
        self.app.wake_outbox();
    }
}

impl AccountMails {
    /// Creates a queue for the emails caused by a visit in this language.
    pub fn new(app: &AppState, language: Language) -> Self {
        Self { app: app.clone(), language }
    }

    /// Queues an email to an account's owner, in their language if known, otherwise in that of the
    /// visit.
    pub fn to_owner(&self, tx: &mut Tx<'_>, account: &Account, mail: &Mail) -> Result<(), Error> {
        let language = language_of(account).unwrap_or(self.language);
        self.put(tx, account.id, &self.words(&account.owner.email, language, mail))
    }

    /// Queues an email to the new email address of an account, in the language of the visit.
    pub fn to_new_address(
        &self,
        tx: &mut Tx<'_>,
        account: i64,
        to: &str,
        mail: &Mail,
    ) -> Result<(), Error> {
        self.put(tx, account, &self.words(to, self.language, mail))
    }

    /// Queues an email to the previous email address of an account.
    pub fn to_old_address(
        &self,
        tx: &mut Tx<'_>,
        account: &Account,
        to: &str,
        mail: &Mail,
    ) -> Result<(), Error> {
        let language = language_of(account).unwrap_or(self.language);
        self.put(tx, account.id, &self.words(to, language, mail))
    }

    /// Queues an email to the owner of an account that this command closes; the email outlives the
    /// account.
    pub fn to_former_owner(
        &self,
        tx: &mut Tx<'_>,
        account: &Account,
        mail: &Mail,
    ) -> Result<(), Error> {
        let language = language_of(account).unwrap_or(self.language);
        self.put(tx, mails::NOBODY, &self.words(&account.owner.email, language, mail))
    }

    /// Writes and discards an email. Used for an email address without an account, so that the
    /// response time does not reveal whether an account exists.
    pub fn to_nobody(&self, tx: &mut Tx<'_>, address: &str, mail: &Mail) -> Result<(), Error> {
        mails::put_and_discard(
            tx,
            &self.app.environment(Visitor::default()),
            &self.words(address, self.language, mail),
        )
    }

    fn put(&self, tx: &mut Tx<'_>, account: i64, mail: &AccountMail) -> Result<(), Error> {
        mails::put(tx, &self.app.environment(Visitor::default()), account, mail)
    }

    fn words(&self, to: &str, language: Language, mail: &Mail) -> AccountMail {
        let (subject, body) = self.app.mailer().texts(mail, language);
        AccountMail { to: to.to_owned(), language, subject, body }
    }
}
