//! What was measured in a cluster, and what stays assumed, line by line.

use rollcast_core::message::{Language, bytes, duration, grouped, pods};
use rollcast_core::scenario::{MeasuredNumber, MeasuredTime, Measurements, distribution_text};
use rollcast_core::sim::Latencies;

/// What was measured comes first, then what could not be, then what is assumed.
pub fn lines(found: &Measurements, latencies: &Latencies, language: Language) -> Vec<String> {
    let mut said = Vec::new();
    let of_pods = |count| pods(count, language);
    let ready = if found.without_pulls {
        language.say("binding to ready, without pulls of images", "绑定到就绪（不含拉取镜像）")
    } else {
        language.say("binding to ready", "绑定到就绪")
    };
    for (name, time) in [
        (language.say("creation to binding", "创建到绑定"), found.bound),
        (language.say("binding to the sandbox and its network", "绑定到沙箱与网络就绪"), found.sandbox),
        (language.say("binding to the end of the init containers", "绑定到 init 容器结束"), found.initialized),
        (ready, found.ready),
        (language.say("stop of a pod to the next one on its node", "停止 pod 到该节点上的下一个 pod 创建"), found.gone),
    ] {
        said.extend(time.map(|time| of_times(name, &time, &of_pods, language)));
    }
    for (name, time) in [
        (language.say("pull of an image", "拉取镜像"), found.pull),
        (language.say("the same with the wait for other pulls", "拉取镜像（含等待其他拉取）"), found.pull_with_wait),
    ] {
        said.extend(time.map(|time| of_times(name, &time, &|count| pulls(count, language), language)));
    }
    said.extend(
        found.image_bytes.map(|size| of_numbers(language.say("size of an image", "镜像大小"), &size, "", language)),
    );
    let rate = language.say("rate of a pull", "拉取速率");
    said.extend(found.pull_bytes_per_second.map(|speed| of_numbers(rate, &speed, "/s", language)));
    said.extend(not_told(found, latencies, language));
    said
}

/// What the pods and events do not tell, and what is assumed instead.
fn not_told(found: &Measurements, latencies: &Latencies, language: Language) -> Vec<String> {
    let mut said = Vec::new();
    if found.left_out > 0 {
        let count = pods(found.left_out, language);
        let why = language.say(
            "not ready, restarted, ready again after long, or with pulls that no event tells of",
            "未就绪、重启过、很久后再次就绪，或没有事件说明其拉取",
        );
        said.push(match language {
            Language::English => format!("left out: {count}, {why}"),
            Language::Chinese => format!("未计入：{count}，{why}"),
        });
    }
    if let Some((count, longest)) = found.terminating {
        let (count, longest) = (pods(count, language), duration(longest, language));
        said.push(match language {
            Language::English => format!("being deleted: {count}, the first of them for at least {longest}"),
            Language::Chinese => format!("正在删除：{count}，最早的至少已有 {longest}"),
        });
    }
    if found.events == 0 {
        let line = language.say(
            "no events in the input: pulls of images, and how long pods take to go, are not told; \
             `kubectl get events` has them for an hour",
            "输入中没有事件：无从得知镜像拉取与 pod 消失用时；`kubectl get events` 会保留它们一小时",
        );
        said.push(line.to_owned());
    }
    if found.image_bytes.is_some() && !found.without_pulls {
        let line = language.say(
            "the pulls are those of pods that are gone: they stay part of the start, and no image is pulled in the scenario",
            "这些拉取属于已消失的 pod：拉取仍计入启动用时，场景中不拉取镜像",
        );
        said.push(line.to_owned());
    }
    for (measured, key, time) in [
        (found.ready, "podReadyAfter", latencies.pod_ready_after),
        (found.gone, "podGoneAfter", latencies.pod_gone_after),
    ] {
        if measured.is_none() {
            let time = distribution_text(time);
            said.push(match language {
                Language::English => format!("not measured, so assumed: {key} {time}"),
                Language::Chinese => format!("未能测得，故为假设：{key} {time}"),
            });
        }
    }
    said
}

fn of_times(name: &str, time: &MeasuredTime, counted: &dyn Fn(u32) -> String, language: Language) -> String {
    let MeasuredTime { count, least, median, p95, most } = time;
    let ranks = [least, median, p95, most].map(|time| match time.as_millis() {
        millis @ 1..1000 => format!("{millis} {}", language.say("ms", "毫秒")),
        _ => duration(*time, language),
    });
    line(name, &counted(*count), &ranks, language)
}

fn of_numbers(name: &str, number: &MeasuredNumber, unit: &str, language: Language) -> String {
    let MeasuredNumber { count, least, median, p95, most } = number;
    let ranks = [least, median, p95, most].map(|number| format!("{}{unit}", bytes(*number)));
    line(name, &pulls(*count, language), &ranks, language)
}

fn line(name: &str, count: &str, [least, median, p95, most]: &[String; 4], language: Language) -> String {
    match language {
        Language::English => format!("{name}, measured at {count}: median {median}, p95 {p95}, from {least} to {most}"),
        Language::Chinese => format!("{name}（测自 {count}）：中位数 {median}，p95 {p95}，最短 {least}，最长 {most}"),
    }
}

fn pulls(count: u32, language: Language) -> String {
    let number = grouped(count);
    match language {
        Language::English => format!("{number} {}", if count == 1 { "pull" } else { "pulls" }),
        Language::Chinese => format!("{number} 次拉取"),
    }
}
