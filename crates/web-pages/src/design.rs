//! `/design`: every part of the design system in each of its states. Available only in debug
//! builds; see `docs/design.md`.

use crate::{
    done::Done,
    form::Form,
    frame::{
        charts::{self, Fill, Month},
        list::{ListState, Pager},
    },
    html::{Html, Rich},
    page::PageContext,
};
use askama::Template;
use axum::response::Response;
use jiff::civil::{Date, date};
use ledger::{decimal::Decimal, hours::Hours, money::Cents};
use web_core::problem::Problem;

#[derive(Template)]
#[template(path = "design.html")]
struct Design<'a> {
    page: &'a PageContext,
    form: Form,
    list: ListState,
    pager: Pager,
    rates: Vec<(&'static str, String)>,
    day: Date,
    hours: Hours,
    months: Html,
    line: Html,
    ring: Html,
    aging: Html,
    budget: Html,
    steps: Vec<(&'static str, Cents, Html)>,
    sentence: Rich<'static>,
}

impl Design<'_> {
    fn amount(&self, cents: i64) -> Html {
        self.page.money(Cents::new(cents))
    }

    fn is_first(&self) -> bool {
        !self.list.is_filtered() && self.list.has("state", "") && self.sentence.is_empty()
    }

    fn key(&self, fill: Fill) -> Html {
        charts::key(fill)
    }
}

/// `GET /design`
pub(crate) async fn show(page: PageContext) -> Result<Response, Problem> {
    let form = Form::of([
        ("term", "30"),
        ("amount", "1.234,56"),
        ("paid", "2.000,00"),
        ("date", "2026-11-20"),
        ("paidFrom", "bank"),
        ("copy", "true"),
    ])
    .refused("paid", "Er staat nog € 1.987,03 open. Vul dat in.");
    let list = ListState::of(&page, "-number");
    let figures = [5_081, 4_660, 4_179, 5_795, 4_432, 4_238, 3_728, -555, 7_001, 11_286, 4_516, 0];
    let bars: Vec<Month> = (1_i8..)
        .zip(figures)
        .map(|(month, euros)| Month {
            month,
            outer: Cents::new(euros.max(0) * 113),
            inner: Cents::new(euros * 100),
            is_now: month == 11,
        })
        .collect();
    let full = Cents::new(6_239_278);
    let steps = [
        ("Winst", 0, 6_239_278, Fill::Solid),
        ("Mkb-winstvrijstelling", 6_239_278, 5_473_452, Fill::Hollow),
        ("Schijf 1", 0, 1_390_067, Fill::Ink),
        ("Arbeidskorting", 1_390_067, 925_136, Fill::InkHollow),
    ]
    .map(|(name, from, to, fill)| {
        (name, Cents::new(to - from), charts::step(Cents::new(from), Cents::new(to), full, fill))
    });
    page.show(&Design {
        page: &page,
        form,
        pager: list.pager(120),
        list,
        rates: vec![
            ("21", page.texts.percent(Decimal::new(21, 0))),
            ("9", page.texts.percent(Decimal::new(9, 0))),
        ],
        day: date(2026, 11, 20),
        hours: Hours::new(150),
        months: charts::months(page.texts, "Winst per maand", &bars),
        line: charts::line(page.texts, &bars.iter().map(|month| month.inner).collect::<Vec<_>>()),
        ring: charts::ring(110_450, 122_500, Some(108_500)),
        aging: charts::meter(
            &[(311_838, Fill::Bad), (170_000, Fill::Solid), (351_648, Fill::Hollow)],
            833_486,
            None,
        ),
        budget: charts::meter(&[(8, Fill::Good), (30, Fill::Warn)], 40, Some(30)),
        steps: steps.into(),
        sentence: page.rich("consent-until").with("date", page.moment(page.app.now())),
    })
}

/// `POST /design`: shows the message of a command.
pub(crate) async fn send(page: PageContext) -> Response {
    let done = Done {
        code: "saved".into(),
        amount: Some(Cents::new(150_000)),
        name: page.year_now().to_string(),
        entry: Some(1),
        undo: Some("/design".into()),
    };
    page.see_done("/design", &done)
}
