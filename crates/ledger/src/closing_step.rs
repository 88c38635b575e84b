//! Steps that close a year.

use crate::named::named;

named! {
    /// Step at the end of a year, in the order in which they are done.
    ClosingStep {
        /// Lines of the bank statements without a booking.
        BankLines => "bankLines",
        /// Receipts without an expense.
        Receipts => "receipts",
        /// Depreciation of assets.
        Depreciation => "depreciation",
        /// Revenue and costs that belong to another year than their invoice or bill.
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
