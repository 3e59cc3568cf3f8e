# Cumulus: the table of contents. `make` alone lists what there is.

SHELL := /bin/bash
IMAGE ?= cumulus
KINDS := Tests/Fixtures/types/every-kind.ckdb
IMAGE_FLAGS ?=
SWIFT_FILES := $(wildcard Package.swift Sources Tests Benchmarks Examples Clients/Swift)

# What the program links and runs, what the tests also run, what the measurements also need.
BUILD_PACKAGES := libpq-dev libsqlite3-dev libssl-dev zlib1g-dev libsimdjson-dev libvips-tools python3
TEST_PACKAGES := caddy chromium chromium-headless-shell curl ffmpeg gcc glewlwyd jq libc6-dev nginx-light node-typescript nodejs \
	openssl pgbouncer postgresql-15 prometheus python3 python3-venv sqlite3 valgrind zbar-tools
BENCH_PACKAGES := wrk unzip

.DEFAULT_GOAL := help
.PHONY: help deps deps-test deps-bench system-test seaweedfs axe python-clients swift-packages build run test test-clients test-postgres screenshots bench crash converge demo examples texts lint format documents release release-check image deb deb-check clean

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

deps: ## install the system packages the build needs, if any is missing
	@Scripts/install-packages.sh $(BUILD_PACKAGES)

deps-test: system-test ## and those the tests run
	@$(MAKE) --no-print-directory --jobs=3 --output-sync=target seaweedfs axe python-clients

system-test: deps
	@Scripts/install-packages.sh $(TEST_PACKAGES)

# Side by side, since each uses one core.
seaweedfs axe python-clients:
	@Scripts/install-$@.sh

swift-packages:
	@swift package resolve

deps-bench: deps-test ## and those the measurements need
	@Scripts/install-packages.sh $(BENCH_PACKAGES)

build: deps ## build the release program (10 minutes on two cores the first time, then seconds)
	@[ -e .build/release/cumulus ] || echo "Compiling Cumulus and the packages it uses, optimized: about 10 minutes on two cores, and less the next time."
	@Scripts/build-program.sh
	@Scripts/check-dependencies.sh || echo "The build goes on; report what fails with these versions." >&2

run: build ## build, then serve for development on 127.0.0.1:8080, data in ./data (a second)
	@exec .build/release/cumulus serve --dev

test: system-test ## build and run every test, the store's on both engines (25 minutes on two cores)
	@$(MAKE) --no-print-directory --jobs=4 --output-sync=target seaweedfs axe python-clients swift-packages
	@Scripts/build-tests.sh
	@Scripts/check-dependencies.sh
	@$(MAKE) --no-print-directory --jobs=2 --output-sync=target test-clients test-postgres
	@Scripts/run-tests.sh --skip-build

# With the debug program. Side by side, since each waits for others part of its time.
test-clients:
	@Scripts/build-client-tests.sh
	swift test --skip-build --package-path Examples/Demo
	CUMULUS_PROGRAM=$(CURDIR)/.build/debug/cumulus swift test --skip-build --package-path Clients/Swift
	@CUMULUS_PROGRAM=.build/debug/cumulus Scripts/test-clients.sh
	@CUMULUS_PROGRAM=.build/debug/cumulus Scripts/test-suites.sh
	@CUMULUS_PROGRAM=.build/debug/cumulus Scripts/test-python-clients.sh

test-postgres:
	@Scripts/test-postgres.sh

screenshots: deps-test ## keep a picture of every page in .build/screenshots (10 minutes)
	@Scripts/build-tests.sh
	CUMULUS_SCREENSHOTS=$(CURDIR)/.build/screenshots Scripts/run-tests.sh --skip-build --filter '(Browser|Look)Tests'

bench: deps-bench ## measure the release server, print a table (an hour; minutes with BENCH_QUICK=1)
	Benchmarks/run-bench.sh

crash: deps-bench ## kill the server, cut its power, look for lost writes (10 minutes beyond builds)
	Benchmarks/run-crash.sh

converge: deps-test build ## play 1,000 histories of two devices with each client (20 minutes for each)
	@CUMULUS_PROGRAM=.build/release/cumulus HISTORIES=1000 Scripts/test-clients.sh
	@CUMULUS_PROGRAM=$(CURDIR)/.build/release/cumulus CUMULUS_HISTORIES=1000 \
		swift test --package-path Clients/Swift --filter ConvergenceTests

examples: ## serve the example apps on 127.0.0.1:8081, for the server that `make run` starts
	@exec node Examples/Web/serve.js

demo: build ## play what apps do, check it, print links to open (a minute beyond the build)
	swift build -c release --package-path Examples/Demo --product cumulus-demo
	@Scripts/demo.sh

texts: ## check the texts of the pages, for translators (a second)
	@Scripts/texts.py

lint: ## check the formatting, the workflows, and what else is only read (under a minute)
	swift format lint --strict --parallel --recursive $(SWIFT_FILES)
	@command -v python3 >/dev/null || Scripts/install-packages.sh python3 python3-venv
	@Scripts/list-public.sh --check
	@Scripts/texts.py 2>/dev/null
	@Scripts/third-party.py check
	@Scripts/lint-portability.sh
	@Scripts/lint-workflows.sh

format: ## format in place
	swift format --in-place --parallel --recursive $(SWIFT_FILES)

documents: ## write generated text of openapi.yaml, docs and the clients' tests (a minute)
	swift build --product cumulus $$(Scripts/debug-flags.sh)
	.build/debug/cumulus document openapi.yaml docs/commands.md
	.build/debug/cumulus schema types --schema $(KINDS) --language swift --file Clients/Swift/Tests/CumulusKitTests/Types/EveryKind.swift
	.build/debug/cumulus schema types --schema $(KINDS) --language typescript --file Tests/JavaScript/types/every-kind.ts

release: build ## make archive, package, client, checksums: .build/dist (a minute beyond the build)
	@Scripts/install-packages.sh dpkg-dev binutils python3
	@Scripts/check-program.sh .build/release/cumulus
	@Scripts/release.sh

release-check: ## play README's tour on the archive in bare systems; as root (2 minutes for each)
	@Scripts/install-packages.sh debootstrap curl jq
	@Scripts/check-release.sh

image: release ## build the container image of the archive (10 minutes the first time)
	@Scripts/image.sh $(IMAGE) $(IMAGE_FLAGS)

deb: build ## make the Debian package in .build (a minute beyond the build)
	@Scripts/install-packages.sh dpkg-dev binutils python3
	@Scripts/build-deb.sh

deb-check: ## install that package in a fresh Debian, start it, remove it; as root (5 minutes)
	@Scripts/install-packages.sh debootstrap
	@Scripts/check-deb.sh

clean: ## remove what was built; data stays
	rm -rf .build Examples/Demo/.build Examples/Suites/WithSwift/.build Clients/Swift/.build
