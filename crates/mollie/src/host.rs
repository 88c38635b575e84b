//! Host of the API, and the addresses to which a customer may be sent.

use thiserror::Error;
use url::{Host as UrlHost, Url};

/// Reason why an address cannot be that of the API.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum HostError {
    /// It is not an address with a host.
    #[error("is not an address such as https://api.mollie.com")]
    NotAnAddress,
    /// It is not encrypted, although it leaves this machine.
    #[error("must begin with https: unless it is on this machine")]
    NotEncrypted,
    /// It has a user name, a path or a query.
    #[error("must have no user name, path or query")]
    TooMuch,
}

/// Host of the API.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Host(Url);

impl Host {
    /// Mollie itself.
    pub const MOLLIE: &str = "https://api.mollie.com";

    /// Reads the address of the API. `http:` is accepted on the loopback interface only.
    ///
    /// ```
    /// use mollie::{Host, HostError};
    ///
    /// assert!(Host::parse("https://api.mollie.com").is_ok());
    /// assert!(Host::parse("http://127.0.0.1:8080").is_ok());
    /// assert_eq!(Host::parse("http://api.mollie.com"), Err(HostError::NotEncrypted));
    /// ```
    ///
    /// # Errors
    /// The address is not acceptable.
    pub fn parse(text: &str) -> Result<Self, HostError> {
        let url = Url::parse(text).map_err(|_| HostError::NotAnAddress)?;
        let is_loopback = match url.host() {
            Some(UrlHost::Ipv4(address)) => address.is_loopback(),
            Some(UrlHost::Ipv6(address)) => address.is_loopback(),
            Some(UrlHost::Domain(name)) => name == "localhost",
            None => return Err(HostError::NotAnAddress),
        };
        match url.scheme() {
            "https" => {}
            "http" if is_loopback => {}
            "http" => return Err(HostError::NotEncrypted),
            _ => return Err(HostError::NotAnAddress),
        }
        let is_bare = url.path() == "/" && url.query().is_none() && url.fragment().is_none();
        if !is_bare || !url.username().is_empty() || url.password().is_some() {
            return Err(HostError::TooMuch);
        }
        Ok(Self(url))
    }

    /// Address of the API.
    #[must_use]
    pub(crate) fn url(&self) -> &Url {
        &self.0
    }

    /// Whether a customer may be sent to an address to pay: encrypted at Mollie, or at this host.
    #[must_use]
    pub fn is_checkout(&self, address: &str) -> bool {
        let Ok(url) = Url::parse(address) else { return false };
        if !url.username().is_empty() || url.password().is_some() {
            return false;
        }
        let is_mollie = |name: &str| name == "mollie.com" || name.ends_with(".mollie.com");
        let is_at_mollie = matches!(url.host(), Some(UrlHost::Domain(name)) if is_mollie(name));
        url.origin() == self.0.origin()
            || url.scheme() == "https" && is_at_mollie && url.port().is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_encrypted_addresses_and_this_machine_are_hosts() {
        let cases = [
            ("https://api.mollie.com", None),
            ("https://api.mollie.com/", None),
            ("http://localhost:9", None),
            ("http://127.0.0.1:9", None),
            ("http://[::1]:9", None),
            ("http://10.0.0.1:9", Some(HostError::NotEncrypted)),
            ("http://127.0.0.1.example.com", Some(HostError::NotEncrypted)),
            ("https://api.mollie.com/v2", Some(HostError::TooMuch)),
            ("https://api.mollie.com/?a", Some(HostError::TooMuch)),
            ("https://user@api.mollie.com", Some(HostError::TooMuch)),
            ("ftp://api.mollie.com", Some(HostError::NotAnAddress)),
            ("data:text/plain,", Some(HostError::NotAnAddress)),
            ("api.mollie.com", Some(HostError::NotAnAddress)),
        ];
        for (text, error) in cases {
            assert_eq!(Host::parse(text).err(), error, "{text}");
        }
    }

    #[test]
    fn a_customer_is_sent_to_mollie_or_to_this_host_only() {
        let host = Host::parse("http://127.0.0.1:8080").unwrap();
        let cases = [
            ("https://www.mollie.com/checkout/select-method/7UhSN1zuXS", true),
            ("https://pay.mollie.com/?a=1", true),
            ("http://127.0.0.1:8080/checkout/1", true),
            ("http://127.0.0.1:8081/checkout/1", false),
            ("http://www.mollie.com/checkout/1", false),
            ("https://www.mollie.com:8443/checkout/1", false),
            ("https://www.mollie.com.example.com/", false),
            ("https://evilmollie.com/", false),
            ("https://www.mollie.com@example.com/", false),
            ("https://user@www.mollie.com/", false),
            ("javascript:alert(1)", false),
            ("//www.mollie.com/", false),
            ("", false),
        ];
        for (address, is_checkout) in cases {
            assert_eq!(host.is_checkout(address), is_checkout, "{address}");
        }
    }
}
