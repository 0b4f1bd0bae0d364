use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

use predicates::str::contains;

use crate::rollcast;

struct Server {
    process: Child,
    address: String,
    page: tempfile::TempDir,
}

impl Server {
    fn start() -> Self {
        let page = tempfile::tempdir().unwrap();
        std::fs::write(page.path().join("index.html"), "<!doctype html><title>page</title>").unwrap();
        std::fs::write(page.path().join("core.wasm"), b"\0asm").unwrap();
        let mut process = Command::new(assert_cmd::cargo::cargo_bin!("rollcast"))
            .args(["serve", "--port", "0", "--dir"])
            .arg(page.path())
            .env("LANG", "C")
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.split("http://").nth(1).unwrap().trim().trim_end_matches('/').to_owned();
        Self { process, address, page }
    }

    fn ask(&self, request: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.write_all(request.replace('\n', "\r\n").as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer.to_lowercase()
    }

    fn get(&self, path: &str) -> String {
        self.ask(&format!("GET {path} HTTP/1.1\nHost: {}\nConnection: close\n\n", self.address))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }
}

#[test]
fn the_page_is_served_with_its_types_and_a_strict_policy() {
    let server = Server::start();
    assert!(server.address.starts_with("127.0.0.1:"), "{}", server.address);
    let page = server.get("/");
    assert!(page.starts_with("http/1.1 200"), "{page}");
    assert!(page.contains("content-type: text/html; charset=utf-8"), "{page}");
    assert!(
        page.contains("content-security-policy: default-src 'none'; script-src 'self' 'wasm-unsafe-eval'"),
        "{page}"
    );
    assert!(page.contains("x-content-type-options: nosniff") && page.ends_with("<title>page</title>"), "{page}");
    assert!(server.get("/core.wasm").contains("content-type: application/wasm"));
    assert!(server.get("/../Cargo.toml").starts_with("http/1.1 404"));
    assert!(server.ask("GET / HTTP/1.1\nHost: rebound.example\nConnection: close\n\n").starts_with("http/1.1 403"));
    let post = format!("POST / HTTP/1.1\nHost: {}\nContent-Length: 0\nConnection: close\n\n", server.address);
    assert!(server.ask(&post).starts_with("http/1.1 405"));
}

#[test]
fn a_directory_without_a_page_is_refused() {
    let empty = tempfile::tempdir().unwrap();
    let path = empty.path().to_str().unwrap();
    rollcast(["serve", "--dir", path]).assert().code(3).stderr(contains("no index.html"));
}

#[test]
fn a_port_that_is_taken_is_named() {
    let server = Server::start();
    let port = server.address.rsplit(':').next().unwrap();
    let page = server.page.path().to_str().unwrap();
    rollcast(["serve", "--port", port, "--dir", page]).assert().code(3).stderr(contains("the port is taken"));
}
