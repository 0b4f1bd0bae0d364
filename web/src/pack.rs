//! Values as bytes between page and worker. Both are the same build: nothing is named or versioned, fields stand in
//! their order, an enum starts with a tag, and numbers take as few bytes as they need.
//!
//! JSON through serde cost the page 27 kB more of compressed WASM, for names and errors that nobody reads. One function a
//! type goes both ways: what is unpacked is filled in where it stands, and whether the bytes were right is asked at the end.

/// A value that crosses as bytes.
pub trait Pack: Default {
    /// Puts the value into a parcel that is being packed; fills it in from one that is being unpacked.
    // INVARIANT: what is filled in is as `default` made it.
    fn cross(&mut self, parcel: &mut Parcel<'_>);

    /// The same for many, and how many they are.
    fn cross_all(values: &mut Vec<Self>, parcel: &mut Parcel<'_>) {
        for at in 0..parcel.length(values.len()) {
            if at == values.len() {
                values.push(Self::default());
            }
            if let Some(value) = values.get_mut(at) {
                value.cross(parcel);
            }
        }
    }
}

/// Values on their way.
#[derive(Debug)]
pub enum Parcel<'a> {
    /// What was put in so far.
    Packing(Vec<u8>),
    /// What was not taken out yet.
    Unpacking(&'a [u8]),
    /// The bytes are no such values; all that is taken out is zeros.
    Broken,
}

impl<'a> Parcel<'a> {
    /// Whether values are filled in.
    pub fn is_unpacked(&self) -> bool {
        !matches!(self, Self::Packing(_))
    }

    /// The bytes are no such values.
    pub fn refuse(&mut self) {
        if self.is_unpacked() {
            *self = Self::Broken;
        }
    }

    /// Puts bytes in.
    fn put(&mut self, bytes: &[u8]) {
        if let Self::Packing(into) = self {
            into.extend_from_slice(bytes);
        }
    }

    /// Takes bytes out; none where there are not so many, or while packing.
    fn take(&mut self, length: usize) -> &'a [u8] {
        let Self::Unpacking(from) = self else { return &[] };
        if let Some((taken, rest)) = from.split_at_checked(length) {
            *from = rest;
            return taken;
        }
        *self = Self::Broken;
        &[]
    }

    /// The byte that goes in, or came out.
    pub fn byte(&mut self, byte: u8) -> u8 {
        self.put(&[byte]);
        if self.is_unpacked() { self.take(1).first().copied().unwrap_or_default() } else { byte }
    }

    /// The number that goes in, or came out. Seven bits a byte, the lowest first; the eighth says that more follow.
    fn number(&mut self, number: u64) -> u64 {
        let (mut rest, mut whole) = (number, 0);
        for shift in (0..u64::BITS).step_by(7) {
            let more = if rest >= 0x80 { 0x80 } else { 0 };
            let byte = self.byte(rest.to_le_bytes()[0] & 0x7f | more);
            rest >>= 7;
            whole |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return whole;
            }
        }
        self.refuse();
        0
    }

    /// How many bytes or values go in, or follow: none where they cannot, since each takes a byte at least.
    fn length(&mut self, length: usize) -> usize {
        let length = usize::try_from(self.number(length as u64)).unwrap_or(usize::MAX);
        match self {
            Self::Packing(_) => length,
            Self::Unpacking(from) if length <= from.len() => length,
            _ => {
                self.refuse();
                0
            }
        }
    }
}

/// Packs a struct field by field.
macro_rules! pack_struct {
    ($name:ident { $($field:ident),+ $(,)? }) => {
        impl $crate::pack::Pack for $name {
            fn cross(&mut self, parcel: &mut $crate::pack::Parcel<'_>) {
                let Self { $($field),+ } = self;
                $($crate::pack::Pack::cross($field, parcel);)+
            }
        }
    };
}

/// Packs an enum as the tag of its variant and then the values of that.
macro_rules! pack_enum {
    ($name:ident { $($tag:literal => $variant:ident $(($($value:ident),+))? $({ $($field:ident),+ })?),+ $(,)? }) => {
        impl $crate::pack::Pack for $name {
            fn cross(&mut self, parcel: &mut $crate::pack::Parcel<'_>) {
                let tag = parcel.byte(match self {
                    $(Self::$variant { .. } => $tag,)+
                });
                if parcel.is_unpacked() {
                    *self = match tag {
                        $($tag => Self::$variant
                            $(($({ let $value = Default::default(); $value }),+))?
                            $({ $($field: Default::default()),+ })?,)+
                        _ => return parcel.refuse(),
                    };
                }
                match self {
                    $(Self::$variant $(($($value),+))? $({ $($field),+ })? => {
                        $($($crate::pack::Pack::cross($value, parcel);)+)?
                        $($($crate::pack::Pack::cross($field, parcel);)+)?
                    })+
                }
            }
        }
    };
}

pub(crate) use {pack_enum, pack_struct};

// None of these at each of the many places where a value crosses.

impl Pack for u8 {
    #[inline(never)]
    fn cross(&mut self, parcel: &mut Parcel<'_>) {
        *self = parcel.byte(*self);
    }

    fn cross_all(bytes: &mut Vec<Self>, parcel: &mut Parcel<'_>) {
        let length = parcel.length(bytes.len());
        parcel.put(bytes);
        bytes.extend_from_slice(parcel.take(length));
    }
}

impl Pack for bool {
    #[inline(never)]
    fn cross(&mut self, parcel: &mut Parcel<'_>) {
        *self = parcel.byte((*self).into()) != 0;
    }
}

impl Pack for u64 {
    #[inline(never)]
    fn cross(&mut self, parcel: &mut Parcel<'_>) {
        *self = parcel.number(*self);
    }
}

impl Pack for u32 {
    #[inline(never)]
    fn cross(&mut self, parcel: &mut Parcel<'_>) {
        match parcel.number((*self).into()).try_into() {
            Ok(number) => *self = number,
            Err(_) => parcel.refuse(),
        }
    }
}

impl Pack for String {
    #[inline(never)]
    fn cross(&mut self, parcel: &mut Parcel<'_>) {
        let length = parcel.length(self.len());
        parcel.put(self.as_bytes());
        match std::str::from_utf8(parcel.take(length)) {
            Ok(taken) => self.push_str(taken),
            Err(_) => parcel.refuse(),
        }
    }
}

impl<T: Pack> Pack for Option<T> {
    fn cross(&mut self, parcel: &mut Parcel<'_>) {
        let mut is_some = self.is_some();
        is_some.cross(parcel);
        if is_some {
            self.get_or_insert_default().cross(parcel);
        }
    }
}

impl<T: Pack> Pack for Box<T> {
    fn cross(&mut self, parcel: &mut Parcel<'_>) {
        (**self).cross(parcel);
    }
}

impl<T: Pack> Pack for Vec<T> {
    #[inline(never)]
    fn cross(&mut self, parcel: &mut Parcel<'_>) {
        T::cross_all(self, parcel);
    }
}

impl<T: Pack, const N: usize> Pack for [T; N]
where
    Self: Default,
{
    fn cross(&mut self, parcel: &mut Parcel<'_>) {
        for value in self {
            value.cross(parcel);
        }
    }
}

/// A value as bytes. It stays what it was.
pub fn packed(value: &mut impl Pack) -> Vec<u8> {
    let mut parcel = Parcel::Packing(Vec::new());
    value.cross(&mut parcel);
    match parcel {
        Parcel::Packing(bytes) => bytes,
        _ => Vec::new(),
    }
}

/// The value that the bytes start with, and what follows; `None` when they are no such value.
pub fn unpacked_first<T: Pack>(bytes: &[u8]) -> Option<(T, &[u8])> {
    let mut parcel = Parcel::Unpacking(bytes);
    let mut value = T::default();
    value.cross(&mut parcel);
    match parcel {
        Parcel::Unpacking(rest) => Some((value, rest)),
        _ => None,
    }
}

/// The value that the bytes are, from the first to the last.
pub fn unpacked<T: Pack>(bytes: &[u8]) -> Option<T> {
    let (value, rest) = unpacked_first(bytes)?;
    rest.is_empty().then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Debug, Default, PartialEq, Eq)]
    enum Fruit {
        #[default]
        None,
        Apple(String, Option<u32>),
        Pears {
            each: Vec<u64>,
            three: [u8; 3],
        },
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
        assert_eq!(unpacked::<Vec<Fruit>>(&packed(&mut fruits())), Some(fruits()));
    }

    #[test]
    fn small_numbers_take_a_byte() {
        assert_eq!(packed(&mut 127_u64), [127]);
        assert_eq!(packed(&mut 300_u64), [0xac, 2]);
    }

    #[test]
    fn bytes_that_are_cut_short_or_go_on_are_none() {
        let bytes = packed(&mut fruits());
        for length in 0..bytes.len() {
            assert_eq!(unpacked::<Vec<Fruit>>(&bytes[..length]), None);
        }
        assert_eq!(unpacked::<Vec<Fruit>>(&[bytes, vec![0]].concat()), None);
    }

    #[test]
    fn a_length_that_nothing_follows_takes_no_memory() {
        assert_eq!(unpacked::<Vec<u64>>(&packed(&mut { u64::MAX })), None);
        assert_eq!(unpacked::<String>(&packed(&mut { u64::MAX })), None);
    }

    #[test]
    fn unknown_tags_and_texts_that_are_none_are_refused() {
        assert_eq!(unpacked::<Fruit>(&[9]), None);
        assert_eq!(unpacked::<String>(&[1, 0xff]), None);
        assert_eq!(unpacked::<u32>(&packed(&mut (1_u64 << 40))), None);
    }
}
