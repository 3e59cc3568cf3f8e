package import CloudModel
package import CloudStore

/// Endpoints under `/keyvalue/1/{container}/{environment}/`, one file per endpoint. Credentials as for the private
/// database.
package enum KeyValueEndpoints {}

extension DatabaseCall {
    /// The calling device's position in the key-value store.
    func changeToken() throws(ServerError) -> String? { try body.optionalText("changeToken") }
}

extension JSONWriter {
    /// Writes `{key: value}`, with `null` for a removed key.
    package mutating func keyValues(_ name: StaticString, _ values: [KeyValue]) {
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
    /// Estimated JSON size in bytes, as a writer's initial capacity.
    var jsonSize: Int { reduce(256) { $0 + $1.key.utf8.count + ($1.json?.count ?? 0) + 8 } }
}
