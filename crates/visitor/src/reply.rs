//! HTTP responses, with accessors for tests.

use serde_json::Value;

/// An HTTP response.
#[derive(Debug, Clone)]
pub struct Reply {
    /// The status code.
    pub status: u16,
    /// Headers, with names in lower case.
    pub headers: Vec<(String, String)>,
    /// Body as text; invalid UTF-8 is replaced.
    pub text: String,
}

impl Reply {
    /// Parses the body as JSON.
    ///
    /// # Panics
    /// The body is not JSON.
    #[must_use]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text)
            .unwrap_or_else(|error| panic!("{error}: {} {}", self.status, self.text))
    }

    /// Returns the value of a header.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(header, _)| header == name).map(|(_, value)| value.as_str())
    }

    /// Returns the redirect target; empty if there is none.
    #[must_use]
    pub fn location(&self) -> &str {
        self.header("location").unwrap_or_default()
    }

    /// Returns the values of all `Set-Cookie` headers.
    #[must_use]
    pub fn set_cookies(&self) -> Vec<&str> {
        self.headers
            .iter()
            .filter(|(name, _)| name == "set-cookie")
            .map(|(_, value)| value.as_str())
            .collect()
    }

    /// Returns the code of a problem; empty if the body has none.
    #[must_use]
    pub fn code(&self) -> String {
        self.json()["code"].as_str().unwrap_or_default().to_owned()
    }

    /// Returns the faults in a 422 response: the pointer or parameter of each fault, and its code.
    #[must_use]
    pub fn faults(&self) -> Vec<(String, String)> {
        let json = self.json();
        let place = |fault: &Value| {
            fault["pointer"].as_str().or(fault["parameter"].as_str()).unwrap_or("?").to_owned()
        };
        let faults = json["errors"].as_array().cloned().unwrap_or_default();
        faults
            .iter()
            .map(|fault| (place(fault), fault["code"].as_str().unwrap_or("?").to_owned()))
            .collect()
    }
}
