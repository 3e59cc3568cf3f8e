# Rows about those who wait for news.

parked=$([ "$quick" = 1 ] && echo 1000 || echo 10000)

measure_notifications() {
    measure_waking
    measure_parked
    measure_bare_waiting
}

# park CALL…: runs the load program in the background and returns when its waiters are parked. Its output is in $tmp/crowd.
park() {
    # An earlier crowd left these.
    rm -f "$tmp/go" "$tmp/crowd"
    mkfifo "$tmp/go"
    "$load" "$@" <"$tmp/go" >"$tmp/crowd" &
    crowd=$!
    pids+=("$crowd")
    exec 7>"$tmp/go"
    until [ -s "$tmp/crowd" ]; do
        kill -0 "$crowd" 2>/dev/null || { echo "the waiters could not be parked" >&2; exit 1; }
        sleep 0.2
    done
}

# Wakes the parked waiters and waits for the end of their program.
let_go() {
    exec 7>&-
    wait "$crowd"
    forget "$crowd"
}

# The floor of both: NIO's loop and parser answer as many waiting requests when a request arrives.
measure_bare_waiting() {
    local idle held
    start_bare
    row "write to wake-up at the bare handler, all of 1000, p50, p99" "" \
        "$("$load" wake-bare --origin "http://127.0.0.1:$bare_port" --waiters 1000 <<<"" | sed -n '2s/ /, /p') ms" "" ""
    stop "$bare_handler"
    start_bare
    idle=$(resident "$bare_handler")
    park wake-bare --origin "http://127.0.0.1:$bare_port" --waiters "$parked" --to-all 1
    sleep 2
    held=$(resident "$bare_handler")
    let_go
    stop "$bare_handler"
    row "$parked requests waiting at the bare handler, resident memory" "" "$held MB, $idle MB without them" "" ""
}

# From the sending of a write to the arrival of its message, by polls over HTTP.
measure_waking() {
    local count one_p50 one_p99 all_p50 all_p99 last answer metrics=(--metrics "http://127.0.0.1:$((port + 5))/metrics")
    # Programs of before 2026-11-24 have none.
    curl -sf -o /dev/null "${metrics[1]}" || metrics=()
    for count in 1 100 1000; do
        say "$count waiters"
        read -r one_p50 one_p99 all_p50 all_p99 last answer < <(
            "$load" wake --origin "$origin" --container "$container.waiting-$count" --waiters "$count" "${metrics[@]}" <<<"" | sed -n 2p)
        row "write to wake-up, one of $count waiters, p50, p99" "$one_p50, $one_p99 ms" "" "p99 ≤ 16 ms" \
            "$(met "$one_p99" '<=' 16)"
        row "write to wake-up, all of $count waiters, p50, p99" "$all_p50, $all_p99 ms" \
            "$([ "$count" = 1000 ] && [ -n "$pb_wake" ] && awk '{ printf "PocketBase %s, %s ms", $1, $2 }' <<<"$pb_wake")" \
            "p99 ≤ 16 ms" "$(met "$all_p99" '<=' 16)"
        row "… the writer's own answer, p50" "$answer ms" "" "≤ 10 ms" "$(met "$answer" '<=' 10)"
    done
}

# Many polls at once, on a fresh server: what they take, what it does meanwhile, and one change for all.
measure_parked() {
    local credentials most held figures last outcome alone
    stop "$server"
    start_server
    say "$parked parked polls"
    "$load" seed --origin "$origin" --container "$container" --records 1000 >&2
    credentials=$("$load" sign-in --origin "$origin" --container "$container")
    BENCH_RECORDS=1000 BENCH_PATH=$(path public/records/lookup) run_wrk lookup "$origin"
    alone=$rate
    stop "$server"
    start_server
    park wake --origin "$origin" --container "$container.parked" --waiters "$parked" --single 20
    most=$(resident "$server")
    # What was not used from one look to the next frees its memory, which goes back by the next. A look comes every 5 s.
    sleep 20
    held=$(resident "$server")
    BENCH_RECORDS=1000 BENCH_PATH=$(path public/records/lookup) run_wrk lookup "$origin"
    let_go
    figures=$(sed -n 2p "$tmp/crowd")
    outcome=$(sed -n 3p "$tmp/crowd")
    last=$(awk '{ print $5 }' <<<"$figures")
    row "$parked parked polls, resident memory" "$held MB" "$most MB when all had come" "≤ 120 MB" "$(met "$held" '<=' 120)"
    row "… one change to all: p50, last" "$(awk '{ print $3 ", " $5 }' <<<"$figures") ms" "$outcome" "last ≤ 1000 ms, 0 lost" \
        "$(met "$(awk '{ print $2 }' <<<"$outcome")" '<=' 0 | sed "s/yes/$(met "$last" '<=' 1000)/")"
    row "… lookups meanwhile" "$rate/s" "without them $alone/s" "≥ 0.9 ×: $(ratio "$rate" "$alone")" \
        "$(met "$(ratio "$rate" "$alone")" '>=' 0.9)"
}
