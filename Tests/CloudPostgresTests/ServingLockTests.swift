import CloudSQL
import TestPostgres
import Testing

@testable import CloudPostgres

/// The lock of servers, beside that of version 0.3.
@Suite(.timeLimit(.minutes(5)))
struct ServingLockTests {
    @Test("A server does not start beside one of version 0.3, whose writes are invisible to it")
    func earlierVersion() throws {
        let server = PostgresServer(url: try TestCluster.shared.get().makeDatabase())
        let (locks, others) = (PostgresLocks(server, prefix: "cumulus"), PostgresLocks(server, prefix: "cumulus"))
        let earlier = try server.connect()
        let key = Int64(bitPattern: SchemaName.hash("cumulusserving"))
        try earlier.script("SELECT pg_advisory_lock_shared(\(key))")
        #expect(try !locks.hold("serving", shared: true))
        try earlier.script("SELECT pg_advisory_unlock_shared(\(key))")
        #expect(try locks.hold("serving", shared: true))
        #expect(try others.hold("serving", shared: true))
        #expect(try !PostgresLocks(server, prefix: "cumulus").hold("serving", shared: false))
    }
}
