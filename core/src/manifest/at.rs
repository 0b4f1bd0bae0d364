use super::{Path, PathStep};
use crate::api::Text;

/// A place on the way down a document, kept on the stack: a [`Path`] is made only when there is something to report.
#[derive(Clone, Copy, Debug)]
pub(super) struct At<'a> {
    parent: Option<&'a At<'a>>,
    step: Step<'a>,
}

#[derive(Clone, Copy, Debug)]
enum Step<'a> {
    Root,
    Field(&'a str),
    Index(usize),
    Key(&'a str),
}

impl<'a> At<'a> {
    /// The document as a whole.
    pub const ROOT: At<'static> = At { parent: None, step: Step::Root };

    /// A field of the object here.
    #[inline(never)]
    pub fn field<'b>(&'b self, name: &'b str) -> At<'b>
    where
        'a: 'b,
    {
        At { parent: Some(self), step: Step::Field(name) }
    }

    /// An element of the list here.
    #[inline(never)]
    pub fn index<'b>(&'b self, index: usize) -> At<'b>
    where
        'a: 'b,
    {
        At { parent: Some(self), step: Step::Index(index) }
    }

    /// An entry of the map here.
    #[inline(never)]
    pub fn key<'b>(&'b self, key: &'b str) -> At<'b>
    where
        'a: 'b,
    {
        At { parent: Some(self), step: Step::Key(key) }
    }

    /// The same place as a value of its own.
    pub fn path(&self) -> Path {
        let mut steps = Vec::new();
        let mut here = Some(self);
        while let Some(at) = here {
            match at.step {
                Step::Root => {}
                Step::Field(name) => steps.push(PathStep::Field(Text::new(name))),
                Step::Index(index) => steps.push(PathStep::Index(u32::try_from(index).unwrap_or(u32::MAX))),
                Step::Key(key) => steps.push(PathStep::Key(Text::new(key))),
            }
            here = at.parent;
        }
        steps.reverse();
        Path(steps)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_on_the_stack_reads_as_the_path_to_it() {
        let (spec, labels) = (At::ROOT.field("spec"), At::ROOT.field("labels"));
        let containers = spec.field("containers");
        assert_eq!(containers.index(2).field("image").path().to_string(), "spec.containers[2].image");
        assert_eq!(labels.key("a/b").path().to_string(), "labels[a/b]");
    }
}
