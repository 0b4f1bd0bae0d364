//! The Rollcast playground. The same module runs as the page and, started as a module Worker, as the worker.

fn main() {
    #[cfg(target_arch = "wasm32")]
    rollcast_web::start();
}
