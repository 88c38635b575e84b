//! The mail with the link that confirms an address, sent again.

use crate::{mail::Mail, pages::page::PageContext};
use service::people::{sign_in, sign_up};
use tracing::warn;

/// Mails another link to confirm an address, if an account with it waits for that and was not sent enough of them; by itself, so that
/// nobody learns from the time it takes.
pub(crate) fn mail_again(page: PageContext, email: String) {
    tokio::spawn(async move {
        let (random, now) = (page.app.random(), page.app.now());
        let made = page.app.write(move |tx| match sign_in::find(tx, &email)? {
            Some(found) => sign_up::link_again(tx, &*random, now, &found.account),
            None => Ok(None),
        });
        match made.await {
            Ok(Some(sent)) => {
                let link = page.app.link("/confirm", &sent.secret);
                page.mail(&sent.account, &Mail::ConfirmSignUp { link });
            }
            Ok(None) => {}
            Err(error) => warn!(%error, "a link to confirm an address could not be made"),
        }
    });
}
