import CloudModel
import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// A file held in memory, as browsers are served it.
struct ServedFile: Sendable {
    /// Names its contents.
    let tag: String
    private let bytes: ByteBuffer
    /// The same as gzip; nil where that is not smaller.
    private let packed: ByteBuffer?
    private let type: String

    /// Nil for a kind of file that is not served.
    init?(name: String, bytes: Data) {
        guard let type = Self.types[String(name.split(separator: ".").last ?? "")] else { return nil }
        let buffer = ByteBuffer(bytes: bytes)
        self.bytes = buffer
        packed = Gzip.pack(buffer, level: Gzip.thorough)
        self.type = type
        tag = Base64URL.encode(Array(SHA256.hash(data: bytes).prefix(12)))
    }

    /// The answer to a request for it, with nothing in it for a browser that has it.
    func answer(_ request: Request, cacheControl: String) -> Response {
        let packed = Gzip.isTaken(by: request) ? packed : nil
        // A packed file is another answer to a cache.
        let tag = packed == nil ? "\"\(tag)\"" : "\"\(tag)-gzip\""
        var headers: HTTPFields = [
            .contentType: type,
            .eTag: tag,
            .vary: "Accept-Encoding",
            .cacheControl: cacheControl,
            .xContentTypeOptions: "nosniff",
            .contentSecurityPolicy: "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
        ]
        if request.headers[.ifNoneMatch]?.contains(tag) == true {
            headers[.contentType] = nil
            return Response(status: .notModified, headers: headers)
        }
        if packed != nil { headers[.contentEncoding] = "gzip" }
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: packed ?? bytes))
    }

    private static let types = [
        "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8", "svg": "image/svg+xml",
        "png": "image/png", "ico": "image/x-icon", "webp": "image/webp", "woff2": "font/woff2",
        "txt": "text/plain; charset=utf-8", "ts": "text/plain; charset=utf-8",
    ]
}
