import CloudModel
import HTTPTypes
import Hummingbird
import NIOCore

/// One call of a route under `/admin/1`, by somebody whose management token is good for the container.
struct AdminCall: Sendable {
    let administration: any Administration
    /// The values in the place of each `{name}` after the environment, in order, decoded.
    let parameters: [String]
    let headers: HTTPFields
    let query: FormFields
    let body: ByteBuffer

    /// The body as text.
    ///
    /// - Throws: `BAD_REQUEST` for a body that is empty or not UTF-8.
    func text(_ what: String) throws(ServerError) -> String {
        guard body.readableBytes > 0 else { throw .badRequest("the request has no body; it must be \(known: what)") }
        guard let text = String(validating: body.readableBytesView, as: UTF8.self) else {
            throw .badRequest("the request body must be \(known: what) in UTF-8")
        }
        return text
    }

    /// Whether the parameter `dryRun` asks to be told only what would happen.
    func isDryRun() throws(ServerError) -> Bool {
        switch query["dryRun"] {
        case nil, "false": return false
        case "true", "": return true
        case let other?: throw .badRequest("dryRun must be true or false, not '\(Naming.shown(other))'")
        }
    }

    /// The tag that the schema is to have for a change to be made, from `If-Match`; nil for any.
    var wantedTag: String? {
        guard let text = headers[.ifMatch], text != "*" else { return nil }
        // What is no tag in quotes is that of no schema.
        return text.wholeMatch(of: #/"([0-9a-f]*)"/#).map { String($0.output.1) } ?? ""
    }

    /// Whether the caller wants JSON rather than text.
    var wantsJSON: Bool { headers[.accept]?.lowercased().contains("application/json") == true }
}

/// The endpoint of a route under `/admin/1`: takes a call and returns an answer, or throws a `ServerError` or
/// `SchemaSyntaxError`.
typealias AdminEndpoint = @Sendable (AdminCall) async throws -> Response

extension Response {
    static func text(_ text: String) -> Response {
        Response(
            status: .ok, headers: [.contentType: "text/plain; charset=UTF-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }

    /// The answer with a schema's tag as its `ETag`.
    func tagged(_ tag: String?) -> Response {
        var tagged = self
        tagged.headers[.eTag] = tag.map { "\"\($0)\"" }
        return tagged
    }
}
