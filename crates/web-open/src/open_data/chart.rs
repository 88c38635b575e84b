//! Charts where they are clearer than figures: net income by profit, and interest over time. A
//! table below shows the same figures.

use super::{borrowed, frame::Frame};
use askama::Template;
use jiff::civil::Date;
use ledger::{decimal::multiply_to_cents, money::Cents};
use tax::{
    Decimal,
    calculator::{Calculator, Outcome},
    value::Value,
};
use web_pages::frame::{
    charts::{self, Trace},
    html::Html,
};

/// Number of intervals between the profits for which the tax is calculated.
const STEPS: i64 = 12;
/// Minimum profit at which the axis ends, in euros.
const PROFIT: i64 = 120_000;

/// A point on the axis, with its values.
struct Place {
    along: i64,
    value: Value,
    /// Value of each line.
    amounts: Vec<Decimal>,
}

#[derive(Template)]
#[template(path = "open-data/chart.html")]
struct ChartPart<'a> {
    page: &'a Frame,
    title: String,
    /// Title of the axis.
    head: String,
    /// Name and style of each line.
    lines: Vec<(String, &'static str)>,
    places: Vec<Place>,
    drawing: Html,
}

impl ChartPart<'_> {
    fn label(&self, place: &Place) -> super::frame::Shown {
        self.page.shown(Some(&place.value))
    }

    fn cells(&self, place: &Place) -> Vec<super::frame::Shown> {
        place.amounts.iter().map(|amount| self.page.shown(Some(&Value::Money(*amount)))).collect()
    }
}

/// Returns the chart for a result, if its calculator has one.
pub(super) fn of(
    calculator: &Calculator,
    parameters: &[(String, String)],
    outcome: &Outcome,
    frame: &Frame,
) -> Option<String> {
    match calculator.id {
        "income-tax" => tax_by_profit(calculator, parameters, frame),
        "late-payment" => interest_over_time(parameters, outcome, frame),
        _ => None,
    }
}

fn tax_by_profit(
    calculator: &Calculator,
    parameters: &[(String, String)],
    frame: &Frame,
) -> Option<String> {
    let parameter = |name: &str| {
        parameters.iter().find(|(other, _)| other == name).map_or("", |(_, text)| text.as_str())
    };
    let profit: Decimal = parameter("profit").parse().ok()?;
    // The axis extends to at least 150 % of the profit, in steps of whole thousands.
    let step = (profit * Decimal::new(15, 1) / Decimal::from(STEPS * 1_000))
        .ceil()
        .max(Decimal::from(PROFIT / STEPS / 1_000));
    let mut places = Vec::new();
    for place in 0..=STEPS {
        let profit = step * Decimal::from(1_000 * place);
        let mut changed = parameters.to_vec();
        changed
            .iter_mut()
            .filter(|(name, _)| name == "profit")
            .for_each(|(_, text)| *text = profit.to_string());
        // The chart ends at the maximum profit that the calculator accepts.
        let Ok(outcome) = calculator.calculate(&borrowed(&changed)) else { break };
        let amounts = vec![outcome.get("net")?.number()?, outcome.get("total")?.number()?];
        places.push(Place {
            along: i64::try_from(profit).ok()?,
            value: Value::Money(profit),
            amounts,
        });
    }
    let year = parameter("year").to_owned();
    let lines = vec![
        (frame.t("open-data-chart-net").to_string(), "net"),
        (frame.t("open-data-chart-total").to_string(), "tax"),
    ];
    let here = i64::try_from(profit.round()).ok()?;
    let part = Picture {
        title: frame.t("open-data-chart-tax").with("year", &year).to_string(),
        head: frame.t("open-data-chart-profit").to_string(),
        // Every fourth profit is labelled below the drawing.
        below: places
            .iter()
            .step_by(4)
            .map(|place| (place.along, frame.texts().whole_euros(place.along)))
            .collect(),
        lines,
        here: Some(here),
    };
    part.draw(places, frame)
}

fn interest_over_time(
    parameters: &[(String, String)],
    outcome: &Outcome,
    frame: &Frame,
) -> Option<String> {
    let due: Date = parameters.iter().find(|(name, _)| name == "due")?.1.parse().ok()?;
    let field = |row: &[(&'static str, Option<Value>)], name: &str| {
        row.iter().find(|(other, _)| *other == name).and_then(|(_, value)| value.clone())
    };
    let mut places =
        vec![Place { along: 0, value: Value::Date(due), amounts: vec![Decimal::ZERO] }];
    let mut sum = Decimal::ZERO;
    for row in outcome.rows("periods") {
        sum += field(row, "interest")?.number()?;
        let Some(Value::Date(to)) = field(row, "to") else { return None };
        places.push(Place {
            along: due.until(to).ok()?.get_days().into(),
            value: Value::Date(to),
            amounts: vec![sum],
        });
    }
    // A single period is not worth a chart.
    if places.len() < 3 {
        return None;
    }
    let ends = [places.first()?, places.last()?];
    let below = ends.map(|place| (place.along, frame.shown(Some(&place.value)).text)).to_vec();
    let part = Picture {
        title: frame.t("open-data-chart-interest").to_string(),
        head: frame.t("open-data-chart-day").to_string(),
        lines: vec![(frame.t("open-data-chart-interest-sum").to_string(), "net")],
        below,
        here: None,
    };
    part.draw(places, frame)
}

/// Labels and style for a chart.
struct Picture {
    title: String,
    head: String,
    lines: Vec<(String, &'static str)>,
    below: Vec<(i64, String)>,
    /// Position of the requested value on the axis, which the chart highlights.
    here: Option<i64>,
}

impl Picture {
    fn draw(self, places: Vec<Place>, frame: &Frame) -> Option<String> {
        let cents =
            |amount: &Decimal| multiply_to_cents(amount, &Decimal::ONE).unwrap_or(Cents::ZERO);
        let trace = |(line, (_, class)): (usize, &(String, &'static str))| Trace {
            class,
            points: places.iter().map(|place| (place.along, cents(&place.amounts[line]))).collect(),
        };
        let traces: Vec<Trace> = self.lines.iter().enumerate().map(trace).collect();
        let drawing = charts::traces(frame.texts(), &traces, &self.below, self.here);
        let part = ChartPart {
            page: frame,
            title: self.title,
            head: self.head,
            lines: self.lines,
            places,
            drawing,
        };
        part.render().ok()
    }
}
