//! A browser of a test's own: empty at the start, and gone at the end, however the test ends.

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
    CapabilitiesHelper, ChromiumLikeCapabilities, Cookie, DesiredCapabilities, LoggingPrefsLogLevel, WebDriver,
    error::WebDriverResult,
};
use tokio::runtime::Runtime;

/// How long a page may take to show what a test looks for.
const WAIT_TIMEOUT: Duration = Duration::from_secs(20);

/// Chromium without a window to show anything in: it is sooner there, and takes half the time. Its driver wants to know.
const HEADLESS_SHELL: &str = "headless-shell";

/// `--no-sandbox` because tests also run as root; the others keep it from asking the outside world for anything.
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

/// Who looks at the pages, and on what.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BrowserOptions {
    /// What `Accept-Language` asks for.
    pub language: &'static str,
    /// Width of the window in CSS pixels; below 600 it is a phone.
    pub width: u32,
    /// Whether scripts of pages run.
    pub javascript: bool,
    /// Whether the system asks for dark colours.
    pub dark: bool,
}

impl Default for BrowserOptions {
    fn default() -> Self {
        Self { language: "nl", width: 1280, javascript: true, dark: false }
    }
}

/// A browser in which one person looks at one server's pages.
///
/// The test fails when it ends and the console holds an error or a warning, such as a breach of the Content-Security-Policy, that
/// nobody asked for with [`Browser::console`].
pub struct Browser {
    pub(crate) driver: WebDriver,
    runtime: Runtime,
    base: String,
    test: String,
    options: BrowserOptions,
    // Dropped last: with it the processes end.
    processes: Driver,
}

impl Browser {
    /// Starts one. Paths given to [`Browser::goto`] are below `base`.
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
        chromium.add_arg(&format!("--user-data-dir={}", processes.folder.path().join("profile").display())).unwrap();
        chromium.set_browser_log_level(LoggingPrefsLogLevel::All).unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let driver = runtime.block_on(WebDriver::builder(&processes.url, chromium).connect()).unwrap();
        let test = thread::current().name().unwrap_or("browser").replace("::", "-");
        let browser = Self { driver, runtime, base: base.to_owned(), test, options, processes };
        browser.apply(None);
        // A page that somebody presses a button of may copy; where there are no windows, no page is the one in front.
        browser.permit(&["clipboardSanitizedWrite"]);
        browser
    }

    /// The folder that holds everything it writes, as long as it lives.
    #[must_use]
    pub fn folder(&self) -> &Path {
        self.processes.folder.path()
    }

    /// How it looks at pages now.
    #[must_use]
    pub fn options(&self) -> BrowserOptions {
        self.options
    }

    /// Looks at pages in another way from the next page on.
    pub fn set(&mut self, options: BrowserOptions) {
        let before = std::mem::replace(&mut self.options, options);
        self.apply(Some(before));
    }

    /// Tells the browser what is not as it was before.
    fn apply(&self, before: Option<BrowserOptions>) {
        let BrowserOptions { language, width, javascript, dark } = self.options;
        if before.map(|before| before.language) != Some(language) {
            let agent = self.cdp("Browser.getVersion", json!({}))["userAgent"].clone();
            self.cdp("Emulation.setUserAgentOverride", json!({ "userAgent": agent, "acceptLanguage": language }));
        }
        if before.map(|before| before.width) != Some(width) {
            let phone = width < 600;
            let height = if phone { 800 } else { 900 };
            let screen = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": phone });
            self.cdp("Emulation.setDeviceMetricsOverride", screen);
        }
        if before.map(|before| before.dark) != Some(dark) {
            let scheme = json!({ "name": "prefers-color-scheme", "value": if dark { "dark" } else { "light" } });
            // What is on its way from one colour to another is judged by neither.
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

    /// Opens a page: a path of the server, or a whole address.
    pub fn goto(&self, address: &str) {
        let address = if address.starts_with('/') { format!("{}{address}", self.base) } else { address.to_owned() };
        self.run(self.driver.goto(&address));
    }

    /// What pages may do without asking, and nothing else.
    fn permit(&self, permissions: &[&str]) {
        self.cdp("Browser.grantPermissions", json!({ "permissions": permissions }));
    }

    /// Goes back a page, as the Back button does.
    pub fn back(&self) {
        self.run(self.driver.back());
    }

    /// Loads the page again.
    pub fn reload(&self) {
        self.run(self.driver.refresh());
    }

    /// The address of the page.
    #[must_use]
    pub fn url(&self) -> String {
        self.run(self.driver.current_url()).to_string()
    }

    /// Path and query of the page; the whole address when it is not the server's.
    #[must_use]
    pub fn path(&self) -> String {
        let url = self.url();
        url.strip_prefix(&self.base).map_or_else(|| url.clone(), str::to_owned)
    }

    /// The page's title.
    #[must_use]
    pub fn title(&self) -> String {
        self.run(self.driver.title())
    }

    /// What a person sees of the page, as text.
    #[must_use]
    pub fn text(&self) -> String {
        self.script("return document.body.innerText", vec![]).as_str().unwrap_or_default().to_owned()
    }

    /// Waits until a person sees a text.
    pub fn see(&self, text: &str) {
        self.wait(&format!("the text {text:?}"), || self.text().contains(text).then_some(()));
    }

    /// Waits until the page is the one of a path, whatever its query.
    pub fn arrive(&self, path: &str) {
        self.wait(&format!("the page {path}"), || (self.path().split('?').next() == Some(path)).then_some(()));
    }

    /// A cookie that pages of this server get sent.
    #[must_use]
    pub fn cookie(&self, name: &str) -> Option<Cookie> {
        self.run(self.driver.get_all_cookies()).into_iter().find(|cookie| cookie.name == name)
    }

    /// Sets a cookie, as a thief would who has got hold of it.
    pub fn set_cookie(&self, cookie: Cookie) {
        self.run(self.driver.add_cookie(cookie));
    }

    /// Forgets all cookies.
    pub fn delete_cookies(&self) {
        self.run(self.driver.delete_all_cookies());
    }

    /// Keeps what is downloaded in a folder.
    pub fn download_to(&self, folder: &Path) {
        self.cdp("Browser.setDownloadBehavior", json!({ "behavior": "allow", "downloadPath": folder }));
    }

    /// What a downloaded file holds, once it is there.
    #[must_use]
    pub fn downloaded(&self, file: &Path) -> Vec<u8> {
        // Until it is whole it has another name.
        self.wait(&file.display().to_string(), || std::fs::read(file).ok().filter(|bytes| !bytes.is_empty()))
    }

    /// What was copied.
    #[must_use]
    pub fn clipboard(&self) -> String {
        self.permit(&["clipboardSanitizedWrite", "clipboardReadWrite"]);
        let script = "const done = arguments[0]; navigator.clipboard.readText().then(done, e => done(String(e)))";
        let read = self.run(async { Ok(self.driver.execute_async(script, vec![]).await?.json().clone()) });
        read.as_str().unwrap_or_default().to_owned()
    }

    /// Takes a picture of the whole page: `target/browser/<test>-<name>-<width>.png`.
    pub fn screenshot(&self, name: &str) -> PathBuf {
        let size = &self.cdp("Page.getLayoutMetrics", json!({}))["cssContentSize"];
        let clip = json!({ "x": 0, "y": 0, "width": self.options.width, "height": size["height"], "scale": 1 });
        let picture = self.cdp("Page.captureScreenshot", json!({ "captureBeyondViewport": true, "clip": clip }));
        // The test program lies in target/<profile>/deps.
        let program = env::current_exe().unwrap();
        let folder = program.ancestors().nth(3).expect("a test program lies in target/<profile>/deps").join("browser");
        std::fs::create_dir_all(&folder).unwrap();
        let file = folder.join(format!("{}-{name}-{}.png", self.test, self.options.width));
        std::fs::write(&file, STANDARD.decode(picture["data"].as_str().unwrap()).unwrap()).unwrap();
        file
    }

    /// Runs a script in the page and gives what it returns.
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

    pub(crate) fn attempt<T>(&self, command: impl Future<Output = WebDriverResult<T>>) -> WebDriverResult<T> {
        self.runtime.block_on(command)
    }

    /// Looks again and again until there is what a test looks for.
    pub(crate) fn wait<T>(&self, what: &str, look: impl Fn() -> Option<T>) -> T {
        let end = Instant::now() + WAIT_TIMEOUT;
        loop {
            if let Some(found) = look() {
                return found;
            }
            assert!(Instant::now() < end, "{what} does not appear on {}, which says:\n{}", self.url(), self.text());
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
                eprintln!("the browser was at {url}; picture: {}; console: {console:?}", picture.display());
            }
        }
        let console = if thread::panicking() { Vec::new() } else { self.console() };
        // Nothing needs to be said to it: its processes are about to be killed.
        let _ = self.driver.clone().leak();
        assert!(console.is_empty(), "the console holds what nobody asked for:\n{}", console.join("\n"));
    }
}
