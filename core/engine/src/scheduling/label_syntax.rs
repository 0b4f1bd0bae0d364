/// Longest label value, and longest name part of a label key.
const LONGEST_NAME: usize = 63;
/// Longest prefix of a label key.
const LONGEST_PREFIX: usize = 253;

/// Whether `text` may be a label's value: empty, or at most 63 letters, digits, `-`, `_`, `.`, with a letter or digit
/// at both ends (`validation.IsValidLabelValue`, apimachinery 1.36).
pub fn is_label_value(text: &str) -> bool {
    text.is_empty() || is_name(text)
}

/// Whether `text` may be a label's key or an extended resource: a name, with a DNS subdomain and a slash before it or
/// not (`validation.IsQualifiedName`, apimachinery 1.36).
pub fn is_qualified_name(text: &str) -> bool {
    match text.split_once('/') {
        None => is_name(text),
        Some((prefix, name)) => is_dns_subdomain(prefix) && is_name(name),
    }
}

fn is_name(text: &str) -> bool {
    let ends_well = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphanumeric);
    let bytes = text.as_bytes();
    bytes.len() <= LONGEST_NAME
        && ends_well(bytes.first())
        && ends_well(bytes.last())
        && bytes.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.'))
}

fn is_dns_subdomain(text: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let is_part = |part: &str| {
        part.bytes().all(|byte| is_plain(byte) || byte == b'-')
            && part.bytes().next().is_some_and(is_plain)
            && part.bytes().next_back().is_some_and(is_plain)
    };
    text.len() <= LONGEST_PREFIX && text.split('.').all(is_part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn label_values_are_short_names_or_nothing() {
        for good in ["", "a", "A.b_c-9", "007", &"x".repeat(63)] {
            assert!(is_label_value(good), "{good}");
        }
        for bad in ["-5", "a-", "a b", "ä", "a/b", ".", &"x".repeat(64)] {
            assert!(!is_label_value(bad), "{bad}");
        }
    }

    #[test]
    fn qualified_names_may_have_a_dns_subdomain_before_them() {
        for good in ["app", "kubernetes.io/os", "a.b-c.d/E_f", "App"] {
            assert!(is_qualified_name(good), "{good}");
        }
        for bad in ["", "/", "a/", "/a", "A.io/os", "a..b/c", "-a.io/b", "a/b/c", "a_b.io/c"] {
            assert!(!is_qualified_name(bad), "{bad}");
        }
    }
}
