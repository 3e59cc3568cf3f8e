#!/usr/bin/env bash
# Measures the release server over HTTP on the loopback interface and prints a table. The rows are in rows/.
#
#   BENCH_ROWS="records instructions observing queries subscriptions crowds notifications zones sharing start assets pages pictures memory backup emulator postgres walls"   which of them to measure
#   BENCH_QUICK=1       small data sets and short runs: a look at whether all of it works
#   BENCH_BIG=0         leaves out the rows that need a million records
#   BENCH_BACKUP=2000000   records of the database that is backed up; 9,300,000 are 10 GB
#   BENCH_SECONDS=10    how long each row is measured
#   BENCH_PORT=18300    the first of ten ports used
#   POCKETBASE=path     a PocketBase to compare with; without it pip is asked for one
#   CUMULUS=path        the server's program, when it is built already
#   BENCH_BEFORE=path   an earlier program of the server, measured first; its figures get a column of their own
#   BENCH_TOOLS=folder  the folder of these tools' programs, when they are built already
set -euo pipefail
export LC_ALL=C.UTF-8

here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")
chosen=${BENCH_ROWS:-records instructions observing queries subscriptions crowds notifications zones sharing start assets pages pictures memory backup emulator postgres walls}
quick=${BENCH_QUICK:-0}
big=${BENCH_BIG:-1}
seconds=${BENCH_SECONDS:-$([ "$quick" = 1 ] && echo 2 || echo 8)}
port=${BENCH_PORT:-18300}
backup_records=${BENCH_BACKUP:-$([ "$quick" = 1 ] && echo 20000 || echo 2000000)}
records=$([ "$quick" = 1 ] && echo 10000 || echo 100000)
origin=http://127.0.0.1:$port
container=iCloud.org.example.bench
tmp=$(mktemp -d)

# shellcheck source=/dev/null
. "$here/cluster.sh"
for part in measuring programs peers records instructions observing queries subscriptions crowds notifications zones sharing start assets pages pictures memory backup emulator postgres walls; do
    # shellcheck source=/dev/null
    . "$here/rows/$part.sh"
done

trap finish EXIT
trap 'exit 130' INT TERM

wanted() { [[ " $chosen " == *" $1 "* ]]; }

# measure_all PROGRAM DATA-FOLDER
measure_all() {
    local cumulus=$1 data=$2 part
    start_server
    for part in records instructions observing queries subscriptions crowds notifications zones sharing start assets pages pictures memory backup emulator postgres walls; do
        if wanted "$part"; then "measure_$part"; fi
    done
    stop "$server"
}

# Thousands of connections that wait.
ulimit -n "$(ulimit -Hn)"
build
if { wanted records || wanted notifications; } && start_pocketbase; then measure_pocketbase; fi
if [ -n "${BENCH_BEFORE:-}" ]; then
    measure_all "$BENCH_BEFORE" "$tmp/before"
    before=("${rows[@]}")
    rows=()
fi
measure_all "$cumulus" "$tmp/data"
