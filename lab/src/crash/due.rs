//! `crash --due`: nodes are killed while recurring invoices fall due and customers accept quotes.
//! Afterwards each occurrence and each acceptance has exactly one invoice.

use super::{
    Victim, agent, random_moment,
    steps::{Kill, Proxy},
};
use crate::server::{Program, Server};
use anyhow::{Context, bail, ensure};
use serde_json::{Value, json};
use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
    thread,
    time::{Duration, Instant},
};
use xtask::postgres::{Cluster, Durability};

/// Nodes on PostgreSQL; an SQLite file has one.
const NODES: usize = 3;
/// Recurring invoices per round, of which equally many are drafts, sent and mailed.
const RECURRING: usize = 9;
/// Quotes per round, of which equally many make a draft, a sent and a mailed invoice.
const QUOTES: usize = 3;
/// States of the invoices, as the fields `deliver` and `onAccept` name them.
const KINDS: [&str; 3] = ["draft", "sent", "mail"];
/// Name of the person who accepts quotes.
const CUSTOMER: &str = "Anna de Bakker";
/// Time after the last request until nodes that did not reach their step are killed.
const ROUND: Duration = Duration::from_secs(2);
/// Time until nodes have taken over the work of killed ones, whose leases last two minutes.
const TAKE_OVER: Duration = Duration::from_secs(180);

/// Result of all rounds.
#[derive(Debug, Clone, Copy, Default)]
pub struct Made {
    /// Occurrences that fell due, and acceptances that are followed by an invoice.
    pub due: usize,
    /// Invoices that were made of them.
    pub made: usize,
    /// Nodes that were killed.
    pub kills: u32,
    /// Those of them that were killed at a planned message to PostgreSQL.
    pub planned: u32,
    /// Messages of the busiest node in a round without kills, among which the steps are divided.
    pub messages: u64,
}

/// Node with the proxy before its database, if that is PostgreSQL.
struct Node {
    program: Program,
    proxy: Option<Proxy>,
    server: Option<Server>,
}

/// Books of one round.
struct Books {
    email: String,
    key: String,
    /// Paths of the customers' pages of the quotes.
    pages: Vec<String>,
}

/// Kills nodes in each round while invoices fall due, and checks at the end that each was made
/// once. Finally other nodes take over the work of the killed ones, or the command `due run` does
/// it if `by_command` is set.
///
/// # Errors
/// An invoice is missing or was made twice, a number is missing or used twice, an email is missing
/// or queued twice, or the verification of the books failed.
// Long: the rounds and what follows them, in order.
pub fn kill_while_due(
    binary: &Path,
    victim: Victim,
    rounds: u32,
    by_command: bool,
) -> anyhow::Result<Made> {
    let folder = tempfile::tempdir()?;
    let cluster = match victim {
        Victim::Sqlite => None,
        Victim::Postgres => Some(Cluster::start(Durability::Durable)?),
        Victim::PostgresItself => bail!("the nodes are killed, not PostgreSQL"),
    };
    let database = match &cluster {
        Some(cluster) => cluster.create_database("books")?,
        None => format!("sqlite:{}", folder.path().join("books.db").display()),
    };
    let direct = Program { binary: binary.to_owned(), database };
    let mut nodes = Vec::new();
    for _ in 0..if cluster.is_some() { NODES } else { 1 } {
        nodes.push(Node::new(&direct, cluster.as_ref())?);
    }
    let (log, secret) = (folder.path().join("log"), folder.path().join("secret"));
    let mut outcome = Made::default();
    let mut all = Vec::new();
    for round in 0..=rounds {
        for node in &mut nodes {
            node.start(&log, &secret)?;
        }
        let books = Books::open(&direct, &nodes, round)?;
        if round > 0 {
            let step = 1 + u64::from(round - 1) * outcome.messages / u64::from(rounds);
            nodes.iter().for_each(|node| node.plan(step, round % 2 == 0));
        } else {
            // Messages of the start do not count.
            nodes.iter().for_each(|node| {
                node.count();
            });
        }
        let last = books.request(&nodes, cluster.is_none() && round > 0);
        if round == 0 {
            last?;
            books.wait_until_made(&nodes, TAKE_OVER)?;
            outcome.messages = nodes.iter().map(Node::count).max().unwrap_or(0);
        } else {
            let deadline = Instant::now() + ROUND;
            for node in &mut nodes {
                outcome.planned += u32::from(node.kill(deadline)?);
                outcome.kills += 1;
            }
        }
        all.push(books);
    }
    for node in &mut nodes {
        node.start(&log, &secret)?;
    }
    let begun = Instant::now();
    for books in &all {
        // Requests whose answers were lost are repeated.
        books.request(&nodes, false).with_context(|| books.email.clone())?;
    }
    if by_command {
        direct.run(&["due", "run"])?;
    }
    for books in &all {
        let remaining = TAKE_OVER.saturating_sub(begun.elapsed());
        books.wait_until_made(&nodes, remaining).with_context(|| books.email.clone())?;
        outcome.due += RECURRING + QUOTES;
        outcome.made += books.check(&nodes).with_context(|| books.email.clone())?;
    }
    for node in &mut nodes {
        node.server.take().context("a node is gone")?.stop()?;
    }
    let (discrepancies, report) = direct.verify()?;
    ensure!(discrepancies == 0, "{report}");
    Ok(outcome)
}

impl Node {
    fn new(direct: &Program, cluster: Option<&Cluster>) -> anyhow::Result<Self> {
        let mut program = direct.clone();
        let proxy = match cluster {
            Some(cluster) => {
                let proxy = Proxy::to(cluster.port())?;
                let port = |port: u16| format!(":{port}/");
                program.database =
                    direct.database.replace(&port(cluster.port()), &port(proxy.port));
                Some(proxy)
            }
            None => None,
        };
        Ok(Self { program, proxy, server: None })
    }

    /// Starts the server unless it runs.
    fn start(&mut self, log: &Path, secret: &Path) -> anyhow::Result<()> {
        if self.server.is_none() {
            let secret = secret.to_str().context("the folder has no UTF-8 name")?;
            let options = ["--rate-limit", "0", "--secret-file", secret];
            self.server = Some(self.program.serve_with(log, &options)?);
        }
        Ok(())
    }

    fn plan(&self, after: u64, is_delivered: bool) {
        if let (Some(proxy), Some(server)) = (&self.proxy, &self.server) {
            proxy.plan(Some(Kill { after, is_delivered, process: server.id() }));
        }
    }

    fn count(&self) -> u64 {
        self.proxy.as_ref().map_or(0, Proxy::count)
    }

    /// Waits until the server was killed at its step, or kills it at the deadline. Returns whether
    /// it reached its step.
    fn kill(&mut self, deadline: Instant) -> anyhow::Result<bool> {
        let mut server = self.server.take().context("a node is gone")?;
        let Some(proxy) = &self.proxy else { return server.kill().map(|()| false) };
        let mut is_planned = server.has_ended()?;
        while !is_planned && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(5));
            is_planned = server.has_ended()?;
        }
        proxy.plan(None);
        server.kill()?;
        Ok(is_planned)
    }
}

impl Books {
    /// Opens an account with quotes that were sent.
    fn open(direct: &Program, nodes: &[Node], round: u32) -> anyhow::Result<Self> {
        let email = format!("due-{round}@example.com");
        let key = direct.open_account(&email)?;
        let mut books = Self { email, key, pages: Vec::new() };
        for kind in KINDS.iter().cycle().take(QUOTES) {
            let quote = books.post(nodes, "quotes", &books.document(&json!({"onAccept": kind})))?;
            let path = format!("quotes/{}/mark-sent", quote["id"]);
            let sent = books.post(nodes, &path, &json!({}))?;
            let url = sent["publicUrl"].as_str().context("a quote without a link")?;
            let token = url.rsplit('/').next().unwrap_or(url);
            books.pages.push(format!("/q/{token}"));
        }
        Ok(books)
    }

    fn document(&self, changes: &Value) -> Value {
        let mut body = json!({
            "customer": {"externalId": "c-1", "name": "Customer", "email": "customer@example.com"},
            "items": [{"description": "Hosting", "quantity": 3, "unitPrice": 33.35, "vatRate": 21}],
        });
        for (name, value) in changes.as_object().into_iter().flatten() {
            body[name] = value.clone();
        }
        body
    }

    fn post(&self, nodes: &[Node], path: &str, body: &Value) -> anyhow::Result<Value> {
        let (status, text) = ask(nodes, |origin| {
            let request = agent()
                .post(format!("{origin}/api/v1/{path}"))
                .header("x-api-key", &self.key)
                .header("content-type", "application/json");
            let mut response = request.send(body.to_string())?;
            Ok((response.status().as_u16(), response.body_mut().read_to_string()?))
        })?;
        ensure!(matches!(status, 200 | 201), "{path} was answered with {status}: {text}");
        Ok(serde_json::from_str(&text)?)
    }

    fn get(&self, nodes: &[Node], path: &str) -> anyhow::Result<Value> {
        let (status, text) = ask(nodes, |origin| {
            let request = agent().get(format!("{origin}/api/v1/{path}"));
            let mut response = request.header("x-api-key", &self.key).call()?;
            Ok((response.status().as_u16(), response.body_mut().read_to_string()?))
        })?;
        ensure!(status == 200, "{path} was answered with {status}: {text}");
        Ok(serde_json::from_str(&text)?)
    }

    fn rows(&self, nodes: &[Node], path: &str) -> anyhow::Result<Vec<Value>> {
        Ok(self.get(nodes, path)?["data"].as_array().context("a list without data")?.clone())
    }

    /// Creates the recurring invoices, which are due at once, while customers accept the quotes.
    /// Both begin with another node. An SQLite server is killed at a random moment meanwhile.
    fn request(&self, nodes: &[Node], is_killed: bool) -> anyhow::Result<()> {
        thread::scope(|scope| {
            let owner = scope.spawn(|| self.create_recurring(nodes));
            let customers = scope.spawn(|| {
                let accept = |page: &String| ask(nodes.iter().rev(), |origin| accept(origin, page));
                self.pages.iter().try_for_each(accept)
            });
            if is_killed {
                let process = nodes[0].server.as_ref().context("a node is gone")?;
                thread::sleep(random_moment()? * 4);
                process.signal_kill()?;
            }
            let results = [owner.join(), customers.join()];
            for result in results {
                result.map_err(|_| anyhow::anyhow!("a client panicked"))??;
            }
            Ok(())
        })
    }

    fn create_recurring(&self, nodes: &[Node]) -> anyhow::Result<()> {
        let today = self.get(nodes, "quotes/1")?["quoteDate"].clone();
        for (number, kind) in KINDS.iter().cycle().take(RECURRING).enumerate() {
            let body = self.document(&json!({
                "externalId": format!("r-{number}"), "deliver": kind, "count": 1,
                "every": {"unit": "month"}, "firstDate": today,
            }));
            self.post(nodes, "recurring-invoices", &body)?;
        }
        Ok(())
    }

    fn invoices(&self, nodes: &[Node]) -> anyhow::Result<Vec<Value>> {
        self.rows(nodes, "invoices?limit=500")
    }

    fn wait_until_made(&self, nodes: &[Node], timeout: Duration) -> anyhow::Result<()> {
        let begun = Instant::now();
        loop {
            let count = self.invoices(nodes)?.len();
            if count >= RECURRING + QUOTES {
                return Ok(());
            }
            ensure!(begun.elapsed() < timeout, "only {count} invoices were made");
            thread::sleep(Duration::from_millis(50));
        }
    }

    /// Checks that each occurrence and each quote has one invoice, that their numbers have no gaps,
    /// and that each invoice has the email that it should have. Returns the number of invoices.
    fn check(&self, nodes: &[Node]) -> anyhow::Result<usize> {
        let mut kinds: BTreeMap<String, String> = BTreeMap::new();
        for (list, field, name) in [
            ("recurring-invoices", "deliver", "recurringInvoiceId"),
            ("quotes", "onAccept", "quoteId"),
        ] {
            for row in self.rows(nodes, &format!("{list}?limit=500"))? {
                let kind = row[field].as_str().context("a row without a kind")?;
                kinds.insert(format!("{name} {}", row["id"]), kind.to_owned());
            }
        }
        ensure!(kinds.len() == RECURRING + QUOTES, "{kinds:?}");
        let (mut numbers, mut made) = (BTreeSet::new(), BTreeSet::new());
        for invoice in self.invoices(nodes)? {
            let number = invoice["number"].as_str().and_then(|number| number.rsplit('-').next());
            let number: usize = number.context("an invoice without a number")?.parse()?;
            ensure!(numbers.insert(number), "the number {number} was used twice");
            let names = ["recurringInvoiceId", "quoteId"].into_iter();
            let source = names.filter(|name| !invoice[*name].is_null());
            let source = source.map(|name| format!("{name} {}", invoice[name])).next();
            let source = source.with_context(|| format!("an invoice of nothing: {invoice}"))?;
            let kind = kinds.get(&source).with_context(|| source.clone())?;
            ensure!(made.insert(source.clone()), "two invoices were made of {source}");
            let status = if kind == "draft" { "draft" } else { "sent" };
            ensure!(invoice["status"] == status, "{source} is to make one {kind}: {invoice}");
            let mails = self.rows(nodes, &format!("invoices/{}/messages", invoice["id"]))?.len();
            ensure!(mails == usize::from(kind == "mail"), "{source} ({kind}) has {mails} emails");
        }
        let last = numbers.last().copied().unwrap_or(0);
        ensure!(last == numbers.len(), "the {} numbers end at {last}", numbers.len());
        Ok(made.len())
    }
}

/// Sends a request to one node after the other until one answers.
fn ask<'n, T>(
    nodes: impl IntoIterator<Item = &'n Node>,
    send: impl Fn(&str) -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    let mut last = anyhow::anyhow!("there are no nodes");
    for server in nodes.into_iter().filter_map(|node| node.server.as_ref()) {
        match send(&server.origin) {
            Ok(answer) => return Ok(answer),
            Err(error) => last = error,
        }
    }
    Err(last)
}

/// Accepts a quote on the customer's page, unless it was accepted.
fn accept(origin: &str, page: &str) -> anyhow::Result<()> {
    let url = format!("{origin}{page}");
    let show = || anyhow::Ok(agent().get(&url).call()?.body_mut().read_to_string()?);
    let shown = show()?;
    if let Some((_, rest)) = shown.split_once("name=\"seen\" value=\"") {
        let seen = rest.split('"').next().unwrap_or_default();
        let fields = [("action", "accept"), ("name", CUSTOMER), ("seen", seen)];
        let status = agent().post(&url).send_form(fields)?.status().as_u16();
        // Another request may have accepted it meanwhile.
        ensure!(matches!(status, 200 | 409), "the acceptance was answered with {status}");
    }
    let shown = show()?;
    ensure!(shown.contains(CUSTOMER), "the quote is not accepted: {shown}");
    Ok(())
}
