use std::time::Duration;

use super::phrase::grouped;
use super::{Language, Words, bytes, duration, pods};
use crate::forecast::{Assumed, Assumption};
use crate::scenario::Source;
use crate::sim::{ControlPlane, Distribution};

impl Words for Assumption {
    /// What is assumed, and where that comes from: `a pod is ready after being bound: 10 s (default)`.
    fn words(&self, language: Language) -> String {
        let assumed = self.assumed.words(language);
        let source = source(self.source, self.assumed.is_about_images(), language);
        match language {
            Language::English => format!("{assumed} ({source})"),
            Language::Chinese => format!("{assumed}（{source}）"),
        }
    }
}

fn source(source: Source, of_pulls: bool, language: Language) -> String {
    match (source, language) {
        (Source::Default, Language::English) => "default".to_owned(),
        (Source::Default, Language::Chinese) => "默认值".to_owned(),
        (Source::File, Language::English) => "scenario file".to_owned(),
        (Source::File, Language::Chinese) => "场景文件".to_owned(),
        (Source::Given, Language::English) => "given".to_owned(),
        (Source::Given, Language::Chinese) => "指定值".to_owned(),
        (Source::Measured { count }, Language::English) if of_pulls => {
            format!("measured at {} {}", grouped(count), if count == 1 { "pull" } else { "pulls" })
        }
        (Source::Measured { count }, Language::Chinese) if of_pulls => format!("测自 {} 次拉取", grouped(count)),
        (Source::Measured { count }, Language::English) => format!("measured at {}", pods(count, language)),
        (Source::Measured { count }, Language::Chinese) => format!("测自 {}", pods(count, language)),
    }
}

impl Words for Assumed {
    fn words(&self, language: Language) -> String {
        let named = |english, chinese, value: String| match language {
            Language::English => format!("{english}: {value}"),
            Language::Chinese => format!("{chinese}：{value}"),
        };
        match *self {
            Self::PodReady(time) => {
                named("a pod is ready after being bound", "pod 绑定到节点后就绪", time.words(language))
            }
            Self::PodGone(time) => named("a pod is gone after its deletion", "pod 删除后消失", time.words(language)),
            Self::OrphanedPodsGone(time) => {
                named("pods of a removed node are gone", "节点移除后其 pod 消失", short(time, language))
            }
            Self::ControlPlane(control_plane) => control_plane.words(language),
            Self::ImagesHeld => language.say("images: on every node already", "镜像：所有节点上均已存在").to_owned(),
            Self::ImageBytes(size) => named("size of an image", "镜像大小", bytes(size)),
            Self::RegistryBytesPerSecond(rate) => {
                named("the registry serves", "镜像仓库提供", format!("{}/s", bytes(rate)))
            }
            Self::NodeBytesPerSecond(rate) => {
                named("one pull gets at most", "单次拉取最多", format!("{}/s", bytes(rate)))
            }
            Self::ParallelPulls(limit) => {
                let limit = limit.map_or_else(|| language.say("any number", "不限").to_owned(), grouped);
                named("pulls served at once", "同时拉取数", limit)
            }
            Self::CachedPermille(permille) => named(
                "nodes that hold a new image already",
                "已有新镜像的节点",
                match language {
                    Language::English => format!("{permille} of 1,000"),
                    Language::Chinese => format!("每 1,000 个中 {permille} 个"),
                },
            ),
        }
    }
}

impl Words for Distribution {
    fn words(&self, language: Language) -> String {
        let time = |time: Duration| short(time, language);
        match (*self, language) {
            (Self::Constant(always), _) => time(always),
            (Self::Uniform { least, most }, Language::English) => format!("{} to {}", time(least), time(most)),
            (Self::Uniform { least, most }, Language::Chinese) => format!("{}至{}", time(least), time(most)),
            (Self::LogNormal { median, p95 }, Language::English) => {
                format!("{} in the middle, more than {} in one of twenty", time(median), time(p95))
            }
            (Self::LogNormal { median, p95 }, Language::Chinese) => {
                format!("中位数 {}，二十次中有一次超过 {}", time(median), time(p95))
            }
        }
    }
}

impl Words for ControlPlane {
    /// `writes: 20 a second, 30 at once`; what is ideal is left out.
    fn words(&self, language: Language) -> String {
        let say = |english, chinese| language.say(english, chinese);
        if self.is_ideal() {
            return say("API server and scheduler: at once, nothing fails", "API server 与调度器：即时且无故障")
                .to_owned();
        }
        let mut parts = Vec::new();
        for (what, time) in [
            (say("a write takes effect", "写入生效"), self.write_latency),
            (say("a change is seen", "观察到变更"), self.watch_delay),
            (say("a pod is bound", "pod 绑定"), self.scheduling_delay),
        ] {
            if time != Distribution::ZERO {
                parts.push(format!("{what}{}{}", say(" after ", "："), time.words(language)));
            }
        }
        if self.qps > 0 {
            parts.push(match language {
                Language::English => format!("{} writes a second, {} at once", self.qps, self.burst.max(1)),
                Language::Chinese => format!("每秒写入 {}，突发 {}", self.qps, self.burst.max(1)),
            });
        }
        if self.scheduler_pods_per_second > 0 {
            parts.push(match language {
                Language::English => format!("{} pods a second are scheduled", self.scheduler_pods_per_second),
                Language::Chinese => format!("每秒调度 {} 个 pod", self.scheduler_pods_per_second),
            });
        }
        for (what, permille) in [
            (say("answered with 429", "返回 429"), self.too_many_requests_permille),
            (say("refused", "被拒绝"), self.rejected_permille),
            (say("done with the answer lost", "生效但响应丢失"), self.lost_done_permille),
            (say("lost", "丢失"), self.lost_undone_permille),
        ] {
            if permille > 0 {
                parts.push(match language {
                    Language::English => format!("{permille} of 1,000 writes are {what}"),
                    Language::Chinese => format!("每 1,000 次写入有 {permille} 次{what}"),
                });
            }
        }
        parts.join(say(", ", "，"))
    }
}

/// A length of time, in milliseconds where it is below a second.
fn short(time: Duration, language: Language) -> String {
    match (time.as_millis(), language) {
        (millis @ 1..1000, Language::English) => format!("{millis} ms"),
        (millis @ 1..1000, Language::Chinese) => format!("{millis} 毫秒"),
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
