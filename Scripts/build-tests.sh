#!/bin/bash
# Builds the program and its tests, and fails on a warning in the tests. The compiler's option for that, which Package.swift
# sets for the other targets, also fails on what the macros of Swift Testing expand to.
#
# Where nothing is built yet, modules are compiled as a whole, in two thirds of the time (docs/decisions/building.md). A
# build by hand has other options, and compiles everything anew.
set -euo pipefail
cd "$(dirname "$0")/.."
log=$(mktemp)
trap 'rm -f "$log"' EXIT
flags=()
if [[ ! -e .build/debug || -e .build/whole-modules ]]; then
    mkdir -p .build && touch .build/whole-modules
    flags=(-Xswiftc -whole-module-optimization -Xswiftc -num-threads -Xswiftc 2)
fi
swift build --build-tests -debug-info-format none "${flags[@]}" 2>&1 | tee "$log"
warnings="^($PWD/Tests/|macro expansion ).*: warning:"
if grep -qE "$warnings" "$log"; then
    echo "Tests must compile without warnings:" >&2
    grep -E "$warnings" "$log" | sort -u >&2
    exit 1
fi
