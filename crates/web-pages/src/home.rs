//! `/`: an introduction for visitors; the state of the business and open tasks for signed-in users.

use crate::{
    frame::{
        charts::{self, Fill, Month},
        opening::Offer,
        unfinished::MOST_OFFERED,
    },
    html::{Html, Rich},
    page::{Authenticated, PageContext},
    session::SignedIn,
    tax::path_of,
    texts::Phrase,
};
use askama::Template;
use axum::response::Response;
use jiff::{Timestamp, civil::Date};
use ledger::{hours::Hours, money::Cents, quote::QuoteStatus, vat_period::VatPeriod};
use service::{
    Error,
    icp::IcpDetails,
    kor::KorYear,
    oss::OssReturnDetails,
    overview::{self, Overview},
    projects,
    timer::{self, elapsed},
    unfinished,
    vat_filings::VatReturnDetails,
};
use store::{quotes::Quote, receivables::OpenInvoice, timers::Timer};
use web_core::problem::Problem;

#[derive(Template)]
#[template(path = "welcome.html")]
struct Welcome<'a> {
    page: &'a PageContext,
}

impl Welcome<'_> {
    fn money(&self, cents: i64) -> Html {
        self.page.money(Cents::new(cents))
    }

    fn amount(&self, cents: i64) -> String {
        self.page.texts.amount(Cents::new(cents))
    }
}

#[derive(Template)]
#[template(path = "home.html")]
struct Home<'a> {
    page: &'a PageContext,
    who: &'a SignedIn,
    overview: Overview,
    /// Whether the plan includes the API.
    has_api: bool,
    /// Forms that the person has begun and not submitted.
    offers: Vec<Offer>,
    /// Running timer, with the name of its project or a text for a timer without a project.
    timer: Option<(Timer, String)>,
    now: Timestamp,
}

/// `GET /`
pub(crate) async fn show(page: PageContext) -> Result<Response, Problem> {
    let Some(who) = page.signed_in() else { return page.show(&Welcome { page: &page }) };
    let signed_in = Authenticated { page: page.clone(), who: who.clone() };
    let cx = page.context_of(&who.account);
    let has_api = cx.actor.require_plan(page.app.config().api_min_plan).is_ok();
    let person = who.account.owner.id;
    let read = move |tx: &mut store::Tx<'_>| {
        let begun = unfinished::list(tx, &cx, person)?;
        let timer = timer::running(tx, &cx)?;
        let project = match timer.as_ref().and_then(|timer| timer.project_id) {
            Some(id) => Some(projects::read(tx, &cx, id)?.name),
            None => None,
        };
        let timer = timer.map(|timer| (timer, project));
        Ok::<_, Error>((overview::read(tx, &cx)?, timer, begun))
    };
    let (overview, timer, begun) = page.app.query(who.account.id, read).await?;
    let timer = timer.map(|(timer, project)| {
        (timer, project.unwrap_or_else(|| page.t("timer-no-project").to_string()))
    });
    let now = page.app.now();
    let offers = signed_in.offers(begun);
    page.show(&Home { page: &page, who, overview, has_api, offers, timer, now })
}

impl Home<'_> {
    /// The latest unfinished forms.
    fn latest(&self) -> &[Offer] {
        self.offers.get(..MOST_OFFERED).unwrap_or(&self.offers)
    }

    /// Time measured by a timer.
    fn ran(&self, timer: &Timer) -> Hours {
        elapsed(timer, self.now)
    }

    /// Whether this year has no invoices, revenue or costs, and there are no tasks or open items.
    fn is_new(&self) -> bool {
        let (year, aging) = (&self.overview.year, &self.overview.aging);
        let is_empty = year.invoices.count == 0
            && year.summary.revenue.is_zero()
            && year.summary.costs.is_zero();
        is_empty && self.waiting() == 0 && aging.total().is_zero()
    }

    /// Whether the sender's details are complete enough for an invoice.
    fn has_company(&self) -> bool {
        let account = &self.who.account;
        account.city.is_some()
            && account.kvk_number.is_some()
            && account.vat_number.is_some()
            && account.iban.is_some()
    }

    /// Number of open tasks.
    fn waiting(&self) -> usize {
        self.overview.to_file.len()
            + self.overview.icp_to_file.len()
            + self.overview.oss_to_file.len()
            + self.overview.to_pay.len()
            + usize::from(self.overview.aging.late().count > 0)
            + usize::from(self.has_drafts())
            + usize::from(self.overview.waiting_receipts > 0)
            + usize::from(self.overview.bank_lines > 0)
            + usize::from(self.overview.unexplained.0 > 0)
            + usize::from(self.overview.owed_to_customers > Cents::ZERO)
            + usize::from(self.overview.bills.0 > 0)
            + usize::from(!self.overview.undelivered.is_empty())
            + usize::from(!self.overview.decided_quotes.is_empty())
            + usize::from(self.overview.reminders.0 > 0)
            + usize::from(!self.overview.recurring.waiting.is_empty())
            + usize::from(!self.overview.recurring.stopped.is_empty())
            + usize::from(!self.overview.year_old.debtors.is_empty())
            + usize::from(!self.overview.year_old.bills.is_empty())
            + usize::from(self.kor().is_some())
            + usize::from(self.overview.closing_year.is_some())
    }

    /// Decision of a customer on a quote.
    fn decided(&self, quote: &Quote) -> Phrase<'static> {
        let texts = self.page.texts;
        match quote.status {
            QuoteStatus::Refused => texts.t("quote-state-refused"),
            _ => texts.t("quote-state-accepted"),
        }
    }

    /// Turnover under the small businesses scheme, if it is near or above the limit.
    fn kor(&self) -> Option<&KorYear> {
        self.overview.kor.as_ref().filter(|kor| kor.is_near() || kor.is_to_be_ended())
    }

    /// Task for the small businesses scheme, and its explanation.
    fn kor_task(&self, kor: &KorYear) -> (Phrase<'static>, String) {
        let texts = self.page.texts;
        match kor.passed_by {
            Some((_, date)) => {
                let date = texts.date(date);
                let text = texts.t("home-kor-end-text").with("date", &date).into();
                (texts.t("home-kor-end"), text)
            }
            None => {
                let remaining = texts.money(kor.remaining());
                let text = texts.t("home-kor-near-text").with("left", &remaining).into();
                (texts.t("home-kor-near"), text)
            }
        }
    }

    fn has_drafts(&self) -> bool {
        self.overview.current.totals.due_drafts.count > 0
    }

    fn period_name(&self, period: &VatPeriod) -> String {
        self.page.texts.vat_period(period)
    }

    fn vat_path(&self, details: &VatReturnDetails) -> String {
        path_of(details.period)
    }

    /// Title of the task to file a return, or to file it again after reopening.
    fn to_file(&self, details: &VatReturnDetails) -> String {
        let name = self.period_name(&details.period);
        if details.versions.is_empty() {
            self.page.t("home-file").with("period", &name).to_string()
        } else {
            self.page.t("home-refile").with("period", &name).to_string()
        }
    }

    /// Text about the filing and payment deadlines for a return.
    fn due(&self, details: &VatReturnDetails) -> Rich<'static> {
        let deadline = details.deadline();
        let due = deadline.file_by;
        let pay_by = deadline.pay_by.unwrap_or(due);
        if due < self.overview.today && !details.versions.is_empty() {
            self.page.rich("home-refile-text")
        } else if due < self.overview.today {
            self.page.rich("home-file-late").with("day", self.page.date(due))
        } else if details.vat_return.declared_payable.is_negative() {
            self.page.rich("home-file-back").with("day", self.page.long_date(due))
        } else if pay_by == due {
            self.page.rich("home-file-by").with("day", self.page.long_date(due))
        } else {
            self.page
                .rich("home-file-weekend")
                .with("day", self.page.date(due))
                .with("pay", self.page.long_date(pay_by))
        }
    }

    /// Text about the filing deadline of an EC sales list.
    fn oss_due(&self, details: &OssReturnDetails) -> Rich<'static> {
        let due = details.due_date;
        if due < self.overview.today {
            self.page.rich("home-file-late").with("day", self.page.date(due))
        } else {
            self.page.rich("home-oss-by").with("day", self.page.long_date(due))
        }
    }

    fn icp_due(&self, details: &IcpDetails) -> Rich<'static> {
        let due = details.deadline().file_by;
        if due < self.overview.today {
            self.page.rich("home-file-late").with("day", self.page.date(due))
        } else {
            self.page.rich("home-icp-by").with("day", self.page.long_date(due))
        }
    }

    /// Filing deadline for the current period's return.
    fn due_date(&self) -> Date {
        self.overview.current.deadline().file_by
    }

    /// Payment deadline for a return.
    #[expect(clippy::unused_self, reason = "a template reaches it by its view")]
    fn pay_by(&self, details: &VatReturnDetails) -> Date {
        let deadline = details.deadline();
        deadline.pay_by.unwrap_or(deadline.file_by)
    }

    /// Text about the payment deadline for a return.
    fn to_pay(&self, details: &VatReturnDetails) -> Rich<'static> {
        let day = self.pay_by(details);
        if day < self.overview.today {
            self.page.rich("home-pay-late").with("day", self.page.date(day))
        } else {
            self.page.rich("home-pay-by").with("day", self.page.date(day))
        }
    }

    /// Days from today to a date; `None` if the date has passed.
    fn days_until(&self, day: Date) -> Option<i64> {
        let days = self.overview.today.until(day).ok()?.get_days();
        (days >= 0).then_some(i64::from(days))
    }

    /// Exact VAT in a box of the current period's return.
    fn box_amount(&self, name: &str) -> Cents {
        let lines = &self.overview.current.vat_return.lines;
        lines
            .iter()
            .find(|line| line.vat_box == name)
            .and_then(|line| line.vat)
            .unwrap_or(Cents::ZERO)
    }

    /// Meter from the start of the period to the filing deadline, solid up to today.
    fn period_meter(&self) -> Html {
        let period = self.overview.current.period;
        let (first, due) = (period.first_day(), self.due_date());
        let days = |until: Date| first.until(until).map_or(0, |span| i64::from(span.get_days()));
        let (today, end, whole) =
            (days(self.overview.today), days(period.last_day()) + 1, days(due) + 1);
        charts::meter(
            &[
                (today.min(end), Fill::Solid),
                ((end - today).max(0), Fill::Track),
                (whole - end, Fill::Hollow),
            ],
            whole,
            Some(today),
        )
    }

    fn period_months(&self) -> Vec<&'static str> {
        let period = self.overview.current.period;
        let months = period.first_month().number()..=period.last_month().number();
        let next = period.next().first_month().number();
        months.chain([next]).map(|month| self.page.texts.short_month_name(month)).collect()
    }

    fn aging_meter(&self) -> Html {
        let aging = &self.overview.aging;
        let later = aging.not_due.amount - aging.within_14_days.amount;
        let parts = [
            (aging.late().amount, Fill::Bad),
            (aging.within_14_days.amount, Fill::Solid),
            (later, Fill::Hollow),
        ];
        charts::meter(&parts.map(|(amount, fill)| (amount.get(), fill)), aging.total().get(), None)
    }

    fn key(&self, fill: Fill) -> Html {
        charts::key(fill)
    }

    /// Names of the customers with the longest overdue invoices, each with the number of days.
    fn overdue_names(&self) -> String {
        let name = |invoice: &OpenInvoice| {
            let days = invoice
                .due_date
                .until(self.overview.today)
                .map_or(0, |span| i64::from(span.get_days()));
            format!("{} {}", invoice.customer_name, self.page.t("home-days").with("count", &days))
        };
        let overdue = &self.overview.overdue;
        let is_first = |(place, invoice): &(usize, &OpenInvoice)| {
            overdue
                .iter()
                .take(*place)
                .all(|earlier| earlier.customer_name != invoice.customer_name)
        };
        overdue
            .iter()
            .enumerate()
            .filter(is_first)
            .map(|(_, invoice)| name(invoice))
            .collect::<Vec<_>>()
            .join(", ")
    }

    fn months(&self) -> Vec<Month> {
        let today = self.overview.today.month();
        (1_i8..)
            .zip(&self.overview.months)
            .map(|(month, result)| Month {
                month,
                outer: result.revenue,
                inner: result.profit(),
                is_now: month == today,
            })
            .collect()
    }

    fn month_chart(&self) -> Html {
        charts::months(self.page.texts, &self.page.t("home-chart").to_string(), &self.months())
    }

    fn month_name(&self, month: &Month) -> &'static str {
        self.page.texts.month_name(month.month)
    }

    fn hours_ring(&self) -> Html {
        let (hours, today) = (&self.overview.year.hours, self.overview.today);
        let now =
            hours.required.get() * i64::from(today.day_of_year()) / i64::from(today.days_in_year());
        charts::ring(hours.total.get(), hours.required.get(), Some(now))
    }

    fn hours_to_go(&self) -> Hours {
        let hours = &self.overview.year.hours;
        Hours::new((hours.required.get() - hours.total.get()).max(0))
    }

    /// Amount to set aside: the VAT of the current period, the VAT of earlier returns that are not
    /// yet filed or paid, and income tax.
    fn to_set_aside(&self) -> Cents {
        self.vat_of_earlier()
            + self.overview.current.vat_return.payable
            + self.overview.income_tax.unwrap_or(Cents::ZERO)
    }

    fn vat_of_earlier(&self) -> Cents {
        let to_file: Cents =
            self.overview.to_file.iter().map(|details| details.vat_return.payable).sum();
        to_file + self.overview.to_pay.iter().map(|(_, remaining)| *remaining).sum()
    }
}
