//! View of a VAT return's page.

use super::{path_of, vat_list, vat_payments::REFUND};
use crate::{
    form::Form,
    html::{Html, Rich},
    page::Authenticated,
    texts::Phrase,
};
use askama::Template;
use jiff::civil::Date;
use ledger::{
    booking::MoneyAccount,
    entry::SourceType,
    money::Cents,
    vat_period::VatPeriod,
    vat_return::{self, BoxLine, Share},
};
use service::{icp::IcpDetails, vat_checks::Checks, vat_filings::VatReturnDetails};
use store::{
    expenses::Expense,
    filings::{FiledBox, Filing},
    journal::BoxPosting,
    vat_payments::VatPayment,
};
use tax::deadline::weekday_on_or_before;

#[derive(Template)]
#[template(path = "tax/vat.html")]
pub(super) struct View<'a> {
    pub(super) page: &'a Authenticated,
    /// Payment form.
    pub(super) form: Form,
    pub(super) details: VatReturnDetails,
    /// Periods that are filed in place of the quarter, if the account files by month or year.
    pub(super) parts: Vec<VatPeriod>,
    /// Previous and next period.
    pub(super) neighbours: (VatPeriod, VatPeriod),
    pub(super) checks: Checks,
    pub(super) payments: Vec<VatPayment>,
    /// Postings of the box that the query selects.
    pub(super) postings: Option<BoxPostings>,
    pub(super) today: Date,
    /// Unpaid part of the declared amount.
    pub(super) remaining: Cents,
}

/// Postings of a box.
pub(super) struct BoxPostings {
    name: String,
    rows: Vec<(BoxPosting, Share)>,
    more: bool,
    /// Whether this is not the first page.
    continued: bool,
}

impl BoxPostings {
    pub(super) fn new(name: String, page: store::Page<BoxPosting>, continued: bool) -> Self {
        let rows = page.rows.into_iter().map(|row| {
            let share = share(&name, &row);
            (row, share)
        });
        Self { rows: rows.collect(), more: page.more, continued, name }
    }

    /// Whether all postings of the box are shown, so that they add up to the box.
    fn is_whole(&self) -> bool {
        !self.more && !self.continued
    }

    fn turnover(&self) -> Cents {
        self.rows.iter().map(|(_, share)| share.turnover).sum()
    }

    fn vat(&self) -> Cents {
        self.rows.iter().map(|(_, share)| share.vat).sum()
    }

    fn next(&self) -> Option<String> {
        let (last, _) = self.rows.last().filter(|_| self.more)?;
        Some(format!(
            "?box={}&after={}_{}_{}#box-{}",
            self.name, last.head.vat_date, last.entry_id, last.line, self.name
        ))
    }
}

/// Turnover and VAT that a posting adds to a line of the return. Lines 5a and 5g contain only VAT,
/// and input VAT is subtracted in 5g.
fn share(line: &str, row: &BoxPosting) -> Share {
    let Some(vat_box) = row.posting.vat_box() else { return Share::default() };
    let credited = row.posting.credited() - row.posting.debited();
    let share = vat_return::share(row.posting.account(), vat_box, credited);
    if line == vat_box.as_str() {
        return share;
    }
    let vat = if vat_box.as_str() == "5b" { -share.vat } else { share.vat };
    Share { turnover: Cents::ZERO, vat }
}

/// A box in the current return and in an earlier filed version.
struct Compared {
    name: String,
    /// Declared turnover: before, now.
    turnover: Option<(i64, i64)>,
    /// Declared VAT: before, now.
    vat: Option<(i64, i64)>,
}

/// Fingerprint of a return's declared amounts. The button submits it, and the return is filed only
/// if the amounts have not changed since.
pub(super) fn seen(details: &VatReturnDetails) -> String {
    let whole = |amount: Option<i64>| amount.map_or(String::new(), |amount| amount.to_string());
    let lines = details.vat_return.lines.iter().map(|line| {
        let (turnover, vat) = (whole(line.declared_turnover), whole(line.declared_vat));
        format!("{}:{turnover}:{vat}", line.vat_box)
    });
    lines.collect::<Vec<_>>().join(" ")
}

impl View<'_> {
    fn title(&self) -> String {
        self.page
            .t("vat-title")
            .with("period", &self.page.texts.vat_period(self.details.period))
            .into()
    }

    fn path(&self) -> String {
        path_of(self.details.period)
    }

    fn state(&self) -> (&'static str, Phrase<'static>) {
        vat_list::state(self.page, &self.details, self.today)
    }

    fn is_filed(&self) -> bool {
        self.details.filed().is_some()
    }

    /// Paths and names of the returns in which the quarter is filed.
    fn returns(&self) -> Vec<(String, String)> {
        self.parts.iter().map(|part| self.link(*part)).collect()
    }

    fn is_over(&self) -> bool {
        self.today > self.details.period.last_day()
    }

    fn declared(&self) -> i64 {
        self.details
            .filed()
            .map_or(self.details.vat_return.declared_payable, |filing| filing.declared_payable)
    }

    /// Absolute declared amount; the text next to it says whether it is payable or refundable.
    fn hero(&self) -> i64 {
        self.declared().abs()
    }

    /// Whether the form records a refund from the tax office.
    fn is_receiving(&self) -> bool {
        self.form.has(REFUND, "true")
    }

    /// Whether the tax office owes a refund, or has paid it in full.
    fn expects_refund(&self) -> bool {
        self.remaining.is_negative() || (self.remaining.is_zero() && self.is_refund())
    }

    fn is_refund(&self) -> bool {
        self.declared() < 0
    }

    fn due(&self) -> Date {
        self.details.deadline().file_by
    }

    fn pay_by(&self) -> Date {
        weekday_on_or_before(self.due())
    }

    /// Amount saved by rounding to whole euros.
    fn rounding(&self) -> Cents {
        self.details.vat_return.payable
            - Cents::new(self.details.vat_return.declared_payable.saturating_mul(100))
    }

    /// Text about the rounding difference, which is booked when the return is filed.
    fn rounding_text(&self) -> Rich<'static> {
        let amount = self.page.money(self.rounding());
        if self.is_filed() {
            self.page.rich("vat-rounded").with("amount", amount)
        } else {
            self.page.rich("vat-rounding").with("amount", amount)
        }
    }

    /// Whether to advise paying before the weekend in which the deadline falls.
    fn pays_before_weekend(&self) -> bool {
        self.pay_by() != self.due()
            && self.today <= self.pay_by()
            && !self.is_refund()
            && !self.is_paid()
    }

    /// Path and name of the return for a period.
    fn link(&self, period: VatPeriod) -> (String, String) {
        (path_of(period), self.page.texts.vat_period(period))
    }

    fn previous(&self) -> (String, String) {
        self.link(self.neighbours.0)
    }

    fn next(&self) -> (String, String) {
        self.link(self.neighbours.1)
    }

    fn open_before(&self) -> Option<(String, String)> {
        self.checks.open_before.map(|period| self.link(period))
    }

    /// Sections of the official form, each with its boxes.
    fn parts(&self) -> Vec<(Phrase<'static>, Vec<&BoxLine>)> {
        let texts = self.page.texts;
        let names = [
            ("1", texts.t("vat-part-1")),
            ("2", texts.t("vat-part-2")),
            ("3", texts.t("vat-part-3")),
            ("4", texts.t("vat-part-4")),
            ("5", texts.t("vat-part-5")),
        ];
        let of = |part: &str| {
            self.details
                .vat_return
                .lines
                .iter()
                .filter(|line| line.vat_box.starts_with(part))
                .collect()
        };
        names.into_iter().map(|(part, name)| (name, of(part))).collect()
    }

    fn description(&self, line: &BoxLine) -> &'static str {
        line.description(ledger::language::Language::Dutch)
    }

    /// English name of the box, on English pages only; the official form is in Dutch.
    fn meaning(&self, line: &BoxLine) -> Option<&'static str> {
        let language = ledger::language::Language::English;
        (self.page.tag() == "en").then(|| line.description(language))
    }

    fn exact(&self, amount: &Option<Cents>) -> Html {
        amount.map(|amount| self.page.money_or_dash(amount)).unwrap_or_default()
    }

    fn is_nothing(&self, line: &BoxLine) -> bool {
        line.turnover.unwrap_or_default().is_zero() && line.vat.unwrap_or_default().is_zero()
    }

    fn postings(&self, line: &BoxLine) -> Option<&BoxPostings> {
        self.postings.as_ref().filter(|postings| postings.name == line.vat_box)
    }

    fn words(&self, row: &BoxPosting) -> String {
        row.head.description.words(self.page.texts.language, row.head.reverses.is_some())
    }

    /// Path of the page about a posting's invoice or expense, otherwise about its entry.
    fn document(&self, row: &BoxPosting) -> Option<String> {
        match row.head.source.kind {
            SourceType::Invoice | SourceType::CreditNote => {
                Some(format!("/invoices/{}", row.head.source.id))
            }
            SourceType::Expense if self.page.leads_to("/expenses") => {
                Some(format!("/expenses/{}", row.head.source.id))
            }
            _ if self.page.leads_to("/journal") => Some(format!("/journal/{}", row.entry_id)),
            _ => None,
        }
    }

    fn corrected(&self, row: &BoxPosting) -> Option<String> {
        row.head.corrects_period.map(|period| self.page.texts.vat_period(period))
    }

    /// Text about drafts that would affect the return.
    fn drafts(&self) -> Rich<'static> {
        let drafts = self.details.totals.due_drafts;
        self.page
            .rich("vat-check-drafts")
            .with("count", drafts.count)
            .with("vat", self.page.money(drafts.vat))
    }

    /// Name of a bill: its supplier or description, otherwise its date.
    fn bill_name(&self, bill: &Expense) -> String {
        bill.supplier
            .clone()
            .or_else(|| bill.description.clone())
            .unwrap_or_else(|| self.page.texts.date(bill.date))
    }

    fn negative(&self) -> String {
        self.checks.negative.join(", ")
    }

    /// Whether an EC sales list that ends in the period is open and would be filed with the return.
    fn has_open_lists(&self) -> bool {
        let is_open =
            |list: &IcpDetails| list.filed().is_none() && list.declaration.declares_anything();
        self.checks.lists.iter().any(is_open)
    }

    /// Whether box 3b of the return consists of the supplies of this list.
    fn icp_fits(&self, list: &IcpDetails) -> bool {
        let (declaration, period) = (&list.declaration, self.details.period);
        declaration.difference.is_zero()
            && (declaration.first_day, declaration.last_day)
                == (period.first_day(), period.last_day())
    }

    #[expect(clippy::unused_self, reason = "a template reaches it by its view")]
    fn icp_path(&self, list: &IcpDetails) -> String {
        format!("/icp/{}", list.period)
    }

    #[expect(clippy::unused_self, reason = "a template reaches it by its view")]
    fn icp_file(&self, list: &IcpDetails, ending: &str) -> String {
        format!("/icp/{}.{ending}", list.period)
    }

    fn methods(&self) -> Vec<(String, String)> {
        self.page.money_accounts(&[
            MoneyAccount::Bank,
            MoneyAccount::Savings,
            MoneyAccount::Private,
        ])
    }

    fn is_paid(&self) -> bool {
        self.is_filed() && self.remaining.is_zero()
    }

    /// Whether to show the payment form: the return is filed, and an amount is unpaid or the form
    /// was rejected.
    fn asks_for_payment(&self) -> bool {
        self.is_filed() && (!self.is_paid() || self.form.has_wrong_field())
    }

    /// Fingerprint of the return as shown, which the button submits.
    fn seen(&self) -> String {
        seen(&self.details)
    }

    /// Filed versions, latest first.
    fn versions(&self) -> Vec<&Filing> {
        self.details.versions.iter().rev().map(|(filing, _)| filing).collect()
    }

    /// Whether versions can be compared: the return was filed twice, or reopened.
    fn is_compared(&self) -> bool {
        self.details.versions.len() > 1 || (!self.details.versions.is_empty() && !self.is_filed())
    }

    /// Boxes that differ between the current return and the previously filed version.
    fn compared(&self) -> Vec<Compared> {
        let versions = &self.details.versions;
        let before = if self.is_filed() {
            versions.len().checked_sub(2)
        } else {
            versions.len().checked_sub(1)
        };
        let Some((_, before)) = before.and_then(|place| versions.get(place)) else {
            return Vec::new();
        };
        let lines = self.details.vat_return.lines.iter();
        let pair = |old: Option<i64>, new: Option<i64>| {
            (old.is_some() || new.is_some()).then(|| (old.unwrap_or(0), new.unwrap_or(0)))
        };
        let compare = |line: &BoxLine| {
            let old: Option<&FiledBox> = before.iter().find(|filed| filed.vat_box == line.vat_box);
            Compared {
                name: line.vat_box.to_owned(),
                turnover: pair(
                    old.and_then(|filed| filed.declared_turnover),
                    line.declared_turnover,
                ),
                vat: pair(old.and_then(|filed| filed.declared_vat), line.declared_vat),
            }
        };
        let differs = |both: Option<(i64, i64)>| both.is_some_and(|(old, new)| old != new);
        lines.map(compare).filter(|box_| differs(box_.turnover) || differs(box_.vat)).collect()
    }

    /// Previous amount, current amount and difference, in whole euros.
    fn three(&self, both: &Option<(i64, i64)>) -> Option<(Html, Html, Html)> {
        let (old, new) = (*both)?;
        let page = self.page;
        Some((page.whole_euros(old), page.whole_euros(new), page.whole_euros(new - old)))
    }
}
