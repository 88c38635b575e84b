//! Finds elements by their visible names, and uses them.

use crate::Browser;
use serde_json::Value;
use thirtyfour::WebElement;

/// Script that finds elements by name.
const FIND: &str = include_str!("find.js");

/// Script that draws a receipt as a JPEG and drops it on the page's drop zone.
const DROP: &str = include_str!("drop.js");

/// Script that marks the current page and returns whether clicking an element opens another page:
/// true for links to other pages, and for submit buttons of forms that pass the browser's
/// validation.
const LEADS_ON: &str = "window.beforeThePress = true; const [it] = arguments; \
    if (it.localName === 'a') return !it.getAttribute('href').startsWith('#'); \
    return it.type === 'submit' && !!it.form && (it.form.noValidate || it.form.checkValidity())";

impl Browser {
    /// Replaces the value of a field, found by its label or name.
    pub fn fill(&self, field: &str, value: &str) {
        let element = self.find("field", field);
        self.run(async {
            element.clear().await?;
            element.send_keys(value).await
        });
    }

    /// Selects a file in a field, found by its label or name.
    pub fn attach(&self, field: &str, file: &std::path::Path) {
        let element = self.find("field", field);
        self.run(element.send_keys(file.display().to_string()));
    }

    /// Sets a date, such as `2026-03-15`, in a field found by its label or name. A script sets the
    /// value, because typing would depend on the browser's own language.
    pub fn choose_day(&self, field: &str, day: &str) {
        let element = self.find("field", field);
        let script = "const [field, day] = arguments; field.value = day; field.dispatchEvent(new Event('input', { bubbles: true }))";
        self.script(script, vec![element.to_json().unwrap(), day.into()]);
    }

    /// Drops a picture of a receipt, generated in the browser, on the drop zone.
    pub fn drop_photograph(&self, name: &str) {
        self.script(DROP, vec![name.into()]);
    }

    /// Returns the value of a field.
    #[must_use]
    pub fn value(&self, field: &str) -> String {
        let element = self.find("field", field);
        self.run(element.prop("value")).unwrap_or_default()
    }

    /// Selects an option, by text or value, of a select found by its label or name.
    pub fn choose(&self, field: &str, option: &str) {
        let element = self.find("field", field);
        let script = "const [select, wanted] = arguments; \
            const option = [...select.options].find(o => o.text.trim() === wanted || o.value === wanted); \
            if (!option) return false; \
            select.value = option.value; select.dispatchEvent(new Event('change', { bubbles: true })); return true";
        let chosen = self.script(script, vec![element.to_json().unwrap(), option.into()]);
        assert_eq!(chosen, Value::Bool(true), "{field:?} has no option {option:?}");
    }

    /// Ticks a checkbox or selects a radio button, found by its label, name or value.
    pub fn tick(&self, field: &str) {
        let element = self.find("field", field);
        if !self.run(element.is_selected()) {
            self.click(&element);
        }
    }

    /// Whether a checkbox is ticked.
    #[must_use]
    pub fn ticked(&self, field: &str) -> bool {
        let element = self.find("field", field);
        self.run(element.is_selected())
    }

    /// Clicks a button or link, found by its text, and waits for the page that it leads to.
    pub fn press(&self, name: &str) {
        self.follow(&self.find("button", name));
    }

    /// Clicks the button of the form whose action contains a text, and waits for the page that it
    /// leads to.
    pub fn submit(&self, action: &str) {
        self.follow(&self.find("form", action));
    }

    /// Clicks a button or link that starts a download or changes the page in place.
    pub fn press_in_place(&self, name: &str) {
        let element = self.find("button", name);
        self.click(&element);
    }

    /// Clicks an element as a user would, after scrolling it to the middle of the window, clear of
    /// bars fixed at the edges.
    fn click(&self, element: &WebElement) {
        self.script(
            "arguments[0].scrollIntoView({ block: 'center', behavior: 'instant' })",
            vec![element.to_json().unwrap()],
        );
        self.run(element.click());
    }

    fn follow(&self, element: &WebElement) {
        let leads_on = self.script(LEADS_ON, vec![element.to_json().unwrap()]) == Value::Bool(true);
        self.click(element);
        if leads_on {
            self.wait_for_next_page();
        }
    }

    /// Presses keys that lead to another page, and waits for it.
    pub fn leave_by(&self, press: impl FnOnce(&Self)) {
        self.script("window.beforeThePress = true", vec![]);
        press(self);
        self.wait_for_next_page();
    }

    /// Presses a key that leads to another page, and waits for it.
    pub fn leave_by_key(&self, key: char) {
        self.script("window.beforeThePress = true", vec![]);
        let pressed = self.driver.action_chain().send_keys(key.to_string());
        // The driver gives up on a key if its page takes long; whether it came decides below.
        let _ = self.attempt(async { pressed.perform().await });
        self.wait_for_next_page();
    }

    /// Waits until the page that was marked before a press is gone and another has loaded.
    fn wait_for_next_page(&self) {
        let arrived = "return !window.beforeThePress && document.readyState === 'complete'";
        let look = || {
            self.attempt(async { Ok(self.driver.execute(arrived, vec![]).await?.json().clone()) })
        };
        self.wait("the next page", || (look().ok()? == Value::Bool(true)).then_some(()));
    }

    /// Whether a button or link with this name exists now.
    #[must_use]
    pub fn offers(&self, name: &str) -> bool {
        self.look_for("button", name).is_some()
    }

    /// Returns the text of the first element that matches a CSS selector.
    #[must_use]
    pub fn text_of(&self, selector: &str) -> String {
        let script = "return document.querySelector(arguments[0])?.innerText ?? null";
        self.wait(selector, || {
            self.script(script, vec![selector.into()]).as_str().map(str::to_owned)
        })
    }

    /// Returns an attribute of the first element that matches a CSS selector.
    #[must_use]
    pub fn attribute_of(&self, selector: &str, attribute: &str) -> Option<String> {
        let script =
            "return document.querySelector(arguments[0])?.getAttribute(arguments[1]) ?? null";
        self.script(script, vec![selector.into(), attribute.into()]).as_str().map(str::to_owned)
    }

    /// Whether an element matches a CSS selector now.
    #[must_use]
    pub fn has(&self, selector: &str) -> bool {
        self.script("return !!document.querySelector(arguments[0])", vec![selector.into()])
            == Value::Bool(true)
    }

    fn find(&self, kind: &str, name: &str) -> WebElement {
        self.wait(&format!("a {kind} {name:?}"), || self.look_for(kind, name))
    }

    fn look_for(&self, kind: &str, name: &str) -> Option<WebElement> {
        let result = self
            .attempt(async { self.driver.execute(FIND, vec![kind.into(), name.into()]).await })
            .ok()?;
        result.element().ok()
    }
}
