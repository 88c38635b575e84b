//! `bare`: a handler that answers with fixed bytes, on the same web framework as the service. The least that a read can cost.

use anyhow::Context;
use axum::{Router, body::Bytes, http::header, routing::any};
use std::{net::SocketAddr, path::PathBuf};
use tokio::net::TcpListener;

/// What to answer, and where.
#[derive(Debug, clap::Args)]
pub struct Options {
    /// The file whose bytes are every answer
    #[arg(long)]
    pub body: PathBuf,
    /// The address to listen on
    #[arg(long)]
    pub listen: SocketAddr,
}

/// Answers until it is killed.
///
/// # Errors
/// The file cannot be read or the address cannot be listened on.
pub fn run(options: &Options) -> anyhow::Result<()> {
    let body = Bytes::from(std::fs::read(&options.body).with_context(|| options.body.display().to_string())?);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let listener = TcpListener::bind(options.listen).await.with_context(|| options.listen.to_string())?;
        let answer = move || {
            let body = body.clone();
            async move { ([(header::CONTENT_TYPE, "application/json")], body) }
        };
        axum::serve(listener, Router::new().fallback(any(answer))).await?;
        Ok(())
    })
}
