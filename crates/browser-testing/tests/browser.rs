//! Tests of the test browser: it finds the faults that it is meant to find.

#![expect(clippy::unwrap_used, reason = "a failure is a failed test")]

use browser_testing::{Browser, BrowserOptions, Listener};
use std::{
    panic,
    path::Path,
    process::Command,
    time::{Duration, Instant},
};

const GOOD: &str = "<!doctype html><html lang=nl><title>Goed</title><main><h1>Goed</h1><form action=/send>\
    <label>Naam <input name=name></label><label><input type=checkbox name=scope value=read> Lezen</label>\
    <button>Verstuur</button></form></main>";

#[test]
fn it_submits_a_form_with_and_without_scripts() {
    for javascript in [true, false] {
        let site =
            Listener::start("", &format!("{GOOD}<script>document.title = 'Met script'</script>"));
        let browser =
            Browser::start(&site.url(), BrowserOptions { javascript, ..BrowserOptions::default() });
        browser.goto("/");
        assert_eq!(browser.title(), if javascript { "Met script" } else { "Goed" });
        browser.fill("Naam", "Zó & zo");
        browser.tick("Lezen");
        browser.press("Verstuur");
        browser.arrive("/send");
        assert_eq!(browser.path(), "/send?name=Z%C3%B3+%26+zo&scope=read");
        browser.back();
        browser.arrive("/");
        browser.assert_accessible();
    }
}

#[test]
fn it_applies_language_colour_scheme_and_width() {
    let site = Listener::start("", GOOD);
    let mut browser = Browser::start(&site.url(), BrowserOptions::default());
    let seen = |browser: &Browser| {
        browser.goto("/");
        let language = site.requests().pop().unwrap().header("accept-language").unwrap().to_owned();
        let script =
            "return [innerWidth, matchMedia('(prefers-color-scheme: dark)').matches].join(' ')";
        format!("{language} {}", browser.script(script, vec![]).as_str().unwrap())
    };
    assert_eq!(seen(&browser), "nl 1280 false");
    browser.set(BrowserOptions { language: "en", width: 360, dark: true, javascript: true });
    assert_eq!(seen(&browser).replace("980", "360"), "en 360 true");
}

#[test]
fn it_keeps_and_sends_a_secure_host_cookie_on_loopback() {
    let site = Listener::start(
        "set-cookie: __Host-session=abc; Secure; HttpOnly; SameSite=Lax; Path=/\r\n",
        GOOD,
    );
    let browser = Browser::start(&site.url(), BrowserOptions::default());
    browser.goto("/");
    browser.reload();
    assert_eq!(site.requests()[1].header("cookie"), Some("__Host-session=abc"));
    assert_eq!(browser.cookie("__Host-session").unwrap().http_only, Some(true));
}

#[test]
fn it_reports_blocked_scripts_and_exceptions() {
    let site = Listener::start(
        "content-security-policy: script-src 'self'\r\n",
        &format!("{GOOD}<script>1</script>"),
    );
    let browser = Browser::start(&site.url(), BrowserOptions::default());
    browser.goto("/");
    let console = browser.console();
    assert!(console.len() == 1 && console[0].contains("Content Security Policy"), "{console:#?}");
    browser.script("setTimeout(() => { throw new Error('oh') }); return null", vec![]);
    let console = browser.wait_for_console();
    assert!(console[0].contains("oh"), "{console:#?}");
    assert!(browser.console().is_empty());
}

#[test]
fn a_test_fails_at_its_end_if_the_console_is_not_empty() {
    let failed = panic::catch_unwind(|| {
        let site = Listener::start(
            "content-security-policy: script-src 'self'\r\n",
            &format!("{GOOD}<script>1</script>"),
        );
        Browser::start(&site.url(), BrowserOptions::default()).goto("/");
    });
    let message = *failed.unwrap_err().downcast::<String>().unwrap();
    assert!(message.contains("Content Security Policy"), "{message}");
}

#[test]
fn it_finds_accessibility_faults() {
    let bad = "<!doctype html><html lang=en><title>Bad</title><main><h1>Bad</h1><p style='width: 3000px; color: #ccc'>Pale</p>\
        <input name=nameless><a href=/x style='outline: none' tabindex=0>Unseen</a></main>";
    let site = Listener::start("", bad);
    let browser = Browser::start(&site.url(), BrowserOptions::default());
    browser.goto("/");
    let rules: Vec<String> =
        browser.axe().iter().map(|line| line.split(':').next().unwrap().to_owned()).collect();
    assert_eq!(rules, ["color-contrast", "label"]);
    let fails = |check: fn(&Browser)| {
        let failed = panic::catch_unwind(panic::AssertUnwindSafe(|| check(&browser)));
        *failed.unwrap_err().downcast::<String>().unwrap()
    };
    let reported = fails(Browser::assert_accessible);
    assert!(
        reported.contains("wider than the window")
            && reported.contains(r#"language is "en", not "nl""#),
        "{reported}"
    );
    let reported = fails(Browser::assert_usable_by_keyboard);
    assert!(
        reported.contains(r#"a "Unseen" is unseen"#) && !reported.contains("nameless\" is"),
        "{reported}"
    );
}

#[test]
fn a_good_page_passes() {
    let site = Listener::start("", GOOD);
    let browser = Browser::start(&site.url(), BrowserOptions::default());
    browser.goto("/");
    browser.assert_accessible();
    browser.assert_usable_by_keyboard();
    let picture = std::fs::read(browser.screenshot("good")).unwrap();
    assert!(picture.starts_with(b"\x89PNG"));
}

#[test]
fn a_failed_test_leaves_no_processes_or_files() {
    let folder = std::sync::Mutex::new(String::new());
    let failed = panic::catch_unwind(panic::AssertUnwindSafe(|| {
        let browser = Browser::start("", BrowserOptions::default());
        *folder.lock().unwrap() = browser.folder().display().to_string();
        assert!(!processes(&folder.lock().unwrap()).is_empty());
        panic!("a test fails");
    }));
    assert!(failed.is_err());
    let folder = folder.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    // All processes are killed at once, except the crash handlers, which exit after the browser.
    let end = Instant::now() + Duration::from_secs(20);
    while !processes(&folder).is_empty() {
        assert!(Instant::now() < end, "{:#?}", processes(&folder));
    }
    assert!(!Path::new(&folder).exists(), "{folder}");
}

/// Returns the command lines of running processes that contain the path `folder`.
fn processes(folder: &str) -> Vec<String> {
    let all = Command::new("ps").args(["-eo", "args"]).output().unwrap().stdout;
    String::from_utf8_lossy(&all)
        .lines()
        .filter(|line| line.contains(folder))
        .map(str::to_owned)
        .collect()
}
