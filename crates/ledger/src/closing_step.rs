//! Year-end steps: the checklist for closing a year.

use crate::named::named;

named! {
    /// Year-end step. The variants are in the order in which the steps are done.
    ClosingStep {
        /// Bank statement lines without a booking.
        BankLines => "bankLines",
        /// Receipts without an expense.
        Receipts => "receipts",
        /// Depreciation of assets.
        Depreciation => "depreciation",
        /// Revenue and costs that belong to a different year than their invoice or bill.
        CutOff => "cutOff",
        /// Private use of goods.
        GoodsPrivateUse => "goodsPrivateUse",
        /// Private use of a car.
        CarPrivateUse => "carPrivateUse",
        /// Gifts.
        Gifts => "gifts",
        /// Revision of the VAT on assets.
        VatRevision => "vatRevision",
        /// Last VAT return of the year.
        LastReturn => "lastReturn",
        /// Closing of the year.
        Close => "close",
    }
}
