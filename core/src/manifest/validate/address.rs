use crate::manifest::letters::is_digits;

/// The usual way to write an address, when it is one: without leading zeros, and not an IPv4 address inside an IPv6
/// one (`IsValidIPForLegacyField`, strict since Kubernetes 1.36).
///
/// The standard library reads and writes the same, at more than twice the cost to the page.
pub(super) fn canonical_address(text: &str) -> Option<String> {
    if ipv4_of(text).is_some() {
        // There is only one way to write these.
        return Some(text.to_owned());
    }
    let segments = ipv6_of(text)?;
    (!matches!(segments, [0, 0, 0, 0, 0, 0xffff, ..])).then(|| canonical_ipv6(segments))
}

/// Four numbers of a byte, without leading zeros.
fn ipv4_of(text: &str) -> Option<u32> {
    let (mut address, mut count) = (0u32, 0);
    for number in text.split('.') {
        if !is_digits(number) || number.len() > 1 && number.starts_with('0') {
            return None;
        }
        address = address << 8 | u32::from(number.parse::<u8>().ok()?);
        count += 1;
    }
    (count == 4).then_some(address)
}

/// Eight groups of up to four hexadecimal digits, the last two perhaps written as an IPv4 address; `::` stands once for
/// one group of zeros or more.
fn ipv6_of(text: &str) -> Option<[u16; 8]> {
    let (head, tail) = text.split_once("::").map_or((text, None), |(head, tail)| (head, Some(tail)));
    let mut groups = Vec::new();
    read_groups(head, tail.is_none(), &mut groups)?;
    if let Some(tail) = tail {
        let before = groups.len();
        read_groups(tail, true, &mut groups)?;
        let written = groups.len();
        if written >= 8 {
            return None;
        }
        groups.resize(8, 0);
        groups.get_mut(before..)?.rotate_right(8 - written);
    }
    groups.try_into().ok()
}

fn read_groups(text: &str, may_end_in_ipv4: bool, groups: &mut Vec<u16>) -> Option<()> {
    let mut rest = Some(text).filter(|text| !text.is_empty());
    while let Some(text) = rest {
        let group;
        (group, rest) = text.split_once(':').map_or((text, None), |(group, rest)| (group, Some(rest)));
        if may_end_in_ipv4 && rest.is_none() && group.contains('.') {
            let [a, b, c, d] = ipv4_of(group)?.to_be_bytes();
            groups.extend([u16::from_be_bytes([a, b]), u16::from_be_bytes([c, d])]);
        } else if (1..=4).contains(&group.len()) && !group.starts_with('+') {
            groups.push(u16::from_str_radix(group, 16).ok()?);
        } else {
            return None;
        }
    }
    Some(())
}

/// In lower case, and `::` for the first of the longest runs of two zeros or more (RFC 5952, section 4).
fn canonical_ipv6(segments: [u16; 8]) -> String {
    let zeros_from = |start: usize| segments.iter().skip(start).take_while(|segment| **segment == 0).count();
    let (mut gap, mut length) = (segments.len(), 1);
    for start in 0..segments.len() {
        if zeros_from(start) > length {
            (gap, length) = (start, zeros_from(start));
        }
    }
    let mut text = String::new();
    for (place, segment) in segments.into_iter().enumerate() {
        if place == gap {
            text.push_str("::");
        } else if !(gap..gap + length).contains(&place) {
            if !text.is_empty() && !text.ends_with(':') {
                text.push(':');
            }
            for shift in [12, 8, 4, 0] {
                let digits = segment >> shift;
                if digits > 0 || shift == 0 {
                    text.extend(char::from_digit(u32::from(digits & 15), 16));
                }
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv6Addr};

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn addresses_are_written_the_usual_way() {
        for (segments, written) in [
            ([0; 8], "::"),
            ([0, 0, 0, 0, 0, 0, 0, 1], "::1"),
            ([0x2001, 0xdb8, 0, 0, 1, 0, 0, 0], "2001:db8:0:0:1::"),
            ([0x2001, 0xdb8, 0, 1, 1, 0, 1, 0x10], "2001:db8:0:1:1:0:1:10"),
            ([1, 0, 0, 2, 0, 0, 3, 4], "1::2:0:0:3:4"),
            ([0xfe80, 0, 0, 0, 0x1234, 0, 0, 0xf0f], "fe80::1234:0:0:f0f"),
        ] {
            assert_eq!(canonical_ipv6(segments), written);
            assert_eq!(Ipv6Addr::from(segments).to_string(), written);
        }
        assert_eq!(canonical_address("2001:DB8:0::01").as_deref(), Some("2001:db8::1"));
        assert_eq!(canonical_address("10.0.0.1").as_deref(), Some("10.0.0.1"));
    }

    proptest! {
        #[test]
        fn addresses_are_those_of_the_standard_library(
            text in prop_oneof![
                "[0-9.]{0,12}",
                "[0-9]{1,3}\\.[0-9]{1,3}\\.[0-9]{1,2}\\.[0-9]{1,2}",
                "[0-9a-fA-F:]{0,16}",
                "([0-9a-f]{0,5}:){0,8}([0-9a-f]{1,4}|1\\.2\\.3\\.4|\\+1)",
                "([0-9a-f]{1,2}:){0,6}:([0-9a-f]{1,2}:){0,6}(1|1\\.2\\.3\\.4)?",
            ]
        ) {
            let standard = match text.parse::<IpAddr>() {
                Ok(IpAddr::V6(address)) if address.to_ipv4_mapped().is_some() => None,
                parsed => parsed.ok().map(|address| address.to_string()),
            };
            // It writes the addresses that hold one of IPv4 in their own way.
            let standard = standard.map(|standard| match standard.parse::<Ipv6Addr>() {
                Ok(address) => canonical_ipv6(address.segments()),
                Err(_) => standard,
            });
            prop_assert_eq!(canonical_address(&text), standard);
        }
    }
}
