//! Parses the pages that our templates render, and fills in their forms.

use crate::Reply;
use scraper::{ElementRef, Html, Selector};

/// A form on a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Form {
    /// Target path.
    pub action: String,
    /// Whether the method is POST rather than GET.
    pub is_post: bool,
    /// Names and values of the hidden fields.
    pub hidden: Vec<(String, String)>,
    /// Names and values that a browser submits without any user input, in page order, except
    /// files.
    pub fields: Vec<(String, String)>,
}

impl Form {
    /// Returns the value of a hidden field; empty if there is none.
    #[must_use]
    pub fn value(&self, name: &str) -> &str {
        self.hidden.iter().find(|(found, _)| found == name).map_or("", |(_, value)| value)
    }

    /// Sets the value of a hidden field.
    #[must_use]
    pub fn with(mut self, name: &str, value: &str) -> Self {
        for fields in [&mut self.hidden, &mut self.fields] {
            fields.retain(|(found, _)| found != name);
            fields.push((name.into(), value.into()));
        }
        self
    }

    /// Encodes the form as a browser submits it, with the values in `filled` and the page's own
    /// values for the other fields.
    #[must_use]
    pub fn filled(&self, filled: &[(&str, &str)]) -> String {
        let shown = self.fields.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let kept = shown.filter(|(name, _)| !filled.iter().any(|(given, _)| given == name));
        encoded(&kept.chain(filled.iter().copied()).collect::<Vec<_>>())
    }
}

/// Encodes fields as a browser submits them.
#[must_use]
pub fn encoded(fields: &[(&str, &str)]) -> String {
    form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish()
}

/// Parses the forms on a page.
///
/// # Panics
/// A form has no action, or a hidden field has no name or value.
#[must_use]
pub fn forms(page: &str) -> Vec<Form> {
    let attribute = |element: ElementRef<'_>, name| element.attr(name).unwrap().to_owned();
    let read = |form: ElementRef<'_>| Form {
        action: attribute(form, "action"),
        is_post: form.attr("method") == Some("post"),
        hidden: form
            .select(&css("input[type=hidden]"))
            .map(|input| (attribute(input, "name"), attribute(input, "value")))
            .collect(),
        fields: form
            .select(&css("[name]:not([disabled])"))
            .filter_map(|field| Some((attribute(field, "name"), submitted(field)?)))
            .collect(),
    };
    Html::parse_document(page).select(&css("form")).map(read).collect()
}

/// Returns the value that a browser submits for a field without user input (HTML, section
/// 4.10.22.4); `None` for buttons and files.
fn submitted(field: ElementRef<'_>) -> Option<String> {
    let value = field.attr("value");
    match (field.value().name(), field.attr("type")) {
        ("input", Some("checkbox" | "radio")) => {
            field.attr("checked").map(|_| value.unwrap_or("on").to_owned())
        }
        ("input", Some("file" | "submit")) => None,
        ("input", _) => Some(value.unwrap_or_default().to_owned()),
        ("textarea", _) => Some(text(field).replace('\n', "\r\n")),
        ("select", _) => {
            let options: Vec<_> = field.select(&css("option:not([disabled])")).collect();
            let selected = options
                .iter()
                .rfind(|option| option.attr("selected").is_some())
                .or(options.first())?;
            Some(
                selected
                    .attr("value")
                    .map_or_else(|| text(*selected).trim().to_owned(), str::to_owned),
            )
        }
        _ => None,
    }
}

/// Parses a selector.
fn css(selector: &str) -> Selector {
    Selector::parse(selector).unwrap()
}

/// Returns the text in an element.
fn text(element: ElementRef<'_>) -> String {
    element.text().collect()
}

/// Returns the first form with this action. A POST form takes precedence over the filter form of a
/// list.
///
/// # Panics
/// No form has this action.
#[must_use]
pub fn form_to(page: &str, action: &str) -> Form {
    let mut candidates: Vec<Form> =
        forms(page).into_iter().filter(|form| form.action == action).collect();
    candidates.sort_by_key(|form| !form.is_post);
    candidates.into_iter().next().unwrap_or_else(|| panic!("no form to {action}: {page}"))
}

/// Resolves the character references in HTML.
///
/// # Panics
/// The text contains a reference that our templates do not write.
#[must_use]
pub fn unescaped(text: &str) -> String {
    let mut parts = text.split("&#");
    let mut all = parts.next().unwrap().to_owned();
    for part in parts {
        let (number, rest) = part.split_once(';').unwrap();
        all.push(char::from_u32(number.parse().unwrap()).unwrap());
        all.push_str(rest);
    }
    all
}

/// Returns the forms with this action. If `action` does not begin with `/`, returns the forms whose
/// action contains it.
#[must_use]
pub fn forms_like(page: &Reply, action: &str) -> Vec<Form> {
    let fits = |form: &Form| {
        if action.starts_with('/') { form.action == action } else { form.action.contains(action) }
    };
    forms(&page.text).into_iter().filter(fits).collect()
}

/// Returns the only form that [`forms_like`] finds.
///
/// # Panics
/// No form matches, or several do.
#[must_use]
pub fn the_form(page: &Reply, action: &str) -> Form {
    let matching = forms_like(page, action);
    assert_eq!(matching.len(), 1, "forms to {action} on {}", page.text);
    matching[0].clone()
}

/// Returns the value of a field.
#[must_use]
pub fn value_of(page: &Reply, name: &str) -> Option<String> {
    let document = Html::parse_document(&page.text);
    let field = format!("input[name=\"{name}\"], select[name=\"{name}\"] option[selected]");
    let field = document.select(&css(&field)).next()?;
    field.attr("value").map(str::to_owned)
}

/// Returns the error message for a field.
#[must_use]
pub fn fault_of(page: &Reply, name: &str) -> Option<String> {
    element_by(page, "id", &format!("{name}-fault"))
}

/// Returns the text of the element with this id.
///
/// # Panics
/// The element does not exist.
#[must_use]
pub fn element(page: &Reply, id: &str) -> String {
    element_by(page, "id", id).unwrap_or_else(|| panic!("no {id}: {}", page.text))
}

/// Returns the text of the element with this test id.
#[must_use]
pub fn with_test_id(page: &Reply, id: &str) -> Option<String> {
    element_by(page, "data-testid", id)
}

fn element_by(page: &Reply, attribute: &str, value: &str) -> Option<String> {
    Html::parse_document(&page.text)
        .select(&css(&format!("[{attribute}=\"{value}\"]")))
        .next()
        .map(text)
}

/// Returns the page without its CSRF tokens, which differ per request.
#[must_use]
pub fn without_tokens(page: &Reply) -> String {
    let forms = forms(&page.text);
    let tokens = forms.iter().flat_map(|form| &form.hidden).filter(|(name, _)| name == "csrf");
    tokens.fold(page.text.clone(), |text, (_, token)| text.replace(token, ""))
}

#[cfg(test)]
mod tests {
    use super::{encoded, form_to};

    #[test]
    fn a_form_is_submitted_with_all_its_fields() {
        let page = "<form method=\"post\" action=\"/it\"><input type=\"hidden\" name=\"csrf\" value=\"t\">\
            <input name=\"a\" value=\"is checked\" required><input type=\"checkbox\" name=\"b\" value=\"1\" checked>\
            <input type=\"checkbox\" name=\"b\" value=\"2\"><input type=\"radio\" name=\"r\" value=\"x\"><input type=\"radio\" name=\"r\" value=\"y\" checked>\
            <select name=\"s\"><option value=\"1\">One<option value=\"2\" selected>Two</select>\
            <select name=\"first\"><option>Three</option><option>Four</option></select>\
            <textarea name=\"t\">\nA &#60;b&#62;\nC</textarea><input type=\"file\" name=\"f\"><input name=\"gone\" value=\"1\" disabled>\
            <button name=\"action\" value=\"go\"></button></form>";
        let form = form_to(page, "/it");
        let all = [
            ("csrf", "t"),
            ("a", "is checked"),
            ("b", "1"),
            ("r", "y"),
            ("s", "2"),
            ("first", "Three"),
            ("t", "A <b>\r\nC"),
        ];
        assert_eq!(form.filled(&[]), encoded(&all));
        let typed = [&all[..1], &all[2..], &[("a", "other"), ("action", "go")]].concat();
        assert_eq!(form.filled(&[("a", "other"), ("action", "go")]), encoded(&typed));
        assert_eq!(form.hidden, [("csrf".to_owned(), "t".to_owned())]);
    }
}
