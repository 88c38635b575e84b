//! Reading the pages that our templates write, and filling in their forms.

/// A form on a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Form {
    /// Where it goes.
    pub action: String,
    /// Names and values of the fields that nobody fills in.
    pub hidden: Vec<(String, String)>,
}

impl Form {
    /// The value of a hidden field.
    #[must_use]
    pub fn value(&self, name: &str) -> &str {
        self.hidden.iter().find(|(found, _)| found == name).map_or("", |(_, value)| value)
    }

    /// With another value of a hidden field.
    #[must_use]
    pub fn with(mut self, name: &str, value: &str) -> Self {
        self.hidden.retain(|(found, _)| found != name);
        self.hidden.push((name.into(), value.into()));
        self
    }

    /// What a browser sends: the hidden fields, unless they are filled in, and what is filled in.
    #[must_use]
    pub fn filled(&self, filled: &[(&str, &str)]) -> String {
        let hidden = self.hidden.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let kept = hidden.filter(|(name, _)| !filled.iter().any(|(given, _)| given == name));
        encoded(&kept.chain(filled.iter().copied()).collect::<Vec<_>>())
    }
}

/// Fields as a browser sends them.
#[must_use]
pub fn encoded(fields: &[(&str, &str)]) -> String {
    form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish()
}

/// The forms on a page.
///
/// # Panics
/// One of them has no action, or a hidden field without name or value.
#[must_use]
pub fn forms(page: &str) -> Vec<Form> {
    let all = page.split("<form").skip(1).map(|rest| rest.split("</form>").next().unwrap());
    let read = |text: &str| {
        let inputs = text.split("<input").skip(1).map(|rest| rest.split('>').next().unwrap());
        let hidden = inputs.filter(|input| attribute(input, "type").as_deref() == Some("hidden"));
        Form {
            action: attribute(text.split('>').next().unwrap(), "action").unwrap(),
            hidden: hidden.map(|input| (attribute(input, "name").unwrap(), attribute(input, "value").unwrap())).collect(),
        }
    };
    all.map(read).collect()
}

/// The first form of a page that goes there.
///
/// # Panics
/// There is none.
#[must_use]
pub fn form_to(page: &str, action: &str) -> Form {
    let found = forms(page).into_iter().find(|form| form.action == action);
    found.unwrap_or_else(|| panic!("no form to {action}: {page}"))
}

/// The value of an attribute of a tag.
#[must_use]
pub fn attribute(tag: &str, name: &str) -> Option<String> {
    let value = tag.split_once(&format!(" {name}=\""))?.1.split('"').next()?;
    Some(unescaped(value))
}

/// Text as a reader sees it.
///
/// # Panics
/// It holds a character reference that our templates do not write.
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
