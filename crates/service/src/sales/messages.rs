//! Emails to customers, and invoices with their documents. Each email is put into the
//! outbox in the command's transaction.

use crate::{
    Context, Created, EmailAddress, Error, InvoiceError, Reason, accounts, context, days,
    document_snapshots::language_of,
    invoice_documents::{self, Asked, Cause, Seller},
    invoices::{self, EditInvoice, InvoiceDetails},
    mails::new_id,
};
use documents::letters::{self, Letter};
use jiff::{SignedDuration, Timestamp, ToSpan, civil::Date};
use ledger::{
    customer::EmailUse, identifiers::Iban, language::Language, money::Cents, reminder::ReminderKind,
};
use store::{
    Tx,
    accounts::{Account, Plan},
    contacts::Party,
    documents::Format,
    invoices::{self as rows, Invoice, InvoiceKind, Status},
    outbox::{self, Mail, MessageKind, State},
    quotes::Quote,
    receivables::Bucket,
};

/// Maximum number of queued emails per account.
const MOST_WAITING: i64 = 500;

/// Maximum number of emails to customers per account in 24 hours. An account on the free plan is
/// limited to what a business that writes its invoices by hand would send.
#[must_use]
pub const fn most_a_day(plan: Plan) -> i64 {
    match plan {
        Plan::Free => 50,
        Plan::Starter | Plan::Pro => 2_000,
    }
}

/// Maximum length of a subject, in characters.
pub const LONGEST_SUBJECT: usize = 200;
/// Maximum length of a text, in characters.
pub const LONGEST_TEXT: usize = 10_000;

/// Input for emailing an invoice.
#[derive(Debug, Clone, Default)]
pub struct SendInvoice {
    /// Caller's own identifier.
    pub external_id: Option<String>,
    /// Id of the invoice or credit note. If it is a draft, the command also marks it as sent.
    pub invoice_id: i64,
    /// Recipient. Defaults to the customer's first address for this use.
    pub to: Option<String>,
    /// Further recipients. Default to the customer's other addresses for this use, unless a
    /// recipient is given.
    pub cc: Option<Vec<String>>,
    /// Subject, in place of the default.
    pub subject: Option<String>,
    /// Text, in place of the default.
    pub message: Option<String>,
    /// Language. Defaults to the document's language.
    pub language: Option<Language>,
    /// Whether to send a copy to the owner.
    pub copy_to_me: bool,
    /// Earliest time at which it is sent, by the clock of the books.
    pub not_before: Option<Timestamp>,
}

/// Proposed email about an invoice, for the form in which it is edited.
#[derive(Debug, Clone)]
pub struct Proposal {
    /// Recipient.
    pub to: Option<String>,
    /// Further recipients.
    pub cc: Vec<String>,
    /// Subject and text.
    pub letter: Letter,
    /// Reasons why no e-invoice is attached. Empty for a reminder, which never has one.
    pub not_expressible: Vec<Cause>,
    /// Whether an amount is open and the document names no bank account.
    pub lacks_iban: bool,
    /// Kind of the reminder.
    pub kind: Option<ReminderKind>,
    /// Date of the previous reminder.
    pub reminded_on: Option<Date>,
    /// Earliest day of the next reminder, if it is in the future.
    pub next_reminder_from: Option<Date>,
    /// Whether it can be sent before that day.
    pub can_be_forced: bool,
    /// Whether the owner stopped the reminders.
    pub is_stopped: bool,
    /// Other invoices in the same letter to a consumer (art. 6:96(7) BW).
    pub also_late: Bucket,
}

/// Emails an invoice or credit note with its documents. A draft is marked as sent.
///
/// # Errors
/// There is no such invoice, there is no email address, a draft cannot be sent, or a limit on
/// emails has been reached.
pub fn send(tx: &mut Tx<'_>, cx: &Context, command: &SendInvoice) -> Result<Created<Mail>, Error> {
    if let Some(existing) = find_by_external_id(tx, cx, command.external_id.as_deref())? {
        return Ok(Created::Existing(existing));
    }
    let mut details = invoices::read(tx, cx, command.invoice_id)?;
    details.reject_opening_item()?;
    let asked = (command.to.as_deref(), command.cc.as_deref());
    let (to, cc) = recipients(asked, &details.invoice.customer, EmailUse::Invoice)?;
    if details.invoice.status == Status::Cancelled {
        return Err(InvoiceError::Cancelled.into());
    }
    if details.invoice.status == Status::Draft {
        let edit = EditInvoice {
            status: Some(Status::Sent),
            language: command.language.map(Some),
            ..EditInvoice::default()
        };
        details = invoices::edit(tx, cx, command.invoice_id, &edit, &|_| true)?;
    }
    let account = accounts::own(tx, cx)?;
    let language = language(tx, cx, command.language, &details.invoice, &account)?;
    // The draft has been sent by now, so the email agrees with the attached document.
    let seller = invoice_documents::seller(tx, cx.actor.account, &details.invoice)?;
    let link = details.public_url.as_deref();
    let default = letters::invoice(&about(&details, &seller, link), language);
    let typed = command.message.as_deref().map(|text| with_link(text, link));
    let letter = Letter {
        subject: command.subject.clone().unwrap_or(default.subject),
        text: typed.unwrap_or(default.text),
    };
    let post = Post {
        kind: MessageKind::Invoice,
        about: About::Invoice(&details.invoice),
        external_id: command.external_id.as_deref(),
        to: &to,
        cc: &cc,
        language,
        letter: &letter,
        copy_to_me: command.copy_to_me,
        not_before: command.not_before,
    };
    put(tx, cx, &account, &post)
}

/// Email as it would be, with its documents.
#[derive(Debug, Clone)]
pub struct MessagePreview {
    /// The email. Its id and times are not those that it would get.
    pub mail: Mail,
    /// Documents that would be attached, with their names.
    pub documents: Vec<(String, Format, Asked)>,
    /// The invoice as it would be sent.
    pub details: InvoiceDetails,
}

/// Returns the email that a command queued in a transaction that the caller rolls back, or the
/// existing one with the same external id.
///
/// # Errors
/// Those of the command.
pub fn preview(
    tx: &mut Tx<'_>,
    cx: &Context,
    queued: Created<Mail>,
    invoice: i64,
) -> Result<Created<MessagePreview>, Error> {
    let is_new = matches!(queued, Created::New(_));
    let mail = queued.into_inner();
    let details = invoices::read(tx, cx, mail.invoice.unwrap_or(invoice))?;
    let mut documents = Vec::new();
    if is_new && !details.invoice.is_opening_item() {
        for format in [Format::Pdf, Format::Ubl] {
            let id = details.invoice.id;
            let (number, asked) = invoice_documents::ask(tx, cx, id, format, Some(mail.language))?;
            documents.push((invoice_documents::file_name(&number, format), format, asked));
        }
    }
    let preview = MessagePreview { mail, documents, details };
    Ok(if is_new { Created::New(preview) } else { Created::Existing(preview) })
}

/// Returns the proposed email for an invoice.
///
/// # Errors
/// There is no such invoice, or it is from the opening balance.
pub fn propose(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<Proposal, Error> {
    let details = invoices::read(tx, cx, id)?;
    details.reject_opening_item()?;
    let account = accounts::own(tx, cx)?;
    let language = language(tx, cx, None, &details.invoice, &account)?;
    let face = invoice_documents::face(tx, cx, &details, None)?;
    let link = cx.env.links.is_some().then_some(LINK);
    let letter = letters::invoice(&about(&details, &face.seller, link), language);
    let lacks_iban = lacks_iban(&details.invoice, &face.seller);
    let (to, cc) = proposed_recipients(&details.invoice.customer, EmailUse::Invoice);
    Ok(Proposal {
        to,
        cc,
        letter,
        not_expressible: face.not_expressible,
        lacks_iban,
        kind: None,
        reminded_on: None,
        next_reminder_from: None,
        can_be_forced: false,
        is_stopped: false,
        also_late: Bucket::default(),
    })
}

/// Whether an email about an invoice asks for payment without naming a bank account.
pub(crate) fn lacks_iban(invoice: &Invoice, seller: &Seller) -> bool {
    seller.iban.is_none()
        && invoice.kind == InvoiceKind::Invoice
        && invoices::amount_due(invoice) > Cents::ZERO
}

/// Returns the emails about an invoice, oldest first.
///
/// # Errors
/// There is no such invoice.
pub fn of_invoice(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<Vec<Mail>, Error> {
    invoices::require(tx, cx, id)?;
    Ok(outbox::of_invoice(tx, cx.actor.account, id)?)
}

/// Returns at most `limit` invoices and credit notes whose last email did not reach the customer,
/// newest email first. Settled invoices are omitted, since they need no email; a credit note is
/// included until its VAT return is due ([`days::is_current`]).
///
/// # Errors
/// The storage failed.
pub fn undelivered(tx: &mut Tx<'_>, cx: &Context, limit: i64) -> Result<Vec<Invoice>, Error> {
    let mut undelivered = Vec::new();
    for mail in outbox::failed_about_invoices(tx, cx.actor.account, limit)? {
        let Some(id) = mail.invoice else { continue };
        let is_needed = |invoice: &Invoice| match invoice.kind {
            InvoiceKind::Invoice => !invoices::amount_due(invoice).is_zero(),
            InvoiceKind::CreditNote => {
                days::is_current(invoice.vat_date, mail.created_at, cx.today())
            }
        };
        undelivered.extend(rows::by_id(tx, cx.actor.account, id)?.filter(is_needed));
    }
    Ok(undelivered)
}

/// Returns the email with the given external id.
///
/// # Errors
/// The account is not Dutch.
pub fn find_by_external_id(
    tx: &mut Tx<'_>,
    cx: &Context,
    external_id: Option<&str>,
) -> Result<Option<Mail>, Error> {
    cx.actor.require_dutch()?;
    match external_id {
        Some(external_id) => Ok(outbox::by_external_id(tx, cx.actor.account, external_id)?),
        None => Ok(None),
    }
}

/// Maximum number of further recipients.
pub const MOST_CC: usize = 9;

/// Returns the recipient and the further recipients: the given ones or, without a recipient, the
/// customer's addresses for the use. A fault in the customer's address has no path, because the
/// request has no such field.
pub(crate) fn recipients(
    (to, cc): (Option<&str>, Option<&[String]>),
    customer: &Party,
    wanted: EmailUse,
) -> Result<(String, Vec<String>), Error> {
    let mut own = customer.addresses_for(wanted).into_iter();
    let checked = |path: &str, address: &str| {
        EmailAddress::of_recipient(address)
            .map(String::from)
            .map_err(|reason| Error::fault(path, reason))
    };
    let (to, usual_cc) = match to {
        Some(to) => (checked("/to", to)?, Vec::new()),
        None => {
            let first = own.next().ok_or_else(|| {
                let customer = customer.name.clone();
                Error::fault("", Reason::CustomerHasNoEmail { customer })
            })?;
            (checked("", &first)?, own.collect())
        }
    };
    let mut further: Vec<String> = Vec::new();
    for (place, address) in cc.unwrap_or(&usual_cc).iter().enumerate() {
        let address =
            checked(&if cc.is_some() { format!("/cc/{place}") } else { String::new() }, address)?;
        if address != to && !further.contains(&address) {
            further.push(address);
        }
    }
    further.truncate(MOST_CC);
    Ok((to, further))
}

/// Recipient and further recipients that are proposed.
pub(crate) fn proposed_recipients(
    customer: &Party,
    wanted: EmailUse,
) -> (Option<String>, Vec<String>) {
    let mut addresses = customer.addresses_for(wanted).into_iter();
    (addresses.next(), addresses.take(MOST_CC).collect())
}

/// Returns the requested language, or else the language of the sent document, or else that of the
/// customer or the account.
pub(crate) fn language(
    tx: &mut Tx<'_>,
    cx: &Context,
    requested: Option<Language>,
    invoice: &Invoice,
    account: &Account,
) -> Result<Language, Error> {
    if let Some(language) = requested {
        return Ok(language);
    }
    let of_document = language_of(tx, cx, invoice.id)?;
    let own = || account.language.as_deref().and_then(Language::parse);
    let of_customer = || invoice.language.or_else(|| invoice.customer.own_language());
    Ok(of_document.or_else(of_customer).or_else(own).unwrap_or(Language::Dutch))
}

/// Returns the invoice data used in letters.
pub(crate) fn about<'a>(
    details: &'a InvoiceDetails,
    seller: &'a Seller,
    link: Option<&'a str>,
) -> letters::About<'a> {
    let invoice = &details.invoice;
    letters::About {
        number: &invoice.number,
        is_credit_note: invoice.kind == InvoiceKind::CreditNote,
        seller: &seller.name,
        contact_person: invoice.customer.contact_person.as_deref(),
        iban: seller.iban.as_ref().map(Iban::as_str),
        total: invoice.total.abs(),
        open: invoices::amount_due(invoice),
        due: invoice.due_date,
        reference: invoice.reference.as_deref(),
        link,
        also: &[],
    }
}

/// Placeholder in the text of an email for the address of the customer's page.
pub const LINK: &str = "{link}";

/// Puts the address of the page in the place of the placeholder in a text that the owner wrote; a
/// text without one gets it at its end. Without an address, the paragraph of the placeholder is left
/// out.
pub(crate) fn with_link(text: &str, link: Option<&str>) -> String {
    match link {
        Some(link) if text.contains(LINK) => text.replace(LINK, link),
        Some(link) => format!("{text}\n\n{link}"),
        None => {
            let kept = text.split("\n\n").filter(|part| !part.contains(LINK));
            kept.collect::<Vec<_>>().join("\n\n")
        }
    }
}

/// Document that an email is about.
pub(crate) enum About<'p> {
    /// An invoice or a credit note.
    Invoice(&'p Invoice),
    /// A quote.
    Quote(&'p Quote),
}

/// Email for the outbox.
pub(crate) struct Post<'p> {
    pub(crate) kind: MessageKind,
    pub(crate) about: About<'p>,
    pub(crate) external_id: Option<&'p str>,
    pub(crate) to: &'p str,
    pub(crate) cc: &'p [String],
    pub(crate) language: Language,
    pub(crate) letter: &'p Letter,
    pub(crate) copy_to_me: bool,
    /// Earliest time at which it is sent, by the clock of the books.
    pub(crate) not_before: Option<Timestamp>,
}

/// Queues an email to a customer, and a copy for the owner.
///
/// # Errors
/// A limit on emails has been reached.
// Long: the checks before an email is queued, in order.
pub(crate) fn put(
    tx: &mut Tx<'_>,
    cx: &Context,
    account: &Account,
    post: &Post<'_>,
) -> Result<Created<Mail>, Error> {
    // The books are locked below, so that concurrent commands of the same account count the queued
    // emails correctly. Emails of a test account go to its owner only.
    let test = cx.actor.test.map(|_| letters::of_test(post.letter, post.to, post.language));
    let (to, letter) = test
        .as_ref()
        .map_or((post.to, post.letter), |letter| (account.owner.email.as_str(), letter));
    let written_at = cx.clock();
    // Emails are sent by the clock of the server.
    let wait = post.not_before.map(|earliest| earliest.duration_since(written_at));
    let due = cx.now() + wait.unwrap_or_default().max(SignedDuration::ZERO);
    context::transact(tx, cx, |tx, _, cx| {
        // A concurrent command with the same external id may have committed in the meantime.
        if let Some(existing) = find_by_external_id(tx, cx, post.external_id)? {
            return Ok(Created::Existing(existing));
        }
        let (invoice, quote) = match post.about {
            About::Invoice(invoice) => (Some(invoice), None),
            About::Quote(quote) => (None, Some(quote)),
        };
        if outbox::waiting(tx, cx.actor.account)? >= MOST_WAITING {
            return Err(Error::Busy("mails"));
        }
        let most = most_a_day(account.plan);
        if outbox::to_customers_since(tx, cx.actor.account, written_at - 24.hours(), most)? >= most
        {
            return Err(InvoiceError::TooManyMails { most }.into());
        }
        let mail = Mail {
            id: new_id(cx.env.random())?,
            kind: post.kind,
            invoice: invoice.map(|invoice| invoice.id),
            quote: quote.map(|quote| quote.id),
            external_id: post.external_id.map(str::to_owned),
            recipient: to.to_owned(),
            // Emails of a test account go to its owner only.
            cc: (test.is_none() && !post.cc.is_empty()).then(|| post.cc.join(",")),
            language: post.language,
            sender: Some(account.name.clone()),
            reply_to: Some(account.owner.email.clone()),
            subject: letter.subject.clone(),
            body: letter.text.clone(),
            state: State::Queued,
            cause: None,
            attempts: 0,
            created_at: written_at,
            sent_at: None,
        };
        outbox::insert(tx, cx.actor.account, &mail, due)?;
        if post.copy_to_me {
            let copy = Mail {
                id: new_id(cx.env.random())?,
                kind: MessageKind::Copy,
                external_id: None,
                recipient: account.owner.email.clone(),
                cc: None,
                ..mail.clone()
            };
            outbox::insert(tx, cx.actor.account, &copy, due)?;
        }
        if let Some(invoice) = invoice {
            let is_reminder = post.kind == MessageKind::Reminder;
            store::invoices::mailed(tx, cx.actor.account, invoice, is_reminder, cx.now())?;
        }
        if let Some(quote) = quote {
            let quote = Quote { updated_at: cx.now(), ..quote.clone() };
            store::quotes::update(tx, cx.actor.account, &quote, None)?;
        }
        outbox::by_id(tx, cx.actor.account, &mail.id)?
            .map(Created::New)
            .ok_or(Error::NotFound("message"))
    })
}
