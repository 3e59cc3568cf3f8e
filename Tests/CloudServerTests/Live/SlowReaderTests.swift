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

    /// Begins to fetch an asset, and reads the head of the answer.
    private static func begin(_ way: Way, _ server: TestServer, _ port: Int) async throws -> (wire: Wire, head: String)
    {
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
        let wire = try Wire(port: port, room: 64 << 10)
        try await wire.send("GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n")
        let head = try await wire.readHead()
        #expect(head.hasPrefix("HTTP/1.1 200"))
        return (wire, head)
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

    /// The bytes that were read of the store once nobody waits for more, after the readings of the files' facts.
    private static func firstReading(_ way: Way, _ server: TestServer) async throws -> Int64 {
        let assets = try #require(server.folder.assets as? MemoryAssets)
        var facts = way == .download ? 1 : 2
        for await bytes in assets.readings {
            if facts == 0 { return bytes }
            facts -= 1
        }
        throw CancellationError()
    }

    @Test("The server stops reading a file when its client stops reading", arguments: Way.allCases)
    func readAhead(way: Way) async throws {
        try await AssetKeeping.$current.withValue(.memory) {
            try await TestServer.live(configure: { $0.readingTime = .seconds(2) }) { server, port in
                let client = try await Self.begin(way, server, port)
                let bytes = try await Self.firstReading(way, server)
                #expect(bytes < Self.most)
                withExtendedLifetime(client.wire) {}
            }
        }
    }

    @Test("A client that disconnects ends the reading of its file", arguments: Way.allCases)
    func leaving(way: Way) async throws {
        try await AssetKeeping.$current.withValue(.memory) {
            try await TestServer.live { server, port in
                _ = try await Self.begin(way, server, port)
                let bytes = try await Self.firstReading(way, server)
                #expect(bytes < Self.most)
            }
        }
    }

    @Test("A slow client gets the whole file", arguments: Way.allCases)
    func slowReaders(way: Way) async throws {
        try await AssetKeeping.$current.withValue(.memory) {
            try await TestServer.live { server, port in
                let (wire, head) = try await Self.begin(way, server, port)
                try await wire.skipBody(of: head)
                #expect(try await Self.firstReading(way, server) == Int64(Self.large))
            }
        }
    }
}
