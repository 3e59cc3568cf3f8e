import CloudModel
import CloudStore

/// What is asked under `/keyvalue/1/{container}/{environment}/`, one file per endpoint. Credentials are those of the
/// private database.
package enum KeyValueEndpoints {}

extension DatabaseCall {
    /// What the calling device has seen of the key-value store.
    func changeToken() throws(ServerError) -> String? { try text("changeToken", in: body) }

    /// What the calling device calls itself, by the parameter `clientId`.
    func clientID() throws(ServerError) -> String? {
        guard let id = options.clientID else { return nil }
        guard id.utf8.count <= 255 else {
            throw .badRequest("clientId has \(id.utf8.count) bytes, at most 255 are allowed")
        }
        return id
    }
}

extension JSONWriter {
    /// `{key: value}`; `null` for a key that is removed.
    mutating func keyValues(_ name: StaticString, _ values: [KeyValue]) {
        key(name)
        object {
            for value in values {
                $0.key(value.key)
                if let json = value.json { $0.verbatim(json) } else { $0.null() }
            }
        }
    }
}

extension [KeyValue] {
    /// The size of these as JSON, near enough for a writer to begin with.
    var jsonSize: Int { reduce(256) { $0 + $1.key.utf8.count + ($1.json?.count ?? 0) + 8 } }
}
