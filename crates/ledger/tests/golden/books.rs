//! Books of one case: its documents are booked in order, and the entries, the VAT returns and, if
//! the case asks for them, annual summaries are shown.

use crate::{
    documents,
    reader::{Case, Read},
    table::Table,
};
use ledger::{
    calendar::{Date, Month, Quarter},
    chart::{self, AccountCode, Role},
    correction::{self, Split},
    entry::{JournalEntry, Source, SourceType},
    invoice::{Line, Priced, Prices, VatGroup},
    late_invoice,
    money::Cents,
    purchase::PricedPurchase,
    summary::{AmountOf, MonthTotal, VatTotal, annual_summary},
    vat::{SalesDefaults, VatCategory, VatScheme},
    vat_return::{Total, VatReturn, vat_return},
};
use std::collections::BTreeSet;

/// Source of all entries; the outcome does not show it.
pub(crate) const SOURCE: Source = Source { kind: SourceType::Manual, id: 1 };

/// Invoice with its credit notes, payments and write-offs.
pub(crate) struct Invoice {
    pub(crate) number: String,
    pub(crate) lines: Vec<Line>,
    pub(crate) prices: Prices,
    pub(crate) priced: Priced,
    pub(crate) is_prepayment: bool,
    /// Lines and groups of its credit notes.
    pub(crate) credited: (Vec<Line>, Vec<VatGroup>),
    /// Balance in cents; negative if the customer gets money back.
    pub(crate) balance: Cents,
    /// Amount written off and not recovered, in cents.
    pub(crate) written_off: Cents,
    /// Date on which the VAT is due.
    pub(crate) vat_date: Date,
    /// Total of the payments whose VAT was moved to the payment date, in cents.
    pub(crate) moved: Cents,
}

/// Unpaid bill from a supplier.
pub(crate) struct Bill {
    pub(crate) number: String,
    pub(crate) on: Date,
    pub(crate) priced: PricedPurchase,
    /// Amount due, in cents.
    pub(crate) due: Cents,
    /// Deducted VAT that was repaid, by account.
    pub(crate) repaid: Vec<(AccountCode, Cents)>,
}

/// Business asset.
pub(crate) struct Asset {
    pub(crate) name: String,
    pub(crate) account: AccountCode,
    pub(crate) bought: Date,
    pub(crate) cost: Cents,
    pub(crate) residual: Cents,
    pub(crate) years: i64,
    /// Accumulated depreciation, in cents.
    pub(crate) depreciated: Cents,
}

/// Books of a case.
#[derive(Default)]
pub(crate) struct Books {
    pub(crate) defaults: SalesDefaults,
    pub(crate) invoices: Vec<Invoice>,
    pub(crate) bills: Vec<Bill>,
    pub(crate) assets: Vec<Asset>,
    /// Filed quarters.
    filed: BTreeSet<Quarter>,
    entries: Vec<JournalEntry>,
    /// Lines of the outcome.
    shown: Vec<String>,
}

/// Books the documents of a case and returns the outcome.
pub(crate) fn run(case: &Case) -> Read<Vec<String>> {
    let mut settings = case.settings.clone();
    let scheme = settings.optional("scheme", VatScheme::parse)?.unwrap_or(VatScheme::Normal);
    let zero_means =
        settings.optional("0% means", VatCategory::parse)?.unwrap_or(VatCategory::Zero);
    let years = settings.text("summary").unwrap_or_default();
    settings.finish()?;
    let is_small_business = scheme == VatScheme::Kor;
    let mut books = Books {
        defaults: SalesDefaults { zero_means, is_small_business, ..SalesDefaults::default() },
        ..Books::default()
    };
    for document in &case.documents {
        let mut document = document.clone();
        documents::book(&mut books, &mut document)?;
        document.fields.finish()?;
        document.rows.iter().try_for_each(|row| row.finish())?;
    }
    let periods: BTreeSet<Quarter> = books
        .entries
        .iter()
        .filter(|entry| entry.has_boxes())
        .map(|entry| Quarter::of(entry.vat_date()))
        .collect();
    for period in periods {
        books.show_return(period);
    }
    for year in years.split(',').map(str::trim).filter(|year| !year.is_empty()) {
        books.show_summary(
            year.parse().map_err(|_| case.settings.fault(&format!("`{year}` is not a year")))?,
        );
    }
    books.shown.remove(0);
    Ok(books.shown)
}

/// Amount for a cell; empty for zero.
pub(crate) fn cell(amount: Cents) -> String {
    if amount.is_zero() { String::new() } else { amount.to_string() }
}

/// Number and English name of an account.
pub(crate) fn name_of(account: AccountCode) -> String {
    format!("{account} {}", chart::account(account).unwrap().english)
}

impl Books {
    /// Adds a table to the outcome, after an empty line.
    pub(crate) fn show(&mut self, table: &Table) {
        self.shown.push(String::new());
        self.shown.extend(table.lines());
    }

    /// Adds the reason why a document is not booked.
    pub(crate) fn reject(&mut self, what: &str, reason: &str) {
        self.shown.extend([String::new(), format!("{what}: rejected, {reason}")]);
    }

    /// Books an entry. The boxes of an entry in a filed quarter are declared in the next quarter.
    pub(crate) fn append(&mut self, what: &str, entry: JournalEntry) {
        let period = Quarter::of(entry.vat_date());
        if entry.has_boxes() && self.filed.contains(&period) {
            let Split { own, carrying } =
                correction::split(&entry, period.into(), period.next().first_day());
            self.add(what, own);
            self.add(&format!("{what}, correction of {period}"), carrying);
        } else if let Some(late_invoice::Split { own, early }) = late_invoice::split(&entry) {
            self.add(what, own);
            self.add(&format!("{what}, VAT before the invoice"), early);
        } else {
            self.add(what, entry);
        }
    }

    fn add(&mut self, what: &str, entry: JournalEntry) {
        let due = if entry.vat_date() == entry.date() {
            String::new()
        } else {
            format!(", VAT due {}", entry.vat_date())
        };
        let mut table =
            Table::new(&[&format!("{} {what}{due}", entry.date()), "debit", "credit", "box"]);
        for posting in entry.postings() {
            let vat_box =
                posting.vat_box().map_or(String::new(), |vat_box| vat_box.as_str().to_owned());
            table.row([
                name_of(posting.account()),
                cell(posting.debited()),
                cell(posting.credited()),
                vat_box,
            ]);
        }
        self.show(&table);
        self.entries.push(entry);
    }

    /// Files a quarter's return; returns the return and the balances that its settlement clears.
    pub(crate) fn file(&mut self, period: Quarter) -> (VatReturn, Vec<(AccountCode, Cents)>) {
        let mut balances: Vec<(AccountCode, Cents)> = Vec::new();
        for VatTotal { total, .. } in
            self.vat_totals().into_iter().filter(|of| of.month.quarter() == period)
        {
            if !matches!(total.account.role(), Role::VatDue | Role::InputVat) {
                continue;
            }
            match balances.iter_mut().find(|(account, _)| *account == total.account) {
                Some((_, balance)) => *balance += total.debit - total.credit,
                None => balances.push((total.account, total.debit - total.credit)),
            }
        }
        let filed = self.return_of(period);
        self.filed.insert(period);
        (filed, balances)
    }

    /// Returns the postings with a box, by month of the VAT date.
    fn vat_totals(&self) -> Vec<VatTotal> {
        let mut totals = Vec::new();
        for entry in &self.entries {
            for posting in entry.postings() {
                let Some(vat_box) = posting.vat_box() else { continue };
                let (account, debit, credit) =
                    (posting.account(), posting.debited(), posting.credited());
                totals.push(VatTotal {
                    month: Month::of(entry.vat_date()),
                    total: Total { account, vat_box, debit, credit },
                });
            }
        }
        totals
    }

    fn return_of(&self, period: Quarter) -> VatReturn {
        vat_return(
            self.vat_totals()
                .into_iter()
                .filter(|of| of.month.quarter() == period)
                .map(|of| of.total),
        )
    }

    /// Shows the boxes of a return whose amounts are not zero, and its totals.
    fn show_return(&mut self, period: Quarter) {
        let found = self.return_of(period);
        let mut table = Table::new(&[
            &format!("VAT return {period}"),
            "turnover",
            "VAT",
            "declared turnover",
            "declared VAT",
        ]);
        for line in &found.lines {
            let (turnover, vat) = (line.turnover.unwrap_or_default(), line.vat.unwrap_or_default());
            if turnover.is_zero() && vat.is_zero() && !line.vat_box.starts_with('5') {
                continue;
            }
            let euros =
                |amount: Option<i64>| amount.map_or(String::new(), |euros| euros.to_string());
            let cents =
                |amount: Option<Cents>| amount.map_or(String::new(), |cents| cents.to_string());
            table.row([
                line.vat_box.to_owned(),
                cents(line.turnover),
                cents(line.vat),
                euros(line.declared_turnover),
                euros(line.declared_vat),
            ]);
        }
        self.show(&table);
    }

    /// Shows profit and loss, and the balance sheet at the end of a year.
    fn show_summary(&mut self, year: i16) {
        let months: Vec<MonthTotal> = self.entries.iter().flat_map(month_totals).collect();
        let summary = annual_summary(year, &months, &self.vat_totals());
        let mut table = Table::new(&[&format!("Summary {year}"), "amount"]);
        let figures = [
            ("Revenue", summary.revenue),
            ("Costs", summary.costs),
            ("Profit", summary.profit),
            ("VAT payable on the returns", summary.vat_payable),
        ];
        figures
            .into_iter()
            .for_each(|(name, amount)| table.row([name.to_owned(), amount.to_string()]));
        self.show(&table);
        let sheet = &summary.balance_sheet;
        let mut table = Table::new(&[
            &format!("Balance sheet {year}-12-31"),
            "assets",
            "equity and liabilities",
        ]);
        let rows = |of: &[AmountOf]| {
            of.iter().map(|of| (name_of(of.account), of.amount)).collect::<Vec<_>>()
        };
        rows(&sheet.assets)
            .into_iter()
            .for_each(|(name, amount)| table.row([name, amount.to_string(), String::new()]));
        let equity = sheet.equity.iter().map(|of| of.amount).sum::<Cents>();
        let debts = sheet.liabilities.iter().map(|of| of.amount).sum::<Cents>();
        let sums = [("Equity".to_owned(), equity), ("Liabilities".to_owned(), debts)];
        for (name, amount) in
            rows(&sheet.equity).into_iter().chain(rows(&sheet.liabilities)).chain(sums)
        {
            table.row([name, String::new(), amount.to_string()]);
        }
        table.row(["Total".to_owned(), sheet.total.to_string(), (equity + debts).to_string()]);
        self.show(&table);
    }
}

fn month_totals(entry: &JournalEntry) -> impl Iterator<Item = MonthTotal> + '_ {
    let (year, month) = (entry.date().year(), entry.date().month());
    let total = move |account, debit, credit| MonthTotal { year, month, account, debit, credit };
    entry
        .postings()
        .iter()
        .map(move |posting| total(posting.account(), posting.debited(), posting.credited()))
}

/// Label of a VAT group: rate, category and, if distinguished, supply.
pub(crate) fn label(group: &VatGroup) -> String {
    let supply = group.supply.map_or(String::new(), |supply| format!(" {}", supply.as_str()));
    format!("{}% {}{supply}", group.rate, group.category.as_str())
}

/// Name of a group's box; empty if it has none.
pub(crate) fn box_of(group: &VatGroup) -> String {
    group.vat_box.map_or(String::new(), |vat_box| vat_box.as_str().to_owned())
}

/// Parses an account: its number, alone or with its English or Dutch name.
pub(crate) fn account(text: &str) -> Option<AccountCode> {
    let (number, name) = text.split_once(' ').unwrap_or((text, ""));
    let code = AccountCode::parse(number)?;
    let account = chart::account(code)?;
    (name.is_empty() || [account.english, account.dutch].contains(&name)).then_some(code)
}
