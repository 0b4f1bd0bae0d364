//! Values as bytes between page and worker. Both are the same build: nothing is named or versioned, fields stand in
//! their order, an enum starts with a tag, and numbers take as few bytes as they need.
//!
//! JSON through serde cost the page 27 kB more of compressed WASM, for names and errors that nobody reads.

/// A value that crosses as bytes.
pub trait Pack: Sized {
    fn pack(&self, into: &mut Vec<u8>);

    /// Takes a value off the front. Where the bytes are no such value it is some other, and the reader knows: nothing has
    /// to be asked after each field.
    fn unpack(from: &mut Reader<'_>) -> Self;
}

/// Bytes that values are taken off.
pub struct Reader<'a> {
    bytes: &'a [u8],
    is_wrong: bool,
}

impl<'a> Reader<'a> {
    /// The next so many bytes; none, from now on, where there are fewer.
    fn take(&mut self, length: u64) -> &'a [u8] {
        let taken = usize::try_from(length).ok().and_then(|length| self.bytes.split_at_checked(length));
        let Some((taken, rest)) = taken else {
            self.refuse();
            return &[];
        };
        self.bytes = rest;
        taken
    }

    /// The bytes are not what they should be: all that is read from now on is zero or empty.
    pub fn refuse(&mut self) {
        *self = Self { bytes: &[], is_wrong: true };
    }
}

/// Packs a struct field by field.
macro_rules! pack_struct {
    ($name:ident { $($field:ident),+ $(,)? }) => {
        impl $crate::pack::Pack for $name {
            fn pack(&self, into: &mut Vec<u8>) {
                let Self { $($field),+ } = self;
                $($crate::pack::Pack::pack($field, into);)+
            }

            fn unpack(from: &mut $crate::pack::Reader<'_>) -> Self {
                Self { $($field: $crate::pack::Pack::unpack(from)),+ }
            }
        }
    };
}

/// Packs an enum as the tag of its variant and then the values of that. One of the tags is 0.
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

            fn unpack(from: &mut $crate::pack::Reader<'_>) -> Self {
                match <u8 as $crate::pack::Pack>::unpack(from) {
                    $($tag => Self::$variant
                        $(($({ let $value = $crate::pack::Pack::unpack(from); $value }),+))?
                        $({ $($field: $crate::pack::Pack::unpack(from)),+ })?,)+
                    _ => {
                        from.refuse();
                        Self::unpack(from)
                    }
                }
            }
        }
    };
}

pub(crate) use {pack_enum, pack_struct};

impl Pack for u8 {
    fn pack(&self, into: &mut Vec<u8>) {
        into.push(*self);
    }

    fn unpack(from: &mut Reader<'_>) -> Self {
        from.take(1).first().copied().unwrap_or_default()
    }
}

impl Pack for bool {
    fn pack(&self, into: &mut Vec<u8>) {
        into.push((*self).into());
    }

    fn unpack(from: &mut Reader<'_>) -> Self {
        u8::unpack(from) != 0
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
    fn unpack(from: &mut Reader<'_>) -> Self {
        let mut number = 0;
        for shift in (0..Self::BITS).step_by(7) {
            let byte = u8::unpack(from);
            number |= Self::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return number;
            }
        }
        from.refuse();
        0
    }
}

impl Pack for u32 {
    fn pack(&self, into: &mut Vec<u8>) {
        u64::from(*self).pack(into);
    }

    #[inline(never)]
    fn unpack(from: &mut Reader<'_>) -> Self {
        u64::unpack(from).try_into().unwrap_or_else(|_| {
            from.refuse();
            0
        })
    }
}

impl Pack for String {
    #[inline(never)]
    fn pack(&self, into: &mut Vec<u8>) {
        (self.len() as u64).pack(into);
        into.extend_from_slice(self.as_bytes());
    }

    #[inline(never)]
    fn unpack(from: &mut Reader<'_>) -> Self {
        let length = u64::unpack(from);
        let text = std::str::from_utf8(from.take(length)).unwrap_or_else(|_| {
            from.refuse();
            ""
        });
        text.to_owned()
    }
}

impl<T: Pack> Pack for Option<T> {
    fn pack(&self, into: &mut Vec<u8>) {
        self.is_some().pack(into);
        if let Some(value) = self {
            value.pack(into);
        }
    }

    fn unpack(from: &mut Reader<'_>) -> Self {
        bool::unpack(from).then(|| T::unpack(from))
    }
}

impl<T: Pack> Pack for Box<T> {
    fn pack(&self, into: &mut Vec<u8>) {
        (**self).pack(into);
    }

    fn unpack(from: &mut Reader<'_>) -> Self {
        Self::new(T::unpack(from))
    }
}

impl<T: Pack> Pack for Vec<T> {
    fn pack(&self, into: &mut Vec<u8>) {
        (self.len() as u64).pack(into);
        for value in self {
            value.pack(into);
        }
    }

    fn unpack(from: &mut Reader<'_>) -> Self {
        let length = u64::unpack(from);
        // No room is made ahead, whatever the length says.
        let mut values = Self::new();
        for _ in 0..length {
            if from.is_wrong {
                break;
            }
            values.push(T::unpack(from));
        }
        values
    }
}

impl<T: Pack, const N: usize> Pack for [T; N] {
    fn pack(&self, into: &mut Vec<u8>) {
        for value in self {
            value.pack(into);
        }
    }

    fn unpack(from: &mut Reader<'_>) -> Self {
        std::array::from_fn(|_| T::unpack(from))
    }
}

/// A value as bytes.
pub fn packed(value: &impl Pack) -> Vec<u8> {
    let mut bytes = Vec::new();
    value.pack(&mut bytes);
    bytes
}

/// The value that the bytes are, from the first to the last.
pub fn unpacked<T: Pack>(bytes: &[u8]) -> Option<T> {
    let (value, rest) = front(bytes)?;
    rest.is_empty().then_some(value)
}

/// The value that the bytes start with, and what follows it.
pub fn front<T: Pack>(bytes: &[u8]) -> Option<(T, &[u8])> {
    let mut from = Reader { bytes, is_wrong: false };
    let value = T::unpack(&mut from);
    (!from.is_wrong).then_some((value, from.bytes))
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
