//! The mail with the link that confirms an address, sent again.

use crate::page::PageContext;
use mail::Mail;
use service::{
    EmailAddress,
    people::{NO_SECRET, sign_up},
};
use store::Lane;
use tracing::warn;

/// Mails another link to confirm an address, if an account with it waits for that and was not sent enough of them; by itself, so that
/// nobody learns from the time it takes.
pub(crate) fn mail_again(page: PageContext, email: EmailAddress) {
    let app = page.app.clone();
    app.in_background(async move {
        let (mails, app, env) = (page.mails(), page.app.clone(), page.env());
        let mailed = app.execute(Lane::NO_ACCOUNT, move |tx| {
            let link = |secret: &str| Mail::ConfirmSignUp { link: page.app.link("/confirm", secret) };
            match sign_up::link_again(tx, &env, &email)? {
                Some(sent) => mails.to_owner(tx, &sent.account, &link(&sent.secret)),
                None => mails.to_nobody(tx, email.as_str(), &link(NO_SECRET)),
            }
        });
        if let Err(error) = mailed.await {
            warn!(%error, "a link to confirm an address could not be made");
        }
    });
}
