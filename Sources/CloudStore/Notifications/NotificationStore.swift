/// The queued messages for the listeners of an environment.
///
/// Tokens are rows of the accounts file.
package protocol NotificationStore: Sendable {
    /// The oldest undelivered message; nil without one.
    func nextNotification(token: Int64) async throws -> QueuedNotification?

    /// Messages after this id, delivered or not, in order.
    func notifications(token: Int64, after id: Int64, limit: Int) async throws -> [QueuedNotification]

    /// Marks messages as delivered. A message replaced meanwhile stays queued.
    ///
    /// - Parameter keeping: true to keep delivered messages for reads by id, until newer messages push them out.
    func acknowledge(_ notifications: [QueuedNotification], keeping: Bool) async throws

    /// Marks a message of a token as delivered, and keeps it.
    func acknowledge(_ place: DeliveredMessage, token: Int64) async throws

    /// A webhook's messages that newer messages pushed out of its queue, oldest first.
    func pushedOut(token: Int64, limit: Int) async throws -> [QueuedNotification]

    /// Deletes a webhook's pushed-out messages up to this id.
    func forgetPushedOut(token: Int64, through id: Int64) async throws
}
