//! Open data over HTTP, without an account.

mod admission;
mod assistants;
mod calculators;
mod datasets;

use std::sync::LazyLock;
use testing::{Engine, Reply, Server};

/// Server shared by all tests, none of which writes.
static SERVER: LazyLock<Server> = LazyLock::new(|| Server::start(Engine::Sqlite));

fn get(path: &str) -> Reply {
    SERVER.send("GET", path, &[], None)
}

/// Asserts that a response is public (CORS), cacheable and sets no cookie, and that its entity tag
/// and HEAD work.
fn assert_public(path: &str, reply: &Reply) {
    assert_eq!(reply.status, 200, "{path}: {}", reply.text);
    assert_eq!(reply.header("access-control-allow-origin"), Some("*"), "{path}");
    assert_eq!(reply.header("cache-control"), Some("public, max-age=3600"), "{path}");
    assert_eq!(reply.header("set-cookie"), None, "{path}");
    let tag = reply.header("etag").unwrap_or_else(|| panic!("{path} has no entity tag"));
    let again = SERVER.send("GET", path, &[("if-none-match", tag)], None);
    assert_eq!((again.status, again.text.as_str()), (304, ""), "{path}");
    let other = SERVER.send("GET", path, &[("if-none-match", "\"other\"")], None);
    assert_eq!(other.status, 200, "{path}");
    let head = SERVER.send("HEAD", path, &[], None);
    assert_eq!(
        (head.status, head.text.as_str(), head.header("etag")),
        (200, "", Some(tag)),
        "{path}"
    );
}
