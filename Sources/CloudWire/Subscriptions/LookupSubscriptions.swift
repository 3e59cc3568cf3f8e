import CloudModel
import CloudStore

extension SubscriptionEndpoints {
    /// `subscriptions/lookup` (reference B §6.4).
    package static let lookup: Endpoint = { call in
        let user = try call.signedInName()
        let elements = try call.elements("subscriptions", limit: call.limits.recordsPerResponse)
        var names: [String] = []
        for (index, element) in elements.enumerated() {
            guard let name = element.object?["subscriptionID"]?.string else {
                throw ServerError.badRequest(
                    "subscriptions[\(index)] must be an object with a subscriptionID that is a string")
            }
            names.append(name)
        }
        let found = try await call.store.subscriptions.find(names, of: user, in: call.scope)
        var writer = JSONWriter(capacity: found.reduce(64) { $0 + ($1?.count ?? 128) })
        writer.object {
            $0.key("subscriptions")
            $0.array {
                for (name, subscription) in zip(names, found) {
                    if let subscription {
                        $0.verbatim(subscription)
                    } else {
                        $0.subscriptionError(
                            name, ServerError(.notFound, "subscription not found", .missing(.subscription)))
                    }
                }
            }
        }
        return writer
    }
}
