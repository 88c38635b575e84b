//! Finds routes that no test visits: no string of a test matches their path.

use super::Files;
use regex::Regex;

/// Returns each untested route as `path (file)`.
pub(super) fn find(files: &Files) -> anyhow::Result<Vec<String>> {
    let routed = Regex::new(r#"(?:\.route\(\s*|Page::at\(\s*)"(/[^"]*)""#)?;
    let operation = Regex::new(r#"Operation::\w+(?:::<[^(]*>)?\(\s*"(/[^"]*)""#)?;
    let unreleased = Regex::new(r"#\[cfg\(debug_assertions\)\]\s*[^\n]*\n")?;
    let tests: String =
        files.iter().filter(|(file, _)| is_test(file)).map(|(_, text)| text.as_str()).collect();
    let mut found = Vec::new();
    for (file, text) in
        files.iter().filter(|(file, _)| file.starts_with("crates/web") && file.contains("/src/"))
    {
        // Routes of debug builds need no test.
        let text = &unreleased.replace_all(text, "");
        for path in [&routed, &operation]
            .into_iter()
            .flat_map(|pattern| pattern.captures_iter(text))
            .filter_map(|route| route.get(1))
        {
            if !visits(path.as_str())?.is_match(&tests) {
                found.push(format!("{} ({file})", path.as_str()));
            }
        }
    }
    Ok(found)
}

fn is_test(file: &str) -> bool {
    file.ends_with(".rs") && (file.contains("/tests/") || file.starts_with("crates/testing/"))
}

/// Pattern that matches the path in a string of a test, with its parameters filled in or named. A
/// file extension may follow, as for a list that is downloaded as a file.
fn visits(path: &str) -> anyhow::Result<Regex> {
    let parts = path.split('/').skip(1).map(|part| {
        if part.starts_with('{') { r#"[^/"\s]+"#.to_owned() } else { regex::escape(part) }
    });
    let pattern = parts.collect::<Vec<_>>().join("/");
    Ok(Regex::new(&format!(r#"["/]{pattern}["?/#\\ {{.]"#))?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_route_without_a_test_is_found() {
        let routes = ".route(\"/a/{id}\", get(x)).route(\"/b\", get(y)).route(\"/c\", get(z))";
        let tests = "get(&format!(\"/a/{made}\")); get(\"/c?d=1\")";
        let files = Files::from([
            ("crates/web/src/lib.rs".to_owned(), routes.to_owned()),
            ("crates/web/tests/a.rs".to_owned(), tests.to_owned()),
        ]);
        assert_eq!(find(&files).unwrap(), ["/b (crates/web/src/lib.rs)"]);
    }
}
