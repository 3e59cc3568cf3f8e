@testable import CloudHTTP
import CloudServer
import CloudWire
import TestCloud
import CloudAssets
import CloudModel
import TestWire
import Testing

/// Bytes that come to nothing are counted, and are not read without end.
@Suite(.timeLimit(.minutes(10)))
struct RefusedUploadTests {
    private static func uploads(_ most: Int) throws -> RefusedUploads {
        let time = Timestamp.now()
        let uploads = RefusedUploads(most) { time }
        return try #require(uploads)
    }

    private static func isThrottled(_ work: () throws -> Void) -> Bool {
        do { try work() } catch { return (error as? ServerError)?.code == .throttled }
        return false
    }

    @Test("An upload counts once it has failed")
    func failedUpload() throws {
        let uploads = try Self.uploads(100_000)
        let first = try uploads.begin(100_000, of: "mei")
        try first.take(100_000)
        first.forgive()
        let second = try uploads.begin(100_000, of: "mei")
        // Broken off after a part.
        try second.take(30_000)
        second.end()
        second.fail()
        #expect(!Self.isThrottled { try uploads.check("mei") })
        // Nothing of it was read, and it comes all the same.
        try uploads.begin(70_000, of: "mei").fail()
        #expect(Self.isThrottled { try uploads.check("mei") })
        #expect(!Self.isThrottled { try uploads.check("eve") })
    }

    @Test("A large upload under way blocks no other, and several are bounded together")
    func underWay() throws {
        let uploads = try Self.uploads(100_000)
        let film = try uploads.begin(390_000, of: "mei")
        let still = try uploads.begin(10_000, of: "mei")
        #expect(Self.isThrottled { _ = try uploads.begin(1, of: "mei") })
        _ = try uploads.begin(1, of: "eve")
        film.forgive()
        still.forgive()
        let larger = try uploads.begin(1_000_000, of: "mei")
        larger.end()
        #expect(!Self.isThrottled { _ = try uploads.begin(400_000, of: "mei") })
    }

    @Test("An upload without an announced length counts as it arrives")
    func unannounced() throws {
        let uploads = try Self.uploads(1 << 20)
        let upload = try uploads.begin(0, of: "mei")
        for _ in 0..<4 { try upload.take(1 << 20) }
        #expect(Self.isThrottled { _ = try uploads.begin(1, of: "mei") })
        upload.fail()
        #expect(Self.isThrottled { try uploads.check("mei") })
    }

    @Test("Server faults are not counted against the client")
    func faults() {
        #expect(RequestRefusal(ServerError(.conflict, "x", .taken(.user))).isOfClient)
        #expect(!RequestRefusal(ServerError(.tryAgainLater, "x", .server(.disk))).isOfClient)
        #expect(!AssetStoreFull().refusal.isOfClient)
    }

    @Test(
        "A refused body is read up to its route's limit, and then the connection closes",
        arguments: [
            ("/uploads/forged", "403"), ("/database/1/c/development/public/records/query?ckAPIToken=wrong", "401"),
            ("/health", "405"),
        ])
    func unread(path: String, status: String) async throws {
        try await TestServer.live(configure: {
            ($0.limits.requestBytes, $0.limits.assets.bytes) = (2 << 20, 2 << 20)
        }) { server, port in
            let wire = try await Self.refused(path, status, port)
            #expect(await Self.isCut(wire, after: 64 << 20))
        }
    }

    @Test("Unread bytes count for their address over time")
    func unreadOverTime() async throws {
        try await TestServer.live(configure: {
            $0.rates.refusedUploadBytes = 4 << 20
            ($0.limits.requestBytes, $0.limits.assets.bytes) = (100 << 20, 100 << 20)
        }) { server, port in
            let wire = try await Self.refused("/uploads/forged", "403", port)
            #expect(await Self.isCut(wire, after: 64 << 20))
            // Its uploads go on: somebody else at the address may be meant by them.
            let mei = try await server.signIn("mei@example.com")
            #expect(try await !mei.upload([1, 2, 3]).isEmpty)
        }
    }

    /// Begins a body in chunks, and reads the refusal.
    private static func refused(_ path: String, _ status: String, _ port: Int) async throws -> Wire {
        let wire = try Wire(port: port)
        try await wire.send("POST \(path) HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n")
        let head = try await wire.readHead()
        #expect(head.hasPrefix("HTTP/1.1 \(status)"), "\(head)")
        return wire
    }

    /// Whether the server takes fewer than so many bytes more.
    private static func isCut(_ wire: Wire, after bytes: Int) async -> Bool {
        let chunk = Array("10000\r\n".utf8) + [UInt8](repeating: 0x78, count: 0x10000) + Array("\r\n".utf8)
        for _ in 0..<bytes / 0x10000 {
            do { try await wire.send(chunk) } catch { return true }
        }
        return false
    }
}
