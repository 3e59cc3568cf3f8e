#!/bin/bash
# Prints the flags of `swift build` for the debug program and its tests. Where nothing is built yet, modules are compiled as a
# whole, in two thirds of the time (docs/decisions/building.md); a build by hand has other flags, and they stay until `make clean`.
set -euo pipefail
cd "$(dirname "$0")/.."
flags="-debug-info-format none"
if [[ ! -e .build/debug.yaml ]] || grep -q -e -whole-module-optimization .build/debug.yaml; then
    flags+=" -Xswiftc -whole-module-optimization -Xswiftc -num-threads -Xswiftc 2"
fi
echo "$flags"
