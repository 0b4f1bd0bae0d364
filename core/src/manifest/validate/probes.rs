use super::node::Node;
use super::pod::Pod;
use super::report::Report;
use super::{Syntax, ValidationProblem};
use crate::api::Text;
use crate::manifest::schema;

const PROBE_HANDLERS: &[&str] = &["exec", "httpGet", "tcpSocket", "grpc"];
const LIFECYCLE_HANDLERS: &[&str] = &["exec", "httpGet", "tcpSocket", "sleep"];
const SIGNALS_OF_WINDOWS: &[&str] = &["SIGKILL", "SIGTERM"];

/// Checks the three probes of a container (`validateLivenessProbe`, `validateReadinessProbe`, `validateStartupProbe`).
pub(super) fn validate_probes(container: &Node<'_>, report: &mut Report<'_>) {
    for name in ["livenessProbe", "readinessProbe", "startupProbe"] {
        let probe = container.field(name);
        if !probe.exists() {
            continue;
        }
        validate_handler(&probe, PROBE_HANDLERS, None, report);
        for seconds in
            ["initialDelaySeconds", "timeoutSeconds", "periodSeconds", "successThreshold", "failureThreshold"]
        {
            report.check_minimum(&probe.field(seconds), 0);
        }
        report.check_minimum(&probe.field("terminationGracePeriodSeconds"), 1);
        if name == "readinessProbe" {
            let grace_period = probe.field("terminationGracePeriodSeconds");
            if grace_period.exists() {
                report.error(&grace_period, ValidationProblem::OnlyWith { other: "livenessProbe" });
            }
        } else if probe.number("successThreshold").unwrap_or(0) != 1 {
            report.error(&probe.field("successThreshold"), ValidationProblem::MustBe { only: 1 });
        }
    }
}

/// Checks what runs after the start and before the stop of a container (`validateLifecycle`).
pub(super) fn validate_lifecycle(lifecycle: &Node<'_>, pod: &Pod<'_>, report: &mut Report<'_>) {
    for moment in ["postStart", "preStop"] {
        let handler = lifecycle.field(moment);
        if handler.exists() {
            validate_handler(&handler, LIFECYCLE_HANDLERS, Some(pod.grace_period()), report);
        }
    }
    let signal = lifecycle.field("stopSignal");
    if signal.exists() {
        match pod.spec.field("os").text("name") {
            "" => report.error(&signal, ValidationProblem::OnlyWith { other: "spec.os.name" }),
            "windows" => report.check_word(&signal, SIGNALS_OF_WINDOWS),
            _ => {
                let known = schema::type_named("Lifecycle").and_then(|id| schema::field(id, "stopSignal"));
                if !known.is_some_and(|field| field.values().any(|known| known == signal.as_text())) {
                    let value = Text::new(signal.as_text());
                    report.error(&signal, ValidationProblem::NotSupported { value, supported: &[], meant: None });
                }
            }
        }
    }
}

/// Exactly one way to act, and its own rules (`validateHandler`).
fn validate_handler(
    owner: &Node<'_>,
    handlers: &'static [&'static str],
    grace_period: Option<i64>,
    report: &mut Report<'_>,
) {
    let mut given = handlers.iter().filter(|handler| owner.has(handler));
    let Some(first) = given.next() else {
        report.error(owner, ValidationProblem::OneOfRequired { choices: handlers });
        return;
    };
    let action = owner.field(first);
    match *first {
        "exec" => report.require(&action.field("command")),
        "httpGet" => validate_http_get(&action, report),
        "sleep" => {
            let (seconds, grace_period) = (action.number("seconds").unwrap_or(0), grace_period.unwrap_or(i64::MAX));
            if !(0..=grace_period).contains(&seconds) {
                report.error(&action, ValidationProblem::SleepOutOfRange { grace_period });
            }
        }
        _ => validate_port(&action.field("port"), report),
    }
    for other in given {
        report.error(&owner.field(other), ValidationProblem::MoreThanOne);
    }
}

fn validate_http_get(action: &Node<'_>, report: &mut Report<'_>) {
    report.require(&action.field("path"));
    validate_port(&action.field("port"), report);
    report.check_word(&action.field("scheme"), &["HTTP", "HTTPS"]);
    let headers = action.field("httpHeaders");
    for header in headers.items() {
        let name = header.text("name");
        if !Syntax::HttpHeaderName.matches(name) {
            let problem = ValidationProblem::Malformed { value: name.into(), syntax: Syntax::HttpHeaderName };
            report.error_at(&header.field("name"), &headers.named, problem);
        }
    }
}

/// A number, or the name of a port (`ValidatePortNumOrName`).
fn validate_port(port: &Node<'_>, report: &mut Report<'_>) {
    if port.value.is_string() {
        report.check(port, Syntax::PortName);
    } else {
        let value = port.value.as_i64().unwrap_or(0);
        if !(1..=65535).contains(&value) {
            report.error(port, ValidationProblem::OutOfRange { value, minimum: 1, maximum: 65535 });
        }
    }
}
