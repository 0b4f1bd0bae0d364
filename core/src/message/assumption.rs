use std::time::Duration;

use super::Words;
use super::telling::{Both, Bytes, Grouped, Length, Pods, Telling, Told, part, tell};
use crate::both;
use crate::forecast::{Assumed, Assumption};
use crate::scenario::Source;
use crate::sim::{ControlPlane, Distribution};

impl Words for Assumption {
    /// What is assumed, and where that comes from: `a pod is ready after being bound: 10 s (default)`.
    fn tell(&self, to: &mut Telling) {
        let of_pulls = self.assumed.is_about_images();
        tell!(to, "{} ({})", "{}（{}）", self.assumed, part(|to| source(self.source, of_pulls, to)));
    }
}

fn source(source: Source, of_pulls: bool, to: &mut Telling) {
    match source {
        Source::Default => tell!(to, "default", "默认值"),
        Source::File => tell!(to, "scenario file", "场景文件"),
        Source::Given => tell!(to, "given", "指定值"),
        Source::Measured { count: 1 } if of_pulls => tell!(to, "measured at 1 pull", "测自 1 次拉取"),
        Source::Measured { count } if of_pulls => {
            tell!(to, "measured at {} pulls", "测自 {} 次拉取", Grouped(count));
        }
        Source::Measured { count } => tell!(to, "measured at {}", "测自 {}", Pods(count)),
    }
}

impl Words for Assumed {
    fn tell(&self, to: &mut Telling) {
        let what = match *self {
            Self::PodReady(time) => {
                time.tell(to);
                both!("a pod is ready after being bound", "pod 绑定到节点后就绪")
            }
            Self::PodGone(time) => {
                time.tell(to);
                both!("a pod is gone after its deletion", "pod 删除后消失")
            }
            Self::OrphanedPodsGone(time) => {
                short(time, to);
                both!("pods of a removed node are gone", "节点移除后其 pod 消失")
            }
            Self::ControlPlane(control_plane) => return control_plane.tell(to),
            Self::ImagesHeld => return tell!(to, "images: on every node already", "镜像：所有节点上均已存在"),
            Self::ImageBytes(size) => {
                Bytes(size).tell(to);
                both!("size of an image", "镜像大小")
            }
            Self::RegistryBytesPerSecond(rate) => {
                tell!(to, "{}/s", "{}/s", Bytes(rate));
                both!("the registry serves", "镜像仓库提供")
            }
            Self::NodeBytesPerSecond(rate) => {
                tell!(to, "{}/s", "{}/s", Bytes(rate));
                both!("one pull gets at most", "单次拉取最多")
            }
            Self::ParallelPulls(limit) => {
                if let Some(limit) = limit {
                    Grouped(limit).tell(to);
                } else {
                    tell!(to, "any number", "不限");
                }
                both!("pulls served at once", "同时拉取数")
            }
            Self::CachedPermille(permille) => {
                tell!(to, "{} of 1,000", "每 1,000 个中 {} 个", permille);
                both!("nodes that hold a new image already", "已有新镜像的节点")
            }
        };
        tell!(to, "{1}: {0}", "{1}：{0}", Told, Both(what));
    }
}

impl Words for Distribution {
    fn tell(&self, to: &mut Telling) {
        let time = |time: Duration| part(move |to| short(time, to));
        match *self {
            Self::Constant(always) => short(always, to),
            Self::Uniform { least, most } => tell!(to, "{} to {}", "{}至{}", time(least), time(most)),
            Self::LogNormal { median, p95 } => tell!(
                to,
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
    fn tell(&self, to: &mut Telling) {
        if self.is_ideal() {
            return tell!(to, "API server and scheduler: at once, nothing fails", "API server 与调度器：即时且无故障");
        }
        to.text("");
        let separator = both!(", ", "，");
        for (what, time) in [
            (both!("a write takes effect", "写入生效"), self.write_latency),
            (both!("a change is seen", "观察到变更"), self.watch_delay),
            (both!("a pod is bound", "pod 绑定"), self.scheduling_delay),
        ] {
            if time != Distribution::ZERO {
                tell!(to, "{} after {}", "{}：{}", Both(what), time);
                to.join(separator);
            }
        }
        if self.qps > 0 {
            let at_once = self.burst.max(1);
            tell!(to, "{} writes a second, {} at once", "每秒写入 {}，突发 {}", self.qps, at_once);
            to.join(separator);
        }
        let scheduled = self.scheduler_pods_per_second;
        if scheduled > 0 {
            tell!(to, "{} pods a second are scheduled", "每秒调度 {} 个 pod", scheduled);
            to.join(separator);
        }
        for (what, permille) in [
            (both!("answered with 429", "返回 429"), self.too_many_requests_permille),
            (both!("refused", "被拒绝"), self.rejected_permille),
            (both!("done with the answer lost", "生效但响应丢失"), self.lost_done_permille),
            (both!("lost", "丢失"), self.lost_undone_permille),
        ] {
            if permille > 0 {
                tell!(to, "{} of 1,000 writes are {}", "每 1,000 次写入有 {} 次{}", permille, Both(what));
                to.join(separator);
            }
        }
    }
}

/// A length of time, in milliseconds where it is below a second.
fn short(time: Duration, to: &mut Telling) {
    match (time.as_secs(), time.subsec_millis()) {
        (0, millis @ 1..) => tell!(to, "{} ms", "{} 毫秒", millis),
        _ => Length(time).tell(to),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::Language;

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
