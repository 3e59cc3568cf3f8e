import CloudHTTP
import TestCloud
import CloudModel
import Foundation
import Synchronization
import TestEngine
import Testing

@Suite(.timeLimit(.minutes(5)), .enabled(if: !ChosenEngine.isPostgres, "about statements of SQLite"))
struct PageSnapshotTests {
    private final class Statements: Sendable {
        private let all = Mutex<[String]>([])

        @Sendable func note(_ sql: String) { all.withLock { $0.append(sql) } }
        func clear() { all.withLock { $0 = [] } }
        var snapshots: Int { all.withLock { $0.count { $0 == "BEGIN DEFERRED" } } }
        var count: Int { all.withLock { $0.count } }
    }

    @Test("A share page is read in one snapshot of the store, however many files it shows")
    func sharePages() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "cumulus-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = Mutex("")
        try await TestServer.run(folder: folder) { server in
            let mei = try await server.signIn("mei@example.com", TripFixture.container)
            try await mei.makeZone("Z")
            for (index, name) in ["root", "a", "b", "c"].enumerated() {
                let file = try await mei.upload(Array("text \(index)".utf8), zone: "Z")
                let parent = index == 0 ? "" : #", "parent": {"recordName": "root"}"#
                let operation = Operation.write("create", name, fields: #""file": {"value": \#(file)}"#, extra: parent)
                #expect(try await mei.modify(zone: "Z", [operation])["records.0.recordChangeTag"] != nil)
            }
            let share = try await mei.share("root", in: "Z", permission: "READ_ONLY")
            path.withLock { $0 = "/share/\(share)" }
            try await server.finishFacts(TripFixture.container)
        }
        // A server that prepares no page meanwhile.
        let statements = Statements()
        try await TestServer.run(engine: TestEngine(onRead: statements.note), folder: folder) { server in
            try await server.finishFacts(TripFixture.container)
            statements.clear()
            let page = try await server.send(.get, path.withLock { $0 })
            #expect(page.status == 200)
            #expect(statements.snapshots == 1)
            #expect(page.text.matches(of: #/href="/share/[^"]+/download//#).count == 4)
        }
    }

    @Test("An unknown id reads no container without page rules")
    func unknownIDs() async throws {
        let statements = Statements()
        try await TestServer.run(engine: TestEngine(onRead: statements.note)) { server in
            for number in 0..<3 {
                let mei = try await server.signIn("mei@example.com", "\(TripFixture.container).\(number)")
                try await mei.makeZone("Z")
            }
            statements.clear()
            #expect(try await server.send(.get, "/share/unknown").status == 404)
            #expect(statements.count == 0)
        }
    }
}
