# What every row is made with: wrk, medians, ratios and the table.

rows=() before=()

say() { printf '· %s\n' "$*" >&2; }
ratio() { awk -v a="$1" -v b="$2" 'BEGIN { if (a == "" || b == "" || b == 0) print "–"; else printf "%.2f", a / b }'; }
median() { printf '%s\n' "$@" | sort -g | awk '{ value[NR] = $1 } END { print value[int((NR + 1) / 2)] }'; }
met() { awk -v a="$1" -v op="$2" -v b="$3" 'BEGIN {
    if (a == "" || a == "–") print "–"; else print ((op == ">=" ? a >= b : a <= b) ? "yes" : "NO") }'; }

# row WORK CUMULUS BESIDE GOAL MET
row() { rows+=("$(printf '%s|%s|%s|%s|%s' "$@")"); }

# Runs wrk with SCRIPT against URL; sets rate, p50 and p99 (milliseconds) and cost, the processor time that the process
# MEASURED (the server) took for a request (microseconds).
run_wrk() {
    local script=$1 url=$2 connections=${3:-32} out ticks
    ticks=$(ticks "${measured:-$server}")
    out=$(LUA_PATH="$here/wrk/?.lua;;" wrk -t$((connections > 1 ? 2 : 1)) -c"$connections" -d"${seconds}s" --latency \
        --timeout 10s -s "$here/wrk/$script.lua" "$url")
    if grep -qE 'Non-2xx|Socket errors' <<<"$out"; then
        say "$script against $url: $(grep -E 'Non-2xx|Socket errors' <<<"$out" | tr -s ' ')"
    fi
    rate=$(awk '/Requests\/sec/ { printf "%.0f", $2 }' <<<"$out")
    p50=$(latency 50 "$out")
    p99=$(latency 99 "$out")
    cost=$(awk -v ticks="$(($(ticks "${measured:-$server}") - ticks))" -v hertz="$(getconf CLK_TCK)" \
        '/requests in/ { printf "%.0f", ticks / hertz * 1000000 / $1 }' <<<"$out")
}

# Processor time that a process has taken, its own and the kernel's for it.
ticks() { sed 's/.*) //' "/proc/$1/stat" | awk '{ print $12 + $13 }'; }

latency() {
    awk -v want="$1%" '$1 == want {
        value = $2 + 0
        if ($2 ~ /us$/) value /= 1000; else if ($2 !~ /ms$/) value *= 1000
        printf "%.2f", value }' <<<"$2"
}

path() { printf '/database/1/%s/development/%s?%s' "$container" "$1" "$credentials"; }

# ask_first CONTAINER TYPE FILTER-OR-SORT...
# A query makes the index that it could have been led by; what is measured is with it.
ask_first() {
    local asked=$1 type=$2 clause
    local container=$asked
    shift 2
    for clause in "$@"; do
        curl -sf -o /dev/null -H 'Content-Type: application/json' -d "{\"query\":{\"recordType\":\"$type\",$clause},\"resultsLimit\":1}" \
            "$origin$(credentials=$("$load" sign-in --origin "$origin" --container "$asked") path public/records/query)"
    done
    # Until the indexes are built, and the tables that they took the place of are gone.
    # Programs of before 2026-11-24 have no metrics.
    curl -sf -o /dev/null "http://127.0.0.1:$((port + 5))/metrics" || return 0
    until curl -sf "http://127.0.0.1:$((port + 5))/metrics" | grep -qx 'cumulus_index_builds 0'; do sleep 0.2; done
}

# An answer of 200 with item errors would look fast: one request is checked before wrk starts.
expect() { "$load" post --url "$origin$1" --body "$2" --seconds 0 --expect-records "$3" >/dev/null; }

# The rows, with what was measured of the program before as a column of its own.
with_before() {
    local row index
    for index in "${!rows[@]}"; do
        row=${rows[$index]}
        if [ "${#before[@]}" = 0 ]; then
            printf '%s\n' "$row"
        else
            printf '%s|%s|%s\n' "${row%%|*}" "$(cut -d'|' -f2 <<<"${before[$index]:-}")" "${row#*|}"
        fi
    done
}

print_table() {
    printf '\n%s, %s cores, %s s a row, wrk on the same machine\n' "$(date -u +%F)" "$(nproc)" "$seconds"
    { printf 'work|%sCumulus|beside|goal|met\n' "${before[*]:+before|}"; with_before; } |
        sed 's/||/| |/g; s/||/| |/g; s/^|/ |/' | column -t -s '|'
    if wanted zones && [ "$big" = 1 ]; then
        echo "Feed: the first page and the 20 slowest of a full sync, each with its median over 15 requests."
    fi
    if wanted assets; then echo "nginx does not wait for the disk when it has taken a file; Cumulus does."; fi
    if wanted memory; then echo "Memory: the most resident at once, above what a fresh server holds."; fi
    if [ "$quick" = 1 ]; then echo "Quick run on small data: a look at whether all of it works, no measurement."; fi
}
