import CloudAccounts
import CloudEngine
import CloudHTTP
@testable import CloudServer
import TestCloud
import CloudModel
import CloudStore
import TestAssets
import TestWire
import Testing

/// Assets that come in pieces, and clients that take no more of them.
@Suite(.timeLimit(.minutes(10)))
struct SlowReaderTests {
    /// Several times what the system keeps between two ends of a connection.
    private static let large = 40 << 20
    private static let most: Int64 = 12 << 20

    enum Way: CaseIterable { case download, zip }

    /// An asset that is being fetched.
    private struct Client {
        let wire: Wire
        let head: String
        /// Readings of the store before the request, of the file's facts.
        let before: Int
    }

    /// Begins to fetch an asset, and reads the head of the answer.
    private static func begin(_ way: Way, _ server: TestServer, _ port: Int) async throws -> Client {
        let mei = try await server.signIn("mei@example.com")
        let path =
            switch way {
            case .download:
                try await mei.saveFile([UInt8](repeating: 7, count: large)).replacing("${f}", with: "a")
            case .zip: try await zip(mei)
            }
        // The facts of a file are read once.
        let container = try await server.accounts.containers.require(named: mei.container)
        try await server.responder.stores.existing(container: container, environment: .development)?
            .assets.finishFacts()
        let before = try #require(server.folder.assets as? MemoryAssets).endedReadings
        let wire = try Wire(port: port, room: 64 << 10)
        try await wire.send("GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n")
        let head = try await wire.readHead()
        #expect(head.hasPrefix("HTTP/1.1 200"))
        return Client(wire: wire, head: head, before: before)
    }

    private static func zip(_ mei: App) async throws -> String {
        try await mei.makeZone("Z")
        for name in ["root", "leaf"] {
            let value = try await mei.upload([UInt8](repeating: UInt8(name.utf8.count), count: large), zone: "Z")
            let parent = name == "root" ? "" : #", "parent": {"recordName": "root"}"#
            let operation = Operation.write("create", name, fields: #""file": {"value": \#(value)}"#, extra: parent)
            #expect(try await mei.modify(zone: "Z", [operation])["records.0.recordChangeTag"] != nil)
        }
        return "/share/\(try await mei.share("root", in: "Z", permission: "READ_ONLY"))/zip"
    }

    /// The bytes that the first reading after so many others has read of the store, once it is over.
    private static func reading(after before: Int, _ server: TestServer) async throws -> Int64 {
        let assets = try #require(server.folder.assets as? MemoryAssets)
        var left = before
        for await bytes in assets.readings {
            if left == 0 { return bytes }
            left -= 1
        }
        throw CancellationError()
    }

    @Test("The server stops reading a file when its client stops reading", arguments: Way.allCases)
    func readAhead(way: Way) async throws {
        try await AssetKeeping.$current.withValue(.memory) {
            try await TestServer.live(configure: { $0.readingTime = .seconds(2) }) { server, port in
                let client = try await Self.begin(way, server, port)
                let bytes = try await Self.reading(after: client.before, server)
                #expect(bytes < Self.most)
                withExtendedLifetime(client.wire) {}
            }
        }
    }

    @Test("A client that disconnects ends the reading of its file", arguments: Way.allCases)
    func leaving(way: Way) async throws {
        try await AssetKeeping.$current.withValue(.memory) {
            try await TestServer.live { server, port in
                let before = try await Self.begin(way, server, port).before
                let bytes = try await Self.reading(after: before, server)
                #expect(bytes < Self.most)
            }
        }
    }

    @Test("A slow client gets the whole file", arguments: Way.allCases)
    func slowReaders(way: Way) async throws {
        try await AssetKeeping.$current.withValue(.memory) {
            try await TestServer.live { server, port in
                let client = try await Self.begin(way, server, port)
                try await client.wire.skipBody(of: client.head)
                #expect(try await Self.reading(after: client.before, server) == Int64(Self.large))
            }
        }
    }
}
