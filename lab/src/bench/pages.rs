//! The pages of the application: response times in large and in small books, and bytes transferred.

use super::{Bench, Target, divide, micros};
use crate::{partner, server::Server};
use anyhow::{Context, ensure};
use std::{
    collections::BTreeSet,
    io::{Read, Write},
    net::TcpStream,
};
use visitor::Visitor;

const PASSWORD: &str = "a passphrase to measure with";
/// Number of measurements per page, alternately with the same page of the small books.
const TURNS: usize = 7;

/// Every page that shows bookkeeping data. `fill` creates invoices of one year for only twenty
/// customers, so that a contact's page shows fifty invoices in the small books too.
const PAGES: &[&str] = &[
    "/",
    "/search?q=Customer%207",
    "/invoices",
    "/invoices?state=open",
    "/invoices?state=overdue",
    "/invoices/new",
    "/invoices/7",
    "/invoices/7/credit",
    "/contacts",
    "/contacts/7",
    "/expenses",
    "/expenses/new",
    "/receipts",
    "/projects",
    "/hours",
    "/hours/list",
    "/vat",
    "/vat/2026/1",
    "/year/2026",
    "/journal",
    "/journal/7",
    "/journal/accounts",
    "/journal/accounts/1300?year=2026",
    "/journal/new",
    "/duties",
    "/assets",
    "/mileage",
    "/payouts",
    "/settings",
    "/settings/invoices",
    "/settings/vat",
    "/settings/data",
];

impl Bench {
    pub(super) fn pages(&mut self) -> anyhow::Result<()> {
        let many = if self.options.quick { "10000" } else { "100000" };
        let program = self.program("pages");
        let mut cookies = Vec::new();
        for (email, count) in [("small@example.com", "1000"), ("large@example.com", many)] {
            program.open_person(email, PASSWORD)?;
            program.run(&["fill", "--email", email, "--invoices", count, "--year", "2026"])?;
        }
        let server = program.serve(&self.log())?;
        for email in ["small@example.com", "large@example.com"] {
            let person = Visitor::at(&server.origin);
            partner::sign_in(&person, email, PASSWORD)?;
            cookies.push(person.cookies());
        }
        for path in PAGES {
            self.page_in_large_books(&server, path, &cookies, many)?;
        }
        for path in ["/", "/invoices/7"] {
            self.page_beside_bare(&server, path, &cookies[1])?;
        }
        self.wire(&server, &cookies[1])?;
        server.stop()
    }

    fn page_in_large_books(
        &mut self,
        server: &Server,
        path: &str,
        cookies: &[String],
        many: &str,
    ) -> anyhow::Result<()> {
        let url = format!("{}{path}", server.origin);
        let mut latencies = [(Vec::new(), Vec::new()), (Vec::new(), Vec::new())];
        for _ in 0..TURNS {
            for (cookie, (medians, p99s)) in cookies.iter().zip(&mut latencies) {
                let measured =
                    self.wrk.look(&url, cookie, 1, 1).with_context(|| path.to_owned())?;
                medians.push(measured.p50);
                p99s.push(measured.p99);
            }
        }
        for (medians, p99s) in &mut latencies {
            medians.sort_unstable();
            p99s.sort_unstable();
        }
        let [(small, small_p99), (large, large_p99)] =
            latencies.map(|(medians, p99s)| (medians[TURNS / 2], p99s[TURNS / 2]));
        self.record(
            format!("{path}, p50, {many} invoices"),
            micros(large),
            "ms",
            Some(Target::AtMost(20.0)),
        );
        for (what, large, small) in [("p50", large, small), ("p99", large_p99, small_p99)] {
            // A tenth of a millisecond cannot be measured, so such a difference is accepted.
            let most = divide(micros(small + 100), micros(small)).max(1.3);
            self.compare(
                format!("{path}, {what}"),
                micros(large),
                "ms",
                ("1000 invoices", micros(small)),
                Target::AtMost(most),
            );
        }
        Ok(())
    }

    fn page_beside_bare(
        &mut self,
        server: &Server,
        path: &str,
        cookie: &str,
    ) -> anyhow::Result<()> {
        let url = format!("{}{path}", server.origin);
        let answer = ureq::get(&url).header("cookie", cookie).call()?.body_mut().read_to_vec()?;
        let (what, seconds) =
            (format!("{path}, 64 connections, {} bytes", answer.len()), self.seconds());
        self.beside_bare(what, (path, None), &answer, seconds, None::<Target>, |wrk| {
            wrk.look(&url, cookie, 64, seconds)
        })
    }

    /// Transferred bytes: the first visit includes style, scripts and font; later visits only the
    /// page.
    fn wire(&mut self, server: &Server, cookie: &str) -> anyhow::Result<()> {
        for path in PAGES {
            let page = ureq::get(format!("{}{path}", server.origin))
                .header("cookie", cookie)
                .call()?
                .body_mut()
                .read_to_string()?;
            let again = on_the_wire(&server.origin, path, cookie)?;
            let mut first = again;
            for asset in assets(&page) {
                first += on_the_wire(&server.origin, &asset, cookie)?;
            }
            let kilobytes =
                |bytes: usize| divide(f64::from(u32::try_from(bytes).unwrap_or(u32::MAX)), 1000.0);
            self.record(
                format!("{path}, HTML"),
                kilobytes(page.len()),
                "kB",
                Some(Target::AtMost(120.0)),
            );
            self.record(
                format!("{path}, first visit on the wire"),
                kilobytes(first),
                "kB",
                Some(Target::AtMost(150.0)),
            );
            self.record(
                format!("{path}, on the wire afterwards"),
                kilobytes(again),
                "kB",
                Some(Target::AtMost(30.0)),
            );
        }
        Ok(())
    }
}

/// Paths of a page's assets. The font is among them, because the page preloads it.
fn assets(page: &str) -> BTreeSet<String> {
    page.split('"').filter(|text| text.starts_with("/static/")).map(str::to_owned).collect()
}

/// Size of a compressed response, including its head.
fn on_the_wire(origin: &str, path: &str, cookie: &str) -> anyhow::Result<usize> {
    let address = origin.strip_prefix("http://").context("the server speaks HTTP")?;
    let mut stream = TcpStream::connect(address)?;
    write!(
        stream,
        "GET {path} HTTP/1.1\r\nhost: {address}\r\ncookie: {cookie}\r\naccept-encoding: gzip, br, zstd\r\nconnection: close\r\n\r\n"
    )?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer)?;
    ensure!(answer.starts_with(b"HTTP/1.1 200"), "{path} was not answered with 200");
    Ok(answer.len())
}
