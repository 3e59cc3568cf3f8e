import Foundation
import Synchronization

/// A PostgreSQL server of this process's own, which ends with it however it ends.
package final class TestCluster: Sendable {
    /// Started when it is first asked for.
    package static let shared = Result { try TestCluster() }

    /// Of its database, as libpq takes it.
    package let url: String

    /// Why there is none.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    private static let programs = "/usr/lib/postgresql/15/bin"

    /// Memory where there is room for what all tests make: a schema is there in a third of the time.
    private static var parent: String {
        let memory = "/dev/shm"
        let facts = try? FileManager.default.attributesOfFileSystem(forPath: memory)
        let room = (facts?[.systemFreeSize] as? NSNumber)?.int64Value ?? 0
        return room >= 6 << 30 ? memory : "/tmp"
    }

    /// The socket's folder must have a short path, and be one that the user `postgres` can enter.
    private init() throws {
        let folder = "\(Self.parent)/pg-\(UUID().uuidString.prefix(8))"
        let started = Pipe()
        let shell = Process()
        shell.executableURL = URL(filePath: "/bin/bash")
        shell.arguments = ["-c", Self.script, "postgres", folder, Self.programs]
        // Ours until this process ends: the shell reads its end then, and takes all away.
        shell.standardInput = Pipe()
        shell.standardOutput = started
        try shell.run()
        guard let word = try started.fileHandleForReading.read(upToCount: 8), !word.isEmpty else {
            throw Failure(description: "PostgreSQL did not start in \(folder); is postgresql-15 installed?")
        }
        socket = folder + "/socket"
        url = "host=\(socket) user=cumulus dbname=postgres"
        self.shell = Mutex(shell)
    }

    private let shell: Mutex<Process>
    private let socket: String

    /// Makes a database.
    ///
    /// - Parameter options: of CREATE DATABASE.
    /// - Returns: its URL.
    package func makeDatabase(options: String = "") throws -> String {
        let name = "db_\(UUID().uuidString.replacing("-", with: "").lowercased())"
        try run("CREATE DATABASE \(name) \(options)")
        return "postgres://cumulus@\(socket.replacing("/", with: "%2F"))/\(name)"
    }

    /// Runs a statement.
    ///
    /// - Parameter database: its URL; the cluster's own when nil.
    package func run(_ sql: String, in database: String? = nil) throws {
        let psql = Process()
        psql.executableURL = URL(filePath: Self.programs + "/psql")
        psql.arguments = ["-X", "-q", "-v", "ON_ERROR_STOP=1", "-d", database ?? url, "-c", sql]
        let errors = Pipe()
        psql.standardError = errors
        psql.standardOutput = FileHandle.nullDevice
        try psql.run()
        let text = try errors.fileHandleForReading.readToEnd() ?? Data()
        psql.waitUntilExit()
        guard psql.terminationStatus == 0 else { throw Failure(description: String(decoding: text, as: UTF8.self)) }
    }

    /// PostgreSQL refuses to run as root.
    private static let script = """
        set -e
        dir=$1 bin=$2
        as() { if [ "$(id -u)" = 0 ]; then runuser -u postgres -- "$@"; else "$@"; fi; }
        mkdir -m 755 "$dir"
        if [ "$(id -u)" = 0 ]; then chown postgres "$dir"; fi
        as mkdir -m 700 "$dir/socket"
        stop() { as "$bin/pg_ctl" -D "$dir/data" -s -m immediate stop || true; rm -rf "$dir"; }
        trap stop EXIT
        trap '' INT TERM HUP
        exec 3>&1 >"$dir/setup" 2>&1
        as "$bin/initdb" -D "$dir/data" -A trust -U cumulus -E UTF8 --locale=C --no-sync
        as "$bin/pg_ctl" -D "$dir/data" -w -s -l "$dir/log" start 3>&- -o "-c listen_addresses= \\
            -c unix_socket_directories=$dir/socket -c fsync=off -c full_page_writes=off -c max_connections=400 \\
            -c shared_buffers=256MB -c checkpoint_timeout=1h -c max_wal_size=2GB -c autovacuum_naptime=10min"
        echo started >&3
        exec 3>&-
        read -r _ || true
        """
}
