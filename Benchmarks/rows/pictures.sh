# Rows about the pictures of a share page: its first screen on a phone, the last of many, and what previews of each kind take.

measure_pictures() {
    local container=$container.pictures guid page html before screen requests painted bare runs=5 many=5000 count elements
    if [ "$quick" = 1 ]; then runs=1 many=300; fi
    enlarge_photos
    say "the first screen of 50 photos on a phone with a slow line, in turn with a bare page"
    share_photos First 50 0
    wait_for_programs
    page=$origin/share/$guid
    read -r before screen requests painted bare < <(node "$here/first-paint.js" "$page" "$runs")
    row "first screen of 50 photos, bytes" "$screen B" "before the first picture $before B" "≤ 400000, ≤ 60000" \
        "$(met "$screen" '<=' 400000)"
    row "first screen of 50 photos, requests" "$requests" "" "" ""
    row "largest picture painted" "$painted ms" "bare page with one picture $bare ms" "≤ 2500: $(ratio "$painted" "$bare") ×" \
        "$(met "$painted" '<=' 2500)"

    say "the last of $many pictures"
    share_zone Last
    "$load" seed-photos --origin "$origin" --container "$container" --zone Last --photos "$root/Samples/photos" --count "$many"
    wait_for_programs
    read -r count painted requests elements < <(node "$here/last-picture.js" "$origin/share/$guid" "$runs")
    [ "$count" = "$many" ] || { echo "the page shows $count photos instead of $many" >&2; exit 1; }
    row "last of $many pictures" "$painted ms" "from the End key" "≤ 2000" "$(met "$painted" '<=' 2000)"
    row "last of $many pictures, requests" "$requests" "from the End key" "≤ 40" "$(met "$requests" '<=' 40)"
    row "last of $many pictures, elements" "$elements" "the most at any time" "≤ 3000" "$(met "$elements" '<=' 3000)"

    # Those of the first 60 are made when they are shared.
    say "previews of 8 photos of 12 megapixels, by kind"
    local since
    since=$(children_ticks "$server")
    share_photos Kinds 68 1
    wait_for_programs
    row "cover and 60 tiles, made when shared" "$(processor_time "$since" 1)" "" "" ""
    html=$(curl -sf "$origin/share/$guid")
    preview_row "tile, JPEG" tile image/jpeg
    preview_row "tile, AVIF" tile image/avif
    preview_row "medium, JPEG" medium image/jpeg
    preview_row "medium, AVIF" medium image/avif
    preview_row "large, JPEG" large image/jpeg
    preview_row "cover, JPEG" cover image/jpeg
}

# preview_row NAME SIZE TYPE: the mean of bytes, and of the processor time of the programs that make one.
preview_row() {
    local name=$1 size=$2 type=$3 url urls since bytes=0 count=0
    mapfile -t urls < <(grep -o ' src="/share/[^"]*/preview/tile/[^"]*' <<<"$html" | tail -8 |
        sed "s|.*/preview/tile/|/share/$guid/preview/$size/|")
    since=$(children_ticks "$server")
    for url in "${urls[@]}"; do
        bytes=$((bytes + $(curl -sf -H "Accept: $type" -o "$tmp/preview" -w '%{size_download}' "$origin$url")))
        count=$((count + 1))
    done
    [ "$count" = 8 ] || { echo "the page shows $count photos instead of 8" >&2; exit 1; }
    row "preview: $name" "$((bytes / count)) B" "$(processor_time "$since" "$count")" "" ""
}

# processor_time TICKS COUNT: what programs took since then, for each of so many.
processor_time() {
    awk -v t="$(($(children_ticks "$server") - $1))" -v n="$2" -v hertz="$(getconf CLK_TCK)" \
        'BEGIN { printf "%.0f ms of processor time", t / hertz * 1000 / n }'
}

# Processor time of the programs that a process has run to their end.
children_ticks() { sed 's/.*) //' "/proc/$1/stat" | awk '{ print $14 + $15 }'; }
