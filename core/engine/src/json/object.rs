//! Objects from JSON by a table of their fields.

use serde_json::Value;
use smol_str::SmolStr as Text;

use super::{Cursor, JsonError, Result};

/// A value that takes in what stands at a cursor.
pub trait Read {
    /// Reads the value at the cursor, which is not `null`.
    fn read(&mut self, cursor: &mut Cursor<'_>) -> Result<()>;

    /// Takes away the last of a list, which was just read, where it is none to keep.
    fn tidy(_list: &mut Vec<Self>)
    where
        Self: Sized,
    {
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
    /// Adds an element of which nothing was read yet.
    fn add(&mut self) -> &mut dyn Read;

    /// Looks at the last element, which was just read.
    fn tidy(&mut self);
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
                fn tidy(list: &mut Vec<Self>) {
                    let is_kept: fn(&Self) -> bool = $is_kept;
                    list.pop_if(|last| !is_kept(last));
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
    #[inline(never)]
    pub fn object(&mut self, object: &mut dyn Fields) -> Result<()> {
        let names = object.names();
        let mut read: u64 = 0;
        self.members(&mut |key, cursor| {
            let index = names.iter().position(|name| *name == key);
            let Some((index, field)) = index.and_then(|index| Some((index, object.field(index)?))) else {
                return cursor.skip();
            };
            if read >> index & 1 == 1 {
                return Err(JsonError::Unfit);
            }
            read |= 1 << index;
            cursor.read(field)
        })
    }

    /// Reads a list, element by element; each may be `null`.
    #[inline(never)]
    pub fn list(&mut self, list: &mut dyn List) -> Result<()> {
        self.elements(&mut |cursor| {
            cursor.read(list.add())?;
            list.tidy();
            Ok(())
        })
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
        self.get_or_insert_default().read(cursor)
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
    fn add(&mut self) -> &mut dyn Read {
        self.push_mut(T::default())
    }

    fn tidy(&mut self) {
        T::tidy(self);
    }
}
