# Rows about the second engine: the same work over SQLite and over PostgreSQL on the same machine, one after the other in
# one run, and two servers on one database.

declare -A engine_lookup=() engine_lookup_said=() engine_create=() engine_create_said=() engine_batch=()

measure_postgres() {
    local limit
    measure_engine sqlite
    start_cluster
    limit=$(pgbench_creates)
    on_postgres measure_shared
    row "PostgreSQL: lookup of one record, 32 connections" "${engine_lookup_said[postgres]}" \
        "SQLite ${engine_lookup_said[sqlite]}" \
        "≥ 0.6 ×: $(ratio "${engine_lookup[postgres]}" "${engine_lookup[sqlite]}")" \
        "$(met "$(ratio "${engine_lookup[postgres]}" "${engine_lookup[sqlite]}")" '>=' 0.6)"
    row "PostgreSQL: create of one record, 32 connections" "${engine_create_said[postgres]}" \
        "SQLite ${engine_create_said[sqlite]}" \
        "≥ 0.6 ×: $(ratio "${engine_create[postgres]}" "${engine_create[sqlite]}")" \
        "$(met "$(ratio "${engine_create[postgres]}" "${engine_create[sqlite]}")" '>=' 0.6)"
    row "" "" "pgbench, a row and a commit each: $limit/s" "" ""
    row "PostgreSQL: records/modify, 200 creates each" "${engine_batch[postgres]} records/s" \
        "SQLite ${engine_batch[sqlite]}/s" "≥ 15000 records/s" "$(met "${engine_batch[postgres]}" '>=' 15000)"
    row "PostgreSQL: lookups through one server → two" "$one_server → $two_servers/s" "" \
        "≥ 1 ×: $(ratio "$two_servers" "$one_server")" "$(met "$(ratio "$two_servers" "$one_server")" '>=' 1)"
    if [ "$big" = 1 ]; then on_postgres measure_postgres_queries; fi
    stop_cluster
}

# on_postgres COMMAND: runs it with a server over the cluster in place of the one that the other rows are about.
on_postgres() {
    local port=$((port + 3)) data=$tmp/postgres server origin
    origin=http://127.0.0.1:$port
    export CUMULUS_DATABASE_URL=$database_url CUMULUS_ASSETS_URL=file://$tmp/postgres-assets
    start_server
    "$1"
    stop "$server"
    unset CUMULUS_DATABASE_URL CUMULUS_ASSETS_URL
}

# measure_engine NAME: of the server that runs.
measure_engine() {
    local container=$container.engine credentials
    say "$1: seeding $records records"
    "$load" seed --origin "$origin" --container "$container" --records "$records" >&2
    credentials=$("$load" sign-in --origin "$origin" --container "$container")
    export BENCH_RECORDS=$records
    index_both Item
    say "$1: lookups, creates, 200 creates per request"
    expect "$(path public/records/lookup)" '{"records":[{"recordName":"item-42"}]}' 1
    BENCH_PATH=$(path public/records/lookup) run_wrk lookup "$origin"
    engine_lookup[$1]=$rate engine_lookup_said[$1]=$(spoken)
    # In a container of their own: the indexes of the records above may still be built, which is the writer's work too.
    container+=.made
    credentials=$("$load" sign-in --origin "$origin" --container "$container")
    expect "$(path public/records/modify)" "{\"operations\":[$(made first)]}" 1
    index_both Made
    BENCH_PATH=$(path public/records/modify) CREATE_RUN=single run_wrk create "$origin"
    engine_create[$1]=$rate engine_create_said[$1]=$(spoken)
    BENCH_PATH=$(path public/records/modify) CREATE_RUN=batch CREATE_BATCH=200 run_wrk create "$origin" 8
    engine_batch[$1]=$((rate * 200))
}

# The same of one server with 64 connections and of two with 32 each, which is when reads share as many transactions as
# they may; sets one_server and two_servers.
measure_shared() {
    measure_engine postgres
    local container=$container.engine first=$server first_origin=$origin credentials
    local port=$((port + 1)) data=$tmp/postgres-second server origin
    origin=http://127.0.0.1:$port
    start_server
    say "lookups through one server, and through two at the same time"
    credentials=$("$load" sign-in --origin "$origin" --container "$container")
    BENCH_PATH=$(path public/records/lookup) measured=$first run_wrk lookup "$first_origin" 64
    one_server=$rate
    (
        BENCH_PATH=$(path public/records/lookup) measured=$first run_wrk lookup "$first_origin" 32
        echo "$rate" >"$tmp/first-rate"
    ) &
    local other=$!
    BENCH_PATH=$(path public/records/lookup) run_wrk lookup "$origin" 32
    wait "$other"
    two_servers=$((rate + $(cat "$tmp/first-rate")))
    stop "$server"
}

measure_postgres_queries() {
    local count
    for count in "$few_places" "$many_places"; do
        # An index is asked for while there is little to build it from: that takes PostgreSQL long.
        "$load" seed --origin "$origin" --container "$container.places.$count" --records 200 \
            --places code --places name --places tags --places location >&2
        ask_first "$container.places.$count" Place "${asked[@]}"
        seed_places "$count"
    done
    compare_sizes "100 by a prefix" \
        '"filterBy":[{"fieldName":"code","comparator":"BEGINS_WITH","fieldValue":{"value":"%-"}}]'
    compare_sizes "100 by an element of a list" \
        '"filterBy":[{"fieldName":"tags","comparator":"LIST_CONTAINS","fieldValue":{"value":"tag-%"}}]'
    compare_sizes "100 by a word" \
        '"filterBy":[{"fieldName":"name","comparator":"CONTAINS_ALL_TOKENS","fieldValue":{"value":"town%"}}]'
    compare_sizes "100 within 20 km" \
        '"filterBy":[{"fieldName":"location","comparator":"NEAR","distance":20000,"fieldValue":{"value":{"latitude":%,"longitude":-87}}}]'
    compare_sizes "the nearest 100 of all" \
        '"sortBy":[{"fieldName":"location","relativeLocation":{"latitude":%,"longitude":-87}}]'
}

# compare_sizes WORK QUERY: few and many in turn, three times.
compare_sizes() {
    local small=() large=()
    say "PostgreSQL: $1: $few_places → $many_places"
    for _ in 1 2 3; do
        small+=("$(time_query "$few_places" 100 "$2")")
        large+=("$(time_query "$many_places" 100 "$2")")
    done
    row "PostgreSQL: $1: $few_places → $many_places records, p50" \
        "$(printf '%.2f → %.2f ms' "$(median "${small[@]}")" "$(median "${large[@]}")")" "" \
        "≤ 1.5 ×: $(ratio "$(median "${large[@]}")" "$(median "${small[@]}")")" \
        "$(met "$(ratio "$(median "${large[@]}")" "$(median "${small[@]}")")" '<=' 1.5)"
}

# What the database takes at most in rows of this size, each in a transaction of its own, through 16 connections.
pgbench_creates() {
    local address="host=$cluster user=cumulus dbname=postgres"
    "$cluster_programs/psql" -X -q "$address" -c "CREATE TABLE bare (id bigserial PRIMARY KEY, name text, body bytea)" >&2
    echo "INSERT INTO bare (name, body) VALUES (md5(random()::text), decode(repeat('61', 300), 'hex'));" >"$tmp/bare.sql"
    "$cluster_programs/pgbench" -n -M prepared -c 16 -j 2 -T "$seconds" -f "$tmp/bare.sql" "$address" |
        awk '/^tps/ { printf "%.0f", $3 }'
}
