//! Messages between page and worker as JavaScript sees them: `[generation, head, body]`, and a dump behind them.

use js_sys::{Array, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::Blob;

use crate::pack::{Pack, packed, unpacked};
use crate::protocol::Message;

/// A message and the list of buffers to transfer with it; the body is bulk data, or empty.
pub fn encode<T: Pack>(message: &mut Message<T>, body: &[u8]) -> (Array, Array) {
    let head = Uint8Array::from(packed(&mut message.head).as_slice());
    let body = Uint8Array::from(body);
    let transfer = Array::of2(&head.buffer(), &body.buffer());
    (Array::of3(&message.generation.into(), &head, &body), transfer)
}

/// What stands behind the message, a dump.
pub fn attached(value: &JsValue) -> Option<Blob> {
    value.dyn_ref::<Array>()?.get(3).dyn_into().ok()
}

/// The message in a value, and its body; `None` when it is no message of ours.
pub fn decode<T: Pack>(value: &JsValue) -> Option<(Message<T>, Vec<u8>)> {
    let parts: &Array = value.dyn_ref()?;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "`as` saturates")]
    let generation = parts.get(0).as_f64()? as u32;
    let (head, body) = (bytes(parts, 1)?, bytes(parts, 2)?);
    Some((Message { generation, head: unpacked(&head)? }, body))
}

fn bytes(parts: &Array, part: u32) -> Option<Vec<u8>> {
    Some(parts.get(part).dyn_ref::<Uint8Array>()?.to_vec())
}
