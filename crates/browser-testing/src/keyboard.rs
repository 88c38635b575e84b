//! A page without a mouse.

use crate::Browser;
use serde_json::Value;
use thirtyfour::Key;

/// Notes down what can be used on the page, how each looks while it has no focus, and from then on what the focus comes to.
const STOPS: &str = include_str!("stops.js");

/// What was not reached, or not seen when it was.
const MISSED: &str =
    "return window.stopsOfTheTest.filter(s => s.reached !== 'seen').map(s => `${s.name} is ${s.reached ?? 'not reached'}`)";

/// Where the focus came to, in order.
const ORDER: &str = "return window.orderOfTheTest.join(', ')";

/// How often Tab is pressed before the page is asked: one question a key would take longer than the keys.
const TABS: u64 = 25;

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
        // What notes down where the focus goes is a script itself.
        self.let_scripts_run(true);
        let count = self.script(STOPS, vec![]).as_u64().expect("the script counts");
        let missed = || match self.script(MISSED, vec![]) {
            Value::Array(missed) => missed.iter().filter_map(Value::as_str).map(str::to_owned).collect::<Vec<_>>(),
            other => panic!("the script lists, and gave {other}"),
        };
        // A field for a day has a stop for its day, month, year and calendar.
        let most = 4 * count + 1;
        let pressed = (0..most.div_ceil(TABS)).find(|_| {
            self.type_in(&Key::Tab.value().to_string().repeat(TABS as usize));
            missed().is_empty()
        });
        if pressed.is_none() {
            panic!("{} by keyboard:\n{}\nin order: {}", self.url(), missed().join("\n"), self.script(ORDER, vec![]));
        }
        self.let_scripts_run(self.options().javascript);
    }

    /// The text of what has the focus.
    #[must_use]
    pub fn focused_text(&self) -> String {
        self.run(async { self.driver.active_element().await?.text().await })
    }
}
