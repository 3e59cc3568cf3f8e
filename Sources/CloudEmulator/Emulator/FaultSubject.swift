import CloudModel

/// The properties of a request that fault rules match on.
struct FaultSubject: Sendable {
    let route: String
    /// Whether the subject is a notification in delivery rather than a request.
    var isPush = false
    var container: String?
    /// The sender's user record name and email address.
    var userNames: Set<String> = []
    /// The record types that the request saves, deletes or queries.
    var recordTypes: Set<String> = []
}

extension FaultSubject {
    /// The record types in a request body: the type of its query, or the types of its operations' records.
    static func recordTypes(_ body: JSONObject) -> Set<String> {
        var types: Set<String> = []
        if let type = body["query"]?.object?["recordType"]?.string { types.insert(type) }
        for operation in body["operations"]?.array ?? [] {
            if let type = operation.object?["record"]?.object?["recordType"]?.string { types.insert(type) }
        }
        return types
    }
}
