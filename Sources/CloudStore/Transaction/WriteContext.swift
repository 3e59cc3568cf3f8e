import CloudModel
import CloudCrypto

/// The user whose request writes, and the cost allowed for those who are told of its changes.
struct WriteContext: Sendable {
    let user: String?
    /// The name that the client that sent the request gives itself.
    let clientID: String?
    /// The name of that client in records that it writes: the same for each of the user's devices, and not what the
    /// client calls itself, which others shall not learn.
    let deviceID: String
    let now: Timestamp
    /// Messages that may wait for one device.
    let mostQueued: Int
    /// Messages that may wait for one webhook.
    let mostQueuedForWebhook: Int
    /// Messages that one user may be sent by each request, and besides within `pause` by all of them.
    let messagesPerRequest: Int
    let messageBurst: Int
    /// The time that a user's subscriptions pause when those are used up.
    let pause: Duration
    /// The quotas that the request is held to; nil for none.
    let quotas: Quotas?

    /// - Parameter isBounded: whether quotas hold for it; they do not for operators, and for the server's own work.
    init(_ requester: Requester, now: Timestamp, limits: Limits, isBounded: Bool = true) {
        quotas = isBounded && limits.quotas.isSet ? limits.quotas : nil
        user = requester.user
        clientID = requester.clientID
        deviceID = Self.deviceID(of: requester)
        self.now = now
        mostQueued = limits.notificationsPerToken
        mostQueuedForWebhook = limits.notificationsPerWebhook
        messagesPerRequest = limits.notificationsPerRequest
        messageBurst = limits.notificationBurst
        pause = limits.notificationPause
    }

    private static func deviceID(of requester: Requester) -> String {
        guard let client = requester.clientID else { return RecordBody.Stamp.unknownDevice }
        let digest = SHA256.hash(data: Array("\(requester.user ?? "")\u{0}\(client)".utf8))
        return digest.prefix(8).map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    }
}
