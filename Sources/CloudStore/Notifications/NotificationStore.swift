/// What delivering notifications needs of a record store: who listens, and what waits for them.
///
/// Times are milliseconds since 1970-01-01Z. Tokens are rows of the accounts file.
package protocol NotificationStore: Sendable {
    /// Registers a token, or renews it. What waits for it stays, unless it has become another user's.
    func register(_ device: Device) async throws

    /// Registers a token in place of another that its client had: what waits for that one is for this one now.
    func register(_ device: Device, replacing token: Int64) async throws

    /// Forgets a token and what waits for it.
    func removeDevice(token: Int64) async throws

    /// Forgets tokens that have expired, with what waits for them; answers how many.
    func removeExpiredDevices() async throws -> Int

    /// The oldest message that was not delivered; nil when none waits.
    func nextNotification(token: Int64) async throws -> QueuedNotification?

    /// Messages that come after the one with this id, delivered or not, in order.
    func notifications(token: Int64, after id: Int64, limit: Int) async throws -> [QueuedNotification]

    /// Notes that a message has arrived. One that took another's place meanwhile goes on waiting.
    ///
    /// - Parameter keeping: whether it may be asked for again by its id, until newer ones push it out.
    func settle(_ notification: QueuedNotification, keeping: Bool) async throws
}
