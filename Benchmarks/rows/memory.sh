# Rows about how much memory large things take. Each on a fresh server, so that none uses what another has left behind.

measure_memory() {
    local container=$container.memory guid grown small large most
    local size=2000000
    if [ "$quick" = 1 ]; then size=200000; fi
    enlarge_photos
    say "memory during uploads"
    head -c 5000000 /dev/urandom >"$tmp/small"
    head -c 50000000 /dev/urandom >"$tmp/large"
    watch upload_file "$tmp/small"
    small=$grown
    watch upload_file "$tmp/large"
    large=$grown
    row "upload of 50 MB, memory" "+$large MB" "+$small MB for 5 MB" "flat" "$(met "$((large - small))" '<=' 5)"

    say "memory during zips of 20 and of 200 photos, read slowly"
    watch_zip 20
    small=$grown
    watch_zip 200
    large=$grown
    row "zip of 200 photos of $((size / 1000)) kB, memory" "+$large MB" "+$small MB for 20 photos" "flat" \
        "$(met "$((large - small))" '<=' 5)"

    say "memory during 20 previews"
    share_photos Previews 20 0
    wait_for_programs
    curl -sf "$origin/share/$guid" | sed -n "s|.*href=\"\(/share/[^\"]*/preview/[^\"]*\)\".*|$origin\1|p" >"$tmp/urls"
    [ "$(wc -l <"$tmp/urls")" = 20 ] || { echo "the page does not show 20 photos" >&2; exit 1; }
    watch previews
    row "20 previews of 12 megapixels at once, memory" "+$grown MB" "programs it runs: $most MB" "" ""
}

# Photos as phones take them: those of the samples, 12 megapixels.
enlarge_photos() {
    local photo width
    mkdir -p "$tmp/photos"
    for photo in "$root"/Samples/photos/*.jpg; do
        width=$(vipsheader -f width "$photo")
        vips resize "$photo" "$tmp/photos/$(basename "$photo")[Q=80]" "$(awk -v w="$width" 'BEGIN { print 4000 / w }')"
    done
}

upload_file() { "$load" upload --origin "$origin" --container "$container" --file "$1" >"$tmp/time"; }

# Shares a ZONE; sets guid.
share_zone() {
    read -r guid _ < <("$load" share-zone --origin "$origin" --container "$container" --zone "$1" --member member@example.com)
}

# Shares a ZONE of COUNT photos of at least BYTES; sets guid.
share_photos() {
    share_zone "$1"
    "$load" seed-photos --origin "$origin" --container "$container" --zone "$1" --photos "$tmp/photos" --count "$2" --bytes "$3"
}

watch_zip() {
    share_photos "Photos$1" "$1" "$size"
    watch curl -sf --limit-rate 100M -o "$tmp/zip" "$origin/share/$guid/zip"
    [ "$(unzip -Z1 "$tmp/zip" | wc -l)" = "$1" ] || { echo "the zip does not hold $1 photos" >&2; exit 1; }
}

# Asks for all of $tmp/urls at once; sets most, what the server's programs held meanwhile.
previews() {
    local asking now
    most=0
    xargs -P 20 -n 1 curl -sf -o "$tmp/preview" <"$tmp/urls" &
    asking=$!
    while kill -0 "$asking" 2>/dev/null; do
        now=$(children_resident)
        if [ "$now" -gt "$most" ]; then most=$now; fi
        sleep 0.02
    done
    wait "$asking"
}

# Megabytes of all processes under the server.
children_resident() {
    # Some of them end while they are looked at.
    { cat /proc/[0-9]*/status 2>/dev/null || true; } | awk -v top="$server" '
        $1 == "Pid:" { pid = $2 }
        $1 == "PPid:" { parent[pid] = $2 }
        $1 == "VmRSS:" { size[pid] = $2 }
        END {
            for (pid in size) {
                up = parent[pid]
                while (up in parent && up != top) up = parent[up]
                if (up == top) sum += size[pid]
            }
            printf "%.0f", sum / 1024
        }'
}

# Runs a command on a fresh server; sets grown, the megabytes its memory grew by at its most.
watch() {
    local before
    stop "$server"
    start_server
    before=$(resident "$server")
    # Where it may not be reset, the most counts from the start, which tells more rather than less.
    { echo 5 >"/proc/$server/clear_refs"; } 2>/dev/null || true
    "$@"
    grown=$(awk -v before="$before" '/VmHWM/ { printf "%.0f", $2 / 1024 - before }' "/proc/$server/status")
}
