package import CloudModel

/// Functions of a record store for requests under subscriptions/ (reference B §6). Every user has their own, in each
/// database.
package protocol SubscriptionStore: Sendable {
    /// All subscriptions of a user in a database, by their names: the dictionaries as answered.
    func subscriptions(of user: String, in scope: DatabaseScope) async throws -> [[UInt8]]

    /// Each of these; nil for one that is not there.
    func subscriptions(_ names: [String], of user: String, in scope: DatabaseScope) async throws -> [[UInt8]?]

    /// Makes, replaces and deletes subscriptions: outcomes in the order of the operations.
    func modify(_ request: SubscriptionsRequest) async throws -> [SubscriptionOutcome]
}

/// subscriptions/modify, decoded (reference B §6.5).
package struct SubscriptionsRequest: Sendable {
    /// User record name of the caller.
    package let user: String
    package let scope: DatabaseScope
    package let operations: [Result<SubscriptionOperation, SubscriptionOperation.Refused>]
    /// Refuse queries over what the schema does not mark as indexed.
    package let strict: Bool
    /// Refuse a second query subscription with the same record type and `firesOn`, as the original does.
    package let refusesDuplicates: Bool
    package let limits: Limits

    package init(
        user: String, scope: DatabaseScope,
        operations: [Result<SubscriptionOperation, SubscriptionOperation.Refused>], strict: Bool,
        refusesDuplicates: Bool, limits: Limits
    ) {
        self.user = user
        self.scope = scope
        self.operations = operations
        self.strict = strict
        self.refusesDuplicates = refusesDuplicates
        self.limits = limits
    }
}

/// The result of one operation of subscriptions/modify.
package enum SubscriptionOutcome: Hashable, Sendable {
    /// The dictionary as answered.
    case saved([UInt8])
    /// - Parameter type: its `subscriptionType`; nil where there was none.
    case deleted(name: String, type: String?)
    case failed(name: String, ServerError)
}
