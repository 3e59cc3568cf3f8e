import CloudAccounts
import CloudEngine
import CloudModel
import NIOHTTP1

/// Proves a message's origin and time to its receiver (Standard Webhooks 1.0).
struct WebhookSignature {
    /// The message id, the same at every attempt.
    let id: String
    /// The time, sent in whole seconds.
    let timestamp: Timestamp
    /// HMAC-SHA256 of id, timestamp and body, joined by dots.
    let code: [UInt8]

    init(id: String, timestamp: Timestamp, body: [UInt8], secret: WebhookSecret) {
        self.id = id
        self.timestamp = timestamp
        code = TokenSigner(key: secret.key).signature(of: Array("\(id).\(timestamp.wholeSeconds).".utf8) + body)
    }

    var headers: HTTPHeaders {
        [
            "webhook-id": id, "webhook-timestamp": "\(timestamp.wholeSeconds)",
            "webhook-signature": "v1,\(Base64.encode(code))",
        ]
    }
}
