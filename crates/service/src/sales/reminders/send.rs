//! Sending a reminder: the next step of an overdue invoice, with the interest and costs that the law
//! allows. A letter to a consumer is about all due invoices of the customer.

use super::{InvoiceReminders, StopCause, read_all};
use crate::{
    Context, Created, Error, Fault, InvoiceError, Reason, accounts, context,
    invoice_documents::{self, Seller},
    invoices::{self, InvoiceDetails},
    messages::{self, About, Post, Proposal},
    vat_schemes,
};
use documents::letters::{self, LateInvoice, Letter};
use jiff::{ToSpan, civil::Date};
use ledger::{
    customer::{CustomerKind, EmailUse},
    language::Language,
    money::Cents,
    reminder::{ReminderKind, ReminderPlan, next_kind},
};
use std::collections::BTreeSet;
use store::{
    Tx,
    accounts::Account,
    invoices::{self as invoice_rows, Invoice},
    outbox::{Mail, MessageKind},
    receivables::Bucket,
    reminders::{self as rows, Reminder},
};
use tax::reminders::{claim, collection_costs};

/// Maximum number of invoices in one letter.
const MOST_IN_LETTER: i64 = 500;

/// Input for reminding a customer of an unpaid invoice.
#[derive(Debug, Clone, Default)]
pub struct Remind {
    /// Caller's own identifier.
    pub external_id: Option<String>,
    /// Id of the invoice.
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
    /// Whether to send it although the last reminder is recent.
    pub force: bool,
}

/// Next reminder of an invoice, with its text.
struct Prepared {
    account: Account,
    details: InvoiceDetails,
    seller: Seller,
    language: Language,
    reminders: InvoiceReminders,
    kind: ReminderKind,
    /// Other invoices in the same letter to a consumer.
    also: Vec<InvoiceReminders>,
    letter: Letter,
    /// Earliest day of the next reminder, if it is in the future.
    possible_from: Option<Date>,
}

/// Sends the next reminder for an overdue invoice.
///
/// # Errors
/// There is no such invoice, it is a draft or a credit note, nothing is outstanding, it is not
/// overdue, there is no email address, its reminders are stopped, the last reminder is too recent, the
/// text is fixed, or a limit on emails has been reached.
pub fn remind(tx: &mut Tx<'_>, cx: &Context, command: &Remind) -> Result<Created<Mail>, Error> {
    if let Some(existing) = messages::find_by_external_id(tx, cx, command.external_id.as_deref())? {
        return Ok(Created::Existing(existing));
    }
    // The books stay locked until the transaction ends, so the values read here are still valid when
    // the email is queued below.
    let prepared = context::transact(tx, cx, |tx, _, cx| {
        // A concurrent command with the same external id may have committed in the meantime.
        let external_id = command.external_id.as_deref();
        Ok(match messages::find_by_external_id(tx, cx, external_id)? {
            Some(existing) => Err(existing),
            None => Ok(prepare(tx, cx, command.invoice_id, command.language)?),
        })
    })?;
    let prepared = match prepared {
        Ok(prepared) => prepared,
        Err(existing) => return Ok(Created::Existing(existing)),
    };
    let invoice = &prepared.details.invoice;
    let asked = (command.to.as_deref(), command.cc.as_deref());
    let (to, cc) = messages::recipients(asked, &invoice.customer, EmailUse::Reminder)?;
    require_allowed(&prepared, command)?;
    let letter = Letter {
        subject: command.subject.clone().unwrap_or_else(|| prepared.letter.subject.clone()),
        text: command.message.clone().unwrap_or_else(|| prepared.letter.text.clone()),
    };
    let post = Post {
        kind: MessageKind::Reminder,
        about: About::Invoice(invoice),
        external_id: command.external_id.as_deref(),
        to: &to,
        cc: &cc,
        language: prepared.language,
        letter: &letter,
        copy_to_me: command.copy_to_me,
        not_before: None,
    };
    let queued = messages::put(tx, cx, &prepared.account, &post)?;
    if let Created::New(mail) = &queued {
        record(tx, cx, &prepared, mail)?;
    }
    Ok(queued)
}

/// Rejects a reminder that is stopped or too early, and changes to a text that is fixed.
fn require_allowed(prepared: &Prepared, command: &Remind) -> Result<(), Error> {
    let reminders = &prepared.reminders;
    if reminders.is_stopped_by_owner() {
        let until = reminders.stop.as_ref().and_then(|stop| stop.until);
        return Err(InvoiceError::RemindersStopped { until }.into());
    }
    let is_forced =
        command.force && ReminderPlan::can_be_forced(reminders.debtor, &reminders.history());
    if let Some(next) = prepared.possible_from.filter(|_| !is_forced) {
        return Err(InvoiceError::RemindedRecently { next }.into());
    }
    if prepared.kind != ReminderKind::Letter {
        return Ok(());
    }
    let given = [("/subject", &command.subject), ("/message", &command.message)];
    let faults: Vec<Fault> = given
        .into_iter()
        .filter(|(_, value)| value.is_some())
        .map(|(path, _)| Fault::new(path, Reason::FixedText))
        .collect();
    if faults.is_empty() { Ok(()) } else { Err(Error::Invalid(faults)) }
}

/// Stores the step of each invoice that the email is about.
fn record(tx: &mut Tx<'_>, cx: &Context, prepared: &Prepared, mail: &Mail) -> Result<(), Error> {
    context::transact(tx, cx, |tx, _, cx| {
        for (place, reminders) in
            [&prepared.reminders].into_iter().chain(&prepared.also).enumerate()
        {
            let step = reminders.sent.iter().map(|sent| sent.step).max().unwrap_or(0) + 1;
            let reminder = Reminder {
                invoice_id: reminders.invoice.id,
                step,
                kind: prepared.kind,
                mail_id: mail.id.clone(),
                sent_on: cx.today(),
                created_at: cx.now(),
            };
            rows::put(tx, cx.actor.account, &reminder)?;
            // The change of the first invoice was recorded with the email.
            if place > 0 {
                let invoice = &reminders.invoice;
                invoice_rows::mailed(tx, cx.actor.account, invoice, true, cx.now())?;
            }
        }
        Ok(())
    })
}

/// Returns the next reminder as a proposal.
///
/// # Errors
/// Those of [`remind`], except those about the recipient, stops, the last reminder and the limits on
/// emails.
pub fn propose(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<Proposal, Error> {
    let prepared = prepare(tx, cx, id, None)?;
    let invoice = &prepared.details.invoice;
    let (to, cc) = messages::proposed_recipients(&invoice.customer, EmailUse::Reminder);
    let also = prepared.also.iter().map(|also| invoices::amount_due(&also.invoice));
    Ok(Proposal {
        to,
        cc,
        lacks_iban: messages::lacks_iban(invoice, &prepared.seller),
        letter: prepared.letter,
        not_expressible: Vec::new(),
        kind: Some(prepared.kind),
        reminded_on: prepared.reminders.sent.last().map(|sent| sent.sent_on),
        next_reminder_from: prepared.possible_from,
        can_be_forced: ReminderPlan::can_be_forced(
            prepared.reminders.debtor,
            &prepared.reminders.history(),
        ),
        is_stopped: prepared.reminders.is_stopped_by_owner(),
        also_late: Bucket {
            count: i64::try_from(prepared.also.len()).unwrap_or(i64::MAX),
            amount: also.sum(),
        },
    })
}

/// Prepares the next reminder of an invoice.
fn prepare(
    tx: &mut Tx<'_>,
    cx: &Context,
    id: i64,
    language: Option<Language>,
) -> Result<Prepared, Error> {
    let details = invoices::read(tx, cx, id)?;
    let (invoice, today) = (&details.invoice, cx.today());
    let account = accounts::own(tx, cx)?;
    let language = messages::language(tx, cx, language, invoice, &account)?;
    require_overdue(invoice, today)?;
    let plan = rows::plan(tx, cx.actor.account)?;
    let reminders = read_all(tx, cx, &plan, vec![invoice.clone()])?.pop();
    let reminders = reminders.ok_or(Error::NotFound("invoice"))?;
    let history = reminders.history();
    let kind = next_kind(reminders.debtor, &history);
    let also = others(tx, cx, &plan, &reminders, kind)?;
    // A last reminder far in the future is ignored: the clock has been set back.
    let is_past = history.last().is_none_or(|last| last.on <= today.saturating_add(1.day()));
    let possible_from = plan.possible_from(reminders.debtor, &history);
    let possible_from = possible_from.filter(|from| is_past && *from > today);
    let seller = invoice_documents::seller(tx, cx.actor.account, invoice)?;
    let late: Vec<LateInvoice> = also
        .iter()
        .map(|also| LateInvoice {
            number: also.invoice.number.clone(),
            open: invoices::amount_due(&also.invoice),
            due: also.invoice.due_date,
        })
        .collect();
    let text = text_of(tx, cx, (&reminders, kind), &late)?;
    let about = letters::About { also: &late, ..messages::about(&details, &seller, None) };
    let letter = letters::reminder(&about, &text, language);
    Ok(Prepared {
        account,
        seller,
        language,
        reminders,
        kind,
        also,
        letter,
        possible_from,
        details,
    })
}

/// Returns the contents of a reminder.
fn text_of(
    tx: &mut Tx<'_>,
    cx: &Context,
    (reminders, kind): (&InvoiceReminders, ReminderKind),
    late: &[LateInvoice],
) -> Result<letters::Reminder, Error> {
    let (invoice, debtor, today) = (&reminders.invoice, reminders.debtor, cx.today());
    // Under the small businesses scheme (KOR), no VAT is deducted, so VAT on the costs may be
    // claimed as well (art. 2(3) Besluit vergoeding voor buitengerechtelijke incassokosten).
    let deducts_vat = vat_schemes::kor_since(tx, cx.actor.account, today)?.is_none();
    let open = invoices::amount_due(invoice);
    let own = claim(open, invoice.due_date, today, debtor, deducts_vat);
    let open_of_all = open + late.iter().map(|late| late.open).sum::<Cents>();
    let costs = collection_costs(open_of_all, today, deducts_vat);
    let interest = late.iter().try_fold(own.interest.unwrap_or_default(), |sum, late| {
        let of = claim(late.open, late.due, today, debtor, deducts_vat);
        Some(sum + of.interest?)
    });
    let interest = own.interest.and(interest);
    Ok(match (kind, debtor) {
        (ReminderKind::Friendly, _) => letters::Reminder::First,
        (ReminderKind::Interest, _) => letters::Reminder::Second {
            before: reminders.sent.last().map_or(today, |sent| sent.sent_on),
            late: i32::try_from(own.days).unwrap_or(i32::MAX),
            interest: own.interest,
            until: today.saturating_add(14.days()),
        },
        (ReminderKind::Costs, CustomerKind::Business) => {
            letters::Reminder::Last { costs, until: today.saturating_add(7.days()) }
        }
        (ReminderKind::Letter, _) => {
            letters::Reminder::FourteenDays { costs, costs_with_vat: !deducts_vat }
        }
        (ReminderKind::Costs, CustomerKind::Consumer) => {
            letters::Reminder::AfterTerm { costs, interest }
        }
    })
}

/// Returns the other invoices in a letter to a consumer (art. 6:96(7) BW): all due invoices of the
/// customer without such a letter, and those of the letter when its costs are claimed.
fn others(
    tx: &mut Tx<'_>,
    cx: &Context,
    plan: &ReminderPlan,
    reminders: &InvoiceReminders,
    kind: ReminderKind,
) -> Result<Vec<InvoiceReminders>, Error> {
    let account = cx.actor.account;
    let is_joint = matches!(kind, ReminderKind::Letter | ReminderKind::Costs);
    if reminders.debtor == CustomerKind::Business || !is_joint {
        return Ok(Vec::new());
    }
    let letter = |of: &InvoiceReminders| {
        of.sent.iter().rev().find(|sent| sent.kind == ReminderKind::Letter).cloned()
    };
    let claimed: Option<BTreeSet<i64>> = match letter(reminders) {
        Some(letter) => {
            let all = rows::of_mail(tx, account, &letter.mail_id)?;
            Some(all.into_iter().map(|reminder| reminder.invoice_id).collect())
        }
        None => None,
    };
    let of_customer = (Some(cx.today()), Some(reminders.invoice.contact_id));
    let late = rows::unsettled(tx, account, of_customer, 0, MOST_IN_LETTER)?;
    let late = late.into_iter().filter(|invoice| invoice.id != reminders.invoice.id).collect();
    let is_in_letter = |other: &InvoiceReminders| {
        let is_stopped = other.stopped_because == Some(StopCause::Owner);
        let is_part = match &claimed {
            Some(claimed) => claimed.contains(&other.invoice.id),
            None => letter(other).is_none(),
        };
        !is_stopped && is_part && other.debtor == CustomerKind::Consumer
    };
    Ok(read_all(tx, cx, plan, late)?.into_iter().filter(is_in_letter).collect())
}

/// Rejects an invoice that is not sent, not overdue, or settled.
fn require_overdue(invoice: &Invoice, today: Date) -> Result<(), Error> {
    invoices::require_sent(invoice)?;
    let number = invoice.number.clone();
    if invoices::amount_due(invoice).is_zero() {
        return Err(Error::fault("", Reason::NothingToRemindOf { invoice: number }));
    }
    if invoice.due_date >= today {
        let due_date = invoice.due_date;
        return Err(Error::fault("", Reason::NotLate { invoice: number, due_date }));
    }
    Ok(())
}
