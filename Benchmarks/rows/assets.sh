# Rows about a file of 10 MB, in turn with nginx.

measure_assets() {
    start_nginx || return 0
    local file=$tmp/nginx/file nginx_origin=http://127.0.0.1:$nginx_port link ours theirs connections
    head -c 10000000 /dev/urandom >"$file"
    link=$("$load" asset-link --origin "$origin" --container "$container" --file "$file")
    curl -sf "$link" | cmp - "$file" || { echo "the download is not what was uploaded" >&2; exit 1; }
    for connections in 1 8; do
        say "download of 10 MB, $connections at once, three times in turn with nginx"
        local cumulus_rates=() nginx_rates=()
        for _ in 1 2 3; do
            BENCH_PATH=/${link#*://*/} run_wrk get "$origin" "$connections"
            cumulus_rates+=("$rate")
            BENCH_PATH=/file run_wrk get "$nginx_origin" "$connections"
            nginx_rates+=("$rate")
        done
        ours=$(median "${cumulus_rates[@]}") theirs=$(median "${nginx_rates[@]}")
        row "download of 10 MB, $connections at once" "$((ours * 10)) MB/s" "nginx $((theirs * 10)) MB/s" \
            "≥ 0.8 ×: $(ratio "$ours" "$theirs")" "$(met "$(ratio "$ours" "$theirs")" '>=' 0.8)"
    done
    measure_upload
    stop "$nginx"
}

measure_upload() {
    say "upload of 10 MB, three times in turn with nginx"
    local cumulus_times=() nginx_times=() times=20
    if [ "$quick" = 1 ]; then times=5; fi
    for _ in 1 2 3; do
        cumulus_times+=("$("$load" upload --origin "$origin" --container "$container" --file "$file" --count "$times")")
        nginx_times+=("$("$load" upload --origin "$origin" --file "$file" --count "$times" --put "$nginx_origin/in/%")")
    done
    ours=$(median "${cumulus_times[@]}") theirs=$(median "${nginx_times[@]}")
    row "upload of 10 MB, p50" "$(printf '%.1f ms' "$ours")" "$(printf 'nginx %.1f ms' "$theirs")" \
        "≥ 0.75 ×: $(ratio "$theirs" "$ours")" "$(met "$(ratio "$theirs" "$ours")" '>=' 0.75)"
}
