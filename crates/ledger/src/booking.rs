//! Booking: turns documents into balanced journal entries.

pub use crate::money_account::MoneyAccount;
use crate::{
    asset::AssetAccounts,
    cash_accounting::{self, Due},
    chart::{AccountCode, codes},
    description::{Description, DescriptionKind, ReceiptHash},
    entry::{JournalEntry, Posting, Source, SourceType, Unbalanced},
    invoice::{Priced, VatGroup},
    money::Cents,
    purchase::{self, PricedPurchase},
    sales_accounts::{revenue_account, vat_account_of, vat_due_account},
    vat::{VatBox, VatCategory, VatRate},
    vat_period::VatPeriod,
    vat_return::VatReturn,
    write_off::WrittenOff,
};
use jiff::civil::Date;
use std::collections::BTreeMap;

const BALANCED: &str = "the postings are built so that debit equals credit";

fn entry(
    on: Date,
    description: Description,
    source: Source,
    postings: Vec<Posting>,
) -> JournalEntry {
    JournalEntry::new(on, description, source, postings).expect(BALANCED)
}

fn two_sided(
    on: Date,
    description: Description,
    source: Source,
    debit: AccountCode,
    credit: AccountCode,
    amount: Cents,
) -> JournalEntry {
    let postings = vec![Posting::debit(debit, amount, None), Posting::credit(credit, amount, None)];
    entry(on, description, source, postings)
}

/// Postings for a change of an invoice's balance (positive: receivable): a positive balance is on
/// the debtors account, a negative one (to be refunded) is a liability.
fn receivable(before: Cents, after: Cents) -> [Posting; 2] {
    let due = |balance: Cents| balance.max(Cents::ZERO);
    let refund = |balance: Cents| (-balance).max(Cents::ZERO);
    [
        Posting::debit(codes::RECEIVABLES, due(after) - due(before), None),
        Posting::credit(codes::OWED_TO_CUSTOMERS, refund(after) - refund(before), None),
    ]
}

/// Treatment of an invoiced amount: revenue now, or a prepayment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Earned {
    /// Revenue.
    Now,
    /// Revenue under cash accounting: the VAT is due when the customer pays (art. 26 Wet OB 1968).
    VatWhenPaid,
    /// Prepayment: the VAT is due now (art. 13(2) Wet OB 1968), but the revenue is booked with the
    /// final invoice.
    Later,
}

/// Books a sales invoice: receivables against revenue of each kind, or against prepayments
/// received, and the VAT due on it. A line's own revenue account replaces that of its VAT rate; the
/// box stays that of the rate and category.
///
/// ```
/// use ledger::{
///     booking::{self, Earned},
///     calendar::parse_date,
///     chart::codes,
///     decimal,
///     discount::Discount,
///     entry::{Source, SourceType},
///     invoice::{self, Line, Prices},
///     money::Cents,
///     vat::{Supply, VatCategory, VatRate},
/// };
///
/// # let line = Line {
/// #     description: "Web design".into(),
/// #     quantity: decimal::parse("8")?,
/// #     unit_price: decimal::parse("95.50")?,
/// #     vat_rate: VatRate::from_basis_points(2_100),
/// #     vat_category: VatCategory::Standard,
/// #     supply: Supply::Services,
/// #     tax_country: None,
/// #     sets_off: None,
/// #     account: None,
/// #     rounding: Cents::ZERO,
/// #     unit: None,
/// #     discount: Discount::None,
/// #     credits: None,
/// # };
/// let on = parse_date("2026-03-15")?;
/// let source = Source { kind: SourceType::Invoice, id: 1 };
/// // 8 hours at 95.50, and 21 % of VAT.
/// let priced = invoice::price(&[line], on, Prices::Net)?;
/// let entry = booking::sales_invoice(source, "2026-0001", "Bakery", on, &priced, Earned::Now);
///
/// let [receivable, revenue, vat] = entry.postings() else { panic!("three postings") };
/// assert_eq!((receivable.account(), receivable.debited()), (codes::RECEIVABLES, Cents::new(92_444)));
/// assert_eq!((revenue.account(), revenue.credited()), (codes::REVENUE_HIGH, Cents::new(76_400)));
/// assert_eq!((vat.account(), vat.credited()), (codes::VAT_DUE_HIGH, Cents::new(16_044)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn sales_invoice(
    source: Source,
    number: &str,
    customer: &str,
    on: Date,
    priced: &Priced,
    earned: Earned,
) -> JournalEntry {
    let about = Description {
        party: Some(customer.to_owned()),
        ..Description::of(DescriptionKind::Invoice)
    };
    let mut postings = vec![Posting::debit(codes::RECEIVABLES, priced.total, None)];
    postings.extend(sale_postings(priced, earned));
    entry(on, about.numbered(number), source, postings)
}

/// Books a credit note on the invoice numbered `credits`: the mirror image of the sale, on the date
/// of the credit note. `balance` is the invoice's balance before the credit note, in cents
/// (negative: to be refunded). The amounts of `priced` are negative.
#[must_use]
pub fn credit_note(
    source: Source,
    number: &str,
    credits: &str,
    on: Date,
    priced: &Priced,
    earned: Earned,
    balance: Cents,
) -> JournalEntry {
    let about = Description {
        related_number: Some(credits.to_owned()),
        ..Description::of(DescriptionKind::CreditNote)
    };
    let mut postings = receivable(balance, balance + priced.total).to_vec();
    postings.extend(sale_postings(priced, earned));
    entry(on, about.numbered(number), source, postings)
}

fn sale_postings(priced: &Priced, earned: Earned) -> Vec<Posting> {
    let mut postings = Vec::with_capacity(2 * priced.groups.len());
    for group in &priced.groups {
        let its = priced.set_off.iter().find(|(key, _)| *key == group.key());
        let set_off = its.map_or(Cents::ZERO, |(_, set_off)| *set_off);
        let own = priced.own_revenue.iter().filter(|(key, ..)| *key == group.key());
        let own: Vec<(AccountCode, Cents)> = match earned {
            Earned::Now | Earned::VatWhenPaid => {
                own.map(|(_, account, amount)| (*account, *amount)).collect()
            }
            Earned::Later => Vec::new(),
        };
        let account = match earned {
            Earned::Now | Earned::VatWhenPaid => revenue_account(group),
            Earned::Later => codes::RECEIVED_IN_ADVANCE,
        };
        let is_deferred = earned == Earned::VatWhenPaid && cash_accounting::is_deferred(group);
        let (vat_box, vat_account) = if is_deferred {
            (None, codes::VAT_ON_OPEN_INVOICES)
        } else {
            (group.vat_box, vat_account_of(group))
        };
        let rest = group.base - set_off - own.iter().map(|(_, amount)| *amount).sum();
        if own.is_empty() || !rest.is_zero() {
            postings.push(Posting::credit(account, rest, vat_box));
        }
        postings.extend(
            own.iter().map(|(account, amount)| Posting::credit(*account, *amount, vat_box)),
        );
        if !set_off.is_zero() {
            postings.push(Posting::credit(codes::RECEIVED_IN_ADVANCE, set_off, vat_box));
        }
        if !group.amount.is_zero() {
            postings.push(Posting::credit(vat_account, group.amount, vat_box));
        }
    }
    postings
}

/// Payment or refund on an invoice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settlement {
    /// Amount received, in euro cents; negative for a refund.
    pub amount: Cents,
    /// Account that receives or pays the money.
    pub method: MoneyAccount,
    /// Balance of the invoice before the payment, in euro cents (negative: to be refunded).
    pub balance: Cents,
    /// Part of the amount that recovers a write-off.
    pub recovered: WrittenOff,
    /// Amounts whose VAT becomes due under cash accounting; negative if the VAT is no longer due.
    pub due: Vec<Due>,
}

impl Settlement {
    fn description(&self, number: &str) -> Description {
        let kind = if self.amount.is_negative() {
            DescriptionKind::Refund
        } else {
            DescriptionKind::Payment
        };
        Description::of(kind).numbered(number)
    }

    /// Postings of the payment, or of its reversal.
    fn postings(&self, is_taken_back: bool) -> Vec<Posting> {
        let moved = |amount: Cents| if is_taken_back { -amount } else { amount };
        let mut postings =
            vec![Posting::debit(self.method.receiving(self.amount), moved(self.amount), None)];
        for group in &self.recovered.groups {
            let lost = (-moved(group.base), -moved(group.amount));
            postings.extend(bad_debt(group, lost, self.recovered.is_prepayment));
        }
        postings.push(Posting::credit(codes::ROUNDING, moved(self.recovered.difference), None));
        let deferred = moved(self.recovered.deferred_vat);
        postings.push(Posting::credit(codes::VAT_ON_OPEN_INVOICES, deferred, None));
        let own = self.amount - self.recovered.gross();
        postings.extend(receivable(self.balance, self.balance - moved(own)));
        postings.extend(cash_accounting::due_postings(&self.due));
        postings
    }
}

/// Books a payment or refund on an invoice. A payment on a written-off invoice recovers the
/// write-off first: its cost is reversed, and its VAT is due again (art. 29(5) Wet OB 1968).
#[must_use]
pub fn payment_received(
    source: Source,
    number: &str,
    on: Date,
    payment: &Settlement,
) -> JournalEntry {
    entry(on, payment.description(number), source, payment.postings(false))
}

/// Reverses the payment that the entry `entry_id` booked. The split between debtors and amounts
/// owed to customers follows from the invoice's current balance.
#[must_use]
pub fn payment_undone(
    source: Source,
    number: &str,
    on: Date,
    payment: &Settlement,
    entry_id: i64,
) -> JournalEntry {
    entry(on, payment.description(number), source, payment.postings(true)).taking_back(entry_id)
}

/// Postings for a bad debt at one rate, excluding VAT and VAT. They have the box of that rate,
/// unless the rate is zero. VAT of another country is a cost: art. 29 Wet OB 1968 gives back Dutch
/// VAT only.
fn bad_debt(group: &VatGroup, (base, vat): (Cents, Cents), is_prepayment: bool) -> [Posting; 2] {
    let vat_box = group.vat_box.filter(|_| !group.rate.is_zero());
    let account = if is_prepayment { codes::RECEIVED_IN_ADVANCE } else { codes::BAD_DEBTS };
    let vat_account = if group.category == VatCategory::Oss {
        codes::BAD_DEBTS
    } else {
        vat_due_account(group.vat_box)
    };
    [Posting::debit(account, base, vat_box), Posting::debit(vat_account, vat, vat_box)]
}

/// Books the write-off of an invoice: the net amount is a cost, or for a prepayment an amount that
/// is no longer received in advance; the VAT is reclaimed (art. 29(1) Wet OB 1968), unless it was
/// not due yet. A payment difference has no box. `balance` is the invoice's balance before the write-off.
#[must_use]
pub fn write_off(
    source: Source,
    number: &str,
    on: Date,
    written_off: &WrittenOff,
    balance: Cents,
) -> JournalEntry {
    let mut postings = loss(written_off);
    postings.extend(receivable(balance, balance - written_off.gross()));
    entry(on, Description::of(DescriptionKind::WriteOff).numbered(number), source, postings)
}

/// Postings of an amount written off, without the receivable.
fn loss(written_off: &WrittenOff) -> Vec<Posting> {
    let debts = written_off.groups.iter();
    let mut postings: Vec<Posting> = debts
        .flat_map(|group| bad_debt(group, (group.base, group.amount), written_off.is_prepayment))
        .collect();
    postings.push(Posting::debit(codes::ROUNDING, written_off.difference, None));
    let deferred = written_off.deferred_vat;
    postings.push(Posting::debit(codes::VAT_ON_OPEN_INVOICES, deferred, None));
    postings
}

/// Books the difference between two bookings of the same loss or recovery, because the VAT of the
/// invoice `id` is declared by another method. Returns `None` if they book the same.
#[must_use]
pub fn write_off_rebooked(
    id: i64,
    number: &str,
    on: Date,
    before: &WrittenOff,
    after: &WrittenOff,
) -> Option<JournalEntry> {
    let reversed =
        |of: Posting| Posting::debit(of.account(), of.credited() - of.debited(), of.vat_box());
    let postings: Vec<Posting> =
        loss(before).into_iter().map(reversed).chain(loss(after)).collect();
    // A loss without VAT has other groups under the other method, but the same postings.
    let mut sums: BTreeMap<(AccountCode, Option<VatBox>), Cents> = BTreeMap::new();
    for of in &postings {
        *sums.entry((of.account(), of.vat_box())).or_default() += of.debited() - of.credited();
    }
    let source = Source { kind: SourceType::VatDue, id };
    let about = Description::of(DescriptionKind::VatDue).numbered(number);
    let differs = sums.values().any(|sum| !sum.is_zero());
    differs.then(|| entry(on, about, source, postings))
}

/// Purchase to book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Purchase {
    /// Supplier.
    pub party: Option<String>,
    /// Description of the purchase.
    pub description: Option<String>,
    /// Lines and amounts.
    pub priced: PricedPurchase,
    /// Account that paid; `None` while the bill is unpaid.
    pub paid_from: Option<MoneyAccount>,
    /// Hashes of the receipt files for the purchase.
    pub receipts: Vec<ReceiptHash>,
}

/// Postings summed per account and box, in order of first occurrence.
#[derive(Default)]
struct Sums(Vec<(AccountCode, Option<VatBox>, Cents)>);

impl Sums {
    fn debit(&mut self, account: AccountCode, amount: Cents, vat_box: Option<VatBox>) {
        match self.0.iter_mut().find(|(known, its_box, _)| (*known, *its_box) == (account, vat_box))
        {
            Some((.., sum)) => *sum += amount,
            None => self.0.push((account, vat_box, amount)),
        }
    }

    fn credit(&mut self, account: AccountCode, amount: Cents, vat_box: Option<VatBox>) {
        self.debit(account, -amount, vat_box);
    }

    fn postings(self) -> Vec<Posting> {
        self.0
            .into_iter()
            .map(|(account, vat_box, amount)| Posting::debit(account, amount, vat_box))
            .collect()
    }
}

/// Books a purchase: cost and input VAT against money or payables, plus the VAT due under reverse
/// charge. The private part and its VAT are drawings (art. 15(1) Wet OB 1968: VAT is deductible to
/// the extent that the purchase is for the business).
///
/// ```
/// use ledger::{
///     booking::{self, MoneyAccount, Purchase},
///     calendar::parse_date,
///     chart::codes,
///     entry::{Source, SourceType},
///     money::Cents,
///     purchase::{self, BusinessShare, Deduction, PurchaseLine, VatTreatment},
///     vat::{VatBox, VatRate},
/// };
///
/// let line = PurchaseLine {
///     category: codes::TELEPHONE,
///     amount: Cents::new(4_132),
///     treatment: VatTreatment::Normal,
///     rate: VatRate::from_basis_points(2_100),
///     includes_vat: false,
///     printed_vat: None,
/// };
/// let purchase = Purchase {
///     party: Some("Telecom".into()),
///     description: None,
///     priced: purchase::price(&[line], BusinessShare::WHOLE, Deduction::Usual)?,
///     paid_from: Some(MoneyAccount::Bank),
///     receipts: Vec::new(),
/// };
/// let source = Source { kind: SourceType::Expense, id: 1 };
/// let entry = booking::expense(source, parse_date("2026-03-10")?, &purchase);
///
/// let [cost, vat, bank] = entry.postings() else { panic!("three postings") };
/// assert_eq!((cost.account(), cost.debited()), (codes::TELEPHONE, Cents::new(4_132)));
/// assert_eq!((vat.debited(), vat.vat_box()), (Cents::new(868), Some(VatBox::B5b)));
/// assert_eq!((bank.account(), bank.credited()), (codes::BANK, Cents::new(5_000)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn expense(source: Source, on: Date, purchase: &Purchase) -> JournalEntry {
    let about = Description {
        party: purchase.party.clone(),
        text: purchase.description.clone(),
        receipts: purchase.receipts.clone(),
        ..Description::of(DescriptionKind::Expense)
    };
    let share = purchase.priced.share;
    let (mut debits, mut due) = (Sums::default(), Sums::default());
    for (line, of) in &purchase.priced.lines {
        let input = purchase::input_account(line, on);
        // If none of the VAT is deductible, the business share of the VAT is a cost.
        let lost = if of.deductible.is_zero() { share.of(of.vat) } else { Cents::ZERO };
        if let Some((vat_box, due_on)) = line.treatment.reverse_charged() {
            let cost = share.of(of.net);
            debits.debit(line.category, cost, Some(vat_box));
            debits.debit(codes::PRIVATE_DRAWINGS, of.net - cost, Some(vat_box));
            debits.debit(input, of.deductible, Some(VatBox::B5b));
            debits.debit(line.category, lost, None);
            debits.debit(codes::PRIVATE_DRAWINGS, of.vat - of.deductible - lost, None);
            due.credit(due_on, of.vat, Some(vat_box));
        } else {
            let cost = if lost.is_zero() { share.of(of.net) } else { share.of(of.net + of.vat) };
            debits.debit(line.category, cost, None);
            debits.debit(input, of.deductible, Some(VatBox::B5b));
            debits.debit(codes::PRIVATE_DRAWINGS, of.charged - cost - of.deductible, None);
        }
    }
    let total = purchase.priced.total;
    due.credit(
        purchase.paid_from.map_or(codes::PAYABLES, |money| money.receiving(-total)),
        total,
        None,
    );
    let postings = debits.postings().into_iter().chain(due.postings()).collect();
    entry(on, about, source, postings)
}

/// Books a full or partial payment of a bill (negative: the supplier refunds). `recovered` is the
/// VAT, per input VAT account, that is deducted again (art. 29(8) Wet OB 1968), after it had to be
/// repaid because the bill stayed unpaid.
#[must_use]
pub fn expense_payment(
    source: Source,
    about: Description,
    on: Date,
    amount: Cents,
    from: MoneyAccount,
    recovered: &[(AccountCode, Cents)],
) -> JournalEntry {
    let mut postings = vec![Posting::debit(codes::PAYABLES, amount, None)];
    postings.extend(
        recovered.iter().map(|(account, vat)| Posting::debit(*account, *vat, Some(VatBox::B5b))),
    );
    postings.push(Posting::credit(from.receiving(-amount), amount, None));
    postings.push(Posting::credit(
        codes::VAT_NOT_DEDUCTIBLE,
        recovered.iter().map(|(_, vat)| *vat).sum(),
        None,
    ));
    entry(on, Description { kind: DescriptionKind::ExpensePayment, ..about }, source, postings)
}

/// Books the repayment of deducted VAT on an unpaid bill, required no later than a year after the
/// payment was due (art. 29(7) Wet OB 1968). `deducted` is the VAT per input VAT account.
#[must_use]
pub fn vat_repayment(
    source: Source,
    about: Description,
    on: Date,
    deducted: &[(AccountCode, Cents)],
) -> JournalEntry {
    let mut postings = vec![Posting::debit(
        codes::VAT_NOT_DEDUCTIBLE,
        deducted.iter().map(|(_, vat)| *vat).sum(),
        None,
    )];
    postings.extend(
        deducted.iter().map(|(account, vat)| Posting::credit(*account, *vat, Some(VatBox::B5b))),
    );
    entry(on, Description { kind: DescriptionKind::VatRepayment, ..about }, source, postings)
}

/// Books a private drawing.
#[must_use]
pub fn private_drawing(
    source: Source,
    on: Date,
    amount: Cents,
    from: MoneyAccount,
) -> JournalEntry {
    two_sided(
        on,
        Description::of(DescriptionKind::PrivateDrawing),
        source,
        codes::PRIVATE_DRAWINGS,
        from.code(),
        amount,
    )
}

/// Books a private deposit.
#[must_use]
pub fn private_deposit(
    source: Source,
    on: Date,
    amount: Cents,
    into: MoneyAccount,
) -> JournalEntry {
    two_sided(
        on,
        Description::of(DescriptionKind::PrivateDeposit),
        source,
        into.code(),
        codes::PRIVATE_DEPOSITS,
        amount,
    )
}

/// Books private use of business goods or services: VAT is due on it (box 1d; art. 3(3) and 4(2)
/// Wet OB 1968), and the use itself is income, against private drawings. `base` is in cents,
/// excluding VAT.
///
/// ```
/// use ledger::{
///     booking,
///     calendar::parse_date,
///     chart::codes,
///     entry::{Source, SourceType},
///     money::Cents,
///     vat::VatRate,
/// };
///
/// let source = Source { kind: SourceType::PrivateUse, id: 1 };
/// let (on, high) = (parse_date("2026-12-31")?, VatRate::from_basis_points(2_100));
/// let entry = booking::private_use(source, on, Cents::new(10_000), high);
/// let drawing = &entry.postings()[0];
/// assert_eq!((drawing.account(), drawing.debited()), (codes::PRIVATE_DRAWINGS, Cents::new(12_100)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn private_use(source: Source, on: Date, base: Cents, rate: VatRate) -> JournalEntry {
    let vat = rate.of(base);
    let postings = vec![
        Posting::debit(codes::PRIVATE_DRAWINGS, base + vat, None),
        Posting::credit(codes::PRIVATE_USE, base, Some(VatBox::B1d)),
        Posting::credit(codes::VAT_DUE_PRIVATE_USE, vat, Some(VatBox::B1d)),
    ];
    entry(on, Description::of(DescriptionKind::PrivateUse), source, postings)
}

/// Books depreciation of equipment in general; [`asset_depreciation`] is for one asset.
#[must_use]
pub fn depreciation(source: Source, on: Date, amount: Cents) -> JournalEntry {
    two_sided(
        on,
        Description::of(DescriptionKind::Depreciation),
        source,
        codes::DEPRECIATION,
        codes::ACCUMULATED_DEPRECIATION,
        amount,
    )
}

/// Books the depreciation of one asset. `what` describes the asset.
#[must_use]
pub fn asset_depreciation(
    source: Source,
    what: &str,
    on: Date,
    accounts: AssetAccounts,
    amount: Cents,
) -> JournalEntry {
    two_sided(
        on,
        Description::text(DescriptionKind::Depreciation, what),
        source,
        accounts.depreciation,
        accounts.accumulated,
        amount,
    )
}

/// Books the revision of the VAT deducted on assets (art. 15(4) Wet OB 1968; see
/// [`crate::vat_revision`]). `what` is the asset, the year or the owner's description. Positive
/// amounts are paid back; negative amounts are deducted.
#[must_use]
pub fn vat_revision(source: Source, what: &str, on: Date, amounts: &[Cents]) -> JournalEntry {
    let pair = |vat: Cents| {
        [
            Posting::debit(codes::VAT_NOT_DEDUCTIBLE, vat, None),
            Posting::credit(codes::INPUT_VAT_HIGH, vat, Some(VatBox::B5b)),
        ]
    };
    let total: Cents = amounts.iter().copied().sum();
    // Amounts that add up to zero are posted separately, because an entry needs postings.
    let shown = if total.is_zero() { amounts } else { &[total] };
    let postings = shown.iter().flat_map(|vat| pair(*vat)).collect();
    entry(on, Description::text(DescriptionKind::VatRevision, what), source, postings)
}

/// Disposal of an asset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Disposal {
    /// Accounts of the asset.
    pub accounts: AssetAccounts,
    /// Purchase cost, in euro cents.
    pub cost: Cents,
    /// Accumulated depreciation.
    pub depreciated: Cents,
    /// Proceeds, excluding VAT; zero if the asset is scrapped.
    pub proceeds: Cents,
    /// VAT rate of the proceeds.
    pub rate: VatRate,
    /// Account that receives the proceeds.
    pub into: MoneyAccount,
}

/// Books the sale or scrapping of an asset. The result on disposal is debited for the book value
/// and credited for the proceeds, which are turnover with VAT.
#[must_use]
pub fn disposal(source: Source, what: &str, on: Date, of: &Disposal) -> JournalEntry {
    let AssetAccounts { asset, accumulated, result, .. } = of.accounts;
    let vat = of.rate.of(of.proceeds);
    let vat_box =
        if of.proceeds.is_zero() || of.rate.is_zero() { None } else { Some(sale_box(of.rate, on)) };
    let postings = vec![
        Posting::debit(of.into.receiving(of.proceeds + vat), of.proceeds + vat, None),
        Posting::debit(accumulated, of.depreciated, None),
        Posting::debit(result, of.cost - of.depreciated, None),
        Posting::credit(asset, of.cost, None),
        Posting::credit(result, of.proceeds, vat_box),
        Posting::credit(vat_due_account(vat_box), vat, vat_box),
    ];
    entry(on, Description::text(DescriptionKind::Disposal, what), source, postings)
}

/// Returns the entry of a disposal for another cost and accumulated depreciation of the asset. The
/// proceeds, their VAT and the account that receives them stay the same.
///
/// # Panics
/// The entry is not a disposal of an asset with these accounts.
#[must_use]
pub fn disposal_at(
    entry: &JournalEntry,
    of: AssetAccounts,
    (cost, depreciated): (Cents, Cents),
) -> JournalEntry {
    let AssetAccounts { asset, accumulated, result, .. } = of;
    let is_book_value =
        |posting: &Posting| posting.account() == result && !posting.debited().is_zero();
    let is_kept = |posting: &&Posting| {
        ![asset, accumulated].contains(&posting.account()) && !is_book_value(posting)
    };
    let kept = entry.postings().iter().filter(is_kept).cloned();
    let (mut postings, turnover): (Vec<_>, Vec<_>) =
        kept.partition(|posting| !posting.debited().is_zero());
    postings.push(Posting::debit(accumulated, depreciated, None));
    postings.push(Posting::debit(result, cost - depreciated, None));
    postings.push(Posting::credit(asset, cost, None));
    postings.extend(turnover);
    entry.with_postings(postings).expect(BALANCED)
}

/// Returns the box of a taxed sale at a rate.
fn sale_box(rate: VatRate, on: Date) -> VatBox {
    if rate == VatRate::high_on(on) {
        VatBox::B1a
    } else if rate == VatRate::low_on(on) {
        VatBox::B1b
    } else {
        VatBox::B1c
    }
}

/// Books business kilometres with a private vehicle: a cost against private deposits (art.
/// 3.17(1)(b) Wet IB 2001). No VAT.
///
/// ```
/// use ledger::{
///     booking,
///     calendar::parse_date,
///     chart::codes,
///     entry::{Source, SourceType},
///     money::Cents,
/// };
///
/// // 120 km at 0.25.
/// let source = Source { kind: SourceType::Mileage, id: 1 };
/// let entry = booking::mileage(source, "Utrecht", parse_date("2026-03-10")?, Cents::new(3_000));
/// assert_eq!(entry.postings()[0].account(), codes::MILEAGE);
/// assert_eq!(entry.postings()[1].account(), codes::PRIVATE_DEPOSITS);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn mileage(source: Source, what: &str, on: Date, amount: Cents) -> JournalEntry {
    let about = Description::text(DescriptionKind::Mileage, what);
    two_sided(on, about, source, codes::MILEAGE, codes::PRIVATE_DEPOSITS, amount)
}

/// Books the opening balance. `balances` is debit minus credit in cents per account, so debts are
/// negative; the sum of all balances is the owner's equity.
#[must_use]
pub fn opening_balance(
    source: Source,
    on: Date,
    balances: &[(AccountCode, Cents)],
) -> JournalEntry {
    let mut postings: Vec<Posting> = balances
        .iter()
        .map(|(account, balance)| Posting::debit(*account, *balance, None))
        .collect();
    postings.push(Posting::credit(
        codes::EQUITY,
        balances.iter().map(|(_, balance)| *balance).sum(),
        None,
    ));
    entry(on, Description::of(DescriptionKind::OpeningBalance), source, postings)
}

/// Books an invoice that was unpaid at the start of the books. Its VAT was declared in earlier
/// books, so no box is used.
#[must_use]
pub fn opening_receivable(
    source: Source,
    number: &str,
    customer: &str,
    on: Date,
    amount: Cents,
) -> JournalEntry {
    two_sided(on, opening_item(number, customer), source, codes::RECEIVABLES, codes::EQUITY, amount)
}

/// Books a bill that was unpaid at the start of the books.
#[must_use]
pub fn opening_payable(
    source: Source,
    number: &str,
    supplier: &str,
    on: Date,
    amount: Cents,
) -> JournalEntry {
    two_sided(on, opening_item(number, supplier), source, codes::EQUITY, codes::PAYABLES, amount)
}

fn opening_item(number: &str, party: &str) -> Description {
    Description {
        party: Some(party.to_owned()),
        ..Description::of(DescriptionKind::OpeningBalance)
    }
    .numbered(number)
}

/// Books a manual entry.
///
/// # Errors
/// Debit and credit differ, or there is no posting.
pub fn manual(
    source: Source,
    on: Date,
    description: &str,
    postings: Vec<Posting>,
) -> Result<JournalEntry, Unbalanced> {
    JournalEntry::new(on, Description::text(DescriptionKind::Manual, description), source, postings)
}

/// Books the filing of a return: clears each VAT account for the period, and books the declared
/// amount on the settlement account; the difference is rounding. `balances` is debit minus credit
/// per VAT account, summed over the postings with a box. The entry's own postings have no box, so
/// the return does not change.
#[must_use]
pub fn vat_settlement(
    source: Source,
    (period, on): (VatPeriod, Date),
    vat_return: &VatReturn,
    balances: &[(AccountCode, Cents)],
) -> JournalEntry {
    let mut postings: Vec<Posting> = balances
        .iter()
        .map(|(account, balance)| Posting::credit(*account, *balance, None))
        .collect();
    let cleared: Cents = balances.iter().map(|(_, balance)| *balance).sum();
    let declared = Cents::new(vat_return.declared_payable * 100);
    postings.push(Posting::credit(codes::VAT_SETTLEMENT, declared, None));
    // The credits so far sum to `cleared + declared`, so this debit balances the entry.
    postings.push(Posting::debit(codes::ROUNDING, cleared + declared, None));
    let about = Description { period: Some(period), ..Description::of(DescriptionKind::VatReturn) };
    entry(on, about, source, postings)
}

/// Return that a VAT payment belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VatDebt {
    /// The Dutch VAT return.
    Dutch,
    /// The return of the Union scheme, which declares VAT of other member states.
    Union,
}

impl VatDebt {
    const fn account(self) -> AccountCode {
        match self {
            Self::Dutch => codes::VAT_SETTLEMENT,
            Self::Union => codes::VAT_OF_OTHER_COUNTRIES,
        }
    }
}

/// Books a VAT payment to the tax office, or a refund if negative.
#[must_use]
pub fn vat_payment(
    source: Source,
    on: Date,
    (debt, amount): (VatDebt, Cents),
    from: MoneyAccount,
) -> JournalEntry {
    let kind =
        if amount.is_negative() { DescriptionKind::VatRefund } else { DescriptionKind::VatPayment };
    let money = from.receiving(-amount);
    two_sided(on, Description::of(kind), source, debt.account(), money, amount)
}

#[cfg(test)]
mod tests;
