import CloudModel

/// A fault of a notification on its way to a push token.
enum PushFault: String, CaseIterable, Hashable, Sendable {
    /// It never comes.
    case lost
    /// It comes, and once more.
    case twice
    /// It comes once the rule's latency has passed.
    case late
    /// Delivered after the following notification, or after the rule's latency if none follows.
    case swapped

    /// Nil for an object without one.
    ///
    /// - Throws: `BAD_REQUEST` naming the member at fault.
    init?(_ object: JSONObject) throws {
        guard let name = try EmulatorMember.choice("push", of: object, Self.allCases.map(\.rawValue)) else {
            return nil
        }
        self.init(rawValue: name)
    }
}

/// A notification on its way to a push token.
struct PushKey: Hashable, Sendable {
    let token: Int64
    let container: Int64
    let environment: ContainerEnvironment
    let notification: Int64
}

/// The decision about a notification.
struct PushFate: Sendable {
    /// Nil where nothing goes wrong, or nothing more.
    var fault: PushFault?
    var latency = Duration.zero
    let decided = ContinuousClock.now

    var isMet: Bool { fault == nil }
    /// The time at which the notification is held up no longer.
    var end: ContinuousClock.Instant { decided + latency }
}
