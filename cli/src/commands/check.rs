use rollcast_core::KubernetesVersion;
use rollcast_core::manifest::ObjectKind;
use rollcast_core::message::Language;
use rollcast_core::report::{CheckReport, CheckedText, KindCount, ProblemReport};

use crate::arguments::CheckArguments;
use crate::failure::Failure;
use crate::input::{self, ReadText};
use crate::output::{Kind, Output, Page, Verdict, excerpt, style};

/// Problems of one text that are printed in full; `-o json` has all of them.
const SHOWN: usize = 50;

/// Prints every problem of every text, with the lines it is about.
pub fn run(arguments: &CheckArguments, output: &mut Output) -> Result<Verdict, Failure> {
    let paths = [arguments.paths.as_slice(), arguments.input.filenames.as_slice()].concat();
    if paths.is_empty() {
        return Err(Failure::NothingToRead);
    }
    let texts = input::read_texts(&paths, arguments.input.recursive, arguments.kubernetes.kubernetes_version)?;
    let mut report = CheckReport { kubernetes: arguments.kubernetes.kubernetes_version, ..CheckReport::default() };
    for text in &texts {
        report.push(checked(text, output.language));
    }
    output.report(arguments.format.output, Kind::CheckReport, &report, |page| show(page, &texts, &report))?;
    Ok(Verdict::findings_if(report.errors > 0))
}

fn checked(text: &ReadText, language: Language) -> CheckedText {
    let documents = &text.documents;
    let is_daemon_set = |kind: ObjectKind| u32::from(kind == ObjectKind::DaemonSet);
    CheckedText {
        name: text.name.clone(),
        daemon_sets: documents.objects.iter().map(|located| is_daemon_set(located.object.kind())).sum(),
        skipped: documents
            .skipped
            .iter()
            .map(|(kind, count)| KindCount { kind: kind.to_string(), count: u64::from(count) })
            .collect(),
        problems: documents.problems.iter().map(|problem| ProblemReport::new(problem, language)).collect(),
    }
}

fn show(page: &mut Page, texts: &[ReadText], report: &CheckReport) {
    let mut after_excerpt = false;
    for (text, checked) in texts.iter().zip(&report.texts) {
        for problem in text.documents.problems.iter().take(SHOWN) {
            page.gap();
            page.verbatim(&excerpt(&text.name, &text.text, problem, page.language));
        }
        let more = text.documents.problems.len().saturating_sub(SHOWN);
        if more > 0 {
            page.gap();
            let line = match page.language {
                Language::English => format!("{}: {more} more problems, see -o json", text.name),
                Language::Chinese => format!("{}：另有 {more} 个问题，见 -o json", text.name),
            };
            page.line(style::FAINT, &line);
        }
        if checked.problems.is_empty() {
            if after_excerpt {
                page.gap();
            }
            let line = summary_of_good(checked, page.language);
            page.line(style::PLAIN, &line);
        }
        after_excerpt = !checked.problems.is_empty();
    }
    page.gap();
    let style = match (report.errors, report.warnings) {
        (0, 0) => style::GOOD,
        (0, _) => style::WARN,
        _ => style::BAD,
    };
    let line = summary(report, page.language);
    page.line(style, &line);
}

fn summary_of_good(text: &CheckedText, language: Language) -> String {
    let skipped = text.skipped.iter().map(|kind| format!("{} {}", kind.count, kind.kind)).collect::<Vec<_>>();
    match language {
        Language::English => {
            let what = match text.daemon_sets {
                0 => "no DaemonSet in it".to_owned(),
                1 => "1 DaemonSet, no problems".to_owned(),
                count => format!("{count} DaemonSets, no problems"),
            };
            let not =
                if skipped.is_empty() { String::new() } else { format!("; not looked at: {}", skipped.join(", ")) };
            format!("{}: {what}{not}", text.name)
        }
        Language::Chinese => {
            let what = match text.daemon_sets {
                0 => "其中没有 DaemonSet".to_owned(),
                count => format!("{count} 个 DaemonSet，没有问题"),
            };
            let not =
                if skipped.is_empty() { String::new() } else { format!("；未检查：{}", skipped.join("、")) };
            format!("{}：{what}{not}", text.name)
        }
    }
}

fn summary(report: &CheckReport, language: Language) -> String {
    let texts = report.texts.len();
    let daemon_sets: u32 = report.texts.iter().map(|text| text.daemon_sets).sum();
    let is_default = report.kubernetes == KubernetesVersion::default();
    let release = if is_default { String::new() } else { format!(" (Kubernetes {})", report.kubernetes) };
    match language {
        Language::English => {
            let counted = |count: u64, one: &str| format!("{count} {one}{}", if count == 1 { "" } else { "s" });
            let what = format!(
                "{} in {}{release}",
                counted(daemon_sets.into(), "DaemonSet"),
                counted(u64::try_from(texts).unwrap_or(u64::MAX), "file")
            );
            match (report.errors, report.warnings) {
                (0, 0) if daemon_sets == 0 => format!("{what}: nothing to check"),
                (0, 0) => format!("{what}: the API server would take it all"),
                (0, warnings) => format!("{what}: {}", counted(warnings.into(), "warning")),
                (errors, 0) => format!("{what}: {}", counted(errors.into(), "error")),
                (errors, warnings) => {
                    format!("{what}: {}, {}", counted(errors.into(), "error"), counted(warnings.into(), "warning"))
                }
            }
        }
        Language::Chinese => {
            let what = format!("{texts} 个文件中有 {daemon_sets} 个 DaemonSet{release}");
            match (report.errors, report.warnings) {
                (0, 0) if daemon_sets == 0 => format!("{what}：没有可检查的内容"),
                (0, 0) => format!("{what}：API server 会全部接受"),
                (errors, warnings) => format!("{what}：{errors} 个错误，{warnings} 个警告"),
            }
        }
    }
}
