//! Emails with quotes.

use super::{
    AskedQuote, QuoteDetails, after, ask, file_name, read, require, send::finalize, shown, stored,
};
use crate::{
    Context, Created, Error, InvoiceError, accounts, context,
    document_snapshots::language_for,
    messages::{self, About, Post},
};
use documents::letters::{self, Letter};
use ledger::{customer::EmailUse, language::Language, quote::QuoteAction};
use store::{
    Tx, books,
    outbox::{self, Mail, MessageKind},
    quotes::Quote,
};

/// Input for emailing a quote.
#[derive(Debug, Clone, Default)]
pub struct SendQuote {
    /// Caller's own identifier.
    pub external_id: Option<String>,
    /// Id of the quote. If it is a draft, the command also marks it as sent.
    pub quote_id: i64,
    /// Recipient. Defaults to the customer's address for quotes.
    pub to: Option<String>,
    /// Further recipients. Defaults to the customer's other addresses for quotes, unless `to` is
    /// given.
    pub cc: Option<Vec<String>>,
    /// Subject, in place of the default.
    pub subject: Option<String>,
    /// Text, in place of the default.
    pub message: Option<String>,
    /// Language of a draft that is sent by this. Defaults to that of the customer, or else of the
    /// account.
    pub language: Option<Language>,
    /// Whether to send a copy to the owner.
    pub copy_to_me: bool,
}

/// Proposed email with a quote.
#[derive(Debug, Clone)]
pub struct QuoteProposal {
    /// The quote.
    pub details: QuoteDetails,
    /// Recipient.
    pub to: Option<String>,
    /// Further recipients.
    pub cc: Vec<String>,
    /// Subject and text, in which [`LINK`](messages::LINK) stands for the address of the customer's
    /// page.
    pub letter: Letter,
}

/// Emails a quote with its PDF and the link of its page. A draft is marked as sent.
///
/// # Errors
/// There is no such quote, it is neither a draft nor open, there is no email address, or a limit on
/// emails has been reached.
pub fn send(tx: &mut Tx<'_>, cx: &Context, command: &SendQuote) -> Result<Created<Mail>, Error> {
    let known = messages::find_by_external_id(tx, cx, command.external_id.as_deref())?;
    if let Some(existing) = known {
        return Ok(Created::Existing(existing));
    }
    let quote = stored(tx, cx, command.quote_id)?;
    let asked = (command.to.as_deref(), command.cc.as_deref());
    let (to, cc) = messages::recipients(asked, &quote.customer, EmailUse::Quote)?;
    let details = context::transact(tx, cx, |tx, books, cx| {
        let quote = stored(tx, cx, command.quote_id)?;
        after(cx, &quote, QuoteAction::Send)?;
        let is_draft = quote.sent_at.is_none();
        let sent = if is_draft { finalize(tx, books, cx, quote, command.language)? } else { quote };
        let status = sent.status_on(cx.today());
        if status.after(QuoteAction::Send, false).is_none() {
            return Err(InvoiceError::QuoteNotOpen(status).into());
        }
        shown(tx, cx, sent)
    })?;
    let account = accounts::own(tx, cx)?;
    let language = details.quote.language.unwrap_or(Language::Dutch);
    let link = details.public_url.as_deref();
    let default = letter(&details.quote, &account.name, language, link);
    let typed = command.message.as_deref().map(|text| messages::with_link(text, link));
    let letter = Letter {
        subject: command.subject.clone().unwrap_or(default.subject),
        text: typed.unwrap_or(default.text),
    };
    let post = Post {
        kind: MessageKind::Quote,
        about: About::Quote(&details.quote),
        external_id: command.external_id.as_deref(),
        to: &to,
        cc: &cc,
        language,
        letter: &letter,
        copy_to_me: command.copy_to_me,
        not_before: None,
    };
    messages::put(tx, cx, &account, &post)
}

/// Email with a quote as it would be, with its document.
#[derive(Debug, Clone)]
pub struct QuoteMailPreview {
    /// The email. Its id and times are not those that it would get.
    pub mail: Mail,
    /// File name of the PDF, and the PDF itself. `None` for an existing email.
    pub document: Option<(String, AskedQuote)>,
}

/// Returns the email that [`send`] queued in a transaction that the caller rolls back, or the
/// existing one with the same external id.
///
/// # Errors
/// The account's documents have reached the quota of its plan.
pub fn preview_mail(
    tx: &mut Tx<'_>,
    cx: &Context,
    queued: Created<Mail>,
    id: i64,
) -> Result<Created<QuoteMailPreview>, Error> {
    Ok(match queued {
        Created::New(mail) => {
            let (number, asked) = ask(tx, cx, id)?;
            let document = Some((file_name(&number), asked));
            Created::New(QuoteMailPreview { mail, document })
        }
        Created::Existing(mail) => Created::Existing(QuoteMailPreview { mail, document: None }),
    })
}

fn letter(quote: &Quote, seller: &str, language: Language, link: Option<&str>) -> Letter {
    let about = letters::QuoteLetter {
        number: &quote.number,
        seller,
        contact_person: quote.customer.contact_person.as_deref(),
        total: quote.total,
        valid_until: quote.valid_until,
        reference: quote.reference.as_deref(),
        link,
    };
    letters::quote(&about, language)
}

/// Returns the proposed email with a quote.
///
/// # Errors
/// There is no such quote.
pub fn propose(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<QuoteProposal, Error> {
    let details = read(tx, cx, id)?;
    let account = accounts::own(tx, cx)?;
    let terms = books::terms(tx, cx.actor.account)?.ok_or(Error::NotFound("account"))?;
    let language =
        details.quote.language.unwrap_or_else(|| language_for(&details.quote.customer, &terms));
    let link = cx.env.links.is_some().then_some(messages::LINK);
    let letter = letter(&details.quote, &account.name, language, link);
    let (to, cc) = messages::proposed_recipients(&details.quote.customer, EmailUse::Quote);
    Ok(QuoteProposal { to, cc, letter, details })
}

/// Returns the emails with a quote, oldest first.
///
/// # Errors
/// There is no such quote.
pub fn of_quote(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<Vec<Mail>, Error> {
    require(tx, cx, id)?;
    Ok(outbox::of_quote(tx, cx.actor.account, id)?)
}
