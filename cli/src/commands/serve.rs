//! The playground from the one binary, for the browser of this machine only.
//!
//! axum serves it: hyper underneath reads what a browser sends with the care that takes, the controller's endpoints
//! need the same two crates, and a single-threaded runtime is enough for one person.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::http::{HeaderMap, Method, Response, StatusCode, Uri, header};
use axum::response::IntoResponse;
use rollcast_core::message::Language;
use tokio::net::TcpListener;

use crate::arguments::ServeArguments;
use crate::failure::Failure;
use crate::output::{Output, Verdict, style};

mod files;

use files::Files;

/// Tried first, so that the address stays the same from day to day.
const USUAL_PORT: u16 = 8420;

/// Only the page's own files run, load, style or connect; WebAssembly may be compiled.
const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; \
    worker-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; \
    connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Serves the page until Ctrl-C.
pub fn run(arguments: &ServeArguments, output: &mut Output) -> Result<Verdict, Failure> {
    let files = Files::new(arguments.dir.as_deref())?;
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, arguments.port.unwrap_or(USUAL_PORT)));
    let listen_failure = |error| Failure::Listen { address: address.to_string(), error };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build().map_err(listen_failure)?;
    runtime.block_on(async {
        let listener = match TcpListener::bind(address).await {
            // Nobody asked for this very port.
            Err(error) if arguments.port.is_none() && error.kind() == io::ErrorKind::AddrInUse => {
                TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await
            }
            result => result,
        };
        let listener = listener.map_err(listen_failure)?;
        let bound = listener.local_addr().map_err(listen_failure)?;
        let (title, hint) = match output.language {
            Language::English => ("The playground is at", "Ctrl-C ends it."),
            Language::Chinese => ("演示页面的地址：", "按 Ctrl-C 结束。"),
        };
        output.text(&format!("{title} {0}http://{bound}/{0:#}\n{hint}\n", style::STRONG))?;
        output.finish()?;
        axum::serve(listener, router(files))
            .with_graceful_shutdown(async {
                // Without a signal handler Ctrl-C still ends the process.
                let _ = tokio::signal::ctrl_c().await;
            })
            .await
            .map_err(listen_failure)
    })?;
    Ok(Verdict::Fine)
}

fn router(files: Files) -> Router {
    Router::new().fallback(answer).with_state(Arc::new(files))
}

async fn answer(State(files): State<Arc<Files>>, method: Method, uri: Uri, headers: HeaderMap) -> impl IntoResponse {
    // A page of another site that was made to resolve to this machine comes with that site's name.
    if !headers.get(header::HOST).and_then(|host| host.to_str().ok()).is_some_and(is_loopback) {
        return plain(StatusCode::FORBIDDEN, "this server answers to localhost only\n");
    }
    if method != Method::GET && method != Method::HEAD {
        return plain(StatusCode::METHOD_NOT_ALLOWED, "only GET and HEAD\n");
    }
    match files.get(uri.path()) {
        Some((bytes, media_type)) => response(StatusCode::OK, media_type, bytes),
        None => plain(StatusCode::NOT_FOUND, "no such file\n"),
    }
}

fn is_loopback(host: &str) -> bool {
    let name = host.rsplit_once(':').map_or(host, |(name, _)| name);
    matches!(name, "localhost" | "127.0.0.1")
}

fn plain(status: StatusCode, text: &'static str) -> Response<axum::body::Body> {
    response(status, "text/plain; charset=utf-8", text.as_bytes().to_vec())
}

fn response(status: StatusCode, media_type: &'static str, bytes: Vec<u8>) -> Response<axum::body::Body> {
    let headers = [
        (header::CONTENT_TYPE, media_type),
        (header::CONTENT_SECURITY_POLICY, CONTENT_SECURITY_POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        // The page is rebuilt under the same names: ask again each time.
        (header::CACHE_CONTROL, "no-cache"),
    ];
    (status, headers, bytes).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_this_machine_are_answered_to() {
        assert!(is_loopback("127.0.0.1:8420") && is_loopback("localhost:1") && is_loopback("localhost"));
        assert!(!is_loopback("rebound.example:8420") && !is_loopback("127.0.0.1.example"));
    }
}
