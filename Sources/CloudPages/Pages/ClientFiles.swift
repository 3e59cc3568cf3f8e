package import CloudHTTP
import CloudModel

/// The JavaScript client, `Public/client`, held in memory for pages that import it from the server.
package struct ClientFiles: Sendable {
    /// Files by path below the folder.
    private let files: [String: ServedFile]

    package init(_ source: PublicFiles) throws {
        var files: [String: ServedFile] = [:]
        for part in ["", "lib/", "lib/sync/"] {
            for (name, bytes) in try source.files(in: "client/" + part)
            where name.hasSuffix(".js") || name.hasSuffix(".d.ts") {
                files[part + name] = ServedFile(name: name, bytes: bytes)
            }
        }
        self.files = files
    }

    /// `GET /client/{path}`. CORS must allow any origin, because pages of any origin import the modules.
    package static let endpoint: PageEndpoint = { call in
        guard let file = call.site.client.files[call.parameters[0]] else {
            throw ServerError(.notFound, "the client has no such file", .missing(.file))
        }
        var response = file.respond(call.request, cacheControl: "no-cache")
        response.headers[.accessControl.allowOrigin] = "*"
        return response
    }
}
