package import CloudModel

/// Store functions for requests under subscriptions/ (reference B §6). Each user has separate subscriptions in each database.
package protocol SubscriptionStore: Sendable {
    /// A user's subscriptions in a database by name, as JSON dictionaries.
    func subscriptions(of user: String, in scope: DatabaseScope) async throws -> [[UInt8]]

    /// The named subscriptions as JSON dictionaries; nil for an unknown name.
    func subscriptions(_ names: [String], of user: String, in scope: DatabaseScope) async throws -> [[UInt8]?]

    /// Creates, replaces and deletes subscriptions; returns outcomes in the order of the operations.
    func modify(_ request: SubscriptionsRequest) async throws -> [SubscriptionOutcome]
}

/// A decoded subscriptions/modify request (reference B §6.5).
package struct SubscriptionsRequest: Sendable {
    /// User record name of the caller.
    package let user: String
    package let scope: DatabaseScope
    package let operations: [Result<SubscriptionOperation, SubscriptionOperation.Refused>]
    /// Refuse queries over fields that the schema does not mark as indexed.
    package let strict: Bool
    /// Refuse a second query subscription with the same record type and `firesOn`, as CloudKit does.
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
    /// The subscription's JSON dictionary.
    case saved([UInt8])
    /// - Parameter type: the deleted `subscriptionType`; nil for an unknown name.
    case deleted(name: String, type: String?)
    case failed(name: String, ServerError)
}
