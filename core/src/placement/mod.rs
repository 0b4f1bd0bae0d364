//! For one node and one target: should the pod run there, may it stay, or must it go; will it fit; and every check behind
//! that, told one by one.

mod trace;

pub use rollcast_engine::placement::*;
pub use trace::{Check, CheckOutcome, CheckSubject, trace};
