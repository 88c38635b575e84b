//! Readers for tax commands: payments of VAT, the VAT scheme, and tax settings.

use super::{
    CalendarDate, EXTERNAL_ID, EXTERNAL_ID_MEANING, Euros, Fields, Flag, Integer, OneOf, Parsed,
    Presence, Raw, Reader, SignedEuros, SingleLine, bank_accounts::Money, if_filed,
    sales::vat_number, validated, vat_rate::vat_rate,
};
use jiff::civil::Date;
use ledger::{
    booking::MoneyAccount,
    cash_accounting::{CashGround, VatMethod},
    closing_step::ClosingStep,
    vat::{SchemeReason, Supply, VatCategory, VatScheme},
    vat_period::{VatPeriod, VatUnit},
};
use serde_json::{Value, json};
use service::{
    Reason,
    closing_steps::{DoStep, GoodsUse},
    icp::ChangeNumber,
    oss::{Ground, Register},
    scheme_changes::ChangeScheme,
    tax_settings::UpdateTaxSettings,
    vat_accounting::ChangeMethod,
    vat_payments::NewVatPayment,
    vat_revisions::Revise,
    vat_units::ChangeUnit,
};

/// Reads the fields for a VAT payment.
pub fn new_vat_payment(fields: &mut Fields<'_, '_>) -> Parsed<NewVatPayment> {
    let external_id = fields.optional("externalId", EXTERNAL_ID_MEANING, EXTERNAL_ID);
    let date =
        fields.required("date", "Date of the payment, no later than tomorrow.", CalendarDate);
    let meaning =
        "Amount in euros with at most two decimals; negative for a refund by the tax office.";
    let amount = fields.required("amount", meaning, SignedEuros);
    let meaning =
        "Account that pays, or receives the refund, or the code of a bank account. Default: bank.";
    let method =
        fields.optional("method", meaning, Money(MoneyAccount::ALL)).unwrap_or(MoneyAccount::Bank);
    let description = fields.optional("description", "Your own description.", SingleLine(255));
    let meaning = "VAT period of the return that it pays, such as 2026-05, 2026-Q1 or 2026.";
    let period = fields.optional("vatPeriod", meaning, vat_period());
    let meaning = "Quarter of the return of the Union scheme (OSS) that it pays, such as 2026-Q4, \
                   instead of vatPeriod.";
    let oss_period = fields.optional("ossPeriod", meaning, oss_period());
    let command = date.zip(amount).map(|(date, amount)| NewVatPayment {
        external_id: external_id.clone(),
        date,
        amount,
        method,
        description,
        period,
        oss_period,
    });
    Parsed::new(external_id, command)
}

/// Reader of a VAT period's id.
pub(super) fn vat_period() -> impl Reader<Value = VatPeriod> {
    validated(
        SingleLine(20),
        || json!({ "pattern": "^20[0-9]{2}(-(0[1-9]|1[0-2])|-Q[1-4])?$", "examples": ["2026-Q1"] }),
        |text| VatPeriod::parse(&text).ok_or(Reason::NotAPeriod),
    )
}

/// Reader of the id of a quarter.
pub(super) fn oss_period() -> impl Reader<Value = VatPeriod> {
    validated(
        SingleLine(20),
        || json!({ "pattern": "^20[0-9]{2}-Q[1-4]$", "examples": ["2026-Q4"] }),
        |text| {
            let period = VatPeriod::parse(&text).filter(|period| period.as_quarter().is_some());
            period.ok_or(Reason::NotAQuarter)
        },
    )
}

/// Reads the fields of a registration for the Union scheme (OSS).
pub fn register_oss(fields: &mut Fields<'_, '_>) -> Parsed<Register> {
    let meaning = "First day: of a calendar quarter with the ground `choice`; with `limit` the day \
                   of the supply that passed the threshold.";
    let from = fields.required("from", meaning, CalendarDate);
    let meaning = "Ground: `limit` if the threshold was passed, `choice` to be taxed abroad below \
                   it too.";
    let ground = fields.required("ground", meaning, OneOf(Ground::ALL));
    let meaning = "Last day, no earlier than the end of the year after the one of `from` (art. \
                   6k(4) Wet OB 1968). Default: the registration goes on.";
    let until = fields.optional("until", meaning, CalendarDate);
    let command = from.zip(ground).map(|(from, ground)| Register { from, ground, until });
    Parsed::new(None, command)
}

/// Reads whether filing a VAT return also files the ICP declarations that end in its period.
pub fn file_return(fields: &mut Fields<'_, '_>) -> Parsed<bool> {
    let meaning =
        "Whether the ICP declarations that end in the period are filed too. Default: true.";
    Parsed::new(None, Some(fields.optional("icp", meaning, Flag).unwrap_or(true)))
}

/// Reads the fields for changing the customer's VAT number in the ICP declaration.
pub fn change_vat_number(fields: &mut Fields<'_, '_>) -> Parsed<ChangeNumber> {
    let meaning = "VAT number of the customer in the other EU country, or of Northern Ireland.";
    let number = fields.required("vatNumber", meaning, vat_number());
    let meaning = "Whether all sent invoices of the same contact get the number. Default: false.";
    let same_customer = fields.optional("sameCustomer", meaning, Flag).unwrap_or_default();
    let command = number.map(|vat_number| ChangeNumber { vat_number, same_customer });
    Parsed::new(None, command)
}

/// Maximum number of row ids in a request.
const MOST_ROWS: usize = 500;

/// Ids of the rows of a step.
struct RowIds;

impl Reader for RowIds {
    type Value = Vec<String>;

    fn read(&self, raw: &Raw) -> Result<Vec<String>, Reason> {
        let Raw::Array(items) = raw else { return Err(Reason::NotAList) };
        if items.len() > MOST_ROWS {
            return Err(Reason::TooMany { most: MOST_ROWS, given: items.len() });
        }
        items.iter().map(|item| SingleLine(100).read(item)).collect()
    }

    fn schema(&self) -> Value {
        json!({ "type": "array", "maxItems": MOST_ROWS, "items": SingleLine(100).schema() })
    }
}

/// Reads the fields for carrying out a year-end step.
pub fn closing_step(fields: &mut Fields<'_, '_>, year: i16, step: ClosingStep) -> Parsed<DoStep> {
    let meaning = "Ids of the rows to book. Default: the ticked rows.";
    let row_ids = fields.optional("rowIds", meaning, RowIds);
    let goods = if step == ClosingStep::GoodsPrivateUse { goods(fields, year) } else { None };
    Parsed::new(None, Some(DoStep { row_ids, goods }))
}

fn goods(fields: &mut Fields<'_, '_>, year: i16) -> Option<Vec<GoodsUse>> {
    let last = Date::new(year, 12, 31).ok();
    let meaning = "Goods taken for private use in the year; only with the step goodsPrivateUse. Without \
                   rows, the step records that there were none.";
    let defaults = &[("vatRate", &["21"] as &[&str])];
    fields.list("rows", meaning, Presence::Optional, (0, 100), defaults, |fields| {
        let description = fields.required("description", "The goods.", SingleLine(1000));
        let meaning =
            "Their value in euros, excluding VAT: the purchase price (art. 8(3) Wet OB 1968).";
        let base = fields.required("base", meaning, Euros);
        let rate = fields.required("vatRate", "VAT rate in per cent.", vat_rate(last)).flatten();
        Some(GoodsUse { description: description?, base: base?, rate: rate? })
    })
}

/// Reads the fields for revising the VAT on assets for a year.
pub fn revise_vat(fields: &mut Fields<'_, '_>) -> Parsed<Revise> {
    let external_id = fields.optional("externalId", EXTERNAL_ID_MEANING, EXTERNAL_ID);
    let meaning = "Your own description of the entry. Default: the year.";
    let description = fields.optional("description", meaning, SingleLine(255));
    let if_filed = if_filed(fields);
    let command = Revise { external_id: external_id.clone(), description, if_filed };
    Parsed::new(external_id, Some(command))
}

/// Reads the fields for changing the length of VAT periods.
pub fn change_unit(fields: &mut Fields<'_, '_>) -> Parsed<ChangeUnit> {
    let meaning =
        "Length of VAT periods that the tax office assigned: `month`, `quarter` or `year`.";
    let unit = fields.required("unit", meaning, OneOf(VatUnit::ALL));
    let meaning = "First day of the unit: of a quarter, or of a year if either unit is the year.";
    let from = fields.required("from", meaning, CalendarDate);
    Parsed::new(None, unit.zip(from).map(|(unit, from)| ChangeUnit { unit, from }))
}

/// VAT categories that 0 % can mean for a customer in the Netherlands.
const ZERO_MEANINGS: &[VatCategory] =
    &[VatCategory::Zero, VatCategory::Exempt, VatCategory::ReverseCharge];

/// Reads the fields for changing the VAT scheme.
pub fn change_scheme(fields: &mut Fields<'_, '_>) -> Parsed<ChangeScheme> {
    let meaning =
        "`normal`, or `kor`: the small businesses scheme, without charging or deducting VAT.";
    let scheme = fields.required("scheme", meaning, OneOf(VatScheme::ALL));
    let meaning = "First day: of a VAT period for `kor`, and of a calendar quarter for `normal`; \
                   the day of the supply that passed the limit if `because` is `limit`.";
    let from = fields.required("from", meaning, CalendarDate);
    let meaning = "Reason for `normal`: `choice` (default), or `limit` if a supply passed the limit \
                   of the small businesses scheme.";
    let because = fields.optional("because", meaning, OneOf(SchemeReason::ALL));
    let meaning = "Day on which the tax office was notified of `kor`, at least four weeks before \
                   `from`.";
    let notified_on = fields.optional("notifiedOn", meaning, CalendarDate);
    let command = scheme.zip(from).map(|(scheme, from)| ChangeScheme {
        scheme,
        from,
        because: because.unwrap_or(SchemeReason::Choice),
        notified_on,
    });
    Parsed::new(None, command)
}

/// Reads the fields for changing the method of declaring VAT on sales.
pub fn change_method(fields: &mut Fields<'_, '_>) -> Parsed<ChangeMethod> {
    let meaning = "`invoice`, or `cash`: VAT is due when the customer pays (kasstelsel).";
    let method = fields.required("method", meaning, OneOf(VatMethod::ALL));
    let meaning = "First day of the method: of a VAT period whose return is open.";
    let from = fields.required("from", meaning, CalendarDate);
    let meaning = "Ground for `cash`, required with it (art. 26(1) Uitvoeringsbeschikking \
                   omzetbelasting 1968): `listedTrade`, one of the trades of part a; \
                   `establishment`, at least 90 % to others than businesses (b); `designated` by \
                   the tax office, at least 80 % (c).";
    let ground = fields.optional("ground", meaning, OneOf(CashGround::ALL));
    let meaning = "Day of the tax office's decision; required with `designated`.";
    let designated_on = fields.optional("designatedOn", meaning, CalendarDate);
    let command =
        method.zip(from).map(|(method, from)| ChangeMethod { method, from, ground, designated_on });
    Parsed::new(None, command)
}

/// Reads the tax settings. A scheme without a start date is ignored.
pub fn update_tax_settings(fields: &mut Fields<'_, '_>) -> Parsed<UpdateTaxSettings> {
    let scheme = fields.optional("scheme", "The VAT scheme.", OneOf(VatScheme::ALL));
    let from = fields.optional("from", "The first day of another scheme.", CalendarDate);
    let supply = fields.optional("supply", "What is usually sold.", OneOf(Supply::ALL));
    let meaning = "What 0 % to a customer in the Netherlands usually means.";
    let zero_means = fields.optional("zeroMeans", meaning, OneOf(ZERO_MEANINGS));
    let is_undecided = fields.is_null("majorityOfTime");
    let majority_of_time = fields.optional(
        "majorityOfTime",
        "Whether most of the working time goes into the business.",
        Flag,
    );
    let majority_of_time = majority_of_time.map(Some).or(is_undecided.then_some(None));
    // An unticked checkbox is not sent, but `starterOffered` shows that it was on the form.
    let was_offered =
        fields.optional("starterOffered", "Whether `starter` was asked.", Flag).unwrap_or_default();
    let starter = fields
        .optional("starter", "Whether the owner is a starter.", Flag)
        .or(was_offered.then_some(false));
    let next_number = fields.optional(
        "nextNumber",
        "The number of the year's first invoice.",
        Integer(1, 999_999_999),
    );
    let scheme = scheme.zip(from).map(|(scheme, from)| ChangeScheme {
        scheme,
        from,
        because: SchemeReason::Choice,
        notified_on: None,
    });
    Parsed::new(
        None,
        Some(UpdateTaxSettings {
            scheme,
            supply,
            zero_means,
            majority_of_time,
            starter,
            next_number,
        }),
    )
}
