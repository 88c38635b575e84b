//! Email addresses.

use crate::Reason;
use idna::AsciiDenyList;
use std::fmt;

/// Maximum length of an email address, in characters. Mail servers must accept addresses up to this
/// length (RFC 5321, section 4.5.3.1.3, without the angle brackets).
const LONGEST: usize = 254;

/// An email address to which any server can send email: ASCII, with a dot-atom before the @ and a
/// host name with a dot after it (RFC 5321, section 4.1.2, without quoted parts and literal
/// addresses). International domains are stored as A-labels (RFC 5890), which every mail server
/// accepts. The syntax does not show that the address exists; only a delivered email does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EmailAddress(String);

impl EmailAddress {
    /// Parses the address of an account, converted to lower case: addresses that differ only in
    /// case belong to the same account.
    ///
    /// # Errors
    /// Those of [`EmailAddress::of_recipient`].
    pub fn parse(text: &str) -> Result<Self, Reason> {
        Self::of_recipient(text).map(|address| Self(address.0.to_ascii_lowercase()))
    }

    /// Parses an address after trimming it. The part before the @ keeps its case, which only the
    /// recipient's mail server may interpret (RFC 5321, section 2.4).
    ///
    /// # Errors
    /// The address lacks an @ between two parts, one of the parts is not valid in an email address,
    /// or the address is too long.
    pub fn of_recipient(text: &str) -> Result<Self, Reason> {
        let parts = text
            .trim()
            .rsplit_once('@')
            .filter(|(local, domain)| !local.is_empty() && !domain.is_empty());
        let (local, domain) = parts.ok_or(Reason::InvalidEmail)?;
        if !is_local_part(local) {
            return Err(Reason::EmailLocalPart);
        }
        let domain = host_name(domain).ok_or(Reason::EmailDomain)?;
        let address = format!("{local}@{domain}");
        if address.len() > LONGEST {
            Err(Reason::TooLong { most: LONGEST })
        } else {
            Ok(Self(address))
        }
    }

    /// Returns the address as text.
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

fn is_local_part(text: &str) -> bool {
    let is_atom = |atom: &str| {
        !atom.is_empty()
            && atom
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b"!#$%&'*+-/=?^_`{|}~".contains(&byte))
    };
    text.len() <= 64 && text.split('.').all(is_atom)
}

/// Returns the domain in A-labels and lower case, if it is a host name of at least two labels and
/// not an IP address.
fn host_name(domain: &str) -> Option<String> {
    let is_label = |label: &str| {
        (1..=63).contains(&label.len()) && !label.starts_with('-') && !label.ends_with('-')
    };
    let domain = idna::domain_to_ascii_cow(domain.as_bytes(), AsciiDenyList::STD3).ok()?;
    let (_, top) = domain.rsplit_once('.')?;
    let is_name = domain.split('.').all(is_label) && !top.bytes().all(|byte| byte.is_ascii_digit());
    is_name.then(|| domain.into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_invalid_address_is_rejected_and_the_error_names_its_part() {
        let (long, labels) = (
            format!("bram@{}.example.com", "x".repeat(64)),
            format!("bram@{}example.com", "x.".repeat(125)),
        );
        for (bad, reason) in [
            ("", Reason::InvalidEmail),
            ("bram", Reason::InvalidEmail),
            ("@example.com", Reason::InvalidEmail),
            ("bram@", Reason::InvalidEmail),
            ("bram@example.com\r\nBcc: all@example.com", Reason::EmailLocalPart),
            ("\u{130}x@example.com", Reason::EmailLocalPart),
            ("j\u{f6}rg@voorbeeld.example", Reason::EmailLocalPart),
            ("bram..b@example.com", Reason::EmailLocalPart),
            (".bram@example.com", Reason::EmailLocalPart),
            ("\"bram\"@example.com", Reason::EmailLocalPart),
            ("bram<b@example.com", Reason::EmailLocalPart),
            ("bram de vries@example.com", Reason::EmailLocalPart),
            ("a@[127.0.0.1]", Reason::EmailDomain),
            ("a@127.0.0.1", Reason::EmailDomain),
            ("x@x", Reason::EmailDomain),
            ("x@localhost", Reason::EmailDomain),
            ("a@b..nl", Reason::EmailDomain),
            ("a@b.nl.", Reason::EmailDomain),
            ("bram@-example.com", Reason::EmailDomain),
            ("bram@exa_mple.com", Reason::EmailDomain),
            ("bram@exam ple.com", Reason::EmailDomain),
            ("bram@xn--\u{e4}.com", Reason::EmailDomain),
            ("bram@\u{d7}\u{200f}.com", Reason::EmailDomain),
            (&long, Reason::EmailDomain),
            (&labels, Reason::TooLong { most: 254 }),
        ] {
            assert_eq!(EmailAddress::of_recipient(bad), Err(reason.clone()), "{bad:?}");
            assert_eq!(EmailAddress::parse(bad), Err(reason), "{bad:?}");
        }
    }

    #[test]
    fn domains_become_a_labels_and_only_accounts_lower_the_local_part() {
        for (text, recipient, account) in [
            ("bram@example.com", "bram@example.com", "bram@example.com"),
            (
                " Bram.O'Neil+books@Mail.Example-1.co.uk ",
                "Bram.O'Neil+books@mail.example-1.co.uk",
                "bram.o'neil+books@mail.example-1.co.uk",
            ),
            (
                "INFO@\u{e4}ggsb\u{e4}rden.example",
                "INFO@xn--ggsbrden-zzae.example",
                "info@xn--ggsbrden-zzae.example",
            ),
            ("b@ex\u{e4}mple.com", "b@xn--exmple-cua.com", "b@xn--exmple-cua.com"),
            ("b@EX\u{c4}MPLE\u{3002}com", "b@xn--exmple-cua.com", "b@xn--exmple-cua.com"),
            ("b@xn--exmple-cua.com", "b@xn--exmple-cua.com", "b@xn--exmple-cua.com"),
            (
                "b@\u{4f8b}\u{3048}.\u{30c6}\u{30b9}\u{30c8}",
                "b@xn--r8jz45g.xn--zckzah",
                "b@xn--r8jz45g.xn--zckzah",
            ),
        ] {
            assert_eq!(EmailAddress::of_recipient(text).unwrap().as_str(), recipient);
            assert_eq!(EmailAddress::parse(text).unwrap().as_str(), account);
            // A stored address parses to itself.
            assert_eq!(EmailAddress::of_recipient(recipient).unwrap().as_str(), recipient);
        }
    }
}
