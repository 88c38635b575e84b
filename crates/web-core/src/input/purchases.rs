//! Input for purchases: expenses, payments of bills, assets and trips.

use super::{
    CalendarDate, Choice, Defaults, EXTERNAL_ID, EXTERNAL_ID_MEANING, Euros, EurosOrNothing,
    Fields, FixedDecimal, Flag, Integer, MultiLine, OneOf, Parsed, Presence, Raw, Reader,
    SingleLine,
    bank_accounts::{Money, bic, codes, iban},
    euros, if_filed,
    journal::NamedAccount,
    names, validated,
};
use jiff::civil::Date;
use ledger::{
    booking::MoneyAccount,
    chart::{AccountCode, codes},
    decimal,
    money::Cents,
    purchase::{BusinessShare, VatTreatment},
    vat::VatRate,
};
use serde_json::{Value, json};
use service::{
    Reason,
    assets::{DisposeAsset, NewAsset, ReviseVat},
    bank_booking::LineExpense,
    corrections::IfFiled,
    expenses::{
        Bill, Covered, EditBill, EditExpense, ExpenseLine, NewExpense, NewExpensePayment, Supplier,
    },
    mileage::NewTrip,
};

/// Names of the sources from which an expense is paid, each with its account; an unpaid bill has no
/// account.
pub const PAID_FROM: &[(&str, Option<MoneyAccount>)] = &[
    ("bank", Some(MoneyAccount::Bank)),
    ("private", Some(MoneyAccount::Private)),
    ("unpaid", None),
    ("cash", Some(MoneyAccount::Cash)),
    ("card", Some(MoneyAccount::Card)),
];

/// Source from which an expense is paid: one of [`PAID_FROM`], or the code of a bank account.
struct PaidFrom;

impl Reader for PaidFrom {
    type Value = Option<MoneyAccount>;

    fn read(&self, raw: &Raw) -> Result<Option<MoneyAccount>, Reason> {
        let number = raw.text().and_then(|text| AccountCode::digits(text.trim()));
        match number {
            Some(_) => Money(&[]).read(raw).map(Some),
            None => Choice(PAID_FROM).read(raw),
        }
    }

    fn schema(&self) -> Value {
        let mut values: Vec<String> = names(PAID_FROM).into_iter().map(str::to_owned).collect();
        values.extend(codes());
        json!({ "type": "string", "enum": values })
    }
}

/// Accounts of the business and the owner from which bills are paid, and which receive the proceeds
/// of assets.
pub const PAYING: &[MoneyAccount] = &[
    MoneyAccount::Bank,
    MoneyAccount::Savings,
    MoneyAccount::Cash,
    MoneyAccount::Card,
    MoneyAccount::Private,
];

/// Defaults that a page fills in on an empty line.
const LINE_DEFAULTS: Defaults = &[
    ("vatRate", &["21"]),
    ("vatTreatment", &["normal"]),
    ("includesVat", &["true"]),
    ("category", &["4100"]),
];
/// Maximum number of lines in an expense.
const MOST_ITEMS: usize = 100;
/// Maximum number of receipts for an expense.
const MOST_RECEIPTS: usize = 20;

/// Amount in euros: positive, negative or zero, since a customs document may be for VAT only.
struct AnyEuros;

impl Reader for AnyEuros {
    type Value = Cents;

    fn read(&self, raw: &Raw) -> Result<Cents, Reason> {
        euros(raw, &Reason::SignedAmountOutOfRange { most: Cents::MAX })
    }

    fn schema(&self) -> Value {
        json!({ "type": "number", "minimum": -99_999_999_999.99, "maximum": 99_999_999_999.99 })
    }
}

/// Ledger account, by its four digits. The command finds own accounts.
struct Account;

impl Reader for Account {
    type Value = AccountCode;

    fn read(&self, raw: &Raw) -> Result<AccountCode, Reason> {
        let text = match raw {
            Raw::Number(text) => text,
            other => other.text().ok_or(Reason::NotAText)?,
        };
        AccountCode::named(text.trim()).ok_or(Reason::NotACostAccount)
    }

    fn schema(&self) -> Value {
        json!({ "type": "string", "pattern": "^[0-9]{4}$", "examples": ["4100"] })
    }
}

fn share() -> impl Reader<Value = BusinessShare> {
    validated(
        FixedDecimal(2),
        || json!({ "minimum": 0, "maximum": 100 }),
        |percent| BusinessShare::from_percent(&percent).ok_or(Reason::ShareOutOfRange),
    )
}

/// Returns a reader of a VAT rate in per cent. The command checks whether the rate is in force on
/// the date of the transaction.
fn rate() -> impl Reader<Value = VatRate> {
    validated(
        FixedDecimal(2),
        || json!({ "minimum": 0, "maximum": 100, "examples": [21] }),
        |percent| {
            let points = percent * decimal::Decimal::ONE_HUNDRED;
            let points = u16::try_from(points).ok().filter(|points| *points <= 10_000);
            points.map(VatRate::from_basis_points).ok_or(Reason::OutOfRange {
                least: decimal::Decimal::ZERO,
                most: decimal::Decimal::ONE_HUNDRED,
            })
        },
    )
}

fn read_lines<T>(
    fields: &mut Fields<'_, '_>,
    presence: Presence,
    defaults: Defaults,
    read: impl Fn(&mut Fields<'_, '_>) -> Option<T>,
) -> Option<Vec<T>> {
    let meaning = "Lines of the document.";
    fields.list("items", meaning, presence, (1, MOST_ITEMS), defaults, read)
}

/// Reads a line; `None` if its amount is unreadable.
fn read_line(fields: &mut Fields<'_, '_>) -> Option<ExpenseLine> {
    line(fields, false).map(|(line, _)| line)
}

/// Reads a line, and whether its amount is given. If a bank line pays the expense, the amount may be
/// absent, and includes VAT by default.
fn line(fields: &mut Fields<'_, '_>, of_bank_line: bool) -> Option<(ExpenseLine, bool)> {
    let category = fields.required(
        "category",
        "Ledger account of the cost: four digits of the chart of accounts \
             (`/open-data/chart`), such as 4100, or of a cost account of your own.",
        Account,
    );
    let treatment = fields.optional(
        "vatTreatment",
        "VAT treatment. `normal`: Dutch VAT on the document. `reverseCharge`: reverse-charged \
             in the Netherlands (2a). `eu`: from another member state (4b). `import`: from \
             outside the EU, services or goods with an art. 23 permit (4a). `importVatPaid`: VAT \
             paid to customs, given in `vat`. `none`: no Dutch VAT. Default: normal.",
        OneOf(VatTreatment::ALL),
    );
    let treatment = treatment.unwrap_or(VatTreatment::Normal);
    let customs = treatment == VatTreatment::ImportVatPaid;
    let amount = "Amount in euros with at most two decimals; negative for a credit by the \
                      supplier. Excluding VAT unless `includesVat` is set. May be absent with \
                      `importVatPaid` if the document is for VAT only.";
    let is_given = fields.has("amount");
    let amount = if of_bank_line {
        let amount = "Amount in euros with at most two decimals; negative for a credit by the \
                      supplier. Including VAT unless `includesVat` is false. The only item may \
                      leave it out and takes the whole amount of the allocation.";
        fields.with_default("amount", amount, AnyEuros, Cents::ZERO)
    } else if customs {
        fields.with_default("amount", amount, AnyEuros, Cents::ZERO)
    } else {
        fields.required("amount", amount, AnyEuros)
    };
    let vat_rate = fields.optional(
        "vatRate",
        "VAT rate in per cent: currently 21, 9 or 0. Required for normal, reverseCharge, eu \
             and import.",
        rate(),
    );
    let includes_vat = if of_bank_line {
        "Whether the amount includes VAT; only used with `normal`. Default: true."
    } else {
        "Whether the amount includes VAT; only used with `normal`. Default: false."
    };
    let includes_vat = fields.optional("includesVat", includes_vat, Flag).unwrap_or(of_bank_line);
    let vat = "VAT as printed on the document, only with `normal` and `importVatPaid`. Default: calculated from the rate.";
    let vat = fields.optional("vat", vat, AnyEuros);
    // A line without a category has a fault, but its amount is still part of the running totals.
    let category = category.unwrap_or(codes::OFFICE);
    let amount = amount?;
    let line = ExpenseLine { category, amount, treatment, rate: vat_rate, includes_vat, vat };
    Some((line, is_given))
}

/// Readable part of an unfinished expense, for the totals shown while it is being filled in.
pub struct UnfinishedExpense {
    /// Date of the document; by default today.
    pub date: Date,
    /// Supplier.
    pub supplier: Supplier,
    /// Business share; by default all of it.
    pub business_share: BusinessShare,
    /// Lines with an amount, each with its number.
    pub lines: Vec<(usize, ExpenseLine)>,
}

/// Reads the readable fields of an unfinished expense.
pub fn unfinished_expense(fields: &mut Fields<'_, '_>, today: Date) -> UnfinishedExpense {
    UnfinishedExpense {
        date: fields.optional("date", DATE, CalendarDate).unwrap_or(today),
        supplier: read_supplier(fields),
        business_share: fields
            .optional("businessShare", SHARE, share())
            .unwrap_or(BusinessShare::WHOLE),
        lines: fields.readable("items", read_line),
    }
}

fn read_supplier(fields: &mut Fields<'_, '_>) -> Supplier {
    let name = fields.optional("supplier", "Name of the supplier.", SingleLine(255));
    let contact_id =
        fields.optional("contactId", "Id of the supplier's contact.", Integer(1, i64::MAX));
    Supplier { contact_id, name }
}

/// Ids of receipts: a list in JSON, comma-separated numbers in a form.
struct ReceiptIds;

impl Reader for ReceiptIds {
    type Value = Vec<i64>;

    fn read(&self, raw: &Raw) -> Result<Vec<i64>, Reason> {
        let one = Integer(1, i64::MAX);
        let ids: Vec<i64> = match raw {
            Raw::Array(items) => {
                items.iter().map(|item| one.read(item)).collect::<Result<_, _>>()?
            }
            Raw::Typed(text, language) => {
                let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
                parts
                    .map(|part| one.read(&Raw::Typed(part.to_owned(), *language)))
                    .collect::<Result<_, _>>()?
            }
            _ => return Err(Reason::NotAList),
        };
        if ids.len() > MOST_RECEIPTS {
            Err(Reason::TooMany { most: MOST_RECEIPTS, given: ids.len() })
        } else {
            Ok(ids)
        }
    }

    fn schema(&self) -> Value {
        json!({ "type": "array", "maxItems": MOST_RECEIPTS, "items": Integer(1, i64::MAX).schema() })
    }
}

const DATE: &str = "Date of the supplier's document; it determines the VAT period.";
const DESCRIPTION: &str = "Description of the purchase. Required without a supplier.";
const PAID_FROM_MEANING: &str = "Source of the payment: `bank`, `cash` or credit `card` of the \
                                 business, `private` money of the owner, the code of a bank \
                                 account, or `unpaid` for a bill to be paid. Default: bank.";
const SHARE: &str = "Business share in per cent. The rest is booked as a private drawing, and its \
                     VAT is not deducted. Default: 100.";
const RECEIPTS: &str = "Ids of the receipts. The journal entry contains the hash of each file.";

const PERIOD_FROM: &str = "First day of the period that the purchase covers, such as that of an insurance. At the end \
                           of a year, the cost of days in another year is proposed as cut-off.";
const PERIOD_UNTIL: &str = "Last day of that period. Required with `periodFrom`.";

const NUMBER: &str = "Number of the invoice, as the supplier printed it.";
const DUE_DATE: &str =
    "Last day to pay, not before `date`. Default for an unpaid bill: 30 days after `date`.";
const PAY_TO: &str =
    "Party to which the bill is paid, as far as it differs from the supplier's contact.";

/// Reads the number of a bill and how it is paid: fields of an edit, or of a new expense if they
/// are applied to none.
fn read_bill(fields: &mut Fields<'_, '_>) -> EditBill {
    let number = validated(SingleLine(100), || json!({ "examples": ["F-2026-118"] }), Ok);
    let number = fields.removable("supplierInvoiceNumber", NUMBER, number);
    let due_date = fields.removable("dueDate", DUE_DATE, CalendarDate);
    let is_emptied = fields.is_emptied("payTo");
    let pay_to = fields.object("payTo", PAY_TO, Presence::Optional, |fields| EditBill {
        name: fields.removable("name", "Name of the account holder.", SingleLine(70)),
        iban: fields.removable("iban", "IBAN.", iban()),
        bic: fields.removable("bic", "BIC of the bank; not needed for payments in euros.", bic()),
        reference: fields.removable(
            "reference",
            "Reference that the supplier asks for: 16 digits, a creditor reference (`RF…`), or text.",
            SingleLine(140),
        ),
        ..EditBill::default()
    });
    let pay_to = pay_to.unwrap_or_else(|| {
        let removed = is_emptied.then_some(None);
        EditBill {
            name: removed.clone(),
            iban: is_emptied.then_some(None),
            bic: is_emptied.then_some(None),
            reference: removed,
            ..EditBill::default()
        }
    });
    EditBill { number, due_date, ..pay_to }
}

/// Fields of a new expense besides its identifier and its date.
struct NewFields<L> {
    supplier: Supplier,
    description: Option<String>,
    lines: Option<Vec<L>>,
    paid_from: Option<MoneyAccount>,
    business_share: BusinessShare,
    receipt_ids: Vec<i64>,
    period: Covered,
}

/// Reads the fields of a new expense that do not depend on its payment; `paid_from` and `line` read
/// those that do. A line of a form that has only these defaults is blank.
fn new_fields<L>(
    fields: &mut Fields<'_, '_>,
    defaults: Defaults,
    paid_from: impl FnOnce(&mut Fields<'_, '_>) -> Option<MoneyAccount>,
    line: impl Fn(&mut Fields<'_, '_>) -> Option<L>,
) -> NewFields<L> {
    NewFields {
        supplier: read_supplier(fields),
        description: fields.optional("description", DESCRIPTION, MultiLine(1000)),
        lines: read_lines(fields, Presence::Required, defaults, line),
        paid_from: paid_from(fields),
        business_share: fields
            .optional("businessShare", SHARE, share())
            .unwrap_or(BusinessShare::WHOLE),
        receipt_ids: fields.optional("receiptIds", RECEIPTS, ReceiptIds).unwrap_or_default(),
        period: Covered {
            from: fields.optional("periodFrom", PERIOD_FROM, CalendarDate),
            until: fields.optional("periodUntil", PERIOD_UNTIL, CalendarDate),
        },
    }
}

/// Reads the fields of a new expense.
pub fn new_expense(fields: &mut Fields<'_, '_>) -> Parsed<NewExpense> {
    let external_id = fields.optional("externalId", EXTERNAL_ID_MEANING, EXTERNAL_ID);
    let date = fields.required("date", DATE, CalendarDate);
    let paid_from = |fields: &mut Fields<'_, '_>| {
        let paid_from = fields.optional("paidFrom", PAID_FROM_MEANING, PaidFrom);
        paid_from.unwrap_or(Some(MoneyAccount::Bank))
    };
    let new = new_fields(fields, LINE_DEFAULTS, paid_from, read_line);
    let bill = read_bill(fields).applied_to(Bill::default());
    let if_filed = if_filed(fields);
    let command = date.zip(new.lines).map(|(date, lines)| NewExpense {
        external_id: external_id.clone(),
        date,
        supplier: new.supplier,
        description: new.description,
        lines,
        paid_from: new.paid_from,
        business_share: new.business_share,
        receipt_ids: new.receipt_ids,
        period: new.period,
        bill,
        if_filed,
    });
    Parsed::new(external_id, command)
}

/// Reads the fields of an expense that a bank line pays: those of a new expense, except `paidFrom`.
pub(super) fn expense_of_bank_line(fields: &mut Fields<'_, '_>) -> Option<LineExpense> {
    let external_id =
        fields.optional("externalId", "Your own identifier of the expense.", EXTERNAL_ID);
    let date = "Date of the supplier's document; it determines the VAT period. Default: the date of \
                the line.";
    let date = fields.optional("date", date, CalendarDate);
    // The only line has no amount, so it is never blank.
    let new = new_fields(fields, Defaults::default(), |_| None, |fields| line(fields, true));
    let bill = read_bill(fields).applied_to(Bill::default());
    let (lines, are_given): (Vec<_>, Vec<_>) = new.lines?.into_iter().unzip();
    let takes_all = are_given == [false];
    // Customs charges VAT, perhaps without an amount.
    let lacks_amount = |(line, is_given): (&ExpenseLine, &bool)| {
        !is_given && line.treatment != VatTreatment::ImportVatPaid
    };
    if !takes_all && let Some(place) = lines.iter().zip(&are_given).position(lacks_amount) {
        fields.fault_in_item("items", place, "amount", Reason::Required);
        return None;
    }
    Some(LineExpense {
        external_id,
        date,
        supplier: new.supplier,
        description: new.description,
        lines,
        takes_all,
        business_share: new.business_share,
        receipt_ids: new.receipt_ids,
        period: new.period,
        bill,
    })
}

/// Reads the fields for editing an expense; absent fields stay unchanged.
pub fn edited_expense(fields: &mut Fields<'_, '_>) -> Parsed<EditExpense> {
    let date = fields.optional("date", DATE, CalendarDate);
    let takes_supplier_away = fields.is_null("supplier") || fields.is_null("contactId");
    let supplier = read_supplier(fields);
    let names_one = supplier != Supplier::default();
    let takes_description_away = fields.is_null("description");
    let description = fields.optional("description", DESCRIPTION, MultiLine(1000));
    let lines = read_lines(fields, Presence::Optional, LINE_DEFAULTS, read_line);
    let paid_from = fields.optional("paidFrom", PAID_FROM_MEANING, PaidFrom);
    let business_share = fields.optional("businessShare", SHARE, share());
    let takes_receipts_away = fields.is_null("receiptIds");
    let receipt_ids = fields.optional("receiptIds", RECEIPTS, ReceiptIds);
    let command = EditExpense {
        date,
        supplier: (names_one || takes_supplier_away).then_some(supplier),
        description: description.map(Some).or(takes_description_away.then_some(None)),
        lines,
        paid_from,
        business_share,
        receipt_ids: receipt_ids.or(takes_receipts_away.then(Vec::new)),
        period_from: fields.removable("periodFrom", PERIOD_FROM, CalendarDate),
        period_until: fields.removable("periodUntil", PERIOD_UNTIL, CalendarDate),
        bill: read_bill(fields),
        if_filed: if_filed(fields),
    };
    Parsed::new(None, Some(command))
}

/// Reads the fields for the payment of a bill.
pub fn new_expense_payment(
    fields: &mut Fields<'_, '_>,
    expense_id: i64,
) -> Parsed<NewExpensePayment> {
    let external_id = fields.optional("externalId", EXTERNAL_ID_MEANING, EXTERNAL_ID);
    let date = "Date of the payment, no later than tomorrow. Default: today in Amsterdam.";
    let dated = fields.has("date");
    let date = fields.optional("date", date, CalendarDate);
    let amount = "Amount in euros with at most two decimals, at most the amount due; negative for \
                  a refund by the supplier. Default: the amount due.";
    let amount = fields.optional("amount", amount, AnyEuros);
    let method = fields
        .optional(
            "method",
            "Account that pays, or the code of a bank account. Default: bank.",
            Money(PAYING),
        )
        .unwrap_or(MoneyAccount::Bank);
    let readable = !dated || date.is_some();
    let if_filed = if_filed(fields);
    let command = readable.then(|| NewExpensePayment {
        external_id: external_id.clone(),
        expense_id,
        date,
        amount,
        method,
        if_filed,
    });
    Parsed::new(external_id, command)
}

/// Reads the date of a repayment of VAT.
pub fn vat_repayment(fields: &mut Fields<'_, '_>) -> Parsed<(Option<Date>, IfFiled)> {
    let meaning = "Date on which it is certain that the bill will not be paid, no later than a \
                   year after it was due; it determines the VAT period. Default: today in \
                   Amsterdam.";
    let date = fields.optional("date", meaning, CalendarDate);
    let if_filed = if_filed(fields);
    Parsed::new(None, Some((date, if_filed)))
}

const TAKEN_OVER: &str = "Depreciation before the start of the books, for an asset in the opening \
                          balance (0.00 if none). Nothing is booked then, and the fields on VAT, \
                          payment and supplier are ignored.";

/// Reads the fields of a new asset.
// Long: it reads every field of an asset.
pub fn new_asset(fields: &mut Fields<'_, '_>) -> Parsed<NewAsset> {
    let external_id = fields.optional("externalId", EXTERNAL_ID_MEANING, EXTERNAL_ID);
    let date =
        fields.required("date", "Date of purchase; it determines the VAT period.", CalendarDate);
    let description = fields.required("description", "Description.", SingleLine(255));
    let account = fields.optional(
        "account",
        "Ledger account of the asset: 0100 licences and rights, 0200 equipment, 0300 vehicles, or \
         an account of your own of class asset. Default: 0200.",
        Account,
    );
    let accumulated_account = fields.optional(
        "accumulatedAccount",
        "Ledger account of the accumulated depreciation: 0110, 0210, 0310, or an account of your \
         own of class asset. Default: the one that belongs to the account; 0210 for your own.",
        NamedAccount,
    );
    let depreciation_account = fields.optional(
        "depreciationAccount",
        "Ledger account of the cost of depreciation: 4500, 4510, 4520, or a cost account of your \
         own. Default: the one that belongs to the account; 4500 for your own.",
        NamedAccount,
    );
    let cost = fields.required("cost", "Cost, excluding VAT.", Euros);
    let residual_value = fields.optional(
        "residualValue",
        "Value at the end of its life. Default: 0.00.",
        EurosOrNothing,
    );
    let life_years = "Useful life in years: at least 5, because at most 20 % may be depreciated per year; goodwill at least 10 \
                      (at most 10 %). Default: that minimum.";
    let life_years = fields.optional("lifeYears", life_years, Integer(1, 1000));
    let supplier = read_supplier(fields);
    let treatment = fields.optional(
        "vatTreatment",
        "VAT treatment, as for an expense. Default: normal.",
        OneOf(VatTreatment::ALL),
    );
    let vat_rate =
        fields.optional("vatRate", "VAT rate in per cent. Default: the high rate.", rate());
    let vat = fields.optional(
        "vat",
        "VAT as printed on the document. Default: calculated from the rate.",
        AnyEuros,
    );
    let paid_from = fields
        .optional("paidFrom", PAID_FROM_MEANING, PaidFrom)
        .unwrap_or(Some(MoneyAccount::Bank));
    let receipt_ids = fields.optional("receiptIds", RECEIPTS, ReceiptIds).unwrap_or_default();
    let opening_depreciated = fields.optional("openingDepreciated", TAKEN_OVER, EurosOrNothing);
    let if_filed = if_filed(fields);
    let command = match (date, description, cost) {
        (Some(date), Some(description), Some(cost)) => Some(NewAsset {
            external_id: external_id.clone(),
            date,
            description,
            account: account.unwrap_or(codes::EQUIPMENT),
            accumulated_account,
            depreciation_account,
            cost,
            residual_value: residual_value.unwrap_or_default(),
            life_years,
            supplier,
            treatment: treatment.unwrap_or(VatTreatment::Normal),
            rate: vat_rate,
            vat,
            paid_from,
            receipt_ids,
            if_filed,
            opening_depreciated,
        }),
        _ => None,
    };
    Parsed::new(external_id, command)
}

/// Reads the date up to which an asset is depreciated.
pub fn depreciate_asset(fields: &mut Fields<'_, '_>) -> Parsed<Date> {
    let until = fields.required(
        "until",
        "Date up to which to depreciate, including its whole month; it is the date of the entry.",
        CalendarDate,
    );
    Parsed::new(None, until)
}

/// Reads the date of an adjustment of the VAT on an asset; the date determines the year.
pub fn revise_asset_vat(fields: &mut Fields<'_, '_>) -> Parsed<ReviseVat> {
    let date = fields.optional(
        "date",
        "Day in the year to revise. Default: today in Amsterdam.",
        CalendarDate,
    );
    let if_filed = if_filed(fields);
    Parsed::new(None, Some(ReviseVat { date, if_filed }))
}

/// Reads the fields for disposing of an asset.
pub fn dispose_asset(fields: &mut Fields<'_, '_>) -> Parsed<DisposeAsset> {
    let date = fields.required("date", "Date of sale or write-off.", CalendarDate);
    let proceeds = "Proceeds of the sale, excluding VAT. Default: 0.00, a write-off.";
    let proceeds = fields.optional("proceeds", proceeds, EurosOrNothing).unwrap_or_default();
    let vat_rate = fields.optional(
        "vatRate",
        "VAT rate on the proceeds in per cent. Default: the high rate.",
        rate(),
    );
    let into = fields
        .optional(
            "method",
            "Account that receives the proceeds, or the code of a bank account. Default: bank.",
            Money(PAYING),
        )
        .unwrap_or(MoneyAccount::Bank);
    let if_filed = if_filed(fields);
    Parsed::new(
        None,
        date.map(|date| DisposeAsset { date, proceeds, rate: vat_rate, into, if_filed }),
    )
}

/// Kilometres with at most two decimals, in hundredths.
struct Kilometres;

impl Reader for Kilometres {
    type Value = i64;

    fn read(&self, raw: &Raw) -> Result<i64, Reason> {
        let hundredths = (FixedDecimal(2).read(raw)? * decimal::Decimal::ONE_HUNDRED).normalize();
        let most = decimal::Decimal::from(10_000);
        let range = || Reason::OutOfRange { least: decimal::Decimal::ZERO, most };
        i64::try_from(hundredths).ok().filter(|km| (1..=1_000_000).contains(km)).ok_or_else(range)
    }

    fn schema(&self) -> Value {
        json!({ "type": "number", "exclusiveMinimum": 0, "maximum": 10_000, "examples": [120] })
    }
}

/// Reads the fields of a business trip.
pub fn new_trip(fields: &mut Fields<'_, '_>) -> Parsed<NewTrip> {
    let external_id = fields.optional("externalId", EXTERNAL_ID_MEANING, EXTERNAL_ID);
    let date = fields.required(
        "date",
        "Date of the trip; it determines the rate per kilometre.",
        CalendarDate,
    );
    let from = fields.required("from", "Place of departure.", SingleLine(255));
    let to = fields.required("to", "Destination.", SingleLine(255));
    let km = fields.required(
        "km",
        "Distance in kilometres with at most two decimals, above 0 and at most 10 000.",
        Kilometres,
    );
    let purpose = fields.optional("purpose", "Purpose.", SingleLine(255));
    let project_id = fields.optional("projectId", "Id of the project.", Integer(1, i64::MAX));
    let command = match (date, from, to, km) {
        (Some(date), Some(from), Some(to), Some(distance)) => Some(NewTrip {
            external_id: external_id.clone(),
            date,
            from,
            to,
            distance,
            purpose,
            project_id,
        }),
        _ => None,
    };
    Parsed::new(external_id, command)
}
