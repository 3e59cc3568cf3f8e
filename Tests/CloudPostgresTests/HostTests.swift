import CPostgres
import CloudSQL
import Foundation
import TestPostgres
import Testing

@testable import CloudPostgres

/// Which of several hosts is used, and when it is left.
@Suite(.timeLimit(.minutes(5)))
struct HostTests {
    @Test(
        "Each host of a URL has its own port",
        arguments: [
            ("postgres://u@h1:1,h2:2/d", "postgres://u@h1:1,h2:2/d"), ("postgres://u@h1,h2/d", "postgres://u@h1,h2/d"),
            ("postgres://u:secret@h1,h2:5433/d?target_session_attrs=read-write", "postgres://u@h1,h2:5433/d"),
            ("postgres:///d?host=h1,h2&port=7", "postgres://h1:7,h2:7/d"), ("postgres:///d", "postgres:///d"),
        ])
    func urls(url: String, shown: String) { #expect(PostgresAddress(url)?.shown == shown) }

    @Test(
        "A listed host is connected to alone, with or without a port of its own",
        arguments: [
            "postgres://127.0.0.1,localhost/d", "postgres://127.0.0.1,localhost:1/d?target_session_attrs=read-write",
            "postgres://127.0.0.1:1,localhost/d", "postgres:///d?host=127.0.0.1,localhost&port=1",
            "postgres:///d?hostaddr=127.0.0.1,127.0.0.1", "postgres://127.0.0.1:1,/d",
        ])
    func single(url: String) {
        for host in PostgresServer(url: url).hosts.hosts {
            // Whatever listens at the usual port has its own reason to refuse.
            do throws(ConnectionStart.Failure) {
                PQfinish(try ConnectionStart.run(url, host, within: .seconds(5)))
            } catch { #expect(!error.message.contains("could not match"), "\(host): \(error.message)") }
        }
    }

    @Test("A slow server is kept when it is the only host")
    func onlyHost() throws {
        let server = PostgresServer(url: try TestCluster.shared.get().makeDatabase())
        let link = try server.connect()
        server.hosts.noteSilence(of: link.host)
        #expect(!server.hosts.isLeft(link))
    }

    @Test("An address that refuses connections is no alternative to a slow host")
    func refusing() throws {
        let url = try TestCluster.shared.get().makeDatabase()
        let server = PostgresServer(url: url.replacing("/db_", with: ",127.0.0.1:1/db_"))
        let link = try server.connect()
        server.hosts.survey()
        server.hosts.noteSilence(of: link.host)
        #expect(!server.hosts.isLeft(link))
    }

    @Test("A host name resolves to all its addresses, and keeps its name for TLS")
    func names() throws {
        let found = try PostgresHost(name: "localhost", port: "5432").addresses(within: .seconds(60))
        #expect(found.contains(PostgresHost(name: "localhost", address: "127.0.0.1", port: "5432")))
        let folder = PostgresHost(name: "/run/postgresql")
        #expect(try folder.addresses(within: .zero) == [folder])
        let error = #expect(throws: SQLError.self) {
            try PostgresHost(name: "db.invalid").addresses(within: .seconds(60))
        }
        #expect(error?.kind == .unusable && error?.message.hasPrefix("db.invalid has no address") == true)
    }

    @Test("A frozen primary is replaced by the promoted standby, for busy and idle connections")
    func frozen() throws {
        let pair = try TestPair()
        var limits = PostgresLimits()
        // Nobody waits for it.
        limits.answerTime = .seconds(3600)
        let server = PostgresServer(url: pair.url, limits: limits)
        let (busy, idle) = (try server.connect(), try server.connect())
        try busy.script("SELECT 1")
        try pair.act(.freeze)
        let error = #expect(throws: SQLError.self) { try busy.script("SELECT 2") }
        #expect(error?.kind == .unusable)
        #expect(server.hosts.isLeft(idle))
        try pair.act(.promote)
        let link = try connectSoon(server)
        #expect(link.host.port == server.hosts.hosts[1].port)
        #expect(link.history?.timeline == 2)
    }

    @Test("A primary that returns after a promotion is not used again")
    func oldTimeline() throws {
        let pair = try TestPair()
        let server = PostgresServer(url: pair.url)
        let old = try server.connect()
        try pair.act(.promote)
        // Both take writes; which is right is told by their histories.
        server.hosts.survey()
        #expect(server.hosts.isLeft(old))
        let link = try connectSoon(server)
        #expect(link.history?.timeline == 2)
        let late = PostgresServer(url: pair.primary)
        #expect(try late.connect().history?.timeline == 1)
    }

    @Test("A writer leaves a server that became read-only, and the error says read-only")
    func readOnly() throws {
        let pair = try TestPair()
        let server = PostgresServer(url: pair.url)
        let db = SQLConnection(PostgresDriver(server, schema: "public"))
        try db.script("CREATE TABLE r (id BIGINT)")
        let sessions = "SELECT string_agg(pid::text, ' ') FROM pg_stat_activity WHERE application_name = 'cumulus'"
        let before = try TestCluster.ask(sessions, of: pair.primary)
        #expect(!before.isEmpty)
        try TestCluster.ask("ALTER SYSTEM SET default_transaction_read_only = on", of: pair.primary)
        try TestCluster.ask("SELECT pg_reload_conf()", of: pair.primary)
        while try TestCluster.ask("SHOW default_transaction_read_only", of: pair.primary) != "on" {}
        var reason = ""
        while !reason.contains("read-only") {
            do {
                try db.run("INSERT INTO r (id) VALUES (1)")
            } catch { reason = "\(error)" }
        }
        while try TestCluster.ask(sessions, of: pair.primary) == before {
            _ = try? db.run("INSERT INTO r (id) VALUES (1)")
        }
        try pair.act(.promote)
        while (try? db.run("INSERT INTO r (id) VALUES (2)")) == nil {}
        #expect(try TestCluster.ask("SELECT count(*) FROM r WHERE id = 2", of: pair.standby) == "1")
    }

    /// A connection, as soon as the server is no longer held to be away.
    private func connectSoon(_ server: PostgresServer) throws -> PostgresHandle {
        while true { if let link = try? server.connect() { return link } }
    }
}
