//! The worker's end of the line: takes requests in, works in slices, answers.

mod desk;
mod dump;
mod inspect;
mod outlook;
mod play;
mod reading;
mod survey;

pub use desk::{Answer, Desk};
use dump::Source;

use std::cell::RefCell;
use std::rc::Rc;

use gloo::events::EventListener;
use js_sys::Uint8Array;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Blob, DedicatedWorkerGlobalScope, Event, FileReaderSync, MessageChannel, MessageEvent};

use crate::protocol::{Message, Reply, Request};
use crate::wire;

/// A slice of work ends after so many milliseconds, so that newer requests are heard.
const SLICE: f64 = 8.0;

/// Serves the page until it ends this worker.
pub fn serve(scope: &DedicatedWorkerGlobalScope) {
    tell_panics();
    let Ok(channel) = MessageChannel::new() else { return };
    let desk = Rc::new(RefCell::new(Desk::default()));
    // A message to itself comes after those that the page has sent meanwhile: that is the yielding.
    let wake = {
        let port = channel.port2();
        move || port.post_message(&JsValue::NULL).is_ok()
    };

    let (slice_desk, slice_scope, slice_wake) = (Rc::clone(&desk), scope.clone(), wake.clone());
    EventListener::new(&channel.port1(), "message", move |_| {
        if work(&mut slice_desk.borrow_mut(), &slice_scope) {
            slice_wake();
        }
    })
    .forget();
    channel.port1().start();

    EventListener::new(scope, "message", move |event: &Event| {
        let Some(event) = event.dyn_ref::<MessageEvent>() else { return };
        let Some((Message { generation, head }, _)) = wire::decode::<Request>(&event.data()) else { return };
        let mut desk = desk.borrow_mut();
        if let Some(dump) = wire::attached(&event.data()) {
            desk.attach(Rc::new(File(dump)));
        }
        desk.accept(generation, head);
        wake();
    })
    .forget();
    say(scope, 0, Answer::plain(Reply::Ready));
}

/// A dump as the browser keeps it: nothing of it is in memory before it is read.
struct File(Blob);

impl Source for File {
    fn piece(&self, from: u64, length: u64) -> Option<Vec<u8>> {
        #[expect(clippy::cast_precision_loss, reason = "no file is that large")]
        let piece = self.0.slice_with_f64_and_f64(from as f64, (from + length) as f64).ok()?;
        let bytes = FileReaderSync::new().ok()?.read_as_array_buffer(&piece).ok()?;
        Some(Uint8Array::new(&bytes).to_vec())
    }
}

/// Works for one slice; whether there is more to do.
fn work(desk: &mut Desk, scope: &DedicatedWorkerGlobalScope) -> bool {
    let Some(clock) = scope.performance() else { return false };
    let ends_at = clock.now() + SLICE;
    while !desk.is_idle() {
        let generation = desk.generation();
        if let Some(answer) = desk.work() {
            say(scope, generation, answer);
        }
        if clock.now() >= ends_at {
            return true;
        }
    }
    false
}

fn say(scope: &DedicatedWorkerGlobalScope, generation: u32, Answer { head, body }: Answer) {
    let (message, transfer) = wire::encode(&mut Message { generation, head }, &body);
    scope.post_message_with_transfer(&message, &transfer).ok();
}

/// A panic posts its text; the trap that follows ends the worker, and the page starts another.
fn tell_panics() {
    // The hook must be `Send`, which a scope is not: it finds its own.
    std::panic::set_hook(Box::new(|panic| {
        if let Ok(scope) = js_sys::global().dyn_into::<DedicatedWorkerGlobalScope>() {
            say(&scope, 0, Answer::plain(Reply::Panicked(panic.to_string())));
        }
    }));
}
