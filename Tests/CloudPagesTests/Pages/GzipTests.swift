@testable import CloudHTTP
import TestCloud
import CZlib
import NIOCore
import Testing

/// Pages and their files on the way to browsers that take gzip.
struct GzipTests {
    @Test("A page sent with gzip unpacks to the same bytes", arguments: [1 << 10, 4000, 1 << 20])
    func roundTrip(size: Int) throws {
        let text = String(repeating: "a row of a table, ", count: size / 18 + 1)
        let packed = try #require(Gzip.pack(ByteBuffer(string: text)))
        #expect(packed.readableBytes < size / 4)
        #expect(try Self.unpack(Array(packed.readableBytesView)) == text)
    }

    @Test("A page that compression does not shrink is sent uncompressed") func incompressible() {
        var generator = SystemRandomNumberGenerator()
        let noise = (0..<4000).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        #expect(Gzip.pack(ByteBuffer(bytes: noise)) == nil)
        #expect(Gzip.pack(ByteBuffer(string: "short")) == nil)
        #expect(Gzip.pack(ByteBuffer()) == nil)
    }

    @Test(
        "Only clients that accept gzip get it",
        arguments: [
            ("gzip, deflate, br, zstd", true), ("GZIP;q=0.5", true), ("br, gzip", true), ("gzip;q=0", false),
            ("gzip; q=0.0, br", false), ("br", false), ("x-gzipped", false), ("", false),
        ])
    func acceptEncoding(accepted: String, isPacked: Bool) async throws {
        try await TestServer.run { server in
            let style = "/static/x/cumulus.css"
            let plain = try await server.send(.get, style)
            #expect(plain.headers[.contentEncoding] == nil)
            #expect(plain.headers[.vary] == "Accept-Encoding")
            let answer = try await server.download(style, headers: [.acceptEncoding: accepted])
            #expect(answer.headers[.contentEncoding] == (isPacked ? "gzip" : nil))
            #expect(
                try (isPacked ? Self.unpack(answer.bytes) : String(decoding: answer.bytes, as: UTF8.self)) == plain.text
            )
            #expect((answer.headers[.eTag] == plain.headers[.eTag]) == !isPacked)
            let tag = try #require(answer.headers[.eTag])
            let again = try await server.send(
                .get, style, headers: [.acceptEncoding: accepted, .condition.noneMatch: tag])
            #expect(again.status == 304)
        }
    }

    @Test("A share page is compressed, and a page with a form secret is not")
    func sharePage() async throws {
        try await TripFixture.run { trip in
            let path = "/share/\(TripFixture.id)"
            let accepted: HTTPFields = [.acceptEncoding: "gzip"]
            let plain = try await trip.server.send(.get, path)
            let packed = try await trip.server.download(path, headers: accepted)
            #expect(packed.headers[.contentEncoding] == "gzip")
            #expect(try Self.unpack(packed.bytes) == plain.text)
            // Its form holds what keeps foreign forms out, beside text out of the address.
            let signIn = try await trip.server.send(.get, "/auth/signin?return=%2Fshare%2Fx", headers: accepted)
            #expect(signIn.headers[.contentEncoding] == nil)
        }
    }

    private struct NotGzip: Error {}

    static func unpack(_ bytes: [UInt8]) throws -> String {
        var stream = z_stream()
        guard inflateInit2_(&stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
        else { throw NotGzip() }
        defer { inflateEnd(&stream) }
        var source = bytes
        var text = [UInt8](repeating: 0, count: 4 << 20)
        let count = try source.withUnsafeMutableBufferPointer { input in
            stream.next_in = input.baseAddress
            stream.avail_in = UInt32(input.count)
            return try text.withUnsafeMutableBufferPointer { output in
                stream.next_out = output.baseAddress
                stream.avail_out = UInt32(output.count)
                guard inflate(&stream, Z_FINISH) == Z_STREAM_END, stream.avail_in == 0 else { throw NotGzip() }
                return Int(stream.total_out)
            }
        }
        return String(decoding: text[..<count], as: UTF8.self)
    }
}
