//! Creating recurring invoices.

use super::{RecurringDetails, details, plan, require_occurrence, require_place};
use crate::{
    Context, Created, Error, Reason,
    contacts::{self, CustomerInput},
    context,
    invoices::{LineInput, all_of, known_party, price_quote},
};
use jiff::civil::Date;
use ledger::{
    invoice::Prices,
    language::Language,
    schedule::{Deliver, RecurringStatus, Rhythm, Schedule, SupplyPeriod},
};
use store::{
    Tx,
    books::IdSequence,
    contacts as contact_rows,
    contacts::Party,
    invoices::Particulars,
    recurring::{self as rows, Recurring, RecurringContent},
};

/// Input for a new recurring invoice.
#[derive(Debug, Clone)]
pub struct NewRecurring {
    /// Caller's own identifier. Creating a recurring invoice with an existing identifier returns
    /// that one.
    pub external_id: Option<String>,
    /// Customer.
    pub customer: CustomerInput,
    /// 1 to 500 lines.
    pub lines: Vec<LineInput>,
    /// Unit prices with or without VAT.
    pub prices: Prices,
    /// Payment term of its invoices, if it is not that of the customer or the account.
    pub payment_term_days: Option<i64>,
    /// Customer's reference, which is printed on the invoices.
    pub reference: Option<String>,
    /// Notes to the customer, which are printed on the invoices.
    pub notes: Option<String>,
    /// Discount on all lines, and numbers of the customer.
    pub particulars: Particulars,
    /// Language of the invoices, if it is not that of the customer or the account.
    pub language: Option<Language>,
    /// Rhythm.
    pub rhythm: Rhythm,
    /// Day from which all occurrences follow.
    pub first_date: Date,
    /// Last day on which there can be an occurrence.
    pub last_date: Option<Date>,
    /// Number of occurrences.
    pub count: Option<i64>,
    /// Result of making an invoice.
    pub deliver: Deliver,
    /// Period of supply.
    pub supply_period: SupplyPeriod,
}

impl NewRecurring {
    fn schedule(&self) -> Schedule {
        Schedule {
            rhythm: self.rhythm,
            first_date: self.first_date,
            first_number: 1,
            last_date: self.last_date,
            count: self.count,
        }
    }
}

/// Creates an active recurring invoice. Nothing is booked until its first day.
///
/// # Errors
/// The account is not Dutch or has too many active ones, the customer cannot be identified, or a
/// value is invalid.
pub fn create(
    tx: &mut Tx<'_>,
    cx: &Context,
    command: &NewRecurring,
) -> Result<Created<RecurringDetails>, Error> {
    context::transact(tx, cx, |tx, books, cx| {
        cx.actor.require_dutch()?;
        let account = cx.actor.account;
        if let Some(external_id) = &command.external_id
            && let Some(existing) = rows::by_external_id(tx, account, external_id)?
        {
            return details(tx, cx, existing).map(Created::Existing);
        }
        let customer = contacts::identify(tx, account, &command.customer);
        let party = known_party(&customer, &command.customer);
        let first =
            not_past(cx, command.first_date).and_then(|()| require_occurrence(&command.schedule()));
        let priced_on = *first.as_ref().unwrap_or(&command.first_date);
        let dated = (&party, command.language, priced_on);
        let discount = command.particulars.discount;
        let priced = price_quote(tx, books, cx, dated, (&command.lines, command.prices, discount));
        let (customer, (lines, priced), first) = all_of(customer, priced, first)?;
        require_place(tx, cx)?;
        let contact_id = contacts::ensure(tx, books, cx, &customer)?;
        let recurring = Recurring {
            id: books.next_id(IdSequence::Recurring),
            external_id: command.external_id.clone(),
            status: RecurringStatus::Active,
            paused_because: None,
            cause: None,
            contact_id,
            own_details: has_own_details(tx, cx, contact_id, &customer.party)?,
            customer: customer.party,
            reference: command.reference.clone(),
            notes: command.notes.clone(),
            particulars: command.particulars.clone(),
            language: command.language,
            priced_on,
            subtotal: priced.subtotal,
            vat_total: priced.vat_total,
            total: priced.total,
            prices_include_vat: command.prices == Prices::Gross,
            payment_term_days: command.payment_term_days,
            every_unit: command.rhythm.unit,
            every_count: command.rhythm.count,
            last_day_of_month: command.rhythm.last_day_of_month,
            first_date: command.first_date,
            first_number: 1,
            last_date: command.last_date,
            occurrence_count: command.count,
            deliver: command.deliver,
            supply_period: command.supply_period,
            next_number: 1,
            next_date: Some(first),
            bounces: 0,
            postponed_on: None,
            source: cx.actor.origin,
            created_at: cx.now(),
            updated_at: cx.now(),
            content: RecurringContent {
                lines: lines.into_iter().zip(priced.line_amounts).collect(),
            },
        };
        rows::insert(tx, account, &recurring)?;
        plan(tx, cx)?;
        details(tx, cx, recurring).map(Created::New)
    })
}

/// Rejects a first day in the past.
pub(super) fn not_past(cx: &Context, first_date: Date) -> Result<(), Error> {
    let today = cx.today();
    if first_date < today {
        return Err(Error::fault("/firstDate", Reason::FirstDatePast { today }));
    }
    Ok(())
}

/// Whether details of a customer differ from those of the contact.
pub(super) fn has_own_details(
    tx: &mut Tx<'_>,
    cx: &Context,
    contact: i64,
    party: &Party,
) -> Result<bool, Error> {
    let contact = contact_rows::by_id(tx, cx.actor.account, contact)?;
    Ok(contact.is_some_and(|contact| contact.party != *party))
}
