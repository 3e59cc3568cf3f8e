#!/bin/bash
# Runs the example suites as their readers would, each by `cumulus exec`. CUMULUS_PROGRAM names the program. The Swift
# suite must be built (build-client-tests.sh).
set -euo pipefail
cd "$(dirname "$0")/.."
program=$(realpath "${CUMULUS_PROGRAM:-.build/debug/cumulus}")
[[ -x $program ]] || { echo "there is no program $program; build it, or name one in CUMULUS_PROGRAM" >&2; exit 1; }
limit=(timeout --kill-after=10 "${LIMIT:-300}")

suite() { (unset CUMULUS_PROGRAM; "${limit[@]}" "$program" exec "$@"); }

# What `npm install` does with the dependency.
mkdir -p Examples/Suites/WithJavaScript/node_modules
ln -sfn ../../../../Public/client Examples/Suites/WithJavaScript/node_modules/cumulus-client
(cd Examples/Suites/WithJavaScript && suite --seed seed.jsonl --deterministic 7 --strict -- node --test --test-reporter=spec)

cd Examples/Suites/WithSwift
suite --strict -- swift test --skip-build --scratch-path ../../../Clients/Swift/.build
