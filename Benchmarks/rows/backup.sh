# Rows about writes beside a backup of a large database: 16 connections write steadily, while it is made and while the
# log that has grown meanwhile is brought back.

measure_backup() {
    local container=$container.backup count=$backup_records began copied_in bytes log
    say "seeding $count records to back up"
    "$load" seed --origin "$origin" --container "$container" --records "$count" >&2
    credentials=$("$load" sign-in --origin "$origin" --container "$container")
    expect "$(path public/records/modify)" "{\"operations\":[$(made first)]}" 1

    say "steady creates without a backup"
    begin_writing quiet
    sleep "$seconds"
    end_writing
    row "steady creates, 16 connections" "$(written)" "" "" ""

    say "steady creates beside a backup"
    begin_writing beside
    began=$(date +%s.%N)
    "$cumulus" backup create --data "$data" --to "$tmp/backups" >&2
    copied_in=$(awk -v a="$began" -v b="$(date +%s.%N)" 'BEGIN { printf "%.0f", b - a }')
    bytes=$(du -sm "$tmp/backups" | cut -f1)
    log=$(du -m "$data"/containers/*-wal | awk '$1 > most { most = $1 } END { print most + 0 }')
    sleep "$seconds"
    end_writing
    row "the same beside a backup" "$(written)" "$bytes MB in $copied_in s, log $log MB" "longest ≤ 100 ms" \
        "$(met "$longest" '<=' 100)"
}

# begin_writing NAME
begin_writing() {
    BENCH_PATH=$(path public/records/modify) CREATE_RUN=$1 LUA_PATH="$here/wrk/?.lua;;" \
        wrk -t2 -c16 -d3600s --latency --timeout 60s -s "$here/wrk/steady.lua" "$origin" >"$tmp/writing" &
    writing=$!
    pids+=("$writing")
    sleep 1
}

# Sets rate, p99 and longest (milliseconds).
end_writing() {
    kill -INT "$writing"
    wait "$writing" || true
    forget "$writing"
    if grep -qE 'Non-2xx|Socket errors' "$tmp/writing"; then say "$(grep -E 'Non-2xx|Socket errors' "$tmp/writing" | tr -s ' ')"; fi
    rate=$(awk '/Requests\/sec/ { printf "%.0f", $2 }' "$tmp/writing")
    p99=$(latency 99 "$(cat "$tmp/writing")")
    longest=$(latency 100 "$(awk '$1 == "Latency" && NF == 5 { print "100%", $4 }' "$tmp/writing")")
}

written() { printf '%s/s (p99 %s ms, longest %s ms)' "$rate" "$p99" "$longest"; }
