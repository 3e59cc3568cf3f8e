# Rows about what subscriptions cost those who write.

# Each set in a container of its own, in turn, three times.
measure_subscriptions() {
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
