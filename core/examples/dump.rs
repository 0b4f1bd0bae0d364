//! Prints a dump for trying things out: `cargo run --release -p rollcast-core --example dump -- 5000 yaml`.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a benchmark may fail loudly")]

#[path = "../benches/shared/dump.rs"]
mod dump;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let count = arguments.next().and_then(|count| count.parse().ok()).unwrap_or(5000);
    let text = match arguments.next().as_deref() {
        Some("yaml") => dump::nodes_as_yaml(count),
        _ => dump::nodes_as_json(count),
    };
    print!("{text}");
}
