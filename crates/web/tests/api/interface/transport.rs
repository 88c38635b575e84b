//! HTTP layer: methods, media types, sizes, slow and broken clients.

use crate::simple_invoice;
use std::{
    io::{Read, Write},
    net::TcpStream,
    time::{Duration, Instant},
};
use testing::{Engine, Server};

/// Sends raw bytes and reads until the server closes or is silent for three seconds.
fn raw(server: &Server, bytes: &[u8]) -> String {
    let mut stream = TcpStream::connect(server.address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(3))).unwrap();
    // The server may refuse and close before it has read everything.
    let _ = stream.write_all(bytes);
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8_lossy(&answer).into_owned()
}

fn status(answer: &str) -> &str {
    answer.get(9..12).unwrap_or("none")
}

#[test]
fn unknown_routes_and_methods_are_answered_in_json() {
    let server = Server::start(Engine::Sqlite);
    let key = server.account("anna@example.com");
    for path in [
        "/api/v1/nothing",
        "/api/v1/invoices/1/x",
        "/api/v1/invoices/",
        "/api/v2/invoices",
        "/api/nothing",
    ] {
        let reply = server.get(&key, path);
        assert_eq!((reply.status, reply.code().as_str()), (404, "unknown_route"), "{path}");
        assert_eq!(reply.header("content-type"), Some("application/problem+json"));
    }
    for (method, path, allow) in [
        ("PUT", "/api/v1/invoices/1", "GET,HEAD,PATCH,DELETE"),
        ("PUT", "/api/v1/invoices", "GET,HEAD,POST"),
        ("QUERY", "/api/v1/summary/2026", "GET,HEAD"),
        ("DELETE", "/api/v1/hours-log", "GET,HEAD,POST"),
        ("PROPFIND", "/api/v1/projects", "GET,HEAD,POST"),
        ("TRACE", "/api/v1/account", "GET,HEAD"),
        ("POST", "/healthz", "GET,HEAD"),
    ] {
        let reply = server.send(method, path, &[("x-api-key", &key)], None);
        assert_eq!(
            (reply.status, reply.code().as_str(), reply.header("allow")),
            (405, "method_not_allowed", Some(allow)),
            "{method} {path}"
        );
    }
    let reply = server.get(&key, "/api/v1/invoices/%ff");
    assert_eq!((reply.status, reply.code().as_str()), (404, "unknown_route"));
    for id in ["0", "-1", "x", "1.0", "99999999999999999999", "%31%00", "1e0"] {
        let reply = server.get(&key, &format!("/api/v1/invoices/{id}"));
        assert_eq!((reply.status, reply.code().as_str()), (404, "not_found"), "{id}");
    }
}

#[test]
fn a_body_must_be_json_in_utf_8_and_not_compressed() {
    let server = Server::start(Engine::Sqlite);
    let key = server.account("anna@example.com");
    let body = simple_invoice().to_string();
    let send = |headers: &[(&str, &str)]| {
        let all: Vec<_> =
            [("x-api-key", key.as_str())].into_iter().chain(headers.iter().copied()).collect();
        server.send("POST", "/api/v1/invoices", &all, Some(body.as_bytes()))
    };
    for good in [
        "application/json",
        "Application/JSON; charset=UTF-8",
        "application/json;charset=\"utf-8\"",
        "application/json; profile=x",
    ] {
        assert_eq!(send(&[("content-type", good)]).status, 201, "{good}");
    }
    for bad in [
        "text/plain",
        "application/x-www-form-urlencoded",
        "application/jsonp",
        "application/json; charset=latin1",
        "",
    ] {
        let reply = send(&[("content-type", bad)]);
        assert_eq!(
            (reply.status, reply.code().as_str(), reply.header("accept")),
            (415, "unsupported_media_type", Some("application/json")),
            "{bad}"
        );
    }
    assert_eq!(
        send(&[("content-type", "application/json"), ("content-encoding", "gzip")]).status,
        415
    );
    for (accept, status) in [
        ("*/*", 201),
        ("text/html, application/*;q=0.1", 201),
        ("text/html", 406),
        ("application/json;q=0", 406),
    ] {
        assert_eq!(
            send(&[("content-type", "application/json"), ("accept", accept)]).status,
            status,
            "{accept}"
        );
    }
}

#[test]
fn a_body_has_at_most_one_mebibyte_with_or_without_content_length() {
    let server = Server::start(Engine::Sqlite);
    let key = server.account("anna@example.com");
    let head = |extra: &str| {
        format!(
            "POST /api/v1/invoices HTTP/1.1\r\nHost: x\r\nX-API-Key: {key}\r\nContent-Type: application/json\r\n{extra}\r\n"
        )
    };
    let answer = raw(&server, head("Content-Length: 1048577\r\n").as_bytes());
    assert_eq!(status(&answer), "413", "{answer}");
    let mut chunked = head("Transfer-Encoding: chunked\r\n").into_bytes();
    for _ in 0..17 {
        chunked.extend(format!("10000\r\n{}\r\n", " ".repeat(65_536)).bytes());
    }
    assert_eq!(status(&raw(&server, &chunked)), "413");
    let spaces = " ".repeat(1024 * 1024 - simple_invoice().to_string().len());
    assert_eq!(
        server.post_text(&key, "/api/v1/invoices", &format!("{}{spaces}", simple_invoice())).status,
        201
    );
}

#[test]
fn a_body_that_is_cut_off_books_nothing() {
    let server = Server::start(Engine::Sqlite);
    let key = server.account("anna@example.com");
    let body = simple_invoice().to_string();
    let head = format!(
        "POST /api/v1/invoices HTTP/1.1\r\nHost: x\r\nX-API-Key: {key}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    let mut stream = TcpStream::connect(server.address).unwrap();
    stream.write_all(head.as_bytes()).unwrap();
    stream.write_all(&body.as_bytes()[..body.len() - 1]).unwrap();
    drop(stream);
    assert_eq!(server.get(&key, "/api/v1/summary/2026").json()["invoices"]["count"], 0);
}

#[test]
fn a_refusal_before_the_body_says_that_the_connection_ends() {
    let server = Server::start(Engine::Sqlite);
    let key = server.account("anna@example.com");
    let request = |key: &str, length: &str, body: &str| {
        raw(
            &server,
            format!("POST /api/v1/invoices HTTP/1.1\r\nHost: x\r\nX-API-Key: {key}\r\nContent-Type: application/json\r\n{length}\r\n\r\n{body}").as_bytes(),
        )
        .to_lowercase()
    };
    // The rest of the body never arrives: the server must not wait for it, and the client must not
    // reuse the connection.
    for length in ["Content-Length: 100", "Transfer-Encoding: chunked"] {
        let answer = request("wrong", length, "");
        assert!(
            answer.starts_with("http/1.1 401") && answer.contains("\r\nconnection: close\r\n"),
            "{answer}"
        );
    }
    let answer = request(&key, "Content-Length: 2", "{}");
    assert!(
        answer.starts_with("http/1.1 422") && !answer.contains("connection: close"),
        "{answer}"
    );
}

#[test]
fn ambiguous_and_broken_requests_are_refused() {
    let server = Server::start(Engine::Sqlite);
    let key = server.account("anna@example.com");
    let with_key = format!("X-API-Key: {key}\r\nContent-Type: application/json\r\n");
    let cases = [
        format!(
            "POST /api/v1/invoices HTTP/1.1\r\nHost: x\r\n{with_key}Content-Length: 5\r\nContent-Length: 6\r\n\r\n{{}}   "
        ),
        format!(
            "POST /api/v1/invoices HTTP/1.1\r\nHost: x\r\n{with_key}Content-Length: -1\r\n\r\n{{}}"
        ),
        format!(
            "POST /api/v1/invoices HTTP/1.1\r\nHost: x\r\n{with_key}Content-Length: 0x2\r\n\r\n{{}}"
        ),
        format!(
            "POST /api/v1/invoices HTTP/1.1\r\nHost: x\r\n{with_key}Content-Length : 2\r\n\r\n{{}}"
        ),
        format!(
            "POST /api/v1/invoices HTTP/1.1\r\nHost: x\r\n{with_key}Transfer-Encoding: chunked\r\n\r\nzz\r\n{{}}\r\n0\r\n\r\n"
        ),
        format!("GET /api/v1/account HTTP/1.1\r\nHost: x\r\n {with_key}\r\n"),
        "GET /api/v1/account HTTP/9.9\r\nHost: x\r\n\r\n".to_owned(),
        "\u{0}\u{1}\u{2}\r\n\r\n".to_owned(),
        format!(
            "GET /api/v1/account HTTP/1.1\r\nHost: x\r\nX-Long: {}\r\n\r\n",
            "a".repeat(200_000)
        ),
    ];
    for bytes in cases {
        let answer = raw(&server, bytes.as_bytes());
        let excerpt: String = bytes.chars().take(200).collect();
        assert!(matches!(status(&answer), "400" | "431" | "none"), "{excerpt}\n{answer}");
    }
    assert_eq!(server.get(&key, "/api/v1/summary/2026").json()["invoices"]["count"], 0);
}

#[test]
fn a_client_that_does_not_finish_its_head_is_cut_off_and_delays_no_others() {
    let server = Server::start(Engine::Sqlite);
    let key = server.account("anna@example.com");
    let slow: Vec<TcpStream> = (0..200)
        .map(|_| {
            let mut stream = TcpStream::connect(server.address).unwrap();
            stream.write_all(b"GET /api/v1/account HTTP/1.1\r\nHost: x\r\nX-Slow: ").unwrap();
            stream
        })
        .collect();
    assert_eq!(server.get(&key, "/api/v1/account").status, 200);
    let start = Instant::now();
    for mut stream in slow {
        stream.set_read_timeout(Some(Duration::from_secs(40))).unwrap();
        let mut rest = Vec::new();
        // The server closes the connection, with or without a response.
        let _ = stream.read_to_end(&mut rest);
    }
    assert!(start.elapsed() < Duration::from_secs(30), "the head must arrive within ten seconds");
}

#[test]
fn the_server_says_whether_it_lives_and_can_work() {
    let server = Server::start(Engine::Sqlite);
    for path in ["/healthz", "/readyz"] {
        assert_eq!(server.send("GET", path, &[], None).status, 200, "{path}");
    }
    let page = server.send("GET", "/docs/errors", &[], None);
    assert_eq!(page.status, 200);
    for link in ["/", "/api/docs", "/docs/integrating", "/docs/errors", "/api-access"] {
        assert!(page.text.contains(&format!("href=\"{link}\"")), "{link}");
    }
    for kind in web::catalogue::ALL {
        assert!(page.text.contains(&format!("<section id=\"{}\">", kind.code)), "{}", kind.code);
    }
}

#[test]
fn a_misspelt_resource_is_answered_with_its_name() {
    let server = Server::start(Engine::Sqlite);
    let key = server.account("anna@example.com");
    for (path, hint) in [
        ("/api/v1/invoice", "did you mean /api/v1/invoices?"),
        ("/api/v1/contcats/7", "did you mean /api/v1/contacts?"),
        ("/api/v1/orders", "check the path for typing errors"),
        ("/api/v1/invoices/7/pdff", "check the path for typing errors"),
    ] {
        let reply = server.get(&key, path);
        assert!(
            reply.status == 404 && reply.text.contains(hint) && reply.text.contains("/api/docs"),
            "{path}: {}",
            reply.text
        );
    }
}

#[test]
fn lists_are_compressed_for_clients_that_accept_gzip() {
    let server = Server::start(Engine::Sqlite);
    let key = server.account("anna@example.com");
    for number in 0..10 {
        assert_eq!(
            server
                .post(
                    &key,
                    "/api/v1/contacts",
                    &serde_json::json!({"name": format!("Contact {number}")})
                )
                .status,
            201
        );
    }
    let list = |more: &[(&str, &str)]| {
        server.send(
            "GET",
            "/api/v1/contacts",
            &[&[("x-api-key", key.as_str())], more].concat(),
            None,
        )
    };
    assert_eq!(list(&[]).header("content-encoding"), None);
    let zipped = list(&[("accept-encoding", "gzip")]);
    assert_eq!(
        (zipped.status, zipped.header("content-encoding"), zipped.header("vary")),
        (200, Some("gzip"), Some("accept-encoding"))
    );
    // A single resource has a strong entity tag and is therefore not compressed.
    let one = server.send(
        "GET",
        "/api/v1/contacts/1",
        &[("x-api-key", &key), ("accept-encoding", "gzip")],
        None,
    );
    assert!(
        one.header("content-encoding").is_none() && one.header("etag").unwrap().starts_with('"')
    );
}

#[test]
fn a_request_names_the_server_exactly_once() {
    let server = Server::start(Engine::Sqlite);
    for (head, expected) in [
        ("GET /healthz HTTP/1.1\r\nHost: x\r\n", "200"),
        ("GET /healthz HTTP/1.0\r\n", "200"),
        ("GET /healthz HTTP/1.1\r\n", "400"),
        ("GET /healthz HTTP/1.1\r\nHost: x\r\nHost: y\r\n", "400"),
        ("GET /healthz HTTP/1.0\r\nHost: x\r\nHost: x\r\n", "400"),
    ] {
        let answer = raw(&server, format!("{head}Connection: close\r\n\r\n").as_bytes());
        assert_eq!(status(&answer), expected, "{head}: {answer}");
        assert_eq!(
            answer.contains("\"code\":\"malformed_request\""),
            expected == "400",
            "{answer}"
        );
    }
}
