@testable import CloudHTTP
import TestCloud
import CloudModel
import Foundation
import NIOCore
import Testing

@testable import CloudStore

/// Answers that go as gzip: those to callers who have proved nothing, where there is something to be had.
@Suite(.timeLimit(.minutes(10)))
struct PackedAnswerTests {
    private func coding(_ app: App, _ names: Int, accepts: String?) async throws -> (coding: String?, bytes: Int) {
        let records = (0..<names).map { #"{"recordName": "n\#($0)"}"# }.joined(separator: ", ")
        var headers: HTTPFields = [.contentType: "application/json"]
        headers[.acceptEncoding] = accepts
        let response = try await app.server.client.execute(
            uri: app.target("public/records/lookup"), method: .post, headers: headers,
            body: ByteBuffer(string: #"{"records": [\#(records)]}"#))
        #expect(response.status == .ok)
        #expect(
            (response.headers[.contentEncoding] == "gzip")
                == response.body.readableBytesView.starts(with: [0x1F, 0x8B]))
        return (response.headers[.contentEncoding], response.body.readableBytes)
    }

    @Test("A large anonymous answer is compressed for a client that accepts gzip, and no other is")
    func packed() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            let stranger = server.app()
            let plain = try await coding(stranger, 200, accepts: nil)
            #expect(plain.coding == nil && plain.bytes > 10_000)
            let packed = try await coding(stranger, 200, accepts: "deflate, gzip;q=0.5")
            #expect(packed.coding == "gzip" && packed.bytes < plain.bytes / 4)
            #expect(try await coding(stranger, 200, accepts: "gzip;q=0").coding == nil)
            #expect(try await coding(stranger, 3, accepts: "gzip").coding == nil)
            // What somebody else wrote must not be packed beside what is secret: its length would tell.
            #expect(try await coding(mei, 200, accepts: "gzip").coding == nil)
        }
    }

    @Test("An answer in flight counts by its waiting bytes, compressed or not", arguments: [false, true])
    func counted(isPacked: Bool) throws {
        let ceiling = ResponseCeiling(most: 1 << 30, mostPerCaller: 1 << 30)
        var allowance: ResponseAllowance? = ResponseAllowance(caller: "a", ceiling: ceiling)
        var writer = JSONWriter(capacity: 1 << 20)
        var random = SystemRandomNumberGenerator()
        writer.string(Data((0..<300_000).map { _ in UInt8.random(in: 0...255, using: &random) }).base64EncodedString())
        let response = Response.json(writer, counting: try #require(allowance), isPacked: isPacked)
        #expect((response.headers[.contentEncoding] == "gzip") == isPacked)
        let length = try #require(response.body.contentLength)
        #expect(length > 200_000 && ceiling.total == length)
        allowance = nil
        #expect(ceiling.total == 0)
    }

    @Test("A compressed answer takes no more memory than its bytes")
    func room() throws {
        let packed = try #require(Gzip.pack(ByteBuffer(repeating: 7, count: 1 << 20), level: Gzip.quickest))
        #expect(packed.readableBytes < 10_000 && packed.storageCapacity < 20_000)
    }
}
