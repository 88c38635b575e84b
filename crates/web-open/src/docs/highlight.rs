//! Syntax highlighting for code in the guides: strings, numbers, keywords and comments.

use super::escape::escape;

/// Keywords and comment marker of a language.
struct Language {
    comment: Option<&'static str>,
    words: &'static [&'static str],
}

fn language(name: &str) -> Option<Language> {
    Some(match name {
        "sh" => Language {
            comment: Some("#"),
            words: &["curl", "export", "cat", "sed", "tr", "tee", "printf"],
        },
        "js" => Language {
            comment: Some("//"),
            words: &[
                "import", "from", "export", "const", "async", "await", "function", "return", "new",
                "class", "extends", "true", "false",
            ],
        },
        "py" => Language {
            comment: Some("#"),
            words: &["import", "from", "def", "return", "None", "True", "False", "str", "dict"],
        },
        "json" => Language { comment: None, words: &["true", "false", "null"] },
        _ => return None,
    })
}

/// Returns the code as HTML, without highlighting if the language is unknown.
pub(super) fn html(code: &str, name: &str) -> String {
    let Some(language) = language(name) else { return escape(code) };
    let mut html = String::with_capacity(code.len() * 2);
    let mut rest = code;
    let mut before = None;
    while let Some(first) = rest.chars().next() {
        let begins = before.is_none_or(|c: char| !c.is_alphanumeric() && c != '_' && c != '$');
        let (class, length) = if language.comment == Some("//") && rest.starts_with("/*") {
            (Some("c"), rest.find("*/").map_or(rest.len(), |end| end + 2))
        } else if language
            .comment
            .is_some_and(|mark| rest.starts_with(mark) && before.is_none_or(char::is_whitespace))
        {
            (Some("c"), rest.find('\n').unwrap_or(rest.len()))
        } else if matches!(first, '"' | '\'' | '`') {
            (Some("s"), quoted(rest, first))
        } else if begins && first.is_ascii_digit() {
            (
                Some("n"),
                rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '.').unwrap_or(rest.len()),
            )
        } else if begins && (first.is_alphabetic() || first == '_') {
            let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
            (language.words.contains(&&rest[..end]).then_some("k"), end)
        } else {
            (None, first.len_utf8())
        };
        let (part, further) = rest.split_at(length);
        match class {
            Some(class) => {
                html.push_str(&format!("<span class=\"tok-{class}\">{}</span>", escape(part)))
            }
            None => html.push_str(&escape(part)),
        }
        before = part.chars().next_back();
        rest = further;
    }
    html
}

/// Returns the length in bytes of a quoted string including its quotation marks. An unterminated
/// string extends to the end of its line.
fn quoted(code: &str, mark: char) -> usize {
    let mut escaped = false;
    for (place, c) in code.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if c == mark => return place + c.len_utf8(),
            _ => {}
        }
    }
    code.find('\n').unwrap_or(code.len())
}

#[cfg(test)]
mod tests {
    use super::html;

    #[test]
    fn strings_numbers_keywords_and_comments_are_distinguished() {
        let code = "curl -s $URL/x1 -d '{\"n\": 2}' # send <it>\n";
        let coloured = "<span class=\"tok-k\">curl</span> -s $URL/x1 -d <span class=\"tok-s\">'{\"n\": 2}'</span> \
                        <span class=\"tok-c\"># send &lt;it&gt;</span>\n";
        assert_eq!(html(code, "sh"), coloured);
        assert_eq!(
            html("{\"a\":12.50,\"b\":null}", "json"),
            "{<span class=\"tok-s\">\"a\"</span>:<span class=\"tok-n\">12.50</span>,\
            <span class=\"tok-s\">\"b\"</span>:<span class=\"tok-k\">null</span>}"
        );
        assert_eq!(html("a < b", "text"), "a &lt; b");
        assert_eq!(
            html("/** `x` */ 1", "js"),
            "<span class=\"tok-c\">/** `x` */</span> <span class=\"tok-n\">1</span>"
        );
        // An unterminated string extends only to the end of its line.
        assert_eq!(html("it's\nso", "sh"), "it<span class=\"tok-s\">'s</span>\nso");
    }
}
