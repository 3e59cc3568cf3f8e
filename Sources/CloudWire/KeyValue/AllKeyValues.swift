import CloudModel
import CloudStore

extension KeyValueEndpoints {
    /// `values`: all key-value pairs.
    package static let values: Endpoint = { call in
        let all = try await call.store.keyValues.all(user: try call.signedInName())
        var writer = JSONWriter(capacity: all.values.jsonSize)
        writer.object {
            $0.keyValues("values", all.values)
            $0.member("changeToken", all.changeToken)
        }
        return writer
    }
}
