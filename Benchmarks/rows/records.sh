# Rows about single records: lookups, creates, queries.

measure_records() {
    say "seeding $records records"
    "$load" seed --origin "$origin" --container "$container" --records "$records" >&2
    credentials=$("$load" sign-in --origin "$origin" --container "$container")
    export BENCH_RECORDS=$records
    ask_first "$container" Item '"sortBy":[{"fieldName":"number"}]' '"sortBy":[{"fieldName":"bucket"}]'
    start_bare

    say "lookup of one record"
    expect "$(path public/records/lookup)" '{"records":[{"recordName":"item-42"}]}' 1
    BENCH_PATH=$(path public/records/lookup) run_wrk lookup "$origin"
    lookup=$rate lookup_p99=$p99
    run_wrk bare "http://127.0.0.1:$bare_port"
    row "lookup of one record, 32 connections" "$lookup/s (p99 $lookup_p99 ms)" "${pb_view:+PocketBase $pb_view/s}" \
        "≥ 3 ×: $(ratio "$lookup" "$pb_view")" "$(met "$(ratio "$lookup" "$pb_view")" '>=' 3)"
    row "" "" "bare handler $rate/s" "≥ 0.5 ×: $(ratio "$lookup" "$rate")" "$(met "$(ratio "$lookup" "$rate")" '>=' 0.5)"

    measure_pages 1 20 24
    measure_pages 200 1 3

    say "create of one record per request"
    BENCH_PATH=$(path public/records/modify) CREATE_RUN=single run_wrk create "$origin"
    row "create of one record, 32 connections" "$rate/s (p99 $p99 ms)" "${pb_create:+PocketBase $pb_create/s}" \
        "≥ 3 ×: $(ratio "$rate" "$pb_create")" "$(met "$(ratio "$rate" "$pb_create")" '>=' 3)"

    say "200 creates per request"
    BENCH_PATH=$(path public/records/modify) CREATE_RUN=batch CREATE_BATCH=200 run_wrk create "$origin" 8
    row "records/modify, 200 creates each" "$((rate * 200)) records/s (p99 $p99 ms)" "" "≥ 30000 records/s" \
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
    row "$3" "$rate/s (p99 $p99 ms)" "${5:+PocketBase $5/s}" "≥ $4 ×: $(ratio "$rate" "$5")" \
        "$(met "$(ratio "$rate" "$5")" '>=' "$4")"
}

# measure_pages RECORDS-IN-A-REQUEST REQUESTS GOAL
# Pages written to the log by each create: what the writer's time goes into, and the same on a busy machine.
measure_pages() {
    say "pages of $1 creates in one commit"
    local before after request number operations pages=
    before=$(log_frames)
    for ((request = 0; request < $2; request++)); do
        operations=
        for ((number = 0; number < $1; number++)); do operations+=",$(made "pages-$1-$request-$number")"; done
        expect "$(path public/records/modify)" "{\"operations\":[${operations:1}]}" "$1"
    done
    after=$(log_frames)
    # Less than before when the log was begun anew meanwhile.
    if [ "$after" -gt "$before" ]; then pages=$(ratio $((after - before)) $(($1 * $2))); fi
    row "pages per create, $1 in a commit" "${pages:-–}" "" "≤ $3" "$(met "$pages" '<=' "$3")"
}

# Frames in the log: a number in the head of the file that its readers share (sqlite.org/walformat.html).
log_frames() { od -An -tu4 -j16 -N4 "$tmp/data/containers/1-development.sqlite-shm" | tr -d ' '; }

made() {
    local number=$RANDOM
    printf '{"operationType":"create","record":{"recordType":"Made","recordName":"%s-%s","fields":{' \
        "$(od -An -tx8 -N8 /dev/urandom | tr -d ' ')" "$1"
    printf '"title":{"value":"Item number %s"},"number":{"value":%s},"bucket":{"value":%s},"price":{"value":%s.5},' \
        "$number" "$number" "$((number % 1000))" "$((number % 1000))"
    printf '"note":{"value":"%s"}}}}' "$(printf 'a note, %.0s' {1..12})"
}
