//! The languages of the program.

use crate::named::named;

named! {
    /// A language that pages, mails and documents are written in.
    Language {
        /// Nederlands.
        Dutch => "nl",
        /// English.
        English => "en",
    }
}
