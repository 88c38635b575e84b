//! `bare`: a handler that responds with fixed bytes, on the same web framework as the service, to
//! measure the minimum cost of a read.

use anyhow::Context;
use axum::{Router, body::Bytes, http::header, routing::any};
use std::{net::SocketAddr, path::PathBuf};
use tokio::net::TcpListener;

/// Options of `bare`.
#[derive(Debug, clap::Args)]
pub struct Options {
    /// File whose bytes are the response to every request
    #[arg(long)]
    pub body: PathBuf,
    /// Address to listen on
    #[arg(long)]
    pub listen: SocketAddr,
}

/// Serves until it is killed.
///
/// # Errors
/// The file cannot be read, or the address is not available.
pub fn run(options: &Options) -> anyhow::Result<()> {
    let body = Bytes::from(
        std::fs::read(&options.body).with_context(|| options.body.display().to_string())?,
    );
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let listener =
            TcpListener::bind(options.listen).await.with_context(|| options.listen.to_string())?;
        let answer = move || {
            let body = body.clone();
            async move { ([(header::CONTENT_TYPE, "application/json")], body) }
        };
        axum::serve(listener, Router::new().fallback(any(answer))).await?;
        Ok(())
    })
}
