//! A mail server that accepts connections without responding; later it accepts emails.

use super::{
    clients::{Operation, Phase, watch},
    scene::Scene,
};
use crate::{crash::agent, crash::create, server::Server};
use anyhow::{Context, ensure};
use serde_json::{Value, json};
use std::{
    collections::BTreeMap,
    io::{BufRead, BufReader, Write},
    net::{Ipv4Addr, Shutdown, TcpListener, TcpStream},
    path::Path,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

/// Number of emails per account; two accounts send emails.
const MAILS: usize = 2;
/// Time without responses: longer than the server's timeout.
const FAULT: Duration = Duration::from_secs(17);
/// Maximum time until all emails are delivered.
const RECOVERY: Duration = Duration::from_secs(90);
/// Maximum response time.
const PROMPT: Duration = Duration::from_secs(5);

/// The mail server hangs.
pub(super) fn hang(binary: &Path) -> anyhow::Result<()> {
    let scene = Scene::new(binary)?;
    let other = scene.program.open_account("other@example.com")?;
    let post = Post::open()?;
    let smtp = format!("smtp://127.0.0.1:{}", post.port);
    let server = scene.program.serve_with(&scene.log(), &["--rate-limit", "0", "--smtp", &smtp])?;
    for mail in 0..MAILS {
        for key in [&other, &scene.key] {
            put_mail(&server, key, mail)?;
        }
    }
    let mut mailed = [(other.as_str(), MAILS), (scene.key.as_str(), MAILS)];
    let mut seen = watch(&server, &scene.key, |clients| {
        clients.begin(Phase::During);
        thread::sleep(FAULT);
        for (key, _) in mailed {
            let (status, cause) = mail_status(&server, key, 1)?;
            ensure!(status == "queued", "while the mail server hangs a mail is {status}");
            println!("  while it hangs a mail is {status}: {cause}");
        }
        post.speak();
        clients.begin(Phase::After);
        let begun = Instant::now();
        for (key, count) in &mut mailed {
            for id in 1..=*count {
                while mail_status(&server, key, id)?.0 != "sent" {
                    ensure!(
                        begun.elapsed() < RECOVERY,
                        "{RECOVERY:?} after the mail server was back a mail is not sent"
                    );
                    thread::sleep(Duration::from_millis(100));
                }
            }
        }
        println!(
            "  all mails sent {} ms after the mail server was back",
            begun.elapsed().as_millis()
        );
        Ok(())
    })?;
    for phase in [Phase::During, Phase::After] {
        seen.only(phase, Operation::Write, &[201], PROMPT)?;
        seen.only(phase, Operation::Read, &[200], PROMPT)?;
        seen.only(phase, Operation::Ready, &[200], PROMPT)?;
    }
    let taken = post.taken();
    ensure!(taken.len() == 2 * MAILS, "{} mails arrived, {} were sent", taken.len(), 2 * MAILS);
    ensure!(taken.values().all(|times| *times == 1), "a mail arrived more than once: {taken:?}");
    drop(taken);
    seen.abandoned += MAILS;
    scene.verify(server, &seen)
}

/// Creates an invoice and emails it.
fn put_mail(server: &Server, key: &str, number: usize) -> anyhow::Result<()> {
    let agent = agent();
    let (status, invoice) = create(&agent, &server.origin, key, &format!("mailed-{number}"))?;
    ensure!(status == 201, "the invoice was answered with {status}: {invoice}");
    let url = format!("{}/api/v1/invoices/{}/send", server.origin, invoice["id"]);
    let request =
        agent.post(url).header("x-api-key", key).header("content-type", "application/json");
    let status =
        request.send(json!({ "to": "customer@example.com" }).to_string())?.status().as_u16();
    ensure!(matches!(status, 200..=202), "the mail was answered with {status}");
    Ok(())
}

/// Status of an invoice's email, with its cause.
fn mail_status(server: &Server, key: &str, invoice: usize) -> anyhow::Result<(String, String)> {
    let url = format!("{}/api/v1/invoices/{invoice}/messages", server.origin);
    let text = agent().get(url).header("x-api-key", key).call()?.body_mut().read_to_string()?;
    let list: Value = serde_json::from_str(&text)?;
    let mail = &list["data"][0];
    let status = mail["status"].as_str().with_context(|| text.clone())?;
    Ok((status.to_owned(), mail["cause"].as_str().unwrap_or("not tried yet").to_owned()))
}

/// A mail server.
struct Post {
    port: u16,
    state: Arc<State>,
}

#[derive(Default)]
struct State {
    speaks: AtomicBool,
    silent: Mutex<Vec<TcpStream>>,
    /// Number of times that each email was accepted, by Message-ID.
    taken: Mutex<BTreeMap<String, usize>>,
}

impl Post {
    /// Starts a server that does not respond yet.
    fn open() -> anyhow::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let port = listener.local_addr()?.port();
        let state = Arc::new(State::default());
        let its = Arc::clone(&state);
        // The thread ends with the program.
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                if its.speaks.load(Ordering::SeqCst) {
                    let state = Arc::clone(&its);
                    // If a conversation breaks off, its email has not been accepted.
                    thread::spawn(move || state.converse(client).is_ok());
                } else {
                    locked(&its.silent).push(client);
                }
            }
        });
        Ok(Self { port, state })
    }

    /// Accepts emails from now on; waiting clients are disconnected.
    fn speak(&self) {
        self.state.speaks.store(true, Ordering::SeqCst);
        for client in locked(&self.state.silent).drain(..) {
            // The client may have gone.
            let _ = client.shutdown(Shutdown::Both);
        }
    }

    fn taken(&self) -> MutexGuard<'_, BTreeMap<String, usize>> {
        locked(&self.state.taken)
    }
}

impl State {
    /// A minimal SMTP conversation (RFC 5321).
    fn converse(&self, mut client: TcpStream) -> anyhow::Result<()> {
        let lines = BufReader::new(client.try_clone()?).lines();
        let (mut in_text, mut id) = (false, String::new());
        client.write_all(b"220 ready\r\n")?;
        for line in lines {
            let line = line?;
            let answer = match line.split([' ', ':']).next().unwrap_or_default() {
                "." => {
                    in_text = false;
                    *locked(&self.taken).entry(std::mem::take(&mut id)).or_default() += 1;
                    "250 taken"
                }
                "Message-ID" if in_text => {
                    id.clone_from(&line);
                    continue;
                }
                _ if in_text => continue,
                "DATA" => {
                    in_text = true;
                    "354 go on"
                }
                "QUIT" => "221 goodbye",
                _ => "250 good",
            };
            client.write_all(format!("{answer}\r\n").as_bytes())?;
        }
        Ok(())
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
