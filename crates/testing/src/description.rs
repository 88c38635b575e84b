//! Helpers for tests based on the API description.

use serde_json::Value;

/// Fills a path of the API description with ids of existing resources. For each list on the path,
/// uses the first row for which the rest of the path exists too. Returns `None` if no ids fit.
/// `list` returns the response to a GET of a list.
pub fn existing(path: &str, list: &mut dyn FnMut(&str) -> Value) -> Option<String> {
    below("", path, list)
}

fn below(before: &str, path: &str, list: &mut dyn FnMut(&str) -> Value) -> Option<String> {
    let Some((own, rest)) = path.split_once("/{") else { return Some(format!("{before}{path}")) };
    let (_, rest) = rest.split_once('}').expect("a parameter has an end");
    let own = format!("{before}{own}");
    let answer = list(&own);
    let rows = answer["data"].as_array().unwrap_or_else(|| panic!("{own} is no list: {answer}"));
    let id = |row: &Value| {
        // A ledger account has a code instead of an id, and an occurrence a number.
        let id = row.get("id").or_else(|| row.get("code")).unwrap_or(&row["n"]);
        id.as_str().map_or_else(|| id.to_string(), str::to_owned)
    };
    // Only a document that was sent has a link.
    let fits = |row: &&Value| rest != "/link" || row["publicUrl"].is_string();
    rows.iter().filter(fits).find_map(|row| below(&format!("{own}/{}", id(row)), rest, list))
}

/// Whether a response reports that the request is well-formed but conflicts with the current state
/// of the books: 409, or 422 without a fault in a field.
#[must_use]
pub fn is_in_the_way(status: u16, answer: &str) -> bool {
    let answer: Value = serde_json::from_str(answer).unwrap_or_default();
    let is_of_no_field = || {
        answer["errors"]
            .as_array()
            .is_some_and(|faults| faults.iter().all(|fault| fault["pointer"] == ""))
    };
    status == 409 || (status == 422 && is_of_no_field())
}
