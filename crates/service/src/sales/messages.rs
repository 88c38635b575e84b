//! Mails to customers: an invoice with its documents, and reminders. They are put into the outbox in the transaction of the command.

use crate::{
    Context, Created, EmailAddress, Error, Fault, Reason, accounts, contacts, context, days,
    document_snapshots::language_of,
    invoice_documents::{self, Cause, Seller},
    invoices::{self, EditInvoice, InvoiceDetails},
    mails::new_id,
    vat_schemes,
};
use documents::letters::{self, About, Letter};
use jiff::{Timestamp, ToSpan, civil::Date};
use ledger::{
    calendar::{amsterdam_today, next_day},
    identifiers::Iban,
    language::Language,
    money::Cents,
};
use store::{
    Tx,
    accounts::{Account, Plan},
    contacts::Party,
    invoices::{self as rows, Invoice, InvoiceKind, Status},
    outbox::{self, Mail, MessageKind, State},
    receivables::{self, Bucket},
};
use tax::reminders::{self, Debtor, Step};

/// Mails of an account that may be on their way at once.
const MOST_WAITING: i64 = 500;

/// Mails to customers that an account may send in 24 hours: whom nobody knows yet sends no more than a business that writes invoices by hand.
#[must_use]
pub const fn most_a_day(plan: Plan) -> i64 {
    match plan {
        Plan::Free => 50,
        Plan::Starter | Plan::Pro => 2_000,
    }
}

/// The longest subject and text that are taken.
pub const LONGEST_SUBJECT: usize = 200;
/// The longest text.
pub const LONGEST_TEXT: usize = 10_000;

/// An invoice that is to be mailed.
#[derive(Debug, Clone, Default)]
pub struct SendInvoice {
    /// The caller's own identifier.
    pub external_id: Option<String>,
    /// The invoice or credit note; a draft is sent by it.
    pub invoice_id: i64,
    /// To whom; the customer's address unless given.
    pub to: Option<String>,
    /// What stands above it, if not the usual.
    pub subject: Option<String>,
    /// What it says, if not the usual.
    pub message: Option<String>,
    /// In which language, if not the document's.
    pub language: Option<Language>,
    /// Whether the owner gets one too.
    pub copy_to_me: bool,
}

/// An invoice that the customer is reminded of.
#[derive(Debug, Clone, Default)]
pub struct Remind {
    /// The caller's own identifier.
    pub external_id: Option<String>,
    /// The invoice.
    pub invoice_id: i64,
    /// To whom; the customer's address unless given.
    pub to: Option<String>,
    /// In which language, if not the document's.
    pub language: Option<Language>,
    /// Whether the owner gets one too.
    pub copy_to_me: bool,
}

/// The mail that an invoice would go with, for the form in which it is edited.
#[derive(Debug, Clone)]
pub struct Proposal {
    /// To whom.
    pub to: Option<String>,
    /// What stands above it and what it says.
    pub letter: Letter,
    /// Why no e-invoice goes with it; of a reminder, which brings none, nothing.
    pub not_expressible: Vec<Cause>,
    /// Which reminder it is.
    pub step: Option<Step>,
    /// When the customer was reminded before.
    pub reminded_on: Option<Date>,
    /// When the next reminder can go, if not now.
    pub next_reminder_from: Option<Timestamp>,
    /// Of a reminder to a consumer: what else of theirs is late, which belongs into the same letter if costs are to be claimed (art. 6:96(7) BW).
    pub also_late: Bucket,
}

/// Mails an invoice or credit note with its documents; a draft is sent by it.
///
/// # Errors
/// There is no such invoice, nobody's address is known, a draft cannot be sent, or too many mails wait.
pub fn send(tx: &mut Tx<'_>, cx: &Context, command: &SendInvoice) -> Result<Created<Mail>, Error> {
    if let Some(known) = find_by_external_id(tx, cx, command.external_id.as_deref())? {
        return Ok(Created::Existing(known));
    }
    let mut details = invoices::read(tx, cx, command.invoice_id)?;
    details.require_made_here()?;
    let to = recipient(command.to.as_deref(), &details.invoice.customer)?;
    if details.invoice.status == Status::Cancelled {
        return Err(Error::Cancelled);
    }
    if details.invoice.status == Status::Draft {
        let edit = EditInvoice { status: Some(Status::Sent), language: command.language, ..EditInvoice::default() };
        details = invoices::edit(tx, cx, command.invoice_id, &edit, &|_| true)?;
    }
    let account = accounts::own(tx, cx)?;
    let language = language(tx, cx, command.language, command.invoice_id, &account)?;
    // By now it is sent: the mail says what the document says that goes with it.
    let seller = invoice_documents::seller(tx, cx.actor.account, &details.invoice)?;
    let usual = letters::invoice(&about(&details, &seller), language);
    let letter =
        Letter { subject: command.subject.clone().unwrap_or(usual.subject), text: command.message.clone().unwrap_or(usual.text) };
    let post = Post {
        kind: MessageKind::Invoice,
        invoice: &details.invoice,
        external_id: command.external_id.as_deref(),
        to: &to,
        language,
        letter: &letter,
        copy_to_me: command.copy_to_me,
    };
    put(tx, cx, &account, &post)
}

/// Reminds the customer of an invoice that is late: by the next of the reminders, with what the law lets the owner charge.
///
/// # Errors
/// There is no such invoice, it is a draft or a credit note, nothing is outstanding, it is not late, nobody's address is known, the last
/// reminder is less than a day old, or too many mails wait.
pub fn remind(tx: &mut Tx<'_>, cx: &Context, command: &Remind) -> Result<Created<Mail>, Error> {
    if let Some(known) = find_by_external_id(tx, cx, command.external_id.as_deref())? {
        return Ok(Created::Existing(known));
    }
    let details = invoices::read(tx, cx, command.invoice_id)?;
    let account = accounts::own(tx, cx)?;
    let language = language(tx, cx, command.language, command.invoice_id, &account)?;
    let sent = reminders_of(tx, cx, command.invoice_id)?;
    let (_, letter) = next_reminder(tx, cx, &details, &sent, language)?;
    let to = recipient(command.to.as_deref(), &details.invoice.customer)?;
    let post = Post {
        kind: MessageKind::Reminder,
        invoice: &details.invoice,
        external_id: command.external_id.as_deref(),
        to: &to,
        language,
        letter: &letter,
        copy_to_me: command.copy_to_me,
    };
    put(tx, cx, &account, &post)
}

/// The mail that an invoice would go with.
///
/// # Errors
/// There is no such invoice, or it was open when the books began.
pub fn propose(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<Proposal, Error> {
    let details = invoices::read(tx, cx, id)?;
    details.require_made_here()?;
    let account = accounts::own(tx, cx)?;
    let language = language(tx, cx, None, id, &account)?;
    let face = invoice_documents::face(tx, cx, &details, None)?;
    let letter = letters::invoice(&about(&details, &face.seller), language);
    Ok(Proposal {
        to: details.invoice.customer.email,
        letter,
        not_expressible: face.not_expressible,
        step: None,
        reminded_on: None,
        next_reminder_from: None,
        also_late: Bucket::default(),
    })
}

/// The reminder that would come next.
///
/// # Errors
/// As for [`remind`].
pub fn propose_reminder(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<Proposal, Error> {
    let details = invoices::read(tx, cx, id)?;
    let account = accounts::own(tx, cx)?;
    let language = language(tx, cx, None, id, &account)?;
    let sent = reminders_of(tx, cx, id)?;
    let (step, letter) = next_reminder(tx, cx, &details, &sent, language)?;
    let invoice = details.invoice;
    let also_late = match debtor(&invoice.customer) {
        Debtor::Consumer => receivables::late_beside(tx, cx.actor.account, invoice.contact_id, invoice.id, cx.today())?,
        Debtor::Business => Bucket::default(),
    };
    let (step, reminded_on) = (Some(step), sent.last().copied().map(amsterdam_today));
    let next_reminder_from = next_reminder_from(&sent, cx.clock());
    let (to, not_expressible) = (invoice.customer.email, Vec::new());
    Ok(Proposal { to, letter, not_expressible, step, reminded_on, next_reminder_from, also_late })
}

/// The mails about an invoice, the oldest first.
///
/// # Errors
/// There is no such invoice.
pub fn of_invoice(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<Vec<Mail>, Error> {
    invoices::require(tx, cx, id)?;
    Ok(outbox::of_invoice(tx, cx.actor.account, id)?)
}

/// Invoices and credit notes whose last mail did not reach the customer, the newest mail first, `limit` at most. One that is settled needs
/// no mail any more; a credit note counts until the VAT return is due ([`days::is_current`]).
///
/// # Errors
/// The storage failed.
pub fn undelivered(tx: &mut Tx<'_>, cx: &Context, limit: i64) -> Result<Vec<Invoice>, Error> {
    let mut undelivered = Vec::new();
    for mail in outbox::failed_about_invoices(tx, cx.actor.account, limit)? {
        let Some(id) = mail.invoice else { continue };
        let is_needed = |invoice: &Invoice| match invoice.kind {
            InvoiceKind::Invoice => !invoices::amount_due(invoice).is_zero(),
            InvoiceKind::CreditNote => days::is_current(invoice.vat_date, mail.created_at, cx.today()),
        };
        undelivered.extend(rows::by_id(tx, cx.actor.account, id)?.filter(is_needed));
    }
    Ok(undelivered)
}

/// What an external id names already, if anything.
///
/// # Errors
/// The storage failed.
pub fn find_by_external_id(tx: &mut Tx<'_>, cx: &Context, external_id: Option<&str>) -> Result<Option<Mail>, Error> {
    cx.actor.require_dutch()?;
    match external_id {
        Some(external_id) => Ok(outbox::by_external_id(tx, cx.actor.account, external_id)?),
        None => Ok(None),
    }
}

/// One address: the one given, else the customer's. A fault of the latter is at no field, as none was sent.
fn recipient(given: Option<&str>, customer: &Party) -> Result<String, Error> {
    let (path, address) = match (given, customer.email.as_deref()) {
        (Some(given), _) => ("/to", given),
        (None, Some(own)) => ("", own),
        (None, None) => return Err(Error::fault("", Reason::CustomerHasNoEmail { customer: customer.name.clone() })),
    };
    EmailAddress::of_recipient(address).map(String::from).map_err(|reason| Error::fault(path, reason))
}

/// The language that was asked for, else the one that the document was sent in, else the account's.
fn language(tx: &mut Tx<'_>, cx: &Context, asked: Option<Language>, invoice: i64, account: &Account) -> Result<Language, Error> {
    if let Some(asked) = asked {
        return Ok(asked);
    }
    let of_document = language_of(tx, cx, invoice)?;
    let own = || account.language.as_deref().and_then(Language::parse);
    Ok(of_document.or_else(own).unwrap_or(Language::Dutch))
}

fn about<'a>(details: &'a InvoiceDetails, seller: &'a Seller) -> About<'a> {
    let invoice = &details.invoice;
    About {
        number: &invoice.number,
        is_credit_note: invoice.kind == InvoiceKind::CreditNote,
        seller: &seller.name,
        contact_person: invoice.customer.contact_person.as_deref(),
        iban: seller.iban.as_ref().map(Iban::as_str),
        total: invoice.total.abs(),
        open: invoices::amount_due(invoice),
        due: invoice.due_date,
        reference: invoice.reference.as_deref(),
    }
}

/// From a consumer less may be claimed.
fn debtor(customer: &Party) -> Debtor {
    if contacts::is_business(customer) { Debtor::Business } else { Debtor::Consumer }
}

/// The reminder after those that were `sent`.
fn next_reminder(
    tx: &mut Tx<'_>,
    cx: &Context,
    details: &InvoiceDetails,
    sent: &[Timestamp],
    language: Language,
) -> Result<(Step, Letter), Error> {
    let (invoice, today) = (&details.invoice, cx.today());
    let sent: Vec<Date> = sent.iter().copied().map(amsterdam_today).collect();
    let open = open_of(invoice, today)?;
    let debtor = debtor(&invoice.customer);
    let step = reminders::next(debtor, &sent, today);
    // Whoever is under the KOR deducts no VAT, and may claim that on the costs too (art. 2(3) of the Besluit on collection costs).
    let deducts_vat = vat_schemes::kor_since(tx, cx.actor.account, today)?.is_none();
    let claim = reminders::claim(open, invoice.due_date, today, debtor, deducts_vat);
    let reminder = match step {
        Step::First => letters::Reminder::First,
        Step::Second => letters::Reminder::Second {
            before: sent.last().copied().unwrap_or(today),
            late: i32::try_from(claim.days).unwrap_or(i32::MAX),
            interest: claim.interest,
            until: today.saturating_add(14.days()),
        },
        Step::Last => letters::Reminder::Last { costs: claim.costs, until: today.saturating_add(7.days()) },
        Step::FourteenDays => letters::Reminder::FourteenDays { costs: claim.costs, costs_with_vat: !deducts_vat },
        Step::AfterTerm => letters::Reminder::AfterTerm { costs: claim.costs, interest: claim.interest },
    };
    let seller = invoice_documents::seller(tx, cx.actor.account, invoice)?;
    Ok((step, letters::reminder(&about(details, &seller), &reminder, language)))
}

/// When the next reminder can go, if not now: a day after the last, since it speaks of that one by its day. A last one in the future is
/// that of a test account whose clock was set back.
fn next_reminder_from(sent: &[Timestamp], now: Timestamp) -> Option<Timestamp> {
    let last = *sent.last()?;
    let from = next_day(last);
    (now < from && next_day(now) > last).then_some(from)
}

/// The moments at which the customer of an invoice was reminded. One that did not arrive reminds nobody of anything.
fn reminders_of(tx: &mut Tx<'_>, cx: &Context, invoice: i64) -> Result<Vec<Timestamp>, Error> {
    let mails = outbox::of_invoice(tx, cx.actor.account, invoice)?;
    let counts = |mail: &&Mail| mail.kind == MessageKind::Reminder && mail.state != State::Failed;
    Ok(mails.iter().filter(counts).map(|mail| mail.created_at).collect())
}

/// What is open of an invoice that is late.
fn open_of(invoice: &Invoice, today: Date) -> Result<Cents, Error> {
    invoices::require_sent(invoice)?;
    let open = invoices::amount_due(invoice);
    if open.is_zero() {
        return Err(Error::fault("", Reason::NothingToRemindOf { invoice: invoice.number.clone() }));
    }
    if invoice.due_date >= today {
        return Err(Error::Invalid(vec![Fault::new(
            "",
            Reason::NotLate { invoice: invoice.number.clone(), due_date: invoice.due_date },
        )]));
    }
    Ok(open)
}

/// What is put into the outbox.
struct Post<'p> {
    kind: MessageKind,
    invoice: &'p Invoice,
    external_id: Option<&'p str>,
    to: &'p str,
    language: Language,
    letter: &'p Letter,
    copy_to_me: bool,
}

fn put(tx: &mut Tx<'_>, cx: &Context, account: &Account, post: &Post<'_>) -> Result<Created<Mail>, Error> {
    // Those who put mails into one account's outbox follow one another, so that they count what waits.
    // What a test account sends reaches nobody but its owner.
    let test = cx.actor.test.map(|_| letters::of_test(post.letter, post.to, post.language));
    let (to, letter) = test.as_ref().map_or((post.to, post.letter), |letter| (account.owner.email.as_str(), letter));
    let (written_at, due) = (cx.clock(), cx.now());
    context::transact(tx, cx, |tx, _, cx| {
        // Of two at once the later sees here what the other has done.
        if let Some(known) = find_by_external_id(tx, cx, post.external_id)? {
            return Ok(Created::Existing(known));
        }
        let reminded = if post.kind == MessageKind::Reminder { reminders_of(tx, cx, post.invoice.id)? } else { Vec::new() };
        if let Some(from) = next_reminder_from(&reminded, written_at) {
            return Err(Error::RemindedRecently { from });
        }
        if outbox::waiting(tx, cx.actor.account)? >= MOST_WAITING {
            return Err(Error::Busy("mails"));
        }
        let most = most_a_day(account.plan);
        if outbox::to_customers_since(tx, cx.actor.account, written_at - 24.hours(), most)? >= most {
            return Err(Error::TooManyMails { most });
        }
        let mail = Mail {
            id: new_id(cx.env.random())?,
            kind: post.kind,
            invoice: Some(post.invoice.id),
            external_id: post.external_id.map(str::to_owned),
            recipient: to.to_owned(),
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
                ..mail.clone()
            };
            outbox::insert(tx, cx.actor.account, &copy, due)?;
        }
        store::invoices::mailed(tx, cx.actor.account, post.invoice, post.kind == MessageKind::Reminder, cx.now())?;
        outbox::by_id(tx, cx.actor.account, &mail.id)?.map(Created::New).ok_or(Error::NotFound("message"))
    })
}
