import CloudModel
import CloudStore

extension SubscriptionEndpoints {
    /// `subscriptions/list` (reference B §6.3): all subscriptions of the caller.
    package static let list: Endpoint = { call in
        let subscriptions = try await call.store.subscriptions.list(of: try call.signedInName(), in: call.scope)
        var writer = JSONWriter(capacity: subscriptions.reduce(32) { $0 + $1.count + 1 })
        writer.object {
            $0.key("subscriptions")
            $0.array { for subscription in subscriptions { $0.verbatim(subscription) } }
        }
        return writer
    }
}
