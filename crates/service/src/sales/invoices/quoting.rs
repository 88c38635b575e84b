//! Lines of quotes: priced like those of invoices, and turned into lines of invoices.

use super::{
    LineInput, TaxPlace,
    edit::{line_for_edit, rates_known, without_kor},
    one_stop_shop::{self, Consumer},
    pricing::{as_quantity_and_price, price},
    small_business,
    table::copied,
    vat_proposals,
};
use crate::{
    Context, Error,
    contacts::{Customer, CustomerInput},
    vat_schemes,
};
use jiff::civil::Date;
use ledger::{
    country::CountryCode,
    discount::Discount,
    invoice::{GroupKey, Line, Priced, Prices},
    language::Language,
    money::Cents,
    vat::{SalesDefaults, VatCategory, VatRate},
};
use store::{Tx, books::Books, contacts::Party};

/// Prices the lines of a quote as an invoice of the day would be priced. Whether the quote would
/// pass the limit of the small businesses scheme depends on the day on which it is invoiced, and is
/// decided then.
///
/// # Errors
/// A line is invalid, or an amount is out of range.
pub(crate) fn price_quote(
    tx: &mut Tx<'_>,
    books: &Books,
    cx: &Context,
    (customer, language, on): (&Party, Option<Language>, Date),
    (lines, prices, discount): (&[LineInput], Prices, Discount),
) -> Result<(Vec<Line>, Priced), Error> {
    let kor = vat_schemes::kor_of(tx, books, on, None)?;
    rates_known(lines, true, on)?;
    let consumer = Consumer::from(customer).in_language(language);
    let lines = vat_proposals::fill(tx, cx, consumer, (None, on), (lines, prices))?;
    let lines = one_stop_shop::resolve(tx, cx, consumer, &lines, on)?;
    let dutch_rate = |line: &LineInput| {
        if line.vat_category == Some(VatCategory::Oss) { VatRate::ZERO } else { line.vat_rate }
    };
    vat_schemes::check(kor, lines.iter().map(dutch_rate))?;
    if kor.is_none() {
        small_business::reject_exemption_of_kor(&lines)?;
    }
    let sales = vat_schemes::sales(cx.actor.sales, kor);
    price(&cx.actor.own_accounts, sales, customer.place(), &lines, (prices, discount), &[], on)
}

/// Returns the customer with which lines are priced, even if the customer cannot be identified.
pub(crate) fn known_party(customer: &Result<Customer, Error>, input: &CustomerInput) -> Party {
    customer.as_ref().map_or_else(
        |_| Party {
            country: input.party.country.unwrap_or(CountryCode::NL),
            ..Party::named(String::new())
        },
        |customer| customer.party.clone(),
    )
}

/// Returns the lines of a quote as input for an invoice.
pub(crate) fn inputs_of(lines: &[(Line, Cents)]) -> Vec<LineInput> {
    lines.iter().map(|(line, _)| copied(line)).collect()
}

/// Returns the lines of a draft quote as input for an edit, without the categories that follow from
/// its customer and its day.
pub(crate) fn inputs_for_edit(
    lines: &[(Line, Cents)],
    quoted: (&Party, Date),
    defaults: SalesDefaults,
) -> Vec<LineInput> {
    lines.iter().map(|(line, _)| without_kor(line_for_edit(line, quoted, defaults))).collect()
}

/// Returns a line with the whole amount of a VAT group.
pub(crate) fn input_of_group(key: GroupKey, description: String, amount: Cents) -> LineInput {
    let (quantity, unit_price) = as_quantity_and_price(amount);
    // A line that is exempt under the small businesses scheme is treated as on the day of the
    // invoice.
    let is_small_business = key.category == VatCategory::SmallBusiness;
    LineInput {
        description,
        quantity,
        unit_price,
        vat_rate: key.rate,
        vat_category: (!is_small_business).then(|| key.category.public()),
        exemption: key.category.exemption().filter(|_| !is_small_business),
        supply: key.supply,
        place: TaxPlace { country: key.tax_country, standard_rate: false },
        account: None,
        unit: None,
        discount: Discount::None,
        credits: None,
        article: None,
    }
}
