# Two commands are all a newcomer needs: `make play` and `make test`.
# Everything here works from a fresh clone on a machine that has Rust (rustup), Node and a shell.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

RUST := 1.95.0

.PHONY: help
help: ## What can be made
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

.PHONY: play
play: page ## Build the playground and serve it on a free loopback port with a built-in scenario
	cargo run --quiet --package rollcast --features page -- serve

.PHONY: test
test: page ## Run every test: core, vectors, command line, WebAssembly, browser
	cargo test --workspace --all-features
	.ci/browser

.PHONY: page
page: setup ## Build the page into web/dist
	cargo web build

.PHONY: build
build: page ## Build the release binaries, the page inside `rollcast`
	cargo build --release --package rollcast --features page --package rollcast-controller

.PHONY: lint
lint: page ## Formatting, clippy for host and wasm32, licences and bans
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --all-features -- -D warnings
	cargo clippy --package rollcast-core --package rollcast-engine --package rollcast-sim --package rollcast-web --lib --bins --target wasm32-unknown-unknown -- -D warnings
	.ci/deny

.PHONY: bench
bench: setup ## Run every benchmark, each against its baseline in the same run
	cargo bench --package rollcast-core
	cargo bench --package rollcast
	cargo bench --package rollcast-tests

.PHONY: setup
setup: ## Install the toolchain and the wasm target when they are missing
	@rustup toolchain list | grep -q '^$(RUST)' || rustup toolchain install $(RUST) --profile minimal -c rustfmt -c clippy --no-self-update
	@rustup target list --installed | grep -qx wasm32-unknown-unknown || rustup target add wasm32-unknown-unknown
