import NIOCore
import NIOHTTP1

/// An object open for reading. Each piece is a separate request, sent after the previous piece is consumed, so a slow reader
/// holds a piece of memory and no connection.
struct S3Reader: AssetReading {
    /// Bytes per request, and bytes per yielded piece.
    private static let (fetched, handed): (Int64, Int) = (1 << 20, 256 << 10)

    let client: S3Client
    let key: String
    let size: Int64
    /// The lifetime of links in seconds; nil if links are off.
    let linkSeconds: Int?

    func bytes(in range: Range<Int64>) -> any AssetBytes { Bytes(reader: self, range: range) }

    func link(type: String, disposition: String, caching: String) -> String? {
        linkSeconds.map { seconds in
            client.link(
                key,
                query: [
                    ("response-cache-control", caching), ("response-content-disposition", disposition),
                    ("response-content-type", type),
                ], seconds: seconds)
        }
    }

    private func fetch(_ range: Range<Int64>) async throws -> ByteBuffer {
        let place = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(size)"
        return try await client.send(
            S3Request(
                method: "GET", key: key, headers: [("range", "bytes=\(range.lowerBound)-\(range.upperBound - 1)")],
                mostBytes: range.count
            ) {
                $0.status == 206 && $0.headers.first(name: "content-range") == place
                    && $0.body.readableBytes == range.count
            }
        ).body
    }

    struct Bytes: AsyncSequence, Sendable {
        let reader: S3Reader
        let range: Range<Int64>

        func makeAsyncIterator() -> Iterator { Iterator(reader: reader, rest: range) }
    }

    struct Iterator: AsyncIteratorProtocol {
        let reader: S3Reader
        var rest: Range<Int64>
        var piece = ByteBuffer()

        mutating func next() async throws -> ByteBuffer? {
            if piece.readableBytes == 0 {
                guard !rest.isEmpty else { return nil }
                let end = Swift.min(rest.lowerBound + S3Reader.fetched, rest.upperBound)
                piece = try await reader.fetch(rest.lowerBound..<end)
                rest = end..<rest.upperBound
            }
            return piece.readSlice(length: Swift.min(S3Reader.handed, piece.readableBytes))
        }
    }
}
