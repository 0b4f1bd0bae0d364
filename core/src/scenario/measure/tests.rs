use super::*;
use crate::sim::Distribution;
use serde_json::{Value, json};

const START: i64 = 1_000_000;

fn at(seconds: i64) -> String {
    Timestamp::from_seconds(START + seconds).to_string()
}

fn agent() -> DaemonSet {
    serde_json::from_value(json!({"metadata": {"name": "agent", "namespace": "ops", "uid": "u"}})).unwrap()
}

/// A pod that was made at a second, bound one later, and ready so many after that.
fn pod(number: u32, made: i64, ready_after: i64, rest: &Value) -> Pod {
    let condition =
        |name: &str, after| json!({"type": name, "status": "True", "lastTransitionTime": at(made + 1 + after)});
    let mut pod = json!({
        "metadata": {"name": format!("agent-{number}"), "namespace": "ops", "creationTimestamp": at(made),
            "ownerReferences": [{"apiVersion": "apps/v1", "kind": "DaemonSet", "name": "agent", "uid": "u", "controller": true}]},
        "spec": {"nodeName": format!("n-{number}"), "containers": [{"name": "c", "image": "i"}]},
        "status": {"phase": "Running", "containerStatuses": [{"name": "c", "restartCount": 0, "ready": true}],
            "conditions": [condition("PodScheduled", 0), condition("PodReadyToStartContainers", 1),
                condition("Initialized", 2), condition("Ready", ready_after)]},
    });
    for (key, value) in rest.as_object().unwrap() {
        for (inner, value) in value.as_object().unwrap() {
            pod[key][inner] = value.clone();
        }
    }
    serde_json::from_value(pod).unwrap()
}

fn plain(number: u32, ready_after: i64) -> Pod {
    pod(number, 0, ready_after, &json!({}))
}

fn event(pod: &str, reason: &str, message: &str, host: &str, second: i64) -> Event {
    serde_json::from_value(json!({"involvedObject": {"kind": "Pod", "namespace": "ops", "name": pod}, "reason": reason,
        "message": message, "source": {"component": "kubelet", "host": host}, "lastTimestamp": at(second)}))
    .unwrap()
}

fn pulled(number: u32, told: &str) -> Event {
    event(&format!("agent-{number}"), "Pulled", told, "n", 0)
}

fn measured(pods: &[Pod], events: &[Event]) -> Measurements {
    measure(&agent(), pods, events, Timestamp::from_seconds(START + 100))
}

const fn seconds(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

#[test]
fn starts_are_measured_by_the_times_of_the_pods_conditions() {
    let mut pods: Vec<Pod> = (1..=100).map(|number| plain(number, number.into())).collect();
    pods.push(pod(101, 0, 7, &json!({"status": {"containerStatuses": [{"name": "c", "restartCount": 2}]}})));
    pods.push(plain(102, 100_000));
    let found = measured(&pods, &[]);
    let ready = found.ready.unwrap();
    assert_eq!((ready.count, ready.least, ready.most), (100, seconds(1), seconds(100)));
    assert_eq!(ready.distribution(), Distribution::LogNormal { median: seconds(50), p95: seconds(95) });
    assert_eq!(found.initialized.unwrap().median, seconds(2));
    assert_eq!(found.sandbox.unwrap().most, seconds(1));
    assert_eq!(found.bound.unwrap().distribution(), Distribution::Constant(seconds(1)));
    assert_eq!((found.left_out, found.events, found.without_pulls), (2, 0, false));
    assert_eq!((found.gone, found.terminating), (None, None));
    assert_eq!(measured(&[], &[]), Measurements::default());
}

#[test]
fn where_events_tell_of_pulls_they_are_no_part_of_the_start() {
    let told = |seconds: u32, bytes: u32| {
        format!(
            "Successfully pulled image \"i\" in {seconds}s ({}s including waiting). Image size: {bytes} bytes.",
            seconds + 1
        )
    };
    let pods = [plain(1, 20), plain(2, 30), plain(3, 9), plain(4, 50)];
    let held = "Container image \"i\" already present on machine";
    let events = [
        pulled(1, &told(10, 5_000)),
        pulled(2, &told(20, 5_000)),
        pulled(3, held),
        pulled(9, &told(4, 4_000)),
        event("other-1", "Pulled", &told(1, 1), "n", 0),
        event("agent-proxy-1", "Pulled", &told(1, 1), "n", 0),
    ];
    let found = measured(&pods, &events);
    let ready = found.ready.unwrap();
    assert!(found.without_pulls);
    assert_eq!((ready.count, ready.least, ready.most), (3, seconds(9), seconds(9)), "20 − 11, 30 − 21, 9");
    assert_eq!((found.left_out, found.events), (1, 4), "of the fourth pod no event is left");
    assert_eq!(found.pull.unwrap().median, seconds(10));
    assert_eq!(found.pull_with_wait.unwrap().most, seconds(21));
    let (bytes, rate) = (found.image_bytes.unwrap(), found.pull_bytes_per_second.unwrap());
    assert_eq!((bytes.count, bytes.least, bytes.median), (3, 4_000, 5_000));
    assert_eq!((rate.least, rate.median, rate.most), (250, 500, 1_000));
    assert_eq!(found.measured().image_bytes, Some(bytes));
}

#[test]
fn pulls_of_unknown_size_stay_part_of_the_start() {
    let events = [pulled(1, "Successfully pulled image \"i\" in 10s (10s including waiting)")];
    let found = measured(&[plain(1, 20)], &events);
    assert_eq!((found.ready.unwrap().most, found.pull.unwrap().most), (seconds(20), seconds(10)));
    assert_eq!((found.without_pulls, found.measured().image_bytes), (false, None));
    // Of the pod that is there no pull is known: what is known of others would count twice.
    let of_another =
        [pulled(8, "Successfully pulled image \"i\" in 10s (10s including waiting). Image size: 70 bytes.")];
    let found = measured(&[plain(1, 20)], &of_another);
    assert_eq!((found.ready.unwrap().most, found.without_pulls), (seconds(20), false));
    assert_eq!((found.image_bytes.unwrap().most, found.measured().image_bytes), (70, None));
}

#[test]
fn how_long_pods_take_to_go_is_told_by_their_end_and_the_next_pod_on_the_node() {
    let stop = |pod: &str, host: &str, second| event(pod, "Killing", "Stopping container c", host, second);
    let pods =
        [pod(1, 40, 9, &json!({})), pod(2, 50, 9, &json!({})), pod(3, 60, 9, &json!({})), pod(4, 9_000, 9, &json!({}))];
    let events = [
        stop("agent-x1", "n-1", 10),
        // Two containers, of which one takes longer to stop; and an older pod on the same node.
        stop("agent-x2", "n-2", 30),
        stop("agent-x2", "n-2", 45),
        stop("agent-w2", "n-2", 2),
        // Its successor was there before it went: surge.
        stop("agent-x3", "n-3", 70),
        // Too long ago to have to do with the next.
        stop("agent-x4", "n-4", 0),
        // It failed its probe, and is still there.
        event("agent-1", "Killing", "Container c failed liveness probe, will be restarted", "n-1", 39),
    ];
    let gone = measured(&pods, &events).gone.unwrap();
    assert_eq!((gone.count, gone.least, gone.most), (2, seconds(20), seconds(30)));
}

#[test]
fn pods_that_are_being_deleted_are_told_of() {
    let deleted =
        |ends: i64| json!({"metadata": {"deletionTimestamp": at(ends)}, "spec": {"terminationGracePeriodSeconds": 20}});
    let pods = [pod(1, 0, 5, &deleted(60)), pod(2, 0, 5, &deleted(110)), plain(3, 5)];
    assert_eq!(measured(&pods, &[]).terminating, Some((2, seconds(60))), "asked for at 40, seen at 100");
}
