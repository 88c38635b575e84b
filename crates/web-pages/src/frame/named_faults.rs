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
    let (names, places, lines) = (names(page), places(page), lines(page));
    let mut faults: Vec<(usize, String)> = list
        .get(first - start..)?
        .split(FAULT)
        .skip(1)
        .map(|rest| fault(rest.trim_end(), &names, &places, &lines))
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
    lines: &HashMap<&str, usize>,
) -> (usize, String) {
    let (field, message) = rest.split_once("\">").unwrap_or((rest, ""));
    let place = places.get(field).copied().unwrap_or(usize::MAX);
    let Some(name) = names.get(field) else { return (place, format!("{FAULT}{rest}")) };
    // Fields of every line have the labels of the first line's fields. A list of one line needs no
    // number.
    let line = line_of(field).filter(|(list, _)| lines.get(list).is_some_and(|last| *last > 0));
    let line = line.map(|(_, line)| format!(" ({})", line.saturating_add(1))).unwrap_or_default();
    (place, format!("{FAULT}{field}\">{name}{line}: {message}"))
}

/// List and number of the line that a field belongs to, from 0.
fn line_of(field: &str) -> Option<(&str, usize)> {
    let mut start = 0;
    for part in field.split('.') {
        if let Ok(line) = part.parse() {
            return Some((field.get(..start)?, line));
        }
        start += part.len() + 1;
    }
    None
}

/// Number of the last line of each list, from 0.
fn lines(page: &str) -> HashMap<&str, usize> {
    let mut lines: HashMap<&str, usize> = HashMap::new();
    let fields = after(page, " name=\"").chain(after(page, " id=\""));
    for (list, line) in fields.filter_map(|(field, _)| line_of(field)) {
        let last = lines.entry(list).or_default();
        *last = (*last).max(line);
    }
    lines
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
            "<li><a href=\"#scheme\">Scheme: Choose.</a></li><li><a href=\"#rows.0.monday\">Monday, Year book: No time.</a></li>\
             <li><a href=\"#gone\">What?</a></li>"
        );
    }

    #[test]
    fn only_a_list_of_several_lines_numbers_its_faults() {
        let faults = "<li><a href=\"#items.0.price\">No number.</a></li>";
        let field = "<label for=\"items.0.price\">Price</label><input id=\"items.0.price\">";
        let alone = "<li><a href=\"#items.0.price\">Price: No number.</a></li>";
        assert_eq!(list(faults, field), alone);
        let numbered = alone.replace("Price", "Price (1)");
        let others = "<input name=\"items.1.price\">";
        assert_eq!(list(faults, &format!("{field}{others}")), numbered);
    }

    #[test]
    fn a_page_without_faults_stays_as_it_is() {
        for page in ["<h1>Books</h1>", "<div class=\"faults\"><ul><li>Alone.</li></ul></div>"] {
            assert_eq!(complete(page.to_owned()), page);
        }
    }
}
