//! Languages of the program.

use crate::named::named;

named! {
    /// Language of pages, emails and documents.
    Language {
        /// Dutch.
        Dutch => "nl",
        /// English.
        English => "en",
    }
}
