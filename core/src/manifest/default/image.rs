use crate::manifest::letters::{Allowed, are_words, holds_any, holds_only, is_digits, is_hexadecimal, is_word};

/// `Always` for the newest image of a name, `IfNotPresent` for one that a tag or digest pins, and for what is no image
/// name (`parsers.ParseImageName`, Kubernetes 1.36).
pub(super) fn pull_policy(image: &str) -> &'static str {
    match tag_of(image) {
        Some("latest") => "Always",
        _ => "IfNotPresent",
    }
}

/// The tag of an image name; `latest` when it has neither tag nor digest; nothing when it is no image name
/// (`reference.ParseNormalizedNamed`, distribution 0.6).
fn tag_of(image: &str) -> Option<&str> {
    let (rest, digest) = image.split_once('@').map_or((image, None), |(rest, digest)| (rest, Some(digest)));
    if digest.is_some_and(|digest| !is_digest(digest)) || is_hexadecimal(image, 64) {
        return None;
    }
    let (domain, remainder) = match rest.split_once('/') {
        Some((first, remainder))
            if first == "localhost"
                || holds_any(first, b".:")
                || first.bytes().any(|byte| byte.is_ascii_uppercase()) =>
        {
            (Some(first), remainder)
        }
        _ => (None, rest),
    };
    let (path, tag) = remainder.split_once(':').map_or((remainder, None), |(path, tag)| (path, Some(tag)));
    let well_formed = domain.is_none_or(is_domain)
        && path.split('/').all(is_path_component)
        && tag.is_none_or(is_tag)
        && full_length(domain, path) <= LONGEST_PATH;
    match (well_formed, tag, digest) {
        (false, ..) => None,
        (true, Some(tag), _) => Some(tag),
        (true, None, Some(_)) => Some(""),
        (true, None, None) => Some("latest"),
    }
}

/// The length of the path with what Docker Hub puts in front of names without a user.
fn full_length(domain: Option<&str>, path: &str) -> usize {
    let on_hub = matches!(domain, None | Some("docker.io" | "index.docker.io"));
    if on_hub && !path.contains('/') { path.len() + "library/".len() } else { path.len() }
}

/// Longer repository names are refused.
const LONGEST_PATH: usize = 255;

const DOMAIN: &Allowed = &Allowed::any_case(b"-");
const PATH_COMPONENT: &Allowed = &Allowed::lower_case(b"._-");
const TAG: &Allowed = &Allowed::any_case(b"_.-");

fn is_domain(text: &str) -> bool {
    let (host, port) = match text.rsplit_once(':') {
        Some((host, port)) if !text.ends_with(']') => (host, Some(port)),
        _ => (text, None),
    };
    let is_right = match host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        Some(address) => !address.is_empty() && address.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b':'),
        None => are_words(host, host.len(), &['.'], DOMAIN),
    };
    is_right && port.is_none_or(is_digits)
}

/// Lower-case letters and digits, joined by one `.`, one or two `_`, or any number of `-`.
fn is_path_component(text: &str) -> bool {
    let is_letter = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    is_word(text, PATH_COMPONENT)
        && text.as_bytes().split(is_letter).all(|separator| {
            matches!(separator, b"" | b"." | b"_" | b"__") || separator.iter().all(|byte| *byte == b'-')
        })
}

fn is_tag(text: &str) -> bool {
    (1..=128).contains(&text.len()) && !text.starts_with(['.', '-']) && holds_only(text, TAG)
}

fn is_digest(text: &str) -> bool {
    const LENGTHS: [(&str, usize); 3] = [("sha256", 64), ("sha384", 96), ("sha512", 128)];
    text.split_once(':').is_some_and(|(algorithm, digits)| {
        LENGTHS.iter().any(|(known, length)| *known == algorithm && is_hexadecimal(digits, *length))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_newest_image_of_a_name_is_always_pulled() {
        let digest = format!("registry.example/a@sha256:{}", "0".repeat(64));
        for (image, policy) in [
            ("nginx", "Always"),
            ("nginx:latest", "Always"),
            ("registry.example:5000/a/b", "Always"),
            ("localhost/a", "Always"),
            ("[::1]:5000/a", "Always"),
            ("nginx:1.27", "IfNotPresent"),
            ("registry.example:5000/a:1", "IfNotPresent"),
            (digest.as_str(), "IfNotPresent"),
            ("", "IfNotPresent"),
            ("x y", "IfNotPresent"),
            ("Registry/Agent:latest", "IfNotPresent"),
            ("Nginx", "IfNotPresent"),
            ("a@sha256:0", "IfNotPresent"),
            ("a..b", "IfNotPresent"),
            ("a--b__c.d", "Always"),
            ("a___b", "IfNotPresent"),
            ("$(IMAGE)", "IfNotPresent"),
        ] {
            assert_eq!(pull_policy(image), policy, "{image}");
        }
    }
}
