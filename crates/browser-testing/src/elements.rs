//! Finding things on a page by what a person sees of them, and using them.

use crate::Browser;
use serde_json::Value;
use thirtyfour::WebElement;

/// Finds elements by what they are called.
const FIND: &str = include_str!("find.js");

/// Draws a receipt, as a camera would see it, and drops it.
const DROP: &str = include_str!("drop.js");

/// Marks the page that is there, and tells whether pressing leads to another: a link elsewhere does, and what sends a form that is
/// filled in as the browser itself wants it.
const LEADS_ON: &str = "window.beforeThePress = true; const [it] = arguments; \
    if (it.localName === 'a') return !it.getAttribute('href').startsWith('#'); \
    return it.type === 'submit' && !!it.form && (it.form.noValidate || it.form.checkValidity())";

impl Browser {
    /// Writes into a field, found by its label or its name, instead of what stands there.
    pub fn fill(&self, field: &str, value: &str) {
        let element = self.find("field", field);
        self.run(async {
            element.clear().await?;
            element.send_keys(value).await
        });
    }

    /// Chooses a file in a field, found by its label or its name.
    pub fn attach(&self, field: &str, file: &std::path::Path) {
        let element = self.find("field", field);
        self.run(element.send_keys(file.display().to_string()));
    }

    /// Chooses a day, `2026-03-15`, in a field that is found by its label or its name. How it is typed depends on the browser's own language.
    pub fn choose_day(&self, field: &str, day: &str) {
        let element = self.find("field", field);
        let script =
            "const [field, day] = arguments; field.value = day; field.dispatchEvent(new Event('input', { bubbles: true }))";
        self.script(script, vec![element.to_json().unwrap(), day.into()]);
    }

    /// Drops a photograph, which the browser makes, where files can be dropped.
    pub fn drop_photograph(&self, name: &str) {
        self.script(DROP, vec![name.into()]);
    }

    /// What stands in a field.
    #[must_use]
    pub fn value(&self, field: &str) -> String {
        let element = self.find("field", field);
        self.run(element.prop("value")).unwrap_or_default()
    }

    /// Chooses an option, by its text or value, of a select that is found by its label or its name.
    pub fn choose(&self, field: &str, option: &str) {
        let element = self.find("field", field);
        let script = "const [select, wanted] = arguments; \
            const option = [...select.options].find(o => o.text.trim() === wanted || o.value === wanted); \
            if (!option) return false; \
            select.value = option.value; select.dispatchEvent(new Event('change', { bubbles: true })); return true";
        let chosen = self.script(script, vec![element.to_json().unwrap(), option.into()]);
        assert_eq!(chosen, Value::Bool(true), "{field:?} has no option {option:?}");
    }

    /// Ticks a box or chooses a radio button, found by its label, or by its name or value.
    pub fn tick(&self, field: &str) {
        let element = self.find("field", field);
        if !self.run(element.is_selected()) {
            self.click(&element);
        }
    }

    /// Whether a box is ticked.
    #[must_use]
    pub fn ticked(&self, field: &str) -> bool {
        let element = self.find("field", field);
        self.run(element.is_selected())
    }

    /// Presses a button or follows a link, found by its text, and waits for the page that it leads to.
    pub fn press(&self, name: &str) {
        self.follow(&self.find("button", name));
    }

    /// Presses a button of the form whose action contains a text, and waits for the page that it leads to.
    pub fn submit(&self, action: &str) {
        self.follow(&self.find("form", action));
    }

    /// Presses what leads to no other page: to a file, or to a change in place.
    pub fn press_in_place(&self, name: &str) {
        let element = self.find("button", name);
        self.click(&element);
    }

    /// Clicks where a person would: with the element in the middle, clear of bars that stay at the edge.
    fn click(&self, element: &WebElement) {
        self.script("arguments[0].scrollIntoView({ block: 'center', behavior: 'instant' })", vec![element.to_json().unwrap()]);
        self.run(element.click());
    }

    fn follow(&self, element: &WebElement) {
        let leads_on = self.script(LEADS_ON, vec![element.to_json().unwrap()]) == Value::Bool(true);
        self.click(element);
        if leads_on {
            let arrived = "return !window.beforeThePress && document.readyState === 'complete'";
            let look = || self.attempt(async { Ok(self.driver.execute(arrived, vec![]).await?.json().clone()) });
            self.wait("the next page", || (look().ok()? == Value::Bool(true)).then_some(()));
        }
    }

    /// Whether there is something to press of that name, now.
    #[must_use]
    pub fn offers(&self, name: &str) -> bool {
        self.look_for("button", name).is_some()
    }

    /// The text of the first element that a CSS selector finds.
    #[must_use]
    pub fn text_of(&self, selector: &str) -> String {
        let script = "return document.querySelector(arguments[0])?.innerText ?? null";
        self.wait(selector, || self.script(script, vec![selector.into()]).as_str().map(str::to_owned))
    }

    /// An attribute of the first element that a CSS selector finds.
    #[must_use]
    pub fn attribute_of(&self, selector: &str, attribute: &str) -> Option<String> {
        let script = "return document.querySelector(arguments[0])?.getAttribute(arguments[1]) ?? null";
        self.script(script, vec![selector.into(), attribute.into()]).as_str().map(str::to_owned)
    }

    /// Whether a CSS selector finds anything, now.
    #[must_use]
    pub fn has(&self, selector: &str) -> bool {
        self.script("return !!document.querySelector(arguments[0])", vec![selector.into()]) == Value::Bool(true)
    }

    fn find(&self, kind: &str, name: &str) -> WebElement {
        self.wait(&format!("a {kind} {name:?}"), || self.look_for(kind, name))
    }

    fn look_for(&self, kind: &str, name: &str) -> Option<WebElement> {
        let found = self.attempt(async { self.driver.execute(FIND, vec![kind.into(), name.into()]).await }).ok()?;
        found.element().ok()
    }
}
