//! The way to a field of an object.

use std::fmt;

use crate::api::Text;

/// The way to a field, written as the API server writes it: `spec.template.spec.containers[0].image`,
/// `metadata.labels[a/b]`.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Path(pub Vec<PathStep>);

/// One step of a [`Path`].
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PathStep {
    /// A field of an object.
    Field(Text),
    /// An element of a list.
    Index(u32),
    /// A key of a map that users fill, such as labels.
    Key(Text),
}

impl Path {
    /// The path of a field inside others, written with points between their names.
    pub fn of(names: &str) -> Self {
        Self::default().fields(names)
    }

    /// The path with one more field.
    #[must_use]
    pub fn field(self, name: &str) -> Self {
        self.with(PathStep::Field(Text::new(name)))
    }

    /// The path with more fields, written with points between their names.
    #[must_use]
    pub fn fields(self, names: &str) -> Self {
        names.split('.').fold(self, Self::field)
    }

    /// The path of one element.
    #[must_use]
    pub fn index(self, index: u32) -> Self {
        self.with(PathStep::Index(index))
    }

    /// The path of one key of a map.
    #[must_use]
    pub fn key(self, key: &str) -> Self {
        self.with(PathStep::Key(Text::new(key)))
    }

    fn with(mut self, step: PathStep) -> Self {
        self.0.push(step);
        self
    }
}

impl fmt::Display for Path {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, step) in self.0.iter().enumerate() {
            match step {
                PathStep::Field(name) if position == 0 => formatter.write_str(name)?,
                PathStep::Field(name) => write!(formatter, ".{name}")?,
                PathStep::Index(index) => write!(formatter, "[{index}]")?,
                PathStep::Key(key) => write!(formatter, "[{key}]")?,
            }
        }
        Ok(())
    }
}

impl serde::Serialize for Path {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_reads_as_the_api_server_writes_it() {
        let path = Path::of("spec.containers").index(2).field("labels").key("a/b");
        assert_eq!(path.to_string(), "spec.containers[2].labels[a/b]");
    }
}
