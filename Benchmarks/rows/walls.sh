# Rows about what small requests, and misused connections, can make the server hold and make others wait. The attacks are
# in walls.py and connections.py.

measure_walls() {
    local container=$container.walls credentials attack before beside
    local -A what=(
        [lookup]="20 lookups of one 1 MB record 200 times" [changes]="20 changes/zone of one zone 200 times"
        [nonreaders]="6 clients that read nothing" [strangers]="60 bodies of 16 MB without credentials"
        [numbers]="bodies of 16 MB of JSON values" [writes]="24 writes of 13 MB at once"
    )
    credentials=$("$load" sign-in --origin "$origin" --container "$container")
    say "walls: the records"
    wall seed
    for attack in lookup changes nonreaders strangers numbers writes; do
        say "walls: ${what[$attack]}"
        watch beside_health wall "$attack"
        row "${what[$attack]}, memory" "$(resident_most) MB" "" "≤ 400 MB" "$(met "$(resident_most)" '<=' 400)"
        row "/health beside ${what[$attack]}, slowest" "$slowest ms" "" "≤ 1000 ms" "$(met "$slowest" '<=' 1000)"
    done

    say "walls: others' lookups beside 40 queries hung up on"
    before=$(others_p99)
    beside=$(others_p99_beside wall hangups)
    row "others' lookup beside 40 queries hung up on, p99" "$beside ms" "$before ms alone" "≤ 500 ms" \
        "$(met "$beside" '<=' 500)"
    measure_connections "$before"
}

# Misused connections, over HTTP/1.1 and over HTTP/2 with TLS. The figure beside is that of others' lookups alone.
measure_connections() {
    local before=$1 attack megabytes=$([ "$quick" = 1 ] && echo 64 || echo 1024) held beside
    secure=127.0.0.1:$((port + 6))
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost \
        -addext subjectAltName=DNS:localhost -keyout "$tmp/key.pem" -out "$tmp/cert.pem" 2>/dev/null
    stop "$server"
    # Read by whatever starts the server.
    local tls="CUMULUS_TLS_ADDRESS=$secure CUMULUS_TLS_CERTIFICATE=$tmp/cert.pem CUMULUS_TLS_KEY=$tmp/key.pem"
    tls+=" CUMULUS_PUBLIC_URL=https://localhost:$((port + 6))"
    start_server
    local -A what=(
        [upgrade]="Upgrade: h2c, then" [connect]="CONNECT, then" [prior]="HTTP/2 without TLS, then"
        [idledata]="DATA of an idle stream," [reset]="rapid reset, then" [continuation]="CONTINUATION,"
        [settings]="SETTINGS," [ping]="PING,"
    )
    for attack in upgrade connect prior idledata reset continuation settings ping; do
        say "walls: ${what[$attack]} $megabytes MB"
        watch beside_health misuse "$attack" --megabytes "$megabytes"
        held=$(resident_most)
        row "${what[$attack]} $megabytes MB, memory" "$held MB" "" "≤ 400 MB" "$(met "$held" '<=' 400)"
        row "/health beside ${what[$attack]} $megabytes MB, slowest" "$slowest ms" "" "≤ 1000 ms" \
            "$(met "$slowest" '<=' 1000)"
        beside=$(others_p99_beside misuse "$attack" --megabytes "$megabytes" --times 3)
        row "others' lookup beside ${what[$attack]} $megabytes MB, p99" "$beside ms" "$before ms alone" "≤ 500 ms" \
            "$(met "$beside" '<=' 500)"
    done
    say "walls: connections of HTTP/2 that ask for nothing"
    misuse held --times 900 --seconds 90 >"$tmp/held"
    row "900 connections of HTTP/2 that ask for nothing, ended after" "$(awk 'END { print $2 }' "$tmp/held") s" "" \
        "≤ 80 s" "$(met "$(awk 'END { print ($1 == "closed") ? $2 : 1000 }' "$tmp/held")" '<=' 80)"
    stop "$server"
    tls=''
    start_server
}

# Runs a command, and asks for /health until it has ended; sets slowest, in milliseconds.
beside_health() {
    local work time
    slowest=0
    "$@" >"$tmp/attack" &
    work=$!
    while kill -0 "$work" 2>/dev/null; do
        time=$(curl -s -m 30 -o /dev/null -w '%{time_total}' "$origin/health" || true)
        slowest=$(awk -v a="$slowest" -v b="$time" 'BEGIN { b *= 1000; printf "%.0f", (a > b ? a : b) }')
        sleep 0.05
    done
    wait "$work"
}

# The p99 of another user's lookups while a command runs, in milliseconds.
others_p99_beside() {
    local work
    "$@" >"$tmp/attack" &
    work=$!
    sleep 1
    others_p99
    wait "$work"
}

# The p99 of another user's lookups, in milliseconds.
others_p99() {
    local credentials seconds=4 rate p50 p99
    credentials=$("$load" sign-in --origin "$origin" --container "$container" --email mei@example.com)
    BENCH_RECORDS=1 BENCH_PATH=$(path private/records/lookup) run_wrk lookup "$origin" 4
    echo "$p99"
}

wall() { python3 "$here/walls.py" "$1" "${origin#http://}" "$container" "$credentials"; }

# misuse ATTACK OPTION…: over TLS where the attack is one on HTTP/2.
misuse() {
    local attack=$1
    shift
    case $attack in
    upgrade | connect | prior) python3 "$here/connections.py" "$attack" "${origin#http://}" "$@" ;;
    *) python3 "$here/connections.py" "$attack" "$secure" --tls "$@" ;;
    esac
}

# Megabytes the server held at its most since it was started or watched.
resident_most() { awk '/VmHWM/ { printf "%.0f", $2 / 1024 }' "/proc/$server/status"; }
