import CloudModel

/// A request as faults tell it from others.
struct FaultSubject: Sendable {
    let route: String
    /// Whether it is a notification on its way, and no request.
    var isPush = false
    var container: String?
    /// The user record name and email address of whoever sends it.
    var userNames: Set<String> = []
    /// Of the records that it saves, deletes or asks for.
    var recordTypes: Set<String> = []
}

extension FaultSubject {
    /// The record types that a body names: of a query, or of the records of operations.
    static func recordTypes(_ body: JSONObject) -> Set<String> {
        var types: Set<String> = []
        if let type = body["query"]?.object?["recordType"]?.string { types.insert(type) }
        for operation in body["operations"]?.array ?? [] {
            if let type = operation.object?["record"]?.object?["recordType"]?.string { types.insert(type) }
        }
        return types
    }
}
