//! Test of the integration guide (`docs/integrating.md`): runs its commands against a server and
//! compares the answers.

#![expect(clippy::unwrap_used, reason = "a failure is a failed test")]

use service::{
    Environment, accounts,
    environment::Clock,
    oauth::{
        authorize::{self, Approval, Validated},
        clients::{self, NewClient},
    },
};
use std::{fmt::Write as _, path::Path, process::Command};
use store::{accounts::Plan, keys::Scopes};
use testing::{Engine, Server};

const WIDTH: usize = 112;

/// Splits JSON after every comma that is outside strings and at most `deepest` levels deep. Members
/// of the outermost object have depth 1.
fn split(json: &str, deepest: usize) -> Vec<String> {
    let (mut parts, mut part, mut depth, mut quoted, mut escaped) =
        (Vec::new(), String::new(), 0_usize, false, false);
    for c in json.chars() {
        part.push(c);
        match c {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            '{' | '[' if !quoted => depth += 1,
            '}' | ']' if !quoted => depth -= 1,
            ',' if !quoted && depth <= deepest => parts.push(std::mem::take(&mut part)),
            _ => {}
        }
    }
    parts.push(part);
    parts
}

/// Wraps a line of JSON at commas, to at most `WIDTH` characters.
fn wrapped(json: &str) -> String {
    let (mut text, mut line) = (String::new(), 0);
    for part in split(json, usize::MAX) {
        let length = part.chars().count();
        if line > 0 && line + length > WIDTH {
            text.push_str("\n ");
            line = 1;
        }
        text.push_str(&part);
        line += length;
    }
    text
}

/// Keeps only the given fields of an object; all of them if `fields` is empty.
fn chosen(json: &str, fields: &[&str]) -> String {
    if fields.is_empty() {
        return json.to_owned();
    }
    let inner = json.strip_prefix('{').and_then(|json| json.strip_suffix('}')).unwrap();
    let members = split(inner, 0);
    let mut text = String::from("{");
    for field in fields {
        let start = format!("\"{field}\":");
        let member = members
            .iter()
            .find(|member| member.starts_with(&start))
            .unwrap_or_else(|| panic!("no {field} in {json}"));
        let _ = write!(text, "{},", member.trim_end_matches(','));
    }
    text + " …}"
}

/// Replaces values that differ from run to run: the origin, request ids, secrets, tokens, and the tag
/// of an invoice, whose link follows from the server's secret.
fn steady(answer: &str, server: &Server) -> String {
    let mut text = answer
        .replace(&format!("http://{}", server.address), "https://books.example.com")
        .replace("\r\n", "\n");
    for before in ["\"requestId\":\"", "x-request-id: "] {
        if let Some(place) = text.find(before).map(|place| place + before.len()) {
            text.replace_range(place..place + 16, "33a7713dba4f9b17");
        }
    }
    if text.contains("\"publicUrl\":")
        && let Some(place) = text.find("etag: \"").map(|place| place + "etag: \"".len())
    {
        text.replace_range(place..place + 32, "101f2f8d0cd4982393ec3e7ff54c0794");
    }
    if let Some(place) = text.find("whsec_").map(|place| place + "whsec_".len()) {
        text.replace_range(place..place + 44, "…");
    }
    for kind in ["gb_access_", "gb_refresh_"] {
        if let Some(place) = text.find(kind).map(|place| place + kind.len()) {
            text.replace_range(place..place + 49, "…");
        }
    }
    text
}

/// Formats the block below a command according to its info string, such as
/// `http 201 location : id number` or `json 200 id number`.
fn block(info: &str, answer: &str) -> String {
    let mut words = info.split(' ');
    let (kind, status) = (words.next().unwrap(), words.next().unwrap());
    let (before, after): (Vec<&str>, Vec<&str>) = match info.split_once(" : ") {
        Some((_, fields)) => {
            (words.take_while(|word| *word != ":").collect(), fields.split(' ').collect())
        }
        None => (words.collect(), Vec::new()),
    };
    if kind == "json" {
        assert!(!answer.contains("\"requestId\""), "{answer}");
        return wrapped(&chosen(answer, &before)) + "\n";
    }
    let (head, body) = answer.split_once("\n\n").unwrap();
    let mut lines = head.lines();
    let first = lines.next().unwrap();
    assert_eq!(first.split(' ').nth(1), Some(status), "{answer}");
    let mut text = format!("{first}\n");
    let lines: Vec<&str> = lines.collect();
    for name in ["content-type"].into_iter().filter(|_| !body.is_empty()).chain(before) {
        let start = format!("{name}: ");
        let line = lines
            .iter()
            .find(|line| line.starts_with(&start))
            .unwrap_or_else(|| panic!("no {name} in {head}"));
        let _ = writeln!(text, "{line}");
    }
    text.push_str("…\n");
    if !body.is_empty() {
        let _ = write!(text, "\n{}\n", wrapped(&chosen(body, &after)));
    }
    text
}

/// Registers the OAuth client of the guide and approves its request; returns the variables for the
/// commands, among them the authorization code.
fn partner(server: &Server) -> [(&'static str, String); 4] {
    let callback = "https://shop.example.com/callback";
    let scopes = Scopes { read: true, write: true, file: false };
    let new = NewClient {
        name: "Example Shop".into(),
        redirect_uris: vec![callback.into()],
        scopes,
        id: None,
        secret: None,
    };
    let now = server.clock.now();
    let client = server.write(move |tx| clients::register(tx, &Environment::at(now), &new));
    // Verifier and challenge of RFC 7636, appendix B.
    let (verifier, challenge) = (
        "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
        "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
    );
    let parameters = [
        ("response_type", "code"),
        ("client_id", &client.client_id),
        ("redirect_uri", callback),
        ("scope", "read write"),
        ("code_challenge", challenge),
        ("code_challenge_method", "S256"),
    ]
    .map(|(name, value)| (name.to_owned(), value.to_owned()));
    let redirect = server.write(move |tx| {
        let Validated::Ask(request) = authorize::validate(tx, &parameters)? else {
            panic!("the guide's request cannot be granted")
        };
        let (account, min_plan) = (&accounts::by_email(tx, "anna@example.com")?, Plan::Starter);
        let approval =
            Approval { account, request: &request, min_plan, issuer: "https://books.example.com" };
        authorize::approve(tx, &Environment::at(now), &approval)
    });
    let code =
        redirect.split("code=").nth(1).and_then(|rest| rest.split('&').next()).unwrap().to_owned();
    [
        ("CLIENT_ID", client.client_id),
        ("CLIENT_SECRET", client.client_secret),
        ("CODE", code),
        ("VERIFIER", verifier.into()),
    ]
}

fn run(script: &str, folder: &Path, server: &Server, variables: &[(&str, String)]) -> String {
    // Each command has its own shell; the file `kept` passes `INVOICE` on, as a single shell would.
    let script = format!(
        "if [ -f kept ]; then . ./kept; fi\n{script}\nset +u; echo \"INVOICE=$INVOICE\" > kept"
    );
    let output = Command::new("bash")
        .args(["-euc", &script])
        .current_dir(folder)
        .env("URL", format!("http://{}", server.address))
        .envs(variables.iter().map(|(name, value)| (name, value)))
        .output()
        .unwrap();
    assert!(output.status.success(), "{script}\n{}", String::from_utf8_lossy(&output.stderr));
    steady(&String::from_utf8(output.stdout).unwrap(), server)
}

#[test]
fn the_guide_shows_what_the_server_answers() {
    let server = Server::start(Engine::Sqlite);
    // The clock matches the dates in the commands. These dates also suit the demo books, in
    // which the first quarters are filed.
    server.clock.set("2026-11-21T11:00:00Z");
    let mut variables = vec![("KEY", server.account("anna@example.com"))];
    variables.extend(partner(&server));
    variables.push(("TEST_KEY", server.test_key("anna@example.com")));
    let folder = tempfile::tempdir().unwrap();
    let guide = include_str!("../../../docs/integrating.md");
    let (mut written, mut answer, mut ran) = (String::new(), None, 0);
    let mut lines = guide.lines();
    while let Some(line) = lines.next() {
        let _ = writeln!(written, "{line}");
        let Some(info) = line.strip_prefix("```") else { continue };
        let mut inside = String::new();
        for line in lines.by_ref().take_while(|line| *line != "```") {
            let _ = writeln!(inside, "{line}");
        }
        if info == "sh" {
            assert!(answer.is_none(), "a command has no answer block before {inside}");
            if inside.contains("curl") {
                answer = Some(run(&inside, folder.path(), &server, &variables));
                ran += 1;
            }
        } else {
            let answer = answer
                .take()
                .unwrap_or_else(|| panic!("no command precedes the answer block {info}"));
            inside = block(info, &answer);
        }
        let _ = writeln!(written, "{inside}```");
    }
    assert!(ran >= 10, "{ran}");
    assert_eq!(server.discrepancies("anna@example.com"), Vec::<String>::new());
    // UPDATE_EXPECT=1 rewrites the answers.
    expect_test::expect_file!["../../../docs/integrating.md"].assert_eq(&written);
}
