//! What is too long to be a document is read piece by piece.

use predicates::str::contains;

use crate::{AGENT, Directory, printed, rollcast};

#[test]
fn a_dump_of_many_nodes_is_read_in_both_formats() {
    for format in ["yaml", "json"] {
        let nodes = printed(&mut rollcast(["nodes", "-p", "name=w,count=20000", "-o", format]), 0);
        assert!(nodes.len() > 5 << 20, "{}", nodes.len());
        let directory = Directory::with([("agent.yaml", AGENT)]);
        let mut command = directory.rollcast(["explain", "-f", "agent.yaml", "-f", "-"]);
        let text = printed(command.write_stdin(nodes.as_str()), 0);
        assert!(text.contains("20,000 of 20,000 nodes should run it"), "{format}: {text}");
        assert!(text.contains("w-00001, w-00002"), "{format}: {text}");
        // A dump that ends in the middle is not the cluster that was asked about.
        let half = nodes.get(..nodes.len() / 2 + 7).unwrap();
        let mut command = directory.rollcast(["explain", "-f", "agent.yaml", "-f", "-"]);
        if format == "json" {
            command.write_stdin(half).assert().code(3).stderr(contains("-:"));
        }
    }
}
