//! Accessibility checks that apply to every page: WCAG as far as axe-core covers it, page language,
//! headings and horizontal scrolling.

use crate::Browser;
use serde_json::{Value, json};

const AXE: &str = include_str!("../axe/axe.min.js");
const TAGS: [&str; 6] = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

impl Browser {
    /// Returns the violations that axe-core finds on the page, with one text for each affected
    /// node.
    #[must_use]
    pub fn axe(&self) -> Vec<String> {
        // axe-core runs asynchronously in the page, so JavaScript must be enabled while it runs.
        if !self.options().javascript {
            self.let_scripts_run(true);
        }
        // A page checked earlier already contains axe-core, which is half a megabyte. Loading it as
        // a WebDriver script would take three times as long.
        if self.script("return !window.axe", vec![]) == true {
            let answer = self.cdp("Runtime.evaluate", json!({ "expression": AXE }));
            assert!(answer["exceptionDetails"].is_null(), "axe-core cannot be loaded: {answer}");
        }
        let script = "const done = arguments[1]; axe.run(document, arguments[0]).then(done, e => done({ error: String(e) }))";
        // Disables what the pages do not need: they have no frames and load nothing external, and
        // the HTML of a node is enough to identify it.
        let options = json!({ "runOnly": TAGS, "resultTypes": ["violations"], "selectors": false, "iframes": false, "preload": false });
        let result = self.run(async {
            Ok(self.driver.execute_async(script, vec![options]).await?.json().clone())
        });
        if !self.options().javascript {
            self.let_scripts_run(false);
        }
        let violations = result["violations"]
            .as_array()
            .unwrap_or_else(|| panic!("axe-core cannot run: {result}"));
        violations.iter().flat_map(lines).collect()
    }

    /// Returns the accessibility faults: violations found by axe-core, a wrong language, horizontal
    /// scrolling, or a number of `h1` headings other than one.
    #[must_use]
    pub fn accessibility_faults(&self) -> Vec<String> {
        let mut faults = self.axe();
        let page = self.script(
            "const root = document.documentElement; return { lang: root.lang, wide: root.scrollWidth - root.clientWidth, \
             headings: document.querySelectorAll('h1').length }",
            vec![],
        );
        if page["lang"] != self.options().language {
            faults.push(format!(
                "the page's language is {}, not {:?}",
                page["lang"],
                self.options().language
            ));
        }
        if page["wide"].as_i64() > Some(0) {
            faults.push(format!("the page is {} pixels wider than the window", page["wide"]));
        }
        if page["headings"] != 1 {
            faults.push(format!("the page has {} h1", page["headings"]));
        }
        faults
    }

    /// Asserts that the page has no accessibility faults.
    pub fn assert_accessible(&self) {
        let faults = self.accessibility_faults();
        if !faults.is_empty() {
            let picture = self.screenshot("inaccessible");
            panic!(
                "{} ({:?}, {}):\n{}",
                self.url(),
                self.options(),
                picture.display(),
                faults.join("\n")
            );
        }
    }
}

/// Formats a violation: one text for each affected node, with the rule, the help and the failure.
fn lines(violation: &Value) -> Vec<String> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let nodes = violation["nodes"].as_array().map(Vec::as_slice).unwrap_or_default();
    let line = |node: &Value| {
        format!(
            "{}: {}\n  {}\n  {}",
            text(&violation["id"]),
            text(&violation["help"]),
            text(&node["html"]),
            text(&node["failureSummary"])
        )
    };
    nodes.iter().map(line).collect()
}
