# Rows about what tests do between one another: on a server of `cumulus exec`, whose data is not synced.

# Runs inside `cumulus exec`: fills a container with 10,000 records, a database of 10 MB, and times resets and restores of it
# in turn, each with the first request after it, which opens the new database.
emulated() {
    local at=$CUMULUS_ORIGIN/emulator/1/containers/$CUMULUS_CONTAINER count=$1 text first
    text=$(head -c 120 /dev/zero | tr '\0' x)
    seq "$count" | awk -v text="$text" \
        '{ printf "{\"record\":{\"recordType\":\"Item\",\"recordName\":\"r%d\",\"fields\":{\"n\":%d,\"text\":\"%s\"}}}\n", $1, $1, text }' |
        curl -sf -o /dev/null "$at/seed" --data-binary @-
    curl -sf -o /dev/null -X PUT "$at/snapshots/full"
    first="$CUMULUS_ORIGIN/database/1/$CUMULUS_CONTAINER/development/public/zones/list?ckAPIToken=$CUMULUS_API_TOKEN"
    for _ in $(seq 15); do
        curl -sf -o /dev/null -w 'reset %{time_total}\n' -X POST "$at/reset"
        curl -sf -o /dev/null -w 'opened %{time_total}\n' "$first"
        curl -sf -o /dev/null -w 'restore %{time_total}\n' -X POST "$at/snapshots/full/restore"
        curl -sf -o /dev/null -w 'opened %{time_total}\n' "$first"
    done
}

measure_emulator() {
    say "resets and restores of a container"
    local times count=10000 reset restore opened
    times=$(cd "$root" && "$cumulus" exec -- bash -c "$(declare -f emulated); emulated $count")
    of() { median $(awk -v what="$1" '$1 == what { printf "%.1f ", $2 * 1000 }' <<<"$times"); }
    reset=$(of reset) restore=$(of restore) opened=$(of opened)
    row "emptying a container of $count records" "$reset ms" "first request after $opened ms" "≤ 20 ms" "$(met "$reset" '<=' 20)"
    row "restoring a snapshot of 10 MB" "$restore ms" "" "≤ 50 ms" "$(met "$restore" '<=' 50)"
}
