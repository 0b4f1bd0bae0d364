//! Cases about what the API server accepts.

use rollcast_core::KubernetesVersion;
use rollcast_core::api::DaemonSet;
use rollcast_core::manifest::{Review, Severity, read_documents, read_trees, review_daemon_set};
use rollcast_tests::cluster::Cluster;
use serde_json::{Value, json};

use crate::input::{daemon_set, daemon_set_in, errors_in, nodes, running, text};

/// The input with its update strategy replaced.
fn with_limits(rolling_update: &Value) -> String {
    let (before, _) = text("L01", "daemonset.yaml")
        .split_once("  updateStrategy:")
        .map(|(before, after)| (before.to_owned(), after.to_owned()))
        .unwrap();
    format!("{before}  updateStrategy: {{type: RollingUpdate, rollingUpdate: {rolling_update}}}\n")
}

/// L01
#[test]
fn exactly_one_of_the_two_limits_is_not_zero() {
    let surge = "spec.updateStrategy.rollingUpdate.maxSurge";
    let unavailable = "spec.updateStrategy.rollingUpdate.maxUnavailable";
    let table = [
        (json!({"maxSurge": 1}), Some(surge)),
        (json!({"maxSurge": 1, "maxUnavailable": 0}), None),
        (json!({"maxSurge": 0, "maxUnavailable": 0}), Some(unavailable)),
        (json!({"maxSurge": "0%", "maxUnavailable": "0%"}), Some(unavailable)),
        (json!({"maxSurge": "10%", "maxUnavailable": 1}), Some(surge)),
        (json!({"maxUnavailable": "101%"}), Some(unavailable)),
        (json!({"maxUnavailable": "ten"}), Some(unavailable)),
        (json!({"maxUnavailable": 5}), None),
    ];
    assert_eq!(
        errors_in(&text("L01", "daemonset.yaml")).iter().map(|(_, field)| field.as_str()).collect::<Vec<_>>(),
        [surge]
    );
    for (limits, field) in table {
        let errors = errors_in(&with_limits(&limits));
        match field {
            None => assert_eq!(errors, [], "{limits}"),
            Some(field) => assert!(errors.iter().any(|(_, found)| found == field), "{limits}: {errors:?}"),
        }
    }
    let on_delete = with_limits(&json!({"maxSurge": 1})).replace("type: RollingUpdate", "type: OnDelete");
    assert_eq!(errors_in(&on_delete), [], "with OnDelete the block is ignored");
}

/// L04
#[test]
fn a_label_that_the_selector_names_cannot_change() {
    let refused = |text: &str| -> Vec<String> {
        let before =
            read_documents(crate::input::text("L04", "daemonset.yaml").as_bytes(), KubernetesVersion::default())
                .objects
                .remove(0)
                .reviewed;
        let documents = read_trees(text.as_bytes());
        let review = Review { text, before: before.as_ref(), ..Review::default() };
        let problems = review_daemon_set(documents[0].tree.as_ref().expect("a tree"), &review).problems;
        let errors = problems.iter().filter(|problem| problem.kind.severity() == Severity::Error);
        errors.map(|problem| problem.path.to_string()).collect()
    };
    let old = text("L04", "daemonset.yaml");
    assert_eq!(refused(&old), [""; 0]);
    assert_eq!(refused(&old.replace("agent-1.2.0", "agent-1.3.0")), ["spec.selector"]);

    // Recreated with the pods left behind: the new selector does not match them, so that a second set appears.
    let mut cluster = running("L04");
    cluster.delete_daemon_set(true);
    let mut recreated = daemon_set_in(&old.replace("agent-1.2.0", "agent-1.3.0"));
    recreated.metadata.uid = "uid-recreated".into();
    recreated.metadata.generation = 1;
    cluster.put_daemon_set(recreated);
    cluster.run_until(60);
    assert_eq!((cluster.own_pods(), cluster.snapshot.pods.len()), (2, 4));

    // A label that the selector does not name is an ordinary change of the template.
    let mut cluster = running("L04");
    cluster.change_template(|json| json["metadata"]["labels"]["version"] = json!("1.3.0"));
    cluster.run_until(60);
    assert_eq!((cluster.log.iter().map(|entry| entry.deleted.len()).sum::<usize>(), cluster.columns()), (2, [2; 5]));
}

/// L05
#[test]
fn a_daemon_must_not_end() {
    let mut fields: Vec<String> =
        errors_in(&text("L05", "daemonset.yaml")).into_iter().map(|(_, field)| field).collect();
    fields.sort();
    assert_eq!(fields, ["spec.template.spec.activeDeadlineSeconds", "spec.template.spec.restartPolicy"]);
    let corrected =
        text("L05", "daemonset.yaml").replace("OnFailure", "Always").replace("activeDeadlineSeconds: 60", "");
    assert_eq!(errors_in(&corrected), []);
    let sidecar = corrected.replace(
        "      containers:",
        "      initContainers:\n      - {name: side, image: side, restartPolicy: Always}\n      containers:",
    );
    assert_eq!(errors_in(&sidecar), [], "an init container may restart always");
}

/// L07
#[test]
fn the_old_api_group_is_refused_and_its_stored_strategy_stays() {
    let errors = errors_in(&text("L07", "daemonset.yaml"));
    assert!(errors.iter().any(|(_, field)| field == "apiVersion"), "{errors:?}");

    let modern = text("L07", "daemonset.yaml")
        .replace("extensions/v1beta1", "apps/v1")
        .replace("  template:\n    metadata:", "  selector: {matchLabels: {app: agent}}\n  template:\n    metadata:");
    assert_eq!(errors_in(&modern), []);
    let mut stored: DaemonSet = daemon_set_in(&modern);
    stored.spec.update_strategy = rollcast_tests::cluster::on_delete();
    let mut cluster = Cluster::new(stored, nodes("L07")).rolled_out();
    cluster.set_image("v2");
    cluster.run_until(300);
    assert_eq!(cluster.columns(), [3, 3, 3, 0, 3]);
    assert_eq!(
        daemon_set("L01").spec.update_strategy.strategy_type,
        rollcast_core::api::UpdateStrategyType::RollingUpdate
    );
}
