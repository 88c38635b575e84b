//! Charts as SVG, rendered on the server: bars per month, lines, meters, rings and waterfalls.
//!
//! Actual amounts are solid; deductions and future amounts are hollow, so that a chart is readable
//! without colour. Colours are classes of the style sheet; positions are whole numbers in a box of
//! 1000 × 1000 that the page stretches. The text next to a chart contains the same values.

use super::html::Html;
use i18n::Texts;
use ledger::{decimal::Decimal, money::Cents};
use std::fmt::Write as _;

/// Width and height of a chart's box.
const BOX: i64 = 1000;

/// Style of a part of a chart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fill {
    /// Actual amount.
    Solid,
    /// Deducted, or expected in the future.
    Hollow,
    /// Late.
    Bad,
    /// Needs attention.
    Warn,
    /// Done.
    Good,
    /// Empty part of a meter.
    Track,
    /// Tax added.
    Ink,
    /// Tax deducted.
    InkHollow,
}

impl Fill {
    const fn class(self) -> &'static str {
        match self {
            Self::Solid => "solid",
            Self::Hollow => "hollow",
            Self::Bad => "bad",
            Self::Warn => "warn",
            Self::Good => "good",
            Self::Track => "track",
            Self::Ink => "ink",
            Self::InkHollow => "ink hollow",
        }
    }
}

/// Share of `part` in `whole`, in thousandths, limited to the range from 0 to 1000.
fn share(part: i64, whole: i64) -> i64 {
    if whole <= 0 {
        return 0;
    }
    let share = i128::from(part.clamp(0, whole)) * i128::from(BOX) / i128::from(whole);
    i64::try_from(share).unwrap_or(BOX)
}

/// Coloured square next to a name in a legend.
pub fn key(fill: Fill) -> Html {
    Html::of(format!(
        "<svg class=\"key\" viewBox=\"0 0 10 10\" aria-hidden=\"true\" focusable=\"false\"><rect class=\"{}\" x=\".75\" y=\".75\" width=\"8.5\" \
         height=\"8.5\" rx=\"2\"/></svg>",
        fill.class()
    ))
}

/// Bar of consecutive parts on a scale from zero to `whole`; `now` marks today's target.
pub fn meter(parts: &[(i64, Fill)], whole: i64, now: Option<i64>) -> Html {
    let mut svg = String::from(
        "<svg class=\"meter\" viewBox=\"0 0 1000 6\" preserveAspectRatio=\"none\" aria-hidden=\"true\" focusable=\"false\">\
         <rect class=\"track\" width=\"1000\" height=\"6\"/>",
    );
    let mut done = 0_i64;
    for (part, fill) in parts {
        let (from, to) = (share(done, whole), share(done.saturating_add(*part), whole));
        done = done.saturating_add((*part).max(0));
        // Parts have a gap of two; a positive part is always visible.
        let width = (to - from - 2).max(i64::from(*part > 0) * 2);
        if width > 0 {
            // Writing to a String cannot fail.
            let _ = write!(
                svg,
                "<rect class=\"{}\" x=\"{from}\" width=\"{width}\" height=\"6\"/>",
                fill.class()
            );
        }
    }
    if let Some(now) = now {
        let x = share(now, whole);
        let _ = write!(svg, "<path class=\"mark-now\" d=\"M{x} -2V8\"/>");
    }
    svg.push_str("</svg>");
    Html::of(svg)
}

/// Ring that is full at `whole`; `now` marks today's target.
pub fn ring(part: i64, whole: i64, now: Option<i64>) -> Html {
    let mut svg = format!(
        "<svg viewBox=\"0 0 124 124\" aria-hidden=\"true\" focusable=\"false\"><circle class=\"track\" cx=\"62\" cy=\"62\" r=\"56\"/>\
         <circle class=\"arc\" cx=\"62\" cy=\"62\" r=\"56\" pathLength=\"1000\" stroke-dasharray=\"{} 1000\" transform=\"rotate(-90 62 62)\"/>",
        share(part, whole)
    );
    if let Some(now) = now {
        let degrees = share(now, whole) * 360 / BOX;
        let _ = write!(
            svg,
            "<g transform=\"rotate({degrees} 62 62)\"><path class=\"mark-edge\" d=\"M62 0V12\"/><path class=\"mark-now\" d=\"M62 0V13\"/></g>"
        );
    }
    svg.push_str("</svg>");
    Html::of(svg)
}

/// Step of a waterfall: from one amount to another on a scale from zero to `full`.
pub fn step(from: Cents, to: Cents, full: Cents, fill: Fill) -> Html {
    let (low, high) = (from.get().min(to.get()), from.get().max(to.get()));
    let (x, end) = (share(low, full.get()), share(high, full.get()));
    Html::of(format!(
        "<svg class=\"span\" viewBox=\"0 0 1000 10\" preserveAspectRatio=\"none\" aria-hidden=\"true\" focusable=\"false\">\
         <rect class=\"{}\" x=\"{x}\" y=\"1\" width=\"{}\" height=\"8\"/></svg>",
        fill.class(),
        (end - x).max(3)
    ))
}

/// Month of a chart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Month {
    /// Number, 1 to 12.
    pub month: i8,
    /// Total, such as revenue; the height of the hollow bar.
    pub outer: Cents,
    /// Part of the total, such as profit: the height of the solid bar, and the figure under it.
    pub inner: Cents,
    /// Whether this is the current month.
    pub is_now: bool,
}

/// Smallest of the steps 1, 2, 5, 10, 20, 50 … euros with which four steps cover the span; both in
/// cents.
fn step_for(span: i128) -> i128 {
    let mut unit = 100_i128;
    loop {
        for factor in [1, 2, 5] {
            if span <= unit * factor * 4 {
                return unit * factor;
            }
        }
        unit *= 10;
    }
}

/// Grid lines, in cents from highest to lowest, that enclose all values and zero.
fn scale(values: impl Iterator<Item = i64>) -> Vec<i64> {
    let (low, high) =
        values.fold((0_i64, 0_i64), |(low, high), value| (low.min(value), high.max(value)));
    let span = (i128::from(high) - i128::from(low)).max(10_000);
    let step = step_for(span);
    let step = i64::try_from(step).unwrap_or(i64::MAX / 8);
    let (top, bottom) = (-((-high).div_euclid(step)), low.div_euclid(step));
    let top = top.max(bottom + 1);
    (bottom..=top).rev().map(|line| line.saturating_mul(step)).collect()
}

/// Distance of a value from the top of the scale's box.
fn height(value: i64, lines: &[i64]) -> i64 {
    let (Some(top), Some(bottom)) = (lines.first(), lines.last()) else { return 0 };
    share(top - value, top - bottom)
}

fn lines_of(lines: &[i64]) -> String {
    let mut svg = String::new();
    for line in lines {
        let _ = write!(
            svg,
            "<path class=\"{}\" d=\"M0 {y}H1000\"/>",
            if *line == 0 { "zero" } else { "grid" },
            y = height(*line, lines)
        );
    }
    svg
}

fn scale_list(texts: Texts, lines: &[i64]) -> String {
    let items: String =
        lines.iter().map(|line| format!("<li>{}</li>", texts.count(line / 100))).collect();
    format!("<ol class=\"scale\" aria-hidden=\"true\">{items}</ol>")
}

/// Bars per month with figures under them: a hollow bar for the total, a solid one for its part.
/// `caption` describes the figures.
pub fn months(texts: Texts, caption: &str, months: &[Month]) -> Html {
    let lines = scale(months.iter().flat_map(|month| [month.outer.get(), month.inner.get()]));
    let zero = height(0, &lines);
    let slot = BOX / i64::try_from(months.len().max(1)).unwrap_or(12);
    let mut bars = lines_of(&lines);
    for (place, month) in (0_i64..).zip(months) {
        for (amount, class) in [(month.outer, "hollow"), (month.inner, "solid")] {
            let y = height(amount.get(), &lines);
            if y != zero {
                let (x, width) = (place * slot + slot / 5, slot * 3 / 5);
                let _ = write!(
                    bars,
                    "<rect class=\"{class}\" x=\"{x}\" y=\"{}\" width=\"{width}\" height=\"{}\"/>",
                    y.min(zero),
                    (y - zero).abs()
                );
            }
        }
    }
    let (mut heads, mut figures) = (String::new(), String::new());
    for month in months {
        let (class, name) =
            (if month.is_now { " class=\"now\"" } else { "" }, texts.short_month_name(month.month));
        let first: String = name.chars().take(1).collect();
        let _ = write!(
            heads,
            "<th scope=\"col\"{class} abbr=\"{name}\"><span class=\"long\">{name}</span><span class=\"brief\">{first}</span></th>"
        );
        let _ = write!(figures, "<td{class}>{}</td>", figure(texts, month));
    }
    Html::of(format!(
        "<div class=\"plot\">{}<svg viewBox=\"0 0 1000 1000\" preserveAspectRatio=\"none\" aria-hidden=\"true\" focusable=\"false\">{bars}</svg>\
         <table class=\"under\"><caption class=\"only-read\">{}</caption><thead><tr>{heads}</tr></thead><tbody><tr>{figures}</tr></tbody></table></div>",
        scale_list(texts, &lines),
        Html::escaped(caption)
    ))
}

/// Figure under a bar: in whole euros, and in thousands on a phone. A month without a bar gets a
/// dash.
fn figure(texts: Texts, month: &Month) -> String {
    if month.inner.is_zero() && month.outer.is_zero() {
        return "\u{2013}".into();
    }
    let euros = month.inner.get() / 100;
    // Amounts of ten thousand euros or more leave no room for a decimal.
    let thousands = if euros.abs() < 10_000 {
        Decimal::new(euros / 100, 1)
    } else {
        Decimal::from(euros / 1_000)
    };
    format!(
        "<data value=\"{}\"><span class=\"long\">{}</span><span class=\"brief\">{}</span></data>",
        month.inner,
        texts.count(euros),
        texts.number(thousands)
    )
}

/// Line through amounts, such as a balance per day.
pub fn line(texts: Texts, amounts: &[Cents]) -> Html {
    let lines = scale(amounts.iter().map(|amount| amount.get()));
    let last = i64::try_from(amounts.len().saturating_sub(1)).unwrap_or(1).max(1);
    let mut path = String::new();
    for (place, amount) in (0_i64..).zip(amounts) {
        let _ = write!(
            path,
            "{}{} {}",
            if place == 0 { "M" } else { "L" },
            place * BOX / last,
            height(amount.get(), &lines)
        );
    }
    Html::of(format!(
        "<div class=\"plot\">{}<svg viewBox=\"0 0 1000 1000\" preserveAspectRatio=\"none\" aria-hidden=\"true\" focusable=\"false\">{}\
         <path class=\"trace\" d=\"{path}\"/></svg></div>",
        scale_list(texts, &lines),
        lines_of(&lines)
    ))
}

/// Line of a chart: its style and its points (horizontal position, amount).
pub struct Trace {
    /// Class of the style sheet.
    pub class: &'static str,
    /// Points from left to right.
    pub points: Vec<(i64, Cents)>,
}

/// Several lines on a common axis; the axis runs from their first point to their last. `below`
/// holds the labels of the axis with their positions; `now` highlights a position.
pub fn traces(texts: Texts, traces: &[Trace], below: &[(i64, String)], now: Option<i64>) -> Html {
    let lines =
        scale(traces.iter().flat_map(|trace| &trace.points).map(|(_, amount)| amount.get()));
    let places = || traces.iter().flat_map(|trace| &trace.points).map(|(place, _)| *place);
    let (first, last) = (places().min().unwrap_or(0), places().max().unwrap_or(0));
    let along = |place: i64| share(place - first, last - first);
    let mut drawn = lines_of(&lines);
    if let Some(now) = now {
        let _ = write!(drawn, "<path class=\"at\" d=\"M{} 0V1000\"/>", along(now));
    }
    for Trace { class, points } in traces {
        let mut path = String::new();
        for (count, (place, amount)) in points.iter().enumerate() {
            let step = if count == 0 { "M" } else { "L" };
            let _ = write!(path, "{step}{} {}", along(*place), height(amount.get(), &lines));
        }
        let _ = write!(drawn, "<path class=\"trace {class}\" d=\"{path}\"/>");
    }
    let mut marks = String::new();
    for (place, text) in below {
        let x = along(*place);
        // Texts at both ends stay inside the box.
        let anchor = match x {
            0..=50 => "start",
            950.. => "end",
            _ => "middle",
        };
        let percent = format!("{}.{}%", x / 10, x % 10);
        let _ = write!(
            marks,
            "<text x=\"{percent}\" y=\"12\" text-anchor=\"{anchor}\">{}</text>",
            Html::escaped(text)
        );
    }
    Html::of(format!(
        "<div class=\"plot\">{}<svg viewBox=\"0 0 1000 1000\" preserveAspectRatio=\"none\" aria-hidden=\"true\" focusable=\"false\">{drawn}</svg>\
         <svg class=\"marks\" aria-hidden=\"true\" focusable=\"false\">{marks}</svg></div>",
        scale_list(texts, &lines)
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use i18n::Language;
    use ledger::money::Cents;

    const NL: Texts = Texts { language: Language::Dutch };

    fn month(month: i8, outer: i64, inner: i64) -> Month {
        Month { month, outer: Cents::new(outer), inner: Cents::new(inner), is_now: false }
    }

    #[test]
    fn scales_hold_every_value_in_round_steps() {
        let cases: [(&[i64], &[i64]); 5] = [
            (&[], &[5_000, 0]),
            (&[1_270_000, 455_000], &[1_500_000, 1_000_000, 500_000, 0]),
            (&[100], &[5_000, 0]),
            (&[-50_000, 120_000], &[150_000, 100_000, 50_000, 0, -50_000]),
            (&[-1], &[0, -5_000]),
        ];
        for (values, expected) in cases {
            assert_eq!(scale(values.iter().copied()), expected, "{values:?}");
        }
        for value in [1, 99, 12_345, 9_999_999_999_999, -9_999_999_999_999] {
            let lines = scale([value].into_iter());
            assert!((2..=7).contains(&lines.len()), "{value}: {lines:?}");
            assert!(
                lines[0] >= value && lines[lines.len() - 1] <= value && lines.contains(&0),
                "{value}: {lines:?}"
            );
        }
    }

    #[test]
    fn bars_stand_on_nothing_and_losses_hang_under_it() {
        let chart = months(
            NL,
            "Winst",
            &[month(1, 100_000, 80_000), month(2, 20_000, -20_000), month(3, 0, 0)],
        )
        .to_string();
        assert_eq!(chart.matches("<rect").count(), 4, "{chart}");
        assert!(
            chart.contains("<data value=\"800.00\">")
                && chart.contains(">−200<")
                && chart.contains("<td>–</td>"),
            "{chart}"
        );
        assert!(chart.contains("<caption class=\"only-read\">Winst</caption>"), "{chart}");
    }

    #[test]
    fn parts_of_a_meter_fill_its_width_and_no_more() {
        let svg = meter(&[(50, Fill::Bad), (50, Fill::Hollow), (900, Fill::Solid)], 100, Some(25))
            .to_string();
        assert!(
            svg.contains("class=\"bad\" x=\"0\" width=\"498\"")
                && svg.contains("class=\"hollow\" x=\"500\" width=\"498\""),
            "{svg}"
        );
        assert!(svg.contains("M250 -2V8"), "{svg}");
        assert_eq!(meter(&[(1, Fill::Solid)], 0, None).to_string().matches("<rect").count(), 2);
    }

    #[test]
    fn shares_stay_within_the_whole() {
        for (part, whole, expected) in [
            (0, 10, 0),
            (5, 10, 500),
            (20, 10, 1000),
            (-5, 10, 0),
            (1, 0, 0),
            (i64::MAX, i64::MAX, 1000),
        ] {
            assert_eq!(share(part, whole), expected);
        }
        assert!(ring(1_104, 1_225, Some(1_085)).as_str().contains("stroke-dasharray=\"901 1000\""));
        assert!(
            step(Cents::new(500), Cents::new(250), Cents::new(1_000), Fill::InkHollow)
                .as_str()
                .contains("x=\"250\" y=\"1\" width=\"250\"")
        );
        let trace = Trace {
            class: "tax",
            points: vec![(100, Cents::ZERO), (150, Cents::new(2_500)), (200, Cents::new(5_000))],
        };
        let drawn = traces(NL, &[trace], &[(100, "1 < 2".into()), (150, "half".into())], Some(150))
            .to_string();
        assert!(
            drawn.contains("class=\"trace tax\" d=\"M0 1000L500 500L1000 0\"")
                && drawn.contains("d=\"M500 0V1000\""),
            "{drawn}"
        );
        assert!(
            drawn.contains("text-anchor=\"start\">1 &lt; 2<") && drawn.contains("x=\"50.0%\""),
            "{drawn}"
        );
        assert!(
            line(NL, &[Cents::ZERO, Cents::new(5_000)]).as_str().contains("d=\"M0 1000L1000 0\"")
        );
    }
}
