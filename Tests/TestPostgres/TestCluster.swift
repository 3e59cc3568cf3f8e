import Foundation
import Synchronization

/// A PostgreSQL server of this process's own, which ends with it however it ends.
package final class TestCluster: Sendable {
    /// Started when it is first asked for.
    package static let shared = Result { try TestCluster() }

    /// Of its database, as libpq takes it.
    package let url: String

    /// The reason why there is no cluster.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    static let programs = "/usr/lib/postgresql/15/bin"

    /// Memory with room for all tests' schemas, which are made there in a third of the time.
    static var parent: String {
        let memory = "/dev/shm"
        let facts = try? FileManager.default.attributesOfFileSystem(forPath: memory)
        let room = (facts?[.systemFreeSize] as? NSNumber)?.int64Value ?? 0
        return room >= 6 << 30 ? memory : "/tmp"
    }

    /// Whether this process may mount what ``init(smallDisk:)`` needs.
    package static var canMount: Bool {
        let attempt = Process()
        attempt.executableURL = URL(filePath: "/usr/bin/unshare")
        attempt.arguments = ["-m", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]
        attempt.standardError = FileHandle.nullDevice
        guard (try? attempt.run()) != nil else { return false }
        attempt.waitUntilExit()
        return attempt.terminationStatus == 0
    }

    /// - Parameter megabytes: of the disk that the tablespace `small` is to be made on, which nobody else sees; the
    ///   socket's folder must have a short path, and be one that the user `postgres` can enter.
    package init(smallDisk megabytes: Int? = nil) throws {
        let folder = "\(Self.parent)/pg-\(UUID().uuidString.prefix(8))"
        let started = Pipe()
        let shell = Process()
        let size = megabytes.map(String.init) ?? ""
        let words = ["/bin/bash", "-c", Self.script, "postgres", folder, Self.programs, size]
        // Of a mount namespace of its own, whose mounts end with it.
        let command = (megabytes == nil ? [] : ["/usr/bin/unshare", "-m"]) + words
        shell.executableURL = URL(filePath: command[0])
        shell.arguments = Array(command.dropFirst())
        // Ours until this process ends: the shell reads its end then, and takes all away.
        shell.standardInput = Pipe()
        shell.standardOutput = started
        try shell.run()
        guard let word = try started.fileHandleForReading.read(upToCount: 8), !word.isEmpty else {
            throw Failure(description: "PostgreSQL did not start in \(folder); is postgresql-15 installed?")
        }
        socket = folder + "/socket"
        smallDisk = folder + "/small"
        url = "host=\(socket) user=cumulus dbname=postgres"
        self.shell = Mutex(shell)
    }

    private let shell: Mutex<Process>
    /// The folder of its socket.
    package let socket: String
    private let smallDisk: String

    /// Makes the tablespace `small`.
    package func makeSmallTablespace() throws { try run("CREATE TABLESPACE small LOCATION '\(smallDisk)'") }

    /// Makes a database.
    ///
    /// - Parameters:
    ///   - options: of CREATE DATABASE.
    ///   - folder: of the socket that its URL names; the cluster's own when nil.
    /// - Returns: its URL.
    package func makeDatabase(options: String = "", through folder: String? = nil) throws -> String {
        let name = "db_\(UUID().uuidString.replacing("-", with: "").lowercased())"
        try run("CREATE DATABASE \(name) \(options)")
        return "postgres://cumulus@\((folder ?? socket).replacing("/", with: "%2F"))/\(name)"
    }

    /// Runs a statement.
    ///
    /// - Parameter database: its URL; the cluster's own when nil.
    package func run(_ sql: String, in database: String? = nil) throws { try Self.ask(sql, of: database ?? url) }

    /// Runs a statement.
    ///
    /// - Parameter database: its URL.
    /// - Returns: its answer, a line for each row.
    @discardableResult
    package static func ask(_ sql: String, of database: String) throws -> String {
        let psql = Process()
        psql.executableURL = URL(filePath: Self.programs + "/psql")
        psql.arguments = ["-X", "-q", "-At", "-v", "ON_ERROR_STOP=1", "-d", database, "-c", sql]
        let (errors, output) = (Pipe(), Pipe())
        psql.standardError = errors
        psql.standardOutput = output
        try psql.run()
        let answer = try output.fileHandleForReading.readToEnd() ?? Data()
        let text = try errors.fileHandleForReading.readToEnd() ?? Data()
        psql.waitUntilExit()
        guard psql.terminationStatus == 0 else { throw Failure(description: String(decoding: text, as: UTF8.self)) }
        return String(decoding: answer, as: UTF8.self).trimmingCharacters(in: .newlines)
    }

    /// PostgreSQL refuses to run as root.
    private static let script = """
        set -e
        dir=$1 bin=$2 small=$3
        as() { if [ "$(id -u)" = 0 ]; then runuser -u postgres -- "$@"; else "$@"; fi; }
        mkdir -m 755 "$dir"
        if [ "$(id -u)" = 0 ]; then chown postgres "$dir"; fi
        as mkdir -m 700 "$dir/socket"
        if [ "$small" ]; then
            mkdir "$dir/small"
            mount -t tmpfs -o "size=${small}m,mode=700,uid=$(id -u postgres)" tmpfs "$dir/small"
        fi
        stop() {
            as "$bin/pg_ctl" -D "$dir/data" -s -m immediate stop || true
            # A crash fails the tests of that moment, whatever they are about.
            grep -hE 'PANIC|terminated by signal' "$dir/log" >&4 || true
            if [ "$small" ]; then umount "$dir/small" || true; fi
            rm -rf "$dir"
        }
        trap stop EXIT
        trap '' INT TERM HUP
        exec 3>&1 4>&2 >"$dir/setup" 2>&1
        as "$bin/initdb" -D "$dir/data" -A trust -U cumulus -E UTF8 --locale=C --no-sync
        as "$bin/pg_ctl" -D "$dir/data" -w -s -l "$dir/log" start 3>&- 4>&- -o "-c listen_addresses= \\
            -c unix_socket_directories=$dir/socket -c fsync=off -c full_page_writes=off -c max_connections=400 \\
            -c shared_buffers=256MB -c shared_preload_libraries=plpgsql -c checkpoint_timeout=1h -c max_wal_size=2GB -c autovacuum_naptime=10min"
        echo started >&3
        exec 3>&-
        read -r _ || true
        """
}
