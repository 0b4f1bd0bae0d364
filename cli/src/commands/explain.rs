use rollcast_core::KubernetesVersion;
use rollcast_core::api::{Node, Text};
use rollcast_core::message::{Language, Words};
use rollcast_core::report::{self, ExplainReport, Judge};
use rollcast_core::scheduling::{parse_selector, selects};

use crate::arguments::ExplainArguments;
use crate::clock::now;
use crate::failure::Failure;
use crate::input;
use crate::output::{Kind, Output, Verdict, print_note};

mod page;

/// Says which nodes run a DaemonSet's pods, why the others do not, and whether they fit.
pub fn run(arguments: &ExplainArguments, output: &mut Output) -> Result<Verdict, Failure> {
    if arguments.input.filenames.is_empty() {
        return Err(Failure::NothingToRead);
    }
    let selector = arguments.selector.as_deref().unwrap_or_default();
    let selector = parse_selector(selector)
        .map_err(|fault| Failure::Selector { text: selector.to_owned(), error: fault.words(output.language) })?;
    let version = arguments.kubernetes.kubernetes_version;
    let mut cluster = input::read_cluster(&arguments.input, version, output)?;
    let key = cluster.choose(arguments.daemon_set.daemon_set.as_deref())?;
    let refused = std::mem::take(&mut cluster.refused);
    let classes = std::mem::take(&mut cluster.priority_classes);
    let snapshot = cluster.into_snapshot();
    let daemon_set = snapshot.daemon_sets.iter().find(|daemon_set| daemon_set.metadata.key() == key);
    let Some(daemon_set) = daemon_set else { return Err(Failure::NoDaemonSet { found: Vec::new() }) };
    let named = named_nodes(&arguments.nodes, &snapshot.nodes)?;
    let judge = Judge::new(daemon_set, &snapshot, version).with_priority_classes(&classes);
    let wanted = |node: &Node| {
        selects(&selector, &node.metadata.labels) && (named.is_empty() || named.contains(&node.metadata.name))
    };
    let mut report = report::explain(&judge, &snapshot.nodes, wanted, &named, output.language);
    report.status = report::status_report(daemon_set, &snapshot, now(), version, output.language);
    for (name, errors) in &refused {
        print_note(&refusal_note(name, *errors, version, output.language), output.language);
    }
    output.report(arguments.format.output, Kind::ExplainReport, &report, |page| {
        page::show(page, &report, judge.rules(), daemon_set);
    })?;
    Ok(Verdict::findings_if(has_findings(&report) || !refused.is_empty()))
}

/// Nodes without room are findings; nodes that are left out are as the manifest has it.
fn has_findings(report: &ExplainReport) -> bool {
    report.groups.iter().any(|group| group.verdict.is_finding())
}

fn named_nodes(names: &[String], nodes: &[Node]) -> Result<Vec<Text>, Failure> {
    names.iter().map(|name| Ok(input::find_node(name, nodes)?.metadata.name.clone())).collect()
}

fn refusal_note(name: &str, errors: usize, version: KubernetesVersion, language: Language) -> String {
    let is_default = version == KubernetesVersion::default();
    let release = if is_default { String::new() } else { format!(" --kubernetes-version {version}") };
    match language {
        Language::English => {
            let errors = if errors == 1 { "an error".to_owned() } else { format!("{errors} errors") };
            format!("the API server would refuse `{name}`, which has {errors}: rollcast check {name}{release}")
        }
        Language::Chinese => {
            format!("API server 会拒绝 `{name}`，其中有 {errors} 个错误：rollcast check {name}{release}")
        }
    }
}
