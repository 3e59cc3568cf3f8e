import CloudModel
import CloudStore

/// The endpoints under `/keyvalue/1/{container}/{environment}/`, one file per endpoint. Credentials are those of the
/// private database.
package enum KeyValueEndpoints {}

extension DatabaseCall {
    /// The token for what the calling device has seen of the key-value store.
    func changeToken() throws(ServerError) -> String? { try text("changeToken", in: body) }
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
