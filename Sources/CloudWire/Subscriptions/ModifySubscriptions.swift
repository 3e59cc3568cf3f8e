import CloudAccounts
import CloudModel
import CloudStore

extension SubscriptionEndpoints {
    /// `subscriptions/modify` (reference B §6.5).
    package static let modify: Endpoint = { call in
        let user = try call.signedInName()
        let database = try call.database()
        let elements = try call.elements("operations", limit: call.limits.operationsPerRequest)
        var operations: [Result<SubscriptionOperation, SubscriptionOperation.Refused>] = []
        for (index, element) in elements.enumerated() {
            operations.append(
                try SubscriptionOperation.parse(
                    element, at: index, newName: RandomUUID.make(.names), scope: call.scope, database: database,
                    limits: call.limits))
        }
        let container = call.identity.container
        let outcomes = try await call.store.subscriptions.modify(
            SubscriptionsRequest(
                user: user, scope: call.scope, operations: operations,
                strict: container.strictIndexes,
                refusesDuplicates: container.uniqueSubscriptions, limits: call.limits))
        var writer = JSONWriter(capacity: 256 * outcomes.count + 32)
        writer.object {
            $0.key("subscriptions")
            $0.array { for outcome in outcomes { write(outcome, to: &$0) } }
        }
        return writer
    }

    private static func write(_ outcome: SubscriptionOutcome, to writer: inout JSONWriter) {
        switch outcome {
        case .saved(let body): writer.verbatim(body)
        case .deleted(let name, let type):
            writer.object {
                $0.member("subscriptionID", name)
                $0.member("subscriptionType", type)
                $0.member("deleted", true)
            }
        case .failed(let name, let error): writer.subscriptionError(name, error)
        }
    }
}
