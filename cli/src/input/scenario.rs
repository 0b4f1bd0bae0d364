use std::path::Path;

use rollcast_core::KubernetesVersion;
use rollcast_core::api::Text;
use rollcast_core::controller::Snapshot;
use rollcast_core::manifest::ScenarioProblem;
use rollcast_core::scenario::{Scenario, ScenarioDocument, read_scenario_with};

use super::sources::sources;
use super::{Cluster, add_to_cluster, lossy, read_up_to, refuse_trace};
use crate::failure::Failure;
use crate::output::{self, Output};

/// Reads a scenario file, with the files that it names; they are looked for where it stands.
///
/// Every problem is printed. A scenario that has one is not played.
pub fn read_scenario(
    path: &Path,
    version: Option<KubernetesVersion>,
    output: &Output,
) -> Result<(ScenarioDocument, Scenario), Failure> {
    if path.is_dir() {
        return Err(Failure::NotOneFile { directory: path.to_owned() });
    }
    let source = sources(&[path.to_owned()], false)?.into_iter().next().ok_or(Failure::NothingToRead)?;
    let (bytes, _) = read_up_to(&source, usize::MAX)?;
    refuse_trace(&source, &bytes)?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut include = |name: &Text, version| include(&folder.join(name.as_str()), name, version, output);
    let read = read_scenario_with(&bytes, version, &mut include);
    let name = source.name();
    let text = lossy(bytes);
    for problem in &read.problems {
        output::print_problem(&name, &text, problem, output.language);
    }
    read.document.zip(read.scenario).ok_or(Failure::NotRead { name: format!("`{name}`") })
}

fn include(path: &Path, name: &Text, version: KubernetesVersion, output: &Output) -> Result<Snapshot, ScenarioProblem> {
    let mut cluster = Cluster::default();
    match add_to_cluster(&mut cluster, &[path.to_owned()], false, version, output) {
        Ok(()) => Ok(cluster.into_snapshot()),
        Err(failure) => {
            output::print_failure(&failure, output.language);
            Err(ScenarioProblem::FileNotRead { name: name.clone() })
        }
    }
}
