//! Random books: booked documents of every kind over three years, with the amounts that each
//! document declares for VAT.

use jiff::{ToSpan, civil::date};
use ledger::{
    booking::{self, Earned, MoneyAccount, Purchase, Settlement, VatDebt},
    calendar::{Date, Month, Quarter},
    chart::{AccountCode, Role, codes},
    country::CountryCode,
    credit_note,
    decimal::Decimal,
    discount::Discount,
    entry::{JournalEntry, Source, SourceType},
    invoice::{self, Line, Priced, Prices},
    money::Cents,
    purchase::{self, BusinessShare, Deduction, PurchaseLine, VatTreatment},
    summary::{MonthTotal, VatTotal},
    vat::{Supply, VatBox, VatCategory, VatRate},
    vat_return::Total,
    write_off::WrittenOff,
};
use proptest::{prelude::*, sample::Index};
use std::collections::BTreeMap;

/// Years of the random books: before and after the change in the low rate.
pub(crate) const YEARS: [i16; 3] = [2018, 2019, 2020];

/// Quarters of [`YEARS`].
pub(crate) fn quarters() -> impl Iterator<Item = Quarter> {
    YEARS.into_iter().flat_map(|year| (1..=4).filter_map(move |number| Quarter::new(year, number)))
}

/// Date in [`YEARS`].
pub(crate) fn a_date() -> impl Strategy<Value = Date> {
    (0_i32..1_096).prop_map(|days| date(YEARS[0], 1, 1).checked_add(days.days()).unwrap())
}

/// Amounts that a document declares for VAT: turnover and VAT in a box.
#[derive(Clone, Debug)]
pub(crate) struct Declared {
    pub(crate) on: Date,
    pub(crate) vat_box: VatBox,
    pub(crate) turnover: Cents,
    pub(crate) vat: Cents,
}

/// Journal, with the amounts that its documents declare for VAT.
#[derive(Clone, Debug)]
pub(crate) struct Book {
    pub(crate) entries: Vec<JournalEntry>,
    pub(crate) declared: Vec<Declared>,
}

/// Debit minus credit per account, in cents.
pub(crate) fn net<'e>(
    entries: impl IntoIterator<Item = &'e JournalEntry>,
) -> BTreeMap<AccountCode, i64> {
    let mut nets = BTreeMap::new();
    for posting in entries.into_iter().flat_map(JournalEntry::postings) {
        *nets.entry(posting.account()).or_default() +=
            posting.debited().get() - posting.credited().get();
    }
    nets
}

impl Book {
    /// Sums per month and account, such as a store keeps in addition to its entries.
    pub(crate) fn month_totals(&self) -> Vec<MonthTotal> {
        let mut sums: BTreeMap<_, (Cents, Cents)> = BTreeMap::new();
        for entry in &self.entries {
            for posting in entry.postings() {
                let key = (entry.date().year(), entry.date().month(), posting.account());
                let sum = sums.entry(key).or_default();
                sum.0 += posting.debited();
                sum.1 += posting.credited();
            }
        }
        sums.into_iter()
            .map(|((year, month, account), (debit, credit))| MonthTotal {
                year,
                month,
                account,
                debit,
                credit,
            })
            .collect()
    }

    /// Sums by month of the VAT date, by account and by box.
    pub(crate) fn vat_totals(&self) -> Vec<VatTotal> {
        let mut sums: BTreeMap<_, (Cents, Cents)> = BTreeMap::new();
        for entry in &self.entries {
            for posting in entry.postings() {
                let Some(vat_box) = posting.vat_box() else { continue };
                let sum = sums
                    .entry((Month::of(entry.vat_date()), posting.account(), vat_box))
                    .or_default();
                sum.0 += posting.debited();
                sum.1 += posting.credited();
            }
        }
        sums.into_iter()
            .map(|((month, account, vat_box), (debit, credit))| VatTotal {
                month,
                total: Total { account, vat_box, debit, credit },
            })
            .collect()
    }

    /// Sums by month of the VAT date, by account and by box, in one quarter.
    pub(crate) fn totals_of(&self, quarter: Quarter) -> Vec<Total> {
        self.vat_totals()
            .into_iter()
            .filter(|of| of.month.quarter() == quarter)
            .map(|of| of.total)
            .collect()
    }

    /// Debit minus credit per VAT account, over a quarter's postings with a box.
    pub(crate) fn vat_balances(&self, quarter: Quarter) -> Vec<(AccountCode, Cents)> {
        let mut balances: BTreeMap<AccountCode, Cents> = BTreeMap::new();
        for total in &self.totals_of(quarter) {
            if matches!(total.account.role(), Role::VatDue | Role::InputVat) {
                *balances.entry(total.account).or_default() += total.debit - total.credit;
            }
        }
        balances.into_iter().collect()
    }

    fn declare(&mut self, on: Date, vat_box: VatBox, turnover: Cents, vat: Cents) {
        self.declared.push(Declared { on, vat_box, turnover, vat });
    }

    fn declare_sale(&mut self, on: Date, priced: &Priced) {
        for group in &priced.groups {
            if let Some(vat_box) = group.vat_box {
                self.declare(on, vat_box, group.base, group.amount);
            }
        }
    }
}

/// Document to book.
#[derive(Clone, Debug)]
enum Document {
    /// Sale, booked on the first date, with VAT due on the second.
    Sale(Date, Date, Vec<Line>),
    Credit(Date, Vec<Line>),
    Payment(Date, Cents, MoneyAccount),
    Expense(Date, Purchase),
    PrivateUse(Date, Cents, VatRate),
    Drawing(Date, Cents, MoneyAccount),
    Deposit(Date, Cents, MoneyAccount),
    Depreciation(Date, Cents),
    VatPayment(Date, Cents, MoneyAccount),
    Opening(Date, Cents, Cents),
    /// Reversal of an earlier entry; the date is that of the reversal.
    Reversal(Date, Index),
}

fn an_amount() -> impl Strategy<Value = Cents> {
    prop_oneof![Just(0), 1_i64..100, 100_i64..10_000_000].prop_map(Cents::new)
}

fn a_signed_amount() -> impl Strategy<Value = Cents> {
    (an_amount(), any::<bool>())
        .prop_map(|(amount, negative)| if negative { -amount } else { amount })
}

fn money() -> impl Strategy<Value = MoneyAccount> {
    prop::sample::select(MoneyAccount::ALL)
}

fn a_category() -> impl Strategy<Value = VatCategory> {
    prop_oneof![4 => Just(VatCategory::Standard), 3 => prop::sample::select(VatCategory::ALL)]
}

/// Invoice line for date `on`, with a rate that matches its category; the rate is sometimes neither
/// high nor low.
fn a_line(on: Date) -> impl Strategy<Value = Line> {
    let quantity = (-20_000_i64..100_000_000, 0_u32..=6);
    let price = (0_i64..1_000_000_000_000, 2_u32..=12);
    (quantity, price, a_category(), 0_u8..10).prop_map(
        move |((quantity, fine), (price, finer), vat_category, rate)| Line {
            description: "work".into(),
            quantity: Decimal::new(quantity, fine),
            unit_price: Decimal::new(price % 10_i64.pow(finer.min(9) + 2), finer),
            vat_rate: match (vat_category, rate) {
                (VatCategory::Standard, 0..=4) => VatRate::high_on(on),
                (VatCategory::Standard, 5..=8) => VatRate::low_on(on),
                (VatCategory::Standard, _) => VatRate::from_basis_points(1_250),
                (VatCategory::Oss, 0..=4) => VatRate::from_basis_points(2_700),
                (VatCategory::Oss, _) => VatRate::from_basis_points(550),
                _ => VatRate::ZERO,
            },
            vat_category,
            supply: if vat_category == VatCategory::IntraCommunity && rate < 5 {
                Supply::Goods
            } else {
                Supply::Services
            },
            tax_country: CountryCode::parse("FR").ok().filter(|_| vat_category == VatCategory::Oss),
            sets_off: None,
            account: None,
            rounding: Cents::ZERO,
            unit: None,
            discount: Discount::None,
            credits: None,
        },
    )
}

/// Date and lines of an invoice, whose total may be negative.
pub(crate) fn lines_of_a_sale() -> impl Strategy<Value = (Date, Vec<Line>)> {
    a_date().prop_flat_map(|on| (Just(on), prop::collection::vec(a_line(on), 1..6)))
}

fn a_purchase_line(on: Date) -> impl Strategy<Value = PurchaseLine> {
    let rate = prop::sample::select(vec![VatRate::high_on(on), VatRate::low_on(on)]);
    let category = prop::sample::select(vec![
        codes::OFFICE,
        codes::SUBCONTRACTORS,
        codes::MEALS,
        codes::EQUIPMENT,
    ]);
    let treatment = prop::sample::select(VatTreatment::ALL);
    (
        category,
        a_signed_amount(),
        treatment,
        rate,
        any::<bool>(),
        prop::option::of(a_signed_amount()),
    )
        .prop_map(|(category, amount, treatment, rate, includes_vat, printed_vat)| {
            PurchaseLine { category, amount, treatment, rate, includes_vat, printed_vat }
        })
}

fn a_purchase(on: Date) -> impl Strategy<Value = Purchase> {
    let lines = prop::collection::vec(a_purchase_line(on), 1..4);
    (lines, 0_u16..=10_000, prop::option::of(money())).prop_map(|(lines, share, paid_from)| {
        let share = BusinessShare::from_basis_points(share).unwrap();
        let priced = purchase::price(&lines, share, Deduction::Usual).unwrap();
        Purchase {
            party: None,
            description: Some("Purchase".into()),
            priced,
            paid_from,
            receipts: vec![],
        }
    })
}

fn a_document() -> impl Strategy<Value = Document> {
    prop_oneof![
        6 => (lines_of_a_sale(), prop::option::of(a_date())).prop_map(|((on, lines), due)| Document::Sale(on, due.unwrap_or(on), lines)),
        2 => lines_of_a_sale().prop_map(|(on, lines)| Document::Credit(on, lines)),
        3 => (a_date(), a_signed_amount(), money()).prop_map(|(on, amount, into)| Document::Payment(on, amount, into)),
        6 => a_date().prop_flat_map(|on| a_purchase(on).prop_map(move |purchase| Document::Expense(on, purchase))),
        1 => (a_date(), an_amount()).prop_map(|(on, base)| Document::PrivateUse(on, base, VatRate::high_on(on))),
        1 => (a_date(), an_amount(), money()).prop_map(|(on, amount, from)| Document::Drawing(on, amount, from)),
        1 => (a_date(), an_amount(), money()).prop_map(|(on, amount, into)| Document::Deposit(on, amount, into)),
        1 => (a_date(), an_amount()).prop_map(|(on, amount)| Document::Depreciation(on, amount)),
        1 => (a_date(), a_signed_amount(), money()).prop_map(|(on, amount, from)| Document::VatPayment(on, amount, from)),
        1 => (a_date(), a_signed_amount(), a_signed_amount()).prop_map(|(on, bank, owed)| Document::Opening(on, bank, owed)),
        2 => (a_date(), any::<Index>()).prop_map(|(on, which)| Document::Reversal(on, which)),
    ]
}

/// Up to thirty documents, booked in sequence. Documents that cannot be booked, such as an invoice
/// with a negative total, are skipped.
pub(crate) fn a_book() -> impl Strategy<Value = Book> {
    prop::collection::vec(a_document(), 0..30).prop_map(|documents| {
        let mut book = Book { entries: vec![], declared: vec![] };
        // Range of each entry's amounts in `declared`, so that a reversal can negate them.
        let mut said: Vec<std::ops::Range<usize>> = vec![];
        for (id, document) in (1..).zip(documents) {
            let before = book.declared.len();
            if let Some(entry) = book_one(&mut book, &said, id, document) {
                book.entries.push(entry);
                said.push(before..book.declared.len());
            }
        }
        book
    })
}

// Long: one match over all documents.
fn book_one(
    book: &mut Book,
    said: &[std::ops::Range<usize>],
    id: i64,
    document: Document,
) -> Option<JournalEntry> {
    let source = |kind| Source { kind, id };
    let manual = source(SourceType::Manual);
    Some(match document {
        Document::Sale(on, due, lines) => {
            let priced = invoice::price(&lines, on, Prices::Net).ok()?;
            book.declare_sale(due, &priced);
            booking::sales_invoice(
                source(SourceType::Invoice),
                "1",
                "Janssen",
                on,
                &priced,
                Earned::Now,
            )
            .with_vat_date(due)
        }
        Document::Credit(on, mut lines) => {
            for line in &mut lines {
                line.quantity = -line.quantity;
            }
            let priced = credit_note::price_again(&lines, on, Prices::Net, &[]).ok()?;
            book.declare_sale(on, &priced);
            booking::credit_note(
                source(SourceType::CreditNote),
                "2",
                "1",
                on,
                &priced,
                Earned::Now,
                Cents::ZERO,
            )
        }
        Document::Expense(on, purchase) => {
            for (line, of) in &purchase.priced.lines {
                if let Some((vat_box, _)) = line.treatment.reverse_charged() {
                    book.declare(on, vat_box, of.net, of.vat);
                }
                book.declare(on, VatBox::B5b, Cents::ZERO, of.deductible);
            }
            booking::expense(source(SourceType::Expense), on, &purchase)
        }
        Document::PrivateUse(on, base, rate) => {
            book.declare(on, VatBox::B1d, base, rate.of(base));
            booking::private_use(manual, on, base, rate)
        }
        Document::Payment(on, amount, into) => {
            let settlement = Settlement {
                amount,
                method: into,
                balance: amount,
                recovered: WrittenOff::default(),
                due: Vec::new(),
            };
            booking::payment_received(source(SourceType::Payment), "1", on, &settlement)
        }
        Document::Drawing(on, amount, from) => booking::private_drawing(manual, on, amount, from),
        Document::Deposit(on, amount, into) => booking::private_deposit(manual, on, amount, into),
        Document::Depreciation(on, amount) => booking::depreciation(manual, on, amount),
        Document::VatPayment(on, amount, from) => {
            booking::vat_payment(manual, on, (VatDebt::Dutch, amount), from)
        }
        Document::Opening(on, bank, owed) => {
            booking::opening_balance(manual, on, &[(codes::BANK, bank), (codes::PAYABLES, owed)])
        }
        Document::Reversal(on, which) => {
            if book.entries.is_empty() {
                return None;
            }
            let place = which.index(book.entries.len());
            let taken_back = book.declared[said[place].clone()].to_vec();
            for declared in taken_back {
                book.declare(on, declared.vat_box, -declared.turnover, -declared.vat);
            }
            book.entries[place].reversal(id, on, on)
        }
    })
}
