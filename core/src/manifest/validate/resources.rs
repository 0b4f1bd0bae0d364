use super::names::Names;
use super::node::Node;
use super::pod::Pod;
use super::problem::Place;
use super::report::Report;
use super::rules::Rule::NoList;
use super::rules::{Rules, apply};
use super::{Syntax, ValidationProblem};
use crate::api::{Quantity, ResourceList, Text};

/// Resource names without a domain that Kubernetes knows somewhere.
const STANDARD: [&str; 20] = [
    "configmaps",
    "cpu",
    "ephemeral-storage",
    "limits.cpu",
    "limits.ephemeral-storage",
    "limits.memory",
    "memory",
    "persistentvolumeclaims",
    "pods",
    "replicationcontrollers",
    "requests.cpu",
    "requests.ephemeral-storage",
    "requests.memory",
    "requests.storage",
    "resourcequotas",
    "secrets",
    "services",
    "services.loadbalancers",
    "services.nodeports",
    "storage",
];

/// Those of them that are counted.
const COUNTED: [&str; 9] = [
    "configmaps",
    "persistentvolumeclaims",
    "pods",
    "replicationcontrollers",
    "resourcequotas",
    "secrets",
    "services",
    "services.loadbalancers",
    "services.nodeports",
];

const OF_CONTAINERS: [&str; 3] = ["cpu", "ephemeral-storage", "memory"];
const OF_PODS: &[&str] = &["cpu", "hugepages-", "memory"];

fn is_huge_pages(name: &str) -> bool {
    name.starts_with("hugepages-")
}

/// Whether a name belongs to Kubernetes: without a domain, or with its own.
fn is_native(name: &str) -> bool {
    !name.contains('/') || name.contains("kubernetes.io/")
}

fn is_extended(name: &str) -> bool {
    !is_native(name) && !name.starts_with("requests.") && Syntax::LabelKey.matches(&["requests.", name].concat())
}

/// Whether pods may together ask for more than there is.
fn may_overcommit(name: &str) -> bool {
    is_native(name) && !is_huge_pages(name)
}

/// Whether an amount has a fraction of a unit. Upstream asks this of 64-bit thousandths: larger amounts have none,
/// but for those that only a big number can hold.
pub(super) fn is_fractional(amount: Quantity) -> bool {
    let millis = amount.millis_rounded_up();
    let overflows = millis == i64::MAX && amount.units_rounded_up() != i64::MAX;
    !overflows && millis % 1000 != 0
}

/// Whose resources they are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Owner {
    Container,
    Pod,
}

/// Checks requests beside limits of a container; of `overhead`, limits are all there is
/// (`ValidateContainerResourceRequirements`).
pub(super) fn validate_container_resources(resources: &Node<'_>, _: &Pod<'_>, report: &mut Report<'_>) {
    validate_resources(resources, &resources.field("limits"), Owner::Container, report);
}

/// Checks what a pod needs beyond its containers (`validateOverhead`).
pub(super) fn validate_overhead(overhead: &Node<'_>, _: &Pod<'_>, report: &mut Report<'_>) {
    // The API server reports it as if it were limits.
    let named = overhead.named.field("limits");
    validate_amounts(&overhead.renamed(named), Owner::Container, report);
    let has_huge_pages = overhead.entries().any(|(name, _)| is_huge_pages(name));
    if has_huge_pages && !overhead.has("cpu") && !overhead.has("memory") {
        report.error(overhead, ValidationProblem::HugePagesAlone);
    }
}

fn validate_resources(resources: &Node<'_>, limits: &Node<'_>, owner: Owner, report: &mut Report<'_>) {
    let requests = resources.field("requests");
    validate_amounts(limits, owner, report);
    validate_amounts(&requests, owner, report);
    for (name, request) in requests.entries() {
        let limit = limits.field(name);
        let Some(amount) = request.quantity() else { continue };
        let (resource, written) = (Text::new(name), Text::new(limit.as_text()));
        match limit.quantity() {
            Some(limit) if amount != limit && !may_overcommit(name) => {
                let problem = ValidationProblem::RequestNotLimit { resource, limit: written };
                report.error_at(&request, &requests.named, problem);
            }
            Some(limit) if amount > limit => {
                let problem = ValidationProblem::RequestAboveLimit { resource, limit: written };
                report.error_at(&request, &requests.named, problem);
            }
            None if !may_overcommit(name) => {
                report.error_at(&request, &limits.named, ValidationProblem::LimitMissing { resource });
            }
            _ => {}
        }
    }
    let lists = [limits, &requests];
    let has_huge_pages = lists.iter().any(|list| list.entries().any(|(name, _)| is_huge_pages(name)));
    if has_huge_pages && !lists.iter().any(|list| list.has("cpu") || list.has("memory")) {
        report.error(resources, ValidationProblem::HugePagesAlone);
    }
}

fn validate_amounts(list: &Node<'_>, owner: Owner, report: &mut Report<'_>) {
    for (name, amount) in list.entries() {
        validate_resource_name(name, &amount, owner, report);
        let Some(quantity) = amount.quantity() else { continue };
        if quantity.is_negative() {
            report.error(&amount, ValidationProblem::NegativeAmount);
        }
        if (COUNTED.contains(&name) || is_extended(name)) && is_fractional(quantity) {
            report.error(&amount, ValidationProblem::FractionalAmount);
        }
        if let Some(page) = name.strip_prefix("hugepages-") {
            let page_size = Quantity::parse(page).ok().filter(|page| *page > Quantity::ZERO && !is_fractional(*page));
            let whole = page_size
                .is_some_and(|page| quantity.units_rounded_up().checked_rem(page.units_rounded_up()) == Some(0));
            if !whole {
                report.error(&amount, ValidationProblem::NotWholePages { resource: name.into() });
            }
        }
    }
}

fn validate_resource_name(name: &str, amount: &Node<'_>, owner: Owner, report: &mut Report<'_>) {
    let resource = Text::new(name);
    if !Syntax::LabelKey.matches(name) {
        report.error(amount, ValidationProblem::Malformed { value: resource, syntax: Syntax::LabelKey });
        return;
    }
    let is_known = match owner {
        Owner::Pod => name == "cpu" || name == "memory" || is_huge_pages(name),
        Owner::Container if !name.contains('/') => OF_CONTAINERS.contains(&name) || is_huge_pages(name),
        Owner::Container => is_native(name) || is_extended(name),
    };
    if is_known {
        return;
    }
    match owner {
        Owner::Pod if name.contains('/') || STANDARD.contains(&name) => {
            report.error(amount, ValidationProblem::NotSupported { value: resource, supported: OF_PODS, meant: None });
        }
        _ => report.error(amount, ValidationProblem::UnknownResource { resource }),
    }
}

/// Checks which of the pod's claims a container uses (`validateResourceClaimNames`).
pub(super) fn validate_claims_of(claims: &Node<'_>, pod: &Pod<'_>, report: &mut Report<'_>) {
    let of_pod = pod.spec.field("resourceClaims");
    let known = Names::of(&of_pod, "name");
    // What was asked for of each claim; nothing behind its name stands for all of it.
    let mut asked = Names::default();
    for claim in claims.items() {
        let (name, request) = (claim.text("name"), claim.text("request"));
        if name.is_empty() {
            report.error(&claim, ValidationProblem::Required);
            continue;
        }
        let (all, this) = ([name, "\0"].concat(), [name, "\0", request].concat());
        let any = !asked.insert(name);
        if asked.contains(&all) || !asked.insert(&this) || (request.is_empty() && any) {
            report.duplicate(&claim, name);
        } else if !request.is_empty() {
            report.check(&claim.field("request"), Syntax::DnsLabel);
        }
        if !known.contains(name) {
            report.error(&claim, ValidationProblem::NotFound { value: Text::new(name), among: "resourceClaims" });
        }
    }
}

const OF_POD_RESOURCES: &Rules = &[("claims", NoList(Place::PodResources))];

/// Checks the resources of the pod as a whole (`validatePodResources`).
pub(super) fn validate_pod_resources(resources: &Node<'_>, pod: &Pod<'_>, report: &mut Report<'_>) {
    if pod.spec.field("os").text("name") == "windows" {
        report.error(resources, ValidationProblem::NotIn { place: Place::WindowsPod });
        return;
    }
    let claims = resources.field("claims");
    apply(OF_POD_RESOURCES, resources, pod, report);
    let limits = resources.field("limits");
    validate_resources(resources, &limits, Owner::Pod, report);
    validate_claims_of(&claims, pod, report);
    for list in ["requests", "limits"] {
        let of_pod = resources.field(list);
        for (name, total) in total_of_containers(pod.spec, list).iter() {
            let amount = of_pod.field(name);
            let counts = list == "requests" || is_huge_pages(name);
            if counts && amount.quantity().is_some_and(|amount| total > amount) {
                let problem = ValidationProblem::ContainersExceedPod { containers: Text::new(total.to_string()) };
                report.error_at(&amount, &of_pod.named.key(name), problem);
            }
        }
    }
    validate_container_limits(pod, resources, report);
}

/// No container may use more than the pod; the API server reports this under a path of its own making.
fn validate_container_limits(pod: &Pod<'_>, resources: &Node<'_>, report: &mut Report<'_>) {
    let limits = resources.field("limits");
    let containers = resources.named.field("containers");
    for (index, container) in pod.spec.field("containers").items().enumerate() {
        let of_container = container.field("resources");
        for (name, limit) in of_container.field("limits").entries() {
            let allowed = limits.field(name);
            if limit.quantity().zip(allowed.quantity()).is_some_and(|(limit, allowed)| limit > allowed) {
                let problem = ValidationProblem::ContainersExceedPod { containers: limit.as_text().into() };
                let container = containers.index(index);
                report.error_at(&limit, &container.key(name).field("limits"), problem);
            }
        }
    }
}

/// What all containers need at once: those that keep running together, or the most that one before them needs
/// (`AggregateContainerRequests`, `AggregateContainerLimits`, component-helpers 0.36).
fn total_of_containers(spec: &Node<'_>, list: &str) -> ResourceList {
    let mut total = ResourceList::default();
    for container in spec.field("containers").items() {
        add(&mut total, &amounts_of(&container, list));
    }
    let (mut sidecars, mut most_before) = (ResourceList::default(), ResourceList::default());
    for container in spec.field("initContainers").items() {
        let mut amounts = amounts_of(&container, list);
        if container.text("restartPolicy") == "Always" {
            add(&mut total, &amounts);
            add(&mut sidecars, &amounts);
            amounts.clone_from(&sidecars);
        } else {
            add(&mut amounts, &sidecars);
        }
        raise(&mut most_before, &amounts);
    }
    raise(&mut total, &most_before);
    total
}

fn amounts_of(container: &Node<'_>, list: &str) -> ResourceList {
    let mut amounts = ResourceList::default();
    for (name, amount) in container.field("resources").field(list).entries() {
        if let Some(amount) = amount.quantity() {
            amounts.set(Text::new(name), amount);
        }
    }
    amounts
}

fn add(total: &mut ResourceList, more: &ResourceList) {
    for (name, amount) in more.iter() {
        total.add(name, amount);
    }
}

fn raise(total: &mut ResourceList, other: &ResourceList) {
    for (name, amount) in other.iter() {
        let most = total.get(name).unwrap_or(amount);
        total.set(name.clone(), most.max(amount));
    }
}
