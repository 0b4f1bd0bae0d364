//! The shapes that names, keys, values and paths must have (`k8s.io/apimachinery/pkg/util/validation`, 0.36).

use super::address::canonical_address;
use crate::manifest::letters::{Allowed, are_words, holds_any, holds_only, is_digits, is_word};

/// A shape of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Syntax {
    /// `my-name`: at most 63 lower-case letters, digits and `-`.
    DnsLabel,
    /// `my-name.example`: at most 253 characters, labels joined by `.`.
    DnsSubdomain,
    /// The same, and labels may hold `_`.
    DnsSubdomainWithUnderscore,
    /// The same as a subdomain, in any case.
    DnsSubdomainInAnyCase,
    /// What a name is made from: a subdomain that may end in `-`.
    NamePrefix,
    /// `example.com/key`.
    LabelKey,
    /// At most 63 letters, digits, `-`, `_` and `.`.
    LabelValue,
    /// At most 15 lower-case letters, digits and `-`, one letter among them.
    PortName,
    /// Digits and `%`.
    Percentage,
    /// Letters, digits and `-`.
    HttpHeaderName,
    /// Printable ASCII without `=`.
    EnvironmentVariableName,
    /// Letters, digits, `-`, `_` and `.`.
    ConfigMapKey,
    /// `net.core.somaxconn`.
    SysctlName,
    /// Does not start with `/`.
    RelativePath,
    /// Starts with `/`.
    AbsolutePath,
    /// No element is `..`.
    PathWithoutBacksteps,
    /// Does not start with `..`.
    PathNotStartingWithDots,
    /// No `/` in it.
    WithoutSlash,
    /// No whitespace at the ends.
    NotPadded,
    /// `iqn.2001-04.com.example:storage`, `eui.…` or `naa.…`.
    IscsiName,
    /// A whole number in its shortest form, of 64 bits.
    DecimalInteger,
    /// `localhost/…`, `runtime/default` or `unconfined`.
    SeccompAnnotation,
    /// `localhost/…`, `runtime/default` or `unconfined`.
    AppArmorAnnotation,
    /// A finalizer Kubernetes knows, or one with a domain.
    FinalizerName,
    /// `user` or `domain\user` on Windows.
    WindowsUserName,
    /// An IP address.
    IpAddress,
    /// `host:port` pairs joined by commas.
    HostPortPairs,
    /// A 32-bit whole number.
    Int32,
}

impl Syntax {
    /// Whether a text has this shape.
    #[inline(never)]
    pub fn matches(self, text: &str) -> bool {
        match self {
            Self::DnsLabel => are_words(text, 63, &[], DNS),
            Self::DnsSubdomain => is_dns_subdomain(text),
            Self::DnsSubdomainWithUnderscore => {
                let is_label = |label: &str| is_word(label.strip_prefix('_').unwrap_or(label), DNS_WITH_UNDERSCORE);
                text.len() <= 253 && text.split('.').all(is_label)
            }
            Self::DnsSubdomainInAnyCase => are_words(text, 253, &['.'], DNS_IN_ANY_CASE),
            // Upstream puts a letter in place of the last two characters, for what will be generated there.
            Self::NamePrefix => match text.strip_suffix('-') {
                Some(rest) if text.len() > 1 => {
                    rest.get(..rest.len() - 1).is_some_and(|kept| is_dns_subdomain(&[kept, "a"].concat()))
                }
                _ => is_dns_subdomain(text),
            },
            Self::LabelKey => is_label_key(text),
            Self::LabelValue => text.is_empty() || is_label_word(text),
            Self::PortName => is_port_name(text),
            Self::Percentage => text.strip_suffix('%').is_some_and(is_digits),
            Self::HttpHeaderName => !text.is_empty() && holds_only(text, DNS_IN_ANY_CASE),
            Self::EnvironmentVariableName => {
                !text.is_empty() && text.bytes().all(|byte| matches!(byte, b' '..=b'~') && byte != b'=')
            }
            Self::ConfigMapKey => {
                (1..=253).contains(&text.len()) && holds_only(text, LABEL) && text != "." && !text.starts_with("..")
            }
            Self::SysctlName => are_words(text, 253, &['.', '/'], DNS_WITH_UNDERSCORE),
            Self::RelativePath => !text.starts_with('/'),
            Self::AbsolutePath => text.starts_with('/'),
            Self::PathWithoutBacksteps => text.split('/').all(|element| element != ".."),
            Self::PathNotStartingWithDots => !text.starts_with("..") || text.starts_with("../"),
            Self::WithoutSlash => !text.contains('/'),
            Self::NotPadded => text.trim() == text,
            Self::IscsiName => is_iscsi_name(text),
            Self::DecimalInteger => text.parse::<i64>().is_ok_and(|number| number.to_string() == text),
            Self::SeccompAnnotation => {
                matches!(text, "runtime/default" | "docker/default" | "unconfined") || text.starts_with("localhost/")
            }
            Self::AppArmorAnnotation => {
                matches!(text, "" | "runtime/default" | "unconfined") || text.starts_with("localhost/")
            }
            Self::FinalizerName => {
                is_label_key(text)
                    && (text.contains('/') || matches!(text, "kubernetes" | "orphan" | "foregroundDeletion"))
            }
            Self::WindowsUserName => is_windows_user_name(text),
            Self::IpAddress => canonical_address(text).is_some(),
            Self::HostPortPairs => text.split(',').all(is_host_and_port),
            Self::Int32 => text.parse::<i32>().is_ok_and(|_| !text.starts_with('+')),
        }
    }
}

const DNS: &Allowed = &Allowed::lower_case(b"-");
const DNS_WITH_UNDERSCORE: &Allowed = &Allowed::lower_case(b"-_");
const DNS_IN_ANY_CASE: &Allowed = &Allowed::any_case(b"-");
const LABEL: &Allowed = &Allowed::any_case(b"-_.");
const AUTHORITY: &Allowed = &Allowed::any_case(b"-.");
const LETTERS_AND_DIGITS: &Allowed = &Allowed::any_case(b"");

fn is_dns_subdomain(text: &str) -> bool {
    are_words(text, 253, &['.'], DNS)
}

fn is_label_word(text: &str) -> bool {
    are_words(text, 63, &[], LABEL)
}

fn is_label_key(text: &str) -> bool {
    match text.split_once('/') {
        Some((prefix, name)) => is_label_word(name) && is_dns_subdomain(prefix),
        None => is_label_word(text),
    }
}

fn is_port_name(text: &str) -> bool {
    are_words(text, 15, &[], DNS) && text.bytes().any(|byte| byte.is_ascii_lowercase()) && !text.contains("--")
}

fn is_iscsi_name(text: &str) -> bool {
    let has_letters_and_digits = |rest: &str, length: usize| {
        let mut characters = rest.chars();
        // The separator behind the prefix may be any character.
        characters.next().is_some()
            && characters.as_str().len() == length
            && holds_only(characters.as_str(), LETTERS_AND_DIGITS)
    };
    if let Some(rest) = text.strip_prefix("iqn.") {
        let Some((date, rest)) = rest.split_at_checked(8) else { return false };
        let Some((authority, name)) = rest.split_once(':') else { return false };
        let is_date = date.bytes().enumerate().all(|(index, byte)| match index {
            4 => byte == b'-',
            7 => byte == b'.',
            _ => byte.is_ascii_digit(),
        });
        return is_date
            && !authority.is_empty()
            && holds_only(authority, AUTHORITY)
            && !name.is_empty()
            && !holds_any(name, b",;*&$| \t\n\x0c\r");
    }
    text.strip_prefix("eui").is_some_and(|rest| has_letters_and_digits(rest, 16))
        || text.strip_prefix("naa").is_some_and(|rest| has_letters_and_digits(rest, 32))
}

fn is_windows_user_name(text: &str) -> bool {
    let (domain, user) = match text.split_once('\\') {
        Some((domain, user)) => (Some(domain), user),
        None => (None, text),
    };
    !text.bytes().any(|byte| byte.is_ascii_control())
        && domain.is_none_or(|domain| domain.len() < 256 && (is_netbios_name(domain) || is_windows_domain(domain)))
        && !user.is_empty()
        && user.len() <= 104
        && !user.bytes().all(|byte| matches!(byte, b'.' | b' '))
        && !holds_any(user, b"\"/\\:;|=,+*?<>@[]")
}

fn is_netbios_name(text: &str) -> bool {
    let length = text.chars().count();
    (1..=15).contains(&length) && !text.starts_with('.') && !holds_any(text, b"\\/:*?\"<>|")
}

fn is_windows_domain(text: &str) -> bool {
    text.split('.').all(|label| are_words(label, 63, &[], DNS_IN_ANY_CASE))
}

fn is_host_and_port(text: &str) -> bool {
    match text.rsplit_once(':') {
        Some((host, _)) if host.starts_with('[') => host.ends_with(']'),
        Some((host, _)) => !holds_any(host, b":[]"),
        None => false,
    }
}

/// Text in lower case, as far as it is ASCII then (`strings.ToLower`): what rules look for has no other letters.
pub(super) fn in_lower_case(text: &str) -> String {
    let lower = |character| match character {
        // The dotted capital I and the sign for kelvin.
        '\u{130}' => 'i',
        '\u{212a}' => 'k',
        other => other.to_ascii_lowercase(),
    };
    text.chars().map(lower).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_their_shape() {
        for (syntax, good, bad) in [
            (Syntax::DnsLabel, &["a", "a-1", "123"][..], &["", "A", "a.b", "-a", "a-", "a_b", "数据"][..]),
            (Syntax::DnsSubdomain, &["a.b", "a-1.b2"], &["a..b", ".a", "a.", "A", "a_b"]),
            (Syntax::DnsSubdomainWithUnderscore, &["_a.b_c"], &["__a", "a_", "a."]),
            (Syntax::NamePrefix, &["a-", "a", "a.b-"], &["-", "Ab-", "a..b-"]),
            (Syntax::LabelKey, &["a", "A_b.c", "example.com/A"], &["", "a b", "/a", "a/", "a/b/c", "X.com/a"]),
            (Syntax::LabelValue, &["", "A.b_c-1"], &["a b", "-a", "a-"]),
            (Syntax::PortName, &["http", "a-1"], &["", "80", "A", "a--b", "-a", "too-long-port-name"]),
            (Syntax::Percentage, &["0%", "100%"], &["%", "1.5%", "10 %", "+5%", "１０%"]),
            (Syntax::SysctlName, &["net.core.somaxconn", "net/ipv4/x_y"], &["a b", "a..b", "A"]),
            (Syntax::IscsiName, &["iqn.2001-04.com.example:a", "eui.0123456789abcdef"], &["iqn.x", "foo", "eui.1"]),
            (Syntax::WindowsUserName, &["user", "DOMAIN\\user"], &["", "..", "a\\b\\c", "a/b", "\\user"]),
            (
                Syntax::IpAddress,
                &["10.0.0.1", "::1", "2001:DB8::1"],
                &["x", "1.2.3", "010.0.0.1", "::ffff:1.2.3.4", ""],
            ),
        ] {
            for text in good {
                assert!(syntax.matches(text), "{syntax:?} {text}");
            }
            for text in bad {
                assert!(!syntax.matches(text), "{syntax:?} {text}");
            }
        }
    }

    #[test]
    fn lower_case_is_go_s_where_it_matters() {
        assert_eq!(in_lower_case("K8s.IO/\u{212a}\u{130}-Ä"), "k8s.io/ki-Ä");
    }

    #[test]
    fn lengths_are_bounded() {
        assert!(Syntax::DnsLabel.matches(&"a".repeat(63)));
        assert!(!Syntax::DnsLabel.matches(&"a".repeat(64)));
        assert!(Syntax::DnsSubdomain.matches(&"a".repeat(253)));
        assert!(!Syntax::DnsSubdomain.matches(&"a".repeat(254)));
        assert!(!Syntax::LabelValue.matches(&"a".repeat(64)));
    }
}
