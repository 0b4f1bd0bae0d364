use crate::api::{
    Condition, ConditionStatus, Labels, Node, NodeSpec, NodeStatus, ObjectMeta, Quantity, ResourceList, Taint,
    TaintEffect, Text,
};

/// Equal nodes, in a few words: `name=workers,count=3,cpu=4,memory=8Gi,label=zone=a/b,taint=key=value:NoSchedule`.
#[derive(Clone, Debug, PartialEq)]
pub struct NodePool {
    /// The nodes are called `<name>-1`, `<name>-2`, …, padded with zeros so that names sort as numbers do.
    pub name: Text,
    /// How many nodes.
    pub count: u32,
    /// What pods may request on each.
    pub allocatable: ResourceList,
    /// Labels beside those that every node has.
    pub labels: Vec<PoolLabel>,
    /// Taints beside those that `cordoned` and `not_ready` bring.
    pub taints: Vec<Taint>,
    /// Marked unschedulable, with the taint that Kubernetes adds.
    pub cordoned: bool,
    /// Not ready, with the taints that Kubernetes adds.
    pub not_ready: bool,
}

/// A label of a pool; its values are dealt out to the nodes in turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PoolLabel {
    /// Key.
    pub key: Text,
    /// Values, at least one.
    pub values: Vec<Text>,
}

/// Why a description cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PoolProblem {
    /// A word without `=` that is none of the known ones.
    UnknownWord(Text),
    /// A key that is neither known nor a resource.
    UnknownKey(Text),
    /// `count` is not a number from 1 to [`NodePool::LARGEST`].
    Count(Text),
    /// An amount that is no quantity.
    Quantity {
        /// The resource.
        resource: Text,
        /// What was given.
        value: Text,
    },
    /// A label without `=`, or with an empty key.
    Label(Text),
    /// A taint without an effect that Kubernetes knows, or with an empty key.
    Taint(Text),
    /// A name that cannot be the name of a node.
    Name(Text),
}

impl Default for NodePool {
    /// One node of 4 CPUs, 8 GiB and 110 pods, named `node-1`.
    fn default() -> Self {
        Self {
            name: Text::new_static("node"),
            count: 1,
            allocatable: [
                (Text::new_static("cpu"), Quantity::from_units(4)),
                (Text::new_static("memory"), Quantity::from_units(8 << 30)),
                (Text::new_static("pods"), Quantity::from_units(110)),
            ]
            .into_iter()
            .collect(),
            labels: Vec::new(),
            taints: Vec::new(),
            cordoned: false,
            not_ready: false,
        }
    }
}

impl NodePool {
    /// The most nodes of one pool; the largest clusters shown in public have 130,000.
    pub const LARGEST: u32 = 200_000;

    /// Reads a description: `key=value` pairs and the words `cordoned` and `notready`, separated by commas.
    ///
    /// # Errors
    /// The first part that cannot be read.
    pub fn parse(description: &str) -> Result<Self, PoolProblem> {
        let mut pool = Self::default();
        for part in description.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            pool.take(part)?;
        }
        Ok(pool)
    }

    /// Takes one part of a description.
    fn take(&mut self, part: &str) -> Result<(), PoolProblem> {
        match part.split_once('=') {
            None if part == "cordoned" => self.cordoned = true,
            None if part == "notready" => self.not_ready = true,
            None => return Err(PoolProblem::UnknownWord(Text::new(part))),
            Some(("name", name)) => self.name = node_name(name)?,
            Some(("count", count)) => self.count = node_count(count)?,
            Some(("label", label)) => self.labels.push(pool_label(label)?),
            Some(("taint", taint)) => self.taints.push(pool_taint(taint)?),
            Some((resource, value)) => {
                if !is_resource(resource) {
                    return Err(PoolProblem::UnknownKey(Text::new(resource)));
                }
                let (resource, value) = (Text::new(resource), Text::new(value));
                match Quantity::parse(&value) {
                    Ok(quantity) => self.allocatable.set(resource, quantity),
                    Err(_) => return Err(PoolProblem::Quantity { resource, value }),
                }
            }
        }
        Ok(())
    }

    /// The nodes, as a cluster without any pods would show them.
    pub fn nodes(&self) -> impl Iterator<Item = Node> {
        let digits = self.count.to_string().len();
        (1..=self.count).map(move |number| self.node(number, digits))
    }

    fn node(&self, number: u32, digits: usize) -> Node {
        let name = Text::from(format!("{}-{number:0digits$}", self.name));
        let built_in =
            [("kubernetes.io/arch", "amd64"), ("kubernetes.io/hostname", &name), ("kubernetes.io/os", "linux")];
        let built_in = built_in.map(|(key, value)| (Text::new(key), Text::new(value)));
        let own = self.labels.iter().filter_map(|label| {
            let turn = usize::try_from(number - 1).ok()?.checked_rem(label.values.len())?;
            Some((label.key.clone(), label.values.get(turn)?.clone()))
        });
        let labels: Labels = built_in.into_iter().chain(own).collect();
        let mut taints = self.taints.clone();
        let mut taint = |key: &'static str, effect| {
            taints.push(Taint { key: Text::new_static(key), value: Text::default(), effect });
        };
        if self.cordoned {
            taint("node.kubernetes.io/unschedulable", TaintEffect::NoSchedule);
        }
        if self.not_ready {
            taint("node.kubernetes.io/not-ready", TaintEffect::NoSchedule);
            taint("node.kubernetes.io/not-ready", TaintEffect::NoExecute);
        }
        let ready = Condition {
            condition_type: Text::new_static("Ready"),
            status: if self.not_ready { ConditionStatus::False } else { ConditionStatus::True },
            ..Condition::default()
        };
        Node {
            metadata: ObjectMeta { name, labels, ..ObjectMeta::default() },
            spec: NodeSpec { unschedulable: self.cordoned, taints },
            status: NodeStatus { allocatable: self.allocatable.clone(), conditions: vec![ready] },
        }
    }
}

fn node_name(name: &str) -> Result<Text, PoolProblem> {
    if is_node_name(name) { Ok(Text::new(name)) } else { Err(PoolProblem::Name(Text::new(name))) }
}

/// Whether nodes can be called so, with a number behind it.
pub(super) fn is_node_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit())
        && name.ends_with(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit())
        && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '-' | '.'))
        && name.len() <= 200
}

fn node_count(count: &str) -> Result<u32, PoolProblem> {
    let parsed = count.parse().ok().filter(|count| (1..=NodePool::LARGEST).contains(count));
    parsed.ok_or_else(|| PoolProblem::Count(Text::new(count)))
}

fn pool_label(label: &str) -> Result<PoolLabel, PoolProblem> {
    match label.split_once('=') {
        Some((key, values)) if !key.is_empty() => {
            Ok(PoolLabel { key: Text::new(key), values: values.split('/').map(Text::new).collect() })
        }
        _ => Err(PoolProblem::Label(Text::new(label))),
    }
}

/// `key=value:Effect`, `key:Effect`, as kubectl taint writes it.
fn pool_taint(taint: &str) -> Result<Taint, PoolProblem> {
    let problem = || PoolProblem::Taint(Text::new(taint));
    let (key, effect) = taint.rsplit_once(':').ok_or_else(problem)?;
    let (key, value) = key.split_once('=').unwrap_or((key, ""));
    let effect = TaintEffect::from(Text::new(effect));
    let known = matches!(effect, TaintEffect::NoSchedule | TaintEffect::PreferNoSchedule | TaintEffect::NoExecute);
    if key.is_empty() || !known {
        return Err(problem());
    }
    Ok(Taint { key: Text::new(key), value: Text::new(value), effect })
}

/// A resource that Kubernetes names itself, or an extended one, which has a domain.
pub(super) fn is_resource(key: &str) -> bool {
    matches!(key, "cpu" | "memory" | "pods" | "ephemeral-storage") || key.starts_with("hugepages-") || key.contains('/')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pool_makes_nodes_with_padded_names_and_labels_dealt_out_in_turn() {
        let pool = NodePool::parse("name=w,count=10,cpu=500m,nvidia.com/gpu=2,label=zone=a/b,taint=k=v:NoSchedule");
        let nodes: Vec<Node> = pool.unwrap().nodes().collect();
        assert_eq!(nodes.len(), 10);
        assert_eq!(nodes[0].metadata.name, "w-01");
        assert_eq!(nodes[9].metadata.name, "w-10");
        let zones: Vec<_> =
            nodes.iter().take(3).map(|node| node.metadata.labels.get("zone").unwrap().as_str()).collect();
        assert_eq!(zones, ["a", "b", "a"]);
        assert_eq!(nodes[0].status.allocatable.get("cpu"), Some(Quantity::from_millis(500)));
        assert_eq!(nodes[0].status.allocatable.get("nvidia.com/gpu"), Some(Quantity::from_units(2)));
        assert_eq!(nodes[0].spec.taints[0].to_string(), "k=v:NoSchedule");
        assert_eq!(nodes[0].ready(), ConditionStatus::True);
    }

    #[test]
    fn a_cordoned_or_unready_pool_carries_the_taints_that_kubernetes_adds() {
        let taints = |description: &str| -> Vec<String> {
            let node = NodePool::parse(description).unwrap().nodes().next().unwrap();
            node.spec.taints.iter().map(ToString::to_string).collect()
        };
        assert_eq!(taints("cordoned"), ["node.kubernetes.io/unschedulable:NoSchedule"]);
        assert_eq!(
            taints("notready"),
            ["node.kubernetes.io/not-ready:NoSchedule", "node.kubernetes.io/not-ready:NoExecute"]
        );
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        for (description, problem) in [
            ("count=0", PoolProblem::Count("0".into())),
            ("count=many", PoolProblem::Count("many".into())),
            ("size=3", PoolProblem::UnknownKey("size".into())),
            ("drained", PoolProblem::UnknownWord("drained".into())),
            ("cpu=lots", PoolProblem::Quantity { resource: "cpu".into(), value: "lots".into() }),
            ("label=zone", PoolProblem::Label("zone".into())),
            ("taint=k=v:Never", PoolProblem::Taint("k=v:Never".into())),
            ("taint=:NoSchedule", PoolProblem::Taint(":NoSchedule".into())),
            ("name=Upper", PoolProblem::Name("Upper".into())),
        ] {
            assert_eq!(NodePool::parse(description), Err(problem), "{description}");
        }
    }
}
