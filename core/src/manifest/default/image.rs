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
    if digest.is_some_and(|digest| !is_digest(digest)) || is_identifier(image) {
        return None;
    }
    let (domain, remainder) = match rest.split_once('/') {
        Some((first, remainder))
            if first == "localhost"
                || first.contains(['.', ':'])
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

fn is_identifier(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

fn is_domain(text: &str) -> bool {
    let (host, port) = match text.rsplit_once(':') {
        Some((host, port)) if !text.ends_with(']') => (host, Some(port)),
        _ => (text, None),
    };
    let is_address = |host: &str| {
        host.strip_prefix('[')
            .and_then(|rest| rest.strip_suffix(']'))
            .is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b':'))
    };
    let is_name = |host: &str| {
        host.split('.').all(|part| {
            !part.is_empty()
                && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
                && !part.starts_with('-')
                && !part.ends_with('-')
        })
    };
    (is_address(host) || is_name(host))
        && port.is_none_or(|port| !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Lower-case letters and digits, joined by one `.`, one or two `_`, or any number of `-`.
fn is_path_component(text: &str) -> bool {
    let is_word = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let bytes = text.as_bytes();
    let ends_in_words = bytes.first().copied().is_some_and(is_word) && bytes.last().copied().is_some_and(is_word);
    ends_in_words
        && bytes.split(|byte| is_word(*byte)).all(|separator| {
            matches!(separator, b"" | b"." | b"_" | b"__") || separator.iter().all(|byte| *byte == b'-')
        })
}

fn is_tag(text: &str) -> bool {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    text.len() <= 128
        && text.bytes().next().is_some_and(is_word)
        && text.bytes().all(|byte| is_word(byte) || matches!(byte, b'.' | b'-'))
}

fn is_digest(text: &str) -> bool {
    let Some((algorithm, hexadecimal)) = text.split_once(':') else { return false };
    let length = match algorithm {
        "sha256" => 64,
        "sha384" => 96,
        "sha512" => 128,
        _ => return false,
    };
    hexadecimal.len() == length && hexadecimal.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
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
