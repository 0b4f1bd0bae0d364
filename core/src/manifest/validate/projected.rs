use super::names::Names;
use super::node::Node;
use super::pod::Pod;
use super::report::Report;
use super::rules::apply;
use super::selector::validate_label_selector;
use super::volumes::{OF_KEY_TO_PATH, validate_downward_file, validate_file_path};
use super::{Syntax, ValidationProblem};
use crate::api::Text;

/// The kinds of source.
const KINDS: [&str; 6] =
    ["secret", "configMap", "downwardAPI", "serviceAccountToken", "clusterTrustBundle", "podCertificate"];

const TEN_MINUTES: i64 = 600;
const LONGEST_TOKEN_LIFE: i64 = 1 << 32;

/// Checks a volume made of several sources (`validateProjectedVolumeSource`).
pub(super) fn validate_projected(projected: &Node<'_>, pod: &Pod<'_>, report: &mut Report<'_>) {
    let mut paths = Paths { taken: Names::default(), projected };
    for source in projected.field("sources").items() {
        for kind in ["secret", "configMap"] {
            let keys = source.field(kind);
            if keys.exists() {
                report.require(&keys.field("name"));
                for item in keys.field("items").items() {
                    apply(OF_KEY_TO_PATH, &item, pod, report);
                    paths.take(&item.field("path"), report);
                }
            }
        }
        let downward = source.field("downwardAPI");
        if downward.exists() {
            for file in downward.field("items").items() {
                validate_downward_file(&file, &downward, pod, report);
                paths.take(&file.field("path"), report);
            }
        }
        let token = source.field("serviceAccountToken");
        if token.exists() {
            let life = token.field("expirationSeconds");
            report.check_range(&life, life.value.as_i64(), TEN_MINUTES, LONGEST_TOKEN_LIFE);
            if token.text("path").is_empty() || !pod.allowance.remote_token_paths {
                // The API server names the volume, not the source.
                validate_file_path(&token.field("path"), &projected.named, report);
            }
        }
        // These two exist only where an object that exists already has them: both features are off by default.
        let bundle = source.field("clusterTrustBundle");
        if bundle.exists() {
            validate_trust_bundle(&bundle, report);
            paths.take(&bundle.field("path"), report);
        }
        if KINDS.iter().filter(|kind| source.has(kind)).count() > 1 {
            report.error(&source, ValidationProblem::MoreThanOne);
        }
    }
}

fn validate_trust_bundle(bundle: &Node<'_>, report: &mut Report<'_>) {
    match (bundle.has("name"), bundle.has("signerName")) {
        (true, true) => report.error(bundle, ValidationProblem::MoreThanOne),
        (true, false) => {
            report.require(&bundle.field("name"));
            if bundle.has("labelSelector") {
                report.error_in(bundle, "labelSelector", ValidationProblem::NotWith { other: "name" });
            }
        }
        (false, true) => {
            report.require(&bundle.field("signerName"));
            validate_label_selector(&bundle.field("labelSelector"), true, report);
        }
        (false, false) => {
            report.error(bundle, ValidationProblem::OneOfRequired { choices: &["name", "signerName"] });
        }
    }
    let path = bundle.field("path");
    validate_file_path(&path, &bundle.named, report);
    report.check(&path, Syntax::PathWithoutBacksteps);
}

/// The files that sources write; two may not write the same.
struct Paths<'a> {
    taken: Names,
    projected: &'a Node<'a>,
}

impl Paths<'_> {
    fn take(&mut self, path: &Node<'_>, report: &mut Report<'_>) {
        let text = path.as_text();
        if !text.is_empty() && !self.taken.insert(text) {
            let problem = ValidationProblem::ConflictingPath { path: Text::new(text) };
            report.error_at(path, &self.projected.named, problem);
        }
    }
}
