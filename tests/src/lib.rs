//! Proof that Rollcast decides as Kubernetes does: vectors, reference, properties, cases.
//!
//! * [`subject`]: what is under test, as pure functions from one line of a vector file to an answer; the same code runs
//!   natively and as WASM.
//! * [`compare`]: whether an answer conforms to what was recorded, field by field.
//! * [`reference`]: the rules once more, naive and from scratch, to hold the engine against.
//! * [`swarm`]: seeds that play clusters through every kind of trouble, and what must hold meanwhile and after.
//! * [`vectors`]: reads vector files, asks a subject on both cores, prints passed and failed.

pub mod cells;
pub mod cluster;
pub mod compare;
pub mod decided;
pub mod executor;
pub mod measured;
pub mod play;
pub mod reference;
pub mod subject;
pub mod swarm;

#[cfg(not(target_arch = "wasm32"))]
pub mod edits;
#[cfg(not(target_arch = "wasm32"))]
pub mod say;
#[cfg(not(target_arch = "wasm32"))]
pub mod several;
#[cfg(not(target_arch = "wasm32"))]
pub mod vectors;
#[cfg(target_arch = "wasm32")]
pub mod wasm;
#[cfg(not(target_arch = "wasm32"))]
pub mod wasm_build;
