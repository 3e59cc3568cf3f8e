#!/bin/bash
# Compares the versions of the packages in a build with those that the tests passed with. The manifest pins the packages
# that the targets import; theirs follow ranges, and can be others on another day. Prints the differences, and fails if
# there are any.
#
#   BUILD_FOLDER=.build   the build
set -euo pipefail
export LC_ALL=C
cd "$(dirname "$0")/.."

built=$(awk -F '"' '
    /"identity"/ { name = $4 }
    /"version"/ && name != "" && $4 ~ /^[0-9]+\./ { print name, $4; name = "" }
' "${BUILD_FOLDER:-.build}/workspace-state.json" | sort)
if differences=$(diff <(grep -v '^#' Packaging/dependencies.txt) <(echo "$built")); then
    exit 0
fi
echo "Packages of other versions than Packaging/dependencies.txt names (<):" >&2
grep '^[<>]' <<<"$differences" >&2
exit 1
