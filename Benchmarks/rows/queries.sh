# Rows about queries by each kind of index, over few and over a million records, and what each kind costs who writes.

few_places=10000
many_places=$([ "$quick" = 1 ] && echo 30000 || echo 1000000)

measure_queries() {
    measure_index_cost
    [ "$big" = 1 ] || return 0
    seed_places "$few_places"
    seed_places "$many_places"
    time_queries "100 by a prefix" 100 \
        '"filterBy":[{"fieldName":"code","comparator":"BEGINS_WITH","fieldValue":{"value":"%-"}}]'
    time_queries "100 by an element of a list" 100 \
        '"filterBy":[{"fieldName":"tags","comparator":"LIST_CONTAINS","fieldValue":{"value":"tag-%"}}]'
    time_queries "100 by a word" 100 \
        '"filterBy":[{"fieldName":"name","comparator":"CONTAINS_ALL_TOKENS","fieldValue":{"value":"town%"}}]'
    time_queries "100 by a word and one that all have" 100 \
        '"filterBy":[{"fieldName":"name","comparator":"CONTAINS_ALL_TOKENS","fieldValue":{"value":"Place TOWN%"}}]'
    time_queries "100 within 20 km" 100 \
        '"filterBy":[{"fieldName":"location","comparator":"NEAR","distance":20000,"fieldValue":{"value":{"latitude":%,"longitude":-87}}}]'
    time_queries "100 within 20 km, nearest first" 100 \
        '"filterBy":[{"fieldName":"location","comparator":"NEAR","distance":20000,"fieldValue":{"value":{"latitude":%,"longitude":-87}}}],"sortBy":[{"fieldName":"location","relativeLocation":{"latitude":%,"longitude":-87}}]'
    time_queries "the nearest 100 of all" 100 \
        '"sortBy":[{"fieldName":"location","relativeLocation":{"latitude":%,"longitude":-87}}]'
    time_queries "100 by a tag that all have" 100 \
        '"filterBy":[{"fieldName":"tags","comparator":"LIST_CONTAINS","fieldValue":{"value":"everywhere"}}]'
    time_queries "100 within half the earth" 100 \
        '"filterBy":[{"fieldName":"location","comparator":"NEAR","distance":10007500,"fieldValue":{"value":{"latitude":%,"longitude":-87}}}]'
    time_queries "100 by a word that all have, sorted" 100 \
        '"filterBy":[{"fieldName":"name","comparator":"CONTAINS_ALL_TOKENS","fieldValue":{"value":"Place"}}],"sortBy":[{"fieldName":"number"}]'
    time_queries "100 by a tag and a word that all have, farthest first" 100 \
        '"filterBy":[{"fieldName":"tags","comparator":"LIST_CONTAINS","fieldValue":{"value":"everywhere"}},{"fieldName":"name","comparator":"CONTAINS_ALL_TOKENS","fieldValue":{"value":"Place"}}],"sortBy":[{"fieldName":"location","ascending":false,"relativeLocation":{"latitude":%,"longitude":-87}}]'
    time_queries "1 by number and 20 filters" 1 "\"filterBy\":[$(twenty_filters)]"
}

twenty_filters() {
    local filter='{"fieldName":"number","comparator":"EQUALS","fieldValue":{"value":%}}' count
    printf '%s' "$filter"
    for count in {1..19}; do
        printf ',{"fieldName":"code","comparator":"NOT_EQUALS","fieldValue":{"value":"none-%s"}}' "$count"
    done
}

# Batches of records with a number, and with a number and one field more: in turn, three times, each in a container of
# its own.
measure_index_cost() {
    local count kind round
    local -A batches=()
    count=$([ "$quick" = 1 ] && echo 4000 || echo 60000)
    for round in 1 2 3; do
        for kind in number code name tags location; do
            say "creates with $kind, round $round"
            "$load" seed --origin "$origin" --container "$container.$kind.$round" --records 200 --places "$kind" >&2
            ask_first "$container.$kind.$round" Place "${asked[number]}" "${asked[$kind]}"
            batches[$kind]+=" $("$load" seed --origin "$origin" --container "$container.$kind.$round" \
                --records "$count" --places "$kind" | awk '{ print $NF }')"
        done
    done
    row "200 creates each, a number alone" "$(median_of batches number) records/s" "" "" ""
    for kind in code name tags location; do
        row "… and ${what[$kind]}" "$(median_of batches "$kind") records/s" "" \
            "$(ratio "$(median_of batches "$kind")" "$(median_of batches number)") ×" ""
    done
}

declare -A asked=(
    [number]='"sortBy":[{"fieldName":"number"}]'
    [code]='"filterBy":[{"fieldName":"code","comparator":"BEGINS_WITH","fieldValue":{"value":"1"}}]'
    [name]='"filterBy":[{"fieldName":"name","comparator":"CONTAINS_ALL_TOKENS","fieldValue":{"value":"town1"}}]'
    [tags]='"filterBy":[{"fieldName":"tags","comparator":"LIST_CONTAINS","fieldValue":{"value":"tag-1"}}]'
    [location]='"filterBy":[{"fieldName":"location","comparator":"NEAR","distance":20000,"fieldValue":{"value":{"latitude":1,"longitude":-87}}}]'
)
declare -A what=(
    [code]="a string of two words" [name]="a string of six words" [tags]="a list of two strings" [location]="a position"
)

seed_places() {
    say "seeding $1 places with every kind of index"
    "$load" seed --origin "$origin" --container "$container.places.$1" --records "$1" \
        --places code --places name --places tags --places location >&2
    ask_first "$container.places.$1" Place "${asked[@]}"
}

# time_queries WORK EXPECTED-RECORDS QUERY: few and many in turn, three times.
time_queries() {
    local small=() large=()
    say "$1: $few_places → $many_places"
    for _ in 1 2 3; do
        small+=("$(time_query "$few_places" "$2" "$3")")
        large+=("$(time_query "$many_places" "$2" "$3")")
    done
    row "$1: $few_places → $many_places records, p50" \
        "$(printf '%.2f → %.2f ms' "$(median "${small[@]}")" "$(median "${large[@]}")")" "" \
        "≤ 1.3 ×: $(ratio "$(median "${large[@]}")" "$(median "${small[@]}")")" \
        "$(met "$(ratio "$(median "${large[@]}")" "$(median "${small[@]}")")" '<=' 1.3)"
}

# time_query RECORDS EXPECTED-RECORDS QUERY
time_query() {
    local container=$container.places.$1
    "$load" post \
        --url "$origin/database/1/$container/development/public/records/query?$("$load" sign-in --origin "$origin" --container "$container")" \
        --body "{\"query\":{\"recordType\":\"Place\",$3},\"resultsLimit\":100}" \
        --numbers 80 --seconds "$(awk -v s="$seconds" 'BEGIN { print s / 2 }')" --expect-records "$2" | awk '{ print $4 }'
}
