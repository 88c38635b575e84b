//! Resends the email with the link that confirms an email address.

use crate::page::PageContext;
use mail::Mail;
use service::{
    EmailAddress,
    people::{NO_SECRET, sign_up},
};
use store::Lane;
use tracing::warn;

/// Sends another confirmation link by email if an account with this email address is unconfirmed
/// and the limit on the number of emails has not been reached. Runs in the background, so that the
/// response time reveals nothing.
pub(crate) fn mail_again(page: PageContext, email: EmailAddress) {
    let app = page.app.clone();
    app.in_background(async move {
        let (mails, app, env) = (page.mails(), page.app.clone(), page.env());
        let mailed = app.execute(Lane::NO_ACCOUNT, move |tx| {
            let link =
                |secret: &str| Mail::ConfirmSignUp { link: page.app.link("/confirm", secret) };
            match sign_up::link_again(tx, &env, &email)? {
                Some(sent) => mails.to_owner(tx, &sent.account, &link(&sent.secret)),
                None => mails.to_nobody(tx, email.as_str(), &link(NO_SECRET)),
            }
        });
        if let Err(error) = mailed.await {
            warn!(%error, "failed to create a confirmation link");
        }
    });
}
