import CloudModel
import CloudServer
import NIOCore
import Testing

/// A device of a signed-in user, as far as the key-value store knows one.
struct KeyValueDevice: Sendable {
    let app: App
    let id: String?

    /// - Parameter endpoint: `modify`, `changes` or `values`.
    func post(
        _ endpoint: String, _ body: String = "", sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Answer {
        try await app.server.send(
            .post, target(endpoint), body: ByteBuffer(string: body), sourceLocation: sourceLocation)
    }

    func target(_ endpoint: String) -> String {
        let query = app.target("", query: id.map { "clientId=\($0)" } ?? "").drop { $0 != "?" }
        return "/keyvalue/1/\(app.container)/\(app.environment)/\(endpoint)" + query
    }

    /// - Parameter values: texts under their keys.
    func set(
        _ values: [String: String], remove: [String] = [], since token: String? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Answer {
        let set = values.map { #""\#($0)": {"type": "STRING", "value": "\#($1)"}"# }.joined(separator: ", ")
        let remove = remove.map { #""\#($0)""# }.joined(separator: ", ")
        let token = token.map { #", "changeToken": "\#($0)""# } ?? ""
        return try await post(
            "modify", #"{"set": {\#(set)}, "remove": [\#(remove)]\#(token)}"#, sourceLocation: sourceLocation)
    }

    func changes(
        since token: String? = nil, limit: Int? = nil, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Answer {
        let members = [
            token.map { #""changeToken": "\#($0)""# }, limit.map { #""resultsLimit": \#($0)"# },
        ].compactMap(\.self)
        return try await post("changes", "{\(members.joined(separator: ", "))}", sourceLocation: sourceLocation)
    }
}

extension App {
    func device(_ id: String? = nil) -> KeyValueDevice { KeyValueDevice(app: self, id: id) }
}

extension Answer {
    /// The texts of `values` or another member under their keys; nil for a removed one.
    func texts(_ name: String = "values") -> [String: String?] {
        var texts: [String: String?] = [:]
        for member in json[path: name]?.object?.members ?? [] {
            texts[member.key] = .some(member.value[path: "value"]?.string)
        }
        return texts
    }

    var changeToken: String { json[path: "changeToken"]?.string ?? "" }
}
