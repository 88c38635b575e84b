//! Completes the list of faults above a form: adds the label of each field, and sorts the faults by
//! the position of their fields on the page.
//!
//! Labels and positions are known only once the page has been rendered, so the list is completed in
//! the HTML.

use std::collections::HashMap;

/// Start and end of the list of faults.
const LIST: (&str, &str) = ("<div class=\"faults\"", "</ul>");
/// Start of a fault that links to its field.
const FAULT: &str = "<li><a href=\"#";

/// Adds the labels of the fields to the page's list of faults.
pub(super) fn complete(page: String) -> String {
    completed(&page).unwrap_or(page)
}

fn completed(page: &str) -> Option<String> {
    let start = page.find(LIST.0)?;
    let list = page.get(start..)?.split(LIST.1).next()?;
    let first = start + list.find(FAULT)?;
    let (names, places) = (names(page), places(page));
    let mut faults: Vec<(usize, String)> = list
        .get(first - start..)?
        .split(FAULT)
        .skip(1)
        .map(|rest| fault(rest.trim_end(), &names, &places))
        .collect();
    faults.sort_by_key(|(place, _)| *place);
    let faults: String = faults.into_iter().map(|(_, fault)| fault).collect();
    Some([page.get(..first)?, &faults, page.get(start + list.len()..)?].concat())
}

/// Position of a fault's field, and the fault as HTML with the field's label. `rest` is the text
/// after [`FAULT`].
fn fault(
    rest: &str,
    names: &HashMap<&str, &str>,
    places: &HashMap<&str, usize>,
) -> (usize, String) {
    let (field, message) = rest.split_once("\">").unwrap_or((rest, ""));
    let place = places.get(field).copied().unwrap_or(usize::MAX);
    let Some(name) = names.get(field) else { return (place, format!("{FAULT}{rest}")) };
    // Fields of every line have the labels of the first line's fields.
    let line = field.split('.').find_map(|part| part.parse::<usize>().ok());
    let line = line.map(|line| format!(" ({})", line.saturating_add(1))).unwrap_or_default();
    (place, format!("{FAULT}{field}\">{name}{line}: {message}"))
}

/// Name of each field: its label, its legend, or its name for screen readers.
fn names(page: &str) -> HashMap<&str, &str> {
    let mut names = HashMap::new();
    for (field, rest) in after(page, "<fieldset id=\"") {
        if let Some((_, legend)) = rest
            .split("</fieldset>")
            .next()
            .and_then(|group| group.split_once("<legend class=\"label\">"))
        {
            names.insert(field, plain(legend));
        }
    }
    for (field, rest) in after(page, "<input id=\"") {
        let tag = rest.split('>').next().unwrap_or_default();
        if let Some(name) =
            tag.split_once(" aria-label=\"").and_then(|(_, name)| name.split('"').next())
        {
            names.insert(field, name);
        }
    }
    for (field, rest) in after(page, "<label for=\"") {
        names.insert(field, plain(rest.split_once('>').map_or("", |(_, name)| name)));
    }
    names.retain(|_, name| !name.is_empty());
    names
}

/// Position of each field.
fn places(page: &str) -> HashMap<&str, usize> {
    let found = page.match_indices(" id=\"").filter_map(|(place, start)| {
        Some((page.get(place + start.len()..)?.split('"').next()?, place))
    });
    found.collect()
}

/// Attribute values that follow each occurrence of `start`, each with the rest of the page.
fn after<'p>(page: &'p str, start: &'static str) -> impl Iterator<Item = (&'p str, &'p str)> {
    page.match_indices(start)
        .filter_map(move |(place, _)| page.get(place + start.len()..)?.split_once('"'))
}

/// Text up to the next tag.
fn plain(text: &str) -> &str {
    text.split('<').next().unwrap_or(text).trim()
}

#[cfg(test)]
mod tests {
    use super::complete;

    /// Completed list of faults of a page.
    fn list(faults: &str, fields: &str) -> String {
        let page = complete(format!(
            "<div class=\"faults\" role=\"alert\"><h2>Check</h2><ul>\n{faults}\n</ul>\n</div><form>{fields}</form>"
        ));
        page.split("<ul>").nth(1).unwrap().split("</ul>").next().unwrap().trim().to_owned()
    }

    #[test]
    fn each_fault_says_its_field_in_the_order_of_the_page() {
        let faults = "<li>Of the whole.</li><li><a href=\"#items.1.price\">No number.</a></li><li><a href=\"#date\">No day.</a></li>";
        let fields = "<label for=\"date\">Day <span class=\"optional\">optional</span></label><input id=\"date\">\
            <label for=\"items.1.price\">Price</label><input id=\"items.1.price\">";
        assert_eq!(
            list(faults, fields),
            "<li>Of the whole.</li><li><a href=\"#date\">Day: No day.</a></li>\
             <li><a href=\"#items.1.price\">Price (2): No number.</a></li>"
        );
    }

    #[test]
    fn a_field_is_called_by_its_legend_or_for_who_listens() {
        let faults = "<li><a href=\"#rows.0.monday\">No time.</a></li><li><a href=\"#scheme\">Choose.</a></li><li><a href=\"#gone\">What?</a></li>";
        let fields = "<fieldset id=\"scheme\" tabindex=\"-1\"><legend class=\"label\">Scheme</legend></fieldset>\
            <td><input id=\"rows.0.monday\" aria-label=\"Monday, Year book\"></td>";
        assert_eq!(
            list(faults, fields),
            "<li><a href=\"#scheme\">Scheme: Choose.</a></li><li><a href=\"#rows.0.monday\">Monday, Year book (1): No time.</a></li>\
             <li><a href=\"#gone\">What?</a></li>"
        );
    }

    #[test]
    fn a_page_without_faults_stays_as_it_is() {
        for page in ["<h1>Books</h1>", "<div class=\"faults\"><ul><li>Alone.</li></ul></div>"] {
            assert_eq!(complete(page.to_owned()), page);
        }
    }
}
