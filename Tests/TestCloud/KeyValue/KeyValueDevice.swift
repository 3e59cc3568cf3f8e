import CloudHTTP
import CloudModel
import NIOCore
package import Testing

/// A device of a signed-in user, as far as the key-value store knows one.
package struct KeyValueDevice: Sendable {
    package let app: App
    package let id: String?

    /// - Parameter endpoint: `modify`, `changes` or `values`.
    package func post(
        _ endpoint: String, _ body: String = "", sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Answer {
        try await app.server.send(
            .post, target(endpoint), body: ByteBuffer(string: body), sourceLocation: sourceLocation)
    }

    package func target(_ endpoint: String) -> String {
        let query = app.target("", query: id.map { "clientId=\($0)" } ?? "").drop { $0 != "?" }
        return "/keyvalue/1/\(app.container)/\(app.environment)/\(endpoint)" + query
    }

    /// - Parameter values: texts under their keys.
    package func set(
        _ values: [String: String], remove: [String] = [], since token: String? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Answer {
        let set = values.map { #""\#($0)": {"type": "STRING", "value": "\#($1)"}"# }.joined(separator: ", ")
        let remove = remove.map { #""\#($0)""# }.joined(separator: ", ")
        let token = token.map { #", "changeToken": "\#($0)""# } ?? ""
        return try await post(
            "modify", #"{"set": {\#(set)}, "remove": [\#(remove)]\#(token)}"#, sourceLocation: sourceLocation)
    }

    package func changes(
        since token: String? = nil, limit: Int? = nil, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Answer {
        let members = [
            token.map { #""changeToken": "\#($0)""# }, limit.map { #""resultsLimit": \#($0)"# },
        ].compactMap(\.self)
        return try await post("changes", "{\(members.joined(separator: ", "))}", sourceLocation: sourceLocation)
    }
}

extension App {
    package func device(_ id: String? = nil) -> KeyValueDevice { KeyValueDevice(app: self, id: id) }
}

extension Answer {
    /// The texts of `values` or another member under their keys; nil for a removed one.
    package func texts(_ name: String = "values") -> [String: String?] {
        var texts: [String: String?] = [:]
        for member in json[path: name]?.object?.members ?? [] {
            texts[member.key] = .some(member.value[path: "value"]?.string)
        }
        return texts
    }

    package var changeToken: String { json[path: "changeToken"]?.string ?? "" }
}
