# Rows about a zone read by its owner and, through a share of everything in it, by a member. In turn, three times.

measure_sharing() {
    local container=$container.shared zone=SharedZone member=member@example.com owner ours theirs its_zone
    say "seeding $records shared records"
    read -r _ owner < <("$load" share-zone --origin "$origin" --container "$container" --zone "$zone" --member "$member")
    "$load" seed --origin "$origin" --container "$container" --zone "$zone" --parent root --records "$records" >&2
    export BENCH_RECORDS=$records
    its_zone='"zoneID":{"zoneName":"'$zone'","ownerRecordName":"'$owner'"},'

    say "lookups in the private and in the shared database, three times in turn"
    local private=() shared=()
    for _ in 1 2 3; do
        credentials=$("$load" sign-in --origin "$origin" --container "$container")
        BENCH_PATH=$(path private/records/lookup) BENCH_ZONE=$its_zone run_wrk lookup "$origin"
        private+=("$rate")
        credentials=$("$load" sign-in --origin "$origin" --container "$container" --email "$member")
        expect "$(path shared/records/lookup)" "{$its_zone"'"records":[{"recordName":"item-42"}]}' 1
        BENCH_PATH=$(path shared/records/lookup) BENCH_ZONE=$its_zone run_wrk lookup "$origin"
        shared+=("$rate")
    done
    theirs=$(median "${private[@]}") ours=$(median "${shared[@]}")
    row "lookup in the shared database, $records records" "$ours/s" "private $theirs/s" "ratio: $(ratio "$ours" "$theirs")" ""

    say "full sync of both, three times in turn"
    private=() shared=()
    for _ in 1 2 3; do
        private+=("$(page_time)")
        shared+=("$(page_time --email "$member" --owner "$owner")")
    done
    theirs=$(median "${private[@]}") ours=$(median "${shared[@]}")
    row "change feed of the shared database, page of 200" "$(printf '%.2f ms' "$ours")" \
        "$(printf 'private %.2f ms' "$theirs")" "ratio: $(ratio "$ours" "$theirs")" ""
}

# The median time of a page; beside the records a zone holds the root and its share.
page_time() {
    "$load" feed --origin "$origin" --container "$container" --zone "$zone" --expect-records $((records + 2)) "$@" |
        awk '{ print $6 }'
}
