//! For tests of pages: a real Chromium of the test's own, driven through WebDriver, and what it is to find on every page.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "this crate is test code: a failure here is a failed test")]

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
