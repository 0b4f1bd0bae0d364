//! The page's end of the line to the worker.

use std::rc::Rc;

use gloo::events::EventListener;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Blob, ErrorEvent, Event, MessageEvent, Worker, WorkerOptions, WorkerType};
use yew::Callback;

use crate::protocol::{Message as Envelope, NO_REPLY, Reply, Request};
use crate::wire;

/// What comes from the worker.
pub enum Heard {
    /// An answer, and what it announces in bulk.
    Answer(Envelope<Box<Reply>>, Vec<u8>),
    /// It has fallen, or could not be started; and why.
    Fall(Rc<str>),
}

/// A running worker. Dropping it ends the worker.
pub struct Link {
    worker: Option<Worker>,
    _listeners: Vec<EventListener>,
}

impl Link {
    /// Starts a worker from the page's own script; everything it says is emitted.
    pub fn start(emit: &Callback<Heard>) -> Self {
        let options = WorkerOptions::new();
        options.set_type(WorkerType::Module);
        match Worker::new_with_options("start.js", &options) {
            Ok(worker) => {
                let listeners = vec![listen_to_words(&worker, emit), listen_to_falls(&worker, emit)];
                Self { worker: Some(worker), _listeners: listeners }
            }
            Err(error) => {
                emit.emit(Heard::Fall(Rc::from(describe(&error))));
                Self { worker: None, _listeners: Vec::new() }
            }
        }
    }

    /// Sends a request; one that the worker cannot receive any more is lost with the worker.
    pub fn send(&self, generation: u32, request: Request, dump: Option<&Blob>) {
        let Some(worker) = &self.worker else { return };
        let (message, transfer) = wire::encode(&mut Envelope { generation, head: request }, &[]);
        if let Some(dump) = dump {
            // What a blob holds is not copied.
            message.push(dump);
        }
        worker.post_message_with_transfer(&message, &transfer).ok();
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        if let Some(worker) = &self.worker {
            worker.terminate();
        }
    }
}

fn listen_to_words(worker: &Worker, emit: &Callback<Heard>) -> EventListener {
    let emit = emit.clone();
    EventListener::new(worker, "message", move |event: &Event| {
        if let Some(event) = event.dyn_ref::<MessageEvent>() {
            emit.emit(understand(&event.data()));
        }
    })
}

/// A trap that is no panic (memory ran out, the stack was too small) arrives as an error event.
fn listen_to_falls(worker: &Worker, emit: &Callback<Heard>) -> EventListener {
    let emit = emit.clone();
    let told = std::cell::Cell::new(false);
    EventListener::new(worker, "error", move |event: &Event| {
        let text = event.dyn_ref::<ErrorEvent>().map(ErrorEvent::message).unwrap_or_default();
        // A panic has already said what it is; the trap behind it is the same fall.
        if !text.contains("unreachable") && !told.replace(true) {
            emit.emit(Heard::Fall(Rc::from(text)));
        }
    })
}

fn describe(error: &JsValue) -> String {
    error
        .dyn_ref::<js_sys::Error>()
        .map_or_else(|| "the worker cannot be started".into(), |error| String::from(error.message()))
}

fn understand(data: &JsValue) -> Heard {
    // A worker that cannot even start says so in a text.
    if let Some(text) = data.as_string() {
        return Heard::Fall(Rc::from(text));
    }
    wire::decode(data).map_or_else(|| Heard::Fall(Rc::from(NO_REPLY)), |(answer, body)| Heard::Answer(answer, body))
}
