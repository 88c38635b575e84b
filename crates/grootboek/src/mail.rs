//! `mail`: whether mails go out.

use crate::{
    cli::MailCommand,
    database,
    private::{self, mail_from},
    serve::of_mails,
};
use anyhow::bail;
use service::environment::{Clock, System};
use store::DatabaseUrl;
use web::mail::{Tried, try_out};

pub(crate) fn run(given: Option<DatabaseUrl>, command: &MailCommand) -> anyhow::Result<()> {
    let MailCommand::Test { to, mail, base_url } = command;
    let delivery = private::delivery(&database::choose(given)?, mail)?;
    let base_url = base_url.as_deref().unwrap_or("http://localhost");
    let from = mail_from(mail, base_url);
    match try_out(&delivery, &from, to, base_url, System.now()).map_err(of_mails)? {
        Tried::Taken(place) => {
            say!("{place} took a mail from {from} to {to}; look whether it arrives, and not among the unwanted")?
        }
        Tried::Written => say!("there is no --smtp: a mail was written into the folder, as all mails are, and sent to nobody")?,
        Tried::Refused(why) => bail!("the mail was not taken: {why}"),
    }
    Ok(())
}
