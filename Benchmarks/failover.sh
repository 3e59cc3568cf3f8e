#!/usr/bin/env bash
# A primary of PostgreSQL and a standby that its commits wait for, for the crash test.
#
#   failover.sh FOLDER start     makes both, and prints the URL of their database
#   failover.sh FOLDER kill      ends the primary without warning
#   failover.sh FOLDER freeze    stops its processes where they are
#   failover.sh FOLDER cut       drops what is sent to it and what it sends
#   failover.sh FOLDER promote   makes the standby the primary
#   failover.sh FOLDER thaw      lets the old primary go on, and be reached again
#   failover.sh FOLDER renew     makes the old primary anew, as the standby
#   failover.sh FOLDER stop      ends and removes both
#
# Each is reached through a forwarder of its own, by the server and by the other one. FAILOVER_PORT names the first of
# four ports of the loopback.
set -euo pipefail

dir=$1
here=$(cd "$(dirname "$0")" && pwd)
bin=${POSTGRES_PROGRAMS:-/usr/lib/postgresql/15/bin}
base=${FAILOVER_PORT:-18320}

as_postgres() { if [ "$(id -u)" = 0 ]; then runuser -u postgres -- "$@"; else "$@"; fi; }
# The port of a or b itself, and that of its forwarder.
port() { if [ "$1" = a ]; then echo "$base"; else echo $((base + 1)); fi; }
door() { echo $(($(port "$1") + 2)); }
primary() { cat "$dir/primary"; }
other() { if [ "$1" = a ]; then echo b; else echo a; fi; }
old() { cat "$dir/old"; }
ask() { as_postgres "$bin/psql" -X -h 127.0.0.1 -p "$(port "$1")" -U cumulus -d postgres -Atc "$2"; }
# The first process before those that it would start.
signal() { local first; first=$(head -1 "$dir/$2/postmaster.pid"); kill "-$1" "$first" $(pgrep -P "$first"); }

# Closes the descriptors by which whoever called this script is told of its end: what is started here goes on after it.
close_rest() {
    local name number
    for name in /proc/self/fd/*; do
        number=${name##*/}
        if [ "$number" -gt 2 ] && [ "$number" -lt 255 ]; then eval "exec $number>&-"; fi
    done
}

forward() {
    if [ -f "$dir/$1.forward" ]; then kill -KILL "$(cat "$dir/$1.forward")" 2>/dev/null || true; fi
    (
        close_rest
        exec python3 "$here/forward.py" "$(door "$1")" "$(port "$1")"
    ) </dev/null >>"$dir/log" 2>&1 &
    echo $! >"$dir/$1.forward"
    disown
    until (exec 3<>"/dev/tcp/127.0.0.1/$(door "$1")") 2>/dev/null; do sleep 0.05; done
}

start_one() {
    (
        close_rest
        as_postgres "$bin/pg_ctl" -D "$dir/$1" -w -s -l "$dir/$1.log" start >>"$dir/log" -o "-p $(port "$1") \
            -c listen_addresses=127.0.0.1 -c unix_socket_directories=$dir -c cluster_name=$1 -c max_connections=100 \
            -c shared_buffers=128MB -c wal_keep_size=512MB"
    )
}

# Has the standby $2 made from the primary $1, and the primary's commits wait for it.
follow() {
    as_postgres "$bin/pg_basebackup" -h 127.0.0.1 -p "$(door "$1")" -U cumulus -D "$dir/$2" -R -c fast >>"$dir/log" 2>&1
    start_one "$2"
    ask "$1" "ALTER SYSTEM SET synchronous_standby_names = '$2'" >>"$dir/log"
    ask "$1" "SELECT pg_reload_conf()" >>"$dir/log"
    until [ "$(ask "$1" "SELECT count(*) FROM pg_stat_replication WHERE application_name = '$2' \
        AND state = 'streaming' AND sync_state = 'sync'")" = 1 ]; do sleep 0.05; done
}

case $2 in
start)
    mkdir -p "$dir"
    chmod 755 "$dir"
    if [ "$(id -u)" = 0 ]; then chown postgres "$dir"; fi
    echo a >"$dir/primary"
    cd "$dir"
    as_postgres "$bin/initdb" -D "$dir/a" -A trust -U cumulus -E UTF8 --locale=C >>"$dir/log"
    start_one a
    forward a
    forward b
    until ask a "SELECT 1" >/dev/null; do sleep 0.05; done
    follow a b
    echo "postgres://cumulus@127.0.0.1:$(door a),127.0.0.1:$(door b)/postgres?target_session_attrs=read-write"
    ;;
kill) signal KILL "$(primary)" ;;
freeze) signal STOP "$(primary)" ;;
cut) kill -STOP "$(cat "$dir/$(primary).forward")" ;;
promote)
    cd "$dir"
    new=$(other "$(primary)")
    primary >"$dir/old"
    as_postgres "$bin/pg_ctl" -D "$dir/$new" -w -s promote >>"$dir/log"
    # It has no standby of its own until the old one is made anew.
    ask "$new" "ALTER SYSTEM RESET synchronous_standby_names" >>"$dir/log"
    ask "$new" "SELECT pg_reload_conf()" >>"$dir/log"
    echo "$new" >"$dir/primary"
    ;;
thaw)
    signal CONT "$(old)" 2>/dev/null || true
    kill -CONT "$(cat "$dir/$(old).forward")"
    ;;
renew)
    cd "$dir"
    as_postgres "$bin/pg_ctl" -D "$dir/$(old)" -s -m immediate stop >>"$dir/log" 2>&1 || true
    rm -rf "${dir:?}/$(old)"
    follow "$(primary)" "$(old)"
    ;;
stop)
    cd /
    for name in a b; do
        if [ -f "$dir/$name.forward" ]; then kill -KILL "$(cat "$dir/$name.forward")" 2>/dev/null || true; fi
        signal CONT "$name" 2>/dev/null || true
        as_postgres "$bin/pg_ctl" -D "$dir/$name" -s -m immediate stop >/dev/null 2>&1 || true
    done
    rm -rf "$dir"
    ;;
esac
