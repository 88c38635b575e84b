//! Keyboard operation of a page.

use crate::Browser;
use serde_json::{Value, json};
use std::ops::RangeInclusive;
use thirtyfour::Key;

/// Codes of special keys (WebDriver, section 17.4.2 "Keyboard actions").
const SPECIAL_KEYS: RangeInclusive<char> = '\u{e000}'..='\u{e05d}';

/// Bit of the Control key in `Input.dispatchKeyEvent`.
const CONTROL: u8 = 2;

/// Script that records the focusable elements of the page and how each looks without focus.
const STOPS: &str = include_str!("stops.js");

/// Script that returns the element with the focus, and records whether the focus is visible.
const FOCUS: &str = "const at = document.activeElement; const stop = window.stopsOfTheTest.find(stop => stop.element === at); \
    if (stop && stop.reached !== 'seen') stop.reached = stop.look() !== stop.before ? 'seen' : 'unseen'; \
    return stop ? stop.name : at === document.body || !at ? null : 'outside'";

/// Script that lists the elements that were not reached, or whose focus was not visible.
const MISSED: &str = "return window.stopsOfTheTest.filter(s => s.reached !== 'seen').map(s => `${s.name} is ${s.reached ?? 'not reached'}`)";

impl Browser {
    /// Presses Tab.
    pub fn tab(&self) {
        self.key(Key::Tab);
    }

    /// Presses Enter.
    pub fn enter(&self) {
        self.press_key(&json!({ "key": "Enter", "windowsVirtualKeyCode": 13, "text": "\r" }));
    }

    /// Presses Escape.
    pub fn escape(&self) {
        self.key(Key::Escape);
    }

    /// Presses Control and Enter, which submits a form.
    pub fn control_enter(&self) {
        self.press_key(
            &json!({ "key": "Enter", "windowsVirtualKeyCode": 13, "modifiers": CONTROL }),
        );
    }

    /// Types into the focused element. Text with codes of special keys, such as Backspace, may not
    /// lead to another page.
    pub fn type_in(&self, text: &str) {
        if text.chars().any(|key| SPECIAL_KEYS.contains(&key)) {
            self.run(async { self.driver.action_chain().send_keys(text).perform().await });
        } else {
            for key in text.chars() {
                self.press_key(&json!({ "key": key, "text": key }));
            }
        }
    }

    /// Presses and releases a key by the Chrome DevTools Protocol. Chromedriver repeats actions
    /// that lead to another page before they end, so that the key would be pressed twice.
    fn press_key(&self, key: &Value) {
        for kind in ["keyDown", "keyUp"] {
            let mut event = key.clone();
            event["type"] = kind.into();
            if kind == "keyUp" {
                event["text"] = "".into();
            }
            self.cdp("Input.dispatchKeyEvent", event);
        }
    }

    /// Presses Tab until an element that matches a CSS selector has the focus.
    pub fn tab_to(&self, selector: &str) {
        let arrived = "return !!document.activeElement?.matches(arguments[0])";
        for _ in 0..200 {
            self.tab();
            if self.script(arrived, vec![selector.into()]) == Value::Bool(true) {
                return;
            }
        }
        panic!("the Tab key does not reach {selector} on {}", self.url());
    }

    fn key(&self, key: Key) {
        self.run(async { self.driver.action_chain().send_keys(key.value()).perform().await });
    }

    /// Asserts that every usable element of the page can be reached with Tab, and that its focus is
    /// then visible.
    pub fn assert_usable_by_keyboard(&self) {
        // Starts at the top, wherever the page put the focus.
        self.script(
            "const top = document.body; top.tabIndex = -1; top.focus(); top.removeAttribute('tabindex'); return null",
            vec![],
        );
        let count = self.script(STOPS, vec![]).as_u64().expect("the script returns a number");
        let mut order = Vec::new();
        // An element has at most four Tab stops: a date field has one each for its day, month, year
        // and calendar.
        for _ in 0..=4 * count {
            self.tab();
            match self.script(FOCUS, vec![]) {
                Value::String(name) => order.push(name),
                _ => break,
            }
        }
        let missed = self.script(MISSED, vec![]);
        let missed: Vec<&str> =
            missed.as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        assert!(
            missed.is_empty(),
            "{} by keyboard:\n{}\nin order: {}",
            self.url(),
            missed.join("\n"),
            order.join(", ")
        );
    }

    /// Returns the text of the focused element.
    #[must_use]
    pub fn focused_text(&self) -> String {
        self.run(async { self.driver.active_element().await?.text().await })
    }
}
