use rollcast_core::api::{Node, Text};
use rollcast_core::message::Words;
use rollcast_core::scenario::NodePool;
use serde::Serialize;

use crate::arguments::{NodesArguments, ObjectFormat};
use crate::failure::Failure;
use crate::output::{Output, Verdict};

/// A `v1` Node with its type, as kubectl prints it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct TypedNode<'a> {
    api_version: &'static str,
    kind: &'static str,
    #[serde(flatten)]
    node: &'a Node,
}

/// A `v1` List, as `kubectl get nodes -o json` prints it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct List<'a> {
    api_version: &'static str,
    kind: &'static str,
    items: Vec<TypedNode<'a>>,
}

/// Prints the nodes of the pools described.
pub fn run(arguments: &NodesArguments, output: &mut Output) -> Result<Verdict, Failure> {
    let mut nodes = Vec::new();
    for text in &arguments.pools {
        let pool = NodePool::parse(text)
            .map_err(|error| Failure::Pool { text: text.clone(), error: error.words(output.language) })?;
        let more: Vec<Node> = pool.nodes().collect();
        let is_there = |name: &Text| nodes.iter().any(|node: &Node| node.metadata.name == *name);
        if more.first().is_some_and(|node| is_there(&node.metadata.name)) {
            return Err(Failure::PoolTwice { name: pool.name.to_string() });
        }
        nodes.extend(more);
    }
    let mut typed = nodes.iter().map(|node| TypedNode { api_version: "v1", kind: "Node", node });
    match arguments.output {
        ObjectFormat::Json => output.json(&List { api_version: "v1", kind: "List", items: typed.collect() })?,
        ObjectFormat::Yaml => typed.try_for_each(|node| {
            output.text("---\n")?;
            output.yaml(&node)
        })?,
    }
    Ok(Verdict::Fine)
}
