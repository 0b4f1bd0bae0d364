//! Objects from JSON by a table of their fields.

use serde_json::Value;
use smol_str::SmolStr as Text;

use super::{Cursor, JsonError, Result};

/// A value that takes in what stands at a cursor.
pub trait Read {
    /// Reads the value at the cursor, which is not `null`.
    fn read(&mut self, cursor: &mut Cursor<'_>) -> Result<()>;

    /// Whether a list keeps this one after it was read.
    fn is_kept(&self) -> bool {
        true
    }
}

/// An object whose fields are known by name; others are skipped. [`fields!`] implements it.
pub trait Fields {
    /// The names of the fields; at most 64.
    fn names(&self) -> &'static [&'static str];

    /// The field whose name has this index.
    fn field(&mut self, index: usize) -> Option<&mut dyn Read>;
}

/// A list that takes in one element after the other.
pub trait List {
    /// Reads an element, which may be `null`.
    fn element(&mut self, cursor: &mut Cursor<'_>) -> Result<()>;
}

/// Names the fields of types as JSON has them, and reads the types from it.
macro_rules! fields {
    ($($type:ident $([kept if $is_kept:expr])? { $($field:ident: $name:literal),+ $(,)? })+) => {$(
        impl $crate::json::Fields for $type {
            fn names(&self) -> &'static [&'static str] {
                &[$($name),+]
            }

            fn field(&mut self, index: usize) -> Option<&mut dyn $crate::json::Read> {
                let more = index;
                $(
                    let more = match more {
                        0 => return Some(&mut self.$field),
                        _ => more - 1,
                    };
                )+
                let _ = more;
                None
            }
        }

        impl $crate::json::Read for $type {
            fn read(&mut self, cursor: &mut $crate::json::Cursor<'_>) -> Result<(), $crate::json::JsonError> {
                cursor.object(self)
            }
            $(
                fn is_kept(&self) -> bool {
                    let is_kept: fn(&Self) -> bool = $is_kept;
                    is_kept(self)
                }
            )?
        }

        $crate::json::deserialize!($type);
    )+};
}
pub(crate) use fields;

/// Lets other readers than ours read a type, by way of JSON.
macro_rules! deserialize {
    ($($type:ident),+) => {$(
        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let mut read = Self::default();
                let json = serde_json::Value::deserialize(deserializer)?;
                match $crate::json::read_json(&json, &mut read) {
                    Ok(()) => Ok(read),
                    Err((text, at)) => Err(serde::de::Error::custom(format_args!(
                        "not a {}, from byte {at}: {text}",
                        stringify!($type)
                    ))),
                }
            }
        }
    )+};
}
pub(crate) use deserialize;

impl Cursor<'_> {
    /// Reads an object. A field that is given twice does not fit: which one counts is for a person to say.
    pub fn object(&mut self, object: &mut dyn Fields) -> Result<()> {
        let names = object.names();
        let mut read: u64 = 0;
        let mut first = true;
        self.enter(b'{')?;
        while self.next_member(std::mem::take(&mut first), b'}')? {
            let key = self.key()?;
            let index = names.iter().position(|name| *name == key);
            match index.and_then(|index| Some((index, object.field(index)?))) {
                Some((index, field)) => {
                    if read >> index & 1 == 1 {
                        return Err(JsonError::Unfit);
                    }
                    read |= 1 << index;
                    self.read(field)?;
                }
                None => self.skip()?,
            }
        }
        self.leave();
        Ok(())
    }

    /// Reads a list, element by element.
    pub fn list(&mut self, list: &mut dyn List) -> Result<()> {
        let mut first = true;
        self.enter(b'[')?;
        while self.next_member(std::mem::take(&mut first), b']')? {
            list.element(self)?;
        }
        self.leave();
        Ok(())
    }

    /// Reads an object whose keys its author chose: `member` reads the value of each.
    pub fn map(&mut self, member: &mut dyn FnMut(Text, &mut Self) -> Result<()>) -> Result<()> {
        let mut first = true;
        self.enter(b'{')?;
        while self.next_member(std::mem::take(&mut first), b'}')? {
            let key = Text::new(self.key()?);
            member(key, self)?;
        }
        self.leave();
        Ok(())
    }
}

impl Read for Text {
    fn read(&mut self, cursor: &mut Cursor<'_>) -> Result<()> {
        *self = Self::new(cursor.text()?);
        Ok(())
    }
}

impl Read for bool {
    fn read(&mut self, cursor: &mut Cursor<'_>) -> Result<()> {
        *self = cursor.boolean()?;
        Ok(())
    }
}

impl Read for i32 {
    fn read(&mut self, cursor: &mut Cursor<'_>) -> Result<()> {
        *self = Self::try_from(cursor.integer()?).map_err(|_| JsonError::Unfit)?;
        Ok(())
    }
}

impl Read for i64 {
    fn read(&mut self, cursor: &mut Cursor<'_>) -> Result<()> {
        *self = cursor.integer()?;
        Ok(())
    }
}

impl Read for Value {
    fn read(&mut self, cursor: &mut Cursor<'_>) -> Result<()> {
        *self = cursor.value()?;
        Ok(())
    }
}

impl<T: Read + Default> Read for Option<T> {
    fn read(&mut self, cursor: &mut Cursor<'_>) -> Result<()> {
        self.insert(T::default()).read(cursor)
    }
}

impl<T: Read + Default> Read for Vec<T> {
    fn read(&mut self, cursor: &mut Cursor<'_>) -> Result<()> {
        cursor.list(self)
    }
}

impl<T> Read for Box<[T]>
where
    Vec<T>: Read,
{
    fn read(&mut self, cursor: &mut Cursor<'_>) -> Result<()> {
        let mut list = Vec::new();
        list.read(cursor)?;
        *self = list.into();
        Ok(())
    }
}

impl<T: Read + Default> List for Vec<T> {
    fn element(&mut self, cursor: &mut Cursor<'_>) -> Result<()> {
        let mut element = T::default();
        cursor.read(&mut element)?;
        if element.is_kept() {
            self.push(element);
        }
        Ok(())
    }
}
