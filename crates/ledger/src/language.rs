//! Languages of the program.

use crate::named::named;

named! {
    /// Language of pages, mails and documents.
    Language {
        /// Dutch.
        Dutch => "nl",
        /// English.
        English => "en",
    }
}
