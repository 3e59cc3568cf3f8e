package import CloudModel

/// The devices that listen to the notifications of an environment.
///
/// Tokens are rows of the accounts file.
package protocol DeviceStore: Sendable {
    /// Registers a token, or renews it. What waits for it stays, unless it has become another user's.
    func register(_ device: Device) async throws

    /// Registers a token in place of another that its client had: what waits for that one is for this one now.
    func register(_ device: Device, replacing token: Int64) async throws

    /// Forgets a token and what waits for it.
    func removeDevice(token: Int64) async throws

    /// Queues a message for a device that tells of no change, naming a subscription of its user.
    ///
    /// - Parameter device: its row, as the list of devices has it.
    /// - Throws: `NOT_FOUND` for a device that is not there, `BAD_REQUEST` if its user has no subscription.
    func sendTestNotification(to device: Int64) async throws -> SentTestNotification

    /// Forgets tokens that have expired, with what waits for them; answers how many.
    func removeExpiredDevices() async throws -> Int

    /// The time when the next token expires; nil when there is none.
    func firstExpiry() async throws -> Timestamp?
}
