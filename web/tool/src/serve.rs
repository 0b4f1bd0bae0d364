//! A small static file server for the built page: loopback only, reads only.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Component, Path, PathBuf};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result};

/// What a browser may load and do on this page. `index.html` repeats it for servers that send no header.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self'; \
     img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'";

/// The longest request head that is read, in bytes.
const HEAD_LIMIT: u64 = 16 * 1024;

/// Serves a folder on a loopback port (0: a free one) until the process is stopped; prints the address.
pub fn serve(folder: &Path, port: u16) -> Result<()> {
    let listener = TcpListener::bind(("127.0.0.1", port)).with_context(|| format!("port {port} cannot be used"))?;
    println!("http://{}/", listener.local_addr().context("no address")?);
    std::io::stdout().flush().context("printing the address")?;
    for stream in listener.incoming().flatten() {
        let folder = folder.to_path_buf();
        // A browser that goes away in the middle of an answer is no fault of this server.
        thread::spawn(move || answer(stream, &folder).ok());
    }
    Ok(())
}

fn answer(mut stream: TcpStream, folder: &Path) -> std::io::Result<()> {
    stream.set_read_timeout(Some(Duration::from_secs(10)))?;
    stream.set_write_timeout(Some(Duration::from_secs(30)))?;
    let mut reader = BufReader::new(stream.try_clone()?.take(HEAD_LIMIT));
    let mut request = String::new();
    reader.read_line(&mut request)?;
    let mut line = String::new();
    while reader.read_line(&mut line)? > 2 {
        line.clear();
    }
    let response = respond(&request, folder);
    write!(
        stream,
        "HTTP/1.1 {}\r\ncontent-type: {}\r\ncontent-length: {}\r\ncontent-security-policy: {POLICY}; frame-ancestors \
         'none'\r\nx-content-type-options: nosniff\r\nreferrer-policy: no-referrer\r\ncache-control: no-cache\r\n\
         connection: close\r\n\r\n",
        response.status,
        response.content_type,
        response.body.len()
    )?;
    if response.with_body {
        stream.write_all(&response.body)?;
    }
    stream.flush()
}

struct Response {
    status: &'static str,
    content_type: &'static str,
    body: Vec<u8>,
    with_body: bool,
}

fn respond(request: &str, folder: &Path) -> Response {
    let mut words = request.split_ascii_whitespace();
    let method = words.next().unwrap_or_default();
    let path = words.next().unwrap_or_default();
    let plain = |status, text: &str| Response {
        status,
        content_type: "text/plain; charset=utf-8",
        body: text.as_bytes().to_vec(),
        with_body: method != "HEAD",
    };
    if method != "GET" && method != "HEAD" {
        return plain("405 Method Not Allowed", "only GET and HEAD\n");
    }
    let Some(file) = locate(path, folder) else { return plain("404 Not Found", "not found\n") };
    match fs::read(&file) {
        Ok(body) => Response { status: "200 OK", content_type: content_type(&file), body, with_body: method != "HEAD" },
        Err(_) => plain("404 Not Found", "not found\n"),
    }
}

/// The file that a request path names, if it stays inside the folder.
fn locate(path: &str, folder: &Path) -> Option<PathBuf> {
    let path = path.split(['?', '#']).next()?.strip_prefix('/')?;
    let path = if path.is_empty() { "index.html" } else { path };
    let relative = Path::new(path);
    let inside = relative.components().all(|component| matches!(component, Component::Normal(_)));
    (inside && !path.contains(['%', '\\'])).then(|| folder.join(relative))
}

fn content_type(file: &Path) -> &'static str {
    match file.extension().and_then(|extension| extension.to_str()) {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("wasm") => "application/wasm",
        Some("svg") => "image/svg+xml",
        Some("woff2") => "font/woff2",
        Some("json") => "application/json",
        Some("txt") => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_and_the_server_send_the_same_policy() {
        let page = include_str!("../../static/index.html");
        assert!(page.contains(POLICY), "index.html must hold: {POLICY}");
    }

    #[test]
    fn a_request_never_leaves_the_folder() {
        let folder = Path::new("/srv");
        assert_eq!(locate("/", folder), Some(PathBuf::from("/srv/index.html")));
        assert_eq!(locate("/start.js?v=1", folder), Some(PathBuf::from("/srv/start.js")));
        for path in ["/../etc/passwd", "//etc/passwd", "/%2e%2e/etc/passwd", "start.js", "", "/a/../../b"] {
            assert_eq!(locate(path, folder), None, "{path}");
        }
    }

    #[test]
    fn every_kind_of_file_the_page_loads_has_its_type() {
        let dist = std::env::temp_dir().join(format!("rollcast-serve-{}", std::process::id()));
        fs::create_dir_all(&dist).unwrap();
        fs::write(dist.join("rollcast_bg.wasm"), b"\0asm").unwrap();
        let found = respond("GET /rollcast_bg.wasm HTTP/1.1", &dist);
        let head = respond("HEAD /rollcast_bg.wasm HTTP/1.1", &dist);
        let missing = respond("GET /nothing HTTP/1.1", &dist);
        let posted = respond("POST / HTTP/1.1", &dist);
        fs::remove_dir_all(&dist).unwrap();
        assert_eq!((found.status, found.content_type), ("200 OK", "application/wasm"));
        assert_eq!((found.body.as_slice(), head.with_body), (b"\0asm".as_slice(), false));
        assert_eq!(missing.status, "404 Not Found");
        assert_eq!(posted.status, "405 Method Not Allowed");
    }
}
