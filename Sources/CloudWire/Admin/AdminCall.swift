import CloudHTTP
import CloudModel
import CloudOperations
import NIOCore

/// The request of an operation under `/admin/1`.
struct AdminCall: Sendable {
    let route: OperationRoute
    /// The decoded values of the route's `{name}` parts, in order.
    let parameters: [String]
    let headers: HTTPFields
    let query: FormFields
    let body: ByteBuffer
    /// The most JSON values in a body.
    let mostValues: Int

    /// The arguments of the operation. Path parameters override body members, body members override the query.
    ///
    /// - Throws: `BAD_REQUEST` for a body that is no JSON object, or no UTF-8 where the body is a text.
    func arguments() throws -> Arguments {
        var values =
            switch route.unknownArguments {
            case .refused: try allValues()
            case .queryRefused: try noValues()
            case .ignored: try knownValues()
            }
        for (name, value) in zip(route.pathNames, parameters) { values[name] = .string(value) }
        return Arguments(values)
    }

    private func allValues() throws -> [String: JSONValue] {
        var values: [String: JSONValue] = [:]
        for name in query.names {
            let given = query.all(name)
            values[name] = given.count == 1 ? .string(given[0]) : .array(given.map(JSONValue.string))
        }
        for member in try Request.object(in: body, mostValues: mostValues).members {
            values[member.key] = member.value
        }
        return values
    }

    private func noValues() throws(ServerError) -> [String: JSONValue] {
        guard query.names.isEmpty else { throw .badRequest("this route takes no parameters") }
        return [:]
    }

    /// The operation's own parameters, each from its part of the request; the rest of the request is ignored.
    private func knownValues() throws(ServerError) -> [String: JSONValue] {
        var values: [String: JSONValue] = [:]
        for parameter in route.parameters {
            let text =
                switch route.location(of: parameter) {
                case .header: wantedTag
                case .body: try text(parameter.about)
                case .query, .usual: query[parameter.name]
                }
            values[parameter.name] = text.map(JSONValue.string)
        }
        return values
    }

    /// The body as text; nil for an empty body.
    ///
    /// - Parameter content: names the text in a refusal, such as "a schema".
    private func text(_ content: String) throws(ServerError) -> String? {
        guard body.readableBytes > 0 else { return nil }
        guard let text = String(validating: body.readableBytesView, as: UTF8.self) else {
            throw .badRequest("the request body must be \(known: content) in UTF-8")
        }
        return text
    }

    /// The schema tag required by `If-Match`; nil for any.
    private var wantedTag: String? {
        guard let text = headers[.condition.match], text != "*" else { return nil }
        // A malformed tag becomes the empty tag, which matches no schema.
        return text.wholeMatch(of: #/"([0-9a-f]*)"/#).map { String($0.output.1) } ?? ""
    }

    /// Whether the caller prefers JSON to text.
    var prefersJSON: Bool { headers[.accept]?.lowercased().contains("application/json") == true }
}

extension Response {
    /// - Throws: `THROTTLED` for a zip while another download of the person runs.
    init(_ output: AnswerOutput, _ downloads: PersonDownloads) throws {
        switch output.body {
        case .json(let bytes): self = .json(bytes)
        case .text(let text): self = .text(text)
        case .zip(let export): self = try downloads.response(export)
        }
        if let tag = output.tag { headers[.eTag] = "\"\(tag)\"" }
    }

    private static func json(_ bytes: [UInt8]) -> Response {
        Response(
            status: .ok, headers: [.contentType: "application/json; charset=UTF-8", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }

    private static func text(_ text: String) -> Response {
        Response(
            status: .ok, headers: [.contentType: "text/plain; charset=UTF-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }
}
