//! Server that answers like Mollie, for tests. It can answer wrongly, slowly or not at all, and
//! leaves it to the test which messages about payments arrive.

#![expect(clippy::unwrap_used, reason = "this is test code: a failure here is a failed test")]

use serde_json::{Value, json};
use std::{
    collections::BTreeMap,
    io::{BufRead, BufReader, Read, Write},
    net::{SocketAddr, TcpListener, TcpStream},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread::JoinHandle,
    time::Duration,
};

/// API key of test accounts.
pub const TEST_KEY: &str = "test_dHar4XY7LxsDOtmnkVtjNVWXLSlXsM";
/// API key of live accounts.
pub const LIVE_KEY: &str = "live_dHar4XY7LxsDOtmnkVtjNVWXLSlXsM";
/// Access token with the right to read settlements.
pub const TOKEN: &str = "access_Wwvu7egPcJLLJ9Kb7J632x8wJ2zMeJ";

/// Behaviour of the server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Lie {
    /// Answers as published.
    None,
    /// Answers every call with a status.
    Status(u16),
    /// Redirects every call to an address.
    LeadsTo(String),
    /// Never answers.
    Hangs,
    /// Closes the connection.
    Closes,
    /// Answers with more than any client should read.
    NeverEnds,
    /// Answers with something else than JSON.
    NotJson,
    /// Replaces fields of every object that has them.
    Replaces(Vec<(&'static str, Value)>),
}

/// Call that was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Called {
    /// Method and target: `GET /v2/payments/tr_1`.
    pub line: String,
    /// Key or token.
    pub secret: String,
    /// Value of `Idempotency-Key`; empty without one.
    pub idempotency_key: String,
    /// Body; null without one.
    pub body: Value,
}

#[derive(Default)]
struct State {
    /// Payments by id, as JSON.
    payments: BTreeMap<String, Value>,
    refunds: Vec<Value>,
    chargebacks: Vec<Value>,
    settlements: Vec<Value>,
    by_key: BTreeMap<String, String>,
    calls: Vec<Called>,
    last_id: usize,
}

/// Server on its own port.
pub struct StandIn {
    address: SocketAddr,
    state: Arc<Mutex<State>>,
    lie: Arc<Mutex<Lie>>,
    over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn amount(cents: i64) -> Value {
    let (sign, cents) = (if cents < 0 { "-" } else { "" }, cents.unsigned_abs());
    json!({"currency": "EUR", "value": format!("{sign}{}.{:02}", cents / 100, cents % 100)})
}

/// Amount with the four decimals that the costs of a settlement have.
fn fine_amount(ten_thousandths: i64) -> Value {
    let value = format!("{}.{:04}", ten_thousandths / 10_000, ten_thousandths % 10_000);
    json!({"currency": "EUR", "value": value})
}

fn cents(of: &Value) -> i64 {
    of["amount"]["value"].as_str().unwrap().replace('.', "").parse().unwrap()
}

impl State {
    fn id(&mut self, prefix: &str) -> String {
        self.last_id += 1;
        format!("{prefix}standIn{}", self.last_id)
    }

    fn create(&mut self, body: &Value, key: &str, address: SocketAddr) -> (u16, Value) {
        if let Some(existing) = self.by_key.get(key).filter(|_| !key.is_empty()) {
            return (201, self.payments[existing].clone());
        }
        let is_text = |name: &str| body[name].is_string();
        if !is_text("description") || !is_text("redirectUrl") || cents(body) <= 0 {
            return (422, json!({"status": 422, "title": "Unprocessable Entity", "detail": "no"}));
        }
        let id = self.id("tr_");
        let checkout = format!("http://{address}/checkout/{id}");
        let payment = json!({
            "resource": "payment", "id": id, "mode": "test", "status": "open", "method": null,
            "amount": body["amount"], "description": body["description"],
            "redirectUrl": body["redirectUrl"], "webhookUrl": body["webhookUrl"],
            "createdAt": "2026-03-15T11:00:00+00:00",
            "_links": {"checkout": {"href": checkout, "type": "text/html"}},
        });
        self.payments.insert(id.clone(), payment.clone());
        self.by_key.insert(key.to_owned(), id);
        (201, payment)
    }

    fn payment(&self, id: &str) -> Option<Value> {
        let mut payment = self.payments.get(id)?.clone();
        let of = |list: &[Value]| -> Vec<Value> {
            list.iter().filter(|back| back["paymentId"] == id).cloned().collect()
        };
        payment["_embedded"] =
            json!({"refunds": of(&self.refunds), "chargebacks": of(&self.chargebacks)});
        if payment["status"] != "open" {
            payment["_links"] = json!({});
        }
        Some(payment)
    }

    /// Page of a list, with the address of the next one.
    fn list(&self, name: &str, items: &[Value], path: &str, query: &str) -> Value {
        let parameter = |wanted: &str| {
            let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
            pairs.filter(|(name, _)| *name == wanted).map(|(_, value)| value.to_owned()).next()
        };
        let from = parameter("from");
        let limit = parameter("limit").map_or(50, |limit| limit.parse().unwrap());
        let first = from.map_or(0, |from| items.iter().position(|of| of["id"] == from).unwrap());
        let page: Vec<_> = items[first..].iter().take(limit).cloned().collect();
        let next = items.get(first + page.len()).map(|next| {
            let id = next["id"].as_str().unwrap();
            let href = format!("https://api.mollie.com{path}?from={id}&limit={limit}");
            json!({"href": href, "type": "application/hal+json"})
        });
        json!({"count": page.len(), "_embedded": {name: page}, "_links": {"next": next}})
    }

    fn answer(&mut self, called: &Called, address: SocketAddr) -> (u16, Value) {
        let missing = (404, json!({"status": 404, "title": "Not Found", "detail": "No such"}));
        let (method, target) = called.line.split_once(' ').unwrap();
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let parts: Vec<&str> = path.trim_start_matches('/').split('/').collect();
        let is_of_settlements = parts.get(1) == Some(&"settlements");
        let is_known = if is_of_settlements {
            called.secret == TOKEN
        } else {
            [TEST_KEY, LIVE_KEY].contains(&called.secret.as_str())
        };
        if !is_known {
            let detail = "Missing authentication, or failed to authenticate";
            return (401, json!({"status": 401, "title": "Unauthorized", "detail": detail}));
        }
        match (method, parts.as_slice()) {
            ("POST", ["v2", "payments"]) => {
                self.create(&called.body, &called.idempotency_key, address)
            }
            ("GET", ["v2", "payments"]) => {
                let all: Vec<_> = self.payments.values().cloned().collect();
                (200, self.list("payments", &all, path, query))
            }
            ("GET", ["v2", "payments", id]) => {
                self.payment(id).map_or(missing, |payment| (200, payment))
            }
            ("GET", ["v2", "settlements"]) => {
                let newest: Vec<_> = self.settlements.iter().rev().cloned().collect();
                (200, self.list("settlements", &newest, path, query))
            }
            ("GET", ["v2", "settlements", id]) => {
                let found = self.settlements.iter().find(|of| of["id"] == *id);
                found.map_or(missing, |of| (200, of.clone()))
            }
            ("GET", ["v2", "settlements", id, kind]) => {
                let payments: Vec<_> = self.payments.values().cloned().collect();
                let all = match *kind {
                    "payments" => payments,
                    "refunds" => self.refunds.clone(),
                    _ => self.chargebacks.clone(),
                };
                let its: Vec<_> = all.into_iter().filter(|of| of["settlementId"] == *id).collect();
                (200, self.list(kind, &its, path, query))
            }
            _ => missing,
        }
    }
}

impl StandIn {
    /// Starts a server without payments.
    #[must_use]
    pub fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let (state, lie) = (Arc::<Mutex<State>>::default(), Arc::new(Mutex::new(Lie::None)));
        let over = Arc::<AtomicBool>::default();
        let shared = (Arc::clone(&state), Arc::clone(&lie), Arc::clone(&over));
        let thread = std::thread::spawn(move || {
            let (state, lie, over) = shared;
            for stream in listener.incoming() {
                if over.load(Ordering::SeqCst) {
                    break;
                }
                let (state, lie, over) = (Arc::clone(&state), Arc::clone(&lie), Arc::clone(&over));
                std::thread::spawn(move || serve(&stream?, address, &state, &lie, &over));
            }
        });
        Self { address, state, lie, over, thread: Some(thread) }
    }

    /// Address of the API.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Changes the behaviour.
    pub fn behave(&self, lie: Lie) {
        *locked(&self.lie) = lie;
    }

    /// Removes and returns the calls since the last time.
    #[must_use]
    pub fn calls(&self) -> Vec<Called> {
        std::mem::take(&mut locked(&self.state).calls)
    }

    /// Ids of all payments, in order of their making.
    #[must_use]
    pub fn payments(&self) -> Vec<String> {
        let state = locked(&self.state);
        let mut ids: Vec<_> = state.payments.keys().cloned().collect();
        ids.sort_by_key(|id| (id.len(), id.clone()));
        ids
    }

    /// A payment, as JSON.
    #[must_use]
    pub fn payment(&self, id: &str) -> Value {
        locked(&self.state).payments[id].clone()
    }

    /// Sets the state of a payment.
    pub fn set_status(&self, id: &str, status: &str) {
        locked(&self.state).payments.get_mut(id).unwrap()["status"] = json!(status);
    }

    /// Pays a payment.
    pub fn pay(&self, id: &str, method: &str, at: &str) {
        let mut state = locked(&self.state);
        let payment = state.payments.get_mut(id).unwrap();
        payment["status"] = json!("paid");
        payment["method"] = json!(method);
        payment["paidAt"] = json!(at);
    }

    /// Adds a payment of a web shop, paid, that the program did not make.
    pub fn pay_elsewhere(&self, cents: i64, at: &str) -> String {
        let mut state = locked(&self.state);
        let id = state.id("tr_");
        let payment = json!({"resource": "payment", "id": id, "status": "paid", "paidAt": at,
            "amount": amount(cents), "method": "creditcard", "createdAt": at, "_links": {}});
        state.payments.insert(id.clone(), payment);
        id
    }

    /// Refunds part of a payment; returns the id of the refund.
    pub fn refund(&self, payment: &str, cents: i64, status: &str, at: &str) -> String {
        let mut state = locked(&self.state);
        let id = state.id("re_");
        state.refunds.push(json!({"resource": "refund", "id": id, "paymentId": payment,
            "status": status, "amount": amount(cents), "createdAt": at}));
        id
    }

    /// Sets the state of a refund.
    pub fn set_refund(&self, id: &str, status: &str) {
        let mut state = locked(&self.state);
        let refund = state.refunds.iter_mut().find(|of| of["id"] == id).unwrap();
        refund["status"] = json!(status);
    }

    /// Charges part of a payment back; returns the id of the chargeback.
    pub fn charge_back(&self, payment: &str, cents: i64, at: &str) -> String {
        let mut state = locked(&self.state);
        let id = state.id("chb_");
        state.chargebacks.push(json!({"resource": "chargeback", "id": id, "paymentId": payment,
            "amount": amount(cents), "createdAt": at, "reversedAt": null}));
        id
    }

    /// Reverses a chargeback.
    pub fn reverse(&self, chargeback: &str, at: &str) {
        let mut state = locked(&self.state);
        let of = state.chargebacks.iter_mut().find(|of| of["id"] == chargeback).unwrap();
        of["reversedAt"] = json!(at);
    }

    /// Pays out everything that is not paid out yet, less `fee` per payment in ten-thousandths of a
    /// euro, with 21 % VAT on it; returns the id and the amount of the settlement, in cents.
    pub fn settle(&self, fee: i64, at: &str) -> (String, i64) {
        let mut state = locked(&self.state);
        let id = state.id("stl_");
        let (mut sum, mut count) = (0, 0);
        for payment in state.payments.values_mut() {
            if payment["status"] == "paid" && payment["settlementId"].is_null() {
                payment["settlementId"] = json!(id);
                (sum, count) = (sum + cents(payment), count + 1);
            }
        }
        for refund in &mut state.refunds {
            if refund["status"] == "refunded" && refund["settlementId"].is_null() {
                refund["settlementId"] = json!(id);
                sum -= cents(refund);
            }
        }
        for of in &mut state.chargebacks {
            if of["reversedAt"].is_null() && of["settlementId"].is_null() {
                of["settlementId"] = json!(id);
                sum -= cents(of);
            }
        }
        let (net, vat) = (fee * count, fee * count * 21 / 100);
        let paid = sum - (net + vat + 50) / 100;
        let costs = json!([{"description": "iDEAL", "method": "ideal", "count": count,
            "rate": {"fixed": amount(29), "percentage": null}, "amountNet": fine_amount(net),
            "amountVat": fine_amount(vat), "amountGross": fine_amount(net + vat)}]);
        state.settlements.push(json!({"resource": "settlement", "id": id, "status": "paidout",
            "reference": "1234567.2603.01", "settledAt": at, "createdAt": at,
            "amount": amount(paid), "periods": {"2026": {"03": {"costs": costs, "revenue": []}}}}));
        (id, paid)
    }

    /// Sets a field of a settlement.
    pub fn set_settlement(&self, id: &str, field: &str, value: Value) {
        let mut state = locked(&self.state);
        state.settlements.iter_mut().find(|of| of["id"] == id).unwrap()[field] = value;
    }
}

impl Drop for StandIn {
    fn drop(&mut self) {
        self.over.store(true, Ordering::SeqCst);
        let _ = TcpStream::connect(self.address);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Replaces fields wherever they occur.
fn replace(value: &mut Value, fields: &[(&'static str, Value)]) {
    match value {
        Value::Object(object) => {
            for (name, other) in fields {
                if let Some(field) = object.get_mut(*name) {
                    *field = other.clone();
                }
            }
            object.values_mut().for_each(|value| replace(value, fields));
        }
        Value::Array(values) => values.iter_mut().for_each(|value| replace(value, fields)),
        _ => {}
    }
}

fn serve(
    stream: &TcpStream,
    address: SocketAddr,
    state: &Mutex<State>,
    lie: &Mutex<Lie>,
    over: &AtomicBool,
) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream);
    let mut lines = Vec::new();
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line)? == 0 || line.trim().is_empty() {
            break;
        }
        lines.push(line.trim().to_owned());
    }
    let Some(first) = lines.first() else { return Ok(()) };
    let header = |name: &str| {
        let mut pairs = lines.iter().skip(1).filter_map(|line| line.split_once(": "));
        let found = pairs.find(|(of, _)| of.eq_ignore_ascii_case(name)).map(|(_, value)| value);
        found.unwrap_or_default().to_owned()
    };
    let mut body = vec![0; header("content-length").parse().unwrap_or(0)];
    reader.read_exact(&mut body)?;
    let called = Called {
        line: first.trim_end_matches(" HTTP/1.1").to_owned(),
        secret: header("authorization").trim_start_matches("Bearer ").to_owned(),
        idempotency_key: header("idempotency-key"),
        body: serde_json::from_slice(&body).unwrap_or_default(),
    };
    locked(state).calls.push(called.clone());
    let lie = locked(lie).clone();
    let (status, text) = match lie {
        Lie::None | Lie::Replaces(_) => {
            let (status, mut value) = locked(state).answer(&called, address);
            if let Lie::Replaces(fields) = &lie {
                replace(&mut value, fields);
            }
            (status, value.to_string())
        }
        Lie::Status(status) => (status, json!({"status": status, "detail": "as told"}).to_string()),
        Lie::LeadsTo(url) => {
            let head = "HTTP/1.1 307 Elsewhere\r\ncontent-length: 0\r\nconnection: close\r\n";
            return write!(&mut &*stream, "{head}location: {url}\r\n\r\n");
        }
        Lie::Hangs => {
            while !over.load(Ordering::SeqCst) {
                std::thread::sleep(Duration::from_millis(20));
            }
            return Ok(());
        }
        Lie::Closes => return Ok(()),
        Lie::NeverEnds => {
            write!(&mut &*stream, "HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n")?;
            while !over.load(Ordering::SeqCst) {
                (&mut &*stream).write_all(&[b' '; 4096])?;
            }
            return Ok(());
        }
        Lie::NotJson => (200, "<html>".to_owned()),
    };
    let head = "content-type: application/hal+json\r\nconnection: close\r\n";
    let length = text.len();
    write!(&mut &*stream, "HTTP/1.1 {status} X\r\n{head}content-length: {length}\r\n\r\n{text}")
}
