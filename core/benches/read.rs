//! Reading a dump of 5,000 nodes with everything kubectl prints, beside `serde_json` into a slim type.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a benchmark may fail loudly")]

#[path = "shared/dump.rs"]
mod dump;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use rollcast_core::KubernetesVersion;
use rollcast_core::manifest::{DumpReader, Object, read_documents};
use serde::Deserialize;

const NODES: u32 = 5000;
/// What a program reads of a file at a time.
const PIECE: usize = 256 << 10;

static JSON: LazyLock<String> = LazyLock::new(|| dump::nodes_as_json(NODES));
static YAML: LazyLock<String> = LazyLock::new(|| dump::nodes_as_yaml(NODES));

fn main() {
    println!("{} bytes of JSON, {} of YAML", JSON.len(), YAML.len());
    divan::main();
}

fn read(text: &str) -> Vec<Object> {
    let mut objects = Vec::new();
    let mut reader = DumpReader::new(|object| objects.push(object));
    text.as_bytes().chunks(PIECE).for_each(|piece| reader.push(piece));
    assert_eq!(reader.finish().problems, []);
    assert_eq!(objects.len(), NODES as usize);
    objects
}

#[divan::bench]
fn json_dump() -> Vec<Object> {
    read(&JSON)
}

#[divan::bench]
fn json_dump_with_serde_json() -> slim::List {
    serde_json::from_str(&JSON).unwrap()
}

#[divan::bench]
fn json_dump_with_serde_json_from_bytes() -> slim::List {
    serde_json::from_slice(JSON.as_bytes()).unwrap()
}

#[divan::bench]
fn yaml_dump() -> Vec<Object> {
    read(&YAML)
}

/// What a person edits: three megabytes of nodes with every place of every value.
#[divan::bench]
fn documents(bencher: divan::Bencher<'_, '_>) {
    let text = dump::nodes_as_yaml(NODES / 10);
    bencher.bench_local(|| read_documents(text.as_bytes(), KubernetesVersion::default()));
}

/// The same fields as ours, in the plainest types.
mod slim {
    #![allow(dead_code, reason = "what is read is not looked at")]

    use super::{BTreeMap, Deserialize};

    #[derive(Deserialize)]
    pub struct List {
        items: Vec<Node>,
    }

    #[derive(Deserialize)]
    struct Node {
        metadata: Metadata,
        #[serde(default)]
        spec: Spec,
        #[serde(default)]
        status: Status,
    }

    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Metadata {
        name: String,
        #[serde(default)]
        uid: String,
        #[serde(default)]
        resource_version: String,
        creation_timestamp: Option<String>,
        #[serde(default)]
        labels: BTreeMap<String, String>,
        #[serde(default)]
        annotations: BTreeMap<String, String>,
    }

    #[derive(Default, Deserialize)]
    struct Spec {
        #[serde(default)]
        unschedulable: bool,
        #[serde(default)]
        taints: Vec<Taint>,
    }

    #[derive(Deserialize)]
    struct Taint {
        key: String,
        #[serde(default)]
        value: String,
        effect: String,
    }

    #[derive(Default, Deserialize)]
    struct Status {
        #[serde(default)]
        allocatable: BTreeMap<String, String>,
        #[serde(default)]
        conditions: Vec<Condition>,
    }

    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Condition {
        r#type: String,
        status: String,
        last_transition_time: Option<String>,
        #[serde(default)]
        reason: String,
        #[serde(default)]
        message: String,
    }
}
