import CloudModel
import Foundation
import Synchronization
import TestCloud
import TestPostgres
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A server whose PostgreSQL does not answer goes on with what needs none, and says so.
@Suite(.timeLimit(.minutes(10)))
struct StalledDatabaseTests {
    private let program: Program
    private let cluster: TestCluster

    init() throws {
        program = try Program()
        cluster = try TestCluster.shared.get()
    }

    /// Requests that need the database, more than the machine has threads for tasks.
    private static let needy = 24

    @Test(
        "Pages and health are answered while requests wait for the database",
        arguments: PostgresProxy.Failure.allCases)
    func stall(failure: PostgresProxy.Failure) async throws {
        let folder = "/tmp/stall-\(UUID().uuidString.prefix(8))"
        let proxy = try PostgresProxy(in: folder, to: cluster)
        let server = try await RunningServer(
            program, "--dev",
            environment: [
                "CUMULUS_DATABASE_URL": try cluster.makeDatabase(through: folder),
                "CUMULUS_ASSETS_URL": "file://\(program.folder.path())/assets",
            ])
        let person = try await DevelopmentPerson(server)
        #expect(try await person.create(["first"], text: "x").response.statusCode == 200)
        // On a busy machine a database may take longer to answer than health waits.
        try await until { try await server.status("/health") == 200 }
        proxy.fail(failure)
        // Waits for as long as the database has to answer, a minute.
        let writing = Task { try await person.create(["second"], text: "x").response.statusCode }
        let needy = (0..<Self.needy).map { number in
            Task {
                try await server.status(
                    "/database/1/unknown\(number)/production/public/zones/list?ckAPIToken=\(number)&ckWebAuthToken=x")
            }
        }
        for _ in 0..<20 { #expect(try await server.status("/") == 200) }
        // What was found before is good for a second.
        let health = try await answer {
            try await server.get("/health")
        } until: {
            $0.response.statusCode != 200
        }
        #expect(health.response.statusCode == 503)
        let text = String(decoding: health.body, as: UTF8.self)
        #expect(text.contains(#""what":"database""#), "\(text)")
        #expect(text.contains("the schema cumulus_accounts"), "\(text)")
        #expect(try await server.status("/ready") == 503)
        for task in needy { #expect(try await task.value == 503) }
        proxy.mend()
        try await until { try await server.status("/health") != 503 }
        // A write that had not arrived is refused; one that waited in a frozen server may be done by now.
        #expect([200, 503].contains(try await writing.value))
        try await until { try await person.create(["third"], text: "x").response.statusCode != 503 }
        #expect(try await person.found(["first", "third"]) == ["first", "third"])
        #expect(await server.stop() == 0)
    }

    @Test(
        "Health, readiness and the operator's start page are answered while the database is stalled",
        arguments: ["/health", "/ready", "/"])
    func operators(path: String) async throws {
        let folder = "/tmp/stall-\(UUID().uuidString.prefix(8))"
        let proxy = try PostgresProxy(in: folder, to: cluster)
        // The database is waited for longer than the test may take.
        let environment = [
            "CUMULUS_DATABASE_URL": try cluster.makeDatabase(through: folder), "CUMULUS_DATABASE_ANSWER_TIME": "3600",
        ]
        let server = try await RunningServer(program, environment: environment)
        let made = try await program("management-token", "create", "--name", "t", environment: environment)
        #expect(made.status == 0, "\(made.errors)")
        let headers = ["Authorization": "Bearer \(made.output.trimmingCharacters(in: .newlines))"]
        #expect(String(decoding: try await server.get(path, headers: headers).body, as: UTF8.self).contains("0."))
        proxy.fail(.frozen)
        let answer = try await server.get(path, headers: headers)
        #expect([200, 503].contains(answer.response.statusCode))
        proxy.mend()
        _ = await server.stop()
    }
}
