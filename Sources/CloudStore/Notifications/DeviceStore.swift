package import CloudModel

/// The devices that are notified of an environment's changes.
///
/// Tokens are rows of the accounts file.
package protocol DeviceStore: Sendable {
    /// Registers or renews a token. Its queue is kept, unless the token now belongs to another user.
    func register(_ device: Device) async throws

    /// Registers a token in place of the client's former token, and hands over the former token's queue.
    func register(_ device: Device, replacing token: Int64) async throws

    /// Deletes a token and its queue.
    func removeDevice(token: Int64) async throws

    /// Queues a test message for a device, naming one of its user's subscriptions.
    ///
    /// - Parameter device: the device's row number.
    /// - Throws: `NOT_FOUND` for an unknown device, `BAD_REQUEST` if its user has no subscription.
    func sendTestNotification(to device: Int64) async throws -> SentTestNotification

    /// Deletes expired tokens and their queues.
    ///
    /// - Returns: the number of deleted tokens.
    func removeExpiredDevices() async throws -> Int

    /// The time when the next token expires; nil without tokens.
    func firstExpiry() async throws -> Timestamp?
}
