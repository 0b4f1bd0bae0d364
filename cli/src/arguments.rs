//! The command line: subcommands, flags, help and examples.

use std::path::PathBuf;

use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum, ValueHint};
use rollcast_core::KubernetesVersion;
use rollcast_core::scenario::parse_duration;

use crate::failure::EXIT_CODES;
use crate::language::LanguageChoice;

mod plays;

pub use plays::{AdviseArguments, CompareArguments, ForecastArguments, PlaysArguments};

/// Heading of the options that every command has.
const GLOBAL: &str = "Global options";

/// The command line; under the short help of a command stand the first of its examples.
pub fn command() -> clap::Command {
    let command = with_first_examples(Arguments::command());
    let names: Vec<String> = command.get_subcommands().map(|command| command.get_name().to_owned()).collect();
    names.iter().fold(command, |command, name| command.mut_subcommand(name, with_first_examples))
}

fn with_first_examples(command: clap::Command) -> clap::Command {
    let help = command.get_after_long_help().map(ToString::to_string).unwrap_or_default();
    let Some((_, examples)) = help.split_once("Examples:\n") else { return command };
    let first = examples.split("\n\n").next().unwrap_or_default();
    command.after_help(format!("Examples:\n{first}"))
}

/// Forecasts and reviews Kubernetes DaemonSet rollouts
///
/// Reads manifests and what kubectl prints; needs no cluster and changes nothing. Decisions are those of
/// Kubernetes 1.36, or of the release that --kubernetes-version names.
#[derive(Debug, Parser)]
#[command(
    name = "rollcast",
    version,
    max_term_width = 100,
    disable_help_subcommand = true,
    arg_required_else_help = true,
    after_long_help = format!("\
Examples:
  kubectl get nodes,ds,pods,controllerrevisions -A -o json > cluster.json
  rollcast explain -f cluster.json --daemonset kube-system/agent
  rollcast plan -f cluster.json --to agent.yaml
  rollcast forecast -f cluster.json --to agent.yaml
  rollcast advise -f cluster.json --to agent.yaml --helm-timeout 5m
  rollcast diagnose -f cluster.json --daemonset kube-system/agent
  rollcast check agent.yaml

  # No cluster at hand
  rollcast nodes --pool name=worker,count=12 > nodes.yaml
  rollcast explain -f agent.yaml -f nodes.yaml

{EXIT_CODES}")
)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Command,

    #[arg(help = "Language of the answer [default: from LC_ALL, LC_MESSAGES, LANG]")]
    #[arg(long, global = true, help_heading = GLOBAL, value_enum, value_name = "LANGUAGE")]
    pub lang: Option<LanguageChoice>,

    #[arg(help = "Colour: on a terminal unless NO_COLOR is set, always, or never")]
    #[arg(long, global = true, help_heading = GLOBAL, value_enum, value_name = "WHEN", default_value_t = Color::Auto)]
    pub color: Color,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    Explain(ExplainArguments),
    Plan(PlanArguments),
    Forecast(ForecastArguments),
    Compare(CompareArguments),
    Advise(AdviseArguments),
    Check(CheckArguments),
    Diagnose(DiagnoseArguments),
    Nodes(NodesArguments),
    Simulate(SimulateArguments),
    Import(ImportArguments),
    Serve(ServeArguments),
    Completions(CompletionsArguments),
    Version(VersionArguments),
}

/// When to colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Color {
    Auto,
    Always,
    Never,
}

impl Color {
    /// Makes this the choice of every stream of the process.
    pub fn write_global(self) {
        match self {
            Self::Auto => anstream::ColorChoice::Auto,
            Self::Always => anstream::ColorChoice::Always,
            Self::Never => anstream::ColorChoice::Never,
        }
        .write_global();
    }
}

/// How to print an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people
    Table,
    /// One versioned envelope, see `apiVersion` and `kind`
    Json,
    /// The same as YAML
    Yaml,
}

#[derive(Debug, Args)]
pub struct FormatArguments {
    /// How to print the answer
    #[arg(short, long, value_enum, value_name = "FORMAT", default_value_t = Format::Table)]
    pub output: Format,
}

/// How to print an answer that may become a comment on a pull request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CommentFormat {
    /// For people
    Table,
    /// One versioned envelope, see `apiVersion` and `kind`
    Json,
    /// The same as YAML
    Yaml,
    /// For a comment on a pull request
    Markdown,
}

/// Where objects come from.
#[derive(Debug, Args)]
pub struct InputArguments {
    /// Manifests or kubectl output: a file, a directory, or - for standard input; may be repeated
    #[arg(short = 'f', long = "filename", value_name = "PATH", value_hint = ValueHint::AnyPath)]
    pub filenames: Vec<PathBuf>,

    /// Also read the directories below a directory
    #[arg(short = 'R', long)]
    pub recursive: bool,
}

/// Which DaemonSet is meant.
#[derive(Debug, Args)]
pub struct DaemonSetArguments {
    /// The DaemonSet that is meant, when the input holds several
    #[arg(long = "daemonset", visible_alias = "ds", value_name = "[NAMESPACE/]NAME")]
    daemon_set: Option<String>,
}

impl DaemonSetArguments {
    /// Its name, with or without its namespace.
    pub fn wanted(&self) -> Option<&str> {
        self.daemon_set.as_deref()
    }
}

/// What runs now, and what it is to become.
#[derive(Debug, Args)]
pub struct ChangeArguments {
    #[command(flatten)]
    pub input: InputArguments,

    /// The changed manifest: a file, a directory, or - for standard input
    #[arg(long, value_name = "PATH", value_hint = ValueHint::AnyPath)]
    pub to: Option<PathBuf>,

    #[command(flatten)]
    pub daemon_set: DaemonSetArguments,
}

/// Whose rules hold.
#[derive(Clone, Copy, Debug, Args)]
pub struct KubernetesArguments {
    /// Decide as this Kubernetes release, from 1.25 on
    #[arg(
        long,
        value_name = "RELEASE",
        default_value_t = KubernetesVersion::default(),
        value_parser = kubernetes_version
    )]
    pub kubernetes_version: KubernetesVersion,
}

/// Whole seconds: a number of them, or a length of time.
fn seconds(text: &str) -> Result<u32, String> {
    let of_time = || {
        let time = parse_duration(text).ok().filter(|time| time.subsec_nanos() == 0)?;
        u32::try_from(time.as_secs()).ok()
    };
    let seconds = text.parse().ok().or_else(of_time);
    seconds.ok_or_else(|| "write whole seconds such as 90, or a length of time such as 90s or 2m".to_owned())
}

fn kubernetes_version(text: &str) -> Result<KubernetesVersion, String> {
    KubernetesVersion::parse(text).ok_or_else(|| format!("known are {}", KubernetesVersion::NAMES.join(", ")))
}

/// Which nodes run a DaemonSet's pods, why the others do not, and whether the pods fit
#[derive(Debug, Args)]
#[command(after_long_help = format!("\
Nodes and pods come from what kubectl prints. Pods that are there already take up room and ports; without them the \
nodes count as empty. Without any nodes the answer is what the template asks of a node.

Examples:
  rollcast explain -f agent.yaml -f nodes.yaml
  kubectl get nodes,pods -A -o json | rollcast explain -f agent.yaml -f -
  rollcast nodes --pool name=node,count=3 | rollcast explain -f agent.yaml -f -

  # One node, check by check
  rollcast explain -f agent.yaml -f nodes.yaml --node worker-7

  # Only some of the nodes
  rollcast explain -f agent.yaml -f nodes.yaml -l topology.kubernetes.io/zone=a

{EXIT_CODES}"))]
pub struct ExplainArguments {
    #[command(flatten)]
    pub input: InputArguments,
    #[command(flatten)]
    pub daemon_set: DaemonSetArguments,

    /// Show every check for this node; may be repeated
    #[arg(short, long = "node", value_name = "NAME")]
    pub nodes: Vec<String>,

    /// Only nodes with these labels, written as for kubectl -l
    #[arg(short = 'l', long, value_name = "SELECTOR")]
    pub selector: Option<String>,

    #[command(flatten)]
    pub kubernetes: KubernetesArguments,

    #[command(flatten)]
    pub format: FormatArguments,
}

/// What a changed manifest does to what runs now: the first decisions, then the rollout step by step
#[derive(Debug, Args)]
#[command(after_long_help = format!("\
-f is what runs now: nodes, the DaemonSet, its pods and revisions. --to is the manifest as you would apply it.
Without pods in -f, every node that should run one is taken to run an available pod of the present template. Without \
the DaemonSet in -f, it is a first installation. Without --to, the input itself is played on.

The rollout is played in an ideal world: the API answers at once, images are there, new pods become ready and old ones \
go away after the times given below. It shows the shape and the order of the rollout, and whether it can finish.

Examples:
  kubectl get nodes,ds,pods,controllerrevisions -A -o json > cluster.json
  rollcast plan -f cluster.json --to agent.yaml
  rollcast plan -f cluster.json --to agent.yaml --ready-after 20 --gone-after 5

  # What if the new pods never become ready on a node?
  rollcast plan -f cluster.json --to agent.yaml --never-ready worker-1

  # And on an older cluster?
  rollcast plan -f cluster.json --to agent.yaml --kubernetes-version 1.30

  # No cluster at hand
  rollcast nodes --pool name=worker,count=12 > nodes.yaml
  rollcast plan -f nodes.yaml -f agent-v1.yaml --to agent-v2.yaml

{EXIT_CODES}"))]
pub struct PlanArguments {
    #[command(flatten)]
    pub change: ChangeArguments,

    /// Seconds from a pod's creation until it is ready; also 90s, 2m
    #[arg(long, value_name = "SECONDS", value_parser = seconds, allow_hyphen_values = true, default_value = "10")]
    pub ready_after: u32,

    /// Seconds from a pod's deletion until it is gone; also 90s, 2m
    #[arg(long, value_name = "SECONDS", value_parser = seconds, allow_hyphen_values = true, default_value = "5")]
    pub gone_after: u32,

    /// A node where new pods never become ready; may be repeated
    #[arg(long, value_name = "NODE")]
    pub never_ready: Vec<String>,

    /// Print every step of the rollout, not only the first and the last ones
    #[arg(long)]
    pub all_steps: bool,

    #[command(flatten)]
    pub kubernetes: KubernetesArguments,

    #[command(flatten)]
    pub format: FormatArguments,
}

/// Whether the API server would take a manifest, with every problem at its line
#[derive(Debug, Args)]
#[command(after_long_help = format!("\
The answer is that of the API server to `kubectl apply`, without one.

Examples:
  rollcast check agent.yaml
  rollcast check deploy/ -R
  helm template ./chart | rollcast check -
  rollcast check agent.yaml -o json

  # Does it go on an older cluster?
  rollcast check agent.yaml --kubernetes-version 1.27

{EXIT_CODES}"))]
pub struct CheckArguments {
    /// Manifests: files, directories, or - for standard input
    #[arg(value_name = "PATH", value_hint = ValueHint::AnyPath)]
    pub paths: Vec<PathBuf>,

    #[command(flatten)]
    pub input: InputArguments,

    #[command(flatten)]
    pub kubernetes: KubernetesArguments,

    #[command(flatten)]
    pub format: FormatArguments,
}

/// Why a rollout does not move, and the smallest change that frees it
#[derive(Debug, Args)]
#[command(after_long_help = format!("\
-f is what there is: nodes, the DaemonSet, its pods and revisions, and the pods of other namespaces, which take room and \
ports. The answer is blocked, progressing or finished, then every finding with its rule, its nodes and its arithmetic, \
and what can be done: the command, and what it costs. Nothing is changed.

A scenario file is played to its end, as `rollcast simulate` does, and what is there then is looked at: its time \
is the scenario's. Where nothing happens any more, pods count as having waited out --patience.

Examples:
  kubectl get nodes,ds,pods,controllerrevisions -A -o json > cluster.json
  rollcast diagnose -f cluster.json --daemonset kube-system/agent

  # A dump of last night: how long ago is measured from then
  rollcast diagnose -f cluster.json --at 2026-01-31T03:15:00Z

  # A pod may take ten minutes to become ready
  rollcast diagnose -f cluster.json --patience 600

  # Why an update that never finishes would not, before it is made
  rollcast diagnose -f scenario.yaml

  # For a comment on a pull request
  rollcast diagnose -f cluster.json -o markdown

{EXIT_CODES}"))]
pub struct DiagnoseArguments {
    #[command(flatten)]
    pub input: InputArguments,
    #[command(flatten)]
    pub daemon_set: DaemonSetArguments,

    /// When the input was taken, as RFC 3339 [default: now]
    #[arg(long, value_name = "TIME")]
    pub at: Option<String>,

    /// Seconds that a pod may take to become ready before that is a fault; also 90s, 2m
    #[arg(long, value_name = "SECONDS", value_parser = seconds, allow_hyphen_values = true, default_value = "300")]
    pub patience: u32,

    /// Decide as this Kubernetes release, from 1.25 on [default: the scenario's, else 1.36]
    #[arg(long, value_name = "RELEASE", value_parser = kubernetes_version)]
    pub kubernetes_version: Option<KubernetesVersion>,

    /// How to print the answer
    #[arg(short, long, value_enum, value_name = "FORMAT", default_value_t = CommentFormat::Table)]
    pub output: CommentFormat,
}

/// Makes nodes from a short description, to try things without a cluster
#[derive(Debug, Args)]
#[command(after_long_help = "\
A pool is a list of KEY=VALUE, separated by commas:
  name=NAME        names the nodes NAME-1, NAME-2, … (default: node)
  count=N          how many (default: 1)
  cpu=, memory=, pods=, or any resource such as nvidia.com/gpu=
                   what pods may request on each (default: cpu=4, memory=8Gi, pods=110)
  label=KEY=VALUE  a label; several values, as in zone=a/b/c, are dealt out in turn; may be repeated
  taint=KEY[=VALUE]:EFFECT
                   a taint; may be repeated
  cordoned         marked unschedulable, with the taint that Kubernetes adds
  notready         without a Ready condition that is True, with the taints that Kubernetes adds

Examples:
  rollcast nodes --pool name=workers,count=3,cpu=4,memory=8Gi,label=zone=a
  rollcast nodes --pool name=gpu,nvidia.com/gpu=8,taint=dedicated=gpu:NoSchedule
  rollcast nodes --pool name=worker,count=200,label=zone=a/b/c \\
      --pool name=cp,taint=node-role.kubernetes.io/control-plane:NoSchedule

Exit codes:
  0   printed
  2   a description cannot be understood
  3   the output could not be written")]
pub struct NodesArguments {
    /// A pool of equal nodes; may be repeated
    #[arg(short, long = "pool", value_name = "KEY=VALUE,…", required = true)]
    pub pools: Vec<String>,

    /// How to print the nodes; both are what kubectl and rollcast read
    #[arg(short, long, value_enum, value_name = "FORMAT", default_value_t = ObjectFormat::Yaml)]
    pub output: ObjectFormat,
}

/// How to print Kubernetes objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ObjectFormat {
    /// YAML
    Yaml,
    /// JSON
    Json,
}

/// Plays a scenario once and tells what happens, from the first decision to the last
#[derive(Debug, Args)]
#[command(after_long_help = format!("\
A scenario file says what runs, what is changed, how long things take and what happens on the way; `--schema scenario` \
prints its JSON Schema, `rollcast import` makes one of a cluster. Equal seeds give equal plays.

A trace holds everything that was seen, decided and done, one moment a line; `--schema trace` prints its JSON Schema. \
Equal plays have equal hashes.

Ctrl-C ends the play: what was played until then is told, and the trace says that it was interrupted.

Examples:
  rollcast simulate -f scenario.yaml
  rollcast simulate -f scenario.yaml --seed 7 --trace trace.jsonl

  # Is it still the same play? Exit code 1 when it is not
  rollcast simulate -f scenario.yaml --seed 7 --expect trace.jsonl

  # Watch it, a minute of the play in a second
  rollcast simulate -f scenario.yaml --speed 60

  # For an editor that completes and checks scenario files
  rollcast simulate --schema scenario > scenario.schema.json

{EXIT_CODES}"))]
pub struct SimulateArguments {
    /// The scenario: a file, or - for standard input
    #[arg(short = 'f', long = "filename", value_name = "PATH", value_hint = ValueHint::FilePath)]
    #[arg(required_unless_present = "schema")]
    pub filename: Option<PathBuf>,

    /// Draw everything with this seed instead of the scenario's
    #[arg(long, value_name = "NUMBER")]
    pub seed: Option<u64>,

    /// Decide as this Kubernetes release, from 1.25 on [default: the scenario's]
    #[arg(long, value_name = "RELEASE", value_parser = kubernetes_version)]
    pub kubernetes_version: Option<KubernetesVersion>,

    /// Write the trace to this file
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub trace: Option<PathBuf>,

    /// Compare the play with the trace in this file, and say from which line on it differs
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub expect: Option<PathBuf>,

    /// Show the play as it goes, so many of its seconds in one; on a terminal only
    #[arg(long, value_name = "FACTOR", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub speed: Option<u32>,

    /// Print every step of the rollout, not only the first and the last ones
    #[arg(long)]
    pub all_steps: bool,

    /// Print the JSON Schema of a file format, and play nothing
    #[arg(long, value_enum, value_name = "FORMAT", conflicts_with_all = ["filename", "trace", "expect", "seed", "speed"])]
    pub schema: Option<SchemaName>,

    #[command(flatten)]
    pub format: FormatArguments,
}

/// The file formats that have a schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SchemaName {
    /// What `simulate -f` reads
    Scenario,
    /// One line of what `simulate --trace` writes
    Trace,
}

/// Makes a scenario of what kubectl prints of a cluster, with the times that its pods and events tell
#[derive(Debug, Args)]
#[command(after_long_help = format!("\
The scenario holds the nodes, the DaemonSet, its revisions and all pods, cut down to what decisions rest on. What was \
measured, and at how many pods, is said on standard error and stands as comments on top of the file; the scenario holds it \
under `measured`. --to is the change that the scenario makes at its start. A cluster too large for one file is not copied: the scenario then names the files it came from.

Pods tell how long they took to start. Their events, which the API server keeps for an hour, tell of pulls, of the size of \
images and of how long pods took to go: without events these stay assumptions.

Examples:
  kubectl get nodes,ds,pods,controllerrevisions,events -A -o json > cluster.json
  rollcast import -f cluster.json --to agent-v2.yaml > scenario.yaml
  rollcast simulate -f scenario.yaml

{EXIT_CODES}"))]
pub struct ImportArguments {
    #[command(flatten)]
    pub change: ChangeArguments,

    #[command(flatten)]
    pub kubernetes: KubernetesArguments,

    /// How to print the scenario; both are read by simulate
    #[arg(short, long, value_enum, value_name = "FORMAT", default_value_t = ObjectFormat::Yaml)]
    pub output: ObjectFormat,
}

/// Serves the playground to this machine's browser
#[derive(Debug, Args)]
#[command(after_long_help = "\
Listens on the loopback address only. The page makes no request but for its own files; what is typed into it stays in \
the browser. Ctrl-C ends it.

Examples:
  rollcast serve
  rollcast serve --port 0
  rollcast serve --dir web/dist

Exit codes:
  0   ended by Ctrl-C
  2   this binary was built without the page, and no --dir was given
  3   the port is taken, or the directory holds no page")]
pub struct ServeArguments {
    /// Port to listen on; 0 takes a free one [default: 8420, or a free one where that is taken]
    #[arg(short, long, value_name = "PORT")]
    pub port: Option<u16>,

    /// Serve the page from this directory instead of from the binary
    #[arg(long, value_name = "DIRECTORY", value_hint = ValueHint::DirPath)]
    pub dir: Option<PathBuf>,
}

/// Prints a completion script for a shell
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  rollcast completions bash > /etc/bash_completion.d/rollcast
  rollcast completions zsh  > ~/.zfunc/_rollcast
  rollcast completions fish > ~/.config/fish/completions/rollcast.fish")]
pub struct CompletionsArguments {
    /// The shell
    #[arg(value_enum)]
    pub shell: clap_complete::Shell,
}

/// Prints the version, and which Kubernetes it decides as
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  rollcast version
  rollcast version -o json")]
pub struct VersionArguments {
    #[command(flatten)]
    pub format: FormatArguments,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        command().debug_assert();
    }

    #[test]
    fn every_subcommand_has_examples() {
        for command in Arguments::command().get_subcommands() {
            let help = command.get_after_long_help().map(ToString::to_string).unwrap_or_default();
            assert!(help.contains("Examples:"), "{}", command.get_name());
        }
    }

    #[test]
    fn an_example_or_an_exit_code_is_never_broken_in_a_terminal_of_eighty_columns() {
        let command = command();
        for command in std::iter::once(&command).chain(command.get_subcommands()) {
            let help = command.get_after_long_help().map(ToString::to_string).unwrap_or_default();
            let (_, lines) = help.split_once("Examples:").unwrap();
            for line in lines.lines() {
                assert!(line.chars().count() <= 80, "{}: {line}", command.get_name());
            }
        }
    }

    #[test]
    fn the_short_help_of_every_command_ends_with_its_first_examples() {
        for command in command().get_subcommands() {
            let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            assert!(help.starts_with("Examples:\n  "), "{}: {help}", command.get_name());
            assert!(help.lines().count() <= 8, "{}: {help}", command.get_name());
        }
    }

    #[test]
    fn seconds_are_a_number_or_a_length_of_time() {
        assert_eq!(["90", "90s", "1m30s"].map(seconds), [Ok(90), Ok(90), Ok(90)]);
        assert_eq!(seconds("4294967295"), Ok(u32::MAX));
        for text in ["-1", "1.5", "1500ms", "soon", ""] {
            assert!(seconds(text).unwrap_err().contains("90s or 2m"), "{text}");
        }
    }
}
