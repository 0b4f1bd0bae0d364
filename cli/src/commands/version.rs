use rollcast_core::KubernetesVersion;
use serde::Serialize;

use crate::arguments::VersionArguments;
use crate::failure::Failure;
use crate::output::{Kind, Output, Verdict, style};

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Version {
    rollcast: &'static str,
    kubernetes: &'static str,
    page: bool,
}

/// Prints the version of the program and the Kubernetes it decides as.
pub fn run(arguments: &VersionArguments, output: &mut Output) -> Result<Verdict, Failure> {
    let version = Version {
        rollcast: env!("CARGO_PKG_VERSION"),
        kubernetes: KubernetesVersion::default().as_str(),
        page: cfg!(feature = "page"),
    };
    output.report(arguments.format.output, Kind::Version, &version, |page| {
        let behaves = page.language.say("decides as Kubernetes ", "按照此版本的 Kubernetes 作决定：");
        let line = format!("rollcast {}  {behaves}{}", version.rollcast, version.kubernetes);
        page.line(style::PLAIN, &line);
    })?;
    Ok(Verdict::Fine)
}
