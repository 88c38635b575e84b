//! A page without a mouse.

use crate::Browser;
use serde_json::Value;
use thirtyfour::Key;

/// Notes down what can be used on the page, and how each looks while it has no focus.
const STOPS: &str = include_str!("stops.js");

/// Which of these has the focus, and whether one sees it.
const FOCUS: &str = "const at = document.activeElement; const stop = window.stopsOfTheTest.find(stop => stop.element === at); \
    if (stop && stop.reached !== 'seen') stop.reached = stop.look() !== stop.before ? 'seen' : 'unseen'; \
    return stop ? stop.name : at === document.body || !at ? null : 'outside'";

/// What was not reached, or not seen when it was.
const MISSED: &str =
    "return window.stopsOfTheTest.filter(s => s.reached !== 'seen').map(s => `${s.name} is ${s.reached ?? 'not reached'}`)";

impl Browser {
    /// Presses Tab.
    pub fn tab(&self) {
        self.key(Key::Tab);
    }

    /// Presses Enter where the focus is.
    pub fn enter(&self) {
        self.key(Key::Enter);
    }

    /// Presses Escape.
    pub fn escape(&self) {
        self.key(Key::Escape);
    }

    /// Presses Enter with Control, as somebody does who is done with a form.
    pub fn control_enter(&self) {
        let pressed = self.driver.action_chain().key_down(Key::Control).key_down(Key::Enter).key_up(Key::Enter);
        self.run(async { pressed.key_up(Key::Control).perform().await });
    }

    /// Types where the focus is.
    pub fn type_in(&self, text: &str) {
        self.run(async { self.driver.action_chain().send_keys(text).perform().await });
    }

    /// Presses Tab until something has the focus that a CSS selector describes.
    pub fn tab_to(&self, selector: &str) {
        let arrived = "return !!document.activeElement?.matches(arguments[0])";
        for _ in 0..200 {
            self.tab();
            if self.script(arrived, vec![selector.into()]) == Value::Bool(true) {
                return;
            }
        }
        panic!("the Tab key does not come to {selector} on {}", self.url());
    }

    fn key(&self, key: Key) {
        self.run(async { self.driver.action_chain().send_keys(key.value()).perform().await });
    }

    /// Fails unless everything on the page that can be used is reached with the Tab key, and is seen to have the focus then.
    pub fn assert_usable_by_keyboard(&self) {
        // From the top, wherever the page itself put the focus.
        self.script(
            "const top = document.body; top.tabIndex = -1; top.focus(); top.removeAttribute('tabindex'); return null",
            vec![],
        );
        let count = self.script(STOPS, vec![]).as_u64().expect("the script counts");
        let mut order = Vec::new();
        // A field for a day has a stop for its day, month, year and calendar.
        for _ in 0..=4 * count {
            self.tab();
            match self.script(FOCUS, vec![]) {
                Value::String(name) => order.push(name),
                _ => break,
            }
        }
        let missed = self.script(MISSED, vec![]);
        let missed: Vec<&str> = missed.as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        assert!(missed.is_empty(), "{} by keyboard:\n{}\nin order: {}", self.url(), missed.join("\n"), order.join(", "));
    }

    /// The text of what has the focus.
    #[must_use]
    pub fn focused_text(&self) -> String {
        self.run(async { self.driver.active_element().await?.text().await })
    }
}
