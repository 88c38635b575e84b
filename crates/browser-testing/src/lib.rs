//! Browser for tests of pages: a real Chromium owned by the test and driven through WebDriver, with
//! checks that apply to every page.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "this crate is test code: a failure here is a failed test"
)]

mod axe;
mod browser;
mod console;
mod driver;
mod elements;
mod keyboard;
mod listener;

pub use browser::{Browser, BrowserOptions};
pub use listener::{Listener, Request};
pub use thirtyfour::Cookie;
