package import CloudModel
package import CloudStore

/// Short forms of what devices ask of the key-value store. Values are texts.
extension EnvironmentStore {
    package func set(
        _ values: [String: String] = [:], remove: [String] = [], as user: String = "_alice", since token: String? = nil,
        client: String? = nil, limits: Limits = Limits()
    ) async throws -> ModifyKeyValuesResult {
        let edits =
            values.sorted { $0.key < $1.key }.map { KeyValueEdit(key: $0.key, value: .string($0.value)) }
            + remove.map { KeyValueEdit(key: $0, value: nil) }
        return try await keyValues.modify(
            ModifyKeyValuesRequest(user: user, edits: edits, changeToken: token, clientID: client, limits: limits))
    }

    /// Everything a user has.
    package func texts(of user: String = "_alice") async throws -> [String: String] {
        try await keyValues.all(user: user).values.texts.compactMapValues(\.self)
    }
}

extension KeyValueStore {
    package func changes(
        since token: String? = nil, as user: String = "_alice", limit: Int = 200, limits: Limits = Limits()
    ) async throws -> KeyValuePage {
        try await changes(KeyValueChangesRequest(user: user, changeToken: token, limit: limit, limits: limits))
    }
}

extension [KeyValue] {
    /// The texts under their keys; nil for a removed one.
    package var texts: [String: String?] {
        var texts: [String: String?] = [:]
        for value in self { texts[value.key] = .some(value.text) }
        return texts
    }
}

extension KeyValue {
    package var text: String? {
        guard let json, let value = try? JSONParser.parse(json) else { return nil }
        return value.object?["value"]?.string
    }
}
