# Rows about what it costs to keep a record of each request: two servers, one with and one without, measured in turns.

measure_observing() {
    local container=$container.observed rounds=5 others=$((port + 4)) kept=$origin seconds=$((seconds > 3 ? 3 : seconds))
    if [ "$quick" = 1 ]; then rounds=1; fi
    start_unrecorded "$others"
    for origin in "$kept" "http://127.0.0.1:$others"; do
        "$load" seed --origin "$origin" --container "$container" --records 1000 >&2
    done
    export BENCH_RECORDS=1000
    compare_recording lookup "lookup of one record, recorded"
    compare_recording create "create of one record, recorded"
    stop "$unrecorded"
    origin=$kept
}

# compare_recording SCRIPT WORK
compare_recording() {
    local with=() without=() turn
    say "$2, in turns with a server that records nothing"
    for ((turn = 0; turn < rounds; turn++)); do
        measure_recording "$1" "$kept" "with-$turn"
        with+=("$rate")
        measure_recording "$1" "http://127.0.0.1:$others" "without-$turn"
        without+=("$rate")
    done
    local on off
    on=$(median "${with[@]}") off=$(median "${without[@]}")
    row "$2, 32 connections" "$on/s" "not recorded $off/s" "≥ 0.95 ×: $(ratio "$on" "$off")" \
        "$(met "$(ratio "$on" "$off")" '>=' 0.95)"
}

# measure_recording SCRIPT ORIGIN RUN
measure_recording() {
    credentials=$("$load" sign-in --origin "$2" --container "$container")
    local endpoint=public/records/lookup
    if [ "$1" = create ]; then endpoint=public/records/modify; fi
    BENCH_PATH=$(path "$endpoint") CREATE_RUN="$1-$3" run_wrk "$1" "$2"
}

# Starts a server at PORT that keeps no records; sets unrecorded.
start_unrecorded() {
    (cd "$root" && CUMULUS_CONNECTIONS_PER_ADDRESS=100000 CUMULUS_REQUESTS_RECORDED=false \
        exec "$cumulus" serve --dev --host 127.0.0.1 --port "$1" --data "$tmp/unrecorded") >>"$tmp/unrecorded.log" 2>&1 &
    unrecorded=$!
    pids+=("$unrecorded")
    "$load" wait --url "http://127.0.0.1:$1/health" --since "$(date +%s.%N)" >/dev/null
}
