//! Invoices: creating, editing and cancelling drafts, crediting, and queries.

mod cancel;
mod create;
mod credit;
mod edit;
mod glyphs;
mod one_stop_shop;
mod opening;
mod prepayment;
mod preview;
mod pricing;
mod quoting;
mod read;
mod small_business;
mod table;
mod vat_proposals;
mod warnings;

pub use cancel::cancel;
pub use create::{NewInvoice, create};
pub use credit::{NewCreditNote, PartialCreditNote, credit, validate_credit};
pub use edit::EditParticulars;
pub use edit::{EditInvoice, edit};
pub use glyphs::{MissingGlyphs, unprintable};
pub use one_stop_shop::{Consumer, TaxPlace};
pub use opening::BroughtForward;
pub(crate) use opening::{OpenInvoice, close, open};
pub(crate) use prepayment::remaining_to_set_off;
pub use prepayment::{OpenPrepayment, open_prepayments};
pub use preview::{InvoicePreview, preview, preview_edit};
pub use pricing::SupplyDays;
pub(crate) use pricing::all_of;
pub use pricing::{InvoiceQuote, quote};
pub(crate) use quoting::{input_of_group, inputs_for_edit, inputs_of, known_party, price_quote};
pub use read::{find_by_external_id, list, read, require};
pub(crate) use read::{prefetch, priced, remaining_of};
pub use table::{Dossier, Table, copy_of, dossier, reckon, table};
pub use vat_proposals::{fill, proposal};
pub use warnings::Warning;

use crate::{
    BookingError, Context, Error, InvoiceError,
    articles::LineArticle,
    contacts,
    corrections::{self, Booking, IfFiled},
    customer_links::{self, Linked, LinkedKind},
    kor::{self, KorStanding},
    numbering,
    oss_turnover::{self, OssStanding},
};
use jiff::civil::Date;
use ledger::{
    booking::{self, Earned},
    cash_accounting::VatMethod,
    chart::{AccountCode, codes},
    correction,
    decimal::Decimal,
    discount::Discount,
    entry::{JournalEntry, Source, SourceType},
    invoice::{GroupKey, Line, Priced, Prices, ShownAmounts, VatGroup, own_revenue},
    language::Language,
    money::Cents,
    oss::{counts, member_state},
    vat::{Exemption, Supply, VatCategory, VatRate},
    vat_period::VatPeriod,
};
use store::{
    Tx,
    accounts::Supplier,
    books::{Books, DocumentTotals, Drafts},
    customer_links::LinkState,
    invoices::{self as rows, Invoice, InvoiceKind, Status},
    payments, sales_totals,
};

/// Input for an invoice line. The default category depends on the rate and the customer's country.
#[derive(Debug, Clone)]
pub struct LineInput {
    /// Description of the supply.
    pub description: String,
    /// Quantity; negative for a discount.
    pub quantity: Decimal,
    /// Price per unit in euros, excluding VAT unless the prices of the invoice include it.
    pub unit_price: Decimal,
    /// VAT rate, which must be in force on the last day of supply or, without one, on the invoice
    /// date: in the Netherlands, or in the tax country under the Union scheme.
    pub vat_rate: VatRate,
    /// VAT category, if the rate alone does not determine it.
    pub vat_category: Option<VatCategory>,
    /// Legal ground for the exemption, if it differs from the default.
    pub exemption: Option<Exemption>,
    /// Kind of supply, if it differs from the account's default.
    pub supply: Option<Supply>,
    /// Country that taxes the supply.
    pub place: TaxPlace,
    /// Revenue account, if it is not the account of the VAT rate.
    pub account: Option<AccountCode>,
    /// Unit of the quantity.
    pub unit: Option<String>,
    /// Discount on the line.
    pub discount: Discount,
    /// Invoiced line that a line of a credit note names.
    pub credits: Option<CreditedLine>,
    /// Article, which fills in an empty description, and what else the line leaves out.
    pub article: Option<LineArticle>,
}

/// Invoiced line that a line of a credit note names, and what the note states besides. What it does
/// not state is that of the invoiced line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CreditedLine {
    /// Number of the invoiced line, from 1.
    pub number: i64,
    /// Whether a quantity is stated; by default the remaining quantity is credited.
    pub has_quantity: bool,
    /// Whether a unit price is stated, which must be that of the invoiced line.
    pub has_price: bool,
}

/// Due date or payment term of an invoice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Due {
    /// After the account's default payment term.
    AccountTerm,
    /// A number of days after the invoice date.
    Days(i64),
    /// On a date.
    On(Date),
}

/// Invoice with its lines, VAT, entries and the data for its warnings.
#[derive(Debug, Clone)]
pub struct InvoiceDetails {
    /// The invoice itself.
    pub invoice: Invoice,
    /// Lines and their amounts after all discounts, excluding VAT.
    pub lines: Vec<(Line, Cents)>,
    /// Amounts that the document shows about its lines, and the discount on all of them.
    pub shown: ShownAmounts,
    /// Language of the document: of a draft, the one in which it would be sent.
    pub language: Language,
    /// VAT per rate and category.
    pub groups: Vec<VatGroup>,
    /// Ids of its journal entries, oldest first.
    pub entry_ids: Vec<i64>,
    /// Flags for the seller's details that an invoice must state: whether the account has each of
    /// them.
    pub supplier: Supplier,
    /// Date of the latest prepayment invoice that this invoice sets off.
    pub prepaid_on: Option<Date>,
    /// VAT period that contains the invoice's VAT date.
    pub vat_period: VatPeriod,
    /// Standing under the small businesses scheme, if the invoice has lines under the scheme and a
    /// warning about the scheme can still be acted on.
    pub kor: Option<KorStanding>,
    /// Standing relative to the threshold of the Union scheme, if the invoice has lines that count
    /// towards it and a warning about it can still be acted on.
    pub oss: Option<OssStanding>,
    /// Whether the invoice charges VAT of another member state, and was made after the return of the
    /// Union scheme for the quarter of the supply was filed.
    pub is_after_oss_return: bool,
    /// Description of the invoice in the opening balance, if it was open when the books began.
    pub brought_forward: Option<BroughtForward>,
    /// VAT that became due under cash accounting, by day and payment.
    pub vat_due: Vec<VatDue>,
    /// Address of the customer's page; `None` for a document that was not sent from these books,
    /// whose link was withdrawn, or if the server has no secret.
    pub public_url: Option<String>,
    /// Current date when these details were read; determines which warnings still apply.
    pub today: Date,
}

/// VAT of an invoice that became due under cash accounting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VatDue {
    /// Day on which the VAT is due.
    pub date: Date,
    /// Id of the payment; `None` if the VAT is due without one.
    pub payment_id: Option<i64>,
    /// Amount excluding VAT, in cents; negative if it is no longer due.
    pub base: Cents,
    /// VAT, in cents.
    pub vat: Cents,
}

/// Pricing and prepayments of an invoice.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct InvoiceTerms {
    /// Unit prices with or without VAT.
    pub prices: Prices,
    /// Whether it is a prepayment invoice.
    pub prepayment: bool,
    /// Ids of the prepayment invoices that the invoice sets off.
    pub sets_off: Vec<i64>,
}

impl InvoiceDetails {
    /// Returns the unit price excluding VAT, in euros, which an invoice to a business must show if
    /// its prices include VAT (art. 35a(1)(h) Wet OB 1968); `None` if it need not be shown.
    #[must_use]
    pub fn net_price(&self, line: &Line) -> Option<Decimal> {
        let is_business = contacts::is_business(&self.invoice.customer);
        let is_required =
            self.invoice.prices_include_vat && is_business && !line.vat_rate.is_zero();
        is_required.then(|| line.vat_rate.net_price(&line.unit_price))
    }

    /// Returns the lines, each with its amount after all discounts, including VAT if the prices do.
    pub fn charged(&self) -> impl Iterator<Item = (&Line, Cents)> {
        let charged = self.shown.lines.iter().map(|amounts| amounts.charged);
        self.lines.iter().map(|(line, _)| line).zip(charged)
    }

    /// Whether the document charges VAT of other member states (Union scheme).
    #[must_use]
    pub fn has_foreign_vat(&self) -> bool {
        self.groups.iter().any(|group| group.category == VatCategory::Oss)
    }

    /// Returns the amount that the customer still owes, in cents; never negative.
    #[must_use]
    pub fn amount_due(&self) -> Cents {
        amount_due(&self.invoice)
    }

    /// Returns the amount to be refunded to the customer, in cents; never negative.
    #[must_use]
    pub fn amount_to_refund(&self) -> Cents {
        (-balance(&self.invoice)).max(Cents::ZERO)
    }

    /// Whether the invoice is paid; see [`is_paid`].
    #[must_use]
    pub fn paid(&self) -> bool {
        is_paid(&self.invoice)
    }

    /// Returns the total that can be credited, in cents including VAT: that of the invoice, of
    /// which the opening balance may record only the open part.
    #[must_use]
    pub fn creditable_total(&self) -> Cents {
        self.brought_forward.as_ref().map_or(self.invoice.total, |known| known.total)
    }

    /// Whether the VAT of the invoice is due when the customer pays.
    #[must_use]
    pub fn has_vat_when_paid(&self) -> bool {
        self.invoice.is_due_when_paid() && self.invoice.kind == InvoiceKind::Invoice
    }

    /// Whether prepayments cover the whole invoice, so that its total is zero.
    #[must_use]
    pub fn is_covered(&self) -> bool {
        self.invoice.total.is_zero() && self.lines.iter().any(|(line, _)| line.sets_off.is_some())
    }

    /// Whether the invoice is from the opening balance and its VAT is unknown.
    pub(crate) fn is_vat_unknown(&self) -> bool {
        self.brought_forward.as_ref().is_some_and(|known| known.groups.is_empty())
    }

    /// Rejects an invoice from the opening balance, for which only an amount is stored.
    pub(crate) fn reject_opening_item(&self) -> Result<(), Error> {
        if self.invoice.is_opening_item() {
            Err(BookingError::IsOpeningItem.into())
        } else {
            Ok(())
        }
    }

    /// Returns the ids of the prepayment invoices that the invoice sets off, in the order of its
    /// lines.
    #[must_use]
    pub fn prepayment_invoice_ids(&self) -> Vec<i64> {
        let mut ids: Vec<i64> = self.lines.iter().filter_map(|(line, _)| line.sets_off).collect();
        ids.dedup();
        ids
    }
}

/// Returns the balance of an invoice, in cents: the total less the amounts credited, written off
/// and paid. A negative balance has to be refunded. Credit notes, which are settled with their
/// invoice, and cancelled drafts have a balance of zero.
#[must_use]
pub fn balance(invoice: &Invoice) -> Cents {
    match (invoice.kind, invoice.status) {
        (InvoiceKind::CreditNote, _) | (_, Status::Cancelled) => Cents::ZERO,
        (InvoiceKind::Invoice, _) => {
            invoice.total
                - invoice.amount_credited
                - invoice.amount_written_off
                - invoice.amount_paid
        }
    }
}

/// Returns the amount that the customer still owes on an invoice, in cents; never negative.
#[must_use]
pub fn amount_due(invoice: &Invoice) -> Cents {
    balance(invoice).max(Cents::ZERO)
}

/// Whether nothing remains to be received and nothing was written off. A draft is not paid.
#[must_use]
pub fn is_paid(invoice: &Invoice) -> bool {
    invoice.status == Status::Sent
        && amount_due(invoice).is_zero()
        && invoice.amount_written_off.is_zero()
}

/// Rejects all documents except sent invoices; no others can be paid, credited or written off.
///
/// # Errors
/// The document is not a sent invoice.
pub fn require_sent(invoice: &Invoice) -> Result<(), Error> {
    match (invoice.kind, invoice.status) {
        (InvoiceKind::CreditNote, _) => Err(InvoiceError::IsACreditNote.into()),
        (InvoiceKind::Invoice, Status::Draft) => Err(InvoiceError::IsADraft.into()),
        (InvoiceKind::Invoice, Status::Cancelled) => Err(InvoiceError::Cancelled.into()),
        (InvoiceKind::Invoice, Status::Sent) => Ok(()),
    }
}

/// Returns the contribution of an invoice to the totals of its date, and to the totals of the date
/// on which its VAT is due.
pub(crate) fn day_deltas(invoice: &Invoice) -> [(Date, DocumentTotals); 2] {
    let days = [invoice.invoice_date, invoice.vat_date];
    if invoice.status == Status::Cancelled {
        return days.map(|day| (day, DocumentTotals::default()));
    }
    let drafts = if invoice.status == Status::Draft {
        Drafts {
            count: 1,
            revenue: invoice.subtotal,
            vat: invoice.vat_total,
            amount: invoice.total,
        }
    } else {
        Drafts::default()
    };
    let by_day = DocumentTotals {
        invoices: 1,
        drafts,
        paid: i64::from(invoice.kind == InvoiceKind::Invoice && is_paid(invoice)),
        outstanding: amount_due(invoice),
        ..DocumentTotals::default()
    };
    // Under cash accounting, no return declares a draft.
    let due_drafts = if invoice.is_due_when_paid() { Drafts::default() } else { drafts };
    let by_vat_day = DocumentTotals { due_drafts, ..DocumentTotals::default() };
    [(days[0], by_day), (days[1], by_vat_day)]
}

/// Replaces the contribution of an invoice to the totals: subtracts `before` and adds `after`.
fn count(books: &mut Books, before: Option<&Invoice>, after: &Invoice) {
    for (day, delta) in before.map(day_deltas).into_iter().flatten() {
        books.count(day, -delta);
    }
    for (day, delta) in day_deltas(after) {
        books.count(day, delta);
    }
    for (group, sums) in before.map(sales_totals::of).into_iter().flatten() {
        books.count_sales(group, -sums);
    }
    for (group, sums) in sales_totals::of(after) {
        books.count_sales(group, sums);
    }
}

/// New document and its lines.
struct Document {
    invoice: Invoice,
    lines: Vec<Line>,
    priced: Priced,
}

/// Stores a new document with its journal entries, and updates the totals.
fn book(
    tx: &mut Tx<'_>,
    books: &mut Books,
    cx: &Context,
    document: Document,
    entries: &[JournalEntry],
) -> Result<InvoiceDetails, Error> {
    let Document { invoice, lines, priced } = document;
    rows::insert(tx, books.account(), &invoice, &lines, &priced.line_amounts)?;
    let entry_ids = corrections::append_planned(tx, books, cx, entries)?;
    count(books, None, &invoice);
    let lines = lines.into_iter().zip(priced.line_amounts.iter().copied()).collect();
    details(tx, cx, invoice, lines, priced, entry_ids)
}

/// Returns the address of the customer's page of a sent document with this state of its link.
fn url(cx: &Context, invoice: &Invoice, link: &LinkState) -> Option<String> {
    let is_linked = invoice.status == Status::Sent && !invoice.is_opening_item();
    let linked =
        Linked { kind: LinkedKind::Invoice, id: invoice.id, created_at: invoice.created_at };
    if is_linked { customer_links::url(cx, linked, link) } else { None }
}

/// Returns the details of a document whose link was never opened, renewed or withdrawn.
fn details(
    tx: &mut Tx<'_>,
    cx: &Context,
    invoice: Invoice,
    lines: Vec<(Line, Cents)>,
    priced: Priced,
    entry_ids: Vec<i64>,
) -> Result<InvoiceDetails, Error> {
    let prepaid_on = prepayment::latest(tx, cx, &lines)?;
    let (shown, groups, supplier) = (priced.shown, priced.groups, cx.actor.supplier);
    let own_language = invoice.language.or_else(|| invoice.customer.own_language());
    let language = own_language.unwrap_or(cx.actor.document_language);
    let vat_period = cx.actor.vat_units.period_of(invoice.vat_date);
    let brought_forward = if invoice.is_opening_item() {
        Some(BroughtForward::of(tx, cx.actor.account, &invoice)?)
    } else {
        None
    };
    let mut details = InvoiceDetails {
        public_url: url(cx, &invoice, &LinkState::default()),
        invoice,
        lines,
        shown,
        language,
        groups,
        entry_ids,
        supplier,
        prepaid_on,
        vat_period,
        kor: None,
        oss: None,
        is_after_oss_return: false,
        brought_forward,
        vat_due: Vec::new(),
        today: cx.today(),
    };
    let is_under_kor = |(line, _): &(Line, Cents)| line.vat_category == VatCategory::SmallBusiness;
    if details.can_be_acted_on()
        && details.invoice.kind == InvoiceKind::Invoice
        && details.lines.iter().any(is_under_kor)
    {
        let (id, day) = (details.invoice.id, details.invoice.rates_on());
        details.kor = Some(kor::standing(tx, cx.actor.account, (id, day))?);
    }
    if details.can_be_acted_on()
        && details.invoice.kind == InvoiceKind::Invoice
        && details.lines.iter().any(|(line, _)| is_counted_for_oss(line, &details.invoice))
    {
        let (id, day) = (details.invoice.id, details.invoice.rates_on());
        details.oss = Some(oss_turnover::standing(tx, cx.actor.account, (id, day))?);
    }
    let is_under_oss = |(line, _): &(Line, Cents)| line.vat_category == VatCategory::Oss;
    if details.can_be_acted_on()
        && details.invoice.kind == InvoiceKind::Invoice
        && details.lines.iter().any(is_under_oss)
    {
        let (made_at, day) = (details.invoice.created_at, details.invoice.rates_on());
        details.is_after_oss_return =
            oss_turnover::is_filed_before(tx, cx.actor.account, day, made_at)?;
    }
    Ok(details)
}

/// Whether a line is taxed in the Netherlands, but counts towards the threshold above which the
/// country of the customer taxes it (art. 6k Wet OB 1968).
fn is_counted_for_oss(line: &Line, invoice: &Invoice) -> bool {
    let is_consumer_abroad = !contacts::is_business(&invoice.customer)
        && member_state(invoice.customer.country, invoice.rates_on()).is_some();
    is_consumer_abroad
        && line.vat_category != VatCategory::Oss
        && counts(line.vat_category, line.supply, line.tax_country)
}

/// Returns the journal entry of an invoice or, given the number and balance of the invoice that it
/// credits, of a credit note. The balance is that of before the note.
fn entry(invoice: &Invoice, priced: &Priced, credited: Option<(&str, Cents)>) -> JournalEntry {
    let (on, number) = (invoice.invoice_date, &invoice.number);
    let earned = match invoice.vat_method {
        _ if invoice.prepayment => Earned::Later,
        VatMethod::Invoice => Earned::Now,
        VatMethod::Cash => Earned::VatWhenPaid,
    };
    let entry = match credited {
        None => booking::sales_invoice(
            source(invoice),
            number,
            &invoice.customer.name,
            on,
            priced,
            earned,
        ),
        Some((credited, balance)) => {
            booking::credit_note(source(invoice), number, credited, on, priced, earned, balance)
        }
    };
    entry.with_vat_date(invoice.vat_date)
}

/// Computes the entry of a document from its lines, regardless of the balance of the invoice that a
/// credit note reverses. `None` for a document from the opening balance, which has no lines.
pub(crate) fn entry_of_lines(details: &InvoiceDetails) -> Option<JournalEntry> {
    let invoice = &details.invoice;
    let credited = invoice.credited_invoice_id.map(|_| (invoice.number.as_str(), Cents::ZERO));
    (!invoice.is_opening_item()).then(|| entry(invoice, &priced_of(details), credited))
}

/// Returns the amounts of a document as they are booked.
fn priced_of(details: &InvoiceDetails) -> Priced {
    let InvoiceDetails { invoice, lines, groups, .. } = details;
    let set_off = lines
        .iter()
        .filter(|(line, _)| line.sets_off.is_some())
        .map(|(line, amount)| (line.group(), *amount));
    let mut by_group: Vec<(GroupKey, Cents)> = Vec::new();
    for (key, amount) in set_off {
        match by_group.iter_mut().find(|(group, _)| *group == key) {
            Some((_, sum)) => *sum += amount,
            None => by_group.push((key, amount)),
        }
    }
    Priced {
        line_amounts: Vec::new(),
        line_gross: Vec::new(),
        shown: ShownAmounts::default(),
        groups: groups.clone(),
        set_off: by_group,
        own_revenue: own_revenue(lines.iter().map(|(line, amount)| (line, *amount))),
        subtotal: invoice.subtotal,
        vat_total: invoice.vat_total,
        total: groups.iter().map(|group| group.base + group.amount).sum(),
    }
}

/// Books a sent invoice or draft again under its method of declaring VAT, with its credit notes.
pub(crate) fn rebook_method(
    tx: &mut Tx<'_>,
    books: &mut Books,
    cx: &Context,
    (details, credited): (&InvoiceDetails, Option<&str>),
    method: VatMethod,
) -> Result<(), Error> {
    let booking = Booking::standing(tx, cx.actor.account, &details.entry_ids)?;
    let before = booking.entry();
    // The part of a credit note that was still to be received is the balance of its invoice then.
    let on = before.postings().iter().filter(|of| of.account() == codes::RECEIVABLES);
    let balance = on.map(|of| of.credited() - of.debited()).sum();
    let after = Invoice { vat_method: method, updated_at: cx.now(), ..details.invoice.clone() };
    let entry = entry(&after, &priced_of(details), credited.map(|number| (number, balance)));
    if !correction::posts_the_same(&before, &entry) {
        corrections::replace(tx, books, cx, booking.id(), entry, IfFiled::Refuse)?;
    }
    rows::update(tx, cx.actor.account, &after)?;
    count(books, Some(&details.invoice), &after);
    Ok(())
}

pub(crate) fn source(invoice: &Invoice) -> Source {
    let kind = match invoice.kind {
        InvoiceKind::Invoice => SourceType::Invoice,
        InvoiceKind::CreditNote => SourceType::CreditNote,
    };
    Source { kind, id: invoice.id }
}

fn line_input(line: &Line) -> LineInput {
    LineInput {
        description: line.description.clone(),
        quantity: line.quantity,
        unit_price: line.unit_price,
        vat_rate: line.vat_rate,
        vat_category: Some(line.vat_category),
        exemption: line.vat_category.exemption(),
        supply: Some(line.supply),
        place: TaxPlace { country: line.tax_country, standard_rate: false },
        account: line.account,
        unit: line.unit.clone(),
        discount: line.discount,
        credits: None,
        article: None,
    }
}

/// Stores the new amounts paid, credited and written off, and updates the totals.
pub(crate) fn settle(
    tx: &mut Tx<'_>,
    books: &mut Books,
    cx: &Context,
    before: &Invoice,
    mut after: Invoice,
    on: Date,
) -> Result<Invoice, Error> {
    after.paid_at = match (is_paid(&after), after.paid_at) {
        (false, _) => None,
        (true, Some(since)) => Some(since),
        // Date of the latest payment or credit note, regardless of the order in which they are
        // recorded.
        (true, None) => payments::last_settled_on(tx, books.account(), after.id)?.max(Some(on)),
    };
    after.updated_at = cx.now();
    rows::settle(tx, books.account(), before, &after)?;
    count(books, Some(before), &after);
    Ok(after)
}

fn print_number(cx: &Context, year: i16, number: i64) -> Result<String, Error> {
    numbering::format(&cx.actor.number_pattern, year, number)
        .map_err(|error| Error::Internal(error.to_string()))
}
