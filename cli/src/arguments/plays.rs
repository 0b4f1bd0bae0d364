//! The commands that play a rollout many times.

use clap::Args;
use rollcast_core::KubernetesVersion;

use super::{ChangeArguments, CommentFormat, kubernetes_version, seconds};
use crate::failure::EXIT_CODES;

/// Headings of options in the help.
const PLAYED: &str = "How it is played";
const ASKED: &str = "What is asked";

/// What is played, how often, and how the answer is printed.
#[derive(Debug, Args)]
pub struct PlaysArguments {
    #[command(flatten)]
    pub change: ChangeArguments,

    /// Seconds from a pod's binding until it is ready; also 90s, 2m [default: as the scenario says, or 10]
    #[arg(long, help_heading = PLAYED, value_name = "SECONDS", value_parser = seconds, allow_hyphen_values = true)]
    pub ready_after: Option<u32>,

    /// Seconds from a pod's deletion until it is gone; also 90s, 2m [default: as the scenario says, or 5]
    #[arg(long, help_heading = PLAYED, value_name = "SECONDS", value_parser = seconds, allow_hyphen_values = true)]
    pub gone_after: Option<u32>,

    /// A node where new pods never become ready; may be repeated
    #[arg(long, help_heading = PLAYED, value_name = "NODE")]
    pub never_ready: Vec<String>,

    /// Decide as this Kubernetes release, from 1.25 on [default: the scenario's, else 1.36]
    #[arg(long, help_heading = PLAYED, value_name = "RELEASE", value_parser = kubernetes_version)]
    pub kubernetes_version: Option<KubernetesVersion>,

    /// The first seed; the others follow it one by one [default: as the scenario says, or 0]
    #[arg(long, help_heading = PLAYED, value_name = "SEED")]
    pub seed: Option<u64>,

    /// Threads to play on; the answer is the same on any number [default: one a core]
    #[arg(long, help_heading = PLAYED, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub threads: Option<u16>,

    /// How to print the answer
    #[arg(short, long, value_enum, value_name = "FORMAT", default_value_t = CommentFormat::Table)]
    pub output: CommentFormat,
}

/// How long a rollout takes and how risky it is, over many plays
#[derive(Debug, Args)]
#[command(after_long_help = format!("\
Input is a scenario file, or what `rollcast plan` takes. The rollout is played once a seed; where nothing is drawn at random, once is enough. \
Times are since the change, percentiles are values of a play. Ctrl-C ends it with what is known by then.

A condition of --fail-if is a field, one of < <= > >= == !=, and a value:
  p50, p90, p95, latest
      when so many of all plays have finished: 90s, 10m, 1h30m; one that never does is later than
      any time
  finishOdds
      plays that finish: 99.5%
  fewestAvailable, fewestAvailableP5
      pods available at the worst time: 12, or 95% of the nodes that should run one; in the worst
      play, or in one play of twenty
  longestGap, gapP50, gapP95
      how long one node is without an available pod: 30s
  outage
      that time, added up over the nodes: 2h
  extraPods, extraCpu, extraMemory
      what is requested beyond the start: 10, 500m, 2Gi
  registryPeak, registryTotal
      bytes a second, and in all: 1Gi
  apiWrites
      writes to the API server: 5000

Examples:
  kubectl get nodes,ds,pods,controllerrevisions -A -o json > cluster.json
  rollcast forecast -f cluster.json --to agent.yaml --ready-after 20
  rollcast forecast -f scenario.yaml --seeds 1000

  # In CI: fail when it takes too long or too many pods are away at once
  rollcast forecast -f cluster.json --to agent.yaml -o markdown \\
      --fail-if 'p95 > 10m' --fail-if 'fewestAvailable < 95%'

Exit codes:
  0    answered; no condition holds, or none is given and every play finishes
  1    a condition of --fail-if holds, or, without any, a play does not finish;
       the API server would refuse the change
  2    wrong use: an unknown flag, a condition that cannot be read, no DaemonSet
       in the input
  3    something could not be read or written
  70   a fault in rollcast itself
  130  stopped by Ctrl-C; what was known by then is printed"))]
pub struct ForecastArguments {
    #[command(flatten)]
    pub plays: PlaysArguments,

    /// How often it is played, each time with another seed
    #[arg(long, help_heading = PLAYED, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub seeds: u32,

    /// Exit with 1 when this holds, such as 'p95 > 10m'; may be repeated
    #[arg(long, help_heading = ASKED, value_name = "CONDITION")]
    pub fail_if: Vec<String>,
}

/// How a rollout goes under other settings, side by side
#[derive(Debug, Args)]
#[command(after_long_help = format!("\
Plays the rollout with maxUnavailable 1, 5 %, 10 % and 25 %, with maxSurge likewise, with OnDelete and a person who \
deletes the pods of a tenth of the nodes at a time, and as the manifest has it. Input is a scenario file, or what `rollcast plan` takes.

Examples:
  rollcast compare -f cluster.json --to agent.yaml
  rollcast compare -f cluster.json --to agent.yaml --ready-after 40 -o markdown

{EXIT_CODES}"))]
pub struct CompareArguments {
    #[command(flatten)]
    pub plays: PlaysArguments,

    /// How often each setting is played, each time with another seed
    #[arg(long, help_heading = PLAYED, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub seeds: u32,
}

/// The least risky settings that meet a deadline
#[derive(Debug, Args)]
#[command(group = clap::ArgGroup::new("by").required(true).args(["deadline", "helm_timeout"]), after_long_help = format!("\
Searches the smallest maxUnavailable and the smallest maxSurge with which nineteen in twenty plays meet the deadline; \
each answer was played, and so was one node less. Input is a scenario file, or what `rollcast plan` takes.

--deadline asks that the controller has seen the change and every pod is updated and available, which is what \
`kubectl rollout status --timeout` and `helm --wait` of Helm 4 wait for. Helm 3 waits for less: every pod updated, all but \
maxUnavailable of them ready, minReadySeconds not counted, and nothing at all under OnDelete.

Examples:
  rollcast advise -f cluster.json --to agent.yaml --deadline 30m
  rollcast advise -f cluster.json --to agent.yaml --helm-timeout 5m
  rollcast advise -f cluster.json --to agent.yaml --helm-timeout 5m --helm 3

{EXIT_CODES}"))]
pub struct AdviseArguments {
    #[command(flatten)]
    pub plays: PlaysArguments,

    /// By when the rollout must be complete: a time after the change such as 10m, or a moment such as 2030-01-31T18:00:00Z
    #[arg(long, help_heading = ASKED, value_name = "TIME", allow_hyphen_values = true)]
    pub deadline: Option<String>,

    /// The --timeout that is given to helm with --wait, or to kubectl rollout status, such as 5m
    #[arg(long, help_heading = ASKED, value_name = "DURATION", allow_hyphen_values = true)]
    pub helm_timeout: Option<String>,

    /// Whose --wait it is: that of Helm 3 or 4 [default: 4]
    #[arg(long, help_heading = ASKED, value_name = "VERSION", conflicts_with = "deadline", value_parser = clap::value_parser!(u8).range(3..=4))]
    pub helm: Option<u8>,

    /// How often each setting is played, each time with another seed
    #[arg(long, help_heading = PLAYED, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub seeds: u32,
}
