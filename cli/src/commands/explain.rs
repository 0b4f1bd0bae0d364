use rollcast_core::api::{Node, Text};
use rollcast_core::message::Words;
use rollcast_core::report::{self, ExplainReport, Judge};
use rollcast_core::scheduling::{parse_selector, selects};

use crate::arguments::ExplainArguments;
use crate::clock::now;
use crate::failure::Failure;
use crate::input;
use crate::output::{Kind, Output, Verdict};

mod page;

/// Says which nodes run a DaemonSet's pods, why the others do not, and whether they fit.
pub fn run(arguments: &ExplainArguments, output: &mut Output) -> Result<Verdict, Failure> {
    let labels = arguments.selector.as_deref();
    let selector = parse_selector(labels.unwrap_or_default()).map_err(|fault| Failure::Selector {
        text: labels.unwrap_or_default().to_owned(),
        error: fault.words(output.language),
    })?;
    let version = arguments.kubernetes.kubernetes_version;
    let mut cluster = input::read_cluster(&arguments.input, version, output)?;
    let key = cluster.choose(arguments.daemon_set.wanted())?;
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
    if let Some(text) = labels.filter(|_| report.counts.nodes == 0 && !snapshot.nodes.is_empty()) {
        return Err(Failure::NothingSelected { text: text.to_owned(), count: snapshot.nodes.len() });
    }
    output.report(arguments.format.output, Kind::ExplainReport, &report, |page| {
        page::show(page, &report, judge.rules(), daemon_set, labels);
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
