#!/usr/bin/env bash
# Kills the release server under load, KILLS times, and cuts its power, CUTS times; checks after each restart what it
# kept. A power cut is played: a library that is preloaded into the server (Disk/journal.c) writes down what it writes and
# syncs, and what was not synced is dropped, reordered or torn.
#
#   KILLS=50 CUTS=150   how often; no power is cut over PostgreSQL, whose disk is none of the server's
#   ENGINE=postgres     keep everything but assets in a PostgreSQL that is started for it
#   FAILOVER=1          with it, a primary and a standby that its commits wait for: the primary is killed, frozen or cut off,
#                       and the standby promoted, FAILOVERS (30) times; KILLS does not count
#   FAILOVER_PORT=18320 the first of four loopback ports used for that
#   SEED=number         the random choices of an earlier run
#   CRASH_PORT=18310    the loopback port used
#   CUMULUS=path        the server's program, when it is built already
#   BENCH_TOOLS=folder  the folder of this tool's program, when it is built already
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")
# shellcheck source=/dev/null
. "$here/cluster.sh"

if [ -z "${CUMULUS:-}" ]; then
    make -C "$root" build >&2
    CUMULUS=$root/.build/release/cumulus
fi
if [ -z "${BENCH_TOOLS:-}" ]; then
    (cd "$here" && swift build -c release --product cumulus-crash) >&2
    BENCH_TOOLS=$here/.build/release
fi

data=$(mktemp -d)
cuts=${CUTS:-150}
if [ "${ENGINE:-sqlite}" = postgres ]; then cuts=0; fi
kills=${KILLS:-50}
if [ -n "${FAILOVER:-}" ]; then kills=0; fi
options=(--server "$CUMULUS" --data "$data" --port "${CRASH_PORT:-18310}" --kills "$kills" --cuts "$cuts")
if [ -n "${SEED:-}" ]; then options+=(--seed "$SEED"); fi

finish() {
    if [ -f "$data/server.pid" ]; then kill -KILL "$(cat "$data/server.pid")" 2>/dev/null || true; fi
    stop_cluster
    if [ -n "${pair:-}" ]; then "$here/failover.sh" "$pair" stop; fi
}
trap finish EXIT

if [ "${ENGINE:-sqlite}" = postgres ] && [ -n "${FAILOVER:-}" ]; then
    pair=$(mktemp -d /tmp/pair-XXXXXX)
    CUMULUS_DATABASE_URL=$("$here/failover.sh" "$pair" start)
    export CUMULUS_DATABASE_URL
    options+=(--failovers "${FAILOVERS:-30}" --failover "$pair" --failover "$here/failover.sh")
elif [ "${ENGINE:-sqlite}" = postgres ]; then
    start_cluster
    export CUMULUS_DATABASE_URL=$database_url
fi

if "$BENCH_TOOLS/cumulus-crash" "${options[@]}"; then
    rm -rf "$data"
else
    status=$?
    echo "The data and the server's output are kept in $data" >&2
    exit "$status"
fi
