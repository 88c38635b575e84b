//! An answer, and what tests ask of it.

use serde_json::Value;

/// An answer.
#[derive(Debug, Clone)]
pub struct Reply {
    /// The status code.
    pub status: u16,
    /// Headers, names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body as text, with a sign for what is none.
    pub text: String,
}

impl Reply {
    /// The body as JSON.
    ///
    /// # Panics
    /// It is none.
    #[must_use]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error}: {} {}", self.status, self.text))
    }

    /// A header.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(header, _)| header == name).map(|(_, value)| value.as_str())
    }

    /// Where it leads; nothing if nowhere.
    #[must_use]
    pub fn location(&self) -> &str {
        self.header("location").unwrap_or_default()
    }

    /// The headers that set a cookie.
    #[must_use]
    pub fn set_cookies(&self) -> Vec<&str> {
        self.headers.iter().filter(|(name, _)| name == "set-cookie").map(|(_, value)| value.as_str()).collect()
    }

    /// A problem's code.
    #[must_use]
    pub fn code(&self) -> String {
        self.json()["code"].as_str().unwrap_or_default().to_owned()
    }

    /// The faults of a 422: pointer or parameter, and code.
    #[must_use]
    pub fn faults(&self) -> Vec<(String, String)> {
        let json = self.json();
        let place = |fault: &Value| fault["pointer"].as_str().or(fault["parameter"].as_str()).unwrap_or("?").to_owned();
        let faults = json["errors"].as_array().cloned().unwrap_or_default();
        faults.iter().map(|fault| (place(fault), fault["code"].as_str().unwrap_or("?").to_owned())).collect()
    }
}
