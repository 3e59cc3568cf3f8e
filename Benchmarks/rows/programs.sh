# The programs that are measured and measured with: built, started, ended by their ids.

pids=()

# What was measured is told even when a later row could not be.
finish() {
    if [ "${#rows[@]}" != 0 ]; then print_table; fi
    for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done
    for pid in "${pids[@]}"; do wait "$pid" 2>/dev/null || true; done
    stop_cluster
    rm -rf "$tmp"
}

forget() { local kept=() pid; for pid in "${pids[@]}"; do [ "$pid" = "$1" ] || kept+=("$pid"); done; pids=("${kept[@]}"); }

build() {
    command -v wrk >/dev/null || { echo "wrk is missing: apt-get install wrk" >&2; exit 1; }
    cumulus=${CUMULUS:-$root/.build/release/cumulus}
    load=${BENCH_TOOLS:-$here/.build/release}/cumulus-load
    bare=${BENCH_TOOLS:-$here/.build/release}/bare-handler
    if [ -z "${CUMULUS:-}" ]; then
        say "building the server (release)"
        (cd "$root" && Scripts/build-program.sh) >&2
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
    (cd "$root" && eval "$(environment)" && exec "$cumulus" serve --dev --host 127.0.0.1 --port "$port" --data "$data") \
        >>"$tmp/server.log" 2>&1 &
    server=$!
    pids+=("$server")
    ready=$("$load" wait --url "$origin${1:-/health}" --since "$since") || { tail -20 "$tmp/server.log" >&2; exit 1; }
}

# Everybody who is measured comes from one address; programs of before 2026-11-22 have no bound on those, and those of
# before 2026-11-24 no metrics.
environment() {
    local settings
    settings=$("$cumulus" settings)
    if [[ $settings == *connectionsPerAddress* ]]; then
        echo export CUMULUS_CONNECTIONS_PER_ADDRESS=100000 CUMULUS_CONNECTIONS=16000
    fi
    if [ -n "${tls:-}" ]; then echo "export $tls"; fi
    if [[ $settings == *metrics.address* ]]; then echo export CUMULUS_METRICS_ADDRESS=127.0.0.1:$((port + 5)); fi
}

stop() {
    kill "$1"
    wait "$1" 2>/dev/null || true
    forget "$1"
}

# Until the server has run no program for two seconds: it prepares the pictures of what is shared.
wait_for_programs() {
    local quiet=0
    while [ "$quiet" -lt 10 ]; do
        if pgrep -P "$server" >/dev/null; then quiet=0; else quiet=$((quiet + 1)); fi
        sleep 0.2
    done
}

resident() { awk '/VmRSS/ { printf "%.0f", $2 / 1024 }' "/proc/$1/status"; }
