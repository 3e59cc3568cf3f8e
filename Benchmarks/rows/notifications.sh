# Rows about subscriptions and those who wait for news.

parked=$([ "$quick" = 1 ] && echo 1000 || echo 10000)

measure_notifications() {
    measure_matching
    measure_waking
    measure_parked
}

# Writes beside subscriptions: each set in a container of its own, in turn, three times.
measure_matching() {
    local set round
    local -A singles=() batches=()
    local some=100 many=10000
    for set in none "$some" "$many" types matching; do
        say "subscriptions: $set"
        case $set in
        none) subscribe "$set" 0 Made 0 ;;
        types) subscribe "$set" "$many" Other 0 ;;
        matching) subscribe "$set" "$many" Made 0 ;;
        *) subscribe "$set" "$set" Made 1000000 ;;
        esac
    done
    for round in 1 2 3; do
        for set in none "$some" "$many" types matching; do
            say "creates beside subscriptions: $set, round $round"
            write_beside "$set" "single$round" 1 32
            singles[$set]+=" $rate"
            write_beside "$set" "batch$round" 200 8
            batches[$set]+=" $((rate * 200))"
        done
    done
    row "creates of one record, no subscriptions" "$(median_of singles none)/s" "" "" ""
    compare "… $some to other values" singles "$some"
    compare "… $many to other values" singles "$many"
    compare "… $many to other types" singles types
    compare "… $many values, each record met by one" singles matching
    row "200 creates each, no subscriptions" "$(median_of batches none) records/s" "" "" ""
    compare "… $some to other values" batches "$some"
    compare "… $many to other values" batches "$many"
    compare "… $many to other types" batches types
    compare "… $many values, each record met by one" batches matching
}

# subscribe SET COUNT TYPE FROM
subscribe() {
    "$load" subscribe --origin "$origin" --container "$container.subscribed-$1" --count "$2" --type "$3" --from "$4"
}

# write_beside SET RUN BATCH CONNECTIONS
write_beside() {
    local container=$container.subscribed-$1 credentials
    credentials=$("$load" sign-in --origin "$origin" --container "$container")
    BENCH_PATH=$(path public/records/modify) CREATE_RUN=$2 CREATE_BATCH=$3 run_wrk create "$origin" "$4"
}

# median_of RATES SET
median_of() {
    local -n rates=$1
    # shellcheck disable=SC2086
    median ${rates[$2]}
}

# compare WORK RATES SET
compare() {
    local share
    share=$(ratio "$(median_of "$2" "$3")" "$(median_of "$2" none)")
    row "$1" "$(median_of "$2" "$3")/s" "" "≥ 0.9 ×: $share" "$(met "$share" '>=' 0.9)"
}

# From the sending of a write to the arrival of its message, by polls over HTTP.
measure_waking() {
    local count one_p50 one_p99 all_p50 all_p99 last
    for count in 1 100 1000; do
        say "$count waiters"
        read -r one_p50 one_p99 all_p50 all_p99 last < <(
            "$load" wake --origin "$origin" --container "$container.waiting-$count" --waiters "$count" <<<"" | sed -n 2p)
        row "write to wake-up, one of $count waiters, p50, p99" "$one_p50, $one_p99 ms" "" "p99 ≤ 20 ms" \
            "$(met "$one_p99" '<=' 20)"
        row "write to wake-up, all of $count waiters, p50, p99" "$all_p50, $all_p99 ms" \
            "$([ "$count" = 1000 ] && [ -n "$pb_wake" ] && awk '{ printf "PocketBase %s, %s ms", $1, $2 }' <<<"$pb_wake")" "" ""
    done
}

# Many polls at once, on a fresh server: what they take, what it does meanwhile, and one change for all.
measure_parked() {
    local credentials crowd held figures last outcome alone
    stop "$server"
    start_server
    say "$parked parked polls"
    "$load" seed --origin "$origin" --container "$container" --records 1000 >&2
    credentials=$("$load" sign-in --origin "$origin" --container "$container")
    BENCH_RECORDS=1000 BENCH_PATH=$(path public/records/lookup) run_wrk lookup "$origin"
    alone=$rate
    stop "$server"
    start_server
    mkfifo "$tmp/go"
    "$load" wake --origin "$origin" --container "$container.parked" --waiters "$parked" --single 20 <"$tmp/go" >"$tmp/crowd" &
    crowd=$!
    pids+=("$crowd")
    exec 7>"$tmp/go"
    until [ -s "$tmp/crowd" ]; do
        kill -0 "$crowd" 2>/dev/null || { echo "the waiters could not be parked" >&2; exit 1; }
        sleep 0.2
    done
    held=$(resident "$server")
    BENCH_RECORDS=1000 BENCH_PATH=$(path public/records/lookup) run_wrk lookup "$origin"
    exec 7>&-
    wait "$crowd"
    forget "$crowd"
    figures=$(sed -n 2p "$tmp/crowd")
    outcome=$(sed -n 3p "$tmp/crowd")
    last=$(awk '{ print $5 }' <<<"$figures")
    row "$parked parked polls, resident memory" "$held MB" "" "≤ 200 MB" "$(met "$held" '<=' 200)"
    row "… one change to all: p50, last" "$(awk '{ print $3 ", " $5 }' <<<"$figures") ms" "$outcome" "last ≤ 1000 ms, 0 lost" \
        "$(met "$(awk '{ print $2 }' <<<"$outcome")" '<=' 0 | sed "s/yes/$(met "$last" '<=' 1000)/")"
    row "… lookups meanwhile" "$rate/s" "without them $alone/s" "≥ 0.9 ×: $(ratio "$rate" "$alone")" \
        "$(met "$(ratio "$rate" "$alone")" '>=' 0.9)"
}
