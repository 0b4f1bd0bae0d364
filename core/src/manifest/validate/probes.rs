use super::node::Node;
use super::pod::Pod;
use super::report::Report;
use super::rules::Rule::{Fields, Given, Minimum, Refused, Required, With, Word};
use super::rules::{Rules, apply};
use super::{Syntax, ValidationProblem};
use crate::api::Text;
use crate::manifest::schema;

const PROBE_HANDLERS: &[&str] = &["exec", "httpGet", "tcpSocket", "grpc"];
const LIFECYCLE_HANDLERS: &[&str] = &["exec", "httpGet", "tcpSocket", "sleep"];
const SIGNALS_OF_WINDOWS: &[&str] = &["SIGKILL", "SIGTERM"];

/// What a container is asked and told while it runs.
pub(super) const OF_HANDLERS: &Rules = &[
    ("lifecycle", Fields(OF_LIFECYCLE)),
    ("livenessProbe", Fields(OF_OTHER_PROBE)),
    ("readinessProbe", Fields(OF_READINESS_PROBE)),
    ("startupProbe", Fields(OF_OTHER_PROBE)),
];

/// `validateLivenessProbe`, `validateStartupProbe`.
const OF_OTHER_PROBE: &Rules = &[("", Fields(OF_PROBE)), ("successThreshold", With(validate_success_threshold))];

/// `validateReadinessProbe`.
const OF_READINESS_PROBE: &Rules = &[
    ("", Fields(OF_PROBE)),
    ("terminationGracePeriodSeconds", Given(&Refused(&ValidationProblem::OnlyWith { other: "livenessProbe" }))),
];

const OF_PROBE: &Rules = &[
    ("", With(|probe, pod, report| validate_handler(probe, PROBE_HANDLERS, pod, report))),
    ("initialDelaySeconds", Minimum(0)),
    ("timeoutSeconds", Minimum(0)),
    ("periodSeconds", Minimum(0)),
    ("successThreshold", Minimum(0)),
    ("failureThreshold", Minimum(0)),
    ("terminationGracePeriodSeconds", Minimum(1)),
];

fn validate_success_threshold(threshold: &Node<'_>, _: &Pod<'_>, report: &mut Report<'_>) {
    if threshold.as_number() != 1 {
        report.error(threshold, ValidationProblem::MustBe { only: 1 });
    }
}

/// What runs after the start and before the stop of a container (`validateLifecycle`).
const OF_LIFECYCLE: &Rules = &[
    ("postStart", Given(&With(validate_lifecycle_handler))),
    ("preStop", Given(&With(validate_lifecycle_handler))),
    ("stopSignal", Given(&With(validate_stop_signal))),
];

fn validate_lifecycle_handler(handler: &Node<'_>, pod: &Pod<'_>, report: &mut Report<'_>) {
    validate_handler(handler, LIFECYCLE_HANDLERS, pod, report);
}

fn validate_stop_signal(signal: &Node<'_>, pod: &Pod<'_>, report: &mut Report<'_>) {
    match pod.spec.field("os").text("name") {
        "" => report.error(signal, ValidationProblem::OnlyWith { other: "spec.os.name" }),
        "windows" => report.check_word(signal, SIGNALS_OF_WINDOWS),
        _ => {
            let known = schema::type_named("Lifecycle").and_then(|id| schema::field(id, "stopSignal"));
            if !known.is_some_and(|field| field.values().any(|known| known == signal.as_text())) {
                let value = Text::new(signal.as_text());
                report.error(signal, ValidationProblem::NotSupported { value, supported: &[], meant: None });
            }
        }
    }
}

/// Exactly one way to act, and its own rules (`validateHandler`).
fn validate_handler(owner: &Node<'_>, handlers: &'static [&'static str], pod: &Pod<'_>, report: &mut Report<'_>) {
    let mut given = handlers.iter().filter(|handler| owner.has(handler));
    let Some(first) = given.next() else {
        report.error(owner, ValidationProblem::OneOfRequired { choices: handlers });
        return;
    };
    let rules = match *first {
        "exec" => &[("command", Required)],
        "httpGet" => OF_HTTP_GET,
        "sleep" => &[("", With(validate_sleep))],
        _ => &[("port", With(validate_port))],
    };
    apply(rules, &owner.field(first), pod, report);
    for other in given {
        report.error(&owner.field(other), ValidationProblem::MoreThanOne);
    }
}

const OF_HTTP_GET: &Rules = &[
    ("path", Required),
    ("port", With(validate_port)),
    ("scheme", Word(&["HTTP", "HTTPS"])),
    ("httpHeaders", With(validate_headers)),
];

fn validate_headers(headers: &Node<'_>, _: &Pod<'_>, report: &mut Report<'_>) {
    for header in headers.items() {
        report.check(&header.field("name").renamed(headers.named), Syntax::HttpHeaderName);
    }
}

fn validate_sleep(sleep: &Node<'_>, pod: &Pod<'_>, report: &mut Report<'_>) {
    let grace_period = pod.grace_period();
    if !(0..=grace_period).contains(&sleep.number("seconds").unwrap_or(0)) {
        report.error(sleep, ValidationProblem::SleepOutOfRange { grace_period });
    }
}

/// A number, or the name of a port (`ValidatePortNumOrName`).
fn validate_port(port: &Node<'_>, _: &Pod<'_>, report: &mut Report<'_>) {
    if port.value.is_string() {
        report.check(port, Syntax::PortName);
    } else {
        report.check_range(port, Some(port.as_number()), 1, 65535);
    }
}
