import CloudModel
import CloudStore

/// The endpoints under `subscriptions/` (reference B §6), one file per endpoint.
package enum SubscriptionEndpoints {}

extension JSONWriter {
    /// A subscription that failed, inside an answer that did not (reference B §6.5).
    mutating func subscriptionError(_ name: String, _ error: ServerError) {
        object {
            $0.member("subscriptionID", name)
            $0.errorMembers(error)
        }
    }
}
