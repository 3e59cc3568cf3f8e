import Foundation
import Synchronization
import TestProcess

/// A primary and a standby that follows it, of this process's own, on ports of the loopback. Both end with it.
package final class TestPair: Sendable {
    package enum Act: String {
        /// Stops the primary's processes where they are; the kernel goes on taking connections for them.
        case freeze
        case thaw
        /// Ends the primary without warning.
        case kill
        /// Has the standby follow the primary no more.
        case detach
        /// Makes the standby a primary.
        case promote
    }

    /// The URL of the database that names both hosts, the primary first.
    package let url: String
    /// Those of each host.
    package let primary: String
    package let standby: String
    private let shell: Mutex<(Process, input: FileHandle, output: FileHandle)>

    /// - Parameter isSynchronous: whether commits wait for the standby.
    package init(isSynchronous: Bool = false) throws {
        let folder = "\(TestCluster.parent)/pair-\(UUID().uuidString.prefix(8))"
        let ports = try FreePorts.take(2)
        let (input, output) = (Pipe(), Pipe())
        let shell = Process()
        shell.executableURL = URL(filePath: "/bin/bash")
        shell.arguments =
            ["-c", Self.script, "pair", folder, TestCluster.programs] + ports.map(String.init)
            + [isSynchronous ? "second" : ""]
        // Ours until this process ends: the shell reads its end then, and takes all away.
        shell.standardInput = input
        shell.standardOutput = output
        try shell.run()
        url = "postgres://cumulus@127.0.0.1:\(ports[0]),127.0.0.1:\(ports[1])/postgres?target_session_attrs=read-write"
        primary = "postgres://cumulus@127.0.0.1:\(ports[0])/postgres"
        standby = "postgres://cumulus@127.0.0.1:\(ports[1])/postgres"
        self.shell = Mutex((shell, input.fileHandleForWriting, output.fileHandleForReading))
        try awaitWord("started")
    }

    /// Does something to one of the two, and returns once it is done.
    package func act(_ act: Act) throws {
        try shell.withLock { try $0.input.write(contentsOf: Data("\(act.rawValue)\n".utf8)) }
        try awaitWord("done")
    }

    private func awaitWord(_ word: String) throws {
        let data = try shell.withLock { try $0.output.read(upToCount: word.utf8.count + 1) }
        guard data.map({ String(decoding: $0, as: UTF8.self) }) == word + "\n" else {
            throw TestCluster.Failure(
                description: "a pair of PostgreSQL servers did not do as told; see /tmp/pair-failed")
        }
    }

    private static let script = #"""
        set -e
        dir=$1 bin=$2 first=$3 second=$4 synchronous=$5
        as() { if [ "$(id -u)" = 0 ]; then runuser -u postgres -- "$@"; else "$@"; fi; }
        mkdir -m 755 "$dir"
        if [ "$(id -u)" = 0 ]; then chown postgres "$dir"; fi
        cd "$dir"
        primary() { head -1 "$dir/first/postmaster.pid"; }
        # The first process before those that it would start.
        signal() { kill "-$1" "$2" $(pgrep -P "$2"); }
        finish() {
            status=$?
            if [ "$status" != 0 ]; then cp "$dir/setup" /tmp/pair-failed || true; fi
            signal CONT "$(primary)" || true
            for name in first second; do as "$bin/pg_ctl" -D "$dir/$name" -s -m immediate stop || true; done
            rm -rf "$dir"
        }
        trap finish EXIT
        trap '' INT TERM HUP PIPE
        exec 3>&1 >"$dir/setup" 2>&1
        start() {
            as "$bin/pg_ctl" -D "$dir/$1" -w -s -l "$dir/$1.log" start 3>&- -o "-p $2 -c listen_addresses=127.0.0.1 \
                -c unix_socket_directories=$dir -c cluster_name=$1 -c fsync=off -c max_connections=60 \
                -c shared_buffers=32MB -c wal_keep_size=256MB -c autovacuum_naptime=10min"
        }
        as "$bin/initdb" -D "$dir/first" -A trust -U cumulus -E UTF8 --locale=C --no-sync
        start first "$first"
        as "$bin/pg_basebackup" -h 127.0.0.1 -p "$first" -U cumulus -D "$dir/second" -R -c fast --no-sync
        start second "$second"
        ask() { as "$bin/psql" -X -h 127.0.0.1 -p "$1" -U cumulus -d postgres -Atc "$2"; }
        if [ "$synchronous" ]; then
            ask "$first" "ALTER SYSTEM SET synchronous_standby_names = 'second'"
            ask "$first" "SELECT pg_reload_conf()"
        fi
        until [ "$(ask "$first" "SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming' \
            AND (sync_state = 'sync') = ('$synchronous' <> '')")" = 1 ]; do sleep 0.05; done
        echo started >&3
        while read -r word; do
            case $word in
            freeze) signal STOP "$(primary)" ;;
            thaw) signal CONT "$(primary)" ;;
            kill) signal KILL "$(primary)" ;;
            detach)
                ask "$second" "ALTER SYSTEM SET primary_conninfo = ''"
                ask "$second" "SELECT pg_reload_conf()"
                until [ "$(ask "$second" "SELECT count(*) FROM pg_stat_wal_receiver")" = 0 ]; do sleep 0.05; done
                ;;
            promote)
                # What commits wait for at the old one does not hold here.
                as "$bin/pg_ctl" -D "$dir/second" -w -s promote
                ask "$second" "ALTER SYSTEM RESET synchronous_standby_names"
                ask "$second" "SELECT pg_reload_conf()"
                ;;
            esac
            echo done >&3
        done
        """#
}
