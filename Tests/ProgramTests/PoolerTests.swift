import Foundation
import TestPostgres
import TestProcess
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// PgBouncer between the program and PostgreSQL.
@Suite(.timeLimit(.minutes(10)), .enabled(if: FileManager.default.fileExists(atPath: "/usr/sbin/pgbouncer")))
struct PoolerTests {
    private let cumulus: Program

    init() throws { cumulus = try Program() }

    /// Starts a pooler in front of a database of its own.
    private func start(_ mode: String) throws -> (pooler: ChildProcess, url: String, folder: String) {
        let cluster = try TestCluster.shared.get()
        let database = try #require(try cluster.makeDatabase().split(separator: "/").last)
        let folder = "/tmp/pool-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o777])
        try Data(
            """
            [databases]
            * = host=\(cluster.socket) user=cumulus
            [pgbouncer]
            unix_socket_dir = \(folder)
            listen_port = 6432
            auth_type = any
            pool_mode = \(mode)
            """.utf8
        ).write(to: URL(filePath: folder + "/ini"))
        let nothing = try FileHandle(forUpdating: URL(filePath: "/dev/null"))
        // It refuses to run as root, as PostgreSQL does.
        let words =
            (getuid() == 0 ? ["runuser", "-u", "postgres", "--"] : []) + ["/usr/sbin/pgbouncer", "-q", folder + "/ini"]
        let pooler = try ChildProcess(
            URL(filePath: "/usr/bin/env"), words, environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"],
            streams: (nothing.fileDescriptor, nothing.fileDescriptor, nothing.fileDescriptor), bound: Program.bound)
        while !FileManager.default.fileExists(atPath: folder + "/.s.PGSQL.6432") { sched_yield() }
        return (pooler, "postgres://cumulus@\(folder.replacing("/", with: "%2F")):6432/\(database)", folder)
    }

    private func stop(_ pooler: ChildProcess, _ folder: String) async {
        pooler.send(SIGTERM)
        pooler.send(SIGKILL)
        _ = await pooler.end()
        try? FileManager.default.removeItem(atPath: folder)
    }

    @Test("A pooler in transaction mode is reported at the start and by doctor, with a remedy")
    func transactions() async throws {
        let (pooler, url, folder) = try start("transaction")
        let environment = ["CUMULUS_DATABASE_URL": url]
        let refusal = try await cumulus.run(["serve", "--dev", "--port", "0"], environment: environment)
        #expect(refusal.status == 1)
        #expect(
            refusal.errors.contains("is behind a pooler that changes the session between transactions"), "\(refusal)")
        #expect(refusal.errors.contains("have it pool by session, or name the database's own address"))
        #expect(refusal.errors.split(separator: "\n").count == 1, "\(refusal.errors)")
        let doctor = try await cumulus.run(["doctor"], environment: environment)
        #expect(doctor.status == 1 && doctor.output.contains("is behind a pooler"), "\(doctor)")
        await stop(pooler, folder)
    }

    @Test("The server works through a pooler in session mode")
    func sessions() async throws {
        let (pooler, url, folder) = try start("session")
        let server = try await RunningServer(cumulus, "--dev", environment: ["CUMULUS_DATABASE_URL": url])
        let person = try await DevelopmentPerson(server)
        #expect(try await person.create(["n"], text: "x").response.statusCode == 200)
        #expect(await server.stop() == 0)
        await stop(pooler, folder)
    }
}
