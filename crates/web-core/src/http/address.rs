//! Client address of a request, including behind trusted proxies.

use axum::{
    extract::FromRequestParts,
    http::{Extensions, HeaderMap, request::Parts},
};
use ipnet::{IpNet, Ipv4Net, Ipv6Net};
use std::{
    convert::Infallible,
    fmt,
    net::{IpAddr, Ipv4Addr, SocketAddr},
    str::FromStr,
};

/// Remote address of the connection, added to each request by the listener.
#[derive(Debug, Clone, Copy)]
pub struct Peer(pub IpAddr);

/// Address of the client. Neither the client nor an untrusted proxy can forge it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ClientAddress(IpAddr);

impl ClientAddress {
    /// Returns the peer, or, if that is a trusted proxy, the right-most address of
    /// `X-Forwarded-For` that is not a trusted proxy. Each proxy appends the address of its own
    /// peer, so entries further to the left are unreliable. If an entry is invalid, returns the
    /// peer.
    pub fn find(extensions: &Extensions, headers: &HeaderMap, trusted: &[TrustedProxy]) -> Self {
        // A router without a listener has no peer.
        let peer = extensions
            .get::<Peer>()
            .map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |peer| peer.0.to_canonical());
        let is_trusted = |address: IpAddr| trusted.iter().any(|proxy| proxy.0.contains(&address));
        if trusted.is_empty() || !is_trusted(peer) {
            return Self(peer);
        }
        let mut farthest = peer;
        // Several headers with the same name form one list (RFC 9110, section 5.3).
        for header in headers.get_all("x-forwarded-for").iter().rev() {
            for entry in header.as_bytes().rsplit(|byte| *byte == b',') {
                let Some(address) = read_entry(entry) else { return Self(peer) };
                if !is_trusted(address) {
                    return Self(address);
                }
                farthest = address;
            }
        }
        Self(farthest)
    }
}

impl ClientAddress {
    /// Returns the address of a client whose IP address is known.
    #[must_use]
    pub fn of(address: IpAddr) -> Self {
        Self(address.to_canonical())
    }

    /// Returns the IP address; an IPv4-mapped IPv6 address is converted to IPv4.
    pub fn ip(self) -> IpAddr {
        self.0
    }
}

impl fmt::Display for ClientAddress {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(out)
    }
}

/// Reads the address that the outermost layer determined.
impl<S: Sync> FromRequestParts<S> for ClientAddress {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(parts.extensions.get().copied().unwrap_or(Self(IpAddr::V4(Ipv4Addr::UNSPECIFIED))))
    }
}

/// Prefix length of a subscriber's network: providers assign a /56 or more.
const SUBSCRIBER: u8 = 56;

/// Returns the address that identifies a client: the address itself, or for IPv6 the first
/// address of the subscriber's network.
pub fn subscriber(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(v6) => {
            Ipv6Net::new(v6, SUBSCRIBER).map_or(address, |network| IpAddr::V6(network.network()))
        }
        v4 @ IpAddr::V4(_) => v4,
    }
}

/// Parses an address. Some proxies append a port, and write IPv6 addresses in brackets.
fn read_entry(entry: &[u8]) -> Option<IpAddr> {
    let text = std::str::from_utf8(entry).ok()?.trim();
    let bare = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
    let address = bare.parse().or_else(|_| text.parse().map(|socket: SocketAddr| socket.ip()));
    Some(address.ok()?.to_canonical())
}

/// Address or network whose `X-Forwarded-For` is trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TrustedProxy(IpNet);

impl TrustedProxy {
    /// Whether the address belongs to this proxy.
    pub fn is_at(&self, address: IpAddr) -> bool {
        self.0.contains(&address.to_canonical())
    }
}

impl FromStr for TrustedProxy {
    type Err = BadProxy;

    fn from_str(text: &str) -> Result<Self, BadProxy> {
        let text = text.trim();
        let network: IpNet = match text.parse::<IpAddr>() {
            Ok(address) => address.into(),
            Err(_) => text.parse().map_err(|_| BadProxy::Unreadable)?,
        };
        let network = match network {
            // An IPv4-mapped IPv6 network is converted to IPv4, like the addresses that are
            // compared with it.
            IpNet::V6(v6) if v6.prefix_len() >= 96 => match v6.addr().to_ipv4_mapped() {
                Some(v4) => Ipv4Net::new(v4, v6.prefix_len() - 96).map_or(network, IpNet::V4),
                None => network,
            },
            _ => network,
        };
        if network.prefix_len() == 0 { Err(BadProxy::Everyone) } else { Ok(Self(network)) }
    }
}

/// Reason why a text does not name a trusted proxy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BadProxy {
    /// Neither an address nor a network.
    #[error("give an IP address such as 10.0.0.5, or a network such as 10.0.0.0/8 or fd00::/8")]
    Unreadable,
    /// A network that contains all addresses.
    #[error(
        "this network contains every address, so any client could forge its address; give the proxy's own"
    )]
    Everyone,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(peer: &str, forwarded: &[&str], trusted: &[&str]) -> String {
        let mut extensions = Extensions::new();
        extensions.insert(Peer(peer.parse().unwrap()));
        let mut headers = HeaderMap::new();
        for value in forwarded {
            headers.append(
                "x-forwarded-for",
                axum::http::HeaderValue::from_bytes(value.as_bytes()).unwrap(),
            );
        }
        let trusted: Vec<TrustedProxy> = trusted.iter().map(|text| text.parse().unwrap()).collect();
        ClientAddress::find(&extensions, &headers, &trusted).to_string()
    }

    #[test]
    fn the_network_of_an_ipv6_subscriber_counts_as_one_client() {
        let cases = [
            ("192.0.2.1", "192.0.2.1", true),
            ("192.0.2.1", "192.0.2.2", false),
            ("192.0.2.1", "::ffff:192.0.2.1", true),
            ("::ffff:192.0.2.1", "::ffff:192.0.2.2", false),
            ("2001:db8:0:ff::1", "2001:db8:0:42:1::9", true),
            ("2001:db8:0:100::1", "2001:db8:0:ff::1", false),
        ];
        for (one, other, same) in cases {
            assert_eq!(
                subscriber(one.parse().unwrap()) == subscriber(other.parse().unwrap()),
                same,
                "{one} {other}"
            );
        }
    }

    #[test]
    fn an_unlisted_proxy_is_not_trusted() {
        for forwarded in ["203.0.113.9", "10.0.0.1", "127.0.0.1", "nonsense", ""] {
            assert_eq!(client("198.51.100.7", &[forwarded], &[]), "198.51.100.7", "{forwarded:?}");
            assert_eq!(
                client("198.51.100.7", &[forwarded], &["10.0.0.0/8"]),
                "198.51.100.7",
                "{forwarded:?}"
            );
            assert_eq!(client("127.0.0.1", &[forwarded], &[]), "127.0.0.1", "{forwarded:?}");
        }
    }

    #[test]
    fn behind_a_trusted_proxy_the_right_most_stranger_is_the_client() {
        let cases: &[(&[&str], &str)] = &[
            (&["203.0.113.9"], "203.0.113.9"),
            // Entries further left come from the client itself.
            (&["127.0.0.1, 203.0.113.9"], "203.0.113.9"),
            (&["10.0.0.2, 203.0.113.9"], "203.0.113.9"),
            (&["<script>, 203.0.113.9"], "203.0.113.9"),
            (&["192.0.2.1, 192.0.2.2, 203.0.113.9"], "203.0.113.9"),
            // Two proxies in a row.
            (&["203.0.113.9, 10.0.0.2"], "203.0.113.9"),
            (&["192.0.2.1, 203.0.113.9, 10.0.0.2, 10.0.0.3"], "203.0.113.9"),
            // Several headers form one list.
            (&["192.0.2.1", "203.0.113.9"], "203.0.113.9"),
            (&["203.0.113.9", "10.0.0.2, 10.0.0.3"], "203.0.113.9"),
            // Spaces, ports, various notations of IPv6, IPv4 in IPv6.
            (&["192.0.2.1 ,\t203.0.113.9 "], "203.0.113.9"),
            (&["203.0.113.9:4711"], "203.0.113.9"),
            (&["2001:DB8:0:0::1"], "2001:db8::1"),
            (&["[2001:db8::1]"], "2001:db8::1"),
            (&["[2001:db8::1]:443"], "2001:db8::1"),
            (&["::ffff:203.0.113.9"], "203.0.113.9"),
            (&["203.0.113.9, ::ffff:10.0.0.2"], "203.0.113.9"),
            // All entries are proxies: the farthest proxy made the request itself.
            (&["10.0.0.3, 10.0.0.2"], "10.0.0.3"),
            // Without a valid entry, the peer is the client.
            (&[], "10.0.0.1"),
            (&[""], "10.0.0.1"),
            (&["unknown"], "10.0.0.1"),
            (&["203.0.113.9, "], "10.0.0.1"),
            (&["203.0.113.9, nonsense"], "10.0.0.1"),
            (&["203.0.113.9, nonsense, 10.0.0.2"], "10.0.0.1"),
            (&["203.0.113.256"], "10.0.0.1"),
            (&["203.0.113.9 10.0.0.2"], "10.0.0.1"),
            (&["[203.0.113.9"], "10.0.0.1"),
            (&["\u{fffd}"], "10.0.0.1"),
        ];
        for (forwarded, expected) in cases {
            assert_eq!(client("10.0.0.1", forwarded, &["10.0.0.0/8"]), *expected, "{forwarded:?}");
            assert_eq!(
                client("::ffff:10.0.0.1", forwarded, &["10.0.0.0/8"]),
                *expected,
                "{forwarded:?}"
            );
        }
    }

    #[test]
    fn a_proxy_is_named_by_address_or_network() {
        for (proxy, inside, outside) in [
            ("10.0.0.5", "10.0.0.5", "10.0.0.6"),
            ("10.1.2.3/8", "10.255.0.1", "11.0.0.1"),
            ("::ffff:10.0.0.5", "10.0.0.5", "10.0.0.6"),
            ("::ffff:10.0.0.0/104", "10.9.9.9", "11.0.0.1"),
            ("fd00::/8", "fd12::1", "fe80::1"),
            (" ::1 ", "::1", "127.0.0.1"),
        ] {
            assert_eq!(client(inside, &["203.0.113.9"], &[proxy]), "203.0.113.9", "{proxy}");
            assert_eq!(client(outside, &["203.0.113.9"], &[proxy]), outside, "{proxy}");
        }
    }

    #[test]
    fn a_text_that_names_no_proxy_is_rejected() {
        for bad in
            ["", "localhost", "10.0.0", "10.0.0.0/33", "10.0.0.5:80", "*", "10.0.0.1-10.0.0.9"]
        {
            assert_eq!(bad.parse::<TrustedProxy>(), Err(BadProxy::Unreadable), "{bad}");
        }
        for all in ["0.0.0.0/0", "::/0", "::ffff:0.0.0.0/96"] {
            assert_eq!(all.parse::<TrustedProxy>(), Err(BadProxy::Everyone), "{all}");
        }
    }
}
