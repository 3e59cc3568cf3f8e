import CloudModel
import CloudSQL
import Foundation
import TestPostgres
import Testing

@testable import CloudPostgres

/// A COMMIT whose answer is lost is looked for in the row that writers lock, whatever became of the server.
@Suite(.timeLimit(.minutes(5)))
struct LostCommitTests {
    private let pair: TestPair

    init() throws { pair = try TestPair() }

    /// A schema with the row that writers lock and a table.
    private func makeSchema(_ server: PostgresServer) throws {
        try PostgresConnection(server, schema: "lost").makeSchema(note: "a test")
        try TestCluster.ask(
            """
            SET search_path = lost; CREATE TABLE store (position bigint); INSERT INTO store VALUES (0);
            CREATE TABLE c (id bigint); \(LockedRow.records.layout)
            """, of: pair.primary)
    }

    private func begin(_ server: PostgresServer) throws -> (driver: PostgresDriver, db: SQLConnection) {
        let driver = PostgresDriver(server, schema: "lost", .init(row: .records))
        let db = SQLConnection(driver)
        try db.run("BEGIN IMMEDIATE")
        try db.run("INSERT INTO c (id) VALUES (1)")
        return (driver, db)
    }

    /// Gives out transaction numbers up to one.
    private func spend(upTo number: Int64, of database: String) throws {
        while try #require(Int64(TestCluster.ask("SELECT txid_current()", of: database))) <= number {}
    }

    @Test("A change that a promoted standby lacks is refused, though another transaction there has its number")
    func anotherTimeline() throws {
        let server = PostgresServer(url: pair.url)
        try makeSchema(server)
        while try TestCluster.ask("SELECT to_regclass('lost.c') IS NOT NULL", of: pair.standby) != "t" {}
        try pair.act(.detach)
        let (driver, db) = try begin(server)
        let number = try #require(try db.first("SELECT txid_current()") { $0.integer(0) })
        // It is committed, and the answer is lost with the host.
        try driver.link?.script("COMMIT")
        try pair.act(.kill)
        try pair.act(.promote)
        try spend(upTo: number, of: pair.standby)
        let error = #expect(throws: ServerError.self) { try db.run("COMMIT") }
        #expect(error?.code == .tryAgainLater)
        #expect(error?.reason.contains("the change with it") == true)
        #expect(try TestCluster.ask("SELECT count(*) FROM lost.c", of: pair.standby) == "0")
    }

    @Test("A change that a promoted standby has is acknowledged")
    func kept() throws {
        let server = PostgresServer(url: pair.url)
        try makeSchema(server)
        let (driver, db) = try begin(server)
        try driver.link?.script("COMMIT")
        while try TestCluster.ask("SELECT count(*) FROM lost.c", of: pair.standby) != "1" {}
        try pair.act(.kill)
        try pair.act(.promote)
        try db.run("COMMIT")
    }

    @Test("When too many other groups follow, a lost commit's outcome is reported as unknown")
    func forgotten() throws {
        let server = PostgresServer(url: pair.url)
        try makeSchema(server)
        let (driver, db) = try begin(server)
        try driver.link?.script("COMMIT")
        for _ in 0...LockedRow.mostGroups { try begin(server).db.run("COMMIT") }
        driver.link?.close()
        let error = #expect(throws: ServerError.self) { try db.run("COMMIT") }
        #expect(error?.reason.contains("is not known") == true)
    }

    @Test("A COMMIT without a standby's confirmation is acknowledged only once the standby has its row")
    func unconfirmed() async throws {
        let pair = try TestPair(isSynchronous: true)
        let server = PostgresServer(url: pair.url)
        try PostgresConnection(server, schema: "lost").makeSchema(note: "a test")
        try TestCluster.ask(
            """
            SET search_path = lost; CREATE TABLE store (position bigint); INSERT INTO store VALUES (0);
            CREATE TABLE c (id bigint); \(LockedRow.records.layout)
            """, of: pair.primary)
        try pair.act(.detach)
        let waits = "FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
        let ends = Task.detached {
            // An operator ends the wait, as happens when writes hang.
            while try TestCluster.ask("SELECT pg_cancel_backend(pid) \(waits) LIMIT 1", of: pair.primary) != "t" {}
            try pair.act(.promote)
        }
        // A thread of its own, which waits.
        let error = await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                let error = #expect(throws: ServerError.self) {
                    let driver = PostgresDriver(server, schema: "lost", .init(row: .records))
                    let db = SQLConnection(driver)
                    try db.run("BEGIN IMMEDIATE")
                    try db.run("INSERT INTO c (id) VALUES (1)")
                    try db.run("COMMIT")
                }
                continuation.resume(returning: error)
            }
        }
        try await ends.value
        #expect(error?.code == .tryAgainLater)
    }
}
