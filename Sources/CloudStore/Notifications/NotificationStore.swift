/// The messages that wait for those who listen to the notifications of an environment.
///
/// Tokens are rows of the accounts file.
package protocol NotificationStore: Sendable {
    /// The oldest message that was not delivered; nil when none waits.
    func nextNotification(token: Int64) async throws -> QueuedNotification?

    /// Messages that come after the one with this id, delivered or not, in order.
    func notifications(token: Int64, after id: Int64, limit: Int) async throws -> [QueuedNotification]

    /// Notes that messages have arrived. One that took another's place meanwhile goes on waiting.
    ///
    /// - Parameter keeping: whether they may be asked for again by their ids, until newer ones push them out.
    func acknowledge(_ notifications: [QueuedNotification], keeping: Bool) async throws

    /// Notes that a message of a token has arrived, and keeps it.
    func acknowledge(_ place: DeliveredMessage, token: Int64) async throws

    /// Messages for a webhook that newer ones have pushed out of its queue, oldest first.
    func pushedOut(token: Int64, limit: Int) async throws -> [QueuedNotification]

    /// Forgets those of a webhook up to the one with this id.
    func forgetPushedOut(token: Int64, through id: Int64) async throws
}
