//! Ctrl-C as a wish: the answer so far is printed, and a second Ctrl-C ends the process at once.

use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Ended by Ctrl-C: 128 and the number of SIGINT, as shells have it.
pub const INTERRUPTED: u8 = 130;

/// Whether Ctrl-C was pressed since it is listened for.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Listens from here on; where that is not possible, Ctrl-C ends the process as it always did.
    pub fn listen() -> Self {
        let interrupt = Self::default();
        let requested = interrupt.clone();
        // A thread of its own: the work that is to be interrupted never waits.
        let listener = std::thread::Builder::new().name("interrupt".to_owned());
        let _without = listener.spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            let Ok(runtime) = runtime else { return };
            runtime.block_on(async {
                while tokio::signal::ctrl_c().await.is_ok() {
                    if requested.0.swap(true, Ordering::Relaxed) {
                        process::exit(INTERRUPTED.into());
                    }
                }
            });
        });
        interrupt
    }

    /// Whether it was pressed.
    pub fn is_requested(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
