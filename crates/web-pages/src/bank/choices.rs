//! Records that a bank line can be booked against, as choices of its form.

use crate::{
    form::Form,
    frame::lines::Line,
    page::Authenticated,
    texts::{self, Phrase, Texts},
};
use jiff::civil::Date;
use ledger::{
    bank_account::BankAccountKind,
    bank_line::{AllocationKind, IgnoreReason, LineState},
    chart::is_kept_by_program,
    entry::SourceType,
    event::{LOANS, PremiumKind, PrivateKind},
    money::Cents,
    payout::FeeVat,
    vat_period::VatPeriod,
};
use service::{
    Context, Error,
    bank_booking::{self, Counterparts},
    contact_edits,
    events::{self, EventDetails},
    expenses, invoices, vat_filings, vat_payments,
};
use std::{borrow::Borrow, cmp::Reverse};
use store::{
    SyncFilter, Tx,
    bank_lines::BankLine,
    contacts::Contact,
    expense_table::{self, TableFilter as ExpenseFilter},
    expenses::Expense,
    invoice_table::{self, TableFilter as InvoiceFilter},
    invoices::Invoice,
};

/// Maximum number of records of a kind to choose from.
const MOST: i64 = 500;
/// Maximum number of VAT returns to choose from.
const MOST_RETURNS: usize = 40;
/// Maximum number of VAT returns that show what is due on them.
const MOST_PAYABLE: usize = 12;

/// Records of the books that a line can be booked against. Those with the amount of the line come
/// first.
#[derive(Default)]
pub(super) struct Choices {
    invoices: Vec<Invoice>,
    /// Invoices with money to refund.
    refunds: Vec<Invoice>,
    bills: Vec<Expense>,
    loans: Vec<EventDetails>,
    /// Suppliers.
    contacts: Vec<Contact>,
    periods: Vec<VatPeriod>,
    /// Filed returns with what is due on them, the first return first; negative if money comes back.
    payable: Vec<(VatPeriod, Cents)>,
    counterparts: Counterparts,
}

/// Invoices to choose from, apart from those of other customers than the counterparty of the line.
pub(super) struct InvoiceGroup {
    /// Heading; empty if the line has no counterparty.
    pub(super) title: String,
    /// Whether the invoices are of other customers than the counterparty.
    pub(super) is_other: bool,
    /// Id and text.
    pub(super) choices: Vec<(String, String)>,
}

/// Parts of names that tell nothing about who is meant: legal forms, titles and articles.
const COMMON_WORDS: &str = "bv nv vof cv ltd gmbh sa inc stichting vereniging maatschap de het the en \
                            and van der den hr mw dhr";

/// Words of a name in lower case, without those that many names have.
fn words_of(name: &str) -> Vec<String> {
    let name = name.to_lowercase().replace('.', "");
    let words = name.split(|c: char| !c.is_alphanumeric());
    let is_common = |word: &str| COMMON_WORDS.split(' ').any(|common| common == word);
    let words = words.filter(|word| word.len() > 1 && !is_common(word));
    words.map(str::to_owned).collect()
}

/// Whether two names may be of the same party: they have a word in common, or tell nothing.
fn may_be_same(one: &str, other: &str) -> bool {
    let (one, other) = (words_of(one), words_of(other));
    one.is_empty() || other.is_empty() || one.iter().any(|word| other.contains(word))
}

/// Reads the records that a line can be booked against with these kinds; none if it is not new.
/// `with_paid` adds the invoices that are paid, for a customer who paid twice.
pub(super) fn read(
    tx: &mut Tx<'_>,
    cx: &Context,
    line: &BankLine,
    (kinds, with_paid): (&[AllocationKind], bool),
) -> Result<Choices, Error> {
    if line.state != LineState::New {
        return Ok(Choices::default());
    }
    let counterparts = bank_booking::counterparts(tx, cx, line)?;
    let mut choices = Choices { counterparts, ..Choices::default() };
    for kind in kinds {
        match kind {
            AllocationKind::Invoice => {
                choices.invoices = documents(tx, cx, invoice_table::State::Open)?;
                let amount = line.amount.abs();
                choices
                    .invoices
                    .sort_by_key(|invoice| Reverse(invoices::amount_due(invoice) == amount));
                if with_paid {
                    let mut paid = documents(tx, cx, invoice_table::State::Paid)?;
                    paid.sort_by_key(|invoice| Reverse(invoice.amount_paid == amount));
                    choices.invoices.splice(..0, paid);
                }
            }
            AllocationKind::Refund => {
                choices.refunds = documents(tx, cx, invoice_table::State::All)?;
                choices.refunds.retain(|invoice| invoices::balance(invoice).is_negative());
            }
            AllocationKind::Bill => {
                let filter =
                    ExpenseFilter { state: expense_table::State::Open, ..ExpenseFilter::default() };
                let order = (expense_table::Column::Date, true);
                choices.bills = expenses::table(tx, cx, &filter, order, (0, MOST))?.rows;
                // A credit note of a supplier is paid by an incoming line.
                choices.bills.sort_by_key(|bill| Reverse(bill.amount_due() == -line.amount));
            }
            AllocationKind::Expense => choices.contacts = contact_edits::offered(tx, cx, None)?,
            AllocationKind::LoanRepayment => choices.loans = loans(tx, cx)?,
            AllocationKind::Vat => {
                let returns = vat_filings::returns(tx, cx)?;
                for period in returns.iter().copied().take(MOST_PAYABLE) {
                    let details = vat_filings::read(tx, cx, period)?;
                    if details.filed().is_none() {
                        continue;
                    }
                    let payments = vat_payments::of_period(tx, cx, period)?;
                    let due = vat_payments::remaining(&details, &payments);
                    if !due.is_zero() {
                        choices.payable.insert(0, (period, due));
                    }
                }
                choices.periods = returns.into_iter().take(MOST_RETURNS).collect();
            }
            _ => {}
        }
    }
    Ok(choices)
}

/// Reads the records that a rule can book against.
pub(super) fn for_rules(tx: &mut Tx<'_>, cx: &Context) -> Result<Choices, Error> {
    let contacts = contact_edits::offered(tx, cx, None)?;
    Ok(Choices { contacts, loans: loans(tx, cx)?, ..Choices::default() })
}

/// Latest loans.
fn loans(tx: &mut Tx<'_>, cx: &Context) -> Result<Vec<EventDetails>, Error> {
    let (filter, kind) = (SyncFilter::default(), SourceType::Loan);
    Ok(events::list(tx, cx, kind, None, &filter, i64::MAX, MOST)?.rows)
}

/// Latest invoices in a state.
fn documents(
    tx: &mut Tx<'_>,
    cx: &Context,
    state: invoice_table::State,
) -> Result<Vec<Invoice>, Error> {
    let filter = InvoiceFilter {
        state,
        age: None,
        contact_id: None,
        amount: None,
        text: None,
        today: cx.today(),
        days: None,
    };
    let order = (invoice_table::Column::Date, true);
    Ok(invoices::table(tx, cx, &filter, order, (0, MOST))?.rows)
}

impl Choices {
    /// Choices of a field: value and text, the first of which chooses nothing.
    fn of(page: &Authenticated, choices: Vec<(String, String)>) -> Vec<(String, String)> {
        let none = (String::new(), page.t("bank-choose").to_string());
        [none].into_iter().chain(choices).collect()
    }

    fn documents(
        page: &Authenticated,
        invoices: &[Invoice],
        amount: impl Fn(&Invoice) -> Cents,
    ) -> Vec<(String, String)> {
        let choice = |invoice: &Invoice| {
            let amount = page.texts.money(amount(invoice));
            let text = format!("{} · {} · {amount}", invoice.number, invoice.customer.name);
            (invoice.id.to_string(), text)
        };
        Self::of(page, invoices.iter().map(choice).collect())
    }

    /// Invoices that a line can pay. Those of its counterparty come first, if it has one.
    pub(super) fn invoices(&self, page: &Authenticated, line: &BankLine) -> Vec<InvoiceGroup> {
        let choice = |invoice: &&Invoice| {
            let amount = match invoices::amount_due(invoice) {
                Cents::ZERO => invoice.amount_paid,
                due => due,
            };
            let amount = page.texts.money(amount);
            let text = format!("{} · {} · {amount}", invoice.number, invoice.customer.name);
            (invoice.id.to_string(), text)
        };
        let all = self.invoices.iter();
        let Some(name) = line.name.as_deref() else {
            let choices = all.map(|invoice| choice(&invoice)).collect();
            return vec![InvoiceGroup { title: String::new(), is_other: false, choices }];
        };
        let (own, others): (Vec<&Invoice>, Vec<&Invoice>) =
            all.partition(|invoice| may_be_same(name, &invoice.customer.name));
        let group = |title: String, is_other, invoices: Vec<&Invoice>| InvoiceGroup {
            title,
            is_other,
            choices: invoices.iter().map(choice).collect(),
        };
        let groups = [
            group(name.to_owned(), false, own),
            group(page.t("bank-other-customers").to_string(), true, others),
        ];
        groups.into_iter().filter(|group| !group.choices.is_empty()).collect()
    }

    /// Form in which a VAT payment that was just chosen is for the return on which its amount is due,
    /// or else, if money goes out, for the first unpaid one.
    pub(super) fn with_return(&self, form: Form, line: &BankLine, of: &Line) -> Form {
        let is_vat = form.value(&of.field("kind")) == AllocationKind::Vat.as_str();
        let is_named = ["vatPeriod", "ossPeriod"].iter().any(|name| form.is_given(&of.field(name)));
        if !is_vat || is_named || form.is_given("action") {
            return form;
        }
        let equal = self.payable.iter().find(|(_, due)| *due == -line.amount);
        let first = || {
            let mut unpaid = self.payable.iter().filter(|(_, due)| *due > Cents::ZERO);
            unpaid.next().filter(|_| line.amount.is_negative())
        };
        match equal.or_else(first) {
            Some((period, _)) => form.with(&of.field("vatPeriod"), period.to_string()),
            None => form,
        }
    }

    pub(super) fn refunds(&self, page: &Authenticated) -> Vec<(String, String)> {
        Self::documents(page, &self.refunds, |invoice| -invoices::balance(invoice))
    }

    pub(super) fn bills(&self, page: &Authenticated) -> Vec<(String, String)> {
        let choice = |bill: &Expense| {
            let name = bill.supplier.as_deref().or(bill.description.as_deref()).unwrap_or("–");
            let (day, due) =
                (page.texts.short_date(bill.date), page.texts.money(bill.amount_due()));
            (bill.id.to_string(), format!("{name} · {day} · {due}"))
        };
        Self::of(page, self.bills.iter().map(choice).collect())
    }

    pub(super) fn loans(&self, page: &Authenticated) -> Vec<(String, String)> {
        let in_force = self.loans.iter().filter(|loan| loan.stored.undone_at.is_none());
        let choice = |loan: &EventDetails| {
            let (name, day) = (
                crate::journal::about_event(page, &loan.stored.event),
                page.texts.short_date(loan.stored.date),
            );
            (loan.stored.id.to_string(), format!("{name} · {day}"))
        };
        Self::of(page, in_force.map(choice).collect())
    }

    /// Contacts as suppliers, after the choice of none.
    pub(super) fn contacts(&self, page: &Authenticated) -> Vec<(String, String)> {
        let none = (String::new(), page.t("expense-no-contact").to_string());
        let choice = |of: &Contact| (of.id.to_string(), of.party.name.clone());
        [none].into_iter().chain(self.contacts.iter().map(choice)).collect()
    }

    /// Whether there is a contact to choose.
    pub(super) fn has_contacts(&self) -> bool {
        !self.contacts.is_empty()
    }

    /// Periods of VAT returns, after the choice of none.
    pub(super) fn periods(&self, page: &Authenticated) -> Vec<(String, String)> {
        let none = (String::new(), page.t("vat-payment-no-period").to_string());
        let choice = |period: &VatPeriod| {
            let name = page.texts.vat_period(*period);
            let due = self.payable.iter().find(|(of, _)| of == period);
            let text = match due {
                Some((_, due)) => format!("{name} · {}", page.texts.money(*due)),
                None => name,
            };
            (period.to_string(), text)
        };
        [none].into_iter().chain(self.periods.iter().map(choice)).collect()
    }

    /// Lines of other bank accounts that are the other half of a transfer.
    pub(super) fn halves(&self, page: &Authenticated) -> Vec<(String, String)> {
        let choice = |line: &BankLine| {
            let account = page.bank_account_by_id(&line.bank_account_id);
            let day = page.texts.short_date(line.date);
            (line.id.to_string(), format!("{account} · {day} · {}", page.texts.money(line.amount)))
        };
        let none = (String::new(), page.t("bank-no-other-half").to_string());
        [none].into_iter().chain(self.counterparts.halves.iter().map(choice)).collect()
    }

    /// Entries of the same amount that belong to no line.
    pub(super) fn entries(&self, page: &Authenticated) -> Vec<(String, String)> {
        let choice = |(id, day): &(i64, Date)| {
            let name = page.t("journal-entry-title").with("id", id).to_string();
            (id.to_string(), format!("{name} · {}", page.texts.short_date(*day)))
        };
        Self::of(page, self.counterparts.entries.iter().map(choice).collect())
    }

    /// Whether an entry of the same amount belongs to no line.
    pub(super) fn has_entries(&self) -> bool {
        !self.counterparts.entries.is_empty()
    }
}

impl Authenticated {
    /// Name of a kind of booking of a bank line.
    pub(super) fn allocation_kind(&self, kind: &AllocationKind) -> Phrase<'static> {
        let texts = self.texts;
        match kind {
            AllocationKind::Invoice => texts.t("allocation-invoice"),
            AllocationKind::Refund => texts.t("allocation-refund"),
            AllocationKind::Bill => texts.t("allocation-bill"),
            AllocationKind::Expense => texts.t("allocation-expense"),
            AllocationKind::Vat => texts.t("allocation-vat"),
            AllocationKind::Private => texts.t("allocation-private"),
            AllocationKind::Transfer => texts.t("allocation-transfer"),
            AllocationKind::Payout => texts.t("allocation-payout"),
            AllocationKind::BankCosts => texts.t("allocation-bank-costs"),
            AllocationKind::Interest => texts.t("allocation-interest"),
            AllocationKind::Loan => texts.t("allocation-loan"),
            AllocationKind::LoanRepayment => texts.t("allocation-loan-repayment"),
            AllocationKind::Ledger => texts.t("allocation-ledger"),
            AllocationKind::Existing => texts.t("allocation-existing"),
        }
    }

    /// Kinds of bookings, after the choice of none: name in the API and name.
    pub(super) fn allocation_kinds(&self) -> Vec<(String, String)> {
        let choice = |kind: &AllocationKind| {
            (kind.as_str().to_owned(), self.allocation_kind(kind).to_string())
        };
        Choices::of(self, AllocationKind::ALL.iter().map(choice).collect())
    }

    /// VAT rates on a day.
    pub(super) fn vat_rates_on(&self, day: impl Borrow<Date>) -> Vec<(String, String)> {
        texts::vat_rates(self.texts, *day.borrow())
    }

    /// Purposes of private money.
    pub(super) fn private_kinds(&self) -> Vec<(String, String)> {
        let texts = self.texts;
        let name = |kind: &PrivateKind| match kind {
            PrivateKind::Drawing => texts.t("private-drawing"),
            PrivateKind::Deposit => texts.t("private-deposit"),
            PrivateKind::IncomeTax => texts.t("private-income-tax"),
            PrivateKind::HealthInsurance => texts.t("private-health-insurance"),
            PrivateKind::Premium => texts.t("private-premium"),
        };
        let choice = |kind: &PrivateKind| (kind.as_str().to_owned(), name(kind).to_string());
        PrivateKind::ALL.iter().map(choice).collect()
    }

    /// Kinds of premiums, after the choice of none.
    pub(super) fn premium_kinds(&self) -> [(&'static str, String); 3] {
        [
            ("", "–".to_owned()),
            (PremiumKind::Disability.as_str(), self.t("private-premium-disability").to_string()),
            (PremiumKind::Annuity.as_str(), self.t("private-premium-annuity").to_string()),
        ]
    }

    /// Bank accounts other than that of the line.
    pub(super) fn other_bank_accounts(&self, line: &BankLine) -> Vec<(String, String)> {
        let others = self.bank_accounts().all().iter();
        let others = others.filter(|of| !of.is_archived && of.id != line.bank_account_id);
        let choice = |of: &ledger::bank_account::BankAccount| {
            (of.id.to_string(), self.bank_account_name(of))
        };
        Choices::of(self, others.map(choice).collect())
    }

    /// Bank accounts in use: id and name.
    pub(super) fn bank_accounts_in_use(&self) -> Vec<(String, String)> {
        let active = self.bank_accounts().all().iter().filter(|account| !account.is_archived);
        active.map(|account| (account.id.to_string(), self.bank_account_name(account))).collect()
    }

    /// Accounts at payment providers.
    pub(super) fn providers(&self) -> Vec<(String, String)> {
        self.bank_account_choices(BankAccountKind::PaymentProvider)
    }

    /// VAT treatments of the fee of a payment provider.
    pub(super) fn fee_treatments(&self) -> Vec<(&'static str, Phrase<'static>)> {
        let texts = self.texts;
        let name = |treatment: &FeeVat| match treatment {
            FeeVat::None => texts.t("fee-vat-none"),
            FeeVat::Normal => texts.t("fee-vat-normal"),
            FeeVat::ReverseCharge => texts.t("fee-vat-reverse-charge"),
            FeeVat::Eu => texts.t("fee-vat-eu"),
            FeeVat::Import => texts.t("fee-vat-import"),
        };
        FeeVat::ALL.iter().map(|treatment| (treatment.as_str(), name(treatment))).collect()
    }

    /// Ledger accounts of loans.
    pub(super) fn loan_accounts(&self) -> Vec<(String, String)> {
        self.account_choices(LOANS.into_iter())
    }

    /// Ledger accounts that a line can be booked on directly.
    pub(super) fn direct_accounts(&self) -> Vec<(String, String)> {
        let banks = self.bank_accounts();
        let bookable = self
            .offered_accounts()
            .filter(|code| !is_kept_by_program(*code) && banks.find(*code).is_none());
        Choices::of(self, self.account_choices(bookable))
    }
}

/// Reason why a line is ignored.
pub(super) fn ignore_reason(texts: Texts, reason: IgnoreReason) -> Phrase<'static> {
    match reason {
        IgnoreReason::Private => texts.t("bank-ignored-private"),
        IgnoreReason::Duplicate => texts.t("bank-ignored-duplicate"),
        IgnoreReason::Other => texts.t("bank-ignored-other"),
        IgnoreReason::BeforeOpening => texts.t("bank-ignored-before-opening"),
        IgnoreReason::ZeroAmount => texts.t("bank-ignored-zero-amount"),
    }
}

#[cfg(test)]
mod tests {
    use super::may_be_same;

    #[test]
    fn names_with_a_word_in_common_may_be_the_same() {
        for (one, other) in [
            ("Studio Noord", "STUDIO NOORD B.V."),
            ("Hr J. Jansen", "Jansen Bouw"),
            ("De B.V.", "Museum De Pier"),
        ] {
            assert!(may_be_same(one, other), "{one} {other}");
        }
        for (one, other) in [
            ("Studio Noord B.V.", "Museum De Pier B.V."),
            ("P. de Vries", "J. de Jong"),
            ("Stichting Zon", "Stichting Maan"),
        ] {
            assert!(!may_be_same(one, other), "{one} {other}");
        }
    }
}
