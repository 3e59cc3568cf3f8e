package import CloudModel
import CloudSQL

/// Store functions for requests under subscriptions/ (reference B §6). Each user has separate subscriptions in each database.
package struct SubscriptionStore: Sendable {
    let stored: StoredEnvironment

    /// A user's subscriptions in a database by name, as JSON dictionaries.
    package func list(of user: String, in scope: DatabaseScope) async throws -> [[UInt8]] {
        try await stored.reads.read { db in try SubscriptionTable.list(user: user, scope: scope, db) }
    }

    /// The named subscriptions as JSON dictionaries; nil for an unknown name.
    package func find(
        _ names: [String], of user: String, in scope: DatabaseScope
    ) async throws -> [[UInt8]?] {
        try await stored.reads.read(.small) { db in
            try names.map { try SubscriptionTable.body($0, user: user, scope: scope, db) }
        }
    }

    /// Creates, replaces and deletes subscriptions; returns outcomes in the order of the operations.
    package func modify(_ request: SubscriptionsRequest) async throws -> [SubscriptionOutcome] {
        try await stored.writes.write(for: nil) { try ModifySubscriptions(request: request, transaction: $0).run() }
    }
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
