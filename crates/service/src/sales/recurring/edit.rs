//! Editing recurring invoices, for the invoices to come.

use super::{
    RecurringDetails, advance,
    create::{has_own_details, not_past},
    details, require_occurrence, require_open, save, stored,
};
use crate::{
    Context, Error,
    contacts::{self, Customer, CustomerInput},
    context,
    invoices::{EditParticulars, LineInput, all_of, inputs_for_edit, known_party, price_quote},
};
use jiff::civil::Date;
use ledger::{
    invoice::Prices,
    language::Language,
    schedule::{Deliver, RhythmUnit, Schedule, SupplyPeriod},
};
use store::{
    Tx,
    recurring::{self as rows, Recurring, RecurringContent},
};

/// Edit of a recurring invoice. Fields that are `None` stay unchanged.
#[derive(Debug, Clone, Default)]
pub struct EditRecurring {
    /// New customer, replacing all fields.
    pub customer: Option<CustomerInput>,
    /// New lines, replacing all existing ones.
    pub lines: Option<Vec<LineInput>>,
    /// New choice of unit prices with or without VAT.
    pub prices: Option<Prices>,
    /// New payment term of its invoices; `Some(None)` removes it.
    pub payment_term_days: Option<Option<i64>>,
    /// New reference; `Some(None)` removes it.
    pub reference: Option<Option<String>>,
    /// New notes; `Some(None)` removes them.
    pub notes: Option<Option<String>>,
    /// Changes of the discount on all lines, and of the customer's numbers.
    pub particulars: EditParticulars,
    /// New language of the invoices; `Some(None)` stands for that of the customer, or else of the
    /// account.
    pub language: Option<Option<Language>>,
    /// New unit of the rhythm and number of units.
    pub every: Option<(RhythmUnit, i64)>,
    /// New choice of the last day of the month.
    pub last_day_of_month: Option<bool>,
    /// New day from which the occurrences to come follow.
    pub first_date: Option<Date>,
    /// New last day; `Some(None)` removes it.
    pub last_date: Option<Option<Date>>,
    /// New number of occurrences, including those that were; `Some(None)` removes it.
    pub count: Option<Option<i64>>,
    /// New result of making an invoice.
    pub deliver: Option<Deliver>,
    /// New period of supply.
    pub supply_period: Option<SupplyPeriod>,
}

/// Edits a recurring invoice. What was made stays. `expected` is called on the stored one while the
/// books are locked; if it returns false, there is an edit conflict.
///
/// # Errors
/// There is no such recurring invoice, it is not as expected, it has ended, or a value is invalid.
// Long: it fills every field that an edit can change.
pub fn edit(
    tx: &mut Tx<'_>,
    cx: &Context,
    id: i64,
    edit: &EditRecurring,
    expected: &dyn Fn(&RecurringDetails) -> bool,
) -> Result<RecurringDetails, Error> {
    context::transact(tx, cx, |tx, books, cx| {
        cx.actor.require_dutch()?;
        let account = cx.actor.account;
        let old = stored(tx, cx, id)?;
        let before = details(tx, cx, old.clone())?;
        if !expected(&before) {
            return Err(Error::Changed);
        }
        require_open(&old)?;
        let schedule = scheduled(cx, &old, edit);
        let day = schedule.as_ref().ok().and_then(|schedule| schedule.date(old.next_number));
        let priced_on = day.or(old.next_date).unwrap_or(old.priced_on);
        let customer = match &edit.customer {
            Some(customer) => contacts::identify(tx, account, customer),
            None => Ok(Customer {
                contact_id: Some(old.contact_id),
                party: before.recurring.customer.clone(),
            }),
        };
        let input = edit.customer.clone().unwrap_or_default();
        let party = known_party(&customer, &input);
        let lines = edit.lines.clone().unwrap_or_else(|| {
            let dated = (&old.customer, old.priced_on);
            inputs_for_edit(&old.content.lines, dated, cx.actor.sales)
        });
        let prices = edit.prices.unwrap_or(old.prices());
        let particulars = edit.particulars.applied_to(&old.particulars);
        let terms = (&lines[..], prices, particulars.discount);
        let language = edit.language.unwrap_or(old.language);
        let priced = price_quote(tx, books, cx, (&party, language, priced_on), terms);
        let (customer, (lines, priced), schedule) = all_of(customer, priced, schedule)?;
        let contact_id = contacts::ensure(tx, books, cx, &customer)?;
        let own_details = if edit.customer.is_some() {
            has_own_details(tx, cx, contact_id, &customer.party)?
        } else {
            old.own_details
        };
        let mut changed = Recurring {
            contact_id,
            own_details,
            customer: customer.party,
            reference: edit.reference.clone().unwrap_or_else(|| old.reference.clone()),
            notes: edit.notes.clone().unwrap_or_else(|| old.notes.clone()),
            particulars,
            language,
            priced_on,
            subtotal: priced.subtotal,
            vat_total: priced.vat_total,
            total: priced.total,
            prices_include_vat: prices == Prices::Gross,
            payment_term_days: edit.payment_term_days.unwrap_or(old.payment_term_days),
            every_unit: schedule.rhythm.unit,
            every_count: schedule.rhythm.count,
            last_day_of_month: schedule.rhythm.last_day_of_month,
            first_date: schedule.first_date,
            first_number: schedule.first_number,
            last_date: schedule.last_date,
            occurrence_count: schedule.count,
            deliver: edit.deliver.unwrap_or(old.deliver),
            supply_period: edit.supply_period.unwrap_or(old.supply_period),
            // Emails to another address have yet to bounce.
            bounces: if edit.customer.is_some() { 0 } else { old.bounces },
            content: RecurringContent {
                lines: lines.into_iter().zip(priced.line_amounts).collect(),
            },
            ..old.clone()
        };
        if (Recurring { priced_on: old.priced_on, ..changed.clone() }) == old {
            return Ok(before);
        }
        if (schedule.rhythm, schedule.first_date) != (old.rhythm(), old.first_date) {
            // Occurrences that were skipped in advance were those of other days.
            rows::remove_skipped_from(tx, account, id, old.next_number)?;
        }
        advance(tx, cx, &mut changed, old.next_number)?;
        save(tx, cx, &mut changed)?;
        details(tx, cx, changed)
    })
}

/// Returns the schedule after an edit. With another rhythm or first day, the occurrences to come
/// follow from the new first day or, without one, from the next planned day.
fn scheduled(cx: &Context, old: &Recurring, edit: &EditRecurring) -> Result<Schedule, Error> {
    let before = old.schedule();
    let mut schedule = before;
    if let Some((unit, count)) = edit.every {
        (schedule.rhythm.unit, schedule.rhythm.count) = (unit, count);
    }
    let is_of_weeks = schedule.rhythm.unit == RhythmUnit::Week;
    schedule.rhythm.last_day_of_month =
        edit.last_day_of_month.unwrap_or(schedule.rhythm.last_day_of_month && !is_of_weeks);
    if is_of_weeks && schedule.rhythm.last_day_of_month {
        return Err(Error::fault("/lastDayOfMonth", crate::Reason::LastDayOfWeeks));
    }
    schedule.last_date = edit.last_date.unwrap_or(schedule.last_date);
    schedule.count = edit.count.unwrap_or(schedule.count);
    let first_date = edit.first_date.filter(|first_date| *first_date != old.first_date);
    if let Some(first_date) = first_date {
        not_past(cx, first_date)?;
    }
    if first_date.is_some() || schedule.rhythm != before.rhythm {
        schedule.first_number = old.next_number;
        schedule.first_date = first_date.or(old.next_date).unwrap_or(old.first_date);
        require_occurrence(&schedule)?;
    }
    Ok(schedule)
}
