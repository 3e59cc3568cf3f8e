import CloudHTTP
import CloudModel
import CloudCrypto
import Foundation
import NIOCore
import Synchronization

/// A static file held in memory.
struct ServedFile: Sendable {
    /// A digest of the file's contents.
    let tag: String
    private let bytes: ByteBuffer
    private let packing: Packing
    private let type: String

    /// Nil for an unsupported file type.
    init?(name: String, bytes: Data) {
        guard let type = Self.types[String(name.split(separator: ".").last ?? "")] else { return nil }
        let buffer = ByteBuffer(bytes: bytes)
        self.bytes = buffer
        packing = Packing(buffer)
        self.type = type
        tag = Base64URL.encode(Array(SHA256.hash(data: bytes).prefix(12)))
    }

    /// The answer to a request; 304 without a body if the browser's copy is current.
    func respond(_ request: Request, cacheControl: String) -> Response {
        let packed = Gzip.isTaken(by: request) ? packing.bytes : nil
        // A packed file needs a tag of its own, so that caches tell it from the plain file.
        let tag = packed == nil ? "\"\(tag)\"" : "\"\(tag)-gzip\""
        var headers: HTTPFields = [
            .contentType: type,
            .eTag: tag,
            .vary: "Accept-Encoding",
            .cacheControl: cacheControl,
            .xContentTypeOptions: "nosniff",
            .policy.contentSecurity: "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
        ]
        if request.headers[.condition.noneMatch]?.contains(tag) == true {
            headers[.contentType] = nil
            return Response(status: .notModified, headers: headers)
        }
        if packed != nil { headers[.contentEncoding] = "gzip" }
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: packed ?? bytes))
    }

    /// The gzipped bytes, packed on first use: packing every file at startup would delay the start.
    private final class Packing: Sendable {
        private let original: ByteBuffer
        private let made = Mutex<ByteBuffer??>(nil)

        init(_ original: ByteBuffer) { self.original = original }

        /// Nil if gzip does not shrink the file.
        var bytes: ByteBuffer? {
            made.withLock { made in
                if let made { return made }
                let packed = Gzip.pack(original, level: Gzip.thorough)
                made = .some(packed)
                return packed
            }
        }
    }

    private static let types = [
        "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8", "svg": "image/svg+xml",
        "png": "image/png", "ico": "image/x-icon", "webp": "image/webp", "woff2": "font/woff2",
        "txt": "text/plain; charset=utf-8", "ts": "text/plain; charset=utf-8",
    ]
}
