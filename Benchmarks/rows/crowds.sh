# Rows about what one account's subscriptions cost everybody else's writes.

# Fields that all records have.
crowd_fields=$(for number in {1..8}; do printf ',"c%s":{"value":1,"type":"INT64"}' "$number"; done)

# Each set in a container of its own, in turn, three times: creates of one record by others, at a steady crowd of eight.
measure_crowds() {
    local set round
    local -A halves=() tails=()
    for set in none firing silent; do
        say "one account's subscriptions: $set"
        crowd_in "$set"
    done
    for round in 1 2 3; do
        for set in none firing silent; do
            say "creates beside one account's subscriptions: $set, round $round"
            CREATE_MORE=$crowd_fields write_beside "crowd-$set" "crowd$round" 1 8
            halves[$set]+=" $p50"
            tails[$set]+=" $p99"
        done
    done
    row "creates of one record, p50, p99" "$(crowd_figures none) ms" "" "" ""
    for set in firing silent; do
        row "… beside $(crowd_name "$set")" "$(crowd_figures "$set") ms" "" \
            "p50, p99 ≤ 2 ×: $(crowd_share halves "$set"), $(crowd_share tails "$set")" \
            "$(met "$(crowd_share halves "$set")" '<=' 2 | sed "s/yes/$(met "$(crowd_share tails "$set")" '<=' 2)/")"
    done
}

crowd_name() { if [ "$1" = firing ]; then echo "300 subscriptions on 20 devices"; else echo "900 that never fire"; fi; }
crowd_figures() { echo "$(median_of halves "$1"), $(median_of tails "$1")"; }
crowd_share() { ratio "$(median_of "$1" "$2")" "$(median_of "$1" none)"; }

# crowd_in SET: one user's subscriptions and devices in a container of their own. No two subscriptions ask the same.
crowd_in() {
    local container=$container.subscribed-crowd-$1 credentials number operations count=0
    credentials=$("$load" sign-in --origin "$origin" --container "$container" --email crowd@example.com)
    crowd_post "$(path public/records/modify)" "{\"operations\":[{\"operationType\":\"create\",\"record\":{
        \"recordType\":\"Made\",\"fields\":{\"number\":{\"value\":0,\"type\":\"INT64\"}$crowd_fields}}}]}"
    [ "$1" = none ] && return
    if [ "$1" = firing ]; then count=300; else count=900; fi
    operations=
    for ((number = 0; number < count; number++)); do
        operations+="${operations:+,}$(crowd_subscription "$1" "$number")"
        if ((number % 100 == 99)); then
            crowd_post "$(path public/subscriptions/modify)" "{\"operations\":[$operations]}"
            operations=
        fi
    done
    for ((number = 0; number < 20; number++)); do
        crowd_post "/device/1/$container/development/tokens/create?$credentials" \
            "{\"apnsEnvironment\":\"development\",\"clientId\":\"device-$number\"}"
    done
}

# crowd_subscription SET NUMBER: a hundred under no value, and a hundred under each value that all records have.
crowd_subscription() {
    local comparator=GREATER_THAN filters=
    [ "$1" = silent ] && comparator=LESS_THAN
    if (($2 >= 100)); then
        filters="{\"fieldName\":\"c$(($2 / 100))\",\"comparator\":\"EQUALS\",\"fieldValue\":{\"value\":1}},"
    fi
    filters+="{\"fieldName\":\"number\",\"comparator\":\"$comparator\",\"fieldValue\":{\"value\":-$(($2 + 1))}}"
    printf '{"operationType":"create","subscription":{"subscriptionID":"crowd-%s","subscriptionType":"query",' "$2"
    printf '"firesOn":["create"],"query":{"recordType":"Made","filterBy":[%s]}}}' "$filters"
}

crowd_post() { curl -fsS -o /dev/null -H 'Content-Type: application/json' -d "$2" "$origin$1"; }
