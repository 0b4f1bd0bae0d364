use super::names::Names;
use super::node::Node;
use super::report::Report;
use super::{Syntax, ValidationProblem};
use crate::api::Text;

/// The limits of name resolution in Linux.
const MOST_NAMESERVERS: usize = 3;
const MOST_SEARCHES: usize = 32;
const LONGEST_SEARCHES: usize = 2048;

/// Checks `dnsConfig` beside `dnsPolicy` (`validatePodDNSConfig`).
pub(super) fn validate_dns(spec: &Node<'_>, report: &mut Report<'_>) {
    let config = spec.field("dnsConfig");
    let nameservers = config.field("nameservers");
    if spec.text("dnsPolicy") == "None" {
        let missing = if config.exists() { &nameservers } else { &config };
        if !config.exists() || nameservers.len() == 0 {
            report.error(missing, ValidationProblem::RequiredWith { other: "dnsPolicy: None" });
            return;
        }
    }
    if nameservers.len() > MOST_NAMESERVERS {
        report.error(&nameservers, ValidationProblem::TooMany { limit: 3 });
    }
    for address in nameservers.items() {
        report.check(&address, Syntax::IpAddress);
    }
    let searches = config.field("searches");
    if searches.len() > MOST_SEARCHES {
        report.error(&searches, ValidationProblem::TooMany { limit: 32 });
    }
    let bytes: usize = searches.items().map(|search| search.as_text().len() + 1).sum();
    if bytes.saturating_sub(1) > LONGEST_SEARCHES {
        report.error(&searches, ValidationProblem::TooLong { limit: 2048 });
    }
    for search in searches.items() {
        let text = search.as_text();
        if text != "." {
            report.check_text(&search, text.strip_suffix('.').unwrap_or(text), Syntax::DnsSubdomainWithUnderscore);
        }
    }
    for option in config.field("options").items() {
        if option.text("name").is_empty() {
            report.error(&option, ValidationProblem::Required);
        }
    }
}

/// Checks `hostAliases` (`ValidateHostAliases`).
pub(super) fn validate_host_aliases(aliases: &Node<'_>, report: &mut Report<'_>) {
    for alias in aliases.items() {
        report.check(&alias.field("ip"), Syntax::IpAddress);
        for name in alias.field("hostnames").items() {
            report.check(&name, Syntax::DnsSubdomain);
        }
    }
}

/// On the host's network a port of the host is the port of the container (`validatePodHostNetworkDeps`).
pub(super) fn validate_host_network_ports(spec: &Node<'_>, report: &mut Report<'_>) {
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

/// Checks the ports of a container (`validateContainerPorts`).
pub(super) fn validate_ports(ports: &Node<'_>, report: &mut Report<'_>) {
    let mut names = Names::default();
    for port in ports.items() {
        let name = port.field("name");
        let text = port.text("name");
        if !text.is_empty() {
            if !Syntax::PortName.matches(text) {
                report.check(&name, Syntax::PortName);
            } else if !names.insert(text) {
                report.error(&name, ValidationProblem::Duplicate { value: Text::new(text) });
            }
        }
        let container_port = port.field("containerPort");
        if port.number("containerPort").unwrap_or(0) == 0 {
            report.error(&container_port, ValidationProblem::Required);
        }
        for number in [container_port, port.field("hostPort")] {
            if number.value.as_i64() != Some(0) {
                report.check_range(&number, 1, 65535);
            }
        }
        report.require_word(&port.field("protocol"), &["TCP", "UDP", "SCTP"]);
    }
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
            let claim = format!("{}/{}/{number}", port.text("protocol"), port.text("hostIP"));
            if !taken.insert(&claim) {
                let problem = ValidationProblem::Duplicate { value: claim.as_str().into() };
                let (list, ports) = (named.named.index(container_index), "ports");
                let list = list.field(ports);
                report.error_at(&port.field("hostPort"), &list.index(index).field("hostPort"), problem);
            }
        }
    }
}
