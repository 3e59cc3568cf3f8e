package import CloudModel
import CloudCrypto

/// The user and client of a write, and its limits on notifications and quotas.
package struct WriteContext: Sendable {
    let user: String?
    /// The requesting client's own name.
    let clientID: String?
    /// The client's name in the records that it writes: a hash per user and client, which does not reveal the client's own
    /// name to others.
    let deviceID: String
    let now: Timestamp
    /// Queued messages per device, at most.
    let mostQueued: Int
    /// Queued messages per webhook, at most.
    let mostQueuedForWebhook: Int
    /// The messages that one user may be sent per request, and beyond these per period of `pause`.
    let messagesPerRequest: Int
    let messageBurst: Int
    /// The pause of a user's subscriptions when the messages are used up.
    let pause: Duration
    /// The quotas for the request; nil for none.
    let quotas: Quotas?

    /// - Parameter isBounded: false for operators and the server's own work, which have no quotas.
    package init(_ requester: Requester, now: Timestamp, limits: Limits, isBounded: Bool = true) {
        quotas = isBounded && limits.quotas.isSet ? limits.quotas : nil
        user = requester.user
        clientID = requester.clientID
        deviceID = Self.deviceID(of: requester)
        self.now = now
        mostQueued = limits.notifications.perToken
        mostQueuedForWebhook = limits.notifications.perWebhook
        messagesPerRequest = limits.notifications.perRequest
        messageBurst = limits.notifications.burst
        pause = limits.notifications.pause
    }

    private static func deviceID(of requester: Requester) -> String {
        guard let client = requester.clientID else { return RecordBody.Stamp.unknownDevice }
        let digest = SHA256.hash(data: Array("\(requester.user ?? "")\u{0}\(client)".utf8))
        return digest.prefix(8).map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    }
}
