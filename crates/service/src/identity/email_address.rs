//! E-mail addresses.

use crate::Reason;
use std::fmt;

/// An e-mail address to which mail can be sent from everywhere, in lower case: ASCII, a dot-atom before the @ and a host name with a dot
/// behind it (RFC 5321, section 4.1.2, without quoted parts and literal addresses). Only a mail that arrives confirms that it is anybody's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EmailAddress(String);

impl EmailAddress {
    /// Reads an address, with or without blanks around it.
    ///
    /// # Errors
    /// It is none ([`Reason::InvalidEmail`]).
    pub fn parse(text: &str) -> Result<Self, Reason> {
        let text = text.trim();
        if is_address(text) { Ok(Self(text.to_ascii_lowercase())) } else { Err(Reason::InvalidEmail) }
    }

    /// The address.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for EmailAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<EmailAddress> for String {
    fn from(address: EmailAddress) -> Self {
        address.0
    }
}

fn is_address(text: &str) -> bool {
    let is_atom = |atom: &str| {
        !atom.is_empty() && atom.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"!#$%&'*+-/=?^_`{|}~".contains(&byte))
    };
    let is_label = |label: &str| {
        (1..=63).contains(&label.len())
            && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    let Some((local, domain)) = text.rsplit_once('@') else { return false };
    let Some((_, top)) = domain.rsplit_once('.') else { return false };
    text.len() <= 254
        && local.len() <= 64
        && local.split('.').all(is_atom)
        && domain.split('.').all(is_label)
        && !top.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::EmailAddress;

    #[test]
    fn what_mail_can_be_sent_to_from_everywhere_is_an_address() {
        let long = format!("bram@{}.example.com", "x.".repeat(130));
        for bad in [
            "",
            "bram",
            "bram@example.com\r\nBcc: all@example.com",
            &long,
            "a@[127.0.0.1]",
            "a@127.0.0.1",
            "\u{130}x@example.com",
            "bram@ex\u{e4}mple.com",
            "bram..b@example.com",
            ".bram@example.com",
            "\"bram\"@example.com",
            "bram@-example.com",
            "bram@example..com",
            "bram@example",
            "bram<b@example.com",
        ] {
            assert!(EmailAddress::parse(bad).is_err(), "{bad:?}");
        }
        for (text, address) in [
            ("bram@example.com", "bram@example.com"),
            (" Bram.O'Neil+books@Mail.Example-1.co.uk ", "bram.o'neil+books@mail.example-1.co.uk"),
            ("b@xn--exmple-cua.com", "b@xn--exmple-cua.com"),
        ] {
            assert_eq!(EmailAddress::parse(text).unwrap().as_str(), address);
        }
    }
}
