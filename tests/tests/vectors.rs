//! The vector files themselves.

use rollcast_tests::say::say;
use rollcast_tests::{subject::Kind, vectors};

#[test]
fn every_vector_file_is_of_a_known_kind_and_every_kind_has_one() {
    let files = vectors::files();
    let unknown: Vec<_> = files.iter().filter(|file| file.kind.is_none()).map(|file| &file.path).collect();
    assert!(unknown.is_empty(), "lines of no known kind: {unknown:?}");
    for kind in Kind::ALL {
        assert!(files.iter().any(|file| file.kind == Some(kind)), "no {} vectors", kind.as_str());
    }
    if std::env::var_os("ROLLCAST_VECTORS").is_none() {
        say("SKIPPED further vectors: ROLLCAST_VECTORS names no directory");
    }
}

#[test]
fn a_file_has_as_many_lines_as_were_recorded() {
    let own = std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/vectors"));
    let counts: Vec<_> = vectors::files_in(own).iter().map(|file| (file.name(), file.lines.len())).collect();
    let recorded = [("admit", 385), ("dynamics", 300), ("fit", 1400), ("sync", 2000), ("trajectory", 362)];
    assert_eq!(counts, recorded.map(|(name, lines)| (format!("{name}.jsonl"), lines)));
}
