# Rows about the page behind a share link, with 50 photos.

measure_pages() {
    local container=$container.pages guid page html styles scripts
    say "seeding a share of 50 photos"
    read -r guid _ < <("$load" share-zone --origin "$origin" --container "$container" --zone Album --member member@example.com)
    "$load" seed-photos --origin "$origin" --container "$container" --zone Album --photos "$root/Samples/photos" --count 50
    page=$origin/share/$guid
    [ "$(curl -sf "$page" | grep -c '<img ')" = 50 ] || { echo "the page does not show 50 photos" >&2; exit 1; }

    say "the page of 50 photos"
    BENCH_PATH=/share/$guid run_wrk get "$origin" 1
    row "share page of 50 photos, one reader" "p50 $p50 ms, p99 $p99 ms" "" "" ""
    BENCH_PATH=/share/$guid run_wrk get "$origin" 32
    row "share page of 50 photos, 32 readers" "$rate/s (p99 $p99 ms)" "" "" ""

    html=$(transferred "$page")
    styles=$(linked 's/.*rel="stylesheet" href="\([^"]*\)".*/\1/p')
    scripts=$(linked 's/.*<script type="module" src="\([^"]*\)".*/\1/p')
    row "bytes before the first picture of it" "$((html + styles)) B" "HTML $html B, styles $styles B; script, later, $scripts B" "" ""
    row "JavaScript client" "$(modules cumulus.js "lib/*.js") B" "with the offline store $(modules cumulus.js offline.js "lib/*.js" "lib/sync/*.js") B" "" ""
}

# Bytes on the way of FILES of the client, as a page imports them.
modules() (
    cd "$root/Public/client"
    sum=0
    # The patterns mean the client's own folder.
    for file in $(for pattern in "$@"; do compgen -G "$pattern"; done); do
        sum=$((sum + $(transferred "$origin/client/$file")))
    done
    echo "$sum"
)

# Bytes on the way of a URL, to a client that takes gzip as browsers do.
transferred() { curl -sf --compressed -o "$tmp/transferred" -w '%{size_download}' "$1"; }

# The same of what the page links to, taken out of it by a sed EXPRESSION.
linked() {
    local sum=0 file
    for file in $(curl -sf "$page" | sed -n "$1"); do sum=$((sum + $(transferred "$origin$file"))); done
    echo "$sum"
}
