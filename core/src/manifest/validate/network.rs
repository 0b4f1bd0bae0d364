use super::names::Names;
use super::node::Node;
use super::pod::Pod;
use super::report::Report;
use super::rules::Rule::{Each, MostItems, Refused, RequiredWord, Shape, When, With};
use super::rules::{Is, Rules, apply};
use super::{Syntax, ValidationProblem};

/// All search domains together, with a blank between two, bytes.
const LONGEST_SEARCHES: usize = 2048;

/// Rules on `dnsConfig`, whose numbers are the limits of name resolution in Linux.
const OF_DNS_CONFIG: &Rules = &[
    ("nameservers", MostItems(3)),
    ("nameservers", Each(&[("", Shape(Syntax::IpAddress))])),
    ("searches", MostItems(32)),
    ("searches", With(validate_searches)),
    ("options", Each(&[("", When(&[("name", Is::OneOf(&[""]))], &Refused(&ValidationProblem::Required)))])),
];

/// `ValidateHostAliases`.
pub(super) const OF_HOST_ALIAS: &Rules =
    &[("ip", Shape(Syntax::IpAddress)), ("hostnames", Each(&[("", Shape(Syntax::DnsSubdomain))]))];

/// Checks `dnsConfig` beside `dnsPolicy` (`validatePodDNSConfig`).
pub(super) fn validate_dns(config: &Node<'_>, pod: &Pod<'_>, report: &mut Report<'_>) {
    let nameservers = config.field("nameservers");
    if pod.spec.text("dnsPolicy") == "None" && nameservers.len() == 0 {
        let missing = if config.exists() { &nameservers } else { config };
        report.error(missing, ValidationProblem::RequiredWith { other: "dnsPolicy: None" });
        return;
    }
    apply(OF_DNS_CONFIG, config, pod, report);
}

fn validate_searches(searches: &Node<'_>, _: &Pod<'_>, report: &mut Report<'_>) {
    let bytes: usize = searches.items().map(|search| search.as_text().len() + 1).sum();
    if bytes.saturating_sub(1) > LONGEST_SEARCHES {
        report.error(searches, ValidationProblem::TooLong { limit: 2048 });
    }
    for search in searches.items() {
        let text = search.as_text();
        if text != "." {
            report.check_text(&search, text.strip_suffix('.').unwrap_or(text), Syntax::DnsSubdomainWithUnderscore);
        }
    }
}

/// On the host's network a port of the host is the port of the container (`validatePodHostNetworkDeps`).
pub(super) fn validate_host_network_ports(spec: &Node<'_>, _: &Pod<'_>, report: &mut Report<'_>) {
    if !spec.is_true("hostNetwork") {
        return;
    }
    for container in spec.field("containers").items() {
        for port in container.field("ports").items() {
            let host_port = port.number("hostPort").unwrap_or(0);
            let container_port = port.number("containerPort").unwrap_or(0);
            if host_port != 0 && host_port != container_port {
                let problem = ValidationProblem::MustMatch { other: "containerPort" };
                report.error_with_fix(&port.field("hostPort"), problem, container_port.to_string());
            }
        }
    }
}

const OF_PORT: &Rules = &[
    ("containerPort", With(validate_port_number)),
    ("hostPort", With(validate_port_number)),
    ("protocol", RequiredWord(&["TCP", "UDP", "SCTP"])),
];

/// Checks the ports of a container (`validateContainerPorts`).
pub(super) fn validate_ports(ports: &Node<'_>, pod: &Pod<'_>, report: &mut Report<'_>) {
    let mut names = Names::default();
    for port in ports.items() {
        let name = port.field("name");
        let text = port.text("name");
        if !text.is_empty() {
            report.check(&name, Syntax::PortName);
            if Syntax::PortName.matches(text) && !names.insert(text) {
                report.duplicate(&name, text);
            }
        }
        if port.number("containerPort").unwrap_or(0) == 0 {
            report.error_in(&port, "containerPort", ValidationProblem::Required);
        }
        apply(OF_PORT, &port, pod, report);
    }
}

fn validate_port_number(port: &Node<'_>, _: &Pod<'_>, report: &mut Report<'_>) {
    report.check_range(port, port.value.as_i64().filter(|number| *number != 0), 1, 65535);
}

/// Finds ports of the host that two of these containers want (`AccumulateUniqueHostPorts`).
pub(super) fn validate_host_port_conflicts(
    containers: &mut dyn Iterator<Item = Node<'_>>,
    named: &Node<'_>,
    report: &mut Report<'_>,
) {
    let mut taken = Names::default();
    for (container_index, container) in containers.enumerate() {
        for (index, port) in container.field("ports").items().enumerate() {
            let number = port.number("hostPort").unwrap_or(0);
            if number == 0 {
                continue;
            }
            let claim = [port.text("protocol"), "/", port.text("hostIP"), "/", &number.to_string()].concat();
            if !taken.insert(&claim) {
                let problem = ValidationProblem::Duplicate { value: claim.as_str().into() };
                let (list, ports) = (named.named.index(container_index), "ports");
                let list = list.field(ports);
                report.error_at(&port.field("hostPort"), &list.index(index).field("hostPort"), problem);
            }
        }
    }
}
