package import CloudModel
import CloudSQL

extension StoredEnvironment {
    package func subscriptions(of user: String, in scope: DatabaseScope) async throws -> [[UInt8]] {
        try await reads.read { db in try SubscriptionTable.list(user: user, scope: scope, db) }
    }

    package func subscriptions(
        _ names: [String], of user: String, in scope: DatabaseScope
    ) async throws -> [[UInt8]?] {
        try await reads.read(.small) { db in
            try names.map { try SubscriptionTable.body($0, user: user, scope: scope, db) }
        }
    }

    package func modify(_ request: SubscriptionsRequest) async throws -> [SubscriptionOutcome] {
        try await writes.write(for: nil) { try ModifySubscriptions(request: request, transaction: $0).run() }
    }
}
