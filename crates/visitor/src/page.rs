//! Parses the pages that our templates render, and fills in their forms.

use crate::Reply;

/// A form on a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Form {
    /// Target path.
    pub action: String,
    /// Whether the method is POST rather than GET.
    pub is_post: bool,
    /// Names and values of the hidden fields.
    pub hidden: Vec<(String, String)>,
    /// Names and values that a browser submits without any user input, in page order, without
    /// files.
    pub fields: Vec<(String, String)>,
}

impl Form {
    /// Returns the value of a hidden field; empty if there is none.
    #[must_use]
    pub fn value(&self, name: &str) -> &str {
        self.hidden.iter().find(|(found, _)| found == name).map_or("", |(_, value)| value)
    }

    /// Replaces the value of a hidden field.
    #[must_use]
    pub fn with(mut self, name: &str, value: &str) -> Self {
        for fields in [&mut self.hidden, &mut self.fields] {
            fields.retain(|(found, _)| found != name);
            fields.push((name.into(), value.into()));
        }
        self
    }

    /// Encodes the form as a browser submits it: with the filled-in fields, and the page's values
    /// for the others.
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
    let all = page.split("<form").skip(1).map(|rest| rest.split("</form>").next().unwrap());
    let read = |text: &str| {
        let inputs = text.split("<input").skip(1).map(|rest| rest.split('>').next().unwrap());
        let hidden = inputs.filter(|input| attribute(input, "type").as_deref() == Some("hidden"));
        let tag = text.split('>').next().unwrap();
        Form {
            action: attribute(tag, "action").unwrap(),
            is_post: attribute(tag, "method").as_deref() == Some("post"),
            hidden: hidden.map(|input| (attribute(input, "name").unwrap(), attribute(input, "value").unwrap())).collect(),
            fields: fields(text),
        }
    };
    all.map(read).collect()
}

/// Fields that a browser submits without user input (HTML, section 4.10.22.4), except buttons and
/// files.
fn fields(form: &str) -> Vec<(String, String)> {
    let value = |element: &str| {
        let (tag, content) = element.split_once('>')?;
        let kind = attribute(tag, "type").unwrap_or_default();
        match tag.split_whitespace().next()? {
            "input" if matches!(kind.as_str(), "checkbox" | "radio") => {
                has(tag, "checked").then(|| attribute(tag, "value").unwrap_or_else(|| "on".to_owned()))
            }
            "input" if matches!(kind.as_str(), "file" | "submit") => None,
            "input" => Some(attribute(tag, "value").unwrap_or_default()),
            "textarea" => Some(unescaped(content.strip_prefix('\n').unwrap_or(content)).replace('\n', "\r\n")),
            _ => None,
        }
    };
    let mut fields: Vec<(String, String)> = Vec::new();
    // Name of the current select, and whether one of its options was seen.
    let mut select = None;
    for element in form.split('<').skip(1) {
        let tag = element.split('>').next().unwrap_or_default();
        if has(tag, "disabled") {
            continue;
        }
        match (tag.split_whitespace().next(), &mut select) {
            (Some("select"), _) => select = attribute(tag, "name").map(|name| (name, false)),
            (Some("/select"), _) => select = None,
            (Some("option"), Some((name, is_begun))) => {
                let text = element.split_once('>').map_or("", |(_, text)| text);
                let value = attribute(tag, "value").unwrap_or_else(|| unescaped(text.trim()));
                // The first option is selected by default.
                if !*is_begun {
                    fields.push((name.clone(), value));
                } else if let (true, Some((_, chosen))) = (has(tag, "selected"), fields.last_mut()) {
                    *chosen = value;
                }
                *is_begun = true;
            }
            _ => fields.extend(attribute(tag, "name").zip(value(element))),
        }
    }
    fields
}

/// Whether a tag has a boolean attribute.
fn has(tag: &str, name: &str) -> bool {
    tag.split('"').step_by(2).any(|part| part.split_whitespace().any(|word| word == name))
}

/// Returns the first form with this action, preferring POST forms over filters of lists.
///
/// # Panics
/// No form has this action.
#[must_use]
pub fn form_to(page: &str, action: &str) -> Form {
    let mut candidates: Vec<Form> = forms(page).into_iter().filter(|form| form.action == action).collect();
    candidates.sort_by_key(|form| !form.is_post);
    candidates.into_iter().next().unwrap_or_else(|| panic!("no form to {action}: {page}"))
}

/// Returns the value of an attribute of a tag.
#[must_use]
pub fn attribute(tag: &str, name: &str) -> Option<String> {
    let value = tag.split_once(&format!(" {name}=\""))?.1.split('"').next()?;
    Some(unescaped(value))
}

/// Resolves character references.
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

/// Returns the forms whose action is this path, or contains this word.
#[must_use]
pub fn forms_like(page: &Reply, action: &str) -> Vec<Form> {
    let fits = |form: &Form| if action.starts_with('/') { form.action == action } else { form.action.contains(action) };
    forms(&page.text).into_iter().filter(fits).collect()
}

/// Returns the only form whose action is this path, or contains this word.
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
    let start = format!(" name=\"{name}\"");
    let input = page.text.split("<input").find(|input| input.split('>').next().unwrap().contains(&start))?;
    attribute(input.split('>').next().unwrap(), "value")
}

/// Returns the error message of a field.
#[must_use]
pub fn fault_of(page: &Reply, name: &str) -> Option<String> {
    let (_, rest) = page.text.split_once(&format!("id=\"{name}-fault\""))?;
    let (_, rest) = rest.split_once("</svg>")?;
    let text = rest.split("</p>").next().unwrap();
    Some(unescaped(&text.replace("<span>", "").replace("</span>", "")))
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
    element_by(page, "data-testid", id).map(|text| unescaped(&text))
}

fn element_by(page: &Reply, attribute: &str, value: &str) -> Option<String> {
    let rest = page.text.split_once(&format!("{attribute}=\"{value}\""))?.1;
    Some(rest.split_once('>')?.1.split('<').next()?.to_owned())
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
        let all =
            [("csrf", "t"), ("a", "is checked"), ("b", "1"), ("r", "y"), ("s", "2"), ("first", "Three"), ("t", "A <b>\r\nC")];
        assert_eq!(form.filled(&[]), encoded(&all));
        let typed = [&all[..1], &all[2..], &[("a", "other"), ("action", "go")]].concat();
        assert_eq!(form.filled(&[("a", "other"), ("action", "go")]), encoded(&typed));
        assert_eq!(form.hidden, [("csrf".to_owned(), "t".to_owned())]);
    }
}
