# Rows about what small requests can make the server hold, and make others wait. The attacks are in walls.py.

measure_walls() {
    local container=$container.walls credentials attack attacker before beside
    local -A what=(
        [lookup]="20 lookups of one 1 MB record 200 times" [changes]="20 changes/zone of one zone 200 times"
        [nonreaders]="6 clients that read nothing" [strangers]="60 bodies of 16 MB without credentials"
        [numbers]="bodies of 16 MB of JSON values"
    )
    credentials=$("$load" sign-in --origin "$origin" --container "$container")
    say "walls: the records"
    wall seed
    for attack in lookup changes nonreaders strangers numbers; do
        say "walls: ${what[$attack]}"
        watch wall "$attack"
        row "${what[$attack]}, memory" "$(resident_most) MB" "" "≤ 400 MB" "$(met "$(resident_most)" '<=' 400)"
    done

    say "walls: others' lookups beside 40 queries hung up on"
    before=$(others_p99)
    wall hangups &
    attacker=$!
    sleep 1
    beside=$(others_p99)
    wait "$attacker"
    row "others' lookup beside 40 queries hung up on, p99" "$beside ms" "$before ms alone" "≤ 500 ms" \
        "$(met "$beside" '<=' 500)"
}

# The p99 of another user's lookups, in milliseconds.
others_p99() {
    local credentials seconds=4 rate p50 p99
    credentials=$("$load" sign-in --origin "$origin" --container "$container" --email mei@example.com)
    BENCH_RECORDS=1 BENCH_PATH=$(path private/records/lookup) run_wrk lookup "$origin" 4
    echo "$p99"
}

wall() { python3 "$here/walls.py" "$1" "${origin#http://}" "$container" "$credentials"; }

# Megabytes the server held at its most since it was started or watched.
resident_most() { awk '/VmHWM/ { printf "%.0f", $2 / 1024 }' "/proc/$server/status"; }
