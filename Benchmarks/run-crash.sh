#!/usr/bin/env bash
# Kills the release server under load, KILLS times, and cuts its power, CUTS times; checks after each restart what it
# kept. A power cut is played: a library that is preloaded into the server (Disk/journal.c) writes down what it writes and
# syncs, and what was not synced is dropped, reordered or torn.
#
#   KILLS=50 CUTS=150   how often
#   SEED=number         the random choices of an earlier run
#   CRASH_PORT=18310    the loopback port used
#   CUMULUS=path        the server's program, when it is built already
#   BENCH_TOOLS=folder  the folder of this tool's program, when it is built already
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")

if [ -z "${CUMULUS:-}" ]; then
    make -C "$root" build >&2
    CUMULUS=$root/.build/release/cumulus
fi
if [ -z "${BENCH_TOOLS:-}" ]; then
    (cd "$here" && swift build -c release --product cumulus-crash) >&2
    BENCH_TOOLS=$here/.build/release
fi

data=$(mktemp -d)
options=(--server "$CUMULUS" --data "$data" --port "${CRASH_PORT:-18310}" --kills "${KILLS:-50}" --cuts "${CUTS:-150}")
if [ -n "${SEED:-}" ]; then options+=(--seed "$SEED"); fi

finish() {
    if [ -f "$data/server.pid" ]; then kill -KILL "$(cat "$data/server.pid")" 2>/dev/null || true; fi
}
trap finish EXIT

if "$BENCH_TOOLS/cumulus-crash" "${options[@]}"; then
    rm -rf "$data"
else
    status=$?
    echo "The data and the server's output are kept in $data" >&2
    exit "$status"
fi
