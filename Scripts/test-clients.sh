#!/bin/bash
# Tests the JavaScript client against a server, in Node and in Chromium, and prints its size. CUMULUS_PROGRAM names the
# server's program. With HISTORIES=1000 that many histories of two devices are run, and nothing else.
set -euo pipefail
cd "$(dirname "$0")/.."
client=Public/client
tests=Tests/JavaScript

export CUMULUS_PROGRAM=${CUMULUS_PROGRAM:-.build/debug/cumulus}
[[ -x $CUMULUS_PROGRAM ]] || { echo "there is no program $CUMULUS_PROGRAM; build it, or name one in CUMULUS_PROGRAM" >&2; exit 1; }

if [[ -n ${HISTORIES:-} ]]; then
    exec timeout --kill-after=10 "${LIMIT:-3600}" node --test --test-reporter=spec \
        --test-name-pattern='two devices converge' "$tests/convergence.test.js"
fi

size() {
    local name=$1
    shift
    printf '%-10s %8d bytes, %6d gzipped\n' "$name" "$(cat "$@" | wc -c)" "$(cat "$@" | gzip -9 | wc -c)"
}
size client "$client"/cumulus.js "$client"/lib/*.js
size offline "$client"/offline.js "$client"/lib/sync/*.js
size shim "$client"/cloudkit-js.js

tsc --project "$tests/types"
exec timeout --kill-after=10 "${LIMIT:-600}" node --test --test-concurrency=2 --test-reporter=spec "$tests"/*.test.js
