import CZlib
package import NIOCore

/// Compresses text for clients that accept gzip.
///
/// Not for pages with secrets: if a page repeats the request, its compressed length reveals other text of the page.
/// `PagePacker` packs pages with secrets.
package enum Gzip {
    /// For answers compressed per request: half the time of ``quick``, and nearly as small.
    static let quickest: Int32 = 1
    /// Nearly full compression at low cost.
    static let quick: Int32 = 4
    /// For files packed once and sent often.
    package static let thorough: Int32 = 9

    /// Smaller texts gain nothing from compression.
    private static let smallest = 1024
    /// The largest window; 16 selects gzip's frame instead of zlib's.
    private static let windowBits: Int32 = 15 + 16
    private static let memoryLevel: Int32 = 8

    /// Returns true if the client accepts gzip (RFC 9110 section 12.5.3).
    package static func isTaken(by request: Request) -> Bool {
        guard let header = request.headers[.acceptEncoding] else { return false }
        return header.lowercased().split(separator: ",").contains { coding in
            let parts = coding.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" } }
            guard parts.first == "gzip" else { return false }
            return !parts.dropFirst().contains { Self.isNever($0) }
        }
    }

    /// Returns true if the parameter is `q=0`.
    private static func isNever(_ parameter: String) -> Bool {
        parameter.hasPrefix("q=") && Double(parameter.dropFirst(2)) == 0
    }

    /// - Returns: nil if compression does not shrink the bytes.
    package static func pack(_ bytes: ByteBuffer, level: Int32 = quick) -> ByteBuffer? {
        guard bytes.readableBytes >= smallest else { return nil }
        var stream = z_stream()
        guard
            deflateInit2_(
                &stream, level, Z_DEFLATED, windowBits, memoryLevel, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
                Int32(MemoryLayout<z_stream>.size)) == Z_OK
        else { return nil }
        defer { deflateEnd(&stream) }
        var source = bytes
        var packed = ByteBuffer()
        let isWhole = source.withUnsafeMutableReadableBytes { input in
            stream.next_in = input.bindMemory(to: UInt8.self).baseAddress
            stream.avail_in = UInt32(input.count)
            // The output is limited to the input's size; a larger result is discarded.
            return packed.writeWithUnsafeMutableBytes(minimumWritableBytes: input.count) { output in
                stream.next_out = output.bindMemory(to: UInt8.self).baseAddress
                stream.avail_out = UInt32(input.count)
                return deflate(&stream, Z_FINISH) == Z_STREAM_END ? Int(stream.total_out) : 0
            } > 0
        }
        // Copied to release the unused capacity while the answer waits to be sent.
        return isWhole ? ByteBuffer(bytes: packed.readableBytesView) : nil
    }
}
