//! Proxy between a server and PostgreSQL that kills the server after a given number of its
//! messages, so that kills hit every step of its transactions.

use anyhow::Context as _;
use rustix::process::{Pid, Signal, kill_process};
use std::{
    io::{Read, Write},
    net::{Ipv4Addr, Shutdown, TcpListener, TcpStream},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    thread,
};

/// Kill that is planned.
#[derive(Debug, Clone, Copy)]
pub(super) struct Kill {
    /// Number of messages until then, at least 1.
    pub(super) after: u64,
    /// Whether PostgreSQL receives the last of them; its answer is lost in any case.
    pub(super) is_delivered: bool,
    /// Process id of the server.
    pub(super) process: u32,
}

#[derive(Default)]
struct State {
    planned: Option<Kill>,
    /// Messages since the last call of [`Proxy::count`].
    messages: u64,
}

/// A proxy. It runs until this program ends.
pub(super) struct Proxy {
    pub(super) port: u16,
    state: Arc<Mutex<State>>,
}

fn locked(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Proxy {
    /// Opens a proxy to a port of this host.
    pub(super) fn to(target: u16) -> anyhow::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let port = listener.local_addr()?.port();
        let state = Arc::<Mutex<State>>::default();
        let shared = Arc::clone(&state);
        thread::spawn(move || {
            for server in listener.incoming().flatten() {
                let Ok(postgres) = TcpStream::connect((Ipv4Addr::LOCALHOST, target)) else {
                    continue;
                };
                // A connection that cannot be relayed is closed.
                let _ = relay(&server, &postgres, &shared);
            }
        });
        Ok(Self { port, state })
    }

    /// Plans a kill, or none.
    pub(super) fn plan(&self, kill: Option<Kill>) {
        locked(&self.state).planned = kill;
    }

    /// Returns the number of messages since the last call.
    pub(super) fn count(&self) -> u64 {
        std::mem::take(&mut locked(&self.state).messages)
    }
}

/// Relays a connection in both directions, in threads of its own.
fn relay(
    server: &TcpStream,
    postgres: &TcpStream,
    state: &Arc<Mutex<State>>,
) -> anyhow::Result<()> {
    for stream in [server, postgres] {
        stream.set_nodelay(true)?;
    }
    let (mut from, mut to) = (postgres.try_clone()?, server.try_clone()?);
    thread::spawn(move || {
        // The server is gone if it does not take the answer.
        let _ = std::io::copy(&mut from, &mut to);
        let _ = to.shutdown(Shutdown::Both);
    });
    let (mut from, mut to) = (server.try_clone()?, postgres.try_clone()?);
    let state = Arc::clone(state);
    thread::spawn(move || {
        let _ = pass_on(&mut from, &mut to, &state);
        let _ = to.shutdown(Shutdown::Both);
    });
    Ok(())
}

/// Passes on the messages of a server until it is killed or closes the connection. The server waits
/// for the answer after each message, so that what is read at once is one.
fn pass_on(from: &mut TcpStream, to: &mut TcpStream, state: &Mutex<State>) -> anyhow::Result<()> {
    let mut buffer = vec![0; 1 << 16];
    loop {
        let length = from.read(&mut buffer)?;
        if length == 0 {
            return Ok(());
        }
        let kill = {
            let mut state = locked(state);
            state.messages += 1;
            match &mut state.planned {
                Some(kill) if kill.after <= 1 => state.planned.take(),
                Some(kill) => {
                    kill.after -= 1;
                    None
                }
                None => None,
            }
        };
        match kill {
            None => to.write_all(&buffer[..length])?,
            Some(kill) => {
                if kill.is_delivered {
                    to.write_all(&buffer[..length])?;
                }
                let process = i32::try_from(kill.process).ok().and_then(Pid::from_raw);
                kill_process(process.context("no process id")?, Signal::KILL)?;
                return Ok(());
            }
        }
    }
}
