import CloudAccounts
import CloudHTTP
import TestCloud
import CloudModel
import Foundation
import Synchronization
import TestEngine
import Testing

@testable import CloudStore

/// The index that leads from a public record's name to its environment.
@Suite(.timeLimit(.minutes(5)))
struct PublishedNameTests {
    /// A clock moved by hand, and the environments that were read.
    private final class World: Sendable {
        let moved = Mutex(Duration.zero)
        private let read = Mutex<[String]>([])

        @Sendable func now() -> Timestamp { Timestamp.now() + moved.withLock { $0 } }
        @Sendable func note(_ sql: String) { read.withLock { $0.append(sql) } }
        func clear() { read.withLock { $0 = [] } }
        var snapshots: Int { read.withLock { $0.count { $0 == "BEGIN DEFERRED" } } }
        func pass(minutes: Int) { moved.withLock { $0 += .seconds(60 * minutes) } }
    }

    private static func container(_ number: Int) -> String { "\(TripFixture.container).\(number)" }
    private static let rule = #"{"recordType": "Trip", "title": "{name}"}"#

    private static func setRule(_ server: TestServer, _ container: String) async throws {
        try await server.accounts.pageRules.set(
            try PageRule(try JSONParser.parse(Array(rule.utf8))), container: container)
    }

    /// Notes what the server's own job would, once the new rules are five minutes old.
    private static func index(_ server: TestServer, _ world: World, sweeps: Bool = false) async throws {
        let stores = ContainerStores(folder: server.folder, accounts: server.accounts, previews: nil)
        world.pass(minutes: 6)
        try await stores.indexPageRules()
        if sweeps { try await stores.sweepPublishedNames { _, _, error in Issue.record(error) } }
        try await stores.close()
    }

    private static func places(_ name: String, _ server: TestServer) async throws -> [String] {
        try await server.accounts.pageRules.places(ofPublished: name).map {
            "\($0.container.name) \($0.environment.rawValue)"
        }
    }

    @Test("An unknown id reads no environment with page rules, and a known id reads one")
    func environmentsRead() async throws {
        let world = World()
        try await TestServer.run(clock: world.now, engine: TestEngine(onRead: world.note)) { server in
            for number in 0..<3 {
                let mei = try await server.signIn("mei@example.com", Self.container(number))
                try await Self.setRule(server, Self.container(number))
                try await mei.save(in: "public", "t\(number)", type: "Trip", fields: #""name": {"value": "Lisbon"}"#)
            }
            try await Self.index(server, world)
            world.clear()
            #expect(try await server.send(.get, "/share/unknown").status == 404)
            if !ChosenEngine.isPostgres { #expect(world.snapshots == 0) }
            #expect(try await server.send(.get, "/share/t1").status == 200)
            if !ChosenEngine.isPostgres { #expect(world.snapshots == 1) }
            #expect(try await Self.places("t1", server) == ["\(Self.container(1)) development"])
            #expect(try await Self.places("unknown", server).isEmpty)
        }
    }

    @Test("A rule set after its records were saved gives them pages at once, before and after indexing")
    func lateRule() async throws {
        let world = World()
        try await TestServer.run(clock: world.now) { server in
            let mei = try await server.signIn("mei@example.com", Self.container(0))
            try await mei.save(in: "public", "old", type: "Trip", fields: #""name": {"value": "Lisbon"}"#)
            try await mei.save(in: "public", "other", type: "City", fields: #""name": {"value": "Lisbon"}"#)
            #expect(try await server.send(.get, "/share/old").status == 404)
            try await Self.setRule(server, Self.container(0))
            #expect(try await server.send(.get, "/share/old").status == 200)
            #expect(try await Self.places("unknown", server).count == 1)
            try await Self.index(server, world)
            #expect(try await Self.places("unknown", server).isEmpty)
            #expect(try await Self.places("other", server).isEmpty)
            #expect(try await server.send(.get, "/share/old").status == 200)
        }
    }

    @Test("A record saved under a rule has its page at once, and a refused save adds no name to the index")
    func saves() async throws {
        let world = World()
        try await TestServer.run(clock: world.now) { server in
            let mei = try await server.signIn("mei@example.com", Self.container(0))
            try await Self.setRule(server, Self.container(0))
            try await Self.index(server, world)
            let fields = #""name": {"value": "Lisbon"}"#
            try await mei.save(in: "public", "new", type: "Trip", fields: fields)
            #expect(try await server.send(.get, "/share/new").status == 200)
            let refused = try await mei.modify(
                in: "public", [Operation.write("create", "new", type: "Trip", fields: fields)])
            #expect(refused["records.0.serverErrorCode"]?.string == "CONFLICT")
            let unsaved = try await server.app(Self.container(0)).modify(
                in: "public", [Operation.write("create", "unsaved", type: "Trip", fields: fields)])
            #expect(unsaved.status != 200 || unsaved["records.0.serverErrorCode"] != nil)
            #expect(try await Self.places("unsaved", server).isEmpty)
        }
    }

    @Test("A deleted record's name leaves the index after an hour, unless the record exists again")
    func deletions() async throws {
        let world = World()
        try await TestServer.run(clock: world.now) { server in
            let mei = try await server.signIn("mei@example.com", Self.container(0))
            try await Self.setRule(server, Self.container(0))
            try await Self.index(server, world)
            let fields = #""name": {"value": "Lisbon"}"#
            for name in ["gone", "again", "stays"] {
                try await mei.save(in: "public", name, type: "Trip", fields: fields)
            }
            _ = try await mei.modify(in: "public", ["gone", "again"].map { Operation.delete($0) })
            try await Self.index(server, world, sweeps: true)
            #expect(try await Self.places("gone", server).count == 1)
            world.pass(minutes: 60)
            // The session has expired meanwhile.
            let returned = try await server.signIn("mei@example.com", Self.container(0))
            try await returned.save(in: "public", "again", type: "Trip", fields: fields)
            try await Self.index(server, world, sweeps: true)
            #expect(try await Self.places("gone", server).isEmpty)
            #expect(try await Self.places("again", server).count == 1)
            #expect(try await server.send(.get, "/share/stays").status == 200)
        }
    }

    @Test("A record restored by a snapshot has its page, though its name had left the index")
    func snapshots() async throws {
        let world = World()
        try await TestServer.run(clock: world.now) { server in
            let mei = try await server.signIn("mei@example.com", Self.container(0))
            try await Self.setRule(server, Self.container(0))
            try await Self.index(server, world)
            try await mei.save(in: "public", "kept", type: "Trip", fields: #""name": {"value": "Lisbon"}"#)
            let snapshot = "/emulator/1/containers/\(Self.container(0))/snapshots/before"
            #expect(try await server.send(.put, snapshot).status == 200)
            _ = try await mei.modify(in: "public", [Operation.delete("kept")])
            world.pass(minutes: 60)
            try await Self.index(server, world, sweeps: true)
            #expect(try await Self.places("kept", server).isEmpty)
            #expect(try await server.send(.post, snapshot + "/restore").status == 200)
            #expect(try await server.send(.get, "/share/kept").status == 200)
        }
    }
}
