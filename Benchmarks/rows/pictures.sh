# Rows about the pictures of a share page: its first screen on a phone, and what previews of each kind take.

measure_pictures() {
    local container=$container.pictures guid page html before screen requests painted bare
    enlarge_photos
    say "the first screen of 50 photos on a phone with a slow line, in turn with a bare page"
    share_photos First 50 0
    page=$origin/share/$guid
    read -r before screen requests painted bare < <(node "$here/first-paint.js" "$page" "$([ "$quick" = 1 ] && echo 1 || echo 5)")
    row "first screen of 50 photos, bytes" "$screen B" "before the first picture $before B" "≤ 400000, ≤ 60000" \
        "$(met "$screen" '<=' 400000)"
    row "first screen of 50 photos, requests" "$requests" "" "" ""
    row "largest picture painted" "$painted ms" "bare page with one picture $bare ms" "≤ 2500: $(ratio "$painted" "$bare") ×" \
        "$(met "$painted" '<=' 2500)"

    say "previews of 8 photos of 12 megapixels, by kind"
    share_photos Kinds 8 1
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
    local name=$1 size=$2 type=$3 url urls before bytes=0 count=0
    mapfile -t urls < <(grep -o '/preview/tile/[^" ,]*' <<<"$html" | sort -u | sed "s|^/preview/tile/|/share/$guid/preview/$size/|")
    before=$(children_ticks "$server")
    for url in "${urls[@]}"; do
        bytes=$((bytes + $(curl -sf -H "Accept: $type" -o "$tmp/preview" -w '%{size_download}' "$origin$url")))
        count=$((count + 1))
    done
    [ "$count" = 8 ] || { echo "the page shows $count photos instead of 8" >&2; exit 1; }
    row "preview: $name" "$((bytes / count)) B" "$(awk -v t="$(($(children_ticks "$server") - before))" -v n="$count" \
        -v hertz="$(getconf CLK_TCK)" 'BEGIN { printf "%.0f ms of processor time", t / hertz * 1000 / n }')" "" ""
}

# Processor time of the programs that a process has run to their end.
children_ticks() { sed 's/.*) //' "/proc/$1/stat" | awk '{ print $14 + $15 }'; }
