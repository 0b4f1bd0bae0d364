use std::time::Duration;

use super::phrase::{grouped, join, say};
use super::{Language, Words, bytes, duration, pods};
use crate::forecast::{Assumed, Assumption};
use crate::scenario::Source;
use crate::sim::{ControlPlane, Distribution};

impl Words for Assumption {
    /// What is assumed, and where that comes from: `a pod is ready after being bound: 10 s (default)`.
    fn words(&self, language: Language) -> String {
        let source = source(self.source, self.assumed.is_about_images(), language);
        say!(language, "{} ({})", "{}（{}）", self.assumed.words(language), source)
    }
}

fn source(source: Source, of_pulls: bool, language: Language) -> String {
    match source {
        Source::Default => say!(language, "default", "默认值"),
        Source::File => say!(language, "scenario file", "场景文件"),
        Source::Given => say!(language, "given", "指定值"),
        Source::Measured { count: 1 } if of_pulls => say!(language, "measured at 1 pull", "测自 1 次拉取"),
        Source::Measured { count } if of_pulls => {
            say!(language, "measured at {} pulls", "测自 {} 次拉取", grouped(count))
        }
        Source::Measured { count } => say!(language, "measured at {}", "测自 {}", pods(count, language)),
    }
}

impl Words for Assumed {
    fn words(&self, language: Language) -> String {
        let (english, chinese, value) = match *self {
            Self::PodReady(time) => ("a pod is ready after being bound", "pod 绑定到节点后就绪", time.words(language)),
            Self::PodGone(time) => ("a pod is gone after its deletion", "pod 删除后消失", time.words(language)),
            Self::OrphanedPodsGone(time) => {
                ("pods of a removed node are gone", "节点移除后其 pod 消失", short(time, language))
            }
            Self::ControlPlane(control_plane) => return control_plane.words(language),
            Self::ImagesHeld => return say!(language, "images: on every node already", "镜像：所有节点上均已存在"),
            Self::ImageBytes(size) => ("size of an image", "镜像大小", bytes(size)),
            Self::RegistryBytesPerSecond(rate) => ("the registry serves", "镜像仓库提供", bytes(rate) + "/s"),
            Self::NodeBytesPerSecond(rate) => ("one pull gets at most", "单次拉取最多", bytes(rate) + "/s"),
            Self::ParallelPulls(limit) => {
                let limit = limit.map_or_else(|| say!(language, "any number", "不限"), grouped);
                ("pulls served at once", "同时拉取数", limit)
            }
            Self::CachedPermille(permille) => {
                let part = say!(language, "{} of 1,000", "每 1,000 个中 {} 个", permille);
                ("nodes that hold a new image already", "已有新镜像的节点", part)
            }
        };
        say!(language, "{}: {}", "{}：{}", language.say(english, chinese), value)
    }
}

impl Words for Distribution {
    fn words(&self, language: Language) -> String {
        let time = |time: Duration| short(time, language);
        match *self {
            Self::Constant(always) => time(always),
            Self::Uniform { least, most } => say!(language, "{} to {}", "{}至{}", time(least), time(most)),
            Self::LogNormal { median, p95 } => say!(
                language,
                "{} in the middle, more than {} in one of twenty",
                "中位数 {}，二十次中有一次超过 {}",
                time(median),
                time(p95)
            ),
        }
    }
}

impl Words for ControlPlane {
    /// `writes: 20 a second, 30 at once`; what is ideal is left out.
    fn words(&self, language: Language) -> String {
        let name = |english, chinese| language.say(english, chinese);
        if self.is_ideal() {
            return say!(
                language,
                "API server and scheduler: at once, nothing fails",
                "API server 与调度器：即时且无故障"
            );
        }
        let mut parts = Vec::new();
        for (what, time) in [
            (name("a write takes effect", "写入生效"), self.write_latency),
            (name("a change is seen", "观察到变更"), self.watch_delay),
            (name("a pod is bound", "pod 绑定"), self.scheduling_delay),
        ] {
            if time != Distribution::ZERO {
                parts.push(say!(language, "{} after {}", "{}：{}", what, time.words(language)));
            }
        }
        if self.qps > 0 {
            let at_once = self.burst.max(1);
            parts.push(say!(language, "{} writes a second, {} at once", "每秒写入 {}，突发 {}", self.qps, at_once));
        }
        let scheduled = self.scheduler_pods_per_second;
        if scheduled > 0 {
            parts.push(say!(language, "{} pods a second are scheduled", "每秒调度 {} 个 pod", scheduled));
        }
        for (what, permille) in [
            (name("answered with 429", "返回 429"), self.too_many_requests_permille),
            (name("refused", "被拒绝"), self.rejected_permille),
            (name("done with the answer lost", "生效但响应丢失"), self.lost_done_permille),
            (name("lost", "丢失"), self.lost_undone_permille),
        ] {
            if permille > 0 {
                let text = say!(language, "{} of 1,000 writes are {}", "每 1,000 次写入有 {} 次{}", permille, what);
                parts.push(text);
            }
        }
        join(&mut parts.into_iter(), name(", ", "，"))
    }
}

/// A length of time, in milliseconds where it is below a second.
fn short(time: Duration, language: Language) -> String {
    match (time.as_secs(), time.subsec_millis()) {
        (0, millis @ 1..) => say!(language, "{} ms", "{} 毫秒", millis),
        _ => duration(time, language),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_told_with_its_spread() {
        let told = |time: Distribution| time.words(Language::English);
        assert_eq!(told(Distribution::Constant(Duration::from_millis(250))), "250 ms");
        let (least, most) = (Duration::from_secs(5), Duration::from_secs(90));
        assert_eq!(told(Distribution::Uniform { least, most }), "5 s to 1 min 30 s");
        let spread = Distribution::LogNormal { median: least, p95: most };
        assert_eq!(told(spread), "5 s in the middle, more than 1 min 30 s in one of twenty");
    }

    #[test]
    fn an_assumption_says_where_it_comes_from() {
        let told = |assumed, source, language| Assumption { assumed, source }.words(language);
        let ready = Assumed::PodReady(Duration::from_secs(20).into());
        for (source, english, chinese) in [
            (Source::Default, "20 s (default)", "20 秒（默认值）"),
            (Source::File, "20 s (scenario file)", "20 秒（场景文件）"),
            (Source::Given, "20 s (given)", "20 秒（指定值）"),
            (Source::Measured { count: 1 }, "20 s (measured at 1 pod)", "20 秒（测自 1 个 pod）"),
        ] {
            let (first, second) = ("a pod is ready after being bound: ", "pod 绑定到节点后就绪：");
            assert_eq!(told(ready, source, Language::English), format!("{first}{english}"));
            assert_eq!(told(ready, source, Language::Chinese), format!("{second}{chinese}"));
        }
        let size = told(Assumed::ImageBytes(3 << 20), Source::Measured { count: 1200 }, Language::English);
        assert_eq!(size, "size of an image: 3 MiB (measured at 1,200 pulls)");
    }
}
