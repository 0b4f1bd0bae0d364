//! The Rollcast playground: a page that shows where a DaemonSet runs and how its rollout goes.
//!
//! `state` is the single truth and changes only in `reduce` and `receive`; `worker` computes with the core and never touches the page;
//! `view` and `paint` draw the state; `link`, `wire` and `pack` carry messages between page and worker. Everything but drawing
//! and carrying is pure and tested natively. `file`, `edit` and `knobs` read and write texts of scenarios.

#[cfg(all(test, target_arch = "wasm32"))]
mod browser_tests;
mod chart;
mod edit;
mod file;
#[cfg(test)]
mod fixture;
mod knobs;
mod layout;
mod link;
mod model;
mod pack;
mod paint;
mod protocol;
mod scenario;
mod state;
mod view;
mod wire;
mod words;
mod worker;

use wasm_bindgen::JsCast;
use web_sys::DedicatedWorkerGlobalScope;

/// Starts the page, or the worker when this runs in one.
pub fn start() {
    if let Ok(scope) = js_sys::global().dyn_into::<DedicatedWorkerGlobalScope>() {
        worker::serve(&scope);
    } else if let Some(root) = gloo::utils::document().get_element_by_id("page") {
        root.set_inner_html("");
        yew::Renderer::<view::App>::with_root(root).render();
    }
}
