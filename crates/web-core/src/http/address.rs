//! Where a request comes from: the client's address, also behind proxies that the operator trusts.

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

/// The other end of the connection, put beside each request by the listener.
#[derive(Debug, Clone, Copy)]
pub struct Peer(pub IpAddr);

/// The client's address. What a client or a stranger's proxy says of itself does not change it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ClientAddress(IpAddr);

impl ClientAddress {
    /// The peer; or, when the peer is a trusted proxy, who it says it speaks for: the right-most address of `X-Forwarded-For` that is
    /// not a trusted proxy itself. Each proxy adds the address of its own peer at the right, so everything further to the left is
    /// hearsay. Where an entry cannot be read, the peer is all that is known.
    pub fn find(extensions: &Extensions, headers: &HeaderMap, trusted: &[TrustedProxy]) -> Self {
        // Without a listener, as in a router by itself, there is no other end.
        let peer = extensions.get::<Peer>().map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |peer| peer.0.to_canonical());
        let is_trusted = |address: IpAddr| trusted.iter().any(|proxy| proxy.0.contains(&address));
        if trusted.is_empty() || !is_trusted(peer) {
            return Self(peer);
        }
        let mut farthest = peer;
        // Several headers of one name are one list (RFC 9110, section 5.3).
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
    /// The address itself; of an IPv4 client in its IPv4 form.
    pub fn ip(self) -> IpAddr {
        self.0
    }
}

impl fmt::Display for ClientAddress {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(out)
    }
}

/// Found by the outermost layer.
impl<S: Sync> FromRequestParts<S> for ClientAddress {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(parts.extensions.get().copied().unwrap_or(Self(IpAddr::V4(Ipv4Addr::UNSPECIFIED))))
    }
}

/// The network of one subscriber: providers hand out a /56 or more.
const SUBSCRIBER: u8 = 56;

/// What counts as one client: the address itself, or the first one of an IPv6 subscriber's network.
pub fn subscriber(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(v6) => Ipv6Net::new(v6, SUBSCRIBER).map_or(address, |network| IpAddr::V6(network.network())),
        v4 @ IpAddr::V4(_) => v4,
    }
}

/// An address, which some proxies write with its port and IPv6 then in brackets.
fn read_entry(entry: &[u8]) -> Option<IpAddr> {
    let text = std::str::from_utf8(entry).ok()?.trim();
    let bare = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
    let address = bare.parse().or_else(|_| text.parse().map(|socket: SocketAddr| socket.ip()));
    Some(address.ok()?.to_canonical())
}

/// An address, or a network of them, whose word on `X-Forwarded-For` is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TrustedProxy(IpNet);

impl TrustedProxy {
    /// Whether it is the proxy at that address.
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
            // Addresses are compared in their IPv4 form when they have one.
            IpNet::V6(v6) if v6.prefix_len() >= 96 => match v6.addr().to_ipv4_mapped() {
                Some(v4) => Ipv4Net::new(v4, v6.prefix_len() - 96).map_or(network, IpNet::V4),
                None => network,
            },
            _ => network,
        };
        if network.prefix_len() == 0 { Err(BadProxy::Everyone) } else { Ok(Self(network)) }
    }
}

/// Why a text does not name a trusted proxy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BadProxy {
    /// Neither an address nor a network.
    #[error("give an IP address such as 10.0.0.5, or a network such as 10.0.0.0/8 or fd00::/8")]
    Unreadable,
    /// A network that everyone is in.
    #[error("this network holds every address, so everyone could choose what address is noted; name the proxy's own")]
    Everyone,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(peer: &str, forwarded: &[&str], trusted: &[&str]) -> String {
        let mut extensions = Extensions::new();
        extensions.insert(Peer(peer.parse().unwrap()));
        let mut headers = HeaderMap::new();
        for value in forwarded {
            headers.append("x-forwarded-for", axum::http::HeaderValue::from_bytes(value.as_bytes()).unwrap());
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
            assert_eq!(subscriber(one.parse().unwrap()) == subscriber(other.parse().unwrap()), same, "{one} {other}");
        }
    }

    #[test]
    fn nobody_is_trusted_unless_named() {
        for forwarded in ["203.0.113.9", "10.0.0.1", "127.0.0.1", "nonsense", ""] {
            assert_eq!(found("198.51.100.7", &[forwarded], &[]), "198.51.100.7", "{forwarded:?}");
            assert_eq!(found("198.51.100.7", &[forwarded], &["10.0.0.0/8"]), "198.51.100.7", "{forwarded:?}");
            assert_eq!(found("127.0.0.1", &[forwarded], &[]), "127.0.0.1", "{forwarded:?}");
        }
    }

    #[test]
    fn behind_a_trusted_proxy_the_right_most_stranger_is_the_client() {
        let cases: &[(&[&str], &str)] = &[
            (&["203.0.113.9"], "203.0.113.9"),
            // What stands further left is what the client said of itself.
            (&["127.0.0.1, 203.0.113.9"], "203.0.113.9"),
            (&["10.0.0.2, 203.0.113.9"], "203.0.113.9"),
            (&["<script>, 203.0.113.9"], "203.0.113.9"),
            (&["192.0.2.1, 192.0.2.2, 203.0.113.9"], "203.0.113.9"),
            // Two proxies in a row.
            (&["203.0.113.9, 10.0.0.2"], "203.0.113.9"),
            (&["192.0.2.1, 203.0.113.9, 10.0.0.2, 10.0.0.3"], "203.0.113.9"),
            // Several headers are one list.
            (&["192.0.2.1", "203.0.113.9"], "203.0.113.9"),
            (&["203.0.113.9", "10.0.0.2, 10.0.0.3"], "203.0.113.9"),
            // Spaces, ports, IPv6 in its spellings, IPv4 in IPv6.
            (&["192.0.2.1 ,\t203.0.113.9 "], "203.0.113.9"),
            (&["203.0.113.9:4711"], "203.0.113.9"),
            (&["2001:DB8:0:0::1"], "2001:db8::1"),
            (&["[2001:db8::1]"], "2001:db8::1"),
            (&["[2001:db8::1]:443"], "2001:db8::1"),
            (&["::ffff:203.0.113.9"], "203.0.113.9"),
            (&["203.0.113.9, ::ffff:10.0.0.2"], "203.0.113.9"),
            // Only proxies: the one farthest away asked by itself.
            (&["10.0.0.3, 10.0.0.2"], "10.0.0.3"),
            // Nothing that can be read: the peer.
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
            assert_eq!(found("10.0.0.1", forwarded, &["10.0.0.0/8"]), *expected, "{forwarded:?}");
            assert_eq!(found("::ffff:10.0.0.1", forwarded, &["10.0.0.0/8"]), *expected, "{forwarded:?}");
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
            assert_eq!(found(inside, &["203.0.113.9"], &[proxy]), "203.0.113.9", "{proxy}");
            assert_eq!(found(outside, &["203.0.113.9"], &[proxy]), outside, "{proxy}");
        }
    }

    #[test]
    fn what_does_not_name_a_proxy_is_refused() {
        for bad in ["", "localhost", "10.0.0", "10.0.0.0/33", "10.0.0.5:80", "*", "10.0.0.1-10.0.0.9"] {
            assert_eq!(bad.parse::<TrustedProxy>(), Err(BadProxy::Unreadable), "{bad}");
        }
        for all in ["0.0.0.0/0", "::/0", "::ffff:0.0.0.0/96"] {
            assert_eq!(all.parse::<TrustedProxy>(), Err(BadProxy::Everyone), "{all}");
        }
    }
}
