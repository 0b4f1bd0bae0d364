use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::failure::Failure;

/// One place that text comes from.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Source {
    StandardInput,
    File(PathBuf),
}

impl Source {
    /// The name for messages.
    pub fn name(&self) -> String {
        match self {
            Self::StandardInput => "-".to_owned(),
            Self::File(path) => path.display().to_string(),
        }
    }

    /// Opens it.
    pub fn open(&self) -> Result<Box<dyn Read>, Failure> {
        match self {
            Self::StandardInput => Ok(Box::new(io::stdin().lock())),
            Self::File(path) => match File::open(path) {
                Ok(file) => Ok(Box::new(file)),
                Err(error) => Err(Failure::Read { name: format!("`{}`", path.display()), error }),
            },
        }
    }
}

/// The sources that paths name: a file, `-`, or the manifests of a directory in order of their names.
pub fn sources(paths: &[PathBuf], recursive: bool) -> Result<Vec<Source>, Failure> {
    let mut sources = Vec::new();
    for path in paths {
        if path.as_os_str() == "-" {
            if sources.contains(&Source::StandardInput) {
                return Err(Failure::StandardInputTwice);
            }
            sources.push(Source::StandardInput);
        } else if path.is_dir() {
            let mut files = Vec::new();
            let below = manifests(path, recursive, 0, &mut files)?;
            if files.is_empty() {
                return Err(Failure::NoManifests { directory: path.clone(), subdirectories: below && !recursive });
            }
            files.sort();
            sources.extend(files.into_iter().map(Source::File));
        } else {
            sources.push(Source::File(path.clone()));
        }
    }
    Ok(sources)
}

/// Gathers the manifests of a directory; says whether there are directories below it.
fn manifests(directory: &Path, recursive: bool, depth: u32, files: &mut Vec<PathBuf>) -> Result<bool, Failure> {
    /// Deeper than any repository; a loop of links ends here.
    const DEEPEST: u32 = 64;
    let failed = |error| Failure::Read { name: format!("`{}`", directory.display()), error };
    let mut below = false;
    for entry in std::fs::read_dir(directory).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.is_dir() {
            below = true;
            let hidden = path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
            if recursive && !hidden && depth < DEEPEST {
                manifests(&path, recursive, depth + 1, files)?;
            }
        } else if is_manifest(&path) {
            files.push(path);
        }
    }
    Ok(below)
}

/// The extensions that kubectl reads of a directory.
fn is_manifest(path: &Path) -> bool {
    matches!(path.extension().and_then(OsStr::to_str), Some("yaml" | "yml" | "json"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_directory_stands_for_its_manifests_in_order() {
        let directory = tempfile::tempdir().unwrap();
        for name in ["b.yaml", "a.json", "notes.txt"] {
            std::fs::write(directory.path().join(name), "").unwrap();
        }
        std::fs::create_dir(directory.path().join("more")).unwrap();
        std::fs::write(directory.path().join("more/c.yml"), "").unwrap();
        let names = |recursive| -> Vec<String> {
            let sources = sources(&[directory.path().to_owned()], recursive).unwrap();
            let prefix = directory.path().display().to_string();
            sources.iter().map(|source| source.name().trim_start_matches(&prefix).to_owned()).collect()
        };
        assert_eq!(names(false), ["/a.json", "/b.yaml"]);
        assert_eq!(names(true), ["/a.json", "/b.yaml", "/more/c.yml"]);
    }

    #[test]
    fn standard_input_is_read_once() {
        let twice = ["-".into(), "-".into()];
        assert!(matches!(sources(&twice, false), Err(Failure::StandardInputTwice)));
    }
}
