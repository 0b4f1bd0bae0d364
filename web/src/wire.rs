//! Messages between page and worker as JavaScript sees them: `[generation, head, body]`.

use js_sys::{Array, Uint8Array};
use serde::Serialize;
use serde::de::DeserializeOwned;
use wasm_bindgen::{JsCast, JsValue};

use crate::protocol::Message;

/// What stands behind the head of a message.
pub enum Body {
    Nothing,
    /// Bulk data; its buffer is transferred.
    Bytes(Vec<u8>),
    /// JavaScript objects.
    Objects(JsValue),
}

/// A message and the list of buffers to transfer with it.
pub fn encode<T: Serialize>(message: &Message<T>, body: Body) -> Option<(Array, Array)> {
    let head = Uint8Array::from(serde_json::to_vec(&message.head).ok()?.as_slice());
    let transfer = Array::of1(&head.buffer());
    let body = match body {
        Body::Nothing => JsValue::NULL,
        Body::Bytes(bytes) => {
            let bytes = Uint8Array::from(bytes.as_slice());
            transfer.push(&bytes.buffer());
            bytes.into()
        }
        Body::Objects(objects) => objects,
    };
    Some((Array::of3(&message.generation.into(), &head, &body), transfer))
}

/// The message in a value, and its body; `None` when it is no message of ours.
pub fn decode<T: DeserializeOwned>(value: &JsValue) -> Option<(Message<T>, JsValue)> {
    let parts: &Array = value.dyn_ref()?;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "`as` saturates")]
    let generation = parts.get(0).as_f64()? as u32;
    let head = serde_json::from_slice(&bytes(&parts.get(1))?).ok()?;
    Some((Message { generation, head }, parts.get(2)))
}

/// The bytes of a body.
pub fn bytes(body: &JsValue) -> Option<Vec<u8>> {
    Some(body.dyn_ref::<Uint8Array>()?.to_vec())
}
