//! `/duties`: lists that a careful bookkeeper keeps, each with what settles it.

use super::{account_name, owner};
use crate::{
    pages::{
        frame::charts::{self, Fill},
        html::Html,
        page::Authenticated,
        texts::Phrase,
    },
    problem::Problem,
};
use askama::Template;
use axum::response::Response;
use jiff::civil::Date;
use ledger::{
    chart::{AccountCode, codes},
    decimal::Decimal,
    money::Cents,
};
use service::{
    duties::{self, Duties, KorCounter},
    invoices,
};
use std::borrow::Borrow;
use store::{expenses::Expense, invoices::Invoice};

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

    /// What a bill is called: by its description, else by its day.
    fn of_bill(&self, bill: &Expense) -> String {
        bill.description.clone().unwrap_or_else(|| self.page.texts.date(bill.date))
    }

    fn percent(&self, kor: &KorCounter) -> String {
        self.page.texts.percent(Decimal::from(kor.percent()))
    }

    #[expect(clippy::unused_self, reason = "a template reaches it by its view")]
    fn kor_meter(&self, kor: &KorCounter) -> Html {
        let fill = if kor.revenue > kor.threshold { Fill::Bad } else { Fill::Solid };
        charts::meter(&[(kor.revenue.get(), fill)], kor.threshold.get(), None)
    }

    fn is_late(&self, deadline: impl Borrow<Date>) -> bool {
        *deadline.borrow() < self.today
    }

    fn account(&self, code: impl Borrow<AccountCode>) -> String {
        account_name(self.page, *code.borrow())
    }

    /// What settles what stands on an account, and where.
    fn way(&self, code: impl Borrow<AccountCode>) -> (Phrase<'static>, &'static str) {
        let texts = self.page.texts;
        match *code.borrow() {
            codes::VAT_CORRECTIONS => (texts.t("duties-way-corrections"), "/vat"),
            codes::PROVIDER_CLEARING => (texts.t("duties-way-provider"), "/payouts"),
            _ => (texts.t("duties-way-transit"), "/transfers"),
        }
    }
}

/// `GET /duties`
pub(super) async fn show(page: Authenticated) -> Result<Response, Problem> {
    let cx = owner(&page)?;
    let today = cx.today();
    let duties = page.list(move |tx| duties::read(tx, &cx)).await?;
    page.show(&View { page: &page, duties, today })
}
