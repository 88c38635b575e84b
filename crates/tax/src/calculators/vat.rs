//! VAT to add to an amount, or included in it.

use crate::{
    calculator::{
        Arguments, Calculator, Input, InputKind, Outcome, Output, OutputKind, Run, Step, optional,
        output, required,
    },
    fault::Fault,
    notation::words,
    value::{Value, cents},
    words::{Choice, Words},
    year::{number, rows},
};
use ledger::{decimal::Decimal, vat::VatRate};

static INPUTS: &[Input] = &[
    required(
        "amount",
        InputKind::Money { least: 0, most: 1_000_000_000 },
        Words::new("Bedrag", "Amount"),
        Words::new(
            "In euro, met hoogstens twee decimalen.",
            "In euros, with at most two decimals.",
        ),
        "121",
    ),
    optional(
        "rate",
        InputKind::Percent { least: 0, most: 100 },
        Some("21"),
        Words::new("Tarief", "Rate"),
        Words::new(
            "In procenten: in Nederland 21, 9 of 0.",
            "In per cent: 21, 9 or 0 in the Netherlands.",
        ),
        "21",
    ),
    optional(
        "mode",
        InputKind::Choice(MODES),
        Some("excluding"),
        Words::new("Het bedrag is", "The amount is"),
        Words::new(
            "Kies of de btw er nog bij komt of er al in zit.",
            "Choose whether VAT is still to be added or already inside.",
        ),
        "including",
    ),
    optional(
        "on",
        InputKind::Date,
        None,
        Words::new("Op", "On"),
        Words::new(
            "Alleen als je wilt weten of het tarief op die dag in Nederland bestond.",
            "Only to check that the rate existed in the Netherlands on that day.",
        ),
        "",
    ),
];

static MODES: &[Choice] = &[
    Choice::new("excluding", "exclusief btw", "excluding VAT"),
    Choice::new("including", "inclusief btw", "including VAT"),
];

static OUTPUTS: &[Output] = &[
    output("excluding", OutputKind::Money, Words::new("Exclusief btw", "Excluding VAT")),
    output("vat", OutputKind::Money, Words::new("Btw", "VAT")),
    output("including", OutputKind::Money, Words::new("Inclusief btw", "Including VAT")),
];

/// The calculator.
pub static CALCULATOR: Calculator = Calculator {
    id: "vat",
    title: Words::new("Btw berekenen", "VAT"),
    description: Words::new(
        "Rekent een bedrag exclusief btw om naar inclusief, of terug. De btw wordt op centen afgerond; de drie bedragen sluiten altijd op elkaar aan.",
        "Turns an amount excluding VAT into one including it, or back. VAT is rounded to cents; the three amounts always add up.",
    ),
    inputs: INPUTS,
    outputs: OUTPUTS,
    run: Run::Query(run),
};

fn run(arguments: &Arguments) -> Result<Outcome, Vec<Fault>> {
    let (amount, rate) = (arguments.number("amount"), arguments.number("rate"));
    let on = arguments.date("on");
    if let Some(on) = on {
        VatRate::from_percent(&rate, on)
            .map_err(|unknown| vec![unknown_rate(&unknown.valid, on)])?;
    }
    let of_the_law =
        on.and_then(|on| rows("vat-rates", on).into_iter().find(|row| number(row, "rate") == rate));
    let hundred = Decimal::ONE_HUNDRED;
    let (excluding, vat, including) = if arguments.text("mode") == "including" {
        let vat = cents(&(amount * rate / (hundred + rate)));
        (amount - vat, vat, amount)
    } else {
        let vat = cents(&(amount * rate / hundred));
        (amount, vat, amount + vat)
    };
    let is_given = of_the_law.is_none();
    let (given_nl, given_en) = if is_given {
        (" (het tarief is dat wat je opgaf)", " (the rate is the one that you gave)")
    } else {
        ("", "")
    };
    let text = if arguments.text("mode") == "including" {
        words(
            |n| {
                format!(
                    "{} is 100% + {}; de btw is {1} ÷ (100% + {1}) ervan{given_nl}",
                    n.euros(amount),
                    n.rate(rate)
                )
            },
            |n| {
                format!(
                    "{} is 100% + {}; VAT is {1} ÷ (100% + {1}) of it{given_en}",
                    n.euros(amount),
                    n.rate(rate)
                )
            },
        )
    } else {
        words(
            |n| format!("{} van {}{given_nl}", n.rate(rate), n.euros(amount)),
            |n| format!("{} of {}{given_en}", n.rate(rate), n.euros(amount)),
        )
    };
    // Art. 9 sets the rates; the tax is a percentage of the consideration.
    let steps =
        vec![Step::new("vat", text, Value::Money(vat), "wet-ob-9").with_figures(of_the_law)];
    let fields = vec![
        ("excluding", Value::Money(excluding).into()),
        ("vat", Value::Money(vat).into()),
        ("including", Value::Money(including).into()),
    ];
    Ok(Outcome { fields, steps })
}

fn unknown_rate(valid: &[VatRate], on: jiff::civil::Date) -> Fault {
    let known: Vec<String> = valid.iter().map(ToString::to_string).collect();
    let list = known.join(", ");
    let words = Words::owned(
        format!("Op {on} waren de btw-tarieven {list} procent; geef een daarvan, of laat on weg."),
        format!("The VAT rates on {on} were {list} per cent; give one of them, or leave on out."),
    );
    Fault::new("rate", "unknown_vat_rate", words).with_known(known)
}
