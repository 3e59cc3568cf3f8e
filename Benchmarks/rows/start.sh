# Rows about a server that has just been started over what the rows before have written.

measure_start() {
    say "start and idle"
    local container=$container size idle
    if wanted zones && [ "$big" = 1 ]; then container=$container.$many; fi
    credentials=$("$load" sign-in --origin "$origin" --container "$container")
    stop "$server"
    size=$(du -sm "$data" | cut -f1)
    # Databases are opened when they are first asked for: ready is when the largest answers.
    start_server "$(path private/zones/list)"
    sleep 3
    row "start to ready, $size MB of data" "$ready ms" "" "≤ 1000 ms" "$(met "$ready" '<=' 1000)"
    idle=$(resident "$server")
    row "resident when idle" "$idle MB" "${pb_rss:+PocketBase $pb_rss MB after its load}" "≤ 60 MB" \
        "$(met "$idle" '<=' 60)"
}
