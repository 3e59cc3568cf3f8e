package import CloudHTTP
import CloudModel
import CloudCrypto
import Foundation

/// The files of `Public/static`, held in memory. Their addresses carry a digest of all files, so browsers may cache
/// them for good. Requests can reach these files alone.
package struct StaticFiles: Sendable {
    private let files: [String: ServedFile]
    /// The digest over all files, part of every address.
    private let digest: String

    /// The files' base path, without a trailing slash.
    package var path: String { "/static/\(digest)" }

    package init(_ source: PublicFiles) throws {
        var files: [String: ServedFile] = [:]
        var all = SHA256()
        for (name, bytes) in try source.files(in: "static") {
            guard let file = ServedFile(name: name, bytes: bytes) else { continue }
            all.update(data: Data((name + file.tag).utf8))
            files[name] = file
        }
        self.files = files
        digest = Base64URL.encode(Array(all.finalize().prefix(12)))
    }

    /// `GET /apple-touch-icon.png`, which some devices ask for by this name alone.
    package static let icon: PageEndpoint = { call in
        guard let file = call.site.files.files["apple-touch-icon.png"] else {
            throw ServerError(.notFound, "there is no such file", .missing(.file))
        }
        return file.respond(call.request, cacheControl: "public, max-age=86400")
    }

    /// `GET /static/{digest}/{name}`. An outdated digest, from a page rendered before an upgrade, gets the current file
    /// with `no-cache`.
    package static let endpoint: PageEndpoint = { call in
        let files = call.site.files
        guard let file = files.files[call.parameters[1]] else {
            throw ServerError(.notFound, "there is no such file", .missing(.file))
        }
        return file.respond(
            call.request,
            cacheControl: call.parameters[0] == files.digest ? "public, max-age=31536000, immutable" : "no-cache")
    }
}
