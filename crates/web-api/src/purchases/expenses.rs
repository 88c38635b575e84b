//! Expenses, payments of bills, and the repayment of VAT on unpaid bills.

use crate::{
    journal::bank_accounts::{id_of, word},
    moment::Moment,
    number::{Amount, Number},
    operation::Operation,
    query::Query,
    resource::{Creatable, Editable, Filter, Listed, Resource, Undoable},
    sales::invoice_body::PeriodBody,
    undoing::{Takes, Undoing},
};
use jiff::civil::Date;
use ledger::{
    booking::MoneyAccount,
    calendar::Quarter,
    identifiers::{Bic, Iban},
    purchase::VatTreatment,
};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;
use service::{
    Context, Created, Error, Fault,
    expenses::{
        self, EditExpense, ExpenseDetails, ExpenseWarning, NewExpense, NewExpensePayment, PayTo,
    },
};
use store::{
    Page, SyncFilter, Tx, Updated,
    expenses::{ExpenseFilter, ExpensePayment},
};
#[cfg(fuzzing)]
use web_core::input;
use web_core::{
    catalogue::{
        ALREADY_UNDONE, BOOKED_FROM_BANK_LINE, CORRECTION_TOO_LARGE, IS_AN_ASSET, IS_OPENING_ITEM,
        NOT_FOUND, PERIOD_FILED, PRECONDITION_FAILED,
    },
    input::{
        Fields, PAID_FROM, PAYING, Parsed, edited_expense, english, names, names_of, new_expense,
        new_expense_payment, vat_repayment,
    },
};

/// An expense: a purchase.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Expense")]
pub(crate) struct ExpenseBody<'e> {
    /// Id, unique within the account.
    id: i64,
    /// Your own identifier.
    #[schemars(example = &"order-1001")]
    external_id: Option<&'e str>,
    /// Date of the supplier's document.
    date: Date,
    /// Name of the supplier.
    #[schemars(example = &"Papierhal B.V.")]
    supplier: Option<&'e str>,
    /// Id of the supplier's contact.
    contact_id: Option<i64>,
    /// Description of the purchase.
    #[schemars(example = &"Toner")]
    description: Option<&'e str>,
    /// `booked` or `undone`.
    #[schemars(extend("enum" = ["booked", "undone"]))]
    status: &'static str,
    /// Number of the invoice, as the supplier printed it.
    #[schemars(example = &"F-2026-118")]
    supplier_invoice_number: Option<&'e str>,
    /// Last day to pay. Null if an expense that was paid at once names none, and for old bills,
    /// which count as due after 30 days.
    due_date: Option<Date>,
    /// Party to which the bill is paid, as far as it differs from the supplier's contact.
    pay_to: Option<PayToBody<'e>>,
    /// Lines of the document.
    items: Vec<ItemBody>,
    /// Source of the payment: `bank`, `private`, `cash`, `card` or `unpaid`.
    #[schemars(extend("enum" = names(PAID_FROM)))]
    paid_from: &'static str,
    /// Id of the bank account that paid; null if the owner paid, and for an unpaid bill.
    bank_account_id: Option<i64>,
    /// Business share in per cent.
    business_share: Number,
    /// Ids of the receipts.
    receipt_ids: Vec<i64>,
    /// First day of the period that the purchase covers.
    #[schemars(example = &"2026-07-01")]
    period_from: Option<Date>,
    /// Last day of that period.
    #[schemars(example = &"2027-06-30")]
    period_until: Option<Date>,
    /// Calendar quarter of the date. If the return for the VAT period of the date has been filed,
    /// corrections belong to a later period, under which `GET /entries?vatPeriod=…` lists them.
    vat_period: PeriodBody,
    /// Id of the VAT period of the date, in the unit by which the account files: `2026-05`,
    /// `2026-Q2` or `2026`.
    #[schemars(example = &"2026-Q2")]
    vat_period_id: String,
    /// Amount excluding VAT.
    subtotal: Amount,
    /// VAT charged on the document, or payable by you.
    vat_total: Amount,
    /// VAT deducted.
    vat_deductible: Amount,
    /// Amount charged by the supplier; negative for a credit note.
    total: Amount,
    /// Whether nothing remains to be paid.
    paid: bool,
    /// Amount paid.
    amount_paid: Amount,
    /// Amount still to be paid; negative if the supplier owes you.
    amount_due: Amount,
    /// Id of the payment batch that is to pay the bill. A batch does not change `updatedAt`.
    in_batch_id: Option<i64>,
    /// Deducted VAT that was repaid because the bill stayed unpaid.
    vat_repaid: Amount,
    /// Id of the asset that was purchased.
    asset_id: Option<i64>,
    /// Ids of the journal entries, oldest first.
    entry_ids: &'e [i64],
    /// Warnings about unusual or incomplete data. They are reported until the filing deadline for
    /// the calendar quarter of the date or of the last change, whichever is later.
    warnings: Vec<WarningBody>,
    /// Origin: `api`, `app`, or `opening` for a bill that was unpaid at the start of the books;
    /// such an expense has no lines and no known VAT.
    #[schemars(extend("enum" = ["api", "app", "opening"]))]
    source: &'static str,
    /// Time of creation.
    created_at: Moment,
    /// Time of the last change.
    updated_at: Moment,
}

/// Party to which a bill is paid.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "PayTo")]
struct PayToBody<'e> {
    /// Name of the account holder.
    #[schemars(example = &"Papierhal B.V.")]
    name: Option<&'e str>,
    /// IBAN.
    #[schemars(example = &"NL02ABNA0123456789")]
    iban: Option<&'e str>,
    /// BIC of the bank.
    #[schemars(example = &"ABNANL2A")]
    bic: Option<&'e str>,
    /// Reference that the supplier asks for.
    #[schemars(example = &"2036000016301110")]
    reference: Option<&'e str>,
}

impl<'e> PayToBody<'e> {
    /// Returns the party; `None` if nothing of it is known.
    fn of(pay_to: &'e PayTo) -> Option<Self> {
        let is_known = *pay_to != PayTo::default();
        is_known.then(|| Self {
            name: pay_to.name.as_deref(),
            iban: pay_to.iban.as_ref().map(Iban::as_str),
            bic: pay_to.bic.as_ref().map(Bic::as_str),
            reference: pay_to.reference.as_deref(),
        })
    }
}

/// A line of an expense.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ExpenseItem")]
struct ItemBody {
    /// Ledger account that the line is booked on.
    #[schemars(example = &"4100")]
    category: String,
    /// Amount in euros, as entered.
    amount: Amount,
    /// VAT rate in per cent; null if the VAT treatment has no rate.
    vat_rate: Option<Number>,
    /// `normal`, `reverseCharge`, `eu`, `import`, `importVatPaid` or `none`.
    #[schemars(extend("enum" = names_of(VatTreatment::ALL)))]
    vat_treatment: &'static str,
    /// Whether the amount includes VAT.
    includes_vat: bool,
    /// VAT as printed on the document, if given.
    vat: Option<Amount>,
    /// Amount excluding VAT.
    net: Amount,
    /// VAT charged on the document, or payable by you.
    vat_amount: Amount,
    /// VAT deducted.
    vat_deductible: Amount,
}

/// A warning about data that is legal, but unusual or incomplete.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "ExpenseWarning")]
struct WarningBody {
    /// `vat_differs`, `may_be_asset`, `date_unusual`, `duplicate_amount` or `paid_before_bill`.
    /// More codes may be added.
    #[schemars(example = &"vat_differs")]
    code: &'static str,
    /// Explanation, with advice.
    #[schemars(example = &"the VAT of line 1 is not what the rate gives, 21.00; check both")]
    message: String,
}

impl From<ExpenseWarning> for WarningBody {
    fn from(warning: ExpenseWarning) -> Self {
        Self { code: warning.code(), message: english::expense_warning(&warning) }
    }
}

/// Methods that the field `paidFrom` of a response can name.
fn paid_from() -> Vec<MoneyAccount> {
    PAID_FROM.iter().filter_map(|(_, money)| *money).collect()
}

impl Resource for ExpenseDetails {
    type Key = i64;
    type Body<'r> = ExpenseBody<'r>;
    const PATH: &'static str = "/expenses/{id}";
    const NAME: &'static str = "expense";

    fn key(&self) -> i64 {
        self.expense.id
    }

    fn body(&self, cx: &Context) -> ExpenseBody<'_> {
        let expense = &self.expense;
        let quarter = Quarter::of(expense.date);
        ExpenseBody {
            id: expense.id,
            external_id: expense.external_id.as_deref(),
            date: expense.date,
            supplier: expense.supplier.as_deref(),
            contact_id: expense.contact_id,
            description: expense.description.as_deref(),
            status: if expense.undone_at.is_some() { "undone" } else { "booked" },
            supplier_invoice_number: expense.bill.number.as_deref(),
            due_date: self.due_date,
            pay_to: PayToBody::of(&expense.bill.pay_to),
            items: self.priced.lines.iter().map(ItemBody::from).collect(),
            paid_from: expense.paid_from.map_or("unpaid", |money| word(money, &paid_from())),
            bank_account_id: expense
                .paid_from
                .and_then(|money| id_of(&cx.actor.own_accounts, money)),
            business_share: Number(expense.business_share.percent()),
            receipt_ids: self.receipts.iter().map(|(id, _)| *id).collect(),
            period_from: expense.period_from,
            period_until: expense.period_until,
            vat_period: quarter.into(),
            vat_period_id: cx.actor.vat_units.period_of(expense.date).to_string(),
            subtotal: Amount(expense.net),
            vat_total: Amount(expense.vat),
            vat_deductible: Amount(expense.deductible),
            total: Amount(expense.total),
            paid: self.paid(),
            amount_paid: Amount(expense.amount_paid),
            amount_due: Amount(expense.amount_due()),
            in_batch_id: self.in_batch,
            vat_repaid: Amount(expense.vat_repaid),
            asset_id: expense.asset_id,
            entry_ids: &self.entry_ids,
            warnings: self.warnings(cx.today()).into_iter().map(WarningBody::from).collect(),
            source: expense.source.as_str(),
            created_at: Moment(expense.created_at),
            updated_at: Moment(expense.updated_at),
        }
    }

    fn find(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<Self, Error> {
        expenses::read(tx, cx, id)
    }
}

impl Filter for ExpenseFilter {
    fn read(query: &mut Query) -> Self {
        const STATES: &[(&str, bool)] = &[("booked", false), ("undone", true)];
        Self {
            external_id: query.external_id(),
            from: query.day("from", "Returns only documents dated on or after this date."),
            to: query.day("to", "Returns only documents dated on or before this date."),
            contact_id: query.integer(
                "contactId",
                "Returns only resources of this contact.",
                1,
                i64::MAX,
            ),
            undone: query.choice("status", "Returns only booked or only undone expenses.", STATES),
            paid: query.flag("paid", "Returns only paid expenses, or only bills to be paid."),
            supplier_invoice_number: query.text(
                "supplierInvoiceNumber",
                "Returns only expenses with this number of the supplier, ignoring case, blanks, `-./_` and leading zeros.",
                100,
            ),
            due_before: query.day("dueBefore", "Returns only bills to be paid that are due before this date."),
            overdue: query.flag("overdue", "Returns only bills to be paid whose due date has passed, or only other expenses."),
            updated: query.updated(),
        }
    }

    fn updated(&self) -> Option<Updated> {
        self.updated
    }
}

impl Listed for ExpenseDetails {
    type Filter = ExpenseFilter;
    const NEWEST_FIRST: bool = true;

    fn list(
        tx: &mut Tx<'_>,
        cx: &Context,
        (): (),
        filter: &ExpenseFilter,
        before: i64,
        limit: i64,
    ) -> Result<Page<Self>, Error> {
        expenses::list(tx, cx, filter, before, limit)
    }
}

impl Creatable for ExpenseDetails {
    type New = NewExpense;
    type Partial = ();

    fn read_new(fields: &mut Fields<'_, '_>, (): ()) -> Parsed<NewExpense> {
        new_expense(fields)
    }

    fn create(tx: &mut Tx<'_>, cx: &Context, new: &NewExpense) -> Result<Created<Self>, Error> {
        expenses::record(tx, cx, new)
    }

    fn find_by_external_id(
        tx: &mut Tx<'_>,
        cx: &Context,
        external_id: Option<&str>,
    ) -> Result<Option<Self>, Error> {
        expenses::find_by_external_id(tx, cx, external_id)
    }
}

impl Editable for ExpenseDetails {
    type Edit = EditExpense;
    type PartialEdit = ();

    fn read_edit(fields: &mut Fields<'_, '_>) -> Parsed<EditExpense> {
        edited_expense(fields)
    }

    fn edit(
        tx: &mut Tx<'_>,
        cx: &Context,
        id: i64,
        edit: &EditExpense,
        expected: &dyn Fn(&Self) -> bool,
    ) -> Result<Self, Error> {
        expenses::edit(tx, cx, id, edit, expected)
    }
}

impl Undoable for ExpenseDetails {
    const TAKES: Takes = Takes::Correction;

    fn undo(tx: &mut Tx<'_>, cx: &Context, id: i64, how: Undoing) -> Result<Self, Error> {
        expenses::undo(tx, cx, id, how.if_filed)
    }
}

impl From<&(ledger::purchase::PurchaseLine, ledger::purchase::LineAmounts)> for ItemBody {
    fn from((line, of): &(ledger::purchase::PurchaseLine, ledger::purchase::LineAmounts)) -> Self {
        Self {
            category: line.category.to_string(),
            amount: Amount(line.amount),
            vat_rate: line.treatment.has_rate().then(|| Number(line.rate.percent())),
            vat_treatment: line.treatment.as_str(),
            includes_vat: line.includes_vat,
            vat: line.printed_vat.map(Amount),
            net: Amount(of.net),
            vat_amount: Amount(of.vat),
            vat_deductible: Amount(of.deductible),
        }
    }
}

/// A payment for a bill.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ExpensePayment")]
pub(crate) struct PaymentBody<'p> {
    /// Id, unique within the bill.
    id: i64,
    /// Id of the bill.
    expense_id: i64,
    /// Your own identifier.
    #[schemars(example = &"bank-551")]
    external_id: Option<&'p str>,
    /// Date of the payment.
    date: Date,
    /// Amount paid; negative if refunded by the supplier.
    amount: Amount,
    /// Account that the bill was paid from: `bank`, `savings`, `cash`, `card` or `private`.
    #[schemars(extend("enum" = names_of(PAYING)))]
    method: &'static str,
    /// Id of the bank account that paid; null if the owner paid.
    bank_account_id: Option<i64>,
    /// VAT that became deductible again with this payment.
    vat_recovered: Amount,
    /// Id of the journal entry.
    entry_id: i64,
    /// Time at which the payment was undone.
    undone_at: Option<Moment>,
    /// Time of creation.
    created_at: Moment,
    /// Time of the last change.
    updated_at: Moment,
}

impl Resource for ExpensePayment {
    type Key = (i64, i64);
    type Body<'r> = PaymentBody<'r>;
    const PATH: &'static str = "/expenses/{id}/payments/{paymentId}";
    const NAME: &'static str = "payment";
    const PARENT: &'static str = "expense";
    const KIND: &'static str = "expensePayment";

    fn key(&self) -> (i64, i64) {
        (self.expense_id, self.id)
    }

    fn body(&self, cx: &Context) -> PaymentBody<'_> {
        PaymentBody {
            id: self.id,
            expense_id: self.expense_id,
            external_id: self.external_id.as_deref(),
            date: self.date,
            amount: Amount(self.amount),
            method: word(self.method, PAYING),
            bank_account_id: id_of(&cx.actor.own_accounts, self.method),
            vat_recovered: Amount(self.vat_recovered),
            entry_id: self.entry_id,
            undone_at: self.undone_at.map(Moment),
            created_at: Moment(self.created_at),
            updated_at: Moment(self.updated_at()),
        }
    }

    fn find(tx: &mut Tx<'_>, cx: &Context, key: (i64, i64)) -> Result<Self, Error> {
        expenses::read_payment(tx, cx, key)
    }
}

impl Listed for ExpensePayment {
    type Filter = SyncFilter;

    fn list(
        tx: &mut Tx<'_>,
        cx: &Context,
        expense: i64,
        filter: &SyncFilter,
        after: i64,
        limit: i64,
    ) -> Result<Page<Self>, Error> {
        expenses::list_payments(tx, cx, expense, filter, after, limit)
    }
}

impl Creatable for ExpensePayment {
    type New = NewExpensePayment;
    type Partial = ();
    const BODY_OPTIONAL: bool = true;

    fn read_new(fields: &mut Fields<'_, '_>, expense: i64) -> Parsed<NewExpensePayment> {
        new_expense_payment(fields, expense)
    }

    fn create(
        tx: &mut Tx<'_>,
        cx: &Context,
        new: &NewExpensePayment,
    ) -> Result<Created<Self>, Error> {
        expenses::pay(tx, cx, new)
    }

    fn find_by_external_id(
        tx: &mut Tx<'_>,
        cx: &Context,
        external_id: Option<&str>,
    ) -> Result<Option<Self>, Error> {
        expenses::find_payment_by_external_id(tx, cx, external_id)
    }

    fn validate(tx: &mut Tx<'_>, cx: &Context, expense: i64, (): &()) -> Result<Vec<Fault>, Error> {
        expenses::read(tx, cx, expense)?;
        Ok(Vec::new())
    }
}

impl Undoable for ExpensePayment {
    const TAKES: Takes = Takes::Correction;

    fn undo(tx: &mut Tx<'_>, cx: &Context, key: (i64, i64), how: Undoing) -> Result<Self, Error> {
        expenses::undo_payment(tx, cx, key, how.if_filed)
    }
}

pub(crate) fn operations() -> Vec<Operation> {
    let example = json!({
        "externalId": "shop-88", "date": "2026-11-20", "supplier": "Papierhal B.V.", "description": "Toner", "paidFrom": "bank",
        "items": [{ "category": "4100", "amount": 121.00, "vatRate": 21, "includesVat": true }],
    });
    let mut operations = vec![
        Operation::list_of::<ExpenseDetails>("listExpenses").says("List expenses", "Newest first."),
        Operation::create_of::<ExpenseDetails>("createExpense", example)
            .says(
                "Create an expense",
                "Books the expense at once: cost and input VAT against the source of the payment, \
                 or against payables for a bill to be paid. VAT is deducted for the business \
                 share only, never on food and drink (account 4315; art. 15(5) Wet OB 1968), and \
                 not at all under the small businesses scheme (KOR). Legal but unusual data is \
                 reported in `warnings`.",
            )
            .or(&[PERIOD_FILED, CORRECTION_TOO_LARGE])
            .for_dutch_accounts(),
        Operation::read_of::<ExpenseDetails>("readExpense").says("Read an expense", ""),
        Operation::edit_of::<ExpenseDetails>(
            "editExpense",
            json!({ "description": "Toner and paper", "businessShare": 80 }),
        )
        .says(
            "Update an expense",
            "Absent fields stay unchanged; items and receipts are replaced as a whole. The \
                 old booking is reversed and a new one made. In a filed quarter, supplier, \
                 description and receipts can still change, because they do not affect the return. \
                 An expense that a bank line paid keeps its total and `paidFrom`.",
        )
        .or(&[
            NOT_FOUND,
            ALREADY_UNDONE,
            IS_AN_ASSET,
            IS_OPENING_ITEM,
            PERIOD_FILED,
            CORRECTION_TOO_LARGE,
            PRECONDITION_FAILED,
            BOOKED_FROM_BANK_LINE,
        ])
        .for_dutch_accounts(),
        Operation::undo_of::<ExpenseDetails>("/expenses/{id}/undo", "undoExpense")
            .says(
                "Undo an expense",
                "Reverses its journal entries and those of its payments; it stays listed. \
                 Repeating it changes nothing.",
            )
            .or(&[
                NOT_FOUND,
                IS_AN_ASSET,
                IS_OPENING_ITEM,
                PERIOD_FILED,
                CORRECTION_TOO_LARGE,
                BOOKED_FROM_BANK_LINE,
            ])
            .for_dutch_accounts(),
    ];
    operations.extend(payments());
    operations
}

/// Operations for paying bills and for repaying the VAT on unpaid ones.
fn payments() -> Vec<Operation> {
    let payment = json!({ "externalId": "bank-552", "date": "2026-11-21", "amount": 121.00, "method": "bank" });
    vec![
        Operation::list_of::<ExpensePayment>("listExpensePayments")
            .says("List the payments of a bill", "Oldest first, including undone ones.")
            .or(&[NOT_FOUND]),
        Operation::read_of::<ExpensePayment>("readExpensePayment")
            .says("Read a payment of a bill", ""),
        Operation::create_of::<ExpensePayment>("createExpensePayment", payment)
            .says(
                "Create a payment of a bill",
                "Payments add up; together they never exceed the amount due.",
            )
            .or_without_body()
            .or(&[NOT_FOUND, ALREADY_UNDONE, PERIOD_FILED, CORRECTION_TOO_LARGE])
            .for_dutch_accounts(),
        Operation::undo_of::<ExpensePayment>(
            "/expenses/{id}/payments/{paymentId}/undo",
            "undoExpensePayment",
        )
        .says(
            "Undo a payment of a bill",
            "Reverses its journal entry on its own date; it stays listed. Repeating it \
                 changes nothing.",
        )
        .or(&[NOT_FOUND, ALREADY_UNDONE, PERIOD_FILED, CORRECTION_TOO_LARGE, BOOKED_FROM_BANK_LINE])
        .for_dutch_accounts(),
        Operation::act_on::<ExpenseDetails, _>(
            "/expenses/{id}/vat-repayment",
            "repayExpenseVat",
            json!({ "date": "2026-11-20" }),
            vat_repayment,
            |tx, cx, id, (date, if_filed)| expenses::repay_vat(tx, cx, id, *date, *if_filed),
        )
        .says(
            "Repay the VAT on an unpaid bill",
            "Books the deducted VAT on the unpaid part of a bill as due again, a year after the \
             bill was due (art. 29(7) Wet OB 1968). It is deducted again automatically when the \
             bill is paid after all.",
        )
        .or_without_body()
        .or(&[NOT_FOUND, ALREADY_UNDONE, PERIOD_FILED, CORRECTION_TOO_LARGE])
        .for_dutch_accounts(),
    ]
}

#[cfg(fuzzing)]
pub(crate) fn try_body(json: &input::Raw) {
    let parsed = input::json(json, new_expense);
    assert_eq!(parsed.command.is_some(), parsed.faults.is_empty());
    input::json(json, edited_expense);
    input::json(json, |fields| new_expense_payment(fields, 1));
}
