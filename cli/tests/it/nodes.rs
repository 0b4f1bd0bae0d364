use predicates::prelude::*;
use predicates::str::contains;

use crate::rollcast;

#[test]
fn a_pool_becomes_node_manifests() {
    let pool = "name=worker,count=2,cpu=2,memory=4Gi,label=zone=a/b,taint=dedicated=gpu:NoSchedule";
    let assert = rollcast(["nodes", "--pool", pool]).assert().success();
    insta::assert_snapshot!(String::from_utf8_lossy(&assert.get_output().stdout));
}

#[test]
fn several_pools_make_one_list() {
    let assert =
        rollcast(["nodes", "-p", "name=cp,cordoned", "-p", "count=2,notready", "-o", "json"]).assert().success();
    let list: serde_json::Value = serde_json::from_slice(&assert.get_output().stdout).unwrap();
    let names: Vec<_> =
        list["items"].as_array().unwrap().iter().filter_map(|node| node["metadata"]["name"].as_str()).collect();
    assert_eq!((&list["kind"], names), (&"List".into(), vec!["cp-1", "node-1", "node-2"]));
}

#[test]
fn pools_of_one_name_are_wrong_use() {
    let twice = rollcast(["nodes", "-p", "name=a", "-p", "name=a,cordoned"]).assert();
    twice.code(2).stdout("").stderr(contains("two pools are named `a`"));
}

#[test]
fn a_pool_that_cannot_be_read_is_wrong_use_and_says_how_to_write_one() {
    let said = contains("cannot read the pool `count=none`").and(contains("help: for example --pool name=workers"));
    rollcast(["nodes", "--pool", "count=none"]).assert().code(2).stderr(said);
    rollcast(["nodes", "--pool", "count=none", "--lang", "zh"]).assert().code(2).stderr(contains("无法理解节点池"));
}
