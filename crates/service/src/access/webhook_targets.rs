//! Allowed webhook URLs: public addresses only, unless the operator allows private ones. Otherwise
//! anyone could make the server send requests to hosts that only it can reach (OWASP API7:2023,
//! server-side request forgery).

use crate::Reason;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use url::{Host, Url};

/// Maximum length of a URL, in characters.
pub const MOST_CHARACTERS: usize = 2_000;

/// Webhook URLs that the operator allows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct WebhookTargets {
    /// Whether private and loopback addresses and `http:` URLs are allowed too, for tests and
    /// internal networks.
    pub allow_private: bool,
}

impl WebhookTargets {
    /// Parses and checks the URL of a webhook, as far as possible without DNS.
    ///
    /// # Errors
    /// The URL is invalid, contains a user name or password, is not encrypted, or points to an
    /// address that is not public. `allow_private` lifts the last two restrictions, except for
    /// reserved addresses.
    pub fn read(self, text: &str) -> Result<Url, Reason> {
        let url = Url::parse(text).map_err(|_| Reason::NotAWebAddress)?;
        match url.scheme() {
            "https" => {}
            "http" if self.allow_private => {}
            "http" => return Err(Reason::WebhookNotEncrypted),
            _ => return Err(Reason::NotAWebAddress),
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(Reason::WebhookWithUser);
        }
        // The parser normalises IP addresses according to the WHATWG URL Standard: 0x7f.1 is
        // 127.0.0.1.
        let allowed = match url.host() {
            Some(Host::Ipv4(address)) => self.allows(address.into()),
            Some(Host::Ipv6(address)) => self.allows(address.into()),
            Some(Host::Domain(name)) => self.allow_private || !is_localhost(name),
            None => return Err(Reason::NotAWebAddress),
        };
        if allowed { Ok(url) } else { Err(Reason::WebhookNotPublic) }
    }

    /// Whether messages may be sent to an IP address.
    #[must_use]
    pub fn allows(self, address: IpAddr) -> bool {
        match Reach::of(address) {
            Reach::Public => true,
            Reach::Private => self.allow_private,
            Reach::Never => false,
        }
    }
}

fn is_localhost(name: &str) -> bool {
    let name = name.trim_end_matches('.');
    name == "localhost" || name.ends_with(".localhost")
}

/// Reachability of an IP address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reach {
    /// Public address.
    Public,
    /// Loopback or private address.
    Private,
    /// Reserved, multicast or link-local address. Cloud providers serve instance metadata at
    /// link-local addresses.
    Never,
}

impl Reach {
    fn of(address: IpAddr) -> Self {
        match address.to_canonical() {
            IpAddr::V4(address) => Self::of_v4(address),
            IpAddr::V6(address) => Self::of_v6(address),
        }
    }

    /// Classifies an address by the IANA IPv4 Special-Purpose Address Registry (RFC 6890).
    fn of_v4(address: Ipv4Addr) -> Self {
        match address.octets() {
            // Instance metadata of Alibaba and Azure.
            [100, 100, 100, 200] | [168, 63, 129, 16] => Self::Never,
            [10 | 127, ..] | [172, 16..=31, ..] | [192, 168, ..] | [100, 64..=127, ..] => {
                Self::Private
            }
            // Ranges for "this network", link-local addresses, protocol assignments, documentation,
            // 6to4 relays, benchmarks and multicast, and reserved ranges.
            [0 | 224..=255, ..]
            | [169, 254, ..]
            | [192, 0, 0 | 2, _]
            | [192, 88, 99, _]
            | [198, 18..=19, ..]
            | [198, 51, 100, _]
            | [203, 0, 113, _] => Self::Never,
            _ => Self::Public,
        }
    }

    /// Classifies an address by the IANA IPv6 Special-Purpose Address Registry.
    fn of_v6(address: Ipv6Addr) -> Self {
        match address.segments() {
            // Instance metadata of Amazon.
            [0xfd00, 0x0ec2, 0, 0, 0, 0, 0, 0x0254] => Self::Never,
            [0, 0, 0, 0, 0, 0, 0, 1] | [0xfc00..=0xfdff, ..] => Self::Private,
            // 6to4 and NAT64 embed an IPv4 address.
            [0x2002, high, low, ..] | [0x0064, 0xff9b, 0, 0, 0, 0, high, low] => {
                Self::of_v4(v4(high, low))
            }
            // Ranges for protocol assignments (including Teredo) and documentation.
            [0x2001, 0x0000..=0x01ff, ..]
            | [0x2001, 0x0db8, ..]
            | [0x3fff, 0x0000..=0x0fff, ..] => Self::Never,
            [0x2000..=0x3fff, ..] => Self::Public,
            _ => Self::Never,
        }
    }
}

fn v4(high: u16, low: u16) -> Ipv4Addr {
    let ([a, b], [c, d]) = (high.to_be_bytes(), low.to_be_bytes());
    Ipv4Addr::new(a, b, c, d)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PUBLIC: WebhookTargets = WebhookTargets { allow_private: false };
    const PRIVATE: WebhookTargets = WebhookTargets { allow_private: true };

    #[test]
    fn private_addresses_are_rejected_unless_allowed() {
        for (address, reach) in [
            ("93.184.215.14", Reach::Public),
            ("172.32.0.1", Reach::Public),
            ("100.128.0.1", Reach::Public),
            ("2a00:1450:400e:80c::200e", Reach::Public),
            ("127.0.0.1", Reach::Private),
            ("127.255.255.254", Reach::Private),
            ("10.1.2.3", Reach::Private),
            ("172.16.0.1", Reach::Private),
            ("172.31.255.255", Reach::Private),
            ("192.168.1.1", Reach::Private),
            ("100.64.0.1", Reach::Private),
            ("::1", Reach::Private),
            ("fd12:3456::1", Reach::Private),
            ("::ffff:127.0.0.1", Reach::Private),
            ("2002:7f00:1::", Reach::Private),
            ("64:ff9b::a00:1", Reach::Private),
            ("100.100.100.200", Reach::Never),
            ("168.63.129.16", Reach::Never),
            ("0.0.0.0", Reach::Never),
            ("169.254.169.254", Reach::Never),
            ("::ffff:169.254.169.254", Reach::Never),
            ("2002:a9fe:a9fe::", Reach::Never),
            ("64:ff9b::a9fe:a9fe", Reach::Never),
            ("fe80::1", Reach::Never),
            ("fd00:ec2::254", Reach::Never),
            ("::", Reach::Never),
            ("224.0.0.1", Reach::Never),
            ("255.255.255.255", Reach::Never),
            ("ff02::1", Reach::Never),
            ("192.0.2.1", Reach::Never),
            ("198.18.0.1", Reach::Never),
            ("203.0.113.9", Reach::Never),
            ("2001:db8::1", Reach::Never),
            ("2001::1", Reach::Never),
            ("::127.0.0.1", Reach::Never),
            ("100::1", Reach::Never),
        ] {
            let parsed: IpAddr = address.parse().unwrap();
            assert_eq!(Reach::of(parsed), reach, "{address}");
            assert_eq!(PUBLIC.allows(parsed), reach == Reach::Public, "{address}");
            assert_eq!(PRIVATE.allows(parsed), reach != Reach::Never, "{address}");
        }
    }

    #[test]
    fn invalid_webhook_urls_are_rejected() {
        for url in [
            "https://shop.example/hook",
            "https://shop.example:8443/a?b=c",
            "https://8.8.8.8/",
            "https://intranet/",
        ] {
            assert!(PUBLIC.read(url).is_ok(), "{url}");
        }
        for (url, reason) in [
            ("", Reason::NotAWebAddress),
            ("shop.example/hook", Reason::NotAWebAddress),
            ("ftp://shop.example/", Reason::NotAWebAddress),
            ("file:///etc/passwd", Reason::NotAWebAddress),
            ("https://", Reason::NotAWebAddress),
            ("http://shop.example/", Reason::WebhookNotEncrypted),
            ("https://user@shop.example/", Reason::WebhookWithUser),
            ("https://user:word@shop.example/", Reason::WebhookWithUser),
            ("https://localhost/", Reason::WebhookNotPublic),
            ("https://LOCALHOST./", Reason::WebhookNotPublic),
            ("https://a.localhost/", Reason::WebhookNotPublic),
            ("https://127.0.0.1/", Reason::WebhookNotPublic),
            ("https://127.1/", Reason::WebhookNotPublic),
            ("https://0x7f.1/", Reason::WebhookNotPublic),
            ("https://2130706433/", Reason::WebhookNotPublic),
            ("https://0177.0.0.1/", Reason::WebhookNotPublic),
            ("https://[::1]/", Reason::WebhookNotPublic),
            ("https://[::ffff:7f00:1]/", Reason::WebhookNotPublic),
            ("https://10.0.0.8/", Reason::WebhookNotPublic),
            ("https://169.254.169.254/latest/meta-data/", Reason::WebhookNotPublic),
            ("https://１２７.0.0.1/", Reason::WebhookNotPublic),
        ] {
            assert_eq!(PUBLIC.read(url).unwrap_err(), reason, "{url}");
        }
        for url in [
            "http://127.0.0.1:8080/hook",
            "http://localhost/",
            "https://10.0.0.8/",
            "http://intranet/",
        ] {
            assert!(PRIVATE.read(url).is_ok(), "{url}");
        }
        assert_eq!(PRIVATE.read("http://169.254.169.254/").unwrap_err(), Reason::WebhookNotPublic);
    }
}
