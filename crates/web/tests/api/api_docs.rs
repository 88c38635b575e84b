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

#[test]
fn the_addresses_that_people_guess_lead_to_the_description_and_the_guide() {
    let server = Server::start(Engine::Sqlite);
    for (guessed, there) in [("/openapi.json", "/api/openapi.json"), ("/docs", "/docs/integrating")] {
        let reply = server.send("GET", guessed, &[], None);
        assert_eq!((reply.status, reply.header("location")), (303, Some(there)), "{guessed}");
    }
}

#[test]
fn the_description_is_compressed_and_not_sent_again_to_whoever_has_it() {
    let server = Server::start(Engine::Sqlite);
    let path = "/api/openapi.json";
    let plain = server.send("GET", path, &[], None);
    let tag = plain.header("etag").unwrap();
    assert!(tag.starts_with("W/\""), "{tag}");
    let again = server.send("GET", path, &[("if-none-match", tag)], None);
    assert_eq!((again.status, again.text.as_str(), again.header("etag")), (304, "", Some(tag)));
    assert_eq!(server.send("GET", path, &[("if-none-match", "\"other\"")], None).status, 200);
    let small = server.send("HEAD", path, &[("accept-encoding", "gzip")], None);
    assert_eq!((small.header("content-encoding"), small.header("etag")), (Some("gzip"), Some(tag)));
}

#[test]
fn every_section_of_the_guide_can_be_linked_to_and_every_guide_is_there_as_markdown() {
    let server = Server::start(Engine::Sqlite);
    let page = server.send("GET", "/docs/integrating", &[], None).text;
    let sections: Vec<&str> = attributes(&page, "href").into_iter().filter_map(|address| address.strip_prefix('#')).collect();
    assert!(sections.len() > 10 && sections.contains(&"the-first-invoice"), "{sections:?}");
    let ids = attributes(&page, "id");
    for section in sections {
        assert_eq!(ids.iter().filter(|id| **id == section).count(), 1, "{section}");
    }
    let models = server.send("GET", "/llms.txt", &[], None);
    assert_eq!((models.status, models.header("content-type")), (200, Some("text/plain; charset=utf-8")));
    for path in ["/docs/integrating.md", "/docs/errors.md"] {
        assert!(models.text.contains(&format!("(http://{}{path})", server.address)), "{}", models.text);
        let guide = server.send("GET", path, &[], None);
        assert_eq!((guide.status, guide.header("content-type")), (200, Some("text/markdown; charset=utf-8")));
        assert!(guide.text.starts_with("# "), "{path}");
    }
}
