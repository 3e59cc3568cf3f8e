import CloudModel
import CloudStore
import NIOHTTP1

/// What proves to a receiver that a message is from this server, and of now (Standard Webhooks 1.0).
struct WebhookSignature {
    /// Names the message, the same at every attempt.
    let id: String
    /// Seconds since 1970-01-01Z.
    let timestamp: Int64
    /// HMAC-SHA256 of id, timestamp and body, with dots between them.
    let code: [UInt8]

    init(id: String, timestamp: Int64, body: [UInt8], secret: WebhookSecret) {
        self.id = id
        self.timestamp = timestamp
        code = TokenSigner(key: secret.key).signature(of: Array("\(id).\(timestamp).".utf8) + body)
    }

    var headers: HTTPHeaders {
        [
            "webhook-id": id, "webhook-timestamp": "\(timestamp)",
            "webhook-signature": "v1,\(Base64.encode(code))",
        ]
    }
}
