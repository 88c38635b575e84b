//! API documentation: its pages and guides are complete and load nothing from third parties.

use testing::{Engine, Server};

/// Values of all attributes with the given name.
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
                || (name, source) == ("form-action", "'self'")
                || (name, source) == ("connect-src", own.as_str());
            assert!(fine, "{part}");
        }
    }
    assert!(policy.starts_with("default-src 'none'; script-src 'self';"));
    assert!(!page.text.contains("//"), "the page refers to another host");

    let mut files = 0;
    for address in attributes(&page.text, "src")
        .into_iter()
        .chain(attributes(&page.text, "href"))
        .chain(attributes(&page.text, "spec-url"))
    {
        assert!(address.starts_with(['/', '#', '?']), "{address}");
        if !address.starts_with('/') {
            continue;
        }
        let file = server.send("GET", address, &[], None);
        assert!([200, 303].contains(&file.status), "{address}");
        let forever = Some("public, max-age=31536000, immutable");
        if address.starts_with("/api/docs/") {
            files += 1;
            assert_eq!(file.header("cache-control"), forever, "{address}");
            assert_eq!(file.header("x-content-type-options"), Some("nosniff"));
        } else {
            assert_eq!(
                file.header("cache-control") == forever,
                address.starts_with("/static/"),
                "{address}"
            );
        }
    }
    assert_eq!(files, 3);
    // The page has the same frame as the guides and the application.
    assert!(
        page.text.contains("<header class=\"bar\">")
            && page.text.contains("<a href=\"/docs/integrating\">")
    );
    // By default the renderer loads third-party fonts, which the policy would block.
    assert_eq!(attributes(&page.text, "load-fonts"), ["false"]);
    assert!(
        !page.text.contains("<script>") && !page.text.contains(" on"),
        "the page has an inline script"
    );
    assert_eq!(server.send("GET", "/api/docs/other.js", &[], None).code(), "unknown_route");
}

#[test]
fn the_addresses_that_people_guess_lead_to_the_description_and_the_guide() {
    let server = Server::start(Engine::Sqlite);
    for (guessed, target) in [
        ("/openapi.json", "/api/openapi.json"),
        ("/docs", "/docs/integrating"),
        ("/api", "/api/docs"),
    ] {
        let reply = server.send("GET", guessed, &[], None);
        assert_eq!((reply.status, reply.header("location")), (303, Some(target)), "{guessed}");
    }
}

#[test]
fn the_description_is_compressed_and_not_sent_again_to_a_client_that_has_it() {
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
    let sections: Vec<&str> = attributes(&page, "href")
        .into_iter()
        .filter_map(|address| address.strip_prefix('#'))
        .collect();
    assert!(sections.len() > 10 && sections.contains(&"the-first-invoice"), "{sections:?}");
    let ids = attributes(&page, "id");
    for section in sections {
        assert_eq!(ids.iter().filter(|id| **id == section).count(), 1, "{section}");
    }
    let models = server.send("GET", "/llms.txt", &[], None);
    assert_eq!(
        (models.status, models.header("content-type")),
        (200, Some("text/plain; charset=utf-8"))
    );
    for path in [
        "/docs/integrating.md",
        "/docs/oauth.md",
        "/docs/webwinkel.md",
        "/docs/not-supported.md",
        "/docs/changelog.md",
        "/docs/errors.md",
    ] {
        assert!(
            models.text.contains(&format!("(http://{}{path})", server.address)),
            "{}",
            models.text
        );
        let guide = server.send("GET", path, &[], None);
        assert_eq!(
            (guide.status, guide.header("content-type")),
            (200, Some("text/markdown; charset=utf-8"))
        );
        assert!(guide.text.starts_with("# "), "{path}");
    }
}

/// The guides have the application's page frame: readers can choose a language and sign in.
#[test]
fn every_guide_is_a_page_in_the_frame_of_the_application() {
    let server = Server::start(Engine::Sqlite);
    let read = |path: &str, language: &str| {
        server.send("GET", path, &[("accept-language", language)], None)
    };
    for (path, language) in [
        ("/docs/integrating", "en"),
        ("/docs/oauth", "en"),
        ("/docs/webwinkel", "nl"),
        ("/docs/not-supported", "en"),
        ("/docs/changelog", "en"),
        ("/docs/errors", "en"),
    ] {
        for (reader, sign_in, copy) in [("nl", "Inloggen", "Kopiëren"), ("en", "Sign in", "Copy")]
        {
            let page = read(path, reader);
            assert_eq!(
                (page.status, page.header("content-type")),
                (200, Some("text/html; charset=utf-8")),
                "{path}"
            );
            assert!(page.text.contains(&format!("<html lang=\"{reader}\">")), "{path}");
            assert!(
                page.text.contains(&format!("<article class=\"guide\" lang=\"{language}\">")),
                "{path}"
            );
            assert!(
                page.text.contains(&format!(
                    "<a class=\"button secondary\" href=\"/login?next={path}\">"
                )) && page.text.contains(sign_in),
                "{path}"
            );
            assert_eq!(
                page.text.contains("data-copy=\"code-1\""),
                ["/docs/integrating", "/docs/oauth"].contains(&path),
                "{path}"
            );
            assert!(!page.text.contains("data-copy") || page.text.contains(copy), "{path}");
            // The guides link to each other.
            assert!(
                page.text.contains("href=\"/docs/webwinkel\"")
                    && page.text.contains("href=\"/docs/errors\""),
                "{path}"
            );
        }
    }
    // Commands and answers have syntax colours; only commands have a copy button.
    let guide = read("/docs/integrating", "en").text;
    assert!(
        guide.contains("<span class=\"tok-k\">curl</span>")
            && guide.contains("<span class=\"tok-s\">"),
        "{guide}"
    );
}

/// Tax rules that the program lacks are named.
#[test]
fn missing_tax_rules_are_named() {
    let server = Server::start(Engine::Sqlite);
    let page = server.send("GET", "/docs/not-supported.md", &[], None).text;
    let page = page.split_whitespace().collect::<Vec<_>>().join(" ");
    for missing in [
        "Self-billing (art. 35(2)",
        "Simplified invoices as a choice (art. 34d",
        "Partnerships (VOF, maatschap)",
        "Margin schemes",
        "EU-KOR",
        "IOSS",
        "real estate and on services to it",
        "VAT of other EU countries on purchases",
        "Staff, wages, corporation tax",
        "no tax partner, no boxes 2 and 3",
        "EIA, MIA), and depreciation at will",
    ] {
        assert!(page.contains(missing), "{missing}");
    }
}

/// Links from the guides to this server resolve, and so do their fragments.
#[test]
fn no_link_of_a_guide_leads_nowhere() {
    let server = Server::start(Engine::Sqlite);
    for path in ["integrating", "oauth", "webwinkel", "not-supported", "changelog"] {
        let page = server.send("GET", &format!("/docs/{path}"), &[], None).text;
        let article = page.split_once("<article").unwrap().1.split_once("</article>").unwrap().0;
        for address in
            attributes(article, "href").into_iter().filter(|address| address.starts_with('/'))
        {
            let (to, section) = address.split_once('#').unwrap_or((address, ""));
            let target_page = server.send("GET", to, &[], None);
            assert!([200, 303].contains(&target_page.status), "{path}: {address}");
            let has = section.is_empty() || attributes(&target_page.text, "id").contains(&section);
            assert!(has, "{path}: {address}");
        }
    }
}
