# Rows about a zone of a million records, left out with BENCH_BIG=0.

few=$([ "$quick" = 1 ] && echo 2000 || echo 10000)
many=$([ "$quick" = 1 ] && echo 20000 || echo 1000000)

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

measure_zones() {
    [ "$big" = 1 ] || return 0
    local small=() large=() small_p50 large_p50 feed
    seed_zone "$few"
    seed_zone "$many"
    say "list of 100 from $few and from $many records, three times in turn"
    for _ in 1 2 3; do
        small+=("$(time_zone "$few")")
        large+=("$(time_zone "$many")")
    done
    small_p50=$(median "${small[@]}") large_p50=$(median "${large[@]}")
    row "list of 100: $few → $many records, p50" "$(printf '%.2f → %.2f ms' "$small_p50" "$large_p50")" "" \
        "≤ 1.3 ×: $(ratio "$large_p50" "$small_p50")" "$(met "$(ratio "$large_p50" "$small_p50")" '<=' 1.3)"
    say "full sync of $many records"
    feed=$("$load" feed --origin "$origin" --container "$container.$many" --zone BenchZone --expect-records "$many")
    row "change feed: $many records, pages of 200" \
        "$(awk '{ printf "first %.2f, median %.2f, slowest %.2f ms", $4, $6, $8 }' <<<"$feed")" "" \
        "slowest ≤ 3 × first: $(awk '{ printf "%.2f", $10 }' <<<"$feed")" "$(met "$(awk '{ print $10 }' <<<"$feed")" '<=' 3)"
}
