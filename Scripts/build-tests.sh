#!/bin/bash
# Builds the program and its tests, and fails on a warning in the tests. The compiler's option for that, which Package.swift
# sets for the other targets, also fails on what the macros of Swift Testing expand to.
set -euo pipefail
cd "$(dirname "$0")/.."
log=$(mktemp)
trap 'rm -f "$log"' EXIT
read -ra flags < <(Scripts/debug-flags.sh)
swift build --build-tests "${flags[@]}" 2>&1 | tee "$log"
warnings="^($PWD/Tests/|macro expansion ).*: warning:"
if grep -qE "$warnings" "$log"; then
    echo "Tests must compile without warnings:" >&2
    grep -E "$warnings" "$log" | sort -u >&2
    exit 1
fi
