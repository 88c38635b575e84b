//! Articles: goods and services with a usual price, from which lines of documents are filled.

use crate::{decimal::Decimal, invoice::Prices, named::named, vat::VatRate};
use rust_decimal::RoundingStrategy;

named! {
    /// Status of an article.
    ArticleStatus {
        /// Offered for new lines.
        Active => "active",
        /// No longer offered; references to it remain valid.
        Archived => "archived",
    }
}

/// Decimals of a price that is converted between prices with and without VAT.
const DECIMALS: u32 = 10;

/// Converts a price between prices with and without VAT at a rate, rounded half away from zero at
/// ten decimals. A price that is already of the kind of the document stays exactly the same.
///
/// ```
/// use ledger::{article::price_on, decimal, invoice::Prices, vat::VatRate};
///
/// let (gross, high) = (decimal::parse("99.95")?, VatRate::from_basis_points(2_100));
/// let net = price_on(gross, Prices::Gross, Prices::Net, high);
/// assert_eq!(net, decimal::parse("82.6033057851")?);
/// # Ok::<(), ledger::decimal::DecimalError>(())
/// ```
#[must_use]
pub fn price_on(price: Decimal, own: Prices, document: Prices, rate: VatRate) -> Decimal {
    let factor = Decimal::ONE + rate.percent() / Decimal::ONE_HUNDRED;
    let converted = match (own, document) {
        (Prices::Net, Prices::Net) | (Prices::Gross, Prices::Gross) => return price,
        (Prices::Gross, Prices::Net) => price / factor,
        (Prices::Net, Prices::Gross) => price * factor,
    };
    converted.round_dp_with_strategy(DECIMALS, RoundingStrategy::MidpointAwayFromZero).normalize()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decimal;

    #[test]
    fn a_price_is_converted_at_ten_decimals() {
        let cases = [
            ("121", Prices::Gross, Prices::Net, 2_100, "100"),
            ("10", Prices::Gross, Prices::Net, 900, "9.1743119266"),
            ("-10", Prices::Gross, Prices::Net, 2_100, "-8.2644628099"),
            ("10", Prices::Gross, Prices::Net, 0, "10"),
            ("0.01", Prices::Net, Prices::Gross, 2_100, "0.0121"),
            ("33.333333333333", Prices::Net, Prices::Net, 2_100, "33.333333333333"),
            ("33.333333333333", Prices::Gross, Prices::Gross, 2_100, "33.333333333333"),
        ];
        for (price, own, document, points, expected) in cases {
            let rate = VatRate::from_basis_points(points);
            let converted = price_on(decimal::parse(price).unwrap(), own, document, rate);
            assert_eq!(decimal::plain(&converted), expected, "{price} {own:?} {document:?}");
        }
    }
}
