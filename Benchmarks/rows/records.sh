# Rows about single records: lookups, queries, creates, updates, and lookups beside creates. PocketBase has an index on
# the same two fields, and does not wait for the disk at each commit.

measure_records() {
    say "seeding $records records"
    "$load" seed --origin "$origin" --container "$container" --records "$records" >&2
    credentials=$("$load" sign-in --origin "$origin" --container "$container")
    export BENCH_RECORDS=$records
    index_both Item
    start_bare

    say "lookup of one record"
    expect "$(path public/records/lookup)" '{"records":[{"recordName":"item-42"}]}' 1
    BENCH_PATH=$(path public/records/lookup) run_wrk lookup "$origin"
    local lookup=$rate lookup_cost=$cost
    beside "lookup of one record, 32 connections" view 4
    measured=$bare_handler run_wrk bare "http://127.0.0.1:$bare_port"
    stop "$bare_handler"
    row "" "" "bare handler $(spoken)" "≥ 0.5 ×: $(ratio "$lookup" "$rate")" "$(met "$(ratio "$lookup" "$rate")" '>=' 0.5)"
    row "processor time of a lookup ÷ that of the bare handler" "$(ratio "$lookup_cost" "$cost")" "$lookup_cost and $cost µs" "≤ 5 ×" \
        "$(met "$(ratio "$lookup_cost" "$cost")" '<=' 5)"

    measure_first_query
    measure_query number 1 "query on an indexed field, 1 of $records" 3.5 one
    measure_query bucket 100 "query returning 100 records" 9 list
    measure_frames 1 20 24
    measure_frames 200 1 3

    expect "$(path public/records/modify)" "{\"operations\":[$(made first)]}" 1
    index_both Made
    say "create of one record per request"
    BENCH_PATH=$(path public/records/modify) CREATE_RUN=single run_wrk create "$origin"
    beside "create of one record, 32 connections" create 3 10
    say "80 % lookups, 20 % creates"
    BENCH_LOOKUP=$(path public/records/lookup) BENCH_PATH=$(path public/records/modify) CREATE_RUN=mixed run_wrk mixed "$origin"
    beside "80 % lookups, 20 % creates" mixed 4
    measure_updates
    measure_batches
}

# A query makes the index that it could have been led by: of number and of bucket, as PocketBase has them.
index_both() { ask_first "$container" "$1" '"sortBy":[{"fieldName":"number"}]' '"sortBy":[{"fieldName":"bucket"}]'; }

spoken() { printf '%s/s (p99 %s ms, %s µs)' "$rate" "$p99" "$cost"; }

# beside WORK PEER-WORK GOAL [MOST-P99]: a row of what was just measured.
beside() {
    local peer=pb_$2 goal="≥ $3 ×" is_met
    is_met=$(met "$(ratio "$rate" "${!peer}")" '>=' "$3")
    if [ -n "${4:-}" ]; then
        goal+=", p99 ≤ $4 ms"
        if [ "$(met "$p99" '<=' "$4")" = NO ]; then is_met=NO; fi
    fi
    row "$1" "$(spoken)" "${pb_said[$2]:-}" "$goal: $(ratio "$rate" "${!peer}")" "$is_met"
}

# Each update has the tag of the version that it changes: those of 2,000 records are looked up first.
measure_updates() {
    local first names
    say "update of one record with its tag"
    for ((first = 0; first < 2000; first += 200)); do
        names=$(seq "$first" "$((first + 199))" | sed 's/.*/{"recordName":"item-&"}/' | paste -sd,)
        curl -sf "$origin$(path public/records/lookup)" -d "{\"records\":[$names]}" |
            jq -r '.records[] | "\(.recordName) \(.recordChangeTag)"'
    done >"$tmp/tags"
    BENCH_TAGS=$tmp/tags BENCH_PATH=$(path public/records/modify) run_wrk update "$origin"
    beside "update of one record with its tag" update 5 15
}

# Beside the same rows in a file of SQLite alone, a commit for each 200.
measure_batches() {
    local limit
    say "200 creates per request, three times in turn with SQLite alone"
    local ours=() theirs=()
    for turn in 1 2 3; do
        BENCH_PATH=$(path public/records/modify) CREATE_RUN=batch$turn CREATE_BATCH=200 run_wrk create "$origin" 8
        ours+=("$((rate * 200))")
        theirs+=("$(python3 "$here/plain-sqlite.py" "$tmp/plain.sqlite" "$seconds")")
    done
    rate=$(median "${ours[@]}") limit=$(median "${theirs[@]}")
    row "records/modify, 200 creates each" "$rate records/s (p99 $p99 ms)" "SQLite alone $limit/s" \
        "≥ 30000 records/s" "$(met "$rate" '>=' 30000)"
    row "" "" "" "≥ 0.65 ×: $(ratio "$rate" "$limit")" "$(met "$(ratio "$rate" "$limit")" '>=' 0.65)"
}

# measure_query FIELD EXPECTED-RECORDS WORK GOAL PEER-WORK
measure_query() {
    say "$3"
    local body='{"query":{"recordType":"Item","filterBy":[{"fieldName":"'$1'","comparator":"EQUALS","fieldValue":{"value":7,"type":"INT64"}}]},"resultsLimit":100}'
    expect "$(path public/records/query)" "$body" "$2"
    BENCH_PATH=$(path public/records/query) QUERY_FIELD=$1 run_wrk query "$origin"
    beside "$3" "$5" "$4"
}

# 32 clients ask for a field that nobody has asked for before, and so build its index, in a container of its own; then
# they ask once more.
measure_first_query() {
    local first fresh=$container.first
    say "query on a field whose index is not built yet"
    "$load" seed --origin "$origin" --container "$fresh" --records "$records" >&2
    local container=$fresh credentials
    credentials=$("$load" sign-in --origin "$origin" --container "$fresh")
    BENCH_PATH=$(path public/records/query) QUERY_FIELD=number run_wrk query "$origin"
    first=$rate
    row "query of one, its index not built yet, 32 connections" "$(spoken)" "" "" ""
    BENCH_PATH=$(path public/records/query) QUERY_FIELD=number run_wrk query "$origin"
    row "… the next round" "$(spoken)" "" "≥ 0.75 ×: $(ratio "$first" "$rate")" "$(met "$(ratio "$first" "$rate")" '>=' 0.75)"
}

# measure_frames RECORDS-IN-A-REQUEST REQUESTS GOAL
# Pages written to the log by each create: what the writer's time goes into, and the same on a busy machine.
measure_frames() {
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
log_frames() { od -An -tu4 -j16 -N4 "$data/containers/1-development.sqlite-shm" | tr -d ' '; }

made() {
    local number=$RANDOM
    printf '{"operationType":"create","record":{"recordType":"Made","recordName":"%s-%s","fields":{' \
        "$(od -An -tx8 -N8 /dev/urandom | tr -d ' ')" "$1"
    printf '"title":{"value":"Item number %s"},"number":{"value":%s},"bucket":{"value":%s},"price":{"value":%s.5},' \
        "$number" "$number" "$((number % 1000))" "$((number % 1000))"
    printf '"note":{"value":"%s"}}}}' "$(printf 'a note, %.0s' {1..12})"
}
