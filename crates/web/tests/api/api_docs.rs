//! The description for people: the page, its files, and that nothing of it comes from elsewhere.

use testing::{Engine, Server};

/// What stands in the attributes of this name.
fn attributes<'h>(html: &'h str, name: &str) -> Vec<&'h str> {
    let start = format!(" {name}=\"");
    let parts: Vec<&str> = html.split(start.as_str()).skip(1).collect();
    parts.into_iter().map(|part| part.split('"').next().unwrap()).collect()
}

#[test]
fn the_page_and_its_files_are_served_by_this_server_alone() {
    let server = Server::start(Engine::Sqlite);
    let page = server.send("GET", "/api/docs", &[], None);
    assert_eq!((page.status, page.header("content-type")), (200, Some("text/html; charset=utf-8")));
    let policy = page.header("content-security-policy").unwrap();
    let own = format!("http://{}", server.address);
    for part in policy.split("; ") {
        let (name, sources) = part.split_once(' ').unwrap();
        for source in sources.split(' ') {
            let fine = ["'none'", "'self'"].contains(&source)
                || (name, source) == ("style-src", "'unsafe-inline'")
                || (name, source) == ("img-src", "data:")
                || (name, source) == ("connect-src", own.as_str());
            assert!(fine, "{part}");
        }
    }
    assert!(policy.starts_with("default-src 'none'; script-src 'self';"));
    assert!(!page.text.contains("//"), "an address of another host");

    let mut files = 0;
    for address in
        attributes(&page.text, "src").into_iter().chain(attributes(&page.text, "href")).chain(attributes(&page.text, "spec-url"))
    {
        if address == "data:," {
            continue;
        }
        assert!(address.starts_with('/'), "{address}");
        let file = server.send("GET", address, &[], None);
        assert_eq!(file.status, 200, "{address}");
        let forever = Some("public, max-age=31536000, immutable");
        if address.starts_with("/api/docs/") {
            files += 1;
            assert_eq!(file.header("cache-control"), forever, "{address}");
            assert_eq!(file.header("x-content-type-options"), Some("nosniff"));
        } else {
            assert_ne!(file.header("cache-control"), forever, "{address}");
        }
    }
    assert_eq!(files, 3);
    // The renderer would fetch fonts from elsewhere if it were not told otherwise, and were it not for the policy.
    assert_eq!(attributes(&page.text, "load-fonts"), ["false"]);
    assert!(!page.text.contains("<script>") && !page.text.contains(" on"), "a script inside the page");
    assert_eq!(server.send("GET", "/api/docs/other.js", &[], None).code(), "unknown_route");
}
