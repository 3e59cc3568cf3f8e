package import CloudHTTP
package import CloudModel
package import CloudOperations
import CloudStore
package import NIOCore

/// A call of a route under `/admin/1`, whose management token has the route's scopes.
package struct AdminCall: Sendable {
    package let operations: StoreOperations
    /// The route's pattern in the route table.
    package let pattern: String
    /// The decoded values of the route's `{name}` parts, in order.
    package let parameters: [String]
    /// The container and environment in the path; nil for server-wide operations.
    package let place: RequestPlace?
    package let headers: HTTPFields
    package let query: FormFields
    package let body: ByteBuffer
    /// The most JSON values in a body.
    let mostValues: Int
    package let downloads: PersonDownloads

    /// The parameters after container and environment.
    package var about: ArraySlice<String> { place == nil ? parameters[...] : parameters.dropFirst(2) }

    /// Whether the call is a dry run. Only schema changes have dry runs.
    var isDry: Bool { pattern.hasPrefix(AdminRoutes.environment + "schema") && (try? isDryRun()) == true }

    /// The arguments of an operation. Path parameters override body members, body members override the query.
    ///
    /// - Throws: `BAD_REQUEST` for a body that is no JSON object.
    package func arguments(for route: OperationRoute) throws -> Arguments {
        var values: [String: JSONValue] = [:]
        for name in query.names {
            let given = query.all(name)
            values[name] = given.count == 1 ? .string(given[0]) : .array(given.map(JSONValue.string))
        }
        for member in try Request.object(in: body, mostValues: mostValues).members {
            values[member.key] = member.value
        }
        for (name, value) in zip(route.parameters, parameters) { values[name] = .string(value) }
        return Arguments(values)
    }

    /// The schema and role operations of the environment in the path.
    ///
    /// - Throws: `ACCESS_DENIED` for the token of another container, `NOT_FOUND` for a container that does not exist.
    package func administration() async throws -> any Administration {
        guard let place else {
            throw ServerError(.internalError, "a route without an environment has no schema", .server(.fault))
        }
        return try await operations.administration(container: place.container, environment: place.environment)
    }

    /// The body as text.
    ///
    /// - Throws: `BAD_REQUEST` for a body that is empty or not UTF-8.
    package func text(_ what: String) throws(ServerError) -> String {
        guard body.readableBytes > 0 else { throw .badRequest("the request has no body; it must be \(known: what)") }
        guard let text = String(validating: body.readableBytesView, as: UTF8.self) else {
            throw .badRequest("the request body must be \(known: what) in UTF-8")
        }
        return text
    }

    /// Whether the parameter `dryRun` requests a dry run.
    func isDryRun() throws(ServerError) -> Bool {
        switch query["dryRun"] {
        case nil, "false": return false
        case "true", "": return true
        case let other?: throw .badRequest("dryRun must be true or false, not '\(Naming.shown(other))'")
        }
    }

    /// The schema tag required by `If-Match`; nil for any.
    var wantedTag: String? {
        guard let text = headers[.ifMatch], text != "*" else { return nil }
        // A malformed tag becomes the empty tag, which matches no schema.
        return text.wholeMatch(of: #/"([0-9a-f]*)"/#).map { String($0.output.1) } ?? ""
    }

    /// Whether the caller prefers JSON to text.
    var wantsJSON: Bool { headers[.accept]?.lowercased().contains("application/json") == true }
}

/// The endpoint of a route under `/admin/1`; may throw a `ServerError` or `SchemaSyntaxError`.
package typealias AdminEndpoint = @Sendable (AdminCall) async throws -> Response

extension Response {
    package static func json(_ bytes: [UInt8]) -> Response {
        Response(
            status: .ok, headers: [.contentType: "application/json; charset=UTF-8", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }

    package static func text(_ text: String) -> Response {
        Response(
            status: .ok, headers: [.contentType: "text/plain; charset=UTF-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }

    /// The answer with a schema tag as its `ETag`.
    func tagged(_ tag: String?) -> Response {
        var tagged = self
        tagged.headers[.eTag] = tag.map { "\"\($0)\"" }
        return tagged
    }
}
