import CloudModel
import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// The files of `Public/static`, held in memory. Their addresses carry a digest of all of them, so a browser may keep
/// them for good, and nothing but these files can be asked for.
package struct StaticFiles: Sendable {
    private struct File {
        let bytes: ByteBuffer
        /// The same as gzip; nil where that is not smaller.
        let packed: ByteBuffer?
        let type: String
        let tag: String

        /// A packed file is another answer to a cache.
        func tag(isPacked: Bool) -> String { isPacked ? "\"\(tag)-gzip\"" : "\"\(tag)\"" }
    }

    private let files: [String: File]
    /// A digest of every file, in the address of each.
    private let digest: String

    /// The path of the files, without a slash at the end.
    package var path: String { "/static/\(digest)" }

    package init(_ folder: PublicFolder) throws {
        var files: [String: File] = [:]
        var all = SHA256()
        for (name, bytes) in try folder.files(in: "static") {
            guard let type = Self.types[String(name.split(separator: ".").last ?? "")] else { continue }
            let tag = SHA256.hash(data: bytes)
            all.update(data: Data(name.utf8) + Data(tag))
            let buffer = ByteBuffer(bytes: bytes)
            files[name] = File(
                bytes: buffer, packed: Gzip.pack(buffer, level: Gzip.thorough), type: type,
                tag: Base64URL.encode(Array(tag.prefix(12))))
        }
        self.files = files
        digest = Base64URL.encode(Array(all.finalize().prefix(12)))
    }

    /// `GET /static/{digest}/{name}`. A page from before an upgrade asks by an old digest and gets the file there is
    /// now, which nobody may keep under that address.
    package static let endpoint: PageEndpoint = { call in
        let files = call.site.files
        guard let file = files.files[call.parameters[1]] else {
            throw ServerError(.notFound, "there is no such file", .missing(.file))
        }
        let packed = Gzip.isTaken(by: call.request) ? file.packed : nil
        let tag = file.tag(isPacked: packed != nil)
        var headers: HTTPFields = [
            .contentType: file.type,
            .eTag: tag,
            .vary: "Accept-Encoding",
            .cacheControl: call.parameters[0] == files.digest
                ? "public, max-age=31536000, immutable" : "no-cache",
            .xContentTypeOptions: "nosniff",
            .contentSecurityPolicy: "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
        ]
        if call.request.headers[.ifNoneMatch]?.contains(tag) == true {
            headers[.contentType] = nil
            return Response(status: .notModified, headers: headers)
        }
        if packed != nil { headers[.contentEncoding] = "gzip" }
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: packed ?? file.bytes))
    }

    private static let types = [
        "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8", "svg": "image/svg+xml",
        "png": "image/png", "ico": "image/x-icon", "webp": "image/webp", "woff2": "font/woff2",
        "txt": "text/plain; charset=utf-8",
    ]
}
