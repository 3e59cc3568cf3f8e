import CloudHTTP
import CloudModel

/// Endpoints under `subscriptions/` (reference B §6), one file per endpoint.
package enum SubscriptionEndpoints {}

extension JSONWriter {
    /// Writes the error of one subscription within a successful answer (reference B §6.5).
    mutating func subscriptionError(_ name: String, _ error: ServerError) {
        object {
            $0.member("subscriptionID", name)
            $0.errorMembers(error)
        }
    }
}
