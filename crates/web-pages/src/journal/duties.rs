//! `/duties`: bookkeeping tasks with open items, each with a link to the page where it is settled.

use crate::{
    frame::{
        charts::{self, Fill},
        download::{Cell, Download},
    },
    html::Html,
    page::Authenticated,
    texts::Phrase,
};
use askama::Template;
use axum::response::Response;
use jiff::civil::Date;
use ledger::{
    bank_account::BankAccountKind,
    chart::{AccountCode, codes},
    decimal::Decimal,
    money::Cents,
};
use service::{
    duties::{self, Duties},
    invoices,
    kor::KorYear,
    unresolved::Unresolved,
};
use std::borrow::Borrow;
use store::{expenses::Expense, invoices::Invoice};
use web_core::problem::Problem;

/// Columns of a download.
const COLUMNS: [&str; 5] = ["duty", "id", "name", "day", "amount"];

#[derive(Template)]
#[template(path = "journal/duties.html")]
struct View<'a> {
    page: &'a Authenticated,
    duties: Duties,
    today: Date,
}

impl View<'_> {
    fn due(&self, invoice: &Invoice) -> Cents {
        invoices::amount_due(invoice)
    }

    /// Name of a bill: its description, otherwise its date.
    fn of_bill(&self, bill: &Expense) -> String {
        bill.description.clone().unwrap_or_else(|| self.page.texts.date(bill.date))
    }

    fn percent(&self, kor: &KorYear) -> String {
        self.page.texts.percent(Decimal::from(kor.percent()))
    }

    #[expect(clippy::unused_self, reason = "a template reaches it by its view")]
    fn kor_meter(&self, kor: &KorYear) -> Html {
        let fill = if kor.counted > kor.threshold { Fill::Bad } else { Fill::Solid };
        charts::meter(&[(kor.counted.get(), fill)], kor.threshold.get(), None)
    }

    fn is_late(&self, deadline: impl Borrow<Date>) -> bool {
        *deadline.borrow() < self.today
    }

    /// Action that clears the balance of an account, and the path of the page for that action.
    fn way(&self, code: &AccountCode, balance: &Cents) -> (Phrase<'static>, &'static str) {
        let texts = self.page.texts;
        match *code {
            codes::VAT_CORRECTIONS => (texts.t("duties-way-corrections"), "/vat"),
            // More was paid out than customers paid to the provider by these books.
            code if BankAccountKind::of(code).is_some() && balance.is_negative() => {
                (texts.t("duties-way-provider-over"), "/payouts")
            }
            code if BankAccountKind::of(code).is_some() => {
                (texts.t("duties-way-provider"), "/payouts")
            }
            _ => (texts.t("duties-way-transit"), "/transfers"),
        }
    }
}

/// `GET /duties.csv`, `GET /duties.xlsx`: all lists in one, with a row for each open item.
pub(super) async fn download(page: Authenticated) -> Result<Response, Problem> {
    let cx = page.context();
    let duties = page.list(move |tx| duties::read(tx, &cx)).await?;
    let debtors =
        duties.old_debtors.iter().map(|(invoice, since)| of_invoice("oldDebtor", invoice, *since));
    let bills = duties.old_bills.iter().map(|(bill, since, vat)| Duty {
        kind: "oldBill",
        id: bill.id,
        name: bill.supplier.clone().or_else(|| bill.description.clone()).unwrap_or_default(),
        day: Some(*since),
        amount: *vat,
    });
    let to_invoice = duties
        .to_invoice
        .iter()
        .map(|(invoice, deadline)| of_invoice("toInvoice", invoice, *deadline));
    let after_kor =
        duties.after_kor.iter().map(|invoice| of_invoice("afterKor", invoice, invoice.rates_on()));
    let gifts = duties.gifts.map(|amount| Duty {
        kind: "gifts",
        id: 0,
        name: String::new(),
        day: None,
        amount,
    });
    let awaited = duties.awaited.iter().map(|transfer| Duty {
        kind: "awaitedTransfer",
        id: transfer.id,
        name: page.account_name(transfer.account),
        day: Some(transfer.date),
        amount: transfer.amount,
    });
    let unsettled = duties.unsettled.iter().map(|(code, amount)| Duty {
        kind: "unsettled",
        id: i64::from(code.get()),
        name: page.account_name(*code),
        day: None,
        amount: *amount,
    });
    let rows = debtors
        .chain(bills)
        .chain(to_invoice)
        .chain(after_kor)
        .chain(gifts)
        .chain(awaited)
        .chain(unsettled)
        .chain(unresolved(&page, &duties.unresolved))
        .collect();
    let file = Download::begin(page.format(), "duties", &COLUMNS)?;
    file.answer(&page, rows, |file, duty: &Duty| {
        let day = duty.day.map_or(Cell::Text(""), Cell::Day);
        file.row([
            Cell::Text(duty.kind),
            Cell::number(duty.id),
            Cell::Text(&duty.name),
            day,
            Cell::number(duty.amount),
        ])
    })
    .await
}

/// Row of the download. `kind` is the list, `id` the id of the document or the code of the account,
/// `day` the date that the law attaches to the task, and `amount` the open amount, the VAT on a
/// bill or the total of the gifts.
struct Duty {
    kind: &'static str,
    id: i64,
    name: String,
    day: Option<Date>,
    amount: Cents,
}

/// Rows of the amounts without an explanation, and of those owed to customers. The day is that of the
/// bank line, if there is one.
fn unresolved(page: &Authenticated, unresolved: &Unresolved) -> Vec<Duty> {
    let unexplained = unresolved.unexplained.iter().map(|of| Duty {
        kind: "unexplained",
        id: of.entry.id,
        name: match &of.line {
            Some(line) => line.name.clone().unwrap_or_else(|| line.text.clone()),
            None => page.words_of(&of.entry),
        },
        day: Some(of.line.as_ref().map_or(of.entry.entry.date(), |line| line.date)),
        amount: of.amount,
    });
    let refunds = unresolved.refunds.iter().map(|of| Duty {
        kind: "toRefund",
        id: of.invoice.id,
        name: format!("{} {}", of.invoice.number, of.invoice.customer),
        day: of.line.as_ref().map(|line| line.date),
        amount: of.amount(),
    });
    unexplained.chain(refunds).collect()
}

fn of_invoice(kind: &'static str, invoice: &Invoice, day: Date) -> Duty {
    let name = format!("{} {}", invoice.number, invoice.customer.name);
    Duty { kind, id: invoice.id, name, day: Some(day), amount: invoices::amount_due(invoice) }
}

/// `GET /duties`
pub(super) async fn show(page: Authenticated) -> Result<Response, Problem> {
    let cx = page.context();
    let today = cx.today();
    let duties = page.list(move |tx| duties::read(tx, &cx)).await?;
    page.show(&View { page: &page, duties, today })
}
