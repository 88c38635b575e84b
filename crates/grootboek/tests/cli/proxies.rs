//! The nginx configuration in `docs/operating.md`, run by nginx in front of real servers.

use crate::{
    INVOICE, PASSWORD, Running, account_with_key, account_with_password, done, program,
    smtp::CERTIFICATE, visitor, wait_until,
};
use std::{
    fs,
    net::{TcpListener, TcpStream},
    path::Path,
    process::Command,
    sync::atomic::{AtomicBool, AtomicUsize, Ordering},
};
use tempfile::TempDir;
use testing::{Database, Engine};

const ANNA: &str = "anna@example.com";
/// Number of clients that send requests during the restarts.
const CLIENTS: usize = 4;

/// The nginx blocks of the manual: the configuration for one server, and the `upstream` block for
/// two servers.
fn blocks() -> [&'static str; 2] {
    let manual = include_str!("../../../../docs/operating.md");
    let blocks: Vec<_> =
        manual.split("```nginx\n").skip(1).map(|rest| rest.split_once("```").unwrap().0).collect();
    blocks.try_into().unwrap_or_else(|blocks| panic!("{blocks:?}"))
}

/// The nginx program; `cargo xtask test` installs Debian's package.
fn nginx() -> Command {
    Command::new(
        std::env::var("GROOTBOEK_TEST_NGINX").unwrap_or_else(|_| "/usr/sbin/nginx".to_owned()),
    )
}

/// Address with a port that was free a moment ago, because nginx cannot choose a port itself.
fn free_address() -> String {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string()
}

/// Replaces a text that must occur exactly once.
fn replaced(text: &str, from: &str, to: &str) -> String {
    assert_eq!(text.matches(from).count(), 1, "{from} in {text}");
    text.replace(from, to)
}

/// Starts nginx with a configuration from the manual and with an additional port without TLS.
fn start(block: &str, folder: &TempDir) -> Running {
    let (encrypted, plain) = (free_address(), free_address());
    let block =
        replaced(block, "listen 443 ssl;", &format!("listen {encrypted} ssl; listen {plain};"));
    let block = replaced(&block, "/etc/ssl/books.example.com.pem", CERTIFICATE);
    let key = Path::new(CERTIFICATE).with_file_name("key.pem").display().to_string();
    let block = replaced(&block, "/etc/ssl/private/books.example.com.key", &key);
    let at = |name: &str| folder.path().join(name).display().to_string();
    let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        .map(|name| format!("{name}_temp_path {};", at(name)))
        .join(" ");
    let configuration = format!(
        "daemon off; master_process off; pid {}; error_log stderr;\nevents {{}}\nhttp {{ access_log off; {temporary}\n{block}}}\n",
        at("pid")
    );
    fs::write(at("nginx.conf"), configuration).unwrap();
    let missing = "nginx is missing; install it: `apt-get install nginx` on Debian, or run `cargo xtask test`";
    assert!(nginx().arg("-v").status().is_ok(), "{missing}");
    let mut proxy = Running::spawn(nginx().args(["-e", "stderr", "-c", &at("nginx.conf")]));
    for address in [&encrypted, &plain] {
        wait_until("nginx listens", || {
            assert!(proxy.child.try_wait().unwrap().is_none(), "{}", proxy.log());
            TcpStream::connect(address).is_ok()
        });
    }
    proxy.url = format!("http://{plain}");
    proxy
}

#[test]
fn nginx_lets_through_all_that_a_server_takes() {
    let database = Database::new(Engine::Sqlite);
    let db = &database.address();
    account_with_password(db, ANNA);
    let key = crate::key(db, ANNA).1;
    let mut server = Running::serve(db, &["--trusted-proxy", "127.0.0.1"]);
    let folder = tempfile::tempdir().unwrap();
    let address = server.url.trim_start_matches("http://");
    let mut proxy = start(&replaced(blocks()[0], "127.0.0.1:8080", address), &folder);
    // Typical sizes of a phone's photos, and the largest permitted receipt.
    for mebibytes in [1, 5, 10] {
        let mut receipt = format!("%PDF-1.7 {mebibytes} MiB ").into_bytes();
        receipt.resize(mebibytes << 20, b' ');
        let (status, answer) = proxy.hand_in(&key, &receipt);
        assert_eq!(status, 201, "{mebibytes} MiB: {answer}");
    }
    // The server, not nginx, rejects bodies that are too large, with its own message.
    for (answer, limit) in [
        (proxy.hand_in(&key, &vec![b' '; (10 << 20) + 1]), "10 MiB"),
        (proxy.post(&key, "/api/v1/invoices", &" ".repeat((1 << 20) + 1)), "1 MiB"),
    ] {
        assert!(
            answer.0 == 413 && answer.1.contains("\"body_too_large\"") && answer.1.contains(limit),
            "{answer:?}"
        );
    }
    // Pages and forms work, and the list of sessions shows the client's address.
    let person = visitor(&proxy);
    assert_eq!(person.sign_in(ANNA, PASSWORD).location(), "/");
    assert!(person.get("/settings/security").text.contains("127.0.0.1"));
    proxy.signal("-TERM");
    proxy.ended();
    server.stop();
}

#[test]
fn two_nodes_are_restarted_one_after_the_other_without_a_failed_request() {
    let database = Database::new(Engine::Postgres);
    let db = &database.address();
    let key = account_with_key(db, ANNA);
    let mut nodes: Vec<Running> =
        (0..2).map(|_| Running::serve(db, &["--rate-limit", "0"])).collect();
    let [one, two] = blocks();
    let upstream = one.split_inclusive("\n}\n").next().unwrap();
    let mut block = replaced(one, upstream, two);
    for (node, address) in nodes.iter().zip(["10.0.0.1:8080", "10.0.0.2:8080"]) {
        block = replaced(&block, address, node.url.trim_start_matches("http://"));
    }
    let folder = tempfile::tempdir().unwrap();
    let mut proxy = start(&block, &folder);
    let (stop, answered) = (AtomicBool::new(false), AtomicUsize::new(0));
    let failed: Vec<String> = std::thread::scope(|scope| {
        let clients: Vec<_> = (0..CLIENTS)
            .map(|client| {
                let (proxy, key, stop, answered) = (&proxy, &key, &stop, &answered);
                scope.spawn(move || {
                    let mut failed = Vec::new();
                    while !stop.load(Ordering::Relaxed) {
                        let (status, text) = match client {
                            0 => proxy.post(key, "/api/v1/invoices", INVOICE),
                            _ => proxy.get(key, "/api/v1/account"),
                        };
                        if !matches!(status, 200 | 201) {
                            failed.push(format!("{status} {text}"));
                        }
                        answered.fetch_add(1, Ordering::Relaxed);
                    }
                    failed
                })
            })
            .collect();
        let progress = |more: usize| {
            let goal = answered.load(Ordering::Relaxed) + more;
            wait_until("clients are answered", || answered.load(Ordering::Relaxed) >= goal);
        };
        for node in &mut nodes {
            progress(20);
            let address = node.url.trim_start_matches("http://").to_owned();
            node.stop();
            progress(20);
            *node = Running::serving(program().args([
                "--database",
                db,
                "serve",
                "--rate-limit",
                "0",
                "--listen",
                &address,
            ]));
        }
        progress(20);
        stop.store(true, Ordering::Relaxed);
        clients.into_iter().flat_map(|client| client.join().unwrap()).collect()
    });
    let answered = answered.into_inner();
    assert!(failed.is_empty(), "{} of {answered}, such as {}", failed.len(), failed[0]);
    proxy.signal("-TERM");
    proxy.ended();
    nodes.iter_mut().for_each(|node| drop(node.stop()));
    done(db, &["verify"]);
}
