//! Values as bytes between page and worker. Both are the same build: nothing is named or versioned, fields stand in
//! their order, an enum starts with a tag, and numbers take as few bytes as they need.
//!
//! JSON through serde cost the page 27 kB more of compressed WASM, for names and errors that nobody reads.

/// A value that crosses as bytes.
pub trait Pack: Sized {
    fn pack(&self, into: &mut Vec<u8>);

    /// Takes a value off the front; `None` when the bytes are no such value.
    fn unpack(from: &mut &[u8]) -> Option<Self>;
}

/// Packs a struct field by field.
macro_rules! pack_struct {
    ($name:ident { $($field:ident),+ $(,)? }) => {
        impl $crate::pack::Pack for $name {
            fn pack(&self, into: &mut Vec<u8>) {
                let Self { $($field),+ } = self;
                $($crate::pack::Pack::pack($field, into);)+
            }

            fn unpack(from: &mut &[u8]) -> Option<Self> {
                Some(Self { $($field: $crate::pack::Pack::unpack(from)?),+ })
            }
        }
    };
}

/// Packs an enum as the tag of its variant and then the values of that.
macro_rules! pack_enum {
    ($name:ident { $($tag:literal => $variant:ident $(($($value:ident),+))? $({ $($field:ident),+ })?),+ $(,)? }) => {
        impl $crate::pack::Pack for $name {
            fn pack(&self, into: &mut Vec<u8>) {
                match self {
                    $(Self::$variant $(($($value),+))? $({ $($field),+ })? => {
                        into.push($tag);
                        $($($crate::pack::Pack::pack($value, into);)+)?
                        $($($crate::pack::Pack::pack($field, into);)+)?
                    })+
                }
            }

            fn unpack(from: &mut &[u8]) -> Option<Self> {
                Some(match <u8 as $crate::pack::Pack>::unpack(from)? {
                    $($tag => Self::$variant
                        $(($({ let $value = $crate::pack::Pack::unpack(from)?; $value }),+))?
                        $({ $($field: $crate::pack::Pack::unpack(from)?),+ })?,)+
                    _ => return None,
                })
            }
        }
    };
}

pub(crate) use {pack_enum, pack_struct};

impl Pack for u8 {
    fn pack(&self, into: &mut Vec<u8>) {
        into.push(*self);
    }

    fn unpack(from: &mut &[u8]) -> Option<Self> {
        let (first, rest) = from.split_first()?;
        *from = rest;
        Some(*first)
    }
}

impl Pack for bool {
    fn pack(&self, into: &mut Vec<u8>) {
        into.push((*self).into());
    }

    fn unpack(from: &mut &[u8]) -> Option<Self> {
        Some(u8::unpack(from)? != 0)
    }
}

impl Pack for u64 {
    /// Seven bits a byte, the lowest first; the eighth says that more follow.
    // Not at each of the many places where a value is packed.
    #[inline(never)]
    fn pack(&self, into: &mut Vec<u8>) {
        let mut rest = *self;
        while rest >= 0x80 {
            into.push(rest.to_le_bytes()[0] | 0x80);
            rest >>= 7;
        }
        into.push(rest.to_le_bytes()[0]);
    }

    #[inline(never)]
    fn unpack(from: &mut &[u8]) -> Option<Self> {
        let mut number = 0;
        for shift in (0..Self::BITS).step_by(7) {
            let byte = u8::unpack(from)?;
            number |= Self::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }
}

impl Pack for u32 {
    fn pack(&self, into: &mut Vec<u8>) {
        u64::from(*self).pack(into);
    }

    fn unpack(from: &mut &[u8]) -> Option<Self> {
        u64::unpack(from)?.try_into().ok()
    }
}

impl Pack for String {
    #[inline(never)]
    fn pack(&self, into: &mut Vec<u8>) {
        (self.len() as u64).pack(into);
        into.extend_from_slice(self.as_bytes());
    }

    #[inline(never)]
    fn unpack(from: &mut &[u8]) -> Option<Self> {
        let length = u64::unpack(from)?.try_into().ok()?;
        let (text, rest) = from.split_at_checked(length)?;
        *from = rest;
        std::str::from_utf8(text).ok().map(Self::from)
    }
}

impl<T: Pack> Pack for Option<T> {
    fn pack(&self, into: &mut Vec<u8>) {
        self.is_some().pack(into);
        if let Some(value) = self {
            value.pack(into);
        }
    }

    fn unpack(from: &mut &[u8]) -> Option<Self> {
        if bool::unpack(from)? { T::unpack(from).map(Some) } else { Some(None) }
    }
}

impl<T: Pack> Pack for Box<T> {
    fn pack(&self, into: &mut Vec<u8>) {
        (**self).pack(into);
    }

    fn unpack(from: &mut &[u8]) -> Option<Self> {
        T::unpack(from).map(Self::new)
    }
}

impl<T: Pack> Pack for Vec<T> {
    fn pack(&self, into: &mut Vec<u8>) {
        (self.len() as u64).pack(into);
        for value in self {
            value.pack(into);
        }
    }

    fn unpack(from: &mut &[u8]) -> Option<Self> {
        let length = u64::unpack(from)?;
        // No more room than the bytes can fill is made ahead, whatever the length says.
        let mut values = Self::with_capacity(from.len().min(length.try_into().ok()?));
        for _ in 0..length {
            values.push(T::unpack(from)?);
        }
        Some(values)
    }
}

impl<T: Pack, const N: usize> Pack for [T; N] {
    fn pack(&self, into: &mut Vec<u8>) {
        for value in self {
            value.pack(into);
        }
    }

    fn unpack(from: &mut &[u8]) -> Option<Self> {
        let mut values = Vec::with_capacity(N);
        for _ in 0..N {
            values.push(T::unpack(from)?);
        }
        values.try_into().ok()
    }
}

/// A value as bytes.
pub fn packed(value: &impl Pack) -> Vec<u8> {
    let mut bytes = Vec::new();
    value.pack(&mut bytes);
    bytes
}

/// The value that the bytes are, from the first to the last.
pub fn unpacked<T: Pack>(mut bytes: &[u8]) -> Option<T> {
    let value = T::unpack(&mut bytes)?;
    bytes.is_empty().then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Debug, PartialEq, Eq)]
    enum Fruit {
        None,
        Apple(String, Option<u32>),
        Pears { each: Vec<u64>, three: [u8; 3] },
    }
    pack_enum!(Fruit { 0 => None, 1 => Apple(name, weight), 2 => Pears { each, three } });

    fn fruits() -> Vec<Fruit> {
        vec![
            Fruit::None,
            Fruit::Apple("苹果".into(), Some(u32::MAX)),
            Fruit::Apple(String::new(), None),
            Fruit::Pears { each: vec![0, 127, 128, u64::MAX], three: [1, 2, 3] },
        ]
    }

    #[test]
    fn what_is_packed_comes_back() {
        assert_eq!(unpacked::<Vec<Fruit>>(&packed(&fruits())), Some(fruits()));
    }

    #[test]
    fn small_numbers_take_a_byte() {
        assert_eq!(packed(&127_u64), [127]);
        assert_eq!(packed(&300_u64), [0xac, 2]);
    }

    #[test]
    fn bytes_that_are_cut_short_or_go_on_are_none() {
        let bytes = packed(&fruits());
        for length in 0..bytes.len() {
            assert_eq!(unpacked::<Vec<Fruit>>(&bytes[..length]), None);
        }
        assert_eq!(unpacked::<Vec<Fruit>>(&[bytes, vec![0]].concat()), None);
    }

    #[test]
    fn a_length_that_nothing_follows_takes_no_memory() {
        assert_eq!(unpacked::<Vec<u64>>(&packed(&u64::MAX)), None);
        assert_eq!(unpacked::<String>(&packed(&u64::MAX)), None);
    }

    #[test]
    fn unknown_tags_and_texts_that_are_none_are_refused() {
        assert_eq!(unpacked::<Fruit>(&[9]), None);
        assert_eq!(unpacked::<String>(&[1, 0xff]), None);
        assert_eq!(unpacked::<u32>(&packed(&(1_u64 << 40))), None);
    }
}
