//! What the kubelet tells of an image (`puller.go`, `image_manager.go`, Kubernetes 1.36 and before).

use std::time::Duration;

use crate::api::Text;
use crate::scenario::parse_duration;

/// An image that a pod needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pull {
    /// How long the pod waited for it; no time where the node held it.
    pub with_wait: Duration,
    /// What was pulled.
    pub pulled: Option<Pulled>,
}

/// An image that was pulled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pulled {
    /// How long it took, the wait for other pulls apart.
    pub time: Duration,
    /// Its size, which older kubelets do not tell.
    pub bytes: Option<u64>,
}

impl Pull {
    /// Reads the sentence of a `Pulled` event.
    pub fn parse(message: &str) -> Option<Self> {
        if message.starts_with("Container image ") && message.contains("already present on machine") {
            return Some(Self { with_wait: Duration::ZERO, pulled: None });
        }
        let (_, told) = message.strip_prefix("Successfully pulled image ")?.split_once("\" in ")?;
        let first_word = |text: &str| text.split([' ', ')']).next().and_then(go_duration);
        let time = first_word(told)?;
        let with_wait = match told.split_once('(') {
            Some((_, wait)) if wait.contains("including waiting") => first_word(wait)?,
            _ => time,
        };
        let bytes = told.split_once("Image size: ").and_then(|(_, size)| size.split(' ').next()?.parse().ok());
        Some(Self { with_wait, pulled: Some(Pulled { time, bytes }) })
    }
}

/// A length of time as Go prints it; what is finer than a microsecond is dropped.
fn go_duration(text: &str) -> Option<Duration> {
    let Some((whole, fraction)) = text.split_once('.') else { return parse_duration(text).ok() };
    let length = fraction.bytes().take_while(u8::is_ascii_digit).count();
    let (digits, unit) = fraction.split_at_checked(length)?;
    let kept = match unit {
        "s" => 6,
        "ms" => 3,
        _ => 0,
    };
    let digits = digits.get(..kept.min(digits.len()))?;
    parse_duration(&format!("{whole}.{digits}{unit}")).ok()
}

/// Of each pod, in order of names, how long it waited for images and how many it was told of.
pub(super) fn pulls_by_pod<'a>(pulls: &[(&'a Text, Pull)]) -> Vec<(&'a Text, Duration, usize)> {
    let mut sorted: Vec<(&Text, Duration)> = pulls.iter().map(|(pod, pull)| (*pod, pull.with_wait)).collect();
    sorted.sort_unstable();
    let of_one = sorted.chunk_by(|(one, _), (other, _)| one == other);
    of_one
        .filter_map(|pulls| Some((pulls.first()?.0, pulls.iter().map(|(_, time)| *time).sum(), pulls.len())))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kubelets_sentences_of_several_releases_are_read() {
        let read = |message: &str| Pull::parse(message).map(|pull| (pull.with_wait.as_micros(), pull.pulled));
        let pulled = |micros, bytes| Some(Pulled { time: Duration::from_micros(micros), bytes });
        let sentence = "Successfully pulled image \"registry.example/agent:v1\" in ";
        assert_eq!(
            read(&format!("{sentence}1.2s (3.45s including waiting). Image size: 31457280 bytes.")),
            Some((3_450_000, pulled(1_200_000, Some(31_457_280))))
        );
        assert_eq!(read(&format!("{sentence}850ms (850ms including waiting)")), Some((850_000, pulled(850_000, None))));
        assert_eq!(read(&format!("{sentence}1m2.345678901s")), Some((62_345_678, pulled(62_345_678, None))));
        assert_eq!(read(&format!("{sentence}853.123456ms")), Some((853_123, pulled(853_123, None))));
        let held = "Container image \"registry.example/agent:v1\" already present on machine";
        assert_eq!(read(held), Some((0, None)));
        assert_eq!(read("Pulling image \"registry.example/agent:v1\""), None);
        assert_eq!(read(&format!("{sentence}a while")), None);
    }
}
