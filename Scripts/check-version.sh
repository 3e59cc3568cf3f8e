#!/bin/bash
# check-version.sh VERSION: fails unless the sources and the changelog are of that version.
set -euo pipefail
cd "$(dirname "$0")/.."
version=$(sed -n 's/.*static let text = "\(.*\)"/\1/p' Sources/CloudModel/ProgramVersion.swift)
[[ $version == "$1" ]] || { echo "the sources are of version $version, not $1" >&2; exit 1; }
grep -q "^## $1" CHANGELOG.md || { echo "CHANGELOG.md has no part for $1" >&2; exit 1; }
