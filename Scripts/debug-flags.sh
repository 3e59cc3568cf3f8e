#!/bin/bash
# Prints the flags of `swift build` for a debug program and its tests. Where nothing is built yet, modules are compiled as a
# whole, in two thirds of the time (docs/decisions/building.md); a build by hand has other flags, and they stay until `make clean`.
#
#   debug-flags.sh [FOLDER]   what builds into FOLDER; .build
set -euo pipefail
cd "$(dirname "$0")/.."
manifest=${1:-.build}/debug.yaml
flags="-debug-info-format none"
if [[ ! -e $manifest ]] || grep -q -e -whole-module-optimization "$manifest"; then
    flags+=" -Xswiftc -whole-module-optimization -Xswiftc -num-threads -Xswiftc 2"
fi
echo "$flags"
