//! A browser owned by one test: it starts without data and is removed when the test ends, even if
//! the test fails.

use crate::driver::Driver;
use base64::{Engine, engine::general_purpose::STANDARD};
use serde_json::{Value, json};
use std::{
    env,
    future::Future,
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};
use thirtyfour::{
    CapabilitiesHelper, ChromiumLikeCapabilities, Cookie, DesiredCapabilities,
    LoggingPrefsLogLevel, WebDriver, error::WebDriverResult,
};
use tokio::runtime::Runtime;

/// Timeout for something to appear on a page.
const WAIT_TIMEOUT: Duration = Duration::from_secs(20);

/// File name of the headless build of Chromium, which starts sooner and runs the tests in half the
/// time. chromedriver requires another browser name for this build.
const HEADLESS_SHELL: &str = "headless-shell";

/// Command-line arguments for Chromium: no windows, no sandbox (tests also run as root), and no
/// requests to the internet.
const ARGUMENTS: [&str; 8] = [
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
];

/// User preferences and device that the browser emulates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BrowserOptions {
    /// Value of `Accept-Language`.
    pub language: &'static str,
    /// Width of the window in CSS pixels; a width below 600 emulates a phone.
    pub width: u32,
    /// Whether JavaScript is enabled.
    pub javascript: bool,
    /// Whether the system prefers a dark colour scheme.
    pub dark: bool,
}

impl Default for BrowserOptions {
    fn default() -> Self {
        Self { language: "nl", width: 1280, javascript: true, dark: false }
    }
}

/// A browser used by one user on one server.
///
/// A test fails at its end if the console contains an error or a warning, such as a violation of
/// the Content-Security-Policy, that was not fetched with [`Browser::console`].
pub struct Browser {
    pub(crate) driver: WebDriver,
    runtime: Runtime,
    base: String,
    test: String,
    options: BrowserOptions,
    // Declared last, so that it is dropped last: dropping it ends the processes.
    processes: Driver,
}

impl Browser {
    /// Starts a browser. Paths passed to [`Browser::goto`] are relative to `base`.
    #[must_use]
    pub fn start(base: &str, options: BrowserOptions) -> Self {
        let processes = Driver::start();
        let mut chromium = DesiredCapabilities::chrome();
        if processes.browser.ends_with(HEADLESS_SHELL) {
            chromium.set("browserName", "chrome-headless-shell").unwrap();
        }
        chromium.set_binary(&processes.browser).unwrap();
        for argument in ARGUMENTS {
            chromium.add_arg(argument).unwrap();
        }
        chromium
            .add_arg(&format!(
                "--user-data-dir={}",
                processes.folder.path().join("profile").display()
            ))
            .unwrap();
        chromium.set_browser_log_level(LoggingPrefsLogLevel::All).unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let driver =
            runtime.block_on(WebDriver::builder(&processes.url, chromium).connect()).unwrap();
        let test = thread::current().name().unwrap_or("browser").replace("::", "-");
        let browser = Self { driver, runtime, base: base.to_owned(), test, options, processes };
        browser.apply(None);
        // Pages may copy to the clipboard without focus: a browser without windows never gives a
        // page the focus that copying requires.
        browser.permit(&["clipboardSanitizedWrite"]);
        browser
    }

    /// Folder for all files that the browser writes; it is removed together with the browser.
    #[must_use]
    pub fn folder(&self) -> &Path {
        self.processes.folder.path()
    }

    /// Current options.
    #[must_use]
    pub fn options(&self) -> BrowserOptions {
        self.options
    }

    /// Changes the options, with effect from the next page.
    pub fn set(&mut self, options: BrowserOptions) {
        let before = std::mem::replace(&mut self.options, options);
        self.apply(Some(before));
    }

    /// Applies the options that have changed.
    fn apply(&self, before: Option<BrowserOptions>) {
        let BrowserOptions { language, width, javascript, dark } = self.options;
        if before.map(|before| before.language) != Some(language) {
            let agent = self.cdp("Browser.getVersion", json!({}))["userAgent"].clone();
            self.cdp(
                "Emulation.setUserAgentOverride",
                json!({ "userAgent": agent, "acceptLanguage": language }),
            );
        }
        if before.map(|before| before.width) != Some(width) {
            let phone = width < 600;
            let height = if phone { 800 } else { 900 };
            let screen = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": phone });
            self.cdp("Emulation.setDeviceMetricsOverride", screen);
        }
        if before.map(|before| before.dark) != Some(dark) {
            let scheme = json!({ "name": "prefers-color-scheme", "value": if dark { "dark" } else { "light" } });
            // Motion is reduced, so that accessibility checks never see a colour in mid-transition.
            let still = json!({ "name": "prefers-reduced-motion", "value": "reduce" });
            self.cdp("Emulation.setEmulatedMedia", json!({ "features": [scheme, still] }));
        }
        if before.map(|before| before.javascript) != Some(javascript) {
            self.let_scripts_run(javascript);
        }
    }

    pub(crate) fn let_scripts_run(&self, yes: bool) {
        self.cdp("Emulation.setScriptExecutionDisabled", json!({ "value": !yes }));
    }

    /// Opens a page, given by a path on the server or an absolute URL.
    pub fn goto(&self, address: &str) {
        let address = if address.starts_with('/') {
            format!("{}{address}", self.base)
        } else {
            address.to_owned()
        };
        self.run(self.driver.goto(&address));
    }

    /// Grants permissions to pages and revokes all others.
    fn permit(&self, permissions: &[&str]) {
        self.cdp("Browser.grantPermissions", json!({ "permissions": permissions }));
    }

    /// Closes the tab, as a user does, and continues in a new one.
    pub fn change_tab(&self) {
        self.run(async {
            let fresh = self.driver.new_tab().await?;
            self.driver.close_window().await?;
            self.driver.switch_to_window(fresh).await
        });
        self.apply(None);
    }

    /// Goes back to the previous page.
    pub fn back(&self) {
        self.run(self.driver.back());
    }

    /// Reloads the page.
    pub fn reload(&self) {
        self.run(self.driver.refresh());
    }

    /// Returns the URL of the page.
    #[must_use]
    pub fn url(&self) -> String {
        self.run(self.driver.current_url()).to_string()
    }

    /// Returns the path and query of the page, or the whole URL if it is on another server.
    #[must_use]
    pub fn path(&self) -> String {
        let url = self.url();
        url.strip_prefix(&self.base).map_or_else(|| url.clone(), str::to_owned)
    }

    /// Returns the page's title.
    #[must_use]
    pub fn title(&self) -> String {
        self.run(self.driver.title())
    }

    /// Returns the visible text of the page.
    #[must_use]
    pub fn text(&self) -> String {
        self.script("return document.body.innerText", vec![])
            .as_str()
            .unwrap_or_default()
            .to_owned()
    }

    /// Waits until the page shows the given text.
    pub fn see(&self, text: &str) {
        self.wait(&format!("the text {text:?}"), || self.text().contains(text).then_some(()));
    }

    /// Waits until the page has this path: with any query, unless `path` contains one.
    pub fn arrive(&self, path: &str) {
        self.wait(&format!("the page {path}"), || {
            let shown = self.path();
            let is_there = if path.contains('?') {
                shown == path
            } else {
                shown.split('?').next() == Some(path)
            };
            is_there.then_some(())
        });
    }

    /// Returns the server's cookie with the given name.
    #[must_use]
    pub fn cookie(&self, name: &str) -> Option<Cookie> {
        self.run(self.driver.get_all_cookies()).into_iter().find(|cookie| cookie.name == name)
    }

    /// Sets a cookie, as a cookie thief could.
    pub fn set_cookie(&self, cookie: Cookie) {
        self.run(self.driver.add_cookie(cookie));
    }

    /// Deletes all cookies.
    pub fn delete_cookies(&self) {
        self.run(self.driver.delete_all_cookies());
    }

    /// Saves downloads to a folder.
    pub fn download_to(&self, folder: &Path) {
        self.cdp(
            "Browser.setDownloadBehavior",
            json!({ "behavior": "allow", "downloadPath": folder }),
        );
    }

    /// Waits for a downloaded file and returns its contents.
    #[must_use]
    pub fn downloaded(&self, file: &Path) -> Vec<u8> {
        // The file gets this name only when the download is complete.
        self.wait(&file.display().to_string(), || {
            std::fs::read(file).ok().filter(|bytes| !bytes.is_empty())
        })
    }

    /// Returns the text on the clipboard.
    #[must_use]
    pub fn clipboard(&self) -> String {
        self.permit(&["clipboardSanitizedWrite", "clipboardReadWrite"]);
        let script = "const done = arguments[0]; navigator.clipboard.readText().then(done, e => done(String(e)))";
        let read =
            self.run(async { Ok(self.driver.execute_async(script, vec![]).await?.json().clone()) });
        read.as_str().unwrap_or_default().to_owned()
    }

    /// Takes a screenshot of the whole page and saves it as
    /// `target/browser/<test>-<name>-<width>.png`.
    pub fn screenshot(&self, name: &str) -> PathBuf {
        let size = &self.cdp("Page.getLayoutMetrics", json!({}))["cssContentSize"];
        let clip = json!({ "x": 0, "y": 0, "width": self.options.width, "height": size["height"], "scale": 1 });
        let picture = self
            .cdp("Page.captureScreenshot", json!({ "captureBeyondViewport": true, "clip": clip }));
        // The test program is in target/<profile>/deps.
        let program = env::current_exe().unwrap();
        let folder = program
            .ancestors()
            .nth(3)
            .expect("test programs are in target/<profile>/deps")
            .join("browser");
        std::fs::create_dir_all(&folder).unwrap();
        let file = folder.join(format!("{}-{name}-{}.png", self.test, self.options.width));
        std::fs::write(&file, STANDARD.decode(picture["data"].as_str().unwrap()).unwrap()).unwrap();
        file
    }

    /// Runs a script in the page and returns its result.
    pub fn script(&self, script: &str, arguments: Vec<Value>) -> Value {
        self.run(async { Ok(self.driver.execute(script, arguments).await?.json().clone()) })
    }

    /// Sends a command of the Chrome DevTools Protocol.
    pub(crate) fn cdp(&self, command: &str, parameters: Value) -> Value {
        self.run(self.driver.cdp().send_raw(command, parameters))
    }

    pub(crate) fn run<T>(&self, command: impl Future<Output = WebDriverResult<T>>) -> T {
        self.attempt(command).unwrap_or_else(|error| panic!("{error}"))
    }

    pub(crate) fn attempt<T>(
        &self,
        command: impl Future<Output = WebDriverResult<T>>,
    ) -> WebDriverResult<T> {
        self.runtime.block_on(command)
    }

    /// Polls until `look` finds something.
    pub(crate) fn wait<T>(&self, what: &str, look: impl Fn() -> Option<T>) -> T {
        let end = Instant::now() + WAIT_TIMEOUT;
        loop {
            if let Some(result) = look() {
                return result;
            }
            assert!(
                Instant::now() < end,
                "{what} does not appear on {}, which says:\n{}",
                self.url(),
                self.text()
            );
            self.runtime.block_on(async { tokio::time::sleep(Duration::from_millis(20)).await });
        }
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        if thread::panicking() {
            let taken = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                (self.screenshot("failed"), self.url(), self.console())
            }));
            if let Ok((picture, url, console)) = taken {
                eprintln!(
                    "the browser was at {url}; picture: {}; console: {console:?}",
                    picture.display()
                );
            }
        }
        let console = if thread::panicking() { Vec::new() } else { self.console() };
        // The session is not closed, because its processes are killed next.
        let _ = self.driver.clone().leak();
        assert!(console.is_empty(), "unexpected console messages:\n{}", console.join("\n"));
    }
}
