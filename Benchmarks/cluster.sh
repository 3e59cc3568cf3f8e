# A PostgreSQL of one's own, for the bench and the crash test: in a folder of its own, on a socket there alone, with what
# is acknowledged on disk. It refuses to run as root.

cluster=
cluster_programs=${POSTGRES_PROGRAMS:-/usr/lib/postgresql/15/bin}

as_postgres() { if [ "$(id -u)" = 0 ]; then runuser -u postgres -- "$@"; else "$@"; fi; }

# Sets cluster, its folder, and database_url.
start_cluster() {
    cluster=$(mktemp -d /tmp/pg-XXXXXX)
    if [ "$(id -u)" = 0 ]; then chown postgres "$cluster"; fi
    # From a folder that its user may be in.
    (
        cd "$cluster"
        as_postgres "$cluster_programs/initdb" -D "$cluster/data" -A trust -U cumulus -E UTF8 --locale=C >"$cluster/setup"
        as_postgres "$cluster_programs/pg_ctl" -D "$cluster/data" -w -s -l "$cluster/log" start \
            -o "-c listen_addresses= -c unix_socket_directories=$cluster -c max_connections=200 -c shared_buffers=512MB -c max_wal_size=4GB"
    )
    database_url="postgres://cumulus@${cluster//\//%2F}/postgres"
}

stop_cluster() {
    # Without a number it is that of whatever has ended the script.
    if [ -z "$cluster" ]; then return 0; fi
    (cd "$cluster" && as_postgres "$cluster_programs/pg_ctl" -D "$cluster/data" -s -m immediate stop) || true
    rm -rf "$cluster"
    cluster=
}
