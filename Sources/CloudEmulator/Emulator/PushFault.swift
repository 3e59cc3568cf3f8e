package import CloudModel

/// A delivery fault of a notification.
package enum PushFault: String, CaseIterable, Hashable, Sendable {
    /// Never delivered.
    case lost
    /// Delivered twice.
    case twice
    /// Delivered after the rule's latency.
    case late
    /// Delivered after the following notification, or after the rule's latency if none follows.
    case swapped

    /// Nil for an object without `push`.
    ///
    /// - Throws: `BAD_REQUEST` naming the member at fault.
    package init?(_ object: JSONObject) throws {
        guard let name = try EmulatorMember.choice("push", of: object, Self.allCases.map(\.rawValue)) else {
            return nil
        }
        self.init(rawValue: name)
    }
}

/// Identifies a notification in delivery to a push token.
package struct PushKey: Hashable, Sendable {
    package let token: Int64
    package let container: Int64
    package let environment: ContainerEnvironment
    let notification: Int64
}

/// The fault drawn for a notification.
struct PushFate: Sendable {
    /// Nil without a fault, and once the fault has ended.
    var fault: PushFault?
    var latency = Duration.zero
    let decided = ContinuousClock.now

    var isMet: Bool { fault == nil }
    /// The end of the delay.
    var end: ContinuousClock.Instant { decided + latency }
}
