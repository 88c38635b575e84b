//! Costs: expenses (including bills), payment batches, receipts, assets and mileage.

mod actions;
mod assets;
mod form;
mod lines;
mod list;
mod mileage;
mod payment_batches;
mod receipts;
mod show;
pub(crate) mod usual_vat;

use crate::{
    form::Form,
    page::Authenticated,
    table::{Group, Page},
    texts::Phrase,
};
use ledger::{booking::MoneyAccount, chart::AccountCode, purchase};
use web_core::input::PAID_FROM;

pub(crate) fn pages() -> Vec<Page> {
    let pages = vec![
        Page::at("/expenses").get(list::show).post(form::create).files(list::download).linked(
            Group::Costs,
            "expense",
            "e",
            |texts| texts.t("nav-expenses"),
        ),
        Page::at("/expenses/new").get(form::show_new),
        Page::at("/expenses/{id}").get(show::show).post(form::update),
        Page::at("/expenses/{id}/edit").get(form::show_edit),
        Page::at("/expenses/{id}/undo").post(actions::undo),
        Page::at("/expenses/{id}/payments").get(show::show).post(actions::pay),
        Page::at("/expenses/{id}/payments/{payment}/undo").post(actions::undo_payment),
        Page::at("/expenses/{id}/vat-repayment").post(actions::repay_vat),
        Page::at("/payment-batches")
            .get(payment_batches::list)
            .post(payment_batches::create)
            .files(payment_batches::download_list),
        Page::at("/payment-batches/{id}").get(payment_batches::show),
        Page::at("/payment-batches/{id}/file").get(payment_batches::file),
        Page::at("/payment-batches/{id}/cancel").post(payment_batches::cancel),
        Page::at("/receipts")
            .get(receipts::show)
            .post(receipts::keep)
            .files(receipts::download)
            .linked(Group::Costs, "camera", "r", |texts| texts.t("nav-receipts")),
        Page::at("/receipts/{id}/file").get(receipts::file),
        Page::at("/receipts/{id}/thumbnail").get(receipts::thumbnail),
        Page::at("/receipts/{id}/delete").post(receipts::delete),
        Page::at("/assets")
            .get(assets::show_list)
            .post(assets::buy)
            .files(assets::download)
            .linked(Group::Costs, "chest", "b", |texts| texts.t("nav-assets")),
        Page::at("/assets/new").get(assets::show_new),
        Page::at("/assets/{id}").get(assets::show),
        Page::at("/assets/{id}/depreciate").post(assets::depreciate),
        Page::at("/assets/{id}/depreciate/undo").post(assets::undo_last),
        Page::at("/assets/{id}/vat-revision").post(assets::revise_vat),
        Page::at("/assets/{id}/dispose").post(assets::dispose),
        Page::at("/assets/{id}/undo").post(assets::undo),
        Page::at("/mileage")
            .get(mileage::show)
            .post(mileage::record)
            .files(mileage::download)
            .linked(Group::Costs, "road", "k", |texts| texts.t("nav-mileage")),
        Page::at("/mileage/{id}/undo").post(mileage::undo),
    ];
    pages.into_iter().map(Page::dutch).collect()
}

impl Authenticated {
    /// VAT treatments of a purchase as choices.
    pub(crate) fn vat_treatments(&self) -> [(&'static str, Phrase<'static>); 6] {
        [
            ("normal", self.t("treatment-normal")),
            ("none", self.t("treatment-none")),
            ("reverseCharge", self.t("treatment-reverse-charge")),
            ("eu", self.t("treatment-eu")),
            ("import", self.t("treatment-import")),
            ("importVatPaid", self.t("treatment-import-vat-paid")),
        ]
    }

    /// Categories of a purchase as choices, the first of which chooses nothing.
    pub(crate) fn expense_categories(&self, form: &Form) -> Vec<(String, String)> {
        // A line of an expense that is being edited may have an account that was hidden since.
        let is_used = |code: &AccountCode| {
            let code = code.to_string();
            form.pairs().any(|(name, value)| name.ends_with(".category") && value == code)
        };
        let own = self.own_accounts().all().iter();
        let own = own
            .filter(|account| !account.hidden || is_used(&account.code))
            .map(|account| account.code)
            .filter(|code| purchase::is_category(*code));
        let none = (String::new(), self.t("expense-category-choose").to_string());
        let name = |code: AccountCode| (self.name_of_account(code), code.to_string());
        let mut choices: Vec<(&str, String)> =
            purchase::categories().into_iter().chain(own).map(name).collect();
        choices.sort_by_cached_key(|(name, code)| (name.to_lowercase(), code.clone()));
        let choices = choices.into_iter().map(|(name, code)| {
            let text = format!("{name} · {code}");
            (code, text)
        });
        [none].into_iter().chain(choices).collect()
    }

    /// Accounts from which a purchase can be paid, as choices, including one for a bill that is
    /// still unpaid.
    ///
    /// Includes the `chosen` bank account, which may be archived or of another kind.
    fn expense_sources(&self, chosen: &str) -> Vec<(String, String)> {
        let mut sources = self.money_accounts(&[MoneyAccount::Bank]);
        sources.push(("private".to_owned(), self.t("expense-paid-privately").to_string()));
        sources.push(("unpaid".to_owned(), self.t("expense-unpaid").to_string()));
        sources.extend(self.money_accounts(&[MoneyAccount::Card, MoneyAccount::Cash]));
        let chosen = AccountCode::named(chosen).and_then(|code| self.bank_accounts().find(code));
        if let Some(account) = chosen {
            let code = account.code.to_string();
            if sources.iter().all(|(value, _)| *value != code) {
                sources.push((code, self.bank_account_name(account)));
            }
        }
        sources
    }

    /// Value of the source of an expense among [`Self::expense_sources`].
    fn expense_source(&self, paid_from: Option<MoneyAccount>) -> String {
        let is_offered = |money: MoneyAccount| {
            PAID_FROM.iter().any(|(_, method)| *method == Some(money.method()))
        };
        match paid_from {
            None => "unpaid".to_owned(),
            Some(money) if is_offered(money) => self.money_value(money),
            Some(money) => money.code().to_string(),
        }
    }
}
