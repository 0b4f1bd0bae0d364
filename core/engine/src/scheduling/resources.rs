use crate::KubernetesVersion;
use crate::api::{
    Condition, ConditionStatus, Container, ContainerStatus, Node, Pod, PodResources, PodSpec, Quantity, ResourceList,
    ResourceRequirements, Text,
};
use crate::text::same;

pub(super) const CPU: &str = "cpu";
pub(super) const MEMORY: &str = "memory";
pub(super) const EPHEMERAL_STORAGE: &str = "ephemeral-storage";
const PODS: &str = "pods";

/// The resources that nearly every container asks for.
const USUAL: [&str; 3] = [CPU, MEMORY, EPHEMERAL_STORAGE];

/// The position of a resource in [`USUAL`].
fn usual(resource: &str) -> Option<usize> {
    let index = match resource.len() {
        3 => 0,
        6 => 1,
        17 => 2,
        _ => return None,
    };
    USUAL.get(index).filter(|usual| same(usual, resource)).map(|_| index)
}

/// Amounts as kube-scheduler counts them (`framework.Resource`, Kubernetes 1.36): whole numbers, rounded up.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ResourceTotals {
    /// Cpu, thousandths.
    pub milli_cpu: i64,
    /// Memory, bytes.
    pub memory: i64,
    /// Ephemeral storage, bytes.
    pub ephemeral_storage: i64,
    /// Extended resources, huge pages and attachable volumes, whole units, in ascending order of name.
    pub others: Vec<(Text, i64)>,
}

impl ResourceTotals {
    /// What a pod asks for in all (`resource.PodRequests`, component-helpers 1.36), after what the API server does to
    /// a pod it creates: every quantity rounded up to a thousandth, missing requests taken from the limits.
    ///
    /// Before 1.29 an init container with a restart policy is like any other, and before 1.34 the pod as a whole asks
    /// for nothing: both are off by default there.
    pub fn requested_by(spec: &PodSpec, version: KubernetesVersion) -> Self {
        Self::requested(spec, &Reported::default(), version)
    }

    /// What a pod that is there counts for: of each container the most of what it asks for, what the node has set
    /// aside for it and what it runs with, which differ while a resize is under way. A resize that can never be done
    /// counts for nothing.
    pub fn requested_by_pod(pod: &Pod, version: KubernetesVersion) -> Self {
        let is_infeasible = |condition: &Condition| {
            condition.condition_type == "PodResizePending"
                && condition.status == ConditionStatus::True
                && condition.reason == "Infeasible"
        };
        let reported = Reported {
            containers: &pod.status.container_statuses,
            init_containers: &pod.status.init_container_statuses,
            resize_is_infeasible: pod.status.conditions.iter().any(is_infeasible),
        };
        Self::requested(&pod.spec, &reported, version)
    }

    fn requested(spec: &PodSpec, reported: &Reported<'_>, version: KubernetesVersion) -> Self {
        let mut total = container_total(spec, reported, version);
        if let Some(pod) = spec.resources.as_ref().filter(|_| version >= KubernetesVersion::V1_34) {
            apply_pod_level(&mut total, pod, spec);
        }
        for (resource, quantity) in spec.overhead.as_slice() {
            total.add(resource, quantity.rounded_up_to_millis());
        }
        total.rounded_up()
    }

    /// The amount of a resource; 0 when there is none of it.
    pub fn get(&self, resource: &str) -> i64 {
        let amounts = [self.milli_cpu, self.memory, self.ephemeral_storage];
        let amount = usual(resource).and_then(|index| amounts.get(index));
        let other = || self.others.iter().find(|(name, _)| same(name, resource)).map(|(_, amount)| amount);
        amount.or_else(other).copied().unwrap_or_default()
    }

    /// Every resource with its amount, in the order in which kube-scheduler names them: cpu, memory, ephemeral
    /// storage, then the others by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, i64)> {
        let named = [(CPU, self.milli_cpu), (MEMORY, self.memory), (EPHEMERAL_STORAGE, self.ephemeral_storage)];
        named.into_iter().chain(self.others.iter().map(|(name, amount)| (name.as_str(), *amount)))
    }

    /// Adds what another pod asks for; saturates.
    pub fn add(&mut self, more: &Self) {
        self.combine(more, i64::saturating_add);
    }

    /// Takes away what a pod asked for; saturates.
    pub fn subtract(&mut self, less: &Self) {
        self.combine(less, i64::saturating_sub);
    }

    fn combine(&mut self, other: &Self, operation: fn(i64, i64) -> i64) {
        self.milli_cpu = operation(self.milli_cpu, other.milli_cpu);
        self.memory = operation(self.memory, other.memory);
        self.ephemeral_storage = operation(self.ephemeral_storage, other.ephemeral_storage);
        for (resource, amount) in &other.others {
            match self.others.binary_search_by(|(name, _)| name.cmp(resource)) {
                Ok(index) => {
                    if let Some((_, here)) = self.others.get_mut(index) {
                        *here = operation(*here, *amount);
                    }
                }
                Err(index) => self.others.insert(index, (resource.clone(), operation(0, *amount))),
            }
        }
    }
}

/// How much of a resource pods may request on a node in all: thousandths of cpu, whole units of anything else; 0 when
/// the node does not list it.
pub fn allocatable(node: &Node, resource: &str) -> i64 {
    let quantity = node.status.allocatable.get(resource).unwrap_or_default();
    if same(resource, CPU) { quantity.millis_rounded_up() } else { quantity.units_rounded_up() }
}

/// How many pods a node takes (`status.allocatable.pods`); 0 when it does not say.
pub fn allocatable_pods(node: &Node) -> i64 {
    allocatable(node, PODS)
}

/// Exact amounts; the three usual resources without a look-up.
#[derive(Clone, Debug, Default)]
struct Amounts<'a> {
    /// In the order of [`USUAL`].
    usual: [Quantity; 3],
    /// In ascending order of name.
    others: Vec<(&'a Text, Quantity)>,
}

impl<'a> Amounts<'a> {
    /// The amount of a resource, if it is one that is counted.
    fn amount(&mut self, resource: &'a Text) -> Option<&mut Quantity> {
        match usual(resource) {
            Some(index) => self.usual.get_mut(index),
            None if is_counted(resource) => Some(self.other(resource)),
            None => None,
        }
    }

    /// The amount of a resource that is none of the usual ones.
    #[expect(clippy::indexing_slicing, reason = "found or put there")]
    fn other(&mut self, resource: &'a Text) -> &mut Quantity {
        let found = self.others.iter().position(|(name, _)| same(name, resource));
        let index = found.unwrap_or_else(|| {
            let index = self.others.iter().take_while(|(name, _)| *name < resource).count();
            self.others.insert(index, (resource, Quantity::ZERO));
            index
        });
        &mut self.others[index].1
    }

    fn set(&mut self, resource: &'a Text, quantity: Quantity) {
        if let Some(amount) = self.amount(resource) {
            *amount = quantity;
        }
    }

    fn add(&mut self, resource: &'a Text, quantity: Quantity) {
        if let Some(amount) = self.amount(resource) {
            *amount = amount.saturating_add(quantity);
        }
    }

    fn add_all(&mut self, other: &Self) {
        for (amount, more) in self.usual.iter_mut().zip(&other.usual) {
            *amount = amount.saturating_add(*more);
        }
        for (resource, quantity) in &other.others {
            self.add(resource, *quantity);
        }
    }

    fn raise_to_list(&mut self, list: &'a ResourceList) {
        for (resource, quantity) in list.as_slice() {
            self.raise(resource, *quantity);
        }
    }

    fn raise(&mut self, resource: &'a Text, quantity: Quantity) {
        if let Some(amount) = self.amount(resource) {
            *amount = quantity.max(*amount);
        }
    }

    fn raise_to(&mut self, other: &Self) {
        for (amount, other) in self.usual.iter_mut().zip(&other.usual) {
            *amount = (*amount).max(*other);
        }
        for (resource, quantity) in &other.others {
            self.raise(resource, *quantity);
        }
    }

    fn rounded_up(&self) -> ResourceTotals {
        let [cpu, memory, ephemeral_storage] = self.usual;
        ResourceTotals {
            milli_cpu: cpu.millis_rounded_up(),
            memory: memory.units_rounded_up(),
            ephemeral_storage: ephemeral_storage.units_rounded_up(),
            others: self
                .others
                .iter()
                .map(|(resource, quantity)| ((*resource).clone(), quantity.units_rounded_up()))
                .collect(),
        }
    }
}

/// Whether kube-scheduler counts a resource besides the three usual ones (`schedutil.IsScalarResourceName`, Kubernetes
/// 1.36): one with a domain, huge pages, attachable volumes.
fn is_counted(resource: &str) -> bool {
    is_huge_page(resource)
        || resource.starts_with("attachable-volumes-")
        || (resource.contains('/') && (!resource.starts_with("requests.") || resource.contains("kubernetes.io/")))
}

fn is_huge_page(resource: &str) -> bool {
    resource.starts_with("hugepages-")
}

/// Whether a resource may be asked for by the pod as a whole.
fn may_be_pod_level(resource: &str) -> bool {
    matches!(resource, CPU | MEMORY) || is_huge_page(resource)
}

/// What the kubelet reports of a pod's containers.
#[derive(Clone, Copy, Debug, Default)]
struct Reported<'a> {
    containers: &'a [ContainerStatus],
    init_containers: &'a [ContainerStatus],
    resize_is_infeasible: bool,
}

/// The containers at work together, or the busiest moment of the initialisation, whichever is more.
fn container_total<'a>(spec: &'a PodSpec, reported: &Reported<'a>, version: KubernetesVersion) -> Amounts<'a> {
    let add = |amounts: &mut Amounts<'a>, container: &'a Container, statuses: &'a [ContainerStatus]| {
        let status = statuses.iter().find(|status| status.name == container.name);
        match status.and_then(|status| Some((status, status.resources.as_ref()?))) {
            None => add_requests(amounts, &container.resources),
            Some((status, running)) => {
                let mut most = Amounts::default();
                if !reported.resize_is_infeasible {
                    add_requests(&mut most, &container.resources);
                }
                most.raise_to_list(&status.allocated_resources);
                most.raise_to_list(&running.requests);
                amounts.add_all(&most);
            }
        }
    };
    let mut main = Amounts::default();
    for container in &spec.containers {
        add(&mut main, container, reported.containers);
    }
    if spec.init_containers.is_empty() {
        return main;
    }
    let mut sidecars = Amounts::default();
    let mut peak = Amounts::default();
    for container in &spec.init_containers {
        if version >= KubernetesVersion::V1_29 && container.is_sidecar() {
            add(&mut main, container, reported.init_containers);
            add(&mut sidecars, container, reported.init_containers);
            peak.raise_to(&sidecars);
        } else {
            let mut beside_sidecars = sidecars.clone();
            add(&mut beside_sidecars, container, &[]);
            peak.raise_to(&beside_sidecars);
        }
    }
    main.raise_to(&peak);
    main
}

fn add_requests<'a>(amounts: &mut Amounts<'a>, ResourceRequirements { requests, limits }: &'a ResourceRequirements) {
    for (resource, quantity) in requests.as_slice() {
        amounts.add(resource, quantity.rounded_up_to_millis());
    }
    for (resource, quantity) in limits.as_slice() {
        if requests.get(resource).is_none() {
            amounts.add(resource, quantity.rounded_up_to_millis());
        }
    }
}

/// Requests of the pod as a whole stand in for the containers' total. Where it has none for a resource, the API server
/// fills in the containers' total, and where no container names the resource the pod's limit
/// (`defaultPodRequests`, Kubernetes 1.36).
fn apply_pod_level<'a>(total: &mut Amounts<'a>, pod: &'a PodResources, spec: &PodSpec) {
    let named_by_container = |resource: &str| {
        let names = |container: &Container| {
            container.resources.requests.get(resource).is_some() || container.resources.limits.get(resource).is_some()
        };
        spec.containers.iter().any(names) || spec.init_containers.iter().any(names)
    };
    let [_, memory, _] = &mut total.usual;
    *memory = memory.rounded_up_to_units();
    for (_, quantity) in total.others.iter_mut().filter(|(resource, _)| is_huge_page(resource)) {
        *quantity = quantity.rounded_up_to_units();
    }
    for (resource, quantity) in pod.requests.iter().filter(|(resource, _)| may_be_pod_level(resource)) {
        total.set(resource, quantity.rounded_up_to_millis());
    }
    for (resource, quantity) in pod.limits.iter().filter(|(resource, _)| may_be_pod_level(resource)) {
        if pod.requests.get(resource).is_none() && !named_by_container(resource) {
            total.set(resource, quantity.rounded_up_to_millis());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const VERSION: KubernetesVersion = KubernetesVersion::V1_36;

    fn requested(spec: &serde_json::Value) -> ResourceTotals {
        ResourceTotals::requested_by(&serde_json::from_value(spec.clone()).unwrap(), VERSION)
    }

    fn container(cpu: &str) -> serde_json::Value {
        json!({"resources": {"requests": {"cpu": cpu}}})
    }

    fn sidecar(cpu: &str) -> serde_json::Value {
        json!({"restartPolicy": "Always", "resources": {"requests": {"cpu": cpu}}})
    }

    #[test]
    fn a_sidecar_counts_beside_the_init_containers_declared_after_it() {
        let after = json!({"containers": [container("600m")], "initContainers": [container("1"), sidecar("200m")]});
        assert_eq!(requested(&after).milli_cpu, 1000);
        let before = json!({"containers": [container("600m")], "initContainers": [sidecar("200m"), container("1")]});
        assert_eq!(requested(&before).milli_cpu, 1200);
        let small_init =
            json!({"containers": [container("600m")], "initContainers": [sidecar("200m"), container("1m")]});
        assert_eq!(requested(&small_init).milli_cpu, 800);
    }

    #[test]
    fn quantities_are_rounded_per_container_and_the_total_once_more() {
        let spec = json!({"containers": [container("100u"), container("100u")]});
        assert_eq!(requested(&spec).milli_cpu, 2);
        let memory = json!({"resources": {"requests": {"memory": "500m"}}});
        assert_eq!(requested(&json!({"containers": [memory, memory]})).memory, 1);
        assert_eq!(requested(&json!({"containers": [memory, memory, memory]})).memory, 2);
    }

    #[test]
    fn limits_stand_in_for_missing_requests() {
        let spec = json!({"containers": [{"resources": {
            "limits": {"cpu": "2", "memory": "1Gi", "example.com/gpu": "1"}, "requests": {"cpu": "0"}}}]});
        let total = requested(&spec);
        assert_eq!((total.milli_cpu, total.memory, total.get("example.com/gpu")), (0, 1 << 30, 1));
    }

    #[test]
    fn overhead_is_added_on_top() {
        let spec = json!({"containers": [container("100m")], "overhead": {"cpu": "50m", "memory": "1Mi"}});
        assert_eq!((requested(&spec).milli_cpu, requested(&spec).memory), (150, 1 << 20));
    }

    #[test]
    fn requests_of_the_pod_replace_the_containers_total() {
        let spec = json!({"containers": [container("2")], "overhead": {"cpu": "10m"},
            "resources": {"requests": {"cpu": "500m", "ephemeral-storage": "1Gi"}}});
        assert_eq!(requested(&spec).milli_cpu, 510);
        assert_eq!(requested(&spec).ephemeral_storage, 0, "not a resource that a pod as a whole may ask for");
    }

    #[test]
    fn a_limit_of_the_pod_counts_where_no_container_names_the_resource() {
        let resources = json!({"limits": {"cpu": "3", "memory": "2Gi"}});
        let spec = json!({"containers": [container("1")], "resources": resources});
        assert_eq!((requested(&spec).milli_cpu, requested(&spec).memory), (1000, 2 << 30));
    }

    #[test]
    fn resources_without_a_domain_that_kubernetes_does_not_know_are_not_counted() {
        let spec = json!({"containers": [{"resources": {"requests": {
            "gpu": "1", "hugepages-2Mi": "4Mi", "example.com/a": "1", "requests.example.com/b": "1"}}}]});
        let others = requested(&spec).others;
        assert_eq!(others, [("example.com/a".into(), 1), ("hugepages-2Mi".into(), 4 << 20)]);
    }

    #[test]
    fn a_resize_under_way_counts_with_the_most_of_spec_node_and_container() {
        let pod = |condition: &serde_json::Value| -> Pod {
            serde_json::from_value(json!({
                "spec": {"containers": [{"name": "a", "resources": {"requests": {"cpu": "300m", "memory": "1Gi"}}},
                                        {"name": "b", "resources": {"requests": {"cpu": "1"}}}]},
                "status": {"conditions": [condition], "containerStatuses": [
                    {"name": "a", "allocatedResources": {"cpu": "200m", "memory": "2Gi"},
                     "resources": {"requests": {"cpu": "100m", "memory": "1Gi"}}},
                    {"name": "b", "allocatedResources": {"cpu": "9"}}]}}))
            .unwrap()
        };
        let under_way = ResourceTotals::requested_by_pod(&pod(&json!({"type": "PodResizeInProgress"})), VERSION);
        assert_eq!((under_way.milli_cpu, under_way.memory), (1300, 2 << 30));
        let infeasible = json!({"type": "PodResizePending", "status": "True", "reason": "Infeasible"});
        let never = ResourceTotals::requested_by_pod(&pod(&infeasible), VERSION);
        assert_eq!((never.milli_cpu, never.memory), (1200, 2 << 30));
        for (condition_type, status, reason) in [
            ("PodResizePending", "True", "Deferred"),
            ("PodResizePending", "False", "Infeasible"),
            ("PodReadyToStartContainers", "True", "Infeasible"),
        ] {
            let other = json!({"type": condition_type, "status": status, "reason": reason});
            assert_eq!(ResourceTotals::requested_by_pod(&pod(&other), VERSION), under_way, "{other}");
        }
    }

    #[test]
    fn totals_add_and_subtract() {
        let gpu = ResourceTotals { memory: 5, others: vec![("b/gpu".into(), 2)], ..ResourceTotals::default() };
        let nic = ResourceTotals { memory: 1, others: vec![("a/nic".into(), 1)], ..ResourceTotals::default() };
        let mut total = gpu.clone();
        total.add(&nic);
        assert_eq!((total.memory, total.get("a/nic"), total.get("b/gpu")), (6, 1, 2));
        total.subtract(&nic);
        assert_eq!((total.memory, total.get("a/nic"), total.get("b/gpu")), (5, 0, 2));
    }
}
